// Qwen1.5, Qwen2 and Qwen2.5 (dense): Llama's layer with biases on q, k and v but not on the output.
// Source: transformers, models/qwen2/configuration_qwen2.py and modeling_qwen2.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_qwen2(Reader& config) {
    LayerShape full;
    full.attention = read_attention(config);
    full.attention.bias = true;
    full.attention.dropout = config.number_or({"attention_dropout"}, 0);
    full.feed_forward = {.hidden = full.attention.hidden, .intermediate = config.count({"intermediate_size"})};
    if (!config.flag_or({"use_sliding_window"}, false)) return decoder_of(config, full);
    LayerShape sliding = full;
    sliding.attention.window = config.optional_count({"sliding_window"});
    const double first = config.number_or({"max_window_layers"}, 28);
    return decoder_of(config, {{"full_layer", &full}, {"sliding_layer", &sliding}},
                      pattern_by(config, [first](double index) { return index >= first; }));
}

}  // namespace

extern const Architecture qwen2{{"qwen2"},
                                {"Qwen2ForCausalLM"},
                                "Qwen2Config",
                                {{"vocab_size", 151936},
                                 {"hidden_size", 4096},
                                 {"intermediate_size", 22016},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 32},
                                 {"num_key_value_heads", 32},
                                 {"sliding_window", 4096},
                                 {"max_position_embeddings", 32768}},
                                build_qwen2};

}  // namespace plimsoll::architecture
