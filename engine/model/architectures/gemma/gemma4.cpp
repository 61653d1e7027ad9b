// Gemma 4: Gemma 3's layer with normed values; full layers have wider heads and may take keys for values; the E models
// have an embedding for each layer and last layers that borrow keys and values; the mixtures have experts beside the
// feed-forward. Source: transformers, models/gemma4/configuration_gemma4.py and modeling_gemma4.py.
#include "model/build/decoder.h"
#include "model/build/per_layer.h"

namespace plimsoll::architecture {
namespace {

const std::initializer_list<ClassDefault> gemma4_text_defaults = {{"vocab_size", 262144},
                                                                  {"hidden_size", 2304},
                                                                  {"intermediate_size", 9216},
                                                                  {"num_hidden_layers", 30},
                                                                  {"num_attention_heads", 8},
                                                                  {"num_key_value_heads", 4},
                                                                  {"head_dim", 256},
                                                                  {"global_head_dim", 512},
                                                                  {"sliding_window", 512},
                                                                  {"max_position_embeddings", 131072},
                                                                  {"vocab_size_per_layer_input", 262144},
                                                                  {"hidden_size_per_layer_input", 256}};

void gemma_norms(LayerShape& shape) {
    shape.norm = shape.attention.qk_norm_kind = Norm::Kind::rms_gemma;
    shape.attention.qk_norm = QueryKeyNorm::head;
    shape.place = NormPlace::both;
}

// Experts work on what the feed-forward was given, normed anew; both results are normed, and added.
Block experts_beside(Reader& config, const FeedForwardShape& feed_forward) {
    const Traced& hidden = feed_forward.hidden;
    Experts experts{Part::experts, config.count({"num_experts"}),           config.count({"top_k_experts"}),
                    hidden,        config.count({"moe_intermediate_size"}), "expert_input",
                    "experts_out"};
    check_choices(config, experts.active, experts.experts);
    experts.correction_bias = true;  // here: a scale for each expert's output
    Block block;
    append_feed_forward(block, feed_forward, "normed_2", "dense_out");
    append_normed(block, Norm::Kind::rms_gemma, false, hidden, "dense_out", "dense_normed");
    append_normed(block, Norm::Kind::rms_gemma, false, hidden, "x_attended", "router_input");
    append_normed(block, Norm::Kind::rms_gemma, false, hidden, "x_attended", "expert_input");
    block.ops.push_back(std::move(experts));
    append_normed(block, Norm::Kind::rms_gemma, false, hidden, "experts_out", "experts_normed");
    block.ops.push_back(Add{Part::experts, "dense_normed", "experts_normed", "feed_forward_out"});
    return block;
}

void append_gemma4_vision(Reader& config, Model& model) {
    config.enter("vision_config", "Gemma4VisionConfig",
                 {{"hidden_size", 768},
                  {"intermediate_size", 3072},
                  {"num_hidden_layers", 16},
                  {"num_attention_heads", 12},
                  {"num_key_value_heads", 12},
                  {"head_dim", 64},
                  {"patch_size", 16},
                  {"position_embedding_size", 10240}});
    LayerShape shape = read_dense_layer(config);
    gemma_norms(shape);
    const Traced& width = shape.attention.hidden;
    Block rest;
    append_patches(rest, config, width, false, false);
    rest.ops.push_back(Lookup{"position_embedding", Part::feed_forward,
                              Traced(2) * config.count({"position_embedding_size"}), width, true, "x"});
    append_linear(rest, "embedding_projection", Part::feed_forward, width, *model.hidden_size, false, "x", "x");
    add_tower(model, "vision", layer_of(shape), config.count({"num_hidden_layers"}), std::move(rest));
}

void append_audio(Reader& config, Model& model) {
    config.enter("audio_config", "Gemma4AudioConfig",
                 {{"hidden_size", 1024},
                  {"num_hidden_layers", 12},
                  {"num_attention_heads", 8},
                  {"conv_kernel_size", 5},
                  {"output_proj_dims", 1536}});
    conformer_tower(config, model);
    Block rest;
    const Traced out = config.count({"output_proj_dims"});
    append_linear(rest, "output_proj", Part::feed_forward, config.count({"hidden_size"}), out, true, "x", "x");
    append_linear(rest, "embedding_projection", Part::feed_forward, out, *model.hidden_size, false, "x", "x");
    model.towers.back().kinds.push_back({"projection", Traced(1), std::move(rest)});
}

// A configuration that is null or absent: no such tower.
void append_gemma4_towers(Reader& config, Model& model) {
    config.enter("", "Gemma4Config", {});
    const bool sees = config.has("vision_config.hidden_size") || config.has("vision_config.model_type"),
               hears = config.has("audio_config.hidden_size") || config.has("audio_config.model_type");
    if (sees) append_gemma4_vision(config, model);
    if (hears) append_audio(config, model);
    config.enter("", "Gemma4Config", {});
}

// What tells the layers apart.
struct Layers {
    Reader& config;
    LayerShape sliding, full;
    std::optional<Traced> layer_input;  ///< width of the token's embedding for the layer

    Block operator()(bool slides, bool borrows) const {
        LayerShape shape = slides ? sliding : full;
        if (borrows) {
            shape.attention.own_keys = false;
            shape.attention.source = CrossAttention::Source::none;
            if (config.flag_or({"use_double_wide_mlp"}, false))
                shape.feed_forward.intermediate = Traced(2) * shape.feed_forward.intermediate;
        }
        if (config.flag_or({"enable_moe_block"}, false))
            shape.other_feed_forward = experts_beside(config, shape.feed_forward);
        Block layer = layer_of(shape);
        if (layer_input) append_layer_input(layer, shape.attention.hidden, *layer_input);
        return layer;
    }
};

Layers read_layers(Reader& config) {
    LayerShape sliding = read_dense_layer(config);
    gemma_norms(sliding);
    sliding.attention.value_norm = true;
    LayerShape full = sliding;
    AttentionShape& attention = full.attention;
    attention.keys_are_values = config.flag_or({"attention_k_eq_v"}, false);
    if (const auto wider = config.optional_count({"global_head_dim"})) attention.head_dim = *wider;
    if (attention.keys_are_values)
        attention.kv_heads = config.optional_count({"num_global_key_value_heads"}).value_or(attention.kv_heads);
    sliding.attention.window = config.optional_count({"sliding_window"});
    return {config, sliding, full, {}};
}

Model build_gemma4(Reader& config) {
    const bool nested = config.word_or({"model_type"}, "") == "gemma4" || config.has("text_config.model_type") ||
                        config.has("text_config.hidden_size");
    if (nested) config.enter("text_config", "Gemma4TextConfig", gemma4_text_defaults);
    Layers layer = read_layers(config);
    Model model = decoder_of(config, layer.sliding, true);
    if (config.error()) return model;
    layer.layer_input = config.optional_count({"hidden_size_per_layer_input"});
    Pattern windowed = windowed_layers(config, 6);
    windowed.back() = 0;  // the class forces it
    const double own = static_cast<double>(windowed.size()) - config.number_or({"num_kv_shared_layers"}, 0);
    const Pattern borrowing = pattern_by(config, [own](double index) { return index >= own; });
    set_layers(config, model,
               {{"full_layer", layer(false, false)},
                {"sliding_layer", layer(true, false)},
                {"full_borrowing_layer", layer(false, true)},
                {"sliding_borrowing_layer", layer(true, true)}},
               combined(std::move(windowed), borrowing));
    model.scaled_layers = true;
    model.rotary_factors = {layer.full.attention.head_dim.value() / 2};  // these turn a part of each head
    if (layer.layer_input) append_layer_embeddings(config, model, *layer.layer_input);
    if (nested) append_gemma4_towers(config, model);
    return model;
}

}  // namespace

extern const Architecture gemma4{{"gemma4", "gemma4_text"},
                                 {"Gemma4ForConditionalGeneration", "Gemma4ForCausalLM"},
                                 "Gemma4TextConfig",
                                 gemma4_text_defaults,
                                 build_gemma4};

}  // namespace plimsoll::architecture
