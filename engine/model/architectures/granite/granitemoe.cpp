// Granite 3 (mixture of experts): Mixtral's layer, gate and up of an expert in one matrix; in some a shared expert.
// Source: transformers, models/granitemoe, granitemoeshared: configuration and modeling.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_granitemoe(Reader& config) {
    LayerShape shape = read_layer(config);
    shape.mixture = read_mixture(config);
    if (const auto shared = config.optional_count({"shared_intermediate_size"})) shape.mixture->shared = *shared;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture granitemoe{{"granitemoe", "granitemoeshared"},
                                     {"GraniteMoeForCausalLM", "GraniteMoeSharedForCausalLM"},
                                     "GraniteMoeConfig",
                                     {{"vocab_size", 32000},
                                      {"hidden_size", 4096},
                                      {"intermediate_size", 11008},
                                      {"num_hidden_layers", 32},
                                      {"num_attention_heads", 32},
                                      {"max_position_embeddings", 2048},
                                      {"num_local_experts", 8},
                                      {"num_experts_per_tok", 2}},
                                     build_granitemoe,
                                     true};

}  // namespace plimsoll::architecture
