/// Layers and mixers that several families share beyond Llama's: the orders in which norms and sub-layers come, gated
/// experts beside dense networks, Mamba's mixers, patterns of more than two kinds of layer, a language model inside
/// another configuration.
#pragma once

#include <vector>

#include "model/build/decoder.h"

namespace plimsoll {

/// Which norms the layer of GPT and its time has, and what they feed.
enum class ClassicOrder : unsigned char {
    sequential,          ///< norm, attention, add; norm, feed-forward, add
    parallel,            ///< one norm feeds attention and feed-forward side by side
    parallel_two_norms,  ///< a norm for each, both of the layer's input
    post_norm,           ///< attention, add, norm; feed-forward, add, norm
};

/// What dropout falls on: attention's and the feed-forward's output, the latter's alone, or the sum of both.
enum class ClassicDropout : unsigned char { both, feed_forward, sum };

struct ClassicLayer {
    AttentionShape attention;
    FeedForwardShape feed_forward;
    ClassicOrder order = ClassicOrder::sequential;
    Norm::Kind norm = Norm::Kind::layer;
    bool norm_bias = true;
    double dropout = 0;
    ClassicDropout dropped = ClassicDropout::both;
};

Block classic_layer(const ClassicLayer& shape);

/// The model whose layers are all `shape`; biases of its norms as there.
Model classic_decoder(Reader& config, const ClassicLayer& shape);

/// A number that the architecture's code fixes, with its name.
Traced constant(Label name, double value);

/// norm(x) → mixer(`normed` → `mixed`) → add, norm(`x_mixed`) → `normed_2` … as hybrids have it: RMSNorm without bias.
template <class Mixer>
void append_mixed(Block& block, const Traced& hidden, Mixer mixer, Norm::Kind norm = Norm::Kind::rms);
/// normed_2 → experts_out, with a shared dense network beside the experts where `shared` is given; then the add.
void append_experts(Block& block, Experts experts, const FeedForwardShape* shared, bool shared_gate);
/// normed_2 → the dense network → x_out.
void append_dense(Block& block, const FeedForwardShape& feed_forward);

/// A count that may also be the word `auto`.
Traced count_or_auto(Reader& config, const char* name, const Traced& otherwise);

/// Attention over the text that an encoder read.
void append_cross_attention(Block& block, const AttentionShape& shape, Label from, Label to);

/// Attention whose output is gated by a second half of the query projection.
void append_gated_attention(Block& block, const AttentionShape& shape, Label from, Label to);

/// Mamba 1's mixer (and Jamba's, which normalises Δ, B and C).
struct MambaShape {
    Traced hidden, inner, state, kernel, rank;
    bool bias = false, conv_bias = true, inner_norms = false;
};
void append_mamba(Block& block, const MambaShape& shape, Label from, Label to);

/// Mamba 2's mixer.
struct Mamba2Shape {
    Traced hidden, inner, heads, groups, state, kernel;
    bool bias = false, output_bias = false, conv_bias = true, norm = true;
    Dtype state_dtype = Dtype::sixteen_bit;
};
void append_mamba2(Block& block, const Mamba2Shape& shape, Label from, Label to);

/// The mixer beside attention, in the fields `mamba_n_heads`, `mamba_n_groups`, `mamba_d_state`, … of the hybrids.
Mamba2Shape read_mamba2(Reader& config, const Traced& hidden, const Traced& inner);

/// Gives the model that `decoder` made its kinds of layers: layer i is `kinds[order[i]]`; kinds without a layer are
/// left out.
struct NamedBlock {
    std::string name;
    Block block;
};
void set_pattern(Reader& config, Model& model, std::vector<NamedBlock> kinds, std::vector<unsigned short> order);

/// `layer_types` (or another list of words) as indices: 1 where the word is `second`, else 0. Empty where there is
/// none.
std::vector<unsigned short> pattern_of(Reader& config, Label list, Label second);

/// Models of gated delta-net and gated attention layers, dense or with experts; in architectures/qwen3_next.cpp.
Model build_gated_delta(Reader& config, bool fused);

/// The language model described in the nested configuration `block` ("" for one that lies flat in the outer), by its
/// own model_type; of type `otherwise` where it has none or one that only this line of models uses (`qwen3_vl_text`).
/// Its head is tied as the nested, else the outer, configuration says. Afterwards the outer configuration is read
/// again.
Model language_model(Reader& config, Label block, Label otherwise);

template <class Mixer>
void append_mixed(Block& block, const Traced& hidden, Mixer mixer, Norm::Kind norm) {
    append_normed(block, norm, false, hidden, "x", "normed");
    mixer();
    block.ops.push_back(Add{Part::attention, "x", "mixed", "x_mixed"});
    append_normed(block, norm, false, hidden, "x_mixed", "normed_2");
}

}  // namespace plimsoll
