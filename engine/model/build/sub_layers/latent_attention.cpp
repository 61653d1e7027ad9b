// Multi-head latent attention: queries and the pair of keys and values through low ranks, and an indexer that picks the
// tokens to look at.
#include "model/build/sub_layers/attention.h"

namespace plimsoll {
namespace {

void append_latent_query(Block& block, const AttentionShape& shape, const LatentShape& latent, const Traced& width,
                         Label from) {
    if (!latent.query_rank)
        return append_linear(block, "q_proj", Part::attention, shape.hidden, width, false, from, "q");
    append_linear(block, "q_a_proj", Part::attention, shape.hidden, *latent.query_rank, shape.bias, from, "q_latent");
    append_normed(block, Norm::Kind::rms, false, *latent.query_rank, "q_latent", "q_latent_normed");
    append_linear(block, "q_b_proj", Part::attention, *latent.query_rank, width, false, "q_latent_normed", "q");
}

void append_latent_keys(Block& block, const AttentionShape& shape, const LatentShape& latent, Label from) {
    append_linear(block, "kv_a_proj", Part::attention, shape.hidden, latent.rank + latent.rope, shape.bias, from,
                  "kv_latent");
    block.ops.push_back(Split{Part::attention, "kv_latent", {{"latent", latent.rank}, {"k_rope", latent.rope}}});
    append_normed(block, Norm::Kind::rms, false, latent.rank, "latent", "latent_normed");
    append_linear(block, "kv_b_proj", Part::attention, latent.rank, shape.heads * (latent.nope + latent.value), false,
                  "latent_normed", "kv");
}

void append_indexer(Block& block, const AttentionShape& shape, const LatentShape& latent, Label from) {
    append_linear(block, "index_q_proj", Part::attention, latent.query_rank.value_or(shape.hidden),
                  *latent.index_heads * *latent.index_width, false, latent.query_rank ? "q_latent_normed" : from,
                  "index_q");
    append_linear(block, "index_k_proj", Part::attention, shape.hidden, *latent.index_width, false, from, "index_k");
    append_normed(block, Norm::Kind::layer, true, *latent.index_width, "index_k", "index_k_normed");
    append_linear(block, "index_weights_proj", Part::attention, shape.hidden, *latent.index_heads, false, from,
                  "index_weights");
}

}  // namespace

LatentShape read_latent(Reader& config) {
    LatentShape latent;
    latent.query_rank = config.optional_count({"q_lora_rank"});
    latent.rank = config.count({"kv_lora_rank"});
    latent.nope = config.count({"qk_nope_head_dim"});
    latent.rope = config.count({"qk_rope_head_dim"});
    latent.value = config.count({"v_head_dim"});
    return latent;
}

void append_latent_attention(Block& block, const AttentionShape& shape, const LatentShape& latent, Label from,
                             Label to) {
    const Traced key_width = Traced::name(Made::term, "key_width", latent.nope + latent.rope);
    const Traced q_width = Traced::name(Made::term, "q_width", shape.heads * key_width);
    append_latent_query(block, shape, latent, q_width, from);
    append_latent_keys(block, shape, latent, from);
    if (latent.index_heads) append_indexer(block, shape, latent, from);
    block.ops.push_back(
        LatentAttention{Part::attention, latent.rank, latent.rope, key_width,
                        latent.index_heads ? latent.index_width : std::nullopt, "q", "kv", "k_rope",
                        Attention{Part::attention, shape.heads, shape.heads, latent.value, std::nullopt, true, false,
                                  shape.dropout, "q_rotated", "k_whole", "v", "attended"}});
    append_linear(block, "o_proj", Part::attention, shape.heads * latent.value, shape.hidden, shape.output_bias,
                  "attended", to);
}

}  // namespace plimsoll
