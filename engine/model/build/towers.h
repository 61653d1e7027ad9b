/// Vision and audio towers and the projectors behind them: counted, not run. A text-only pass does not visit them.
#pragma once

#include "model/build/decoder.h"

namespace plimsoll {

/// One layer of a transformer encoder as towers have it.
struct TowerLayer {
    Traced hidden, intermediate;
    Norm::Kind norm = Norm::Kind::layer;
    bool norm_bias = true, qkv_bias = true, output_bias = true, feed_forward_bias = true;
    bool gated = false;
};
Block tower_layer(const TowerLayer& shape);

/// Adds a tower of `layers` such layers and one block of everything else.
void add_tower(Model& model, Label name, Block layer, const Traced& layers, Block rest);

void append_vector(Block& block, Label name, const Traced& width);
/// A norm that is only counted.
void append_counted_norm(Block& block, Norm::Kind kind, bool bias, const Traced& width);
/// A convolution that turns patches into tokens, as the matrix product it is.
void append_patches(Block& block, Reader& config, const Traced& hidden, bool bias, bool temporal);
/// Two matrices with an activation between them.
void append_two_linears(Block& block, const Traced& in, const Traced& middle, const Traced& out, bool bias);

/// The tower in `vision_config` by its model_type (CLIP, SigLIP, Pixtral, InternViT; `otherwise` where it says none),
/// and the width of its patches.
Traced vision_tower(Reader& config, Model& model, Label otherwise);

/// The towers of the Qwen-VL lines, merger included; Qwen3.5's is Qwen3-VL's without the mergers of middle layers.
enum class QwenVision : unsigned char { v2, v2_5, v3, v3_5 };
void qwen_vision_tower(Reader& config, Model& model, QwenVision version);

}  // namespace plimsoll
