#include "model/build/blocks.h"

#include <algorithm>

namespace plimsoll {
namespace {

void append_norm(Block& block, const ClassicLayer& shape, Label from, Label to) {
    append_normed(block, shape.norm, shape.norm_bias, shape.attention.hidden, from, to);
}

/// attention of `from`, dropped, into `attended_out`.
void append_attended(Block& block, const ClassicLayer& shape, Label from) {
    const bool drops = shape.dropped == ClassicDropout::both;
    append_attention(block, shape.attention, from, drops ? "attention_out" : "attention_dropped");
    if (drops) block.ops.push_back(Dropout{Part::attention, shape.dropout, "attention_out", "attention_dropped"});
}

void append_fed(Block& block, const ClassicLayer& shape, Label from) {
    const bool drops = shape.dropped != ClassicDropout::sum;
    append_feed_forward(block, shape.feed_forward, from, drops ? "feed_forward_out" : "feed_forward_dropped");
    if (drops)
        block.ops.push_back(Dropout{Part::feed_forward, shape.dropout, "feed_forward_out", "feed_forward_dropped"});
}

}  // namespace

Block classic_layer(const ClassicLayer& shape) {
    Block layer;
    const bool post = shape.order == ClassicOrder::post_norm;
    const bool sequential = shape.order == ClassicOrder::sequential;
    if (!post) append_norm(layer, shape, "x", "normed");
    append_attended(layer, shape, post ? "x" : "normed");
    if (post || sequential) {
        layer.ops.push_back(Add{Part::attention, "attention_dropped", "x", "x_attended"});
        append_norm(layer, shape, "x_attended", "normed_2");
        append_fed(layer, shape, "normed_2");
        layer.ops.push_back(Add{Part::feed_forward, post ? "normed_2" : "x_attended", "feed_forward_dropped", "x_out"});
        if (post) append_norm(layer, shape, "x_out", "x_normed");
        return layer;
    }
    const bool two = shape.order == ClassicOrder::parallel_two_norms;
    if (two) append_norm(layer, shape, "x", "normed_2");
    append_fed(layer, shape, two ? "normed_2" : "normed");
    layer.ops.push_back(Add{Part::feed_forward, "attention_dropped", "feed_forward_dropped", "sum"});
    const bool drops_sum = shape.dropped == ClassicDropout::sum;
    if (drops_sum) layer.ops.push_back(Dropout{Part::feed_forward, shape.dropout, "sum", "sum_dropped"});
    layer.ops.push_back(Add{Part::feed_forward, drops_sum ? "sum_dropped" : "sum", "x", "x_out"});
    return layer;
}

Model classic_decoder(Reader& config, const ClassicLayer& shape) {
    return decoder(config, shape.attention.hidden, shape.norm, shape.norm_bias, classic_layer(shape));
}

Traced constant(Label name, double value) { return Traced::leaf(name, value, "fixed by the model's code"); }

void append_experts(Block& block, Experts experts, const FeedForwardShape* shared, bool shared_gate) {
    experts.from = "normed_2", experts.to = "experts_out";
    const Traced hidden = experts.width;
    block.ops.push_back(std::move(experts));
    Label out = "experts_out";
    if (shared) {
        append_feed_forward(block, *shared, "normed_2", "shared_out");
        Label shared_out = "shared_out";
        if (shared_gate) {
            constexpr Part part = Part::shared_experts;
            append_linear(block, "shared_expert_gate", part, hidden, Traced(1), false, "normed_2", "shared_gate");
            block.ops.push_back(Activation{part, Activation::Kind::from_output, "shared_gate", "shared_open"});
            block.ops.push_back(Multiply{part, "shared_out", "shared_open", "shared_weighed"});
            shared_out = "shared_weighed";
        }
        block.ops.push_back(Add{Part::shared_experts, "experts_out", shared_out, "experts_sum"});
        out = "experts_sum";
    }
    block.ops.push_back(Add{Part::experts, "x_mixed", out, "x_out"});
}

void append_dense(Block& block, const FeedForwardShape& feed_forward) {
    append_feed_forward(block, feed_forward, "normed_2", "feed_forward_out");
    block.ops.push_back(Add{Part::feed_forward, "x_mixed", "feed_forward_out", "x_out"});
}

Traced count_or_auto(Reader& config, const char* name, const Traced& otherwise) {
    if (config.facts().get<std::string>(name)) return Traced::name(Made::term, name, otherwise);
    return config.count_or({name}, otherwise, "not stated: as the class computes it");
}

Mamba2Shape read_mamba2(Reader& config, const Traced& hidden, const Traced& inner) {
    Mamba2Shape mixer;
    mixer.hidden = hidden;
    mixer.inner = inner;
    mixer.heads = config.count({"mamba_n_heads"});
    mixer.groups = config.count({"mamba_n_groups"});
    mixer.state = config.count({"mamba_d_state"});
    mixer.kernel = config.count({"mamba_d_conv"});
    mixer.bias = mixer.output_bias = config.flag_or({"mamba_proj_bias"}, false);
    mixer.conv_bias = config.flag_or({"mamba_conv_bias"}, true);
    return mixer;
}

void append_cross_attention(Block& block, const AttentionShape& shape, Label from, Label to) {
    Block plain;
    append_attention(plain, shape, from, to);
    for (Op& op : plain.ops) {
        if (Attention* attention = op.as<Attention>())
            block.ops.push_back(CrossAttention{Part::attention, *attention, CrossAttention::Source::text});
        else
            block.ops.push_back(std::move(op));
    }
}

void append_gated_attention(Block& block, const AttentionShape& shape, Label from, Label to) {
    Block plain;
    append_attention(plain, shape, from, to);
    for (Op& op : plain.ops) {
        Linear* linear = op.as<Linear>();
        if (linear && linear->name == "q_proj") {
            const Traced width = linear->out;
            linear->out = Traced(2) * width, linear->to = "q_and_gate";
            block.ops.push_back(std::move(op));
            block.ops.push_back(Split{Part::attention, "q_and_gate", {{"q", width}, {"gate", width}}});  // by head
            continue;
        }
        if (linear && linear->name == "o_proj") {
            block.ops.push_back(Activation{Part::attention, Activation::Kind::from_output, "gate", "gate_open"});
            block.ops.push_back(Multiply{Part::attention, "attended", "gate_open", "attended_gated"});
            linear->from = "attended_gated";
        }
        block.ops.push_back(std::move(op));
    }
}

void append_mamba(Block& block, const MambaShape& shape, Label from, Label to) {
    constexpr Part part = Part::mixer;
    const bool fused = !shape.inner_norms;  // the kernel has no norms within
    append_linear(block, "in_proj", part, shape.hidden, Traced(2) * shape.inner, shape.bias, from, "scan_and_gate");
    if (fused) block.ops.push_back(FusedKernel{part, FusedKernel::Kind::begins, "scan_and_gate"});
    block.ops.push_back(Split{part, "scan_and_gate", {{"scanned", shape.inner}, {"gate", shape.inner}}});
    block.ops.push_back(ShortConvolution{part, shape.inner, shape.kernel, shape.conv_bias, "scanned", "convolved"});
    append_linear(block, "x_proj", part, shape.inner, shape.rank + Traced(2) * shape.state, false, "convolved",
                  "delta_b_c");
    block.ops.push_back(Split{part, "delta_b_c", {{"delta_low", shape.rank}}});
    if (shape.inner_norms)
        for (const auto& [name, width] : {std::pair<Label, const Traced&>{"dt_layernorm", shape.rank},
                                          {"b_layernorm", shape.state},
                                          {"c_layernorm", shape.state}})
            block.ops.push_back(Norm{name, Norm::Kind::rms, width, true, false, "delta_low", "delta_normed", part});
    append_linear(block, "dt_proj", part, shape.rank, shape.inner, true, "delta_low", "delta");
    block.ops.push_back(Recurrence{part,
                                   {{"A_log", shape.inner, shape.state}, {"D", Traced(1), shape.inner}},
                                   shape.inner,
                                   shape.inner * shape.state,
                                   Dtype::sixteen_bit,
                                   "convolved",
                                   "recurrent_out"});
    block.ops.push_back(Multiply{part, "recurrent_out", "gate", "gated"});
    append_linear(block, "out_proj", part, shape.inner, shape.hidden, shape.bias, "gated", to);
    if (fused)
        block.ops.push_back(FusedKernel{part, FusedKernel::Kind::selective_scan, "scan_and_gate", shape.inner,
                                        shape.state, shape.rank});
}

void append_mamba2(Block& block, const Mamba2Shape& shape, Label from, Label to) {
    constexpr Part part = Part::mixer;
    const Traced channels =
        Traced::name(Made::term, "conv_channels", shape.inner + Traced(2) * (shape.groups * shape.state));
    append_linear(block, "in_proj", part, shape.hidden, shape.inner + channels + shape.heads, shape.bias, from,
                  "gate_scan_delta");
    block.ops.push_back(FusedKernel{part, FusedKernel::Kind::begins, "gate_scan_delta"});
    block.ops.push_back(Split{part, "gate_scan_delta", {{"gate", shape.inner}, {"scanned", channels}}});
    block.ops.push_back(ShortConvolution{part, channels, shape.kernel, shape.conv_bias, "scanned", "convolved"});
    block.ops.push_back(Recurrence{
        part,
        {{"dt_bias", Traced(1), shape.heads}, {"A_log", Traced(1), shape.heads}, {"D", Traced(1), shape.heads}},
        shape.inner,
        shape.inner * shape.state,
        shape.state_dtype,
        "convolved",
        "recurrent_out"});
    block.ops.push_back(Multiply{part, "recurrent_out", "gate", "gated"});
    Label out = "gated";
    if (shape.norm) {
        block.ops.push_back(
            Norm{"mixer_norm", Norm::Kind::rms, shape.inner, true, false, "gated", "gated_normed", part});
        out = "gated_normed";
    }
    append_linear(block, "out_proj", part, shape.inner, shape.hidden, shape.output_bias, out, to);
    block.ops.push_back(FusedKernel{part, FusedKernel::Kind::state_space_dual, "gate_scan_delta", shape.inner,
                                    shape.state, Traced(0), shape.heads, shape.norm ? shape.groups : Traced(0)});
}

void set_pattern(Reader& config, Model& model, std::vector<NamedBlock> kinds, std::vector<unsigned short> order) {
    if (config.error()) return;
    if (order.size() != model.order.size())
        return config.fail("layer_types", "does_not_match",
                           "the pattern names " + std::to_string(order.size()) + " layers, num_hidden_layers is " +
                               std::to_string(model.order.size()),
                           "copy both from the model's config.json");
    model.kinds.clear();
    std::vector<unsigned short> index(kinds.size());
    for (size_t kind = 0; kind < kinds.size(); ++kind) {
        const double layers = static_cast<double>(std::count(order.begin(), order.end(), kind));
        index[kind] = static_cast<unsigned short>(model.kinds.size());
        if (layers == 0) continue;
        const Traced count = Traced::leaf(kinds[kind].name + "s", layers, "counted in the model's pattern of layers");
        model.kinds.push_back({std::move(kinds[kind].name), count, std::move(kinds[kind].block)});
    }
    for (unsigned short& kind : order) kind = index[kind];
    model.order = std::move(order);
}

std::vector<unsigned short> pattern_of(Reader& config, Label list, Label second) {
    std::vector<unsigned short> order;
    if (const std::vector<std::string>* words = config.words(list))
        for (const std::string& word : *words) order.push_back(word == second ? 1 : 0);
    return order;
}

Model language_model(Reader& config, Label block, Label otherwise) {
    const bool outer_tied = config.flag_or({"tie_word_embeddings"}, false),
               outer_says = config.has("tie_word_embeddings");
    config.enter(block, "language model", {});
    std::string type = block == "" ? std::string(otherwise) : config.word_or({"model_type"}, otherwise);
    const auto knows = [&type](const Architecture* candidate) {
        return std::find(candidate->model_types.begin(), candidate->model_types.end(), type) !=
               candidate->model_types.end();
    };
    const bool part_of_line = type.size() > 5 && type.compare(type.size() - 5, 5, "_text") == 0;
    if (part_of_line && std::none_of(architectures.begin(), architectures.end(), knows)) type = otherwise;
    for (const Architecture* candidate : architectures)
        if (knows(candidate) && !config.in_language_model) {
            config.enter(block, candidate->config_class, candidate->defaults);
            config.in_language_model = true;
            Model model = candidate->build(config);
            config.in_language_model = false;
            config.enter(block, "", {});
            if (!config.has("tie_word_embeddings") && outer_says) model.tied = outer_tied;
            config.enter("", "", {});
            return model;
        }
    config.fail("model_type", "unknown_architecture", "the language model's type " + type + " is not known",
                "type its numbers by hand, with parameters as published");
    return {};
}

}  // namespace plimsoll
