/// Which share of each weight one device of a tensor-parallel group holds.
#pragma once

#include <optional>

#include "model/core/profile.h"
#include "number/result.h"

namespace plimsoll {

/// How a weight is divided among the devices of a group.
enum class Division : unsigned char {
    whole,     ///< norms, routers, MLA's down-projections, what joins a prediction layer's inputs, positions: every
               ///< device has all of it
    even,      ///< by outputs or by inputs; routed experts by their width or by expert
    kv_heads,  ///< by key-value heads: where there are fewer than devices, each device has one whole head
    query_key_value,  ///< one matrix for all three: queries evenly, keys and values by their heads
    vocabulary        ///< by rows, after padding to a multiple of 64
};

/// Source: vLLM, model_executor/layers: linear.py (QKVParallelLinear, ReplicatedLinear), vocab_parallel_embedding.py
/// (pad_vocab_size); SGLang and TensorRT-LLM divide alike.
template <class N>
Division division_of(const Weight<N>& weight, const Model& model) {
    const std::string_view name = weight.name;
    const auto ends = [name](std::string_view end) {
        return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
    };
    const double vocabulary = model.vocab_size ? model.vocab_size->value() : 0;
    const bool of_vocabulary = value_of(weight.rows) == vocabulary || value_of(weight.cols) == vocabulary;
    if ((weight.part == Part::embedding || weight.part == Part::head) && !weight.vector)
        return of_vocabulary ? Division::vocabulary : Division::whole;
    if (weight.vector || weight.part == Part::norm || weight.part == Part::router || ends("_a_proj") ||
        name == "input_proj" || name.substr(0, 6) == "index_")
        return Division::whole;
    if (weight.part == Part::attention && (name == "k_proj" || name == "v_proj")) return Division::kv_heads;
    if (weight.part == Part::attention && name == "qkv_proj") return Division::query_key_value;
    return Division::even;
}

/// Whether a layer's inputs are divided and its outputs summed, as behind attention, at the end of a feed-forward, and
/// from a scan's channels; elsewhere outputs are divided. Source: vLLM, RowParallelLinear in the models' code and in
/// mamba_mixer.py.
inline bool divides_inputs(std::string_view name) {
    return name == "o_proj" || name == "out_proj" || name == "down_proj" || name == "x_proj";
}

/// Why so many devices cannot divide an operation's heads, if it has any; nothing where they can. A latent is whole on
/// every device.
inline std::optional<Error> refused_heads(const Op& op, double tensor) {
    const Attention* attention = op.as<Attention>();
    const LatentAttention* latent = op.as<LatentAttention>();
    const Attention* headed = latent ? &latent->heads : attention;
    if (headed && !is_whole(headed->heads.value() / tensor))
        return Error{"out_of_range", "parallel.tensor", "the attention heads do not divide among the devices",
                     "num_attention_heads must be a multiple of it"};
    const double kv_heads = attention ? attention->kv_heads.value() : tensor;
    if (!is_whole(maximum(kv_heads, tensor) / minimum(kv_heads, tensor)))
        return Error{"out_of_range", "parallel.tensor", "the key-value heads neither divide nor repeat evenly",
                     "num_key_value_heads must be a multiple of it, or it of them"};
    return std::nullopt;
}

}  // namespace plimsoll
