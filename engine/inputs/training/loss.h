/// How the loss over the vocabulary is computed, and which logits outlive it.
#pragma once

#include "inputs/choices.h"

namespace plimsoll {

struct TrainingLoss {
    LossKernel kernel = LossKernel::full;
    FusedLoss version = FusedLoss::apart;  ///< what a chunk makes (estimate/training/loss/fused_loss.h)
    double chunks = 8;
    bool compiled = false;         ///< a compiler fused the upcast and the loss
    bool autocast = false;         ///< it is taken of 16-bit logits under autocast
    bool in_model = false;         ///< the model takes it itself: outputs before are held until then
    bool logits_in_fp32 = true;    ///< it upcasts 16-bit logits
    bool logits_cut = false;       ///< the last token's logits of each sequence are cut off, by a copy of the others
    bool logits_kept = false;      ///< the caller still holds the model's outputs during the backward pass
    bool returned_in_fp32 = true;  ///< what the model returns is the loss's upcast copy
};

}  // namespace plimsoll
