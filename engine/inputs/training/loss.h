/// How the loss over the vocabulary is computed, and which logits outlive it.
#pragma once

namespace plimsoll {

/// At once; with fp32 copies of one chunk of tokens at a time; together with the vocabulary matrix, chunk by chunk, so
/// that the logits are never there as a whole; the same, block by block within one kernel, so that they are never there
/// at all.
enum class LossKernel : unsigned char { full, chunked, fused, cut };

/// Versions of the fused kernel that differ in what a chunk makes (estimate/training/loss/fused_loss.h): Liger-Kernel
/// from 0.6.2, 0.5.3 and 0.1.0 on.
enum class FusedLoss : unsigned char { apart, inside, upcast };

struct TrainingLoss {
    LossKernel kernel = LossKernel::full;
    FusedLoss version = FusedLoss::apart;
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
