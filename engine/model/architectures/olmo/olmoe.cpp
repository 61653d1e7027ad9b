// OLMoE: norms over the whole query and key projections, a mixture of experts in every layer, whose chosen scores are not
// divided by their sum unless it is asked for, and go back to the products' type.
// Source: transformers, models/olmoe/configuration_olmoe.py and modeling_olmoe.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_olmoe(Reader& config) {
    LayerShape shape = read_layer(config);
    shape.attention.qk_norm = QueryKeyNorm::whole;
    shape.mixture = read_mixture(config);
    shape.mixture->renormalised = config.flag_or({"norm_topk_prob"}, false);
    shape.mixture->weights_cast = true;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture olmoe{{"olmoe"},
                                {"OlmoeForCausalLM"},
                                "OlmoeConfig",
                                {{"vocab_size", 50304},
                                 {"hidden_size", 2048},
                                 {"intermediate_size", 2048},
                                 {"num_hidden_layers", 16},
                                 {"num_attention_heads", 16},
                                 {"num_experts_per_tok", 8},
                                 {"num_experts", 64},
                                 {"max_position_embeddings", 4096}},
                                build_olmoe};

}  // namespace plimsoll::architecture
