// Qwen3 (dense): Llama's layer with norms over each head of query and key, and no biases.
// Source: transformers, models/qwen3/configuration_qwen3.py and modeling_qwen3.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_qwen3(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.attention.qk_norm = QueryKeyNorm::head;
    if (!config.flag_or({"use_sliding_window"}, false)) return decoder_of(config, shape);
    LayerShape windowed = shape;
    windowed.attention.window = config.optional_count({"sliding_window"});
    const double first = config.number_or({"max_window_layers"}, 28);
    const auto said = layers_named(config, "layer_types", "sliding_attention");
    const Pattern pattern = said ? *said : pattern_by(config, [first](double index) { return index >= first; });
    return decoder_of(config, {{"full_layer", &shape}, {"sliding_layer", &windowed}}, pattern);
}

}  // namespace

extern const Architecture qwen3{{"qwen3"},
                                {"Qwen3ForCausalLM", "Qwen3Model", "Qwen3ForSequenceClassification"},
                                "Qwen3Config",
                                {{"vocab_size", 151936},
                                 {"hidden_size", 4096},
                                 {"intermediate_size", 22016},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 32},
                                 {"num_key_value_heads", 32},
                                 {"head_dim", 128},
                                 {"sliding_window", 4096},
                                 {"max_position_embeddings", 32768}},
                                build_qwen3};

}  // namespace plimsoll::architecture
