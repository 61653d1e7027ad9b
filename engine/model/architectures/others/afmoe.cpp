// Arcee's Trinity: attention with normed heads and a gate on its output, four norms, a window in all but each fourth
// layer; experts after the first dense layers, whose router's bias is a parameter. Source: transformers,
// models/afmoe/configuration_afmoe.py and modeling_afmoe.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_afmoe(Reader& config) {
    LayerShape full = read_dense_layer(config);
    full.attention.qk_norm = QueryKeyNorm::head;
    full.attention.gate = OutputGate::projected;
    full.place = NormPlace::both;
    LayerShape full_sparse = full;
    full_sparse.mixture = read_mixture(config);
    full_sparse.mixture->shared = config.count({"num_shared_experts"}) * full_sparse.mixture->intermediate;
    full_sparse.mixture->correction_bias = true;
    LayerShape sliding = full, sliding_sparse = full_sparse;
    sliding.attention.window = sliding_sparse.attention.window = config.optional_count({"sliding_window"});
    Pattern windowed = windowed_layers(config, config.number_or({"global_attn_every_n_layers"}, 4));
    const double dense = config.number_or({"num_dense_layers"}, 1);
    const Pattern sparse = pattern_by(config, [dense](double index) { return index >= dense; });
    return decoder_of(config,
                      {{"full_layer", &full},
                       {"sliding_layer", &sliding},
                       {"full_sparse_layer", &full_sparse},
                       {"sliding_sparse_layer", &sliding_sparse}},
                      combined(std::move(windowed), sparse), false, KindCounts::each);
}

}  // namespace

extern const Architecture afmoe{{"afmoe"},
                                {"AfmoeForCausalLM"},
                                "AfmoeConfig",
                                {{"vocab_size", 200192},
                                 {"hidden_size", 2048},
                                 {"intermediate_size", 6144},
                                 {"moe_intermediate_size", 1408},
                                 {"num_hidden_layers", 32},
                                 {"num_attention_heads", 16},
                                 {"head_dim", 128},
                                 {"max_position_embeddings", 16384},
                                 {"num_experts", 64},
                                 {"num_experts_per_tok", 6},
                                 {"num_shared_experts", 2},
                                 {"sliding_window", 1024}},
                                build_afmoe};

}  // namespace plimsoll::architecture
