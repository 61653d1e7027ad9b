/// Vision and audio towers and the projectors behind them. A text-only pass does not visit them. Towers whose blocks have
/// a stream are described as they run over an image's patches; of the others parameters alone are counted.
#pragma once

#include "model/build/decoder.h"

namespace plimsoll {

/// One layer of a transformer encoder as towers have it.
struct TowerLayer {
    Traced hidden, intermediate;
    Norm::Kind norm = Norm::Kind::layer;
    bool norm_bias = true, qkv_bias = true, output_bias = true, feed_forward_bias = true;
    bool gated = false;
    Traced heads{1};
    bool fused = false, rotary = false;
    bool qk_norm = false;  ///< of the whole projections
    bool scaled = false;   ///< what each sub-layer gives is multiplied by a vector (LayerScale)
    bool joined = false;   ///< attention runs image by image, and its pieces are joined (Attention::joined)
};
Block tower_layer(const TowerLayer& shape);

/// Adds a tower of `layers` such layers and one block of everything else, which is counted and not run.
void add_tower(Model& model, Label name, Block layer, const Traced& layers, Block rest);
/// Adds to the last tower so many equal blocks, or one; without a stream they are counted and not run.
void add_layers(Model& model, Label name, const Traced& count, Block block, Stream stream);
void add_to_tower(Model& model, Label name, Block block, Stream stream = Stream::hidden_states);
/// A projector that makes the tokens of an image.
void add_projector(Model& model, Block block);

void append_vector(Block& block, Label name, const Traced& width);
/// A norm of `x`.
void append_counted_norm(Block& block, Norm::Kind kind, bool bias, const Traced& width);
/// A convolution that turns patches into tokens, as the matrix product it is.
void append_patches(Block& block, Reader& config, const Traced& hidden, bool bias, bool temporal);
/// A vector that stands among the tokens.
void append_token(Block& block, Label name, const Traced& width);
/// A table of positions, added to `x`.
void append_positions(Block& block, const Traced& rows, const Traced& width);
/// Two matrices with an activation between them.
void append_two_linears(Block& block, const Traced& in, const Traced& middle, const Traced& out, bool bias);

/// The tower in `vision_config` by its model_type (CLIP, SigLIP, Pixtral, InternViT; `otherwise` where it says none),
/// and the width of its patches. `pools`: SigLIP's has its pooling head unless it says otherwise.
Traced vision_tower(Reader& config, Model& model, Label otherwise, bool pools = true);

/// The towers of the Qwen-VL lines, merger included; Qwen3.5's is Qwen3-VL's without the mergers of middle layers.
enum class QwenVision : unsigned char { v2, v2_5, v3, v3_5 };
void qwen_vision_tower(Reader& config, Model& model, QwenVision version);

}  // namespace plimsoll
