// MiMo-7B (remote code): Qwen2's layer, and a layer that predicts a further token.
// Source: modeling_mimo.py and configuration_mimo.py of XiaomiMiMo/MiMo-7B-Base; transformers, models/qwen2.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_mimo(Reader& config) {
    LayerShape shape = read_dense_layer(config, true);
    shape.attention.output_bias = false;
    Model model = decoder_of(config, shape);
    append_prediction(config, model, shape);
    return model;
}

}  // namespace

extern const Architecture mimo{{"mimo"},
                               {"MiMoForCausalLM"},
                               "MiMoConfig",
                               {{"vocab_size", 151936},
                                {"hidden_size", 4096},
                                {"intermediate_size", 22016},
                                {"num_hidden_layers", 32},
                                {"num_attention_heads", 32},
                                {"num_key_value_heads", 32},
                                {"max_position_embeddings", 32768}},
                               build_mimo};

}  // namespace plimsoll::architecture
