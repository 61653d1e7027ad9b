// Qwen3-Next, and the language model of Qwen3.5: three gated delta-net layers to one of attention whose output is
// gated; a gated feed-forward, or experts with a shared one behind a gate of its own. Source: transformers,
// models/qwen3_next, qwen3_5, qwen3_5_moe, configuration and modeling; multi-token prediction: vLLM qwen3_next_mtp.py.
#include <algorithm>

#include "model/build/blocks.h"

namespace plimsoll::architecture {
namespace {

// Qwen3-Next has two fused input projections, Qwen3.5 four.
void append_delta_net(Reader& config, Block& block, const Traced& hidden, bool fused) {
    constexpr Part part = Part::mixer;
    const Traced key_heads = config.count({"linear_num_key_heads"}),
                 value_heads = config.count({"linear_num_value_heads"});
    const Traced key_dim = config.count({"linear_key_head_dim"}), value_dim = config.count({"linear_value_head_dim"});
    const Traced values = Traced::name(Made::term, "values_width", value_heads * value_dim);
    const Traced channels = Traced::name(Made::term, "conv_channels", Traced(2) * (key_heads * key_dim) + values);
    if (fused) {
        append_linear(block, "in_proj_qkvz", part, hidden, channels + values, false, "normed", "q_k_v_gate");
        append_linear(block, "in_proj_ba", part, hidden, Traced(2) * value_heads, false, "normed", "decay_and_rate");
        block.ops.push_back(Split{part, "q_k_v_gate", {{"scanned", channels}, {"gate", values}}});
    } else {
        append_linear(block, "in_proj_qkv", part, hidden, channels, false, "normed", "scanned");
        append_linear(block, "in_proj_z", part, hidden, values, false, "normed", "gate");
        append_linear(block, "in_proj_b", part, hidden, value_heads, false, "normed", "rate");
        append_linear(block, "in_proj_a", part, hidden, value_heads, false, "normed", "decay");
    }
    ShortConvolution convolution{part,  channels,  config.count({"linear_conv_kernel_dim"}),
                                 false, "scanned", "convolved"};
    convolution.rearranged = fused;  // the columns are ordered by key head
    block.ops.push_back(std::move(convolution));
    block.ops.push_back(FusedKernel{part, FusedKernel::Kind::begins, "convolved"});
    block.ops.push_back(Recurrence{part,
                                   {{"dt_bias", Traced(1), value_heads}, {"A_log", Traced(1), value_heads}},
                                   values,
                                   value_heads * (key_dim * value_dim),
                                   Dtype::float32,
                                   "convolved",
                                   "recurrent_out"});
    block.ops.push_back(
        FusedKernel{part, FusedKernel::Kind::gated_delta_rule, "convolved", values, key_dim, Traced(0), value_heads});
    block.ops.push_back(FusedKernel{part, FusedKernel::Kind::begins, "recurrent_out"});
    block.ops.push_back(Norm{"mixer_norm", Norm::Kind::rms, value_dim, true, false, "recurrent_out", "recurrent_normed",
                             part, value_heads});
    block.ops.push_back(Multiply{part, "recurrent_normed", "gate", "gated"});
    block.ops.push_back(
        FusedKernel{part, FusedKernel::Kind::gated_norm, "recurrent_out", values, Traced(0), Traced(0), value_heads});
    append_linear(block, "out_proj", part, values, hidden, false, "gated", "mixed");
}

struct Layers {
    Reader& config;
    AttentionShape attention;
    std::optional<Traced> experts;
    bool fused;

    Block operator()(bool attends, bool dense) const {
        constexpr auto norm = Norm::Kind::rms_gemma;
        const Traced& hidden = attention.hidden;
        Block layer;
        append_mixed(
            layer, hidden,
            [&] {
                attends ? append_gated_attention(layer, attention, "normed", "mixed")
                        : append_delta_net(config, layer, hidden, fused);
            },
            norm);
        if (dense) {
            append_dense(layer, {hidden, config.count({"intermediate_size"})});
            return layer;
        }
        FeedForwardShape shared{hidden, config.count({"shared_expert_intermediate_size"})};
        shared.part = Part::shared_experts;
        append_experts(layer,
                       Experts{Part::experts,
                               *experts,
                               config.count({"num_experts_per_tok"}),
                               hidden,
                               config.count({"moe_intermediate_size"}),
                               {},
                               {}},
                       &shared, true);
        return layer;
    }
};

Tower prediction(const Layers& layers, const Traced& depth) {
    const Traced& hidden = layers.attention.hidden;
    Block around;
    append_linear(around, "fc", Part::head, Traced(2) * hidden, hidden, false, "x", "x_out");
    for (const Label name : {"norm_of_embedding", "norm_of_hidden", "final_norm"})
        around.ops.push_back(Norm{name, Norm::Kind::rms, hidden, true, false, "x", "x_out"});
    Tower tower{"mtp", {}};
    tower.kinds.push_back({"mtp_layer", depth, layers(true, !layers.experts)});
    tower.kinds.push_back({"mtp_around", Traced(1), std::move(around)});
    return tower;
}

}  // namespace
}  // namespace plimsoll::architecture

namespace plimsoll {

Model build_gated_delta(Reader& config, bool fused) {
    AttentionShape attention = read_attention(config);
    attention.bias = attention.output_bias = config.flag_or({"attention_bias"}, false);
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    attention.qk_norm = QueryKeyNorm::head;
    attention.qk_norm_kind = Norm::Kind::rms_gemma;
    const architecture::Layers layers{config, attention, config.optional_count({"num_experts"}), fused};
    Model model = decoder(config, attention.hidden, Norm::Kind::rms_gemma, false, {});
    std::vector<unsigned short> order = pattern_of(config, "layer_types", "full_attention");
    if (order.empty()) {
        const int interval =
            static_cast<int>(config.count_or({"full_attention_interval"}, Traced(4), "class default").value());
        for (int index = 1; index <= static_cast<int>(model.order.size()); ++index)
            order.push_back(index % interval == 0 ? 1 : 0);
    }
    const std::vector<double>* dense = config.numbers("mlp_only_layers");
    const int step = std::max(1, static_cast<int>(config.number_or({"decoder_sparse_step"}, 1)));
    for (size_t index = 0; index < order.size(); ++index)
        if (!layers.experts || (static_cast<int>(index) + 1) % step != 0 ||
            (dense && std::find(dense->begin(), dense->end(), static_cast<double>(index)) != dense->end()))
            order[index] = static_cast<unsigned short>(order[index] + 2);
    std::vector<NamedBlock> kinds;
    for (const char* name : {"linear_layer", "attention_layer", "linear_dense_layer", "attention_dense_layer"}) {
        const size_t kind = kinds.size();
        const bool used = std::find(order.begin(), order.end(), kind) != order.end();
        kinds.push_back({name, used ? layers(kind % 2 == 1, kind >= 2) : Block{}});
    }
    set_pattern(config, model, std::move(kinds), std::move(order));
    if (const auto depth = config.optional_count({"mtp_num_hidden_layers", "num_nextn_predict_layers"}))
        model.towers.push_back(architecture::prediction(layers, *depth));
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
}

}  // namespace plimsoll

namespace plimsoll::architecture {

namespace {

Model build(Reader& config) { return build_gated_delta(config, true); }

}  // namespace

extern const Architecture qwen3_next{{"qwen3_next"},
                                     {"Qwen3NextForCausalLM"},
                                     "Qwen3NextConfig",
                                     {{"vocab_size", 151936},
                                      {"hidden_size", 2048},
                                      {"intermediate_size", 5632},
                                      {"num_hidden_layers", 48},
                                      {"num_attention_heads", 16},
                                      {"num_key_value_heads", 2},
                                      {"head_dim", 256},
                                      {"max_position_embeddings", 32768},
                                      {"linear_conv_kernel_dim", 4},
                                      {"linear_key_head_dim", 128},
                                      {"linear_value_head_dim", 128},
                                      {"linear_num_key_heads", 16},
                                      {"linear_num_value_heads", 32},
                                      {"moe_intermediate_size", 512},
                                      {"shared_expert_intermediate_size", 512},
                                      {"num_experts_per_tok", 10},
                                      {"num_experts", 512}},
                                     build};

}  // namespace plimsoll::architecture
