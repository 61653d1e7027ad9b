/// What one device holds of a model that is divided by tensor and pipeline parallelism.
#pragma once

#include "estimate/inference/inference_inputs.h"
#include "estimate/ledger/shared_rows.h"
#include "model/transform/tensor_parallel.h"

namespace plimsoll {

/// One device's part: a stage of the pipeline, and one of `tensor` devices that share the stage.
template <class N>
struct Shard {
    N tensor;                    ///< devices that share each layer
    std::vector<double> layers;  ///< of each kind, in this stage
    bool first = true, last = true;
    double data = 1;    ///< copies of the model that divide the routed experts among them too
    double expert = 1;  ///< groups of devices that have whole experts of their own
};

/// Layers go to stages evenly; what is left over goes to the stages before the last, which has the head.
/// Source: vLLM, distributed/utils.py: get_pp_indices.
inline std::vector<double> layers_in_stage(const Model& model, size_t stage, size_t stages) {
    const size_t layers = model.order.size(), each = layers / stages, left = layers % stages;
    const auto size_of = [&](size_t at) { return each + (at + 1 < stages && at + 1 + left >= stages ? 1 : 0); };
    size_t begin = 0;
    for (size_t before = 0; before < stage; ++before) begin += size_of(before);
    std::vector<double> counts(model.kinds.size(), 0);
    for (size_t layer = begin; layer < begin + size_of(stage) && layer < layers; ++layer) ++counts[model.order[layer]];
    return counts;
}

/// Layers of a kind in the stage.
template <class N>
N layers_here(const Model& model, const Shard<N>& shard, size_t kind) {
    const LayerKind& each = model.kinds[kind];
    if (shard.layers[kind] == each.count.value()) return as<N>(each.count);
    return input<N>({each.name, "s_in_stage"}, shard.layers[kind], "layers of this pipeline stage");
}

/// Key-value heads of the block's attention; 0: it has none.
inline double kv_heads_of(const Block& block) {
    const Attention* attention = attention_of(block);
    return attention ? attention->kv_heads.value() : 0;
}

/// Share of the elements that a block keeps of each token which one device of the group holds. Latents and an indexer's
/// key are of all heads.
template <class N>
N kept_here(const Kept<N>& kept, const N& elements, const Shard<N>& shard, const Block& block) {
    const double heads = kv_heads_of(block);
    const bool whole = kept.name == "latents" || kept.sparse == Kept<N>::Sparse::index;
    if (whole || value_of(shard.tensor) == 1) return elements;
    return heads > 0 ? elements / minimum(shard.tensor, N(heads)) : elements / shard.tensor;
}

/// Share of the routed experts that one device holds: whole experts of its group, the fullest group's number of them,
/// divided by width inside the group. Source: vLLM, fused_moe (FusedMoEParallelConfig, determine_expert_map).
template <class N>
N experts_here(const Weight<N>& weight, const N& elements, const Shard<N>& shard) {
    N ranks = shard.tensor;
    if (shard.data > 1) ranks = ranks * input<N>("data_parallel", shard.data, "request: parallel.data");
    if (shard.expert == 1) return elements / ranks;
    const N groups = input<N>("expert_parallel", shard.expert, "request: parallel.expert");
    const N held = named("experts_of_a_group", ceiling(weight.copies / groups));
    return elements / weight.copies * held * groups / ranks;
}

/// `elements` of a weight as one device has them.
template <class N>
N divided(const Weight<N>& weight, const N& elements, const Model& model, const Shard<N>& shard, const Block& block) {
    const Division division = division_of(weight, model);
    if (weight.part == Part::experts && value_of(weight.copies) > 1 && (!weight.vector || shard.expert > 1) &&
        value_of(shard.tensor) * shard.data > 1)
        return experts_here(weight, elements, shard);
    if (value_of(shard.tensor) == 1 && division != Division::vocabulary) return elements;
    const double kv_heads = kv_heads_of(block);
    const N kv_degree = minimum(shard.tensor, N(kv_heads > 0 ? kv_heads : value_of(shard.tensor)));
    switch (division) {
        case Division::whole: return elements;
        case Division::even: return elements / shard.tensor;
        case Division::kv_heads: return elements / kv_degree;
        case Division::query_key_value: {
            const Attention* attention = attention_of(block);
            if (!attention) return elements / shard.tensor;  // an encoder's: all heads have keys of their own
            const double heads = attention->heads.value();
            const N all = N(heads + 2 * kv_heads);
            return elements * (N(heads) / all / shard.tensor + N(2 * kv_heads) / all / kv_degree);
        }
        case Division::vocabulary: break;
    }
    const N unit =
        input<N>("vocabulary_padded_to", 64, "vLLM, vocab_parallel_embedding.py: DEFAULT_VOCAB_PADDING_SIZE");
    const N vocabulary = as<N>(*model.vocab_size);
    return elements / vocabulary * (unit * ceiling(vocabulary / unit)) / shard.tensor;
}

}  // namespace plimsoll
