/// Attention as a sub-layer: what it looks at, its projections, the norms of query and key, rotation, a gate on its
/// output; and multi-head latent attention.
#pragma once

#include <optional>

#include "model/build/sub_layers/append.h"
#include "model/read/architecture.h"

namespace plimsoll {

/// Norms of query and key before the rotation: none, over each head with one weight for all of them, over the whole
/// projection, or over each head with a weight of its own.
enum class QueryKeyNorm : unsigned char { none, head, whole, each_head };

/// What opens and closes attention's output: nothing, a second half of the query projection (a sigmoid of it), or a
/// projection of its own.
enum class OutputGate : unsigned char { none, of_query, projected };

/// Shapes and switches of one attention sub-layer.
struct AttentionShape {
    Traced hidden, heads, kv_heads, head_dim;
    bool bias = false;     ///< of q, k and v
    bool key_bias = true;  ///< where these have biases: the keys, too
    bool output_bias = false;
    bool fused = false;  ///< one matrix for q, k and v, whose parts are views of its output
    bool rotary = true;
    bool softmax_in_fp32 = true;
    bool softcap = false;
    double dropout = 0;
    std::optional<Traced> window;
    QueryKeyNorm qk_norm = QueryKeyNorm::none;
    Norm::Kind qk_norm_kind = Norm::Kind::rms;
    bool qk_norm_weight = true;
    bool qk_norm_bias = false;
    bool value_norm = false;       ///< values are normed over each head, without a weight
    bool keys_are_values = false;  ///< there is no projection of values: the keys' serves both
    bool own_keys = true;          ///< false: keys and values are those of an earlier layer, which holds them
    bool sinks = false;            ///< a learned score per head that takes part in the softmax
    bool joined = false;           ///< see Attention; and rotated in fp32, as the code that joins has it
    OutputGate gate = OutputGate::none;
    /// Keys and values that are not those of the text so far: of other tokens, or of all at once, when none are kept.
    std::optional<CrossAttention::Source> source{};
    Traced source_tokens{1};  ///< where the source is fixed

    AttentionShape();  // compiled once, and not in every architecture
    AttentionShape(const AttentionShape& other);
    AttentionShape& operator=(const AttentionShape& other);
    ~AttentionShape();
};

/// hidden_size, num_attention_heads, num_key_value_heads and head_dim as most configurations name them.
AttentionShape read_attention(Reader& config);

/// `from` (normalised) to `to`, both of the hidden width.
void append_attention(Block& block, const AttentionShape& shape, Label from, Label to);

/// Widths of multi-head latent attention; the rest is in AttentionShape.
struct LatentShape {
    std::optional<Traced> query_rank;  ///< absent: queries come from one matrix
    Traced rank, nope, rope, value;
    std::optional<Traced> index_heads, index_width;  ///< of the indexer, where the layer has one
};

LatentShape read_latent(Reader& config);

void append_latent_attention(Block& block, const AttentionShape& shape, const LatentShape& latent, Label from,
                             Label to);

}  // namespace plimsoll
