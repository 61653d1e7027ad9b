// The passes of inference: a prefill, and a step of one token a sequence.
#include "estimate/time/inference_time.h"

#include "inputs/capabilities.h"

namespace plimsoll {
namespace {

template <class N>
struct Lengths {
    N prompt, context, sequences;
};

template <class N>
Lengths<N> lengths_of(const InferenceInputs& inputs) {
    const InferenceRequest& request = inputs.request;
    const N context = input<N>("context", request.context, inputs.context_source);
    const double said = inputs.timed_prompt > 0 ? inputs.timed_prompt : request.prompt;
    const N prompt = said > 0 ? input<N>("prompt", said, inputs.prompt_source) : context;
    N sequences = input<N>("sequences", request.sequences, inputs.sequences_source);
    if (request.data > 1) sequences = sequences / input<N>("data_parallel", request.data, "request: parallel.data");
    return {prompt, context, sequences};
}

template <class N>
Pass<N> pass_of(const InferenceInputs& inputs, const N& sequences, const N& tokens_each, const N& keys) {
    PassOptions options;
    options.numerics = {inputs.compute, inputs.compute, false, inputs.fp16};
    options.attention = inputs.request.flash_attention ? AttentionKernel::flash : AttentionKernel::eager;
    return {sequences, tokens_each, keys, named("tokens_computed", sequences * tokens_each), options};
}

// Bytes of an element of the cache: the mean of keys and values.
template <class N>
Bytes<N> cached_element(const InferenceInputs& inputs) {
    const auto of = [](const Encoding& encoding) {
        const double scales = encoding.group ? (encoding.group->scale_bits + encoding.group->zero_bits) /
                                                   (encoding.group->elements * encoding.group->columns)
                                             : 0;
        return (encoding.bits + scales) / 8;
    };
    const double mean = (of(*inputs.keys) + of(*inputs.values)) / 2;
    return {input<N>("bytes_per_cached_element", mean, inputs.keys->source)};
}

template <class N>
PassTime<N> whole_pass(const Model& model, const Pass<N>& pass, const N& headed, const PassRules<N>& rules) {
    PassTime<N> time;
    const N hidden = as<N>(*model.hidden_size);
    size_t first = 0;
    const auto add = [&](const Block& block, const N& layers, const Pass<N>& over) {
        add_block(time, block, over, hidden, layers, rules, first, size_t{0});
        first = weight_indices(block, first).back();
    };
    PassRules<N> no_launch = rules;
    no_launch.rates.launch = {N(0)};
    add_block(time, model.embedding, pass, hidden, N(1), no_launch, first, size_t{0});
    first = weight_indices(model.embedding, first).back();
    for (const LayerKind& kind : model.kinds) add(kind.block, as<N>(kind.count), pass);
    Pass<N> head = pass;
    head.batch = head.tokens = headed, head.sequence = N(1);
    add(model.head, N(1), head);
    return time;
}

// Stages of a pipeline, or devices that have a part of the layers each, which can compute parts of a prompt at once.
template <class N>
N stages_at_once(const InferenceInputs& inputs) {
    const InferenceRequest& request = inputs.request;
    const bool by_layers = inputs.runtime->allocation != Allocation::paged;
    const double stages = by_layers ? request.devices / request.tensor : request.pipeline;
    return stages > 1 ? input<N>("stages", stages, "request: devices") : N(1);
}

// Sequences that go through a server's pipeline together: while a stage computes one group, the others compute others.
template <class N>
N group_of(const InferenceInputs& inputs, const N& sequences) {
    if (inputs.runtime->allocation != Allocation::paged || inputs.request.pipeline == 1) return sequences;
    return maximum(N(1), sequences / input<N>("pipeline", inputs.request.pipeline, "request: parallel.pipeline"));
}

template <class N>
std::vector<TimedPass<N>> passes_of(const Model& model, const InferenceInputs& inputs, const Rates<N>& rates,
                                    const WeightBytes& stored, bool at_peaks) {
    const Lengths<N> lengths = lengths_of<N>(inputs);
    const InferenceRequest& request = inputs.request;
    PassRules<N> rules{rates, &stored, cached_element<N>(inputs), {}, N(1), request.tensor, request.experts_over, false,
                       {},    false};
    const N tensor =
        request.tensor > 1 ? input<N>("tensor_parallel", request.tensor, "request: parallel.tensor") : N(1);
    rules.devices = tensor * stages_at_once<N>(inputs);
    const Pass<N> prompts = pass_of<N>(inputs, lengths.sequences, lengths.prompt, lengths.prompt);
    const double tokens = value_of(prompts.tokens), at_once = inputs.request.batch_tokens;
    if (at_once > 0 && tokens > at_once) {
        rules.pieces.weights = ceiling(tokens / at_once);
        rules.pieces.cache = (rules.pieces.weights + 1) / 2;
    }
    const N headed = inputs.request.logits_all ? prompts.tokens : lengths.sequences;
    std::vector<TimedPass<N>> passes;
    if (value_of(rates.wide) > 0) {  // else its arithmetic, which decides, is not known
        passes.push_back({"prefill", whole_pass<N>(model, prompts, headed, rules), tokens});
        passes.back().time.launches = N(rules.pieces.weights) * passes.back().time.launches;
    }
    rules.pieces = {};
    rules.devices = tensor;
    const N middle = named("tokens_before", (lengths.prompt + lengths.context) / N(2));
    rules.fewest_experts = at_peaks;
    const N group = group_of(inputs, lengths.sequences);
    const Pass<N> step = pass_of<N>(inputs, group, N(1), middle);
    passes.push_back({"token", whole_pass<N>(model, step, group, rules), value_of(lengths.sequences)});
    return passes;
}

// Layers, experts or a cache that the host holds are read over a link, or computed there.
bool is_off_loaded(const InferenceInputs& inputs) {
    const Placement& placement = inputs.placement;
    if (inputs.request.weights_on_host > 0 || inputs.request.cache_on_host > 0) return true;
    return !placement.layers.empty() && (placement.holds_layers(on_host) || placement.head == on_host ||
                                         placement.experts_on_host > 0 || placement.cache_on_host);
}

}  // namespace

Untimed untimed_inference(const Model& model, const InferenceInputs& inputs, const Speed* speed) {
    const InferenceRequest& request = inputs.request;
    if (!inputs.device || inputs.device->bandwidth <= 0) return Untimed::no_bandwidth;
    if (!model.hidden_size || model.kinds.empty()) return Untimed::no_shapes;
    if (is_off_loaded(inputs)) return Untimed::off_loaded;
    if (request.context_parallel > 1 || inputs.devices) return Untimed::sharing_unknown;
    const Reached* reached = reached_on(speed, *inputs.device);
    if (!reached) return Untimed::not_fitted;
    if (request.devices == 1) return Untimed::no;
    const bool by_tensor = request.devices == request.tensor;
    return by_tensor && reached->spread.is_known() ? Untimed::no : Untimed::several_devices;
}

template <class N>
TimeAnswer<N> inference_time(const Model& model, const InferenceInputs& inputs, const Speed* speed) {
    TimeAnswer<N> answer;
    answer.untimed = untimed_inference(model, inputs, speed);
    if (!has_roof(answer.untimed)) return answer;
    const Device& device = *inputs.device;
    const WeightBytes stored = weight_bytes(model, inputs.mix, inputs.weights);
    const bool in_fp32 = inputs.compute == Dtype::float32;
    const PeakRate* packed =
        inputs.weights ? packed_rate(device, *inputs.runtime, *inputs.weights) : wide_rate(device, in_fp32);
    const auto passes = [&](const Reached* reached) {
        return passes_of<N>(model, inputs, device_rates<N>(device, packed, in_fp32, speed, reached), stored, !reached);
    };
    if (answer.untimed == Untimed::no) answer.reached = reached_on(speed, device);
    answer.roof = passes(nullptr);
    if (answer.reached) answer.passes = passes(answer.reached);
    return answer;
}

template TimeAnswer<double> inference_time(const Model&, const InferenceInputs&, const Speed*);
template TimeAnswer<Traced> inference_time(const Model&, const InferenceInputs&, const Speed*);

}  // namespace plimsoll
