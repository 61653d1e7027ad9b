// MiniMax-Text-01 and MiniMax-M1: lightning attention (a decayed state of heads × head_dim², a norm and an output gate)
// in seven layers of eight, softmax attention in the others; experts in all. Source: transformers,
// models/minimax/configuration_minimax.py and modeling_minimax.py; the models' own repositories.
#include "model/build/blocks.h"

namespace plimsoll::architecture {
namespace {

void append_lightning(Block& block, const AttentionShape& shape) {
    constexpr Part part = Part::mixer;
    const Traced width = Traced::name(Made::term, "q_width", shape.heads * shape.head_dim);
    append_linear(block, "qkv_proj", part, shape.hidden, Traced(3) * width, false, "normed", "qkv");
    block.ops.push_back(Activation{part, Activation::Kind::one_kernel, "qkv", "qkv_activated"});
    block.ops.push_back(Recurrence{part,
                                   {},
                                   width,
                                   shape.heads * (shape.head_dim * shape.head_dim),
                                   Dtype::sixteen_bit,
                                   "qkv_activated",
                                   "recurrent_out"});
    block.ops.push_back(
        Norm{"mixer_norm", Norm::Kind::rms, width, true, false, "recurrent_out", "recurrent_normed", part});
    append_linear(block, "output_gate", part, shape.hidden, width, false, "normed", "gate");
    block.ops.push_back(Multiply{part, "recurrent_normed", "gate", "gated"});
    append_linear(block, "out_proj", part, width, shape.hidden, false, "gated", "mixed");
}

Model build(Reader& config) {
    AttentionShape attention = read_attention(config);
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    const Traced& hidden = attention.hidden;
    std::vector<NamedBlock> kinds;
    for (const bool full : {false, true}) {
        Block layer;
        append_mixed(layer, hidden, [&] {
            full ? append_attention(layer, attention, "normed", "mixed") : append_lightning(layer, attention);
        });
        append_experts(layer,
                       Experts{Part::experts,
                               config.count({"num_local_experts"}),
                               config.count({"num_experts_per_tok"}),
                               hidden,
                               config.count({"intermediate_size"}),
                               {},
                               {}},
                       nullptr, false);
        kinds.push_back({full ? "attention_layer" : "linear_layer", std::move(layer)});
    }
    Model model = decoder(config, hidden, Norm::Kind::rms, false, {});
    std::vector<unsigned short> order = pattern_of(config, "layer_types", "full_attention");
    if (const std::vector<double>* types = config.numbers("attn_type_list"); order.empty() && types)
        for (const double type : *types) order.push_back(type == 1 ? 1 : 0);
    if (order.empty())
        for (size_t index = 0; index < model.order.size(); ++index) order.push_back(index % 2 == 0 ? 1 : 0);
    set_pattern(config, model, std::move(kinds), std::move(order));
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    return model;
}

}  // namespace

extern const Architecture minimax{{"minimax", "minimax_m1", "minimax_text_01"},
                                  {"MiniMaxForCausalLM", "MiniMaxM1ForCausalLM", "MiniMaxText01ForCausalLM"},
                                  "MiniMaxConfig",
                                  {{"vocab_size", 32000},
                                   {"hidden_size", 4096},
                                   {"intermediate_size", 14336},
                                   {"num_hidden_layers", 32},
                                   {"num_attention_heads", 32},
                                   {"num_key_value_heads", 8},
                                   {"max_position_embeddings", 131072},
                                   {"num_local_experts", 8},
                                   {"num_experts_per_tok", 2}},
                                  build};

}  // namespace plimsoll::architecture
