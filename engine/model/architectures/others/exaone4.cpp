// EXAONE 4: norms behind each sub-layer and over each head, three windows to one full layer where there is a window.
// K-EXAONE: the same attention with norms before, experts after the first dense layers. EXAONE 3 (remote code): Llama's
// layer under GPT's names. Source: transformers, models/exaone4, exaone_moe: configuration and modeling;
// configuration_exaone.py and modeling_exaone.py of EXAONE-3.5.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_exaone4(Reader& config) {
    const std::string type = config.word_or({"model_type"}, "exaone4");
    LayerShape full = read_dense_layer(config);
    if (type == "exaone") return decoder_of(config, full);
    full.attention.qk_norm = QueryKeyNorm::head;
    if (type == "exaone4") full.place = NormPlace::after;
    LayerShape windowed = full;
    windowed.attention.window = config.optional_count({"sliding_window"});
    const std::string* letters = config.facts().get<std::string>("sliding_window_pattern");  // LLLG: the full one last
    Pattern pattern = windowed_layers(
        config, letters ? static_cast<double>(letters->size()) : config.number_or({"sliding_window_pattern"}, 4));
    if (!windowed.attention.window) pattern.assign(pattern.size(), 0);
    if (type == "exaone4") return decoder_of(config, {{"full_layer", &full}, {"sliding_layer", &windowed}}, pattern);
    LayerShape sparse = full, windowed_sparse = windowed;
    sparse.mixture = read_mixture(config);
    sparse.mixture->shared = config.count({"num_shared_experts"}) * sparse.mixture->intermediate;
    windowed_sparse.mixture = sparse.mixture;
    Model model = decoder_of(config,
                             {{"full_layer", &full},
                              {"sliding_layer", &windowed},
                              {"full_sparse_layer", &sparse},
                              {"sliding_sparse_layer", &windowed_sparse}},
                             combined(std::move(pattern), sparse_layers(config)));
    append_prediction(config, model, full);
    return model;
}

}  // namespace

extern const Architecture exaone4{{"exaone4", "exaone_moe", "exaone"},
                                  {"Exaone4ForCausalLM", "ExaoneMoeForCausalLM", "ExaoneForCausalLM"},
                                  "Exaone4Config",
                                  {{"vocab_size", 102400},
                                   {"hidden_size", 4096},
                                   {"intermediate_size", 16384},
                                   {"num_hidden_layers", 32},
                                   {"num_attention_heads", 32},
                                   {"max_position_embeddings", 2048},
                                   {"sliding_window", 4096},
                                   {"moe_intermediate_size", 1024},
                                   {"num_experts", 64},
                                   {"num_experts_per_tok", 8},
                                   {"num_shared_experts", 1},
                                   {"first_k_dense_replace", 1}},
                                  build_exaone4};

}  // namespace plimsoll::architecture
