/// The pass over a vision tower's layers, which stand before the decoder's (model/transform/seen_images.h).
#pragma once

#include "inputs/training/batch.h"
#include "model/transform/seen_images.h"

namespace plimsoll {

/// The pass over a layer of a kind: a tower's runs over the vectors of all images of the micro-batch's sequences.
template <class N>
Pass<N> pass_of(const LayerKind& kind, const TrainingImages& images, const Pass<N>& pass) {
    if (kind.stream == Stream::hidden_states) return pass;
    const bool tokens = kind.stream == Stream::image_tokens;
    constexpr const char* source = "request: training.images";
    Pass<N> own = pass;
    own.batch = named("images", pass.batch * input<N>("images_of_a_sequence", images.count, source));
    own.sequence = own.keys = input<N>(tokens ? "tokens_of_an_image" : "patches_of_an_image",
                                       tokens ? images.tokens : images.patches, source);
    own.tokens = named("vectors_of_images", own.batch * own.sequence);
    own.options.mask = AttentionMask::none;
    return own;
}

}  // namespace plimsoll
