#include "policies/divided_model.h"

#include "policies/tensor_parallel.h"

namespace plimsoll {
namespace {

Traced tensor_degree(const TrainingLayout& layout) {
    return input<Traced>("tensor_parallel", layout.tensor, "request: parallel.tensor");
}

// Rows of the vocabulary on one device, of as many as there are after padding.
Traced vocabulary_here(const Traced& vocabulary, const TrainingLayout& layout) {
    const Traced degree = tensor_degree(layout);
    if (layout.sharding != Sharding::megatron) return named("vocabulary_here", ceiling(vocabulary / degree));
    const Traced unit =
        input<Traced>("vocabulary_padded_to", 128, "Megatron-LM: make-vocab-size-divisible-by, times tensor_parallel");
    return named("vocabulary_here", unit * ceiling(vocabulary / (unit * degree)));
}

// Operations of one block, each with its share.
class Divider {
public:
    Divider(const Model& model, const TrainingLayout& layout, const Block& block)
        : model_(model), layout_(layout), degree_(tensor_degree(layout)) {
        const Attention* attention = attention_of(block);
        if (!attention) return;
        kv_width_ = attention->kv_heads.value() * attention->head_dim.value();
        kv_here_ = attention->kv_heads.value() < layout.tensor ? attention->head_dim
                                                               : attention->kv_heads * attention->head_dim / degree_;
    }

    void operator()(Linear& linear) const {
        std::vector<Weight<double>> weights;
        Linear own = linear;
        own.owns_weight = true;
        own.weights(weights);
        const Division division = division_of(weights.front(), model_);
        if (division == Division::vocabulary) {
            linear.out = vocabulary_here(linear.out, layout_);
            linear.divided = Linear::Divided::outputs;
        } else if (division != Division::whole && linear.out.value() > 1) {
            const bool inputs = divides_inputs(linear.name);
            linear.divided = inputs ? Linear::Divided::inputs : Linear::Divided::outputs;
            divide(inputs ? linear.in : linear.out, division);
        }
    }
    void operator()(Norm& norm) const {
        if (norm.heads) norm.heads = share(*norm.heads, "heads_here");
    }
    void operator()(Attention& attention) const {
        attention.heads = share(attention.heads, "heads_here");
        attention.kv_heads =
            attention.kv_heads.value() < layout_.tensor ? Traced(1) : share(attention.kv_heads, "kv_heads_here");
    }
    void operator()(LatentAttention& latent) const { latent.heads.heads = share(latent.heads.heads, "heads_here"); }
    void operator()(Split& split) const {
        for (Split::Piece& piece : split.pieces)
            piece.width = piece.width.value() == kv_width_ ? kv_here_ : share(piece.width, "width_here");
    }
    void operator()(Lookup& lookup) const {
        if (!lookup.by_position) lookup.rows = vocabulary_here(lookup.rows, layout_);
    }
    void operator()(Experts& experts) const {
        if (layout_.expert == 1) experts.intermediate = share(experts.intermediate, "expert_width_here");
    }
    template <class Other>
    void operator()(Other&) const {}  // as large as what it is given

private:
    Traced share(const Traced& of, const char* name) const { return named(name, of / degree_); }
    void divide(Traced& side, Division division) const {
        if (division == Division::kv_heads && kv_width_ > 0)
            side = named("kv_width_here", kv_here_);
        else if (division == Division::query_key_value)
            side = named("width_here", (side - Traced(2 * kv_width_)) / degree_ + Traced(2) * kv_here_);
        else
            side = share(side, "width_here");
    }

    const Model& model_;
    const TrainingLayout& layout_;
    Traced degree_, kv_here_{0};
    double kv_width_ = 0;
};

void divide_block(const Model& whole, const TrainingLayout& layout, Block& block) {
    const Divider divider(whole, layout, block);
    for (Op& op : block.ops) std::visit(divider, op);
}

// Experts of a group's device; the router is whole.
void divide_experts(const TrainingLayout& layout, Block& block) {
    for (Op& op : block.ops)
        if (Experts* experts = std::get_if<Experts>(&op)) {
            experts->held =
                named("experts_here", ceiling(experts->experts / input<Traced>("expert_parallel", layout.expert,
                                                                               "request: parallel.expert")));
            if (layout.expert_imbalance > 1)
                experts->imbalance =
                    input<Traced>("expert_imbalance", layout.expert_imbalance, "request: parallel.expert_imbalance");
        }
}

// What kinds of operations have no described way to be shared.
struct Indivisible {
    const char* operator()(const CompressedAttention&) const { return "attention over compressed entries"; }
    const char* operator()(const CrossAttention&) const { return "attention to another sequence"; }
    const char* operator()(const FusedKernel&) const { return "a scan over the sequence"; }
    const char* operator()(const Recurrence&) const { return "a recurrence"; }
    const char* operator()(const ShortConvolution&) const { return "a convolution over the sequence"; }
    template <class Other>
    const char* operator()(const Other&) const {
        return nullptr;
    }
};

std::optional<Error> refused_widths(const Block& block, const TrainingLayout& layout) {
    const auto refuse = [](const char* what, const char* hint) {
        return Error{"out_of_range", "parallel.tensor", what, hint};
    };
    for (const Op& op : block.ops) {
        if (const char* kind = std::visit(Indivisible(), op))
            return Error{"not_supported", "parallel.tensor",
                         std::string("how devices share ") + kind + " is not estimated",
                         "leave it out, or set it to 1"};
        if (auto refused = refused_heads(op, layout.tensor)) return refused;
        const Experts* experts = std::get_if<Experts>(&op);
        if (experts && layout.expert == 1 && !is_whole(experts->intermediate.value() / layout.tensor))
            return refuse("the experts' width does not divide among the devices",
                          "divide whole experts: parallel.expert");
        const Linear* linear = std::get_if<Linear>(&op);
        if (!linear || linear->part == Part::head || linear->out.value() == 1) continue;
        const double width = divides_inputs(linear->name) ? linear->in.value() : linear->out.value();
        if (linear->part != Part::attention && linear->part != Part::router && linear->part != Part::embedding &&
            !is_whole(width / layout.tensor))
            return refuse("the width of the feed-forward does not divide among the devices",
                          "intermediate_size must be a multiple of it");
    }
    return std::nullopt;
}

// Kinds of layers that a stage has none of are left out; the others are counted anew.
void keep_used_kinds(Model& model) {
    std::vector<LayerKind> kinds;
    std::vector<unsigned short> number(model.kinds.size(), 0);
    for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
        double count = 0;
        for (const unsigned short each : model.order) count += each == kind;
        if (count == 0) continue;
        number[kind] = static_cast<unsigned short>(kinds.size());
        kinds.push_back(std::move(model.kinds[kind]));
        kinds.back().count = input<Traced>({kinds.back().name, "s_of_stage"}, count, "layers of this pipeline stage");
    }
    for (unsigned short& each : model.order) each = number[each];
    model.kinds = std::move(kinds);
}

double most_experts(const Model& model) {
    double most = 0;
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops)
            if (const Experts* experts = std::get_if<Experts>(&op)) most = maximum(most, experts->experts.value());
    return most;
}

}  // namespace

std::optional<Error> refused_division(const Model& model, const TrainingLayout& layout) {
    const auto layers = static_cast<double>(model.order.size());
    if (layout.tensor * layout.pipeline * layout.expert * layout.context == 1) return std::nullopt;
    if (model.kinds.empty() || !model.hidden_size || model.declared_parameters)
        return Error{"missing_field", "model", "a bare number of parameters has no layers that could be divided",
                     "name a preset, or state the model's shape"};
    if (layout.pipeline * layout.virtual_stages > layers)
        return Error{"out_of_range", "parallel.pipeline", "there are more stages than layers",
                     "at most " + std::to_string(static_cast<int>(layers / layout.virtual_stages))};
    if (layout.expert > 1 && (most_experts(model) == 0 || layout.expert > most_experts(model)))
        return Error{"out_of_range", "parallel.expert",
                     most_experts(model) == 0 ? "this model has no experts" : "there are more devices than experts",
                     "at most " + std::to_string(static_cast<int>(maximum(most_experts(model), 1.0)))};
    if (layout.tensor == 1) return std::nullopt;
    for (const LayerKind& kind : model.kinds)
        if (auto refused = refused_widths(kind.block, layout)) return refused;
    return std::nullopt;
}

Model shared_model(const Model& whole, const TrainingLayout& layout) {
    Model part = whole;
    if (layout.expert > 1)
        for (LayerKind& kind : part.kinds) divide_experts(layout, kind.block);
    if (layout.tensor == 1) return part;
    for (LayerKind& kind : part.kinds) divide_block(whole, layout, kind.block);
    divide_block(whole, layout, part.embedding);
    divide_block(whole, layout, part.head);
    if (part.vocab_size) part.vocab_size = vocabulary_here(*part.vocab_size, layout);
    return part;
}

double share_in_experts(const Model& model) {
    double all = 0, experts = 0;
    for (const PartParameters<double>& part : parameters_by_part<double>(model)) {
        all += part.elements;
        if (part.name == part_name(Part::experts)) experts += part.elements;
    }
    return all > 0 ? experts / all : 0;
}

Model stage_model(const Model& whole, const TrainingLayout& layout, size_t stage) {
    if (layout.pipeline == 1) return whole;
    const auto stages = static_cast<size_t>(layout.pipeline), parts = static_cast<size_t>(layout.virtual_stages);
    const size_t layers = whole.order.size(), pieces = stages * parts;
    Model model = whole;
    model.order.clear();
    for (size_t piece = stage; piece < pieces; piece += stages) {
        const size_t begin = layers * piece / pieces, end = layers * (piece + 1) / pieces;
        model.order.insert(model.order.end(), whole.order.begin() + static_cast<std::ptrdiff_t>(begin),
                           whole.order.begin() + static_cast<std::ptrdiff_t>(end));
    }
    keep_used_kinds(model);
    const bool first = stage == 0, last = stage + 1 == stages;
    if (!first && !(last && whole.tied)) model.embedding.ops.clear();
    if (!last) model.head.ops.clear();
    if (!first) model.towers.clear();
    return model;
}

}  // namespace plimsoll
