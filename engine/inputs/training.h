/// What is asked of a training run: what is trained, by which method, and how a step computes.
#pragma once

#include <optional>
#include <string>

#include "inputs/optimizer.h"
#include "inputs/workload.h"

namespace plimsoll {

/// What the forward pass keeps of a layer: everything; all but what some of its modules make (PassOptions::recomputed);
/// the layer's input alone, from which the backward pass computes the rest anew; the input, what attention gives, and
/// what every other matrix product does (torchtitan's "op").
enum class Checkpointing : unsigned char { none, selective, full, selective_op };

/// Whether a layer runs anew in the backward pass.
inline bool runs_anew(Checkpointing checkpointing) {
    return checkpointing == Checkpointing::full || checkpointing == Checkpointing::selective_op;
}

/// Which layers do: every k-th; all, in pieces of several layers; or the first of a stage (recomputed_layers.h).
enum class RecomputeMethod : unsigned char { every, uniform, block };

/// How the loss over the vocabulary is computed: at once; with fp32 copies of one chunk of tokens at a time; together
/// with the vocabulary matrix, chunk by chunk, so that the logits are never there as a whole; the same, block by block
/// within one kernel, so that they are never there at all.
enum class LossKernel : unsigned char { full, chunked, fused, cut };

/// Versions of the fused one that differ in what a chunk makes (estimate/training/fused_loss.h): Liger-Kernel from 0.6.2,
/// 0.5.3 and 0.1.0 on.
enum class FusedLoss : unsigned char { apart, inside, upcast };

/// What a model is trained for: the next token; a preference, between two sequences (dpo against a frozen reference,
/// orpo without one) or of one by itself (kto, against a reference too); a score of whole sequences; what a teacher
/// says; what its own answers are worth, against each other (grpo) or against a critic (ppo); and that critic itself.
enum class Objective : unsigned char { sft, dpo, orpo, kto, reward, distill, grpo, ppo, critic };

/// Whether the model answers prompts, and learns of its answers.
inline bool generates(Objective objective) { return objective == Objective::grpo || objective == Objective::ppo; }

/// Each example is a chosen sequence and a rejected one.
inline bool takes_pairs(Objective objective) {
    return objective == Objective::dpo || objective == Objective::orpo || objective == Objective::reward;
}

/// How far a student is from its teacher: of the teacher's distribution from the student's (forward), the other way
/// round (reverse), of both from their mixture (jensen_shannon); or what its last layer gives instead (hidden_states).
enum class Divergence : unsigned char { jensen_shannon, forward, reverse, hidden_states };

/// What is known of data whose samples have many lengths: the tokens of one, on average, and their standard deviation.
/// Those longer than a sequence may be are cut, or left out.
struct SequenceLengths {
    double mean = 0, deviation = 0;
    bool longer_left_out = false;
};

/// What a server for generation that shares the trainer's devices leaves of them while it trains: everything; neither
/// its cache nor its weights, which wait in the host's memory (vLLM's sleep level 1); nor anything of them (level 2).
enum class Sleep : unsigned char { none, cache, all };

/// How answers come about, of which grpo and ppo learn.
struct Rollout {
    double completion = 256;       ///< tokens of an answer; what a sequence has before it is the prompt
    double sequences = 1;          ///< that a device generates at once
    bool gathers = false;          ///< weights that are divided are gathered for it, all at once
    bool scores_again = false;     ///< the policy's own log-probabilities are computed before it is trained
    Sleep sleep = Sleep::none;     ///< of a server
    bool trainer_on_host = false;  ///< the trainer's weights and states wait in the host's memory meanwhile
};

/// The parameters that are trained, by name: of the last layers (of the first ones, where their number is negative) all
/// or some modules, and what lies beside the layers. (LLaMA-Factory: freeze_trainable_layers, freeze_trainable_modules,
/// freeze_extra_modules)
struct TrainedParts {
    double layers = 2;
    std::vector<std::string> modules{"all"};
    std::vector<std::string> extra;
};

struct TrainingRequest {
    Rollout rollout;
    Objective objective = Objective::sft;
    bool reference_precomputed = false;  ///< what the reference says was written down before: it is not held
    Divergence divergence = Divergence::jensen_shannon;  ///< of a student from its teacher
    bool freeze = false;
    std::optional<Adapter> lora;  ///< train these; all else is frozen
    double trainable_percent = 100;
    std::optional<TrainedParts> parts;  ///< with freeze, in place of a percentage
    std::string precision = "bf16-mixed";
    std::string gradient_encoding;
    std::string state_encoding;  ///< of states that have the parameters' type; empty: that
    double gradient_copies = 1;
    bool expandable_segments = false;  ///< PyTorch: PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
    double gradient_bucket = 0;        ///< elements of the buffers that gradients are gathered in to be reduced
    double dequantised_copies = 1;  ///< of a packed matrix, in 16 bits, that are there at once while it is written out
    bool dequantised_kept = false;  ///< what a packed matrix is written out to is kept for the backward pass
    bool gradients_zeroed = false;  ///< between steps they are set to zero and not given back
    bool gradients_released = false;  ///< the optimizer steps each parameter during the backward pass and frees its
                                      ///< gradient
    std::string optimizer = "adamw";
    StepWay optimizer_step = StepWay::foreach;
    bool galore = false;                        ///< method: full training with projected gradients
    double low_rank = 0;                        ///< of projected gradients
    std::vector<std::string> low_rank_targets;  ///< parts or linear layers whose gradients are projected
    double micro_batch = 1, sequence = 2048, accumulation = 1;
    std::optional<SequenceLengths> lengths;  ///< every batch is padded to its longest; none: all to `sequence`
    Checkpointing checkpointing = Checkpointing::none;
    double checkpoint_every = 1;  ///< layers between two checkpoints
    RecomputeMethod recompute_method = RecomputeMethod::every;
    double recompute_num_layers = 1;   ///< of a piece, or of a stage
    bool use_cache = false;            ///< the model returns keys and values of all layers, as for generation
    bool checkpoints_on_host = false;  ///< what checkpointing keeps is copied to the host until it is needed
    LossKernel loss = LossKernel::full;
    FusedLoss fused_loss = FusedLoss::apart;
    double loss_chunks = 8;
    bool layers_compiled = false;  ///< a compiler makes each layer's kernels
    bool logits_in_fp32 = true;    ///< the loss upcasts 16-bit logits
    bool loss_autocast = false;    ///< or it is taken of 16-bit logits under autocast
    bool logits_cut = false;       ///< the last token's logits of each sequence are cut off, by a copy of the others
    bool loss_compiled = false;    ///< a compiler fused the upcast and the loss
    bool logits_returned_in_fp32 = true;  ///< what the model returns is the loss's upcast copy
    double previous_tokens = 0;  ///< of each sequence of the micro-batch before, whose loss and outputs are still held
    bool loss_in_model = false;  ///< the model takes the loss itself: outputs before are held until then
    bool logits_kept = false;    ///< the caller still holds the model's outputs during the backward pass
    bool holds_layer_outputs = false;  ///< the script still refers to these until the step has ended
    bool holds_output = false, holds_loss = false;
    std::string framework;  ///< version whose device context is meant; empty: today's
    PassOptions pass;
};

}  // namespace plimsoll
