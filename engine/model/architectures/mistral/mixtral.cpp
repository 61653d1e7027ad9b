// Mixtral: Mistral's attention, and in each layer a mixture of gated experts.
// Source: transformers, models/mixtral/configuration_mixtral.py and modeling_mixtral.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_mixtral(Reader& config) {
    LayerShape shape;
    shape.attention = read_attention(config);
    shape.attention.dropout = config.number_or({"attention_dropout"}, 0);
    shape.attention.window = config.optional_count({"sliding_window"});
    MixtureShape& mixture = shape.mixture.emplace();
    mixture.experts = config.count({"num_local_experts"});
    read_choices(config, mixture, {"num_experts_per_tok"});
    mixture.intermediate = config.count({"intermediate_size"});
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture mixtral{{"mixtral"},
                                  {"MixtralForCausalLM"},
                                  "MixtralConfig",
                                  {{"vocab_size", 32000},
                                   {"hidden_size", 4096},
                                   {"intermediate_size", 14336},
                                   {"num_hidden_layers", 32},
                                   {"num_attention_heads", 32},
                                   {"num_key_value_heads", 8},
                                   {"num_local_experts", 8},
                                   {"num_experts_per_tok", 2},
                                   {"max_position_embeddings", 131072}},
                                  build_mixtral};

}  // namespace plimsoll::architecture
