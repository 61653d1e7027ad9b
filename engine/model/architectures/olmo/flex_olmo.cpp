// FlexOlmo: OLMoE's norms over whole projections, with norms behind each sub-layer; a mixture of experts in every
// layer. Source: transformers, models/flex_olmo/configuration_flex_olmo.py and modeling_flex_olmo.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_flex_olmo(Reader& config) {
    LayerShape shape = read_layer(config);
    shape.attention.qk_norm = QueryKeyNorm::whole;
    shape.mixture = read_mixture(config);
    shape.mixture->renormalised = config.flag_or({"norm_topk_prob"}, false);
    shape.place = NormPlace::after;
    return decoder_of(config, shape);
}

}  // namespace

extern const Architecture flex_olmo{{"flex_olmo"},
                                    {"FlexOlmoForCausalLM"},
                                    "FlexOlmoConfig",
                                    {{"vocab_size", 100352},
                                     {"hidden_size", 4096},
                                     {"intermediate_size", 11008},
                                     {"num_hidden_layers", 32},
                                     {"num_attention_heads", 32},
                                     {"num_experts_per_tok", 5},
                                     {"num_experts", 7},
                                     {"max_position_embeddings", 4096}},
                                    build_flex_olmo};

}  // namespace plimsoll::architecture
