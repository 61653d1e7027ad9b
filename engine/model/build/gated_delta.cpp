// Gated delta nets: a short convolution over q, k and v, a recurrence whose state forgets and is corrected, a gated
// norm; in fused kernels where these are installed.
#include "model/build/gated_delta.h"

#include <algorithm>

namespace plimsoll {
namespace {

struct DeltaNet {
    Traced hidden, key_heads, value_heads, key_dim, value_dim, values, channels, kernel;
    bool fused;  ///< q, k, v and gate in one matrix, decay and rate in another
};

DeltaNet read_delta_net(Reader& config, const Traced& hidden, bool fused) {
    DeltaNet net;
    net.hidden = hidden;
    net.key_heads = config.count({"linear_num_key_heads"});
    net.value_heads = config.count({"linear_num_value_heads"});
    net.key_dim = config.count({"linear_key_head_dim"});
    net.value_dim = config.count({"linear_value_head_dim"});
    net.values = Traced::name(Made::term, "values_width", net.value_heads * net.value_dim);
    net.channels = Traced::name(Made::term, "conv_channels", Traced(2) * (net.key_heads * net.key_dim) + net.values);
    net.kernel = config.count({"linear_conv_kernel_dim"});
    net.fused = fused;
    return net;
}

void append_projections(Block& block, const DeltaNet& net) {
    const auto linear = [&](Label name, const Traced& out, Label to) {
        append_linear(block, name, Part::mixer, net.hidden, out, false, "normed", to);
    };
    if (net.fused) {
        linear("in_proj_qkvz", net.channels + net.values, "q_k_v_gate");
        linear("in_proj_ba", Traced(2) * net.value_heads, "decay_and_rate");
        block.ops.push_back(Split{Part::mixer, "q_k_v_gate", {{"scanned", net.channels}, {"gate", net.values}}});
        return;
    }
    linear("in_proj_qkv", net.channels, "scanned");
    linear("in_proj_z", net.values, "gate");
    linear("in_proj_b", net.value_heads, "rate");
    linear("in_proj_a", net.value_heads, "decay");
}

Block delta_net(const DeltaNet& net) {
    Block block;
    append_projections(block, net);
    ShortConvolution convolution{Part::mixer, net.channels, net.kernel, false, "scanned", "convolved"};
    convolution.rearranged = net.fused;  // the columns are ordered by key head
    block.ops.push_back(std::move(convolution));
    block.ops.push_back(FusedKernel{Part::mixer, FusedKernel::Kind::begins, "convolved"});
    block.ops.push_back(Recurrence{Part::mixer,
                                   {{"dt_bias", Traced(1), net.value_heads}, {"A_log", Traced(1), net.value_heads}},
                                   net.values,
                                   net.value_heads * (net.key_dim * net.value_dim),
                                   Dtype::float32,
                                   "convolved",
                                   "recurrent_out"});
    block.ops.push_back(FusedKernel{Part::mixer, FusedKernel::Kind::gated_delta_rule, "convolved", net.values,
                                    net.key_dim, Traced(0), net.value_heads});
    block.ops.push_back(FusedKernel{Part::mixer, FusedKernel::Kind::begins, "recurrent_out"});
    block.ops.push_back(Norm{"mixer_norm", Norm::Kind::rms, net.value_dim, true, false, "recurrent_out",
                             "recurrent_normed", Part::mixer, net.value_heads});
    block.ops.push_back(Multiply{Part::mixer, "recurrent_normed", "gate", "gated"});
    block.ops.push_back(FusedKernel{Part::mixer, FusedKernel::Kind::gated_norm, "recurrent_out", net.values, Traced(0),
                                    Traced(0), net.value_heads});
    append_linear(block, "out_proj", Part::mixer, net.values, net.hidden, false, "gated", "mixed");
    return block;
}

LayerShape read_gated_attention(Reader& config) {
    LayerShape layer;
    layer.norm = Norm::Kind::rms_gemma;
    AttentionShape& attention = layer.attention = read_attention(config);
    attention.bias = attention.output_bias = config.flag_or({"attention_bias"}, false);
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    attention.qk_norm = QueryKeyNorm::head;
    attention.qk_norm_kind = Norm::Kind::rms_gemma;
    attention.gate = OutputGate::of_query;
    return layer;
}

MixtureShape read_experts(Reader& config, const Traced& experts) {
    MixtureShape mixture;
    mixture.experts = experts;
    read_choices(config, mixture, {"num_experts_per_tok"});
    mixture.intermediate = config.count({"moe_intermediate_size"});
    mixture.shared = config.count({"shared_expert_intermediate_size"});
    mixture.shared_gate = true;
    mixture.shared_sum = Part::shared_experts;
    return mixture;
}

// 1 for the layers with full attention.
Pattern full_layers(Reader& config) {
    Pattern stated = stated_pattern(config, "layer_types", "full_attention");
    if (!stated.empty()) return stated;
    const double interval = config.count_or({"full_attention_interval"}, Traced(4), "class default").value();
    return pattern_by(config, [interval](double index) { return is_multiple(index + 1, interval); });
}

Tower prediction(const LayerShape& layer, const Traced& depth) {
    const Traced& hidden = layer.attention.hidden;
    Block around;
    append_linear(around, "fc", Part::head, Traced(2) * hidden, hidden, false, "x", "x_out");
    for (const Label name : {"norm_of_embedding", "norm_of_hidden", "final_norm"})
        around.ops.push_back(Norm{name, Norm::Kind::rms, hidden, true, false, "x", "x_out"});
    Tower tower{"mtp", {}};
    tower.kinds.push_back({"mtp_layer", depth, layer_of(layer)});
    tower.kinds.push_back({"mtp_around", Traced(1), std::move(around)});
    return tower;
}

}  // namespace

Model gated_delta_decoder(Reader& config, bool fused) {
    LayerShape attention = read_gated_attention(config);
    const auto experts = config.optional_count({"num_experts"});
    const Pattern full = full_layers(config), sparse = stepped_sparse_layers(config);
    const Pattern dense =
        pattern_by(config, [&](double index) { return !experts || !sparse[static_cast<size_t>(index)]; });
    const auto has = [&dense](unsigned short kind) {
        return std::find(dense.begin(), dense.end(), kind) != dense.end();
    };
    LayerShape attention_dense = attention;
    if (has(1) || !experts)
        attention_dense.feed_forward = {.hidden = attention.attention.hidden,
                                        .intermediate = config.count({"intermediate_size"})};
    if (experts) attention.mixture = read_experts(config, *experts);
    LayerShape linear = attention, linear_dense = attention_dense;
    linear.mixer = linear_dense.mixer = delta_net(read_delta_net(config, attention.attention.hidden, fused));
    Model model = decoder_of(config,
                             {{"linear_layer", &linear},
                              {"attention_layer", &attention},
                              {"linear_dense_layer", &linear_dense},
                              {"attention_dense_layer", &attention_dense}},
                             combined(full, dense), false, KindCounts::each);
    if (const auto depth = config.optional_count({"mtp_num_hidden_layers", "num_nextn_predict_layers"}))
        model.towers.push_back(prediction(experts ? attention : attention_dense, *depth));
    return model;
}

}  // namespace plimsoll
