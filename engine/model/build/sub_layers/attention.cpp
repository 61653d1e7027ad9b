// Attention as a sub-layer: projections, norms of query and key, rotation, the mathematics itself, gate and output.
#include "model/build/sub_layers/attention.h"

namespace plimsoll {
namespace {

struct Widths {
    Traced q, kv;
};

void append_fused_projection(Block& block, const AttentionShape& shape, const Widths& width, Label from) {
    const Traced qkv_width = Traced::name(Made::term, "qkv_width", width.q + Traced(2) * width.kv);
    append_linear(block, "qkv_proj", Part::attention, shape.hidden, qkv_width, shape.bias, from, "qkv");
    block.ops.push_back(Split{Part::attention, "qkv", {{"q", width.q}, {"k", width.kv}, {"v", width.kv}}});
}

void append_query(Block& block, const AttentionShape& shape, const Traced& width, Label from) {
    if (shape.gate != OutputGate::of_query)
        return append_linear(block, "q_proj", Part::attention, shape.hidden, width, shape.bias, from, "q");
    append_linear(block, "q_proj", Part::attention, shape.hidden, Traced(2) * width, shape.bias, from, "q_and_gate");
    block.ops.push_back(Split{Part::attention, "q_and_gate", {{"q", width}, {"gate", width}}});  // by head
}

void append_values(Block& block, const AttentionShape& shape, const Traced& width, Label from) {
    const Label projected = shape.value_norm ? "v_raw" : "v";
    if (!shape.keys_are_values)
        append_linear(block, "v_proj", Part::attention, shape.hidden, width, shape.bias, from, projected);
    if (shape.value_norm)
        block.ops.push_back(Norm{"v_norm", shape.qk_norm_kind, shape.head_dim, false, false,
                                 shape.keys_are_values ? "k" : projected, "v", Part::norm, shape.kv_heads});
}

void append_projections(Block& block, const AttentionShape& shape, const Widths& width, Label from) {
    append_query(block, shape, width.q, from);
    if (!shape.own_keys) {  // held by the layer that made them: views cost nothing
        block.ops.push_back(Split{Part::attention, from, {{"k_rotated", width.kv}, {"v", width.kv}}});
        return;
    }
    append_linear(block, "k_proj", Part::attention, shape.hidden, width.kv, shape.bias && shape.key_bias, from, "k");
    append_values(block, shape, width.kv, from);
}

void append_query_key_norms(Block& block, const AttentionShape& shape, const Widths& width) {
    const auto norm = [&](Label name, const Traced& heads, const Traced& whole, Label from, Label to) {
        const bool by_head = shape.qk_norm == QueryKeyNorm::head;
        block.ops.push_back(Norm{name, shape.qk_norm_kind, by_head ? shape.head_dim : whole, shape.qk_norm_weight,
                                 shape.qk_norm_bias, from, to, Part::norm,
                                 shape.qk_norm == QueryKeyNorm::whole ? std::nullopt : std::optional(heads)});
    };
    norm("q_norm", shape.heads, width.q, "q", "q_normed");
    if (shape.own_keys) norm("k_norm", shape.kv_heads, width.kv, "k", "k_normed");
}

void append_scores(Block& block, const AttentionShape& shape, Label q, Label k) {
    Attention attention{Part::attention,
                        shape.heads,
                        shape.kv_heads,
                        shape.head_dim,
                        shape.window,
                        shape.softmax_in_fp32,
                        shape.softcap,
                        shape.dropout,
                        q,
                        k,
                        "v",
                        "attended",
                        shape.sinks,
                        shape.joined};
    if (shape.source)
        block.ops.push_back(CrossAttention{Part::attention, std::move(attention), *shape.source, shape.source_tokens});
    else
        block.ops.push_back(std::move(attention));
}

/// The gate on what attention gives; returns what the output's matrix is given.
Label append_gate(Block& block, const AttentionShape& shape, const Traced& width, Label from) {
    if (shape.gate == OutputGate::none) return "attended";
    const bool projected = shape.gate == OutputGate::projected;
    const Label closed = projected ? "output_gate" : "gate", open = projected ? "output_gate_open" : "gate_open";
    if (projected) append_linear(block, "gate_proj", Part::attention, shape.hidden, width, false, from, closed);
    block.ops.push_back(Activation{
        Part::attention, projected ? Activation::Kind::one_kernel : Activation::Kind::from_output, closed, open});
    block.ops.push_back(Multiply{Part::attention, "attended", open, "attended_gated"});
    return "attended_gated";
}

}  // namespace

AttentionShape::AttentionShape() = default;
AttentionShape::AttentionShape(const AttentionShape& other) = default;
AttentionShape& AttentionShape::operator=(const AttentionShape& other) = default;
AttentionShape::~AttentionShape() = default;

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

void append_attention(Block& block, const AttentionShape& shape, Label from, Label to) {
    const Widths width{Traced::name(Made::term, "q_width", shape.heads * shape.head_dim),
                       Traced::name(Made::term, "kv_width", shape.kv_heads * shape.head_dim)};
    if (shape.fused)
        append_fused_projection(block, shape, width, from);
    else
        append_projections(block, shape, width, from);
    Label q = "q", k = shape.own_keys ? "k" : "k_rotated";
    if (shape.qk_norm != QueryKeyNorm::none) {
        append_query_key_norms(block, shape, width);
        q = "q_normed";
        if (shape.own_keys) k = "k_normed";
    }
    if (shape.rotary) {
        block.ops.push_back(Rope{Part::attention, q, "q_rotated", shape.joined});
        if (shape.own_keys) block.ops.push_back(Rope{Part::attention, k, "k_rotated", shape.joined});
        q = "q_rotated";
        k = "k_rotated";
    }
    append_scores(block, shape, q, k);
    const Label given = append_gate(block, shape, width.q, from);
    append_linear(block, "o_proj", Part::attention, width.q, shape.hidden, shape.output_bias, given, to);
}

}  // namespace plimsoll
