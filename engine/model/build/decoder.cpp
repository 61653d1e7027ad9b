#include "model/build/decoder.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr double most_layers = 10000;  // bounds the work that one request can ask for

}  // namespace

AttentionShape read_attention(Reader& config) {
    AttentionShape shape;
    shape.hidden = config.count({"hidden_size", "n_embd", "n_embed", "d_model"});
    shape.heads = config.count({"num_attention_heads", "n_head", "n_heads", "num_heads"});
    shape.kv_heads =
        config.count_or({"num_key_value_heads"}, shape.heads, "not stated: as many key-value heads as attention heads");
    config.require_multiple(shape.heads, shape.kv_heads, "num_key_value_heads");
    const auto stated = config.optional_count({"head_dim"});
    shape.head_dim = stated ? *stated : config.head_dim(shape.hidden, shape.heads);
    return shape;
}

Activation::Kind read_activation(Reader& config, Label otherwise) {
    const std::string name = config.word_or({"hidden_act", "activation_function", "hidden_activation"}, otherwise);
    if (name == "relu") return Activation::Kind::from_output;
    if (name == "relu2") return Activation::Kind::relu_squared;
    return name == "gelu_new" || name == "gelu_fast" ? Activation::Kind::composed_gelu : Activation::Kind::one_kernel;
}

void append_attention(Block& block, const AttentionShape& shape, Label from, Label to) {
    const Traced q_width = Traced::name(Made::term, "q_width", shape.heads * shape.head_dim);
    const Traced kv_width = Traced::name(Made::term, "kv_width", shape.kv_heads * shape.head_dim);
    const auto linear = [&](Label name, const Traced& in, const Traced& out, bool bias, Label input, Label output) {
        block.ops.push_back(Linear{name, Part::attention, in, out, bias, input, output});
    };
    if (shape.fused) {
        const Traced qkv_width = Traced::name(Made::term, "qkv_width", q_width + Traced(2) * kv_width);
        linear("qkv_proj", shape.hidden, qkv_width, shape.bias, from, "qkv");
        block.ops.push_back(Split{Part::attention, "qkv", {{"q", q_width}, {"k", kv_width}, {"v", kv_width}}});
    } else {
        linear("q_proj", shape.hidden, q_width, shape.bias, from, "q");
        linear("k_proj", shape.hidden, kv_width, shape.bias, from, "k");
        linear("v_proj", shape.hidden, kv_width, shape.bias, from, "v");
    }
    Label q = "q", k = "k";
    if (shape.qk_norm != QueryKeyNorm::none) {
        const auto norm = [&](Label name, const Traced& heads, const Traced& width, Label input, Label output) {
            const bool by_head = shape.qk_norm == QueryKeyNorm::head;
            block.ops.push_back(Norm{name, shape.qk_norm_kind, by_head ? shape.head_dim : width, shape.qk_norm_weight,
                                     false, input, output, Part::norm,
                                     shape.qk_norm == QueryKeyNorm::whole ? std::nullopt : std::optional(heads)});
        };
        norm("q_norm", shape.heads, q_width, "q", "q_normed");
        norm("k_norm", shape.kv_heads, kv_width, "k", "k_normed");
        q = "q_normed", k = "k_normed";
    }
    if (shape.rotary) {
        block.ops.push_back(Rope{Part::attention, q, "q_rotated"});
        block.ops.push_back(Rope{Part::attention, k, "k_rotated"});
        q = "q_rotated", k = "k_rotated";
    }
    block.ops.push_back(Attention{Part::attention, shape.heads, shape.kv_heads, shape.head_dim, shape.window,
                                  shape.softmax_in_fp32, shape.softcap, shape.dropout, q, k, "v", "attended",
                                  shape.sinks});
    linear("o_proj", q_width, shape.hidden, shape.output_bias, "attended", to);
}

void append_feed_forward(Block& block, const FeedForwardShape& shape, Label from, Label to) {
    const Part part = shape.part;
    const auto linear = [&](Label name, const Traced& in, const Traced& out, Label input, Label output) {
        block.ops.push_back(Linear{name, part, in, out, shape.bias, input, output});
    };
    const auto dropped = [&](Label activated) -> Label {
        if (!shape.dropout) return activated;
        block.ops.push_back(Dropout{part, *shape.dropout, activated, "dropped"});
        return "dropped";
    };
    if (!shape.gated) {
        linear("up_proj", shape.hidden, shape.intermediate, from, "up");
        block.ops.push_back(Activation{part, shape.activation, "up", "activated", shape.activation_parameters});
        return linear("down_proj", shape.intermediate, shape.hidden, dropped("activated"), to);
    }
    if (shape.fused) {
        linear("gate_up_proj", shape.hidden, Traced(2) * shape.intermediate, from, "gate_up");
        block.ops.push_back(Split{part, "gate_up", {{"gate", shape.intermediate}, {"up", shape.intermediate}}});
        block.ops.push_back(Activation{part, shape.activation, "gate", "activated"});
    } else {
        linear("gate_proj", shape.hidden, shape.intermediate, from, "gate");
        block.ops.push_back(Activation{part, shape.activation, "gate", "activated"});
        linear("up_proj", shape.hidden, shape.intermediate, from, "up");
    }
    block.ops.push_back(Multiply{part, "activated", "up", "product"});
    linear("down_proj", shape.intermediate, shape.hidden, dropped("product"), to);
}

void append_linear(Block& block, Label name, Part part, const Traced& in, const Traced& out, bool bias, Label from,
                   Label to) {
    block.ops.push_back(Linear{name, part, in, out, bias, from, to});
}

void append_normed(Block& block, Norm::Kind norm, bool bias, const Traced& hidden, Label from, Label to) {
    block.ops.push_back(Norm{"norm", norm, hidden, true, bias, from, to});
}

Block sequential_layer(const AttentionShape& attention, const FeedForwardShape& feed_forward, Norm::Kind norm) {
    Block layer;
    append_normed(layer, norm, false, attention.hidden, "x", "normed");
    append_attention(layer, attention, "normed", "attention_out");
    layer.ops.push_back(Add{Part::attention, "x", "attention_out", "x_attended"});
    append_normed(layer, norm, false, attention.hidden, "x_attended", "normed_2");
    append_feed_forward(layer, feed_forward, "normed_2", "feed_forward_out");
    layer.ops.push_back(Add{Part::feed_forward, "x_attended", "feed_forward_out", "x_out"});
    return layer;
}

Model decoder(Reader& config, const Traced& hidden, Norm::Kind norm, bool norm_bias, Block layer) {
    Model model;
    model.hidden_size = hidden;
    model.vocab_size = config.count({"vocab_size", "padded_vocab_size"});
    model.context_limit = config.number_or({"max_position_embeddings", "n_positions", "n_ctx", "seq_length"}, 0);
    const Traced layers = config.count({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
    if (layers.value() > most_layers)
        config.fail("num_hidden_layers", "out_of_range", "no model has so many layers",
                    "copy the value from the model's config.json");
    if (config.error()) return model;
    model.embedding.ops.push_back(Lookup{"embed_tokens", Part::embedding, *model.vocab_size, hidden, false, "x"});
    model.head.ops.push_back(Norm{"final_norm", norm, hidden, true, norm_bias, "x", "final"});
    model.kinds.push_back({"layer", layers, std::move(layer)});
    model.order.assign(static_cast<size_t>(layers.value()), 0);
    return model;
}

void append_head(Model& model) {
    if (!model.hidden_size || !model.vocab_size) return;
    model.head.ops.push_back(Linear{"lm_head", Part::head, *model.hidden_size, *model.vocab_size, model.head_bias,
                                    "final", "logits", !model.tied});
}

void count_kinds(Model& model, Block second, Label first_name, Label second_name) {
    const double seconds = static_cast<double>(std::count(model.order.begin(), model.order.end(), 1));
    const Traced count =
        Traced::leaf(std::string(second_name) + "s", seconds, "counted in the model's pattern of layers");
    LayerKind& first = model.kinds.front();
    first.name = first_name;
    first.count = Traced::name(Made::term, std::string(first_name) + "s", first.count - count);
    model.kinds.push_back({std::string(second_name), count, std::move(second)});
}

void window_from(Model& model, Block windowed, double first) {
    alternate(model, std::move(windowed), "full_layer", "sliding_layer", [first](int index) { return index >= first; });
}

}  // namespace plimsoll
