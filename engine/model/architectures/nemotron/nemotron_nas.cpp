// Nemotron-NAS and DeciLM: Llama's layer with a shape of its own in each layer: groups of heads, width of the
// feed-forward, or either of the two left out or replaced by one matrix, as block_configs says.
// Source: the modeling_decilm.py and block_config.py of the models' own repositories.
#include <algorithm>
#include <cmath>

#include "model/build/decoder.h"
#include "number/shown.h"

namespace plimsoll::architecture {
namespace {

/// What stands in a half of a layer.
enum class Half : unsigned char { usual, linear, none };

Half half_of(Reader& config) {
    if (config.flag_or({"no_op"}, false)) return Half::none;
    return config.flag_or({"replace_with_linear"}, false) ? Half::linear : Half::usual;
}

/// The layer that is read, and what tells its kind from others.
struct Described {
    LayerShape shape;
    std::string key;
};

Block linear(Label name, Part part, const Traced& hidden, Label from, Label to) {
    Block block;
    append_linear(block, name, part, hidden, hidden, false, from, to);
    return block;
}

void read_attention_half(Reader& config, Described& layer) {
    AttentionShape& attention = layer.shape.attention;
    const Half half = half_of(config);
    if (half == Half::none) layer.shape.mixer.emplace();
    if (half == Half::linear) {
        layer.shape.mixer = linear("linear_attn", Part::attention, attention.hidden, "normed", "mixed");
        layer.key += "l";
    }
    if (half != Half::usual) return;
    const Traced group = config.count({"n_heads_in_group"});
    config.require_multiple(attention.heads, group, "n_heads_in_group");
    attention.kv_heads = Traced::name(Made::term, "num_key_value_heads", attention.heads / group);
    layer.key += shown(group.value());
}

Traced feed_forward_width(Reader& config, const Traced& hidden) {
    if (config.has("intermediate_size")) return config.count({"intermediate_size"});
    const double width = std::floor(2 * config.number_or({"ffn_mult"}, 0) * hidden.value() / 3);
    return Traced::leaf("ffn_width", 256 * std::ceil(width / 256),
                        "two thirds of ffn_mult × hidden_size, rounded up to 256");
}

void read_feed_forward_half(Reader& config, Described& layer) {
    const Traced& hidden = layer.shape.attention.hidden;
    const Half half = half_of(config);
    if (half == Half::none) layer.shape.other_feed_forward.emplace();
    if (half == Half::linear) {
        layer.shape.other_feed_forward =
            linear("linear_mlp", Part::feed_forward, hidden, "normed_2", "feed_forward_out");
        layer.key += "/l";
    }
    if (half != Half::usual) return;
    layer.shape.feed_forward = {.hidden = hidden, .intermediate = feed_forward_width(config, hidden)};
    const double width = layer.shape.feed_forward.intermediate.value();
    if (!(width >= 1))
        config.fail("ffn_mult", "missing_field", "ffn_mult is missing",
                    "copy block_configs from the model's config.json");
    layer.key += "/" + shown(width);
}

Described layer_at(Reader& config, const LayerShape& usual, const std::string& at) {
    Described layer{usual, {}};
    config.enter((at + ".attention").c_str(), "AttentionConfig", {});
    read_attention_half(config, layer);
    config.enter((at + ".ffn").c_str(), "FFNConfig", {});
    read_feed_forward_half(config, layer);
    config.enter("", "DeciLMConfig", {});
    return layer;
}

// DeciLM-7B: only the key-value heads differ.
Described layer_with(Reader& config, const LayerShape& usual, double kv_heads) {
    Described layer{usual, shown(kv_heads)};
    AttentionShape& attention = layer.shape.attention;
    attention.kv_heads = Traced::leaf("num_key_value_heads", kv_heads, "num_key_value_heads_per_layer");
    config.require_multiple(attention.heads, attention.kv_heads, "num_key_value_heads_per_layer");
    layer.shape.feed_forward = {.hidden = attention.hidden, .intermediate = config.count({"intermediate_size"})};
    return layer;
}

AttentionShape read_usual_attention(Reader& config) {
    AttentionShape attention;
    attention.hidden = config.count({"hidden_size"});
    attention.heads = attention.kv_heads = config.count({"num_attention_heads"});
    attention.head_dim =
        config.has("head_dim") ? config.count({"head_dim"}) : config.head_dim(attention.hidden, attention.heads);
    attention.bias = attention.output_bias = config.flag_or({"attention_bias"}, false);
    return attention;
}

Model build_nemotron_nas(Reader& config) {
    LayerShape usual;
    usual.attention = read_usual_attention(config);
    Model model = decoder(config, usual.attention.hidden, usual.norm, false, {});
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    const std::vector<double>* kv_heads = config.numbers("num_key_value_heads_per_layer");
    std::vector<NamedBlock> kinds;
    std::vector<std::string> keys;
    Pattern pattern;
    for (size_t index = 0; index < model.order.size() && !config.error(); ++index) {
        const Described layer = kv_heads && index < kv_heads->size()
                                    ? layer_with(config, usual, (*kv_heads)[index])
                                    : layer_at(config, usual, "block_configs." + std::to_string(index));
        const auto kind = static_cast<size_t>(std::find(keys.begin(), keys.end(), layer.key) - keys.begin());
        pattern.push_back(static_cast<unsigned short>(kind));
        if (kind < keys.size()) continue;
        keys.push_back(layer.key);
        kinds.push_back({"layer_" + std::to_string(kind + 1), layer_of(layer.shape)});
    }
    set_layers(config, model, std::move(kinds), std::move(pattern));
    return model;
}

}  // namespace

extern const Architecture nemotron_nas{
    {"nemotron-nas", "deci"}, {"DeciLMForCausalLM"}, "DeciLMConfig", {}, build_nemotron_nas};

}  // namespace plimsoll::architecture
