#include "model/build/layer.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

void append_latent_attention(Block& block, const AttentionShape& shape, const LatentShape& latent, Label from,
                             Label to) {
    const auto linear = [&block](Label name, const Traced& in, const Traced& out, bool bias, Label input,
                                 Label output) {
        append_linear(block, name, Part::attention, in, out, bias, input, output);
    };
    const Traced key_width = Traced::name(Made::term, "key_width", latent.nope + latent.rope);
    const Traced q_width = Traced::name(Made::term, "q_width", shape.heads * key_width);
    if (latent.query_rank) {
        linear("q_a_proj", shape.hidden, *latent.query_rank, shape.bias, from, "q_latent");
        append_normed(block, Norm::Kind::rms, false, *latent.query_rank, "q_latent", "q_latent_normed");
        linear("q_b_proj", *latent.query_rank, q_width, false, "q_latent_normed", "q");
    } else {
        linear("q_proj", shape.hidden, q_width, false, from, "q");
    }
    linear("kv_a_proj", shape.hidden, latent.rank + latent.rope, shape.bias, from, "kv_latent");
    block.ops.push_back(Split{Part::attention, "kv_latent", {{"latent", latent.rank}, {"k_rope", latent.rope}}});
    append_normed(block, Norm::Kind::rms, false, latent.rank, "latent", "latent_normed");
    linear("kv_b_proj", latent.rank, shape.heads * (latent.nope + latent.value), false, "latent_normed", "kv");
    if (latent.index_heads) {
        linear("index_q_proj", latent.query_rank.value_or(shape.hidden), *latent.index_heads * *latent.index_width,
               false, latent.query_rank ? "q_latent_normed" : from, "index_q");
        linear("index_k_proj", shape.hidden, *latent.index_width, false, from, "index_k");
        append_normed(block, Norm::Kind::layer, true, *latent.index_width, "index_k", "index_k_normed");
        linear("index_weights_proj", shape.hidden, *latent.index_heads, false, from, "index_weights");
    }
    block.ops.push_back(
        LatentAttention{Part::attention, latent.rank, latent.rope, key_width,
                        latent.index_heads ? latent.index_width : std::nullopt, "q", "kv", "k_rope",
                        Attention{Part::attention, shape.heads, shape.heads, latent.value, std::nullopt, true, false,
                                  shape.dropout, "q_rotated", "k_whole", "v", "attended"}});
    linear("o_proj", shape.heads * latent.value, shape.hidden, shape.output_bias, "attended", to);
}

void append_mixture(Block& block, const Traced& hidden, const MixtureShape& shape, Label from, Label to) {
    const bool shared = shape.shared.has_value();
    Experts experts{
        Part::experts, shape.experts, shape.active, hidden, shape.intermediate, from, shared ? "routed_out" : to};
    experts.bias = shape.bias;
    experts.correction_bias = shape.correction_bias;
    experts.correction_buffer = shape.correction_buffer;
    experts.sigmoid = shape.sigmoid, experts.renormalised = shape.renormalised;
    experts.router_in_fp32 = shape.router_in_fp32;
    block.ops.push_back(std::move(experts));
    if (!shared) return;
    FeedForwardShape expert{hidden, *shape.shared};
    expert.part = Part::shared_experts;
    expert.bias = shape.shared_bias;
    append_feed_forward(block, expert, from, "shared_out");
    Label out = "shared_out";
    if (shape.shared_gate) {
        append_linear(block, "shared_gate", Part::shared_experts, hidden, Traced(1), false, from, "shared_gate");
        block.ops.push_back(
            Activation{Part::shared_experts, Activation::Kind::from_output, "shared_gate", "shared_open"});
        block.ops.push_back(Multiply{Part::shared_experts, "shared_out", "shared_open", "shared_gated"});
        out = "shared_gated";
    }
    block.ops.push_back(Add{Part::experts, "routed_out", out, to});
}

}  // namespace

LayerShape read_layer(Reader& config, bool bias) {
    LayerShape shape;
    shape.attention = read_attention(config);
    shape.attention.bias = shape.attention.output_bias = config.flag_or({"attention_bias"}, bias);
    shape.attention.dropout = config.number_or({"attention_dropout"}, 0);
    shape.feed_forward.hidden = shape.attention.hidden;
    return shape;
}

LayerShape read_dense_layer(Reader& config, bool bias) {
    LayerShape shape = read_layer(config, bias);
    shape.feed_forward.intermediate = config.count({"intermediate_size"});
    shape.feed_forward.activation = read_activation(config, "silu");
    shape.feed_forward.bias = config.flag_or({"mlp_bias"}, false);
    return shape;
}

LayerShape read_vision_layer(Reader& config) {
    LayerShape shape = read_dense_layer(config, true);
    shape.feed_forward.bias = shape.norm_bias = true;
    shape.attention.rotary = shape.feed_forward.gated = false;
    shape.norm = Norm::Kind::layer;
    return shape;
}

LatentShape read_latent(Reader& config) {
    LatentShape latent;
    latent.query_rank = config.optional_count({"q_lora_rank"});
    latent.rank = config.count({"kv_lora_rank"});
    latent.nope = config.count({"qk_nope_head_dim"});
    latent.rope = config.count({"qk_rope_head_dim"});
    latent.value = config.count({"v_head_dim"});
    return latent;
}

MixtureShape read_mixture(Reader& config) {
    MixtureShape mixture;
    mixture.experts = config.count({"n_routed_experts", "num_experts", "num_local_experts"});
    mixture.active = config.count({"num_experts_per_tok", "num_experts_per_token"});
    mixture.intermediate = config.count({"moe_intermediate_size", "intermediate_size"});
    mixture.sigmoid = config.word_or({"scoring_func"}, "") == "sigmoid";
    mixture.correction_buffer = config.word_or({"topk_method"}, "") == "noaux_tc" || mixture.sigmoid;
    mixture.renormalised = config.flag_or({"norm_topk_prob"}, true);
    if (const auto shared = config.optional_count({"n_shared_experts"}))
        mixture.shared = Traced::name(Made::term, "shared_intermediate_size", *shared * mixture.intermediate);
    if (mixture.active.value() > mixture.experts.value())
        config.fail("num_experts_per_tok", "out_of_range", "a token cannot visit more experts than there are",
                    "num_experts_per_tok must not exceed the number of experts");
    return mixture;
}

Block layer_of(const LayerShape& shape) {
    Block layer;
    const Traced& hidden = shape.attention.hidden;
    const auto norm = [&](Label from, Label to) {
        layer.ops.push_back(Norm{"norm", shape.norm, hidden, shape.norm_weight, shape.norm_bias, from, to});
    };
    const auto attend = [&](Label from, Label to) {
        if (shape.latent)
            append_latent_attention(layer, shape.attention, *shape.latent, from, to);
        else
            append_attention(layer, shape.attention, from, to);
    };
    const auto feed_forward = [&](Label from, Label to) {
        if (shape.mixture)
            append_mixture(layer, hidden, *shape.mixture, from, to);
        else
            append_feed_forward(layer, shape.feed_forward, from, to);
    };
    const auto drop = [&](Part part, Label from, Label to) {
        if (shape.dropout) layer.ops.push_back(Dropout{part, *shape.dropout, from, to});
        return shape.dropout ? to : from;
    };
    const Part second = shape.mixture ? Part::experts : Part::feed_forward;
    if (shape.parallel) {
        norm("x", "normed");
        attend("normed", "attention_out");
        feed_forward("normed", "feed_forward_out");
        layer.ops.push_back(Add{Part::attention, "x", "attention_out", "x_attended"});
        layer.ops.push_back(Add{second, "x_attended", "feed_forward_out", "x_out"});
        return layer;
    }
    const bool before = shape.place != NormPlace::after, after = shape.place != NormPlace::before;
    if (before) norm("x", "normed");
    attend(before ? "normed" : "x", "attention_out");
    if (after) norm("attention_out", "attention_normed");
    const Label attended = drop(Part::attention, after ? "attention_normed" : "attention_out", "attention_dropped");
    layer.ops.push_back(Add{Part::attention, "x", attended, "x_attended"});
    if (before) norm("x_attended", "normed_2");
    feed_forward(before ? "normed_2" : "x_attended", "feed_forward_out");
    if (after) norm("feed_forward_out", "feed_forward_normed");
    const Label fed = drop(second, after ? "feed_forward_normed" : "feed_forward_out", "feed_forward_dropped");
    layer.ops.push_back(Add{second, "x_attended", fed, "x_out"});
    return layer;
}

Model decoder_of(Reader& config, const LayerShape& shape, bool tied) {
    Model model = decoder(config, shape.attention.hidden, shape.norm, shape.norm_bias, layer_of(shape));
    model.tied = config.flag_or({"tie_word_embeddings"}, tied);
    if (!shape.norm_weight && !model.head.ops.empty()) (*model.head.ops.front().as<Norm>()).weight = false;
    return model;
}

Model decoder_of(Reader& config, std::initializer_list<Variant> variants, const Pattern& pattern, bool tied) {
    Model model = decoder_of(config, *variants.begin()->shape, tied);
    if (config.error()) return model;
    const Traced layers = model.kinds.front().count;
    model.kinds.clear();
    std::vector<unsigned short> kind_of;
    Traced others = layers;  // the kind that comes first has the layers that no other has
    for (const Variant& variant : variants) {
        const auto count = std::count(pattern.begin(), pattern.end(), kind_of.size());
        kind_of.push_back(static_cast<unsigned short>(model.kinds.size()));
        if (count == 0) continue;
        const std::string name(variant.name);
        const bool first = model.kinds.empty();
        const Traced counted =
            first ? layers
                  : Traced::leaf(name + "s", static_cast<double>(count), "counted in the model's pattern of layers");
        if (!first) others = others - counted;
        model.kinds.push_back({name, counted, layer_of(*variant.shape)});
    }
    if (model.kinds.size() > 1)
        model.kinds.front().count = Traced::name(Made::term, model.kinds.front().name + "s", others);
    for (size_t index = 0; index < pattern.size() && index < model.order.size(); ++index)
        model.order[index] = kind_of[pattern[index]];
    return model;
}

size_t layer_count(Reader& config) {
    const double layers = config.number_or({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, 0);
    return layers >= 1 && layers <= 10000 ? static_cast<size_t>(layers)
                                          : 0;  // anything else is an error that decoder() tells
}

std::optional<Pattern> layers_named(Reader& config, Label field, Label word) {
    const std::vector<std::string>* words = config.words(field);
    if (!words) return std::nullopt;
    Pattern named(layer_count(config));
    for (size_t index = 0; index < named.size(); ++index)
        named[index] = index < words->size() && (*words)[index] == word;
    return named;
}

Pattern windowed_layers(Reader& config, double period) {
    const auto said = layers_named(config, "layer_types", "sliding_attention");
    Pattern pattern(layer_count(config));
    for (size_t index = 0; index < pattern.size(); ++index)
        pattern[index] = said ? (*said)[index] : !is_multiple(static_cast<double>(index) + 1, period);
    return pattern;
}

Pattern sparse_layers(Reader& config) {
    const auto said = layers_named(config, "mlp_layer_types", "sparse");
    const double dense = config.number_or({"first_k_dense_replace"}, 0);
    const double step = std::max(1.0, config.number_or({"moe_layer_freq"}, 1));
    Pattern pattern(layer_count(config));
    for (size_t index = 0; index < pattern.size(); ++index) {
        const double at = static_cast<double>(index);
        pattern[index] = said ? (*said)[index] : at >= dense && is_multiple(at, step);
    }
    return pattern;
}

Pattern stepped_sparse_layers(Reader& config) {
    const double step = std::max(1.0, config.number_or({"decoder_sparse_step"}, 1));
    Pattern pattern(layer_count(config));
    for (size_t index = 0; index < pattern.size(); ++index)
        pattern[index] = is_multiple(static_cast<double>(index) + 1, step);
    if (const std::vector<double>* dense = config.numbers("mlp_only_layers"))
        for (const double index : *dense)
            if (index >= 0 && index < static_cast<double>(pattern.size())) pattern[static_cast<size_t>(index)] = 0;
    return pattern;
}

Model mixture_decoder(Reader& config, const LayerShape& shape, const MixtureShape& mixture) {
    LayerShape sparse = shape;
    sparse.mixture = mixture;
    Model model = decoder_of(config, {{"dense_layer", &shape}, {"sparse_layer", &sparse}}, sparse_layers(config));
    append_prediction(config, model, sparse);
    return model;
}

Model latent_decoder(Reader& config, bool indexed, bool correction_buffer) {
    LayerShape shape;
    shape.attention.hidden = shape.feed_forward.hidden = config.count({"hidden_size"});
    shape.attention.heads = config.count({"num_attention_heads"});
    shape.attention.bias = shape.attention.output_bias = config.flag_or({"attention_bias"}, false);
    shape.attention.dropout = config.number_or({"attention_dropout"}, 0);
    shape.feed_forward.intermediate = config.count({"intermediate_size"});
    shape.latent = read_latent(config);
    LayerShape sparse = shape;
    if (config.number_or({"n_routed_experts", "num_experts"}, 0) > 0) {
        sparse.mixture = read_mixture(config);
        sparse.mixture->router_in_fp32 = true;
        if (correction_buffer)
            sparse.mixture->scores_by_sigmoid();
        else
            sparse.mixture->renormalised = false;
    }
    Pattern pattern = sparse_layers(config);
    LayerShape indexed_dense = shape, indexed_sparse = sparse;
    if (indexed) {
        indexed_dense.latent->index_heads = indexed_sparse.latent->index_heads = config.count({"index_n_heads"});
        indexed_dense.latent->index_width = indexed_sparse.latent->index_width = config.count({"index_head_dim"});
        // layers without an indexer look at the tokens that the last one before them picked
        const auto shared = layers_named(config, "indexer_types", "shared");
        const std::string letters = config.word_or({"index_topk_pattern"}, "");
        const double step = std::max(1.0, config.number_or({"index_topk_freq"}, 1)),
                     offset = config.number_or({"index_skip_topk_offset"}, 2);
        for (size_t index = 0; index < pattern.size(); ++index) {
            bool picks = index >= letters.size() || letters[index] == 'F';
            if (letters.empty()) picks = is_multiple(std::max(static_cast<double>(index) - offset + 1, 0.0), step);
            if (shared) picks = !(*shared)[index];
            if (picks) pattern[index] = static_cast<unsigned char>(pattern[index] + 2);
        }
    }
    Model model = decoder_of(config,
                             {{"dense_layer", &shape},
                              {"sparse_layer", &sparse},
                              {"dense_indexed_layer", &indexed_dense},
                              {"sparse_indexed_layer", &indexed_sparse}},
                             pattern);
    append_prediction(config, model, indexed_sparse);
    return model;
}

void append_prediction(Reader& config, Model& model, const LayerShape& shape, int norms) {
    const auto layers = config.optional_count({"num_nextn_predict_layers", "mtp_num_hidden_layers"});
    if (!layers || config.error()) return;
    const Traced& hidden = shape.attention.hidden;
    Block block = layer_of(shape);
    append_linear(block, "input_proj", Part::attention, Traced(2) * hidden, hidden, false, "x", "x");
    for (int norm = 0; norm < norms; ++norm) append_normed(block, shape.norm, false, hidden, "x", "x");
    model.towers.push_back({"mtp", {{"prediction_layer", *layers, std::move(block)}}});
}

}  // namespace plimsoll
