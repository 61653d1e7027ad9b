/// What an estimate of inference is made from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "estimate/ledger/phase.h"
#include "inputs/device.h"
#include "inputs/encoding.h"
#include "inputs/runtime.h"
#include "inputs/workload.h"
#include "policies/encodings/mean_bits.h"
#include "policies/encodings/weight_mix.h"
#include "policies/runtimes/server_defaults.h"

namespace plimsoll {

/// Facts of a loaded model that follow from its tensors' sizes alone.
struct Loaded {
    double left_over = 0;    ///< in blocks, or in segments, beyond the tensors' bytes
    double dequantised = 0;  ///< elements of the largest matrix that a kernel writes out; 0: none does
    bool quantised = false, tied_head_loaded = false, tied_head_kept = false;
};

/// What a server's pools hold of one model.
struct PoolChoice {
    bool used = false;
    double window_ratio = 0;  ///< tokens of layers with windows for each of the others'; 0: they hold all
    double state_ratio = 0, states_of_a_sequence = 1;
    double idle_layers = 0;  ///< layers with windows that have their place, and that the model does not run
    bool drafts_beyond = false, draft_weights_beyond = false;  ///< the claimed share
};

struct Companions;
struct KnownGraphs;

/// A request for inference with everything looked up.
struct InferenceInputs {
    InferenceRequest request;
    bool weights_as_stored = false;  ///< in the types of the checkpoint's tensors, whatever `weights` says
    const Encoding *weights = nullptr, *keys = nullptr, *values = nullptr;
    WeightMix mix;       ///< where `weights` stores some weights another way
    MeanBits mean_bits;  ///< the same where only a number of parameters is known
    Loaded loaded;
    double release = 0;  ///< of the runtime, 4.38 as 4038; 0: today's
    Dtype compute = Dtype::sixteen_bit;
    bool fp16 = false;               ///< and that is fp16, not bf16
    const Device* device = nullptr;  ///< absent: no device was named
    const Runtime* runtime = nullptr;
    double least_fraction = 0, most_fraction = 0;  ///< of a device, by other releases; 0: the share was said
    StepRules step;                                ///< of the runtime's release
    ServedModel served;                            ///< what a server's defaults depend on
    PoolChoice pools;                              ///< of a server whose layers hold every token
    GraphRules graph_rules;                        ///< the same of llama.cpp
    std::string backend;                           ///< `cuda`, `rocm`, `vulkan`, `metal`, `cpu`
    Placement placement;                           ///< of a runtime that splits by layers
    ExpertRouting routing;
    const std::vector<Device>* devices = nullptr;  ///< where they are unequal: each of them
    std::shared_ptr<const Companions> companions;  ///< what is held beside the model; absent: nothing
    /// Made while estimating, for further estimates of which the lengths alone are others; see llama_graph.h.
    mutable std::shared_ptr<KnownGraphs> graphs;
    std::string context_source, sequences_source, prompt_source, batch_source, at_once_source;
    double timed_prompt = 0;  ///< tokens of a prompt, where time is asked; memory of few runtimes depends on it
};

namespace inference_phase {
enum : size_t { load, prefill, decode };
inline Phases names() { return {Phase::load, Phase::prefill, Phase::decode}; }
}  // namespace inference_phase

}  // namespace plimsoll
