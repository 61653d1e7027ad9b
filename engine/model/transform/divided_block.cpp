#include "model/transform/divided_block.h"

#include "model/transform/tensor_parallel.h"

namespace plimsoll {
namespace {

Traced tensor_degree(const TrainingLayout& layout) {
    return input<Traced>("tensor_parallel", layout.tensor, "request: parallel.tensor");
}

// Devices that share the matrices of one expert.
double sharing_each_expert(const TrainingLayout& layout) {
    return layout.expert > 1 ? layout.expert_tensor : layout.tensor;
}

template <class T>
const T* operation_of(const Block& block) {
    for (const Op& op : block.ops)
        if (const T* found = op.as<T>()) return found;
    return nullptr;
}

// Operations of one block, in their order, each with its share.
class Divider {
public:
    Divider(const Model& model, const TrainingLayout& layout, const Block& block)
        : model_(model), layout_(layout), degree_(tensor_degree(layout)) {
        if (const Recurrence* scan = operation_of<Recurrence>(block)) scanned_width_ = scan->width.value();
        const Attention* attention = attention_of(block);
        if (!attention) return;
        kv_width_ = attention->kv_heads.value() * attention->head_dim.value();
        kv_here_ = attention->kv_heads.value() < layout.tensor ? attention->head_dim
                                                               : attention->kv_heads * attention->head_dim / degree_;
    }

    void operator()(Linear& linear) {
        std::vector<Weight<double>> weights;
        Linear own = linear;
        own.owns_weight = true;
        own.weights(weights);
        const Division division = division_of(weights.front(), model_);
        const bool whole = division == Division::vocabulary && !layout_.divides_vocabulary();
        if (division == Division::vocabulary && !whole) {
            linear.out = vocabulary_here(linear.out, layout_);
            linear.divided = Linear::Divided::outputs;
        } else if (division != Division::whole && !whole && linear.out.value() > 1) {
            const bool inputs = divides_inputs(linear.name);
            linear.divided = inputs ? Linear::Divided::inputs : Linear::Divided::outputs;
            divide(inputs ? linear.in : linear.out, division);
        }
        if (linear.divided != Linear::Divided::outputs) whole_.push_back(linear.to);
    }
    void operator()(Norm& norm) const {
        if (norm.heads)
            norm.heads = share(*norm.heads, "heads_here");
        else if (norm.part == Part::mixer && norm.width.value() == scanned_width_)
            norm.width = share(norm.width, "width_here");
    }
    void operator()(Attention& attention) const {
        attention.heads = share(attention.heads, "heads_here");
        attention.kv_heads =
            attention.kv_heads.value() < layout_.tensor ? Traced(1) : share(attention.kv_heads, "kv_heads_here");
    }
    void operator()(LatentAttention& latent) const { latent.heads.heads = share(latent.heads.heads, "heads_here"); }
    void operator()(Split& split) const {
        for (const Label each : whole_)
            if (each == split.from) {
                split.on_stream = true;
                return;
            }
        for (Split::Piece& piece : split.pieces)
            piece.width = split.part == Part::attention && piece.width.value() == kv_width_
                              ? kv_here_
                              : share(piece.width, "width_here");
    }
    void operator()(Lookup& lookup) const {
        if (!lookup.by_position) lookup.rows = vocabulary_here(lookup.rows, layout_);
    }
    void operator()(Experts& experts) const {
        const double sharing = sharing_each_expert(layout_);
        if (sharing > 1)
            experts.intermediate =
                named("expert_width_here", experts.intermediate / input<Traced>("devices_of_an_expert", sharing,
                                                                                "request: parallel.expert_tensor"));
    }
    void operator()(ShortConvolution& convolution) const {
        convolution.channels = share(convolution.channels, "channels_here");
    }
    void operator()(Recurrence& scan) const {
        scan.width = share(scan.width, "width_here");
        scan.state = share(scan.state, "state_here");
        for (Recurrence::Parameter& each : scan.parameters) {
            Traced& side = each.rows.value() > 1 ? each.rows : each.cols;
            side = share(side, "width_here");
        }
    }
    void operator()(FusedKernel& kernel) const {
        kernel.inner = share(kernel.inner, "width_here");
        kernel.heads = share(kernel.heads, "heads_here");
        if (kernel.groups.value() > 0) kernel.groups = share(kernel.groups, "groups_here");
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
    double kv_width_ = 0, scanned_width_ = 0;
    std::vector<Label> whole_;  // what every device has all of
};

// What kinds of operations have no described way to be shared. A scan has parameters of its own decay.
struct Indivisible {
    const char* operator()(const CompressedAttention&) const { return "attention over compressed entries"; }
    const char* operator()(const CrossAttention&) const { return "attention to another sequence"; }
    const char* operator()(const Recurrence& recurrence) const {
        for (const Recurrence::Parameter& each : recurrence.parameters)
            if (each.name == "A_log") return nullptr;
        return "a recurrence";
    }
    template <class Other>
    const char* operator()(const Other&) const {
        return nullptr;
    }
};

// What is not known to be attended to in parts: of tokens, or of heads.
struct NotExchanged {
    const char* operator()(const LatentAttention&) const { return "latent attention"; }
    const char* operator()(const Recurrence&) const { return "a scan over the sequence"; }
    const char* operator()(const ShortConvolution&) const { return "a convolution over the sequence"; }
    template <class Other>
    const char* operator()(const Other& other) const {
        return Indivisible()(other);
    }
};

Error not_estimated(const char* where, const char* how, const char* kind, const char* hint) {
    return {"not_supported", where, std::string(how) + kind + " is not estimated", hint};
}

Error refused_tensor(const char* what, const char* hint) { return {"out_of_range", "parallel.tensor", what, hint}; }

const FusedKernel* scanning_kernel(const Block& block) {
    for (const Op& op : block.ops) {
        const FusedKernel* kernel = op.as<FusedKernel>();
        if (kernel && (kernel->kind == FusedKernel::Kind::state_space_dual ||
                       kernel->kind == FusedKernel::Kind::gated_delta_rule))
            return kernel;
    }
    return nullptr;
}

// The convolution runs over what is scanned and, twice, over what goes into the state and reads it: of each group of
// heads (Mamba 2), of each key head (gated delta-net), of a width that the kernel knows.
std::optional<Error> refused_scan(const Block& block, const TrainingLayout& layout) {
    const ShortConvolution* convolution = operation_of<ShortConvolution>(block);
    if (!convolution) return std::nullopt;
    const double channels = convolution->channels.value();
    if (const FusedKernel* kernel = scanning_kernel(block)) {
        const double groups = (channels - kernel->inner.value()) / 2 / kernel->state.value();
        if (is_whole(kernel->heads.value() / layout.tensor) && is_whole(groups / layout.tensor)) return std::nullopt;
        return refused_tensor(
            "the heads of the scan, or the groups that share its inputs, do not divide among the devices",
            "heads and groups, or value heads and key heads, must be multiples of it");
    }
    if (!is_whole(channels / layout.tensor))
        return refused_tensor("the channels of the convolution do not divide among the devices",
                              "their number must be a multiple of it");
    if (layout.sequence_parallel && operation_of<Recurrence>(block))
        return not_estimated("parallel.sequence_parallel", "how devices share tokens around ", "a scan of channels",
                             "leave it out");
    return std::nullopt;
}

std::optional<Error> refused_product(const Linear& linear, const TrainingLayout& layout) {
    if (linear.part == Part::head || linear.out.value() == 1) return std::nullopt;
    const double width = divides_inputs(linear.name) ? linear.in.value() : linear.out.value();
    if (linear.part != Part::attention && linear.part != Part::router && linear.part != Part::embedding &&
        !is_whole(width / layout.tensor))
        return refused_tensor("the width of the feed-forward does not divide among the devices",
                              "intermediate_size must be a multiple of it");
    return std::nullopt;
}

}  // namespace

std::optional<Error> refused_widths(const Block& block, const TrainingLayout& layout) {
    if (auto refused = refused_scan(block, layout)) return refused;
    for (const Op& op : block.ops) {
        if (const char* kind = op.visit(Indivisible()))
            return not_estimated("parallel.tensor", "how devices share ", kind, "leave it out, or set it to 1");
        if (auto refused = refused_heads(op, layout.tensor)) return refused;
        const Experts* experts = op.as<Experts>();
        if (experts && !is_whole(experts->intermediate.value() / sharing_each_expert(layout)))
            return Error{"out_of_range", layout.expert > 1 ? "parallel.expert_tensor" : "parallel.tensor",
                         "the experts' width does not divide among the devices",
                         layout.expert > 1 ? "set it to 1" : "divide whole experts: parallel.expert"};
        const Linear* linear = op.as<Linear>();
        if (!linear) continue;
        if (auto refused = refused_product(*linear, layout)) return refused;
    }
    return std::nullopt;
}

std::optional<Error> refused_exchange(const Block& block, const TrainingLayout& layout) {
    const auto refuse = [](const char* what, const char* hint) {
        return Error{"out_of_range", "parallel.context", what, hint};
    };
    for (const Op& op : block.ops) {
        if (const char* kind = op.visit(NotExchanged()))
            return not_estimated("parallel.context_kind", "how devices exchange heads of ", kind, "take ring");
        const Attention* attention = op.as<Attention>();
        if (!attention) continue;
        const double devices = layout.context, kv_heads = maximum(attention->kv_heads.value() / layout.tensor, 1.0);
        if (!is_whole(attention->heads.value() / layout.tensor / devices))
            return refuse("the attention heads do not divide among the devices that exchange them for tokens",
                          "num_attention_heads must be a multiple of tensor × context, or take ring");
        if (!is_whole(maximum(kv_heads, devices) / minimum(kv_heads, devices)))
            return refuse("the key-value heads neither divide nor repeat evenly among the devices that exchange them",
                          "num_key_value_heads must be a multiple of it, or it of them; or take ring");
    }
    return std::nullopt;
}

Traced vocabulary_here(const Traced& vocabulary, const TrainingLayout& layout) {
    if (!layout.divides_vocabulary()) return vocabulary;
    const Traced degree = tensor_degree(layout);
    if (layout.sharding != Sharding::megatron) return named("vocabulary_here", ceiling(vocabulary / degree));
    const Traced unit =
        input<Traced>("vocabulary_padded_to", 128, "Megatron-LM: make-vocab-size-divisible-by, times tensor_parallel");
    return named("vocabulary_here", unit * ceiling(vocabulary / (unit * degree)));
}

void divide_block(const Model& whole, const TrainingLayout& layout, Block& block) {
    Divider divider(whole, layout, block);
    for (Op& op : block.ops) op.visit(divider);
}

void exchange_heads(const TrainingLayout& layout, Block& block) {
    std::vector<Op> ops;
    ops.reserve(block.ops.size() + 4);
    for (Op& op : block.ops) {
        Attention* attention = op.as<Attention>();
        if (!attention) {
            ops.push_back(std::move(op));
            continue;
        }
        const Part part = attention->part;
        const Label k = attention->k, v = attention->v, to = attention->to;
        Traced repeated(1);
        if (attention->kv_heads.value() < layout.context) {
            repeated = named(
                "kv_heads_repeated",
                input<Traced>("context_parallel", layout.context, "request: parallel.context") / attention->kv_heads);
            attention->kv_heads = Traced(1);  // of some heads, on this device
        }
        ops.push_back(HeadExchange{part, attention->q});
        ops.push_back(HeadExchange{part, k, repeated});
        ops.push_back(HeadExchange{part, v, repeated});
        ops.push_back(std::move(op));
        ops.push_back(HeadExchange{part, to});
    }
    block.ops = std::move(ops);
}

}  // namespace plimsoll
