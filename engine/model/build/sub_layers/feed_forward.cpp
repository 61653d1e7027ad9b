// Dense feed-forward networks and mixtures of experts, as sub-layers.
#include "model/build/sub_layers/feed_forward.h"

namespace plimsoll {
namespace {

/// Dropout where the code has one; returns what the last product is given.
Label append_inner_dropout(Block& block, const FeedForwardShape& shape, Label activated) {
    if (!shape.dropout) return activated;
    block.ops.push_back(Dropout{shape.part, *shape.dropout, activated, "dropped"});
    return "dropped";
}

void append_gate_and_up(Block& block, const FeedForwardShape& shape, Label from) {
    const Part part = shape.part;
    const Traced& width = shape.intermediate;
    if (shape.fused) {
        append_linear(block, "gate_up_proj", part, shape.hidden, Traced(2) * width, shape.bias, from, "gate_up");
        block.ops.push_back(Split{part, "gate_up", {{"gate", width}, {"up", width}}});
    } else {
        append_linear(block, "gate_proj", part, shape.hidden, width, shape.bias, from, "gate");
    }
    block.ops.push_back(Activation{part, shape.activation, "gate", "activated", 0, true});
    if (!shape.fused) append_linear(block, "up_proj", part, shape.hidden, width, shape.bias, from, "up");
    block.ops.push_back(Multiply{part, "activated", "up", "product"});
}

Experts routed(const Traced& hidden, const MixtureShape& shape, Label from, Label to) {
    Experts experts{Part::experts, shape.experts, shape.active, hidden, shape.intermediate, from, to};
    experts.bias = shape.bias;
    experts.correction_bias = shape.correction_bias;
    experts.correction_buffer = shape.correction_buffer;
    experts.sigmoid = shape.sigmoid;
    experts.renormalised = shape.renormalised;
    experts.router_in_fp32 = shape.router_in_fp32;
    experts.weighs_chosen = shape.weighs_chosen;
    experts.weights_cast = shape.weights_cast;
    experts.clamped = shape.clamped;
    return experts;
}

/// The expert that every token visits; returns what it gives.
Label append_shared_expert(Block& block, const Traced& hidden, const MixtureShape& shape, Label from) {
    constexpr Part part = Part::shared_experts;
    FeedForwardShape expert{hidden, *shape.shared};
    expert.part = part;
    expert.fused = shape.shared_fused;
    expert.bias = shape.shared_bias;
    append_feed_forward(block, expert, from, "shared_out");
    if (!shape.shared_gate) return "shared_out";
    append_linear(block, "shared_expert_gate", part, hidden, Traced(1), false, from, "shared_gate");
    block.ops.push_back(Activation{part, Activation::Kind::from_output, "shared_gate", "shared_open"});
    block.ops.push_back(Multiply{part, "shared_out", "shared_open", "shared_weighed"});
    return "shared_weighed";
}

}  // namespace

MixtureShape::MixtureShape() = default;
MixtureShape::MixtureShape(const MixtureShape& other) = default;
MixtureShape& MixtureShape::operator=(const MixtureShape& other) = default;
MixtureShape::~MixtureShape() = default;

Activation::Kind read_activation(Reader& config, Label otherwise) {
    const std::string name = config.word_or({"hidden_act", "activation_function", "hidden_activation"}, otherwise);
    if (name == "relu") return Activation::Kind::from_output;
    if (name == "relu2") return Activation::Kind::relu_squared;
    return name == "gelu_new" || name == "gelu_fast" ? Activation::Kind::composed_gelu : Activation::Kind::one_kernel;
}

void append_feed_forward(Block& block, const FeedForwardShape& shape, Label from, Label to) {
    const Part part = shape.part;
    if (shape.gated) {
        append_gate_and_up(block, shape, from);
    } else {
        append_linear(block, "up_proj", part, shape.hidden, shape.intermediate, shape.bias, from, "up");
        block.ops.push_back(Activation{part, shape.activation, "up", "activated", shape.activation_parameters});
    }
    const Label given = append_inner_dropout(block, shape, shape.gated ? "product" : "activated");
    append_linear(block, "down_proj", part, shape.intermediate, shape.hidden, shape.bias, given, to);
}

void check_choices(Reader& config, const Traced& active, const Traced& experts) {
    if (active.value() > experts.value())
        config.fail(active.node()->name.c_str(), "out_of_range", "a token cannot visit more experts than there are",
                    "at most the number of experts");
}

void read_choices(Reader& config, MixtureShape& mixture, const Names& names) {
    mixture.active = config.count(names);
    check_choices(config, mixture.active, mixture.experts);
}

MixtureShape read_mixture(Reader& config) {
    MixtureShape mixture;
    mixture.experts = config.count({"n_routed_experts", "num_experts", "num_local_experts"});
    read_choices(config, mixture, {"num_experts_per_tok", "num_experts_per_token"});
    // two fields, and no two names of one: a class with both has a default for each
    mixture.intermediate =
        config.count({config.knows("moe_intermediate_size") ? "moe_intermediate_size" : "intermediate_size"});
    mixture.sigmoid = config.word_or({"scoring_func"}, "") == "sigmoid";
    mixture.correction_buffer = config.word_or({"topk_method"}, "") == "noaux_tc" || mixture.sigmoid;
    mixture.renormalised = config.flag_or({"norm_topk_prob"}, true);
    if (const auto shared = config.optional_count({"n_shared_experts"}))
        mixture.shared = Traced::name(Made::term, "shared_intermediate_size", *shared * mixture.intermediate);
    return mixture;
}

void append_mixture(Block& block, const Traced& hidden, const MixtureShape& shape, Label from, Label to) {
    block.ops.push_back(routed(hidden, shape, from, shape.shared ? "routed_out" : to));
    if (!shape.shared) return;
    const Label shared = append_shared_expert(block, hidden, shape, from);
    block.ops.push_back(Add{shape.shared_sum, "routed_out", shared, to});
}

}  // namespace plimsoll
