// Seed-OSS: Llama's layer with a head dimension of its own, biases on q, k and v, and dropout on the residual stream.
// Source: transformers, models/seed_oss/configuration_seed_oss.py and modeling_seed_oss.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_seed_oss(Reader& config) {
    LayerShape shape = read_dense_layer(config, true);
    shape.attention.output_bias = config.flag_or({"attention_out_bias"}, false);
    shape.attention.dropout = config.number_or({"attention_dropout"}, 0.1);
    shape.dropout = config.number_or({"residual_dropout"}, 0.1);
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture seed_oss{{"seed_oss"},
                                   {"SeedOssForCausalLM"},
                                   "SeedOssConfig",
                                   {{"vocab_size", 155136},
                                    {"hidden_size", 4096},
                                    {"intermediate_size", 27648},
                                    {"num_hidden_layers", 64},
                                    {"num_attention_heads", 80},
                                    {"num_key_value_heads", 8},
                                    {"head_dim", 128},
                                    {"max_position_embeddings", 524288}},
                                   build_seed_oss};

}  // namespace plimsoll::architecture
