// Persimmon: LayerNorms, also over each head of query and key, a plain feed-forward with squared ReLU, biases on all
// matrices. Fuyu: patches of the image through one linear, in front of it. Source: transformers, models/persimmon,
// fuyu: configuration and modeling.
#include "model/build/towers.h"

namespace plimsoll::architecture {
namespace {

const std::initializer_list<ClassDefault> text_defaults = {
    {"vocab_size", 262144},    {"hidden_size", 4096},       {"intermediate_size", 16384},
    {"num_hidden_layers", 36}, {"num_attention_heads", 64}, {"max_position_embeddings", 16384},
    {"num_channels", 3},       {"patch_size", 30}};

Model build_persimmon(Reader& config) {
    const bool nested = config.has("text_config.hidden_size") || config.has("text_config.model_type");
    if (nested) config.enter("text_config", "PersimmonConfig", text_defaults);
    LayerShape layer;
    layer.layer_norms();
    layer.attention = read_attention(config);
    layer.attention.fused = layer.attention.bias = layer.attention.output_bias = true;
    layer.attention.dropout = config.number_or({"attention_dropout"}, 0);
    layer.attention.qk_norm_kind = Norm::Kind::layer;
    layer.attention.qk_norm_bias = true;
    if (config.flag_or({"qk_layernorm"}, true)) layer.attention.qk_norm = QueryKeyNorm::head;
    layer.dropout = config.number_or({"hidden_dropout"}, 0);
    const Traced& hidden = layer.attention.hidden;
    layer.feed_forward = {.hidden = hidden,
                          .intermediate = config.count({"intermediate_size"}),
                          .gated = false,
                          .bias = true,
                          .activation = read_activation(config, "relu2")};
    Model model = decoder_of(config, layer);
    if (config.error()) return model;
    if (nested) config.enter("", "FuyuConfig", text_defaults);
    if (config.word_or({"model_type"}, "persimmon") != "fuyu") return model;
    Block patches;
    append_patches(patches, config, hidden, true, false);
    add_tower(model, "projector", std::move(patches), Traced(1), {});
    return model;
}

}  // namespace

extern const Architecture persimmon{{"persimmon", "fuyu"},
                                    {"PersimmonForCausalLM", "FuyuForCausalLM"},
                                    "PersimmonConfig",
                                    text_defaults,
                                    build_persimmon};

}  // namespace plimsoll::architecture
