// Bytes over links, from the shapes of a model and its layout.
#include "plan/traffic.h"

#include "estimate/training/parameters/trained.h"
#include "model/core/profile.h"

namespace plimsoll {
namespace {

double size_of(Dtype dtype) { return bytes_of<double>(dtype).n; }

// Of the layers, what goes over links: how many there are, to how many experts all of them send a token; what generation
// keeps of one.
struct Layers {
    double all = 0, routed = 0, kept = 0;
};

Layers layers_of_model(const Model& model) {
    Layers layers;
    for (const LayerKind& kind : model.kinds) {
        const double count = kind.count.value();
        layers.all += count;
        for (const Kept<double>& kept : kept_by<double>(kind.block)) layers.kept += count * kept.elements_per_token;
        for (const Op& op : kind.block.ops)
            if (const Experts* experts = op.as<Experts>()) layers.routed += count * experts->active.value();
    }
    return layers;
}

// How a layout's groups lie over the nodes.
struct LinkedGroups {
    LinkedGroup tensor, context, data, expert, pipeline;

    LinkedGroups(const TrainingLayout& layout, double per_node)
        : tensor(layout.tensor, 1, per_node),
          context(layout.context, layout.tensor, per_node),
          data(layout.shards(), layout.tensor, per_node),
          expert(layout.expert, layout.expert_tensor, per_node),
          pipeline(layout.pipeline, layout.devices() / layout.pipeline, per_node) {}
};

// How often a layer of the model runs forward in a micro-batch.
double forward_times(const TrainingInputs& inputs) {
    return recomputes_layers(inputs.request.recompute.checkpointing) ? 2 : 1;
}

// What one micro-batch sends, of all layers of a stage.
SentInStep of_a_micro_batch(const Model& model, const TrainingInputs& inputs, const LinkedGroups& groups) {
    const TrainingLayout& layout = inputs.layout;
    const TrainingBatch& batch = inputs.request.batch;
    const Layers layers = layers_of_model(model);
    const double each = size_of(inputs.precision.numerics.compute), hidden = model.hidden_size->value();
    const double tokens = batch.micro_batch * batch.sequence / layout.context, stream = tokens * hidden * each;
    const double forward = forward_times(inputs), passes = forward + 1, stages = layout.pipeline;
    Sent sent, awaited;
    if (layout.tensor > 1) awaited += layers.all / stages * 2 * passes * groups.tensor.all_reduce(stream);
    if (layout.pipeline > 1) {
        const double shares = layout.sequence_parallel ? layout.tensor : 1;
        sent += 2 * layout.virtual_stages * groups.pipeline.hand_on(stream / shares);
    }
    if (layout.exchanges_heads())
        awaited += layers.all / stages * 4 * passes * groups.context.exchange(stream / layout.tensor);
    else if (layout.context > 1)
        sent += (forward + 2) * (layout.context - 1) * groups.context.hand_on(tokens * layers.kept / stages * each);
    if (layout.expert > 1) {
        const double shares = layout.tensor / layout.expert_tensor;
        sent += layers.routed / stages * 2 * passes * groups.expert.exchange(stream / shares);
    }
    return {sent += awaited, awaited};
}

// What copies of the model send each other, of the parameters of a device.
Sent of_copies(const Model& model, const TrainingInputs& inputs, const LinkedGroups& groups) {
    const TrainingLayout& layout = inputs.layout;
    if (layout.data * layout.context == 1) return {};
    const double stages = layout.pipeline, micro_batches = inputs.request.batch.accumulation;
    const double gradients =
        trainable_parameters<double>(model, inputs.request) / stages * size_of(inputs.gradient_made());
    if (!layout.divides_weights()) {
        const double reductions = inputs.gradients_divided() ? micro_batches : 1;
        if (!layout.divides_states()) return groups.data.all_reduce(gradients);
        Sent sent = reductions * groups.data.gather(gradients);
        return sent += groups.data.gather(gradients);
    }
    const double weights = parameters<double>(model) / stages * size_of(inputs.precision.numerics.parameter);
    const double gathers = layout.reshard_after_forward ? 2 : 1;
    Sent sent = micro_batches * gathers * groups.data.gather(weights);
    return sent += (layout.reduces_each_micro_batch ? micro_batches : 1) * groups.data.gather(gradients);
}

}  // namespace

SentInStep sent_in_a_step(const Model& model, const TrainingInputs& inputs, double per_node) {
    const Model& whole = inputs.built ? *inputs.built : model;
    const Model& part = inputs.shared ? *inputs.shared : whole;
    if (inputs.layout.devices() == 1 || !part.hidden_size) return {};
    const LinkedGroups groups(inputs.layout, per_node);
    const SentInStep each = of_a_micro_batch(part, inputs, groups);
    const double times = inputs.request.batch.accumulation;
    Sent all = times * each.all;
    return {all += of_copies(part, inputs, groups), times * each.awaited};
}

Sent sent_in_a_pass(const Model& model, const InferenceInputs& inputs, double per_node, double tokens) {
    const InferenceRequest& request = inputs.request;
    if (request.devices == 1 || !model.hidden_size) return {};
    const Layers layers = layers_of_model(model);
    const double stream = tokens * model.hidden_size->value() * size_of(inputs.compute);
    Sent sent;
    if (request.tensor > 1)
        sent += layers.all / request.pipeline * 2 * LinkedGroup(request.tensor, 1, per_node).all_reduce(stream);
    if (request.pipeline > 1) sent += LinkedGroup(request.pipeline, request.tensor, per_node).hand_on(stream);
    if (request.experts_over > 1)
        sent += layers.routed / request.pipeline * 2 *
                LinkedGroup(request.data * request.tensor, 1, per_node).exchange(stream / request.tensor);
    return sent;
}

Sent sent_for_a_token(const Model& model, const InferenceInputs& inputs, double per_node) {
    return sent_in_a_pass(model, inputs, per_node, inputs.request.sequences / inputs.request.data);
}

}  // namespace plimsoll
