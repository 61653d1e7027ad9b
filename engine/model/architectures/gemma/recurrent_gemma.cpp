// RecurrentGemma: two gated linear recurrences to one layer of windowed attention, then a gated feed-forward of half
// the stated width, with biases. Source: transformers, models/recurrent_gemma/configuration_recurrent_gemma.py and
// modeling_recurrent_gemma.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Block recurrence(const Traced& hidden, const Traced& width, const Traced& heads, const Traced& kernel) {
    constexpr Part part = Part::mixer;
    Block block;
    append_linear(block, "linear_y", part, hidden, width, true, "normed", "gate");
    block.ops.push_back(Activation{part, Activation::Kind::one_kernel, "gate", "gate_open"});
    append_linear(block, "linear_x", part, hidden, width, true, "normed", "scanned");
    block.ops.push_back(ShortConvolution{part, width, kernel, true, "scanned", "convolved"});
    const Traced gates = Traced(2) * rounded_down(width / heads);  // of the input and of the decay, head by head
    block.ops.push_back(
        Recurrence{part,
                   {{"gates", width, gates}, {"gate_biases", Traced(2), width}, {"recurrent_param", Traced(1), width}},
                   width,
                   width,
                   Dtype::float32,
                   "convolved",
                   "recurrent_out"});
    block.ops.push_back(Multiply{part, "recurrent_out", "gate_open", "gated"});
    append_linear(block, "linear_out", part, width, hidden, true, "gated", "mixed");
    return block;
}

// 1 for the layers with attention: `block_types` in turn.
Pattern attention_layers(Reader& config) {
    Pattern turn = stated_pattern(config, config.has("block_types") ? "block_types" : "_block_types", "attention");
    if (turn.empty()) turn = {0, 0, 1};
    return pattern_by(config, [&turn](double index) { return turn[static_cast<size_t>(index) % turn.size()]; });
}

Model build_recurrent_gemma(Reader& config) {
    LayerShape local;
    local.norm = Norm::Kind::rms_gemma;
    AttentionShape& attention = local.attention = read_attention(config);
    attention.bias = config.flag_or({"attention_bias"}, false);
    attention.output_bias = true;
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    attention.window = config.count({"attention_window_size"});
    const Traced& hidden = attention.hidden;
    const Traced width = config.count_or({"lru_width"}, hidden, "not stated: the hidden width");
    local.feed_forward = {
        .hidden = hidden, .intermediate = rounded_down(config.count({"intermediate_size"}) / Traced(2)), .bias = true};
    LayerShape recurrent = local;
    recurrent.mixer = recurrence(hidden, width, attention.heads, config.count({"conv1d_width"}));
    return decoder_of(config, {{"recurrent_layer", &recurrent}, {"attention_layer", &local}}, attention_layers(config),
                      true, KindCounts::each);
}

}  // namespace

extern const Architecture recurrent_gemma{{"recurrent_gemma"},
                                          {"RecurrentGemmaForCausalLM"},
                                          "RecurrentGemmaConfig",
                                          {{"vocab_size", 256000},
                                           {"hidden_size", 2560},
                                           {"intermediate_size", 7680},
                                           {"num_hidden_layers", 26},
                                           {"num_attention_heads", 10},
                                           {"attention_window_size", 2048},
                                           {"conv1d_width", 4},
                                           {"logits_soft_cap", 30}},
                                          build_recurrent_gemma};

}  // namespace plimsoll::architecture
