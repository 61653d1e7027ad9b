// Solar Open: grouped attention, experts with a shared one in all layers. The router's correction bias is a buffer.
// Source: transformers, models/solar_open/configuration_solar_open.py and modeling_solar_open.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_solar_open(Reader& config) {
    LayerShape shape = read_layer(config);
    shape.attention.output_bias = false;
    shape.mixture = read_mixture(config);
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture solar_open{{"solar_open"},
                                     {"SolarOpenForCausalLM"},
                                     "SolarOpenConfig",
                                     {{"vocab_size", 196608},
                                      {"hidden_size", 4096},
                                      {"moe_intermediate_size", 1280},
                                      {"num_hidden_layers", 48},
                                      {"num_attention_heads", 64},
                                      {"num_key_value_heads", 8},
                                      {"n_shared_experts", 1},
                                      {"n_routed_experts", 128},
                                      {"head_dim", 128},
                                      {"num_experts_per_tok", 8},
                                      {"max_position_embeddings", 131072}},
                                     build_solar_open};

}  // namespace plimsoll::architecture
