/// A layer, described: what mixes tokens, what works on each token alone, and how norms and sums tie these to the
/// residual stream. A field that a model does not have keeps its default.
///
///     x ─ norm ─▶ normed ─ attention ─▶ attention_out ─ norm, dropout ─ + x ─▶ x_attended
///     x_attended ─ norm ─▶ normed_2 ─ feed-forward ─▶ feed_forward_out ─ norm, dropout ─ + x_attended ─▶ x_out
///
/// Another mixer in attention's place makes `mixed`, and with it `x_mixed`.
#pragma once

#include <optional>

#include "model/build/sub_layers/attention.h"
#include "model/build/sub_layers/feed_forward.h"

namespace plimsoll {

/// Where a layer's norms stand: before each sub-layer (pre-norm), after it, both (sandwich), or after the sum
/// (post-norm).
enum class NormPlace : unsigned char { before, after, both, after_sum };

/// Whether the feed-forward follows the mixer, or works beside it: on the same normed input, or on one of its own norm.
enum class Branches : unsigned char { in_sequence, parallel, parallel_two_norms };

/// What dropout falls on: each sub-layer's output, the feed-forward's alone, or the sum of parallel branches.
enum class Dropped : unsigned char { each, feed_forward, sum };

struct LayerShape {
    AttentionShape attention;
    std::optional<LatentShape> latent;    ///< attention's, where it is latent
    std::optional<Block> mixer;           ///< in place of attention, from `normed` to `mixed`; empty: there is none
    std::optional<AttentionShape> cross;  ///< attention over what an encoder read, after the mixer
    FeedForwardShape feed_forward;
    std::optional<MixtureShape> mixture;      ///< in place of the feed-forward
    std::optional<Block> other_feed_forward;  ///< the same, from `normed_2` to `feed_forward_out`; empty: there is none
    Norm::Kind norm = Norm::Kind::rms;
    NormPlace place = NormPlace::before;
    bool norm_bias = false;
    bool norm_weight = true;
    Branches branches = Branches::in_sequence;
    bool residual_first = false;    ///< of parallel branches: the stream is added to the mixer's, then comes the other
    std::optional<double> dropout;  ///< on what is added to the residual stream; absent: the code has none
    Dropped dropped = Dropped::each;
    /// The parts that the sums with the residual stream are counted with: a part's arguments live until its last
    /// operation has run.
    Part mixer_sum = Part::attention, feed_forward_sum = Part::feed_forward;

    LayerShape();  // compiled once, and not in every architecture
    LayerShape(const LayerShape& other);
    LayerShape& operator=(const LayerShape& other);
    ~LayerShape();

    /// LayerNorms with biases.
    void layer_norms();
};

/// Attention's fields, with the switches `attention_bias` (q, k, v and output) and `attention_dropout`.
LayerShape read_layer(Reader& config, bool bias = false);

/// As `read_layer`, with `intermediate_size`, `hidden_act` and the switch `mlp_bias`.
LayerShape read_dense_layer(Reader& config, bool bias = false);

/// The layer of a vision transformer: LayerNorms, a plain feed-forward, biases everywhere.
LayerShape read_vision_layer(Reader& config);

/// Its operations, in the order in which they run.
Block layer_of(const LayerShape& shape);

}  // namespace plimsoll
