// Command-R, R+ and Aya: one LayerNorm without bias feeds attention and feed-forward in parallel; the largest has norms
// over query and key, with a weight for each head; tied head. Source: transformers,
// models/cohere/configuration_cohere.py and modeling_cohere.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_cohere(Reader& config) {
    LayerShape shape = read_dense_layer(config);
    shape.norm = shape.attention.qk_norm_kind = Norm::Kind::layer_composed;
    shape.branches = Branches::parallel;
    shape.residual_first = true;
    if (config.flag_or({"use_qk_norm"}, false)) shape.attention.qk_norm = QueryKeyNorm::each_head;
    return decoder_of(config, shape, true);
}

}  // namespace

extern const Architecture cohere{{"cohere"},
                                 {"CohereForCausalLM"},
                                 "CohereConfig",
                                 {{"vocab_size", 256000},
                                  {"hidden_size", 8192},
                                  {"intermediate_size", 22528},
                                  {"num_hidden_layers", 40},
                                  {"num_attention_heads", 64},
                                  {"max_position_embeddings", 8192}},
                                 build_cohere,
                                 true};

}  // namespace plimsoll::architecture
