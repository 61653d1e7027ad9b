// MiniMax-Text-01 and MiniMax-M1: lightning attention (a decayed state of heads × head_dim², a norm and an output gate)
// in seven layers of eight, softmax attention in the others; experts in all. Source: transformers,
// models/minimax/configuration_minimax.py and modeling_minimax.py; the models' own repositories.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Block lightning(const AttentionShape& shape) {
    constexpr Part part = Part::mixer;
    Block block;
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
    return block;
}

// 1 for the layers with full attention, as words or numbers say; else every second, from the first on.
Pattern full_layers(Reader& config) {
    Pattern pattern = stated_pattern(config, "layer_types", "full_attention");
    if (const std::vector<double>* types = config.numbers("attn_type_list"); pattern.empty() && types)
        for (const double type : *types) pattern.push_back(type == 1);
    return pattern.empty() ? pattern_by(config, [](double index) { return is_multiple(index, 2); }) : pattern;
}

Model build_minimax(Reader& config) {
    LayerShape full;
    full.attention = read_attention(config);
    full.attention.dropout = config.number_or({"attention_dropout"}, 0);
    MixtureShape& mixture = full.mixture.emplace();
    mixture.experts = config.count({"num_local_experts"});
    read_choices(config, mixture, {"num_experts_per_tok"});
    mixture.intermediate = config.count({"intermediate_size"});
    LayerShape linear = full;
    linear.mixer = lightning(full.attention);
    return decoder_of(config, {{"linear_layer", &linear}, {"attention_layer", &full}}, full_layers(config), false,
                      KindCounts::each);
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
                                  build_minimax};

}  // namespace plimsoll::architecture
