// Nemotron-NAS and DeciLM: Llama's layer with a shape of its own in each layer: groups of heads, width of the
// feed-forward, or either of the two left out or replaced by one matrix, as block_configs says.
// Source: the modeling_decilm.py and block_config.py of the models' own repositories.
#include <cmath>

#include "model/build/blocks.h"
#include "number/shown.h"

namespace plimsoll::architecture {
namespace {

constexpr auto rms = Norm::Kind::rms;

/// What stands in a half of a layer.
enum class Half : unsigned char { usual, linear, none };

Half half_of(Reader& config) {
    if (config.flag_or({"no_op"}, false)) return Half::none;
    return config.flag_or({"replace_with_linear"}, false) ? Half::linear : Half::usual;
}

Block layer_at(Reader& config, AttentionShape attention, const std::string& at, std::string& key) {
    const Traced& hidden = attention.hidden;
    Block layer;
    Label x = "x";
    config.enter((at + ".attention").c_str(), "AttentionConfig", {});
    if (const Half half = half_of(config); half != Half::none) {
        append_normed(layer, rms, false, hidden, "x", "normed");
        if (half == Half::linear) {
            append_linear(layer, "linear_attn", Part::attention, hidden, hidden, false, "normed", "attention_out");
            key += "l";
        } else {
            const Traced group = config.count({"n_heads_in_group"});
            config.require_multiple(attention.heads, group, "n_heads_in_group");
            attention.kv_heads = Traced::name(Made::term, "num_key_value_heads", attention.heads / group);
            append_attention(layer, attention, "normed", "attention_out");
            key += shown(group.value());
        }
        layer.ops.push_back(Add{Part::attention, "x", "attention_out", "x_attended"});
        x = "x_attended";
    }
    config.enter((at + ".ffn").c_str(), "FFNConfig", {});
    if (const Half half = half_of(config); half != Half::none) {
        append_normed(layer, rms, false, hidden, x, "normed_2");
        if (half == Half::linear) {
            append_linear(layer, "linear_mlp", Part::feed_forward, hidden, hidden, false, "normed_2",
                          "feed_forward_out");
            key += "/l";
        } else {
            const double width = std::floor(2 * config.number_or({"ffn_mult"}, 0) * hidden.value() / 3);
            const double multiple = 256 * std::ceil(width / 256);
            const Traced intermediate =
                config.has("intermediate_size")
                    ? config.count({"intermediate_size"})
                    : Traced::leaf("ffn_width", multiple, "two thirds of ffn_mult × hidden_size, rounded up to 256");
            if (!(intermediate.value() >= 1))
                config.fail("ffn_mult", "missing_field", "ffn_mult is missing",
                            "copy block_configs from the model's config.json");
            append_feed_forward(layer, {hidden, intermediate}, "normed_2", "feed_forward_out");
            key += "/" + shown(intermediate.value());
        }
        layer.ops.push_back(Add{Part::feed_forward, x, "feed_forward_out", "x_out"});
    }
    config.enter("", "DeciLMConfig", {});
    return layer;
}

Model build(Reader& config) {
    AttentionShape attention;
    attention.hidden = config.count({"hidden_size"});
    attention.heads = attention.kv_heads = config.count({"num_attention_heads"});
    attention.head_dim =
        config.has("head_dim") ? config.count({"head_dim"}) : config.head_dim(attention.hidden, attention.heads);
    attention.bias = attention.output_bias = config.flag_or({"attention_bias"}, false);
    Model model = decoder(config, attention.hidden, rms, false, {});
    model.tied = config.flag_or({"tie_word_embeddings"}, false);
    const std::vector<double>* kv_heads = config.numbers("num_key_value_heads_per_layer");
    std::vector<NamedBlock> kinds;
    std::vector<std::string> keys;
    std::vector<unsigned short> order;
    for (size_t index = 0; index < model.order.size() && !config.error(); ++index) {
        std::string key;
        Block layer;
        if (kv_heads && index < kv_heads->size()) {  // DeciLM-7B: only the key-value heads differ
            key = shown((*kv_heads)[index]);
            attention.kv_heads =
                Traced::leaf("num_key_value_heads", (*kv_heads)[index], "num_key_value_heads_per_layer");
            config.require_multiple(attention.heads, attention.kv_heads, "num_key_value_heads_per_layer");
            layer = sequential_layer(attention, {attention.hidden, config.count({"intermediate_size"})}, rms);
        } else {
            layer = layer_at(config, attention, "block_configs." + std::to_string(index), key);
        }
        size_t kind = 0;
        while (kind < keys.size() && keys[kind] != key) ++kind;
        if (kind == keys.size()) {
            keys.push_back(key);
            kinds.push_back({"layer_" + std::to_string(kind + 1), std::move(layer)});
        }
        order.push_back(static_cast<unsigned short>(kind));
    }
    set_pattern(config, model, std::move(kinds), std::move(order));
    return model;
}

}  // namespace

extern const Architecture nemotron_nas{{"nemotron-nas", "deci"}, {"DeciLMForCausalLM"}, "DeciLMConfig", {}, build};

}  // namespace plimsoll::architecture
