/// What is asked of a training run: what is trained, by which method, and how a step computes.
#pragma once

#include <string>

#include "inputs/optimizer.h"
#include "inputs/training/batch.h"
#include "inputs/training/loss.h"
#include "inputs/training/method.h"
#include "inputs/training/objective.h"
#include "inputs/training/recompute.h"
#include "inputs/workload.h"

namespace plimsoll {

struct TrainingPrecision {
    std::string name = "bf16-mixed";
    std::string gradient_encoding;              ///< empty: the precision's
    std::string state_encoding;                 ///< of states that have the parameters' type; empty: that
    Fp8Recipe fp8_recipe = Fp8Recipe::delayed;  ///< of fp8-mixed
};

/// How the layers compute.
struct TrainingKernels {
    PassOptions pass;
    bool use_cache = false;         ///< the model returns keys and values of all layers, as for generation
    double dequantized_copies = 1;  ///< of a packed matrix, in 16 bits, that are there at once while it is dequantized
    bool dequantized_kept = false;  ///< what a packed matrix is dequantized to is kept for the backward pass
};

struct OptimizerChoice {
    std::string name = "adamw";
    StepWay step = StepWay::foreach;
};

/// What becomes of gradients between the backward pass and the next step.
struct GradientLifetimes {
    double copies = 1;      ///< that are kept at once
    double bucket = 0;      ///< elements of the buffers that they are gathered in to be reduced
    bool zeroed = false;    ///< between steps they are set to zero and not given back
    bool released = false;  ///< the optimizer steps each parameter during the backward pass and frees its gradient
};

/// What the script still refers to until the step has ended.
struct HeldByScript {
    bool layer_outputs = false, output = false, loss = false;
};

/// What the process that trains is started with.
struct TrainingProcess {
    bool expandable_segments = false;  ///< PyTorch: PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
    std::string framework;             ///< version whose device context is meant; empty: today's
};

struct TrainingRequest {
    TrainingMethod method;
    TrainingObjective objective;
    TrainingPrecision precision;
    Recompute recompute;
    TrainingLoss loss;
    TrainingKernels kernels;
    TrainingBatch batch;
    OptimizerChoice optimizer;
    GradientLifetimes gradients;
    HeldByScript holds;
    TrainingProcess process;
};

}  // namespace plimsoll
