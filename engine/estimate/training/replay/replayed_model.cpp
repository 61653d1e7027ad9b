#include "estimate/training/replay/replayed_model.h"

namespace plimsoll {
namespace {

// fsdp2: a unit's parameters as they are read, and its gradients in one piece.
void gather(ReplayedWeights::Block& made, const Block& block, const TrainingInputs& inputs) {
    const double read = bytes_of<double>(inputs.precision.numerics.parameter).n,
                 gradient = bytes_of<double>(inputs.gradient_made()).n;
    for (const Weight<double>& weight : weights_of<double>(block))
        made.gathered.push_back(is_packed(weight, inputs) ? inputs.weights->bytes(weight.elements()).n
                                                          : weight.elements() * read);
    for (const ReplayedParameter& parameter : made.trained) {
        if (inputs.request.method.adapter) made.gathered.push_back(parameter.elements * gradient);
        made.reduced += parameter.elements * (inputs.layout.gradients_reduced_in_fp32 ? 4 : gradient);
    }
}

ReplayedWeights::Block weights_of_block(const Block& block, const TrainingInputs& inputs, bool trained) {
    ReplayedWeights::Block made;
    const double share = weights_here(inputs);
    for (const Weight<double>& weight : weights_of<double>(block)) {
        const double each = bytes_of<double>(inputs.precision.stored_type()).n;
        made.whole.push_back(weight.elements() * each);
        made.weights.push_back(ceiling(weight.elements() * share * each));
        if (inputs.weights && inputs.weights->family == "bitsandbytes" && is_packed(weight, inputs))
            made.before_packing.push_back(weight.elements() * bytes_of<double>(Dtype::sixteen_bit).n);
    }
    if (trained) made.trained = replayed_parameters(trained_tensors(block, inputs.request), inputs);
    if (copies_units(inputs.layout)) gather(made, block, inputs);
    return made;
}

// Of a model that is frozen in part: what the trained layers do not make up of the share that is trained.
double others_trained(const Model& model, const TrainingInputs& inputs, const std::vector<ReplayedWeights::Block>& of) {
    double rest = trainable_parameters<double>(model, inputs.request);
    for (size_t position = first_trained(model, inputs.request); position < model.order.size(); ++position)
        for (const ReplayedParameter& parameter : of[1 + model.order[position]].trained) rest -= parameter.elements;
    return rest;
}

class Passes {
public:
    Passes(const Model& model, const TrainingInputs& inputs, const Pass<double>& pass, double hidden)
        : model_(model), inputs_(inputs), pass_(pass), hidden_(hidden) {
        const DeviceContext* context =
            device_context_of(*inputs.runtime, inputs.device, inputs.request.process.framework);
        if (context) options_.biased_product = context->biased_product;
        options_.dequantized_kept = inputs.request.kernels.dequantized_kept;
        options_.products = inputs.request.recompute.checkpointing == Checkpointing::selective_op;
    }
    ReplayedPasses::Block embedding() const {
        EventOptions options = options_;
        options.given = false;
        return {of(model_.embedding, trained(trains_embedding(model_, inputs_.request), model_.embedding), options),
                without_gradients(model_.embedding, options)};
    }
    ReplayedPasses::Block layer(const LayerKind& kind) const {
        EventOptions options = options_;
        options.dequantized = dequantized_by(kind.block);
        const Passes own(model_, inputs_, pass_of(kind, inputs_.request.batch.images, pass_),
                         width_of(kind, *model_.hidden_size).value());
        const BlockEvents events = own.of(kind.block, trained(true, kind.block), options);
        options.dequantized_kept = false;
        const BlockEvents alone = own.without_gradients(kind.block, options);
        if (kind.stream == Stream::hidden_states) return {events, alone, cached(kind.block)};
        return {events, alone, 0, own.pass_.tokens * own.hidden_ * bytes_of<double>(residual_type(own.pass_)).n};
    }
    // The head as a pass runs through it: a fused loss takes its product along, and a tied one's gradient is the
    // embedding's.
    ReplayedPasses::Block head() const {
        const bool matrix = trains_head(model_, inputs_.request),
                   own = inputs_.request.method.adapter || inputs_.request.method.parts;
        Block block = head_of(model_, inputs_.request);
        std::vector<TrainedTensor> list = trained(matrix || own, block);
        if (model_.vocab_size && model_.tied && matrix) list.push_back({vocabulary_product(block), {}});
        if (model_.vocab_size && inputs_.request.loss.kernel == LossKernel::fused) block = before_head(model_);
        while (!list.empty() && list.back().operation >= block.ops.size()) list.pop_back();
        EventOptions options = options_;
        options.gives_up = true;
        options.dequantized = dequantized_by(block);
        return {of(block, list, options), {}};
    }

private:
    /// What each operation's packed matrix is dequantized to, in bytes.
    std::vector<double> dequantized_by(const Block& block) const {
        std::vector<double> bytes;
        if (!inputs_.weights) return bytes;
        for (const Op& op : block.ops) bytes.push_back(dequantized<double>(Block{{op}}, inputs_).n);
        return bytes;
    }
    double cached(const Block& block) const {
        if (!inputs_.request.kernels.use_cache) return 0;
        return cached_by(block, run<double>(block, pass_, hidden_), false).n;
    }
    std::vector<TrainedTensor> trained(bool is_trained, const Block& block) const {
        return is_trained ? trained_tensors(block, inputs_.request) : std::vector<TrainedTensor>();
    }
    BlockEvents of(const Block& block, const std::vector<TrainedTensor>& list, const EventOptions& options) const {
        return events_of(block, pass_, hidden_, list, options);
    }
    BlockEvents without_gradients(const Block& block, const EventOptions& options) const {
        const TrainingRequest& request = inputs_.request;
        if (!recomputes_layers(request.recompute.checkpointing) && trains_all(model_, request)) return {};
        Pass<double> pass = pass_;
        pass.training = false;
        EventOptions keeping = options;
        keeping.products_stay = options.products;
        return events_of(block, pass, hidden_, {}, keeping);
    }

    const Model& model_;
    const TrainingInputs& inputs_;
    Pass<double> pass_;
    double hidden_;
    EventOptions options_;
};

}  // namespace

ReplayedWeights::ReplayedWeights(const Model& model, const TrainingInputs& inputs) {
    const bool all = trains_all(model, inputs.request), adapters = inputs.request.method.adapter.has_value(),
               parts = inputs.request.method.parts.has_value();
    blocks.push_back(weights_of_block(model.embedding, inputs, all || parts));
    for (const LayerKind& kind : model.kinds) blocks.push_back(weights_of_block(kind.block, inputs, true));
    blocks.push_back(weights_of_block(model.head, inputs, all || adapters || parts));
    for (const Tower& tower : model.towers)
        for (const LayerKind& kind : tower.kinds) {
            if (tower.name == "mtp") continue;
            blocks.push_back(weights_of_block(kind.block, inputs, all));
            blocks.back().count = kind.count.value();
        }
    if (adapters)
        for (const LayeredWeight<double>& saved : saved_module_weights<double>(model, *inputs.request.method.adapter)) {
            blocks.emplace_back();
            blocks.back().trained = {replayed_module(saved.weight, inputs)};
            blocks.back().at_head = saved.weight.part == Part::head;
        }
    if (adapters || all || parts) return;
    const double others = others_trained(model, inputs, blocks);
    if (others <= 0) return;
    blocks.emplace_back();
    blocks.back().trained = replayed_parameters({{0, {"others", Part::feed_forward, others, 1, 1}}}, inputs);
}

ReplayedPasses::ReplayedPasses(const Model& model, const TrainingInputs& inputs, double length) {
    Pass<double> pass = training_pass<double>(inputs);
    if (length != inputs.request.batch.sequence)
        pass.sequence = pass.keys = ceiling(length * pass.sequence / inputs.request.batch.sequence);
    pass.tokens = pass.batch * pass.sequence;
    const Passes passes(model, inputs, pass, as<double>(*model.hidden_size));
    blocks.push_back(inputs.place.first ? passes.embedding() : Block{});
    for (const LayerKind& kind : model.kinds) blocks.push_back(passes.layer(kind));
    blocks.push_back(inputs.place.last ? passes.head() : Block{});
    if (inputs.place.last) make_loss(model, inputs, pass);
    batch = batch_tensors(model, inputs.request.batch.images, pass);
    add_previous(model, inputs, pass);
    if (const size_t towers = tower_layers(model))
        image_tokens = pass_of(model.kinds[model.order[towers - 1]], inputs.request.batch.images, pass).tokens *
                       as<double>(*model.hidden_size) * bytes_of<double>(residual_type(pass)).n;
    stream = pass.stream_tokens() * as<double>(*model.hidden_size) * bytes_of<double>(residual_type(pass)).n;
}

void ReplayedPasses::make_loss(const Model& model, const TrainingInputs& inputs, const Pass<double>& pass) {
    const bool trains_matrix = trains_head(model, inputs.request);
    loss = loss_moments(model, inputs, pass, trains_matrix);
    if (!takes_fused_loss(model, inputs.request)) return;
    turns = events_of_turns(
        chunk_of_fused_loss(inputs, pass, as<double>(*model.vocab_size), as<double>(*model.hidden_size), trains_matrix),
        inputs.request.loss.version);
}

void ReplayedPasses::add_previous(const Model& model, const TrainingInputs& inputs, const Pass<double>& pass) {
    const double share = inputs.request.batch.previous_tokens / inputs.request.batch.sequence;
    previous_outputs = share * loss.returned.n;
    if (share == 0) return;
    for (size_t kind = 0; kind < model.kinds.size(); ++kind)
        previous_caches.insert(previous_caches.end(), static_cast<size_t>(model.kinds[kind].count.value()),
                               share * blocks[1 + kind].cached);
    if (inputs.request.recompute.checkpointing != Checkpointing::none) return;
    const TrainingImages& images = inputs.request.batch.images;
    for (const LayerKind& kind : model.kinds) {
        const Tape<double> tape =
            run<double>(kind.block, pass_of(kind, images, pass), width_of(kind, *model.hidden_size).value());
        previous_graph += share * kind.count.value() * frozen_inputs(kind.block, tape).n;
    }
}

}  // namespace plimsoll
