// Gemma 4: Gemma 3's layer with normed values; full layers have wider heads and may take keys for values; the E models
// have an embedding for each layer and last layers that borrow keys and values; the mixtures have experts beside the
// feed-forward. Source: transformers, models/gemma4/configuration_gemma4.py and modeling_gemma4.py.
#include "model/build/layer.h"
#include "model/build/per_layer.h"

namespace plimsoll::architecture {
namespace {

constexpr auto gemma = Norm::Kind::rms_gemma;
const std::initializer_list<ClassDefault> text_defaults = {{"vocab_size", 262144},
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
    shape.norm = shape.attention.qk_norm_kind = gemma;
    shape.attention.qk_norm = QueryKeyNorm::head;
    shape.place = NormPlace::both;
}

// Experts work on what the feed-forward was given, normed anew; both results are normed, added, and normed together.
void append_experts(Reader& config, Block& layer, const Traced& hidden) {
    Experts experts{Part::experts, config.count({"num_experts"}),           config.count({"top_k_experts"}),
                    hidden,        config.count({"moe_intermediate_size"}), "expert_input",
                    "experts_out"};
    experts.correction_bias = true;  // here: a scale for each expert's output
    Block beside;
    for (Op& op : layer.ops) {
        if (Norm* norm = op.as<Norm>(); norm && norm->from == "feed_forward_out") {
            append_normed(beside, gemma, false, hidden, "feed_forward_out", "dense_normed");
            append_normed(beside, gemma, false, hidden, "x_attended", "router_input");
            append_normed(beside, gemma, false, hidden, "x_attended", "expert_input");
            beside.ops.push_back(experts);
            append_normed(beside, gemma, false, hidden, "experts_out", "experts_normed");
            beside.ops.push_back(Add{Part::experts, "dense_normed", "experts_normed", "fed"});
            norm->from = "fed";
        }
        beside.ops.push_back(std::move(op));
    }
    layer = std::move(beside);
}

void append_vision(Reader& config, Model& model) {
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
void append_towers(Reader& config, Model& model) {
    config.enter("", "Gemma4Config", {});
    const bool sees = config.has("vision_config.hidden_size") || config.has("vision_config.model_type"),
               hears = config.has("audio_config.hidden_size") || config.has("audio_config.model_type");
    if (sees) append_vision(config, model);
    if (hears) append_audio(config, model);
    config.enter("", "Gemma4Config", {});
}

Model build(Reader& config) {
    const bool nested = config.word_or({"model_type"}, "") == "gemma4" || config.has("text_config.model_type") ||
                        config.has("text_config.hidden_size");
    if (nested) config.enter("text_config", "Gemma4TextConfig", text_defaults);
    LayerShape sliding = read_dense_layer(config);
    gemma_norms(sliding);
    const bool keys_are_values = config.flag_or({"attention_k_eq_v"}, false);
    LayerShape full = sliding;
    if (const auto wider = config.optional_count({"global_head_dim"})) full.attention.head_dim = *wider;
    if (keys_are_values)
        full.attention.kv_heads =
            config.optional_count({"num_global_key_value_heads"}).value_or(full.attention.kv_heads);
    sliding.attention.window = config.optional_count({"sliding_window"});
    Model model = decoder_of(config, sliding, true);
    if (config.error()) return model;

    const Traced& hidden = sliding.attention.hidden;
    const auto layer_input = config.optional_count({"hidden_size_per_layer_input"});
    const bool experts = config.flag_or({"enable_moe_block"}, false);
    Pattern pattern = windowed_layers(config, 6);
    pattern.back() = 0;  // the class forces it
    const double borrowed = static_cast<double>(pattern.size()) - config.number_or({"num_kv_shared_layers"}, 0);
    std::vector<NamedBlock> kinds;
    for (const char* name : {"full_layer", "sliding_layer", "full_borrowing_layer", "sliding_borrowing_layer"}) {
        const size_t kind = kinds.size();
        LayerShape shape = kind % 2 ? sliding : full;
        if (kind >= 2 && config.flag_or({"use_double_wide_mlp"}, false))
            shape.feed_forward.intermediate = Traced(2) * shape.feed_forward.intermediate;
        Block layer = with_normed_values(layer_of(shape), shape.attention, keys_are_values && kind % 2 == 0);
        if (kind >= 2) layer = with_borrowed_keys(std::move(layer), shape.attention, false);
        if (experts) append_experts(config, layer, hidden);
        if (layer_input) append_layer_input(layer, hidden, *layer_input);
        kinds.push_back({name, std::move(layer)});
    }
    std::vector<unsigned short> order(pattern.begin(), pattern.end());
    for (size_t index = 0; index < order.size(); ++index)
        if (static_cast<double>(index) >= borrowed) order[index] = static_cast<unsigned short>(order[index] + 2);
    set_pattern(config, model, std::move(kinds), std::move(order));
    model.scaled_layers = true;
    model.rotary_factors = {full.attention.head_dim.value() / 2};  // of the full layers, which turn a part of each head
    if (layer_input) append_layer_embeddings(config, model, *layer_input);
    if (nested) append_towers(config, model);
    return model;
}

}  // namespace

extern const Architecture gemma4{{"gemma4", "gemma4_text"},
                                 {"Gemma4ForConditionalGeneration", "Gemma4ForCausalLM"},
                                 "Gemma4TextConfig",
                                 text_defaults,
                                 build};

}  // namespace plimsoll::architecture
