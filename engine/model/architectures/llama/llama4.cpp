// Llama 4 (Scout, Maverick): grouped attention, in three layers of four within chunks of the text and with rotation,
// norms without weights over their heads; experts with a shared one in each layer or each second; a vision tower and
// projector. Source: transformers, models/llama4/configuration_llama4.py and modeling_llama4.py.
#include <algorithm>

#include "model/build/decoder.h"

namespace plimsoll::architecture {
namespace {

const std::initializer_list<ClassDefault> text_defaults = {
    {"vocab_size", 202048},         {"hidden_size", 5120},
    {"intermediate_size", 8192},    {"intermediate_size_mlp", 16384},
    {"num_hidden_layers", 48},      {"num_attention_heads", 40},
    {"num_key_value_heads", 8},     {"head_dim", 128},
    {"num_local_experts", 16},      {"num_experts_per_tok", 1},
    {"attention_chunk_size", 8192}, {"max_position_embeddings", 131072}};

// 1 for each `period`th layer.
Pattern every(Reader& config, const char* field, double otherwise) {
    const double period = std::max(1.0, config.number_or({field}, otherwise));
    return pattern_by(config, [period](double index) { return is_multiple(index + 1, period); });
}

// 1 for the layers with experts: those that are listed, else every so many.
Pattern expert_layers(Reader& config) {
    const auto listed = layers_listed(config, "moe_layers");
    return listed ? *listed : every(config, "interleave_moe_layer_step", 1);
}

// 1 for the layers within chunks, which rotate: as the list's flags say, else all but every so many.
Pattern chunked_layers(Reader& config) {
    const std::vector<double>* flags = config.numbers("no_rope_layers");
    if (flags && !flags->empty())
        return pattern_by(config, [flags](double index) {
            const auto at = static_cast<size_t>(index);
            return at >= flags->size() || (*flags)[at] != 0;
        });
    const Pattern full = every(config, "no_rope_layer_interval", 4);
    return pattern_by(config, [&full](double index) { return full[static_cast<size_t>(index)] == 0; });
}

void append_llama4_vision(Reader& config, Model& model) {
    config.enter("vision_config", "Llama4VisionConfig",
                 {{"hidden_size", 768},
                  {"intermediate_size", 5632},
                  {"num_hidden_layers", 34},
                  {"num_attention_heads", 16},
                  {"num_channels", 3},
                  {"image_size", 448},
                  {"patch_size", 14},
                  {"projector_input_dim", 4096},
                  {"projector_output_dim", 4096},
                  {"vision_output_dim", 7680}});
    const LayerShape layer = read_vision_layer(config);
    const Traced &width = layer.attention.hidden, patch = config.count({"patch_size"}),
                 image = config.count({"image_size"});
    Block patches;
    append_linear(patches, "patch_embedding", Part::embedding, config.count({"num_channels"}) * patch * patch, width,
                  false, "pixels", "x");
    const Traced side = Traced::name(Made::term, "patches_a_side", rounded_down(image / patch));
    patches.ops.push_back(
        Lookup{"position_and_class_embedding", Part::embedding, side * side + Traced(2), width, true, "positions"});
    for (int norm = 0; norm < 2; ++norm) append_normed(patches, Norm::Kind::layer, true, width, "x", "x");
    const Traced adapted = config.count({"projector_input_dim"}), out = config.count({"projector_output_dim"});
    append_linear(patches, "adapter_in", Part::feed_forward, layer.feed_forward.intermediate, adapted, false, "x", "x");
    append_linear(patches, "adapter_out", Part::feed_forward, adapted, out, false, "x", "x");
    model.towers.push_back({"vision",
                            {{"vision_embedding", Traced(1), std::move(patches)},
                             {"vision_layer", config.count({"num_hidden_layers"}), layer_of(layer)}}});
    Block projector;
    if (model.hidden_size)
        append_linear(projector, "input_projection", Part::embedding, config.count({"vision_output_dim"}),
                      *model.hidden_size, false, "x", "x");
    model.towers.push_back({"projector", {{"projector", Traced(1), std::move(projector)}}});
    config.enter("", "Llama4Config", {});
}

Model build_llama4(Reader& config) {
    const bool nested = config.word_or({"model_type"}, "") == "llama4" || config.has("text_config.model_type") ||
                        config.has("text_config.hidden_size");
    if (nested) config.enter("text_config", "Llama4TextConfig", text_defaults);
    LayerShape full = read_layer(config);
    full.attention.rotary = false;
    full.feed_forward.intermediate = config.count({"intermediate_size_mlp"});
    LayerShape full_sparse = full;
    full_sparse.mixture = read_mixture(config);
    full_sparse.mixture->shared = full_sparse.mixture->intermediate;
    LayerShape chunked = full, chunked_sparse = full_sparse;
    AttentionShape& attention = chunked.attention;
    attention.window = config.optional_count({"attention_chunk_size"});
    attention.rotary = true;
    if (config.flag_or({"use_qk_norm"}, true)) attention.qk_norm = QueryKeyNorm::head;
    attention.qk_norm_weight = false;
    chunked_sparse.attention = attention;
    Model model = decoder_of(config,
                             {{"full_layer", &full},
                              {"full_sparse_layer", &full_sparse},
                              {"chunked_layer", &chunked},
                              {"chunked_sparse_layer", &chunked_sparse}},
                             combined(expert_layers(config), chunked_layers(config)));
    if (nested) append_llama4_vision(config, model);
    return model;
}

}  // namespace

extern const Architecture llama4{{"llama4", "llama4_text"},
                                 {"Llama4ForConditionalGeneration", "Llama4ForCausalLM"},
                                 "Llama4TextConfig",
                                 text_defaults,
                                 build_llama4};

}  // namespace plimsoll::architecture
