// OPT: GPT's layer with ReLU and biases everywhere, two rows of positions more than positions. The 350M normalises
// after each sub-layer, has no final norm, and a narrower embedding with a projection in and out. Source: transformers,
// models/opt/configuration_opt.py and modeling_opt.py.
#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

Model build_opt(Reader& config) {
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.bias = layer.attention.output_bias = config.flag_or({"enable_bias"}, true);
    layer.attention.rotary = false;
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.dropout = config.number_or({"dropout"}, 0.1);
    const bool affine = config.flag_or({"layer_norm_elementwise_affine"}, true);
    const bool before = config.flag_or({"do_layer_norm_before"}, true);
    layer.norm_weight = layer.norm_bias = affine;
    if (!before) layer.place = NormPlace::after_sum;
    const Traced& hidden = layer.attention.hidden;
    layer.feed_forward = {.hidden = hidden,
                          .intermediate = config.count({"ffn_dim"}),
                          .gated = false,
                          .bias = layer.attention.bias,
                          .activation = read_activation(config, "relu")};
    Model model = decoder_of(config, layer, true);
    if (config.error()) return model;
    if (!before || config.flag_or({"_remove_final_layer_norm"}, false)) model.head.ops.clear();
    const Traced narrow = config.count_or({"word_embed_proj_dim"}, hidden, "not stated: the hidden width");
    if (narrow.value() != hidden.value()) {
        (*model.embedding.ops.front().as<Lookup>()).width = narrow;
        append_linear(model.embedding, "project_in", Part::embedding, narrow, hidden, false, "x", "x_wide");
        append_linear(model.head, "project_out", Part::head, hidden, narrow, false, "x", "final");
    }
    const Traced positions = config.count({"max_position_embeddings"}) + constant("position_offset", 2);
    model.embedding.ops.push_back(Lookup{"position_embedding", Part::embedding, positions, hidden, true, "positions"});
    return model;
}

}  // namespace

extern const Architecture opt{{"opt"},
                              {"OPTForCausalLM"},
                              "OPTConfig",
                              {{"vocab_size", 50272},
                               {"hidden_size", 768},
                               {"num_hidden_layers", 12},
                               {"ffn_dim", 3072},
                               {"max_position_embeddings", 2048},
                               {"num_attention_heads", 12}},
                              build_opt};

}  // namespace plimsoll::architecture
