// RecurrentGemma: two gated linear recurrences to one layer of windowed attention, then a gated feed-forward of half
// the stated width, with biases. Source: transformers, models/recurrent_gemma/configuration_recurrent_gemma.py and
// modeling_recurrent_gemma.py.
#include "model/build/blocks.h"

namespace plimsoll::architecture {
namespace {

void append_recurrent(Block& block, const Traced& hidden, const Traced& width, const Traced& heads,
                      const Traced& kernel) {
    constexpr Part part = Part::mixer;
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
}

Model build(Reader& config) {
    constexpr auto norm = Norm::Kind::rms_gemma;
    AttentionShape attention = read_attention(config);
    attention.bias = config.flag_or({"attention_bias"}, false);
    attention.output_bias = true;
    attention.dropout = config.number_or({"attention_dropout"}, 0);
    attention.window = config.count({"attention_window_size"});
    const Traced& hidden = attention.hidden;
    const Traced width = config.count_or({"lru_width"}, hidden, "not stated: the hidden width");
    FeedForwardShape feed_forward{hidden, rounded_down(config.count({"intermediate_size"}) / Traced(2))};
    feed_forward.bias = true;
    std::vector<NamedBlock> kinds;
    for (const bool attends : {false, true}) {
        Block layer;
        append_mixed(
            layer, hidden,
            [&] {
                attends ? append_attention(layer, attention, "normed", "mixed")
                        : append_recurrent(layer, hidden, width, attention.heads, config.count({"conv1d_width"}));
            },
            norm);
        append_dense(layer, feed_forward);
        kinds.push_back({attends ? "attention_layer" : "recurrent_layer", std::move(layer)});
    }
    Model model = decoder(config, hidden, norm, false, {});
    std::vector<unsigned short> pattern =
        pattern_of(config, config.has("block_types") ? "block_types" : "_block_types", "attention");
    if (pattern.empty()) pattern = {0, 0, 1};
    std::vector<unsigned short> order(model.order.size());
    for (size_t index = 0; index < order.size(); ++index) order[index] = pattern[index % pattern.size()];
    set_pattern(config, model, std::move(kinds), std::move(order));
    model.tied = config.flag_or({"tie_word_embeddings"}, true);
    return model;
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
                                           {"conv1d_width", 4}},
                                          build};

}  // namespace plimsoll::architecture
