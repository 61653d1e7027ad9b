// A training step: forward, what is recomputed, backward.
#include "estimate/time/training_time.h"

#include "estimate/time/optimizer_time.h"
#include "estimate/training/forward/image_pass.h"
#include "estimate/training/timeline/layer_plan.h"

namespace plimsoll {
namespace {

constexpr double flash_backward = 2.5, other_backward = 2;

// Of a step, what an optimizer of which nothing but the roof is known may take at its roof: the slowest that was measured
// takes 31 times as long (Adafactor on an H200: tests/measured/h200.jsonl, w0005), a tenth of the step then.
constexpr double small_share = 1.0 / 300;

template <class N>
Pass<N> step_pass(const TrainingInputs& inputs) {
    const TrainingBatch& batch = inputs.request.batch;
    const N micro_batch = input<N>("micro_batch", batch.micro_batch, inputs.micro_batch_source);
    const N sequence = input<N>("sequence", batch.sequence, inputs.sequence_source);
    PassOptions options = inputs.request.kernels.pass;
    options.numerics = inputs.precision.numerics;
    options.adapter = nullptr;
    return {micro_batch, sequence, sequence, named("tokens", micro_batch * sequence), options};
}

// Whether a module that is recomputed by name holds an operation.
template <class N>
bool is_recomputed(const RecomputedModules& modules, const Cost<N>& cost) {
    const bool of_mixture =
        cost.part == Part::router || cost.part == Part::experts || cost.part == Part::shared_experts;
    return (cost.kind == CostKind::attention && modules.has(RecomputedModule::core_attention)) ||
           (cost.part == Part::norm && modules.has(RecomputedModule::layer_norm)) ||
           (cost.part == Part::feed_forward && modules.has(RecomputedModule::feed_forward)) ||
           (of_mixture && modules.has(RecomputedModule::experts));
}

// Of the layers of one kind, how many: all, those that are recomputed whole, and those of which some modules are.
struct Planned {
    double layers = 0, recomputed = 0, by_modules = 0, trained = 0;

    double share(double some) const { return some / (layers > 0 ? layers : 1); }
};

std::vector<Planned> planned_layers(const Model& model, const TrainingInputs& inputs) {
    std::vector<Planned> kinds(model.kinds.size());
    for (const PlannedLayer& layer : layer_plan(model, inputs.request)) {
        Planned& kind = kinds[layer.kind];
        ++kind.layers;
        kind.recomputed += layer.recomputed == Recomputed::layer ? 1 : 0;
        kind.by_modules += layer.recomputed == Recomputed::modules ? 1 : 0;
        kind.trained += layer.trained ? 1 : 0;
    }
    return kinds;
}

// Of an operation that runs backward: as often as one forward pass of it.
template <class N>
double backward_times(const TrainingInputs& inputs, const Cost<N>& cost, double trained) {
    if (cost.kind == CostKind::attention)
        return inputs.request.kernels.pass.attention == AttentionKernel::eager ? other_backward : flash_backward;
    if (cost.kind != CostKind::product) return other_backward;
    return inputs.request.method.adapter ? 1 : 1 + trained;  // beside an adapter the matrix has no gradient
}

// How often it runs forward once more before it runs backward.
template <class N>
double again(const TrainingInputs& inputs, const Cost<N>& cost, const Planned& plan) {
    const bool by_name = is_recomputed(inputs.request.kernels.pass.recomputed, cost);
    return plan.share(plan.recomputed + (by_name ? plan.by_modules : 0));
}

// Of a layer's linear modules: in fp8 where the precision says so and the device multiplies in it; weights that are stored
// packed are widened before they are multiplied.
const PeakRate* narrow_rate(const TrainingInputs& inputs, bool in_fp32) {
    const PeakRate* fp8 = inputs.precision.fp8 ? rate_of(*inputs.device, "fp8") : nullptr;
    return fp8 ? fp8 : wide_rate(*inputs.device, in_fp32);
}

template <class N>
PassTime<N> step_time(const Model& model, const TrainingInputs& inputs, const Rates<N>& rates,
                      const WeightBytes& stored) {
    const TrainingLayout& layout = inputs.layout;
    const Pass<N> pass = step_pass<N>(inputs);
    const N hidden = as<N>(*model.hidden_size);
    PassRules<N> rules{rates, &stored, bytes_of<N>(inputs.precision.numerics.compute), {}, N(1), 1, 1, false,
                       {},    false};
    const double shared = layout.tensor * layout.pipeline * layout.context;
    if (shared > 1) rules.devices = input<N>("devices_that_share_a_batch", shared, "request: parallel");
    const std::vector<Planned> planned = planned_layers(model, inputs);
    PassTime<N> time;
    size_t first = 0;
    const auto add = [&](const Block& block, const N& layers, const Planned& plan, const Pass<N>& own, const N& width) {
        rules.times = [&inputs, &plan](const Cost<N>& cost) {
            return 1 + backward_times(inputs, cost, plan.share(plan.trained)) + again(inputs, cost, plan);
        };
        add_block(time, block, own, width, layers, rules, first, size_t{0});
        first = weight_indices(block, first).back();
    };
    const Planned once{1, 0, 0, 1};
    add(model.embedding, N(1), once, pass, hidden);
    rules.narrow = inputs.precision.fp8;
    for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
        const LayerKind& layers = model.kinds[kind];
        add(layers.block, as<N>(layers.count), planned[kind], pass_of(layers, inputs.request.batch.images, pass),
            as<N>(width_of(layers, *model.hidden_size)));
    }
    rules.narrow = false;
    add(model.head, N(1), once, pass, hidden);
    return time;
}

template <class N>
void repeat(PassTime<N>& time, const N& times) {
    for (OperationTime<N>& each : time.operations) {
        each.seconds = times * each.seconds;
        each.times *= value_of(times);
    }
    time.launches = times * time.launches;
}

}  // namespace

double tokens_of_step(const TrainingInputs& inputs) {
    const TrainingBatch& batch = inputs.request.batch;
    return batch.micro_batch * batch.sequence * batch.accumulation * inputs.layout.data;
}

double bubble(const TrainingInputs& inputs) {
    const double stages = inputs.layout.pipeline;
    return (stages - 1) / (inputs.request.batch.accumulation * inputs.layout.virtual_stages);
}

double recomputed_share(const Model& model, const TrainingInputs& inputs) {
    if (!model.hidden_size || inputs.request.recompute.checkpointing == Checkpointing::none) return 0;
    const Pass<double> pass = step_pass<double>(inputs);
    const std::vector<Planned> planned = planned_layers(model, inputs);
    double once = 0, twice = 0;
    const double hidden = model.hidden_size->value();
    const auto add = [&](const Block& block, double layers, const Planned& plan, const Pass<double>& own,
                         double width) {
        for (const BlockCost<double>& each : cost_of<double>(block, own, width)) {
            const double forward = layers * each.cost.operations;
            once += forward * (1 + backward_times(inputs, each.cost, plan.share(plan.trained)));
            twice += forward * again(inputs, each.cost, plan);
        }
    };
    for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
        const LayerKind& layers = model.kinds[kind];
        add(layers.block, layers.count.value(), planned[kind], pass_of(layers, inputs.request.batch.images, pass),
            width_of(layers, *model.hidden_size).value());
    }
    add(model.head, 1, {1, 0, 0, 1}, pass, hidden);
    return once > 0 ? twice / once : 0;
}

double model_operations_of_token(const Model& model, const TrainingInputs& inputs) {
    const Pass<double> pass = step_pass<double>(inputs);
    double products = 0, attention = 0;
    const double hidden = model.hidden_size->value();
    const auto add = [&](const Block& block, double layers, const Pass<double>& own, double width) {
        for (const BlockCost<double>& each : cost_of<double>(block, own, width)) {
            if (each.cost.kind == CostKind::product) products += layers * each.cost.operations;
            // every token with every other, whatever the mask leaves out
            if (each.cost.kind == CostKind::attention) attention += layers * each.cost.operations * 2;
        }
    };
    for (const LayerKind& kind : model.kinds)
        add(kind.block, kind.count.value(), pass_of(kind, inputs.request.batch.images, pass),
            width_of(kind, *model.hidden_size).value());
    add(model.head, 1, pass, hidden);
    return 3 * (products + attention) / pass.tokens;
}

Untimed untimed_training(const TrainingInputs& inputs, const Speed* speed) {
    if (!inputs.device || inputs.device->bandwidth <= 0) return Untimed::no_bandwidth;
    if (!wide_rate(*inputs.device, inputs.precision.numerics.compute == Dtype::float32)) return Untimed::no_rate;
    if (inputs.request.recompute.on_host || inputs.layout.optimizer != Residence::device ||
        inputs.layout.parameters != Residence::device)
        return Untimed::off_loaded;
    if (inputs.generation) return Untimed::not_fitted;
    return reached_on(speed, *inputs.device) ? Untimed::no : Untimed::not_fitted;
}

template <class N>
TimeAnswer<N> training_time(const Model& model, const TrainingInputs& inputs, const Speed* speed) {
    TimeAnswer<N> answer;
    answer.untimed = untimed_training(inputs, speed);
    if (!has_roof(answer.untimed)) return answer;
    const Device& device = *inputs.device;
    WeightBytes stored = weight_bytes(model, inputs.mix, inputs.weights);
    if (!inputs.weights) stored.mean = bytes_of<double>(inputs.precision.numerics.compute).n;
    const N micro_batches =
        input<N>("accumulation", inputs.request.batch.accumulation, "request: training.accumulation");
    const bool in_fp32 = inputs.precision.numerics.compute == Dtype::float32;
    const PeakRate* narrow = narrow_rate(inputs, in_fp32);
    const auto passes = [&](const Reached* reached) {
        const Rates<N> rates = device_rates<N>(device, narrow, in_fp32, speed, reached);
        std::vector<TimedPass<N>> list;
        list.push_back({"step", step_time<N>(model, inputs, rates, stored), tokens_of_step(inputs)});
        repeat(list.back().time, micro_batches * input<N>("with_bubble", 1 + bubble(inputs), "arXiv:2104.04473, 2.2"));
        list.back().time.optimizer = optimizer_time<N>(model, inputs, reached != nullptr);
        return list;
    };
    answer.reached = reached_on(speed, device);
    answer.roof = passes(nullptr);
    if (answer.reached) answer.passes = passes(answer.reached);
    const auto counts = [&](const TimedPass<N>& pass) {
        return value_of(answer.roof[0].time.optimizer) > small_share * value_of(pass.time.computing());
    };
    if (values_between(inputs) < 0 && answer.reached && counts(answer.passes[0])) {
        answer.untimed = Untimed::optimizer_unknown;
        answer.passes.clear();
    }
    return answer;
}

template TimeAnswer<double> training_time(const Model&, const TrainingInputs&, const Speed*);
template TimeAnswer<Traced> training_time(const Model&, const TrainingInputs&, const Speed*);

}  // namespace plimsoll
