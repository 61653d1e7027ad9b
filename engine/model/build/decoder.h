/// The pieces that decoder architectures are put together from.
#pragma once

#include <optional>
#include <string>

#include "model/read/architecture.h"

namespace plimsoll {

/// Norms of query and key before the rotation: none, over each head with one weight for all of them, over the whole
/// projection, or over each head with a weight of its own.
enum class QueryKeyNorm : unsigned char { none, head, whole, each_head };

/// Shapes and switches of one attention sub-layer.
struct AttentionShape {
    Traced hidden, heads, kv_heads, head_dim;
    bool bias = false;  ///< of q, k and v
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
    bool sinks = false;  ///< a learned score per head that takes part in the softmax
};

/// Shapes and switches of one feed-forward sub-layer.
struct FeedForwardShape {
    Traced hidden, intermediate;
    bool gated = true;
    bool fused = false;  ///< gate and up in one matrix
    bool bias = false;
    Activation::Kind activation = Activation::Kind::one_kernel;
    unsigned char activation_parameters = 0;
    Part part = Part::feed_forward;
    std::optional<double> dropout{};  ///< on what goes into the last product; absent: the code has none
};

/// hidden_size, num_attention_heads, num_key_value_heads and head_dim as most configurations name them.
AttentionShape read_attention(Reader& config);

/// The configuration's activation function (`hidden_act`, `activation_function`), by how PyTorch runs it.
Activation::Kind read_activation(Reader& config, Label otherwise);

/// `from` (normalised) to `to`, both of the hidden width.
void append_attention(Block& block, const AttentionShape& shape, Label from, Label to);
void append_feed_forward(Block& block, const FeedForwardShape& shape, Label from, Label to);

void append_linear(Block& block, Label name, Part part, const Traced& in, const Traced& out, bool bias, Label from,
                   Label to);
void append_normed(Block& block, Norm::Kind norm, bool bias, const Traced& hidden, Label from, Label to);

/// Norm, attention, add; norm, feed-forward, add: the layer of Llama and its kin.
Block sequential_layer(const AttentionShape& attention, const FeedForwardShape& feed_forward, Norm::Kind norm);

/// A model whose layers are all of one kind, with an embedding and a final norm before the vocabulary head.
Model decoder(Reader& config, const Traced& hidden, Norm::Kind norm, bool norm_bias, Block layer);

/// The product with the vocabulary matrix, once it is known whether that is the embedding's.
void append_head(Model& model);

/// Turns the layers for which `is_second(index)` holds into a second kind.
template <class IsSecond>
void alternate(Model& model, Block second, Label first_name, Label second_name, IsSecond is_second);

/// Layers from the index `first` on look at a window only.
void window_from(Model& model, Block windowed, double first);

/// Sets the two kinds' names and counts after `alternate` has marked the layers.
void count_kinds(Model& model, Block second, Label first_name, Label second_name);

template <class IsSecond>
void alternate(Model& model, Block second, Label first_name, Label second_name, IsSecond is_second) {
    for (size_t index = 0; index < model.order.size(); ++index)
        model.order[index] = is_second(static_cast<int>(index)) ? 1 : 0;
    count_kinds(model, std::move(second), first_name, second_name);
}

}  // namespace plimsoll
