// Source: llama.cpp, convert_hf_to_gguf.py (what is split and stacked, what stays F32), src/llama-quant.cpp
// (tensor_get_category, tensor_allows_quantization).
#include "policies/encodings/gguf_tensors.h"

namespace plimsoll {
namespace {

struct NamedRole {
    std::string_view weight;
    TensorRole role;
};

constexpr NamedRole roles[] = {{"embed_tokens_per_layer", TensorRole::embedding},
                               {"embed_tokens", TensorRole::embedding},
                               {"q_proj", TensorRole::query},
                               {"k_proj", TensorRole::key},
                               {"v_proj", TensorRole::value},
                               {"qkv_proj", TensorRole::value},
                               {"in_proj_qkv", TensorRole::value},
                               {"o_proj", TensorRole::attention_output},
                               {"up_proj", TensorRole::up},
                               {"gate_up_proj", TensorRole::up},
                               {"gate_proj", TensorRole::gate},
                               {"down_proj", TensorRole::down},
                               {"lm_head", TensorRole::head}};

TensorRole role_of(const Weight<double>& weight) {
    for (const NamedRole& named : roles)
        if (named.weight == weight.name) return named.role;
    return TensorRole::other;
}

// Small matrices that the converter or the quantizer passes over by their names.
struct NamedKeeping {
    std::string_view weight;
    TensorKeeping keeping;
};

constexpr NamedKeeping keepings[] = {{"per_layer_model_projection", TensorKeeping::as_given},
                                     {"per_layer_input_gate", TensorKeeping::quantised},
                                     {"per_layer_projection", TensorKeeping::quantised},
                                     {"modality_router", TensorKeeping::as_given},
                                     {"prediction_coefs", TensorKeeping::float32},
                                     {"correction_coefs", TensorKeeping::float32},
                                     {"altup_projections", TensorKeeping::as_given},
                                     {"laurel_left", TensorKeeping::as_given},
                                     {"laurel_right", TensorKeeping::as_given},
                                     {"conv1d", TensorKeeping::float32}};

TensorKeeping keeping_of(const Weight<double>& weight) {
    if (weight.vector || weight.rows <= 1 || weight.cols <= 1) return TensorKeeping::float32;
    for (const NamedKeeping& named : keepings)
        if (named.weight == weight.name) return named.keeping;
    const bool kept =
        weight.part == Part::embedding ? role_of(weight) != TensorRole::embedding : weight.part == Part::router;
    return kept ? TensorKeeping::float32 : TensorKeeping::quantised;
}

template <class T>
const T* find_op(const Block& block) {
    for (const Op& op : block.ops)
        if (const T* found = op.as<T>()) return found;
    return nullptr;
}

// `first_columns` of a matrix apart from the rest.
void split(const GgufTensor& whole, double columns, double first_columns, TensorRole first_role,
           std::vector<GgufTensor>& list) {
    GgufTensor first = whole, second = whole;
    first.columns = first_columns;
    first.role = first_role;
    second.columns = columns - first_columns;
    list.push_back(first);
    list.push_back(second);
}

// Matrices of ours that files hold as several: keys' and values' way out of the latent, each by head and the first
// transposed; the delta net's q, k and v apart from its gate; q, k and v where the converter takes them apart.
bool split(const Block& block, const GgufTensor& whole, const Weight<double>& weight, bool splits_qkv,
           std::vector<GgufTensor>& list) {
    if (const auto* latent = find_op<LatentAttention>(block); latent && weight.name == "kv_b_proj") {
        const double key = latent->key_width.value() - latent->rope.value();
        GgufTensor stacked = whole;
        stacked.stacked = true;
        split(stacked, weight.cols, key * latent->heads.heads.value(), TensorRole::other, list);
        list[list.size() - 2].row = key;
        return true;
    }
    if (const auto* convolution = find_op<ShortConvolution>(block); convolution && weight.name == "in_proj_qkvz") {
        split(whole, weight.cols, convolution->channels.value(), TensorRole::value, list);
        return true;
    }
    const auto* attention = find_op<Attention>(block);
    if (!attention || !splits_qkv || weight.name != "qkv_proj") return false;
    const double keys = attention->kv_heads.value() * attention->head_dim.value();
    split(whole, weight.cols - keys, weight.cols - 2 * keys, TensorRole::query, list);
    list.back().role = TensorRole::key;
    list.push_back(list.back());
    list.back().role = TensorRole::value;
    return true;
}

}  // namespace

std::vector<GgufTensor> gguf_tensors(const Block& block, bool splits_qkv) {
    std::vector<GgufTensor> list;
    const std::vector<Weight<double>> weights = weights_of<double>(block);
    double experts = 0;      // matrices of each, before its bias: up and down, or gate as well
    bool projected = false;  // what follows projects embeddings for the layers
    for (size_t index = 0; index < weights.size(); ++index) {
        const Weight<double>& weight = weights[index];
        GgufTensor tensor{static_cast<unsigned short>(index), role_of(weight), keeping_of(weight), weight.copies > 1,
                          weight.rows};
        if (tensor.role == TensorRole::embedding) tensor.row = weight.cols;
        if (weight.part == Part::experts && weight.copies > 1) {
            if (weight.vector) tensor.tensors = experts;
            ++experts;
        }
        if (weight.part == Part::shared_experts && weight.name == "gate_up_proj") tensor.tensors = 2;
        if (weight.name == "altup_projections") tensor.tensors = 2;  // into the streams, and out of them
        tensor.with_first_layer = projected;
        projected = projected || weight.name == "embed_tokens_per_layer";
        if (!split(block, tensor, weight, splits_qkv, list)) list.push_back(tensor);
    }
    return list;
}

}  // namespace plimsoll
