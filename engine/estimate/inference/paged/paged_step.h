/// What a server measures before it starts: a full batch through the layers, and the sampler over the logits of all
/// sequences that may run at once. The fuller of the two is taken off the memory that is left for the cache.
///
///     references   layers run as Python calls: a tensor lives as long as a name refers to it. While the feed-forward
///                  activation runs, that is the layer's input, the residual stream and the normed input (3 × hidden),
///                  gate and up, and the activation; where the caller keeps the name of gate and up, the output of the
///                  down-projection joins them
///     compiled     a tensor lives until its last reader: the residual stream (1 × hidden), gate and up, the activation
///     experts      of each token `active` copies: gate and up, their activation, and outputs to be summed up
///     kept         from 0.14 on kernels share one workspace, which stays: of experts, for each of a token's copies the
///                  larger of the activation and the width, and of gate and up and the width; of an indexer, 40 keys
///                  in fp8 with a scale for each token of the longest sequence
///     sampler      the logits, a copy in fp32; sorted (top-p): values, their indices, and what CUB's sort of segments
///                  takes: indices to sort along, and a second buffer of keys and indices
///
/// Source: vLLM: model_runner.py (profile_run), model_executor/models/llama.py, qwen2.py, deepseek_v2.py,
/// layers/sampler.py, fused_moe.py (TritonExperts.workspace_shapes); v1/worker/workspace.py;
/// v1/attention/backends/mla/indexer.py (get_max_prefill_buffer_size); v1/worker/gpu/sample/sampler.py; PyTorch,
/// ATen/native/cuda/Sort.cpp.
#pragma once

#include "estimate/inference/paged/paged_cache.h"

namespace plimsoll {

/// Widths of one layer's widest tensors on one device, in elements of a token.
template <class N>
struct StepWidths {
    N projections{0}, mixed{0};                  ///< queries, keys and values; what attention or a recurrence gives
    N gate_and_up{0}, inner{0};                  ///< of a dense feed-forward network or the shared experts
    N active{0}, expert_up{0}, expert_inner{0};  ///< routed experts: how many a token visits, and widths of one
    N router{0};                                 ///< experts to choose from
};

template <class N>
StepWidths<N> step_widths(const Block& block, const N& devices) {
    StepWidths<N> widths;
    for (const Op& op : block.ops) {
        if (const Linear* linear = op.as<Linear>()) {
            const bool out = linear->name == "o_proj" || linear->name == "out_proj" || linear->name == "down_proj";
            const bool mixer = linear->part == Part::attention || linear->part == Part::mixer;
            const N width = as<N>(out ? linear->in : linear->out) / devices;
            if (mixer)
                (out ? widths.mixed : widths.projections) += width;
            else if (linear->part == Part::feed_forward || linear->part == Part::shared_experts)
                (out ? widths.inner : widths.gate_and_up) += width;
        } else if (const Experts* experts = op.as<Experts>()) {
            widths.active = as<N>(experts->active);
            widths.router = as<N>(experts->experts);
            widths.expert_inner = as<N>(experts->intermediate) / devices;
            widths.expert_up = experts->gated ? N(2) * widths.expert_inner : widths.expert_inner;
        }
    }
    return widths;
}

/// Classes whose feed-forward network gives its tensors one name after the other, so that gate and up are free before
/// the down-projection. (vLLM, models/llama.py: LlamaMLP; models/phi3.py and mistral take it over)
inline bool reuses_names(const Model& model) {
    for (const char* family : {"LlamaFor", "MistralFor", "Phi3For"})
        if (model.architecture.rfind(family, 0) == 0) return true;
    return false;
}

/// Elements of a token that kernels of routed experts work in, where these stay.
template <class N>
N expert_workspace(const StepWidths<N>& widths, const N& hidden) {
    return widths.active * (maximum(widths.expert_inner, hidden) + maximum(widths.expert_up, hidden));
}

/// Bytes that a prefill gathers an indexer's keys into; 0: the block has none.
template <class N>
Bytes<N> indexer_workspace(const Block& block, const InferenceInputs& inputs) {
    for (const Op& op : block.ops) {
        const LatentAttention* latent = op.as<LatentAttention>();
        if (!latent || !latent->index_key_width) continue;
        const N keys = input<N>("keys_gathered_of_a_token", 40, "vLLM: get_max_prefill_buffer_size");
        const N context = input<N>("context", inputs.request.context, inputs.context_source);
        return keys * context *
               (as<N>(*latent->index_key_width) * bytes_of<N>(Dtype::byte) + bytes_of<N>(Dtype::float32));
    }
    return {N(0)};
}

/// What stays once the layers have run.
template <class N>
Bytes<N> kept_workspace(const Model& model, const InferenceInputs& inputs, const Shard<N>& shard, const N& tokens) {
    Bytes<N> most{N(0)};
    if (!inputs.step.workspaces_kept) return most;
    const N hidden = as<N>(*model.hidden_size);
    for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
        if (shard.layers[kind] == 0) continue;
        const Block& block = model.kinds[kind].block;
        const StepWidths<N> widths = step_widths<N>(block, shard.tensor);
        for (const Bytes<N>& each : {tokens * expert_workspace(widths, hidden) * bytes_of<N>(inputs.compute),
                                     indexer_workspace<N>(block, inputs)})
            if (value_of(each) > value_of(most)) most = each;
    }
    return most;
}

/// Elements of a token that are alive at the fullest moment of a layer.
template <class N>
N alive_in_layer(const Model& model, const Block& block, const N& hidden, const N& devices, const StepRules& rules) {
    const StepWidths<N> widths = step_widths<N>(block, devices);
    const bool compiled = rules.layers == StepRules::Layers::compiled;
    const N streams = input<N>("streams", compiled ? 1 : 3,
                               compiled ? "torch.compile frees a tensor after its last reader"
                                        : "the layer's input, its normed input, the residual stream");
    const bool divided = value_of(devices) > 1;  // all-reduce gives a tensor of its own
    N most = streams * hidden + widths.projections + widths.mixed + (divided ? hidden : N(0));
    N dense = streams * hidden + widths.gate_and_up + widths.inner + (divided ? hidden : N(0));
    if (!compiled && !reuses_names(model)) dense += hidden;
    most = maximum(most, dense);
    if (value_of(widths.active) == 0) return most;
    const N up = widths.active * widths.expert_up, outputs = widths.active * hidden;
    const N apart = (rules.experts_share ? maximum(up, outputs) : up + outputs) + widths.active * widths.expert_inner;
    const N of_experts = rules.workspaces_kept ? expert_workspace(widths, hidden) : apart;
    const N beside = value_of(widths.gate_and_up) > 0 ? hidden : N(0);  // what the shared experts gave
    return maximum(most, (compiled ? N(2) : streams) * hidden + beside + widths.router + of_experts);
}

/// Bytes of one logit at the sampler's fullest moment.
template <class N>
Bytes<N> bytes_of_a_logit(Dtype compute, StepRules::Sampler sampler) {
    const Bytes<N> wide = bytes_of<N>(Dtype::float32), index = bytes_of<N>(Dtype::int64);
    Bytes<N> both = bytes_of<N>(compute) + wide;
    if (sampler == StepRules::Sampler::copied) return both;
    const Bytes<N> sorted = wide + index, second = wide + index;
    return both + sorted + index + second;
}

/// Children of the step at its fullest moment.
template <class N>
struct StepBytes {
    Bytes<N> layers{N(0)}, logits{N(0)};  ///< of the larger of the two moments; logits 0: it is the layers'
};

template <class N>
StepBytes<N> step_bytes(const Model& model, const InferenceInputs& inputs, const Shard<N>& shard) {
    const StepRules& rules = inputs.step;
    const N tokens = input<N>("batch_tokens", inputs.request.batch_tokens, inputs.batch_source);
    const N hidden = as<N>(*model.hidden_size);
    N widest{0};
    for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
        if (shard.layers[kind] == 0) continue;
        const N alive = alive_in_layer<N>(model, model.kinds[kind].block, hidden, shard.tensor, rules);
        if (value_of(alive) > value_of(widest)) widest = alive;
    }
    Bytes<N> in_layer = tokens * named("alive_in_layer", widest) * bytes_of<N>(inputs.compute);
    const Bytes<N> stream =
        tokens * hidden * bytes_of<N>(inputs.compute) + kept_workspace<N>(model, inputs, shard, tokens);
    if (value_of(stream) > value_of(in_layer)) in_layer = stream;
    if (!model.vocab_size || !shard.last) return {in_layer, Bytes<N>{N(0)}};
    const N at_once = input<N>("sequences_at_once", inputs.request.sequences_at_once, inputs.at_once_source);
    const N sampled = logits_of_a_sequence<N>(inputs.request) * at_once;
    const Bytes<N> logits =
        minimum(sampled, tokens) * as<N>(*model.vocab_size) * bytes_of_a_logit<N>(inputs.compute, rules.sampler);
    if (value_of(stream) + value_of(logits) > value_of(in_layer)) return {stream, logits};
    return {in_layer, Bytes<N>{N(0)}};
}

}  // namespace plimsoll
