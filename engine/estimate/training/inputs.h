/// A training request with everything looked up.
#pragma once

#include "estimate/inference/inference_inputs.h"
#include "estimate/ledger/row_id.h"
#include "inputs/device.h"
#include "inputs/layout.h"
#include "inputs/optimizer.h"
#include "inputs/runtime.h"
#include "inputs/training/training.h"
#include "model/core/model.h"
#include "policies/encodings/weight_mix.h"
#include "policies/training/precision.h"

namespace plimsoll {

/// Which part of a pipeline a device runs.
struct StagePlace {
    double stage = 0;
    bool first = true, last = true;
    double in_flight = 1;            ///< micro-batches whose activations it holds at once
    std::vector<size_t> parts = {};  ///< layers of each of its pieces (interleaved schedules); empty: one has all
    size_t pieces() const { return parts.empty() ? 1 : parts.size(); }
};

/// Another model of a training run, which has a row of its own; of them, a critic alone is trained.
struct AuxiliaryModel {
    RowId::Known row;                           ///< `reference`, `teacher`, `reward`, `critic`
    std::shared_ptr<const Model> model;         ///< null: of the policy's architecture
    const Encoding* weights = nullptr;          ///< null: stored as the policy's are
    std::shared_ptr<const Encoding> base = {};  ///< that encoding, where what it leaves wide depends on the precision
    WeightMix mix = {};                         ///< what it leaves wide; empty: nothing
    std::optional<TrainingLayout> layout = {};  ///< none: as the policy is spread
    bool on_host = false;                       ///< while it does not run, all of it waits in the host's memory
    bool trained = false;                       ///< a critic, in the way that the policy is
    bool has_weights = true;                    ///< else it is the policy, its adapter switched off
};

struct TrainingInputs {
    TrainingRequest request;
    TrainingLayout layout;
    StagePlace place = {};
    Precision precision;
    const Optimizer* optimizer = nullptr;
    std::optional<Dtype> gradient;         ///< the user's choice in place of the precision's
    const Encoding* weights = nullptr;     ///< of a frozen base; null: in the precision's own type
    std::shared_ptr<const Encoding> base;  ///< that encoding, where what it leaves wide depends on the precision
    WeightMix mix;                         ///< what it leaves wide; empty: nothing
    std::shared_ptr<const Model> built;    ///< the model as the framework builds it, or with its objective's head
    std::vector<AuxiliaryModel> models;    ///< beside the policy
    std::shared_ptr<InferenceInputs> generation;  ///< of answers to learn from, in this process or by a server
    std::shared_ptr<const Model> generator;       ///< the whole model that generates them
    const Device* device = nullptr;
    const Runtime* runtime = nullptr;     ///< the framework's context and workspace
    std::shared_ptr<const Model> shared;  ///< what one device of a group that shares its matrices holds; null: all
    std::string sequence_source, micro_batch_source;
    bool records_step = false;  ///< the reply tells the step moment by moment
    /// The fullest device alone is wanted: the allocator is not followed, so that `slack` is left out, and stages of a
    /// pipeline are left out which hold no more than one before them.
    bool formulas_alone = false;
    bool one_length = false;  ///< nobody reads the band: the allocator is not followed over lengths that vary

    /// Frozen weights have gradients, too: they are views of one parameter of which the adapters are trained. (PyTorch,
    /// fsdp/_flat_param.py, _use_unsharded_views)
    bool joins_frozen() const { return layout.frozen_joined && request.method.adapter && layout.divides_gradients(); }
    /// A gradient's type as the backward pass makes it: the parameter's.
    Dtype gradient_made() const {
        return request.method.adapter ? request.method.adapter->dtype : precision.numerics.parameter;
    }
    /// One buffer holds all gradients from step to step.
    bool gradients_stay() const {
        return (precision.preallocated_gradients && !request.method.adapter) || layout.gradients_are_buckets();
    }
    /// Each device keeps its share of them alone.
    bool gradients_divided() const {
        return layout.divides_gradients() && (layout.reduces_each_micro_batch || request.batch.accumulation == 1);
    }
    /// And a layer's are reduced together, when all of them have come, on a stream that keeps the shares.
    bool reduces_by_unit() const { return gradients_divided() && gathers_units(layout.sharding); }
    /// What is left of them once they are reduced goes to the host at once, where the optimizer steps. (PyTorch,
    /// fsdp/_fully_shard/_fsdp_collectives.py, foreach_reduce; DeepSpeed, stage_1_and_2.py,
    /// async_accumulate_grad_in_cpu_via_gpu; stage3.py, partition_grads)
    bool gradients_go_to_host() const { return gradients_divided() && steps_on_host(); }
    /// The host's processor steps, and has each device's share of the gradients.
    bool steps_on_host() const {
        return layout.divides_gradients() && layout.optimizer != Residence::device && !layout.by_megatron();
    }
    /// A gradient is used as soon as it has come: added to a buffer, or by the optimizer.
    bool gradients_pass() const {
        return request.gradients.released || gradients_stay() || (gradients_divided() && !reduces_by_unit());
    }
    /// A tied head's gradient, to which the embedding's is not added in place: their sum is a third. Where a cast or the
    /// loss has made it, it is nobody else's, and grows. (PyTorch, autograd/input_buffer.cpp, can_accumulate_inplace;
    /// tests/measured/h100.jsonl, g0010, g0055, g0118)
    bool tied_gradients_apart() const {
        return !precision.numerics.autocast && request.loss.kernel != LossKernel::fused;
    }
};

/// By what kind of run measured cases are told apart: where lengths vary, what stays reserved depends on their order,
/// and on that more than on the method; how far that is off tells nothing of other runs.
inline const char* method_of(const TrainingInputs& inputs) {
    if (inputs.request.batch.lengths) return "lengths";
    if (inputs.request.method.adapter) return inputs.weights ? "qlora" : "lora";
    return inputs.request.method.galore ? "galore" : "full";
}

}  // namespace plimsoll
