// Gemma 2: four norms a layer, soft-capped attention, and a sliding window in every second layer, the first included.
// Source: transformers, models/gemma2/configuration_gemma2.py and modeling_gemma2.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_gemma2(Reader& config) {
    LayerShape full;
    full.attention = read_attention(config);
    full.attention.softcap = config.number_or({"attn_logit_softcapping"}, 0) > 0;
    full.attention.dropout = config.number_or({"attention_dropout"}, 0);
    full.norm = Norm::Kind::rms_gemma;
    full.place = NormPlace::both;
    full.feed_forward = {.hidden = full.attention.hidden, .intermediate = config.count({"intermediate_size"})};
    LayerShape sliding = full;
    sliding.attention.window = config.optional_count({"sliding_window"});
    const Pattern pattern = pattern_by(config, [](double index) { return !is_multiple(index, 2); });
    return decoder_of(config, {{"sliding_layer", &sliding}, {"full_layer", &full}}, pattern, true);
}

}  // namespace

extern const Architecture gemma2{{"gemma2"},
                                 {"Gemma2ForCausalLM"},
                                 "Gemma2Config",
                                 {{"vocab_size", 256000},
                                  {"hidden_size", 2304},
                                  {"intermediate_size", 9216},
                                  {"num_hidden_layers", 26},
                                  {"num_attention_heads", 8},
                                  {"num_key_value_heads", 4},
                                  {"head_dim", 256},
                                  {"sliding_window", 4096},
                                  {"attn_logit_softcapping", 50},
                                  {"final_logit_softcapping", 30},
                                  {"max_position_embeddings", 8192}},
                                 build_gemma2};

}  // namespace plimsoll::architecture
