// DeepSeek-V2's and -V3's models: which layers have experts, and which an indexer of their own.
#include "model/build/latent_decoder.h"

#include <algorithm>

namespace plimsoll {
namespace {

MixtureShape read_experts(Reader& config, bool correction_buffer) {
    MixtureShape mixture = read_mixture(config);
    mixture.router_in_fp32 = true;
    if (correction_buffer)
        mixture.scores_by_sigmoid();
    else
        mixture.renormalised = false;
    return mixture;
}

/// 1 for the layers with an indexer; the others look at the tokens that the last one before them picked.
Pattern indexed_layers(Reader& config) {
    const auto shared = layers_named(config, "indexer_types", "shared");
    const std::string letters = config.word_or({"index_topk_pattern"}, "");
    const double step = std::max(1.0, config.number_or({"index_topk_freq"}, 1)),
                 offset = config.number_or({"index_skip_topk_offset"}, 2);
    return pattern_by(config, [&](double index) {
        const auto at = static_cast<size_t>(index);
        if (shared) return (*shared)[at] == 0;
        if (letters.empty()) return is_multiple(std::max(index - offset + 1, 0.0), step);
        return at >= letters.size() || letters[at] == 'F';
    });
}

}  // namespace

LayerShape read_latent_layer(Reader& config) {
    LayerShape shape;
    shape.attention.hidden = shape.feed_forward.hidden = config.count({"hidden_size"});
    shape.attention.heads = config.count({"num_attention_heads"});
    shape.attention.bias = shape.attention.output_bias = config.flag_or({"attention_bias"}, false);
    shape.attention.dropout = config.number_or({"attention_dropout"}, 0);
    shape.feed_forward.intermediate = config.count({"intermediate_size"});
    shape.latent = read_latent(config);
    return shape;
}

Model latent_decoder(Reader& config, bool indexed, bool correction_buffer) {
    const LayerShape dense = read_latent_layer(config);
    LayerShape sparse = dense;
    if (config.number_or({"n_routed_experts", "num_experts"}, 0) > 0)
        sparse.mixture = read_experts(config, correction_buffer);
    Pattern pattern = sparse_layers(config);
    LayerShape dense_indexed = dense, sparse_indexed = sparse;
    if (indexed) {
        const Traced heads = config.count({"index_n_heads"}), width = config.count({"index_head_dim"});
        for (LayerShape* shape : {&dense_indexed, &sparse_indexed}) {
            shape->latent->index_heads = heads;
            shape->latent->index_width = width;
        }
        pattern = combined(std::move(pattern), indexed_layers(config));
    }
    Model model = decoder_of(config,
                             {{"dense_layer", &dense},
                              {"sparse_layer", &sparse},
                              {"dense_indexed_layer", &dense_indexed},
                              {"sparse_indexed_layer", &sparse_indexed}},
                             pattern);
    append_prediction(config, model, sparse_indexed);
    return model;
}

}  // namespace plimsoll
