/// How a training run is spread over devices.
#pragma once

#include <initializer_list>

#include "inputs/choices.h"

namespace plimsoll {

/// Which of them gathers the weights of a unit of layers shortly before it runs.
inline bool gathers_units(Sharding sharding) { return sharding == Sharding::fsdp || sharding == Sharding::fsdp2; }

struct TrainingLayout {
    double data = 1, tensor = 1, pipeline = 1, context = 1, expert = 1;
    double expert_tensor = 1;     ///< devices that share the matrices of each expert, where experts are divided
    double expert_imbalance = 1;  ///< routed tokens of the device that has most of them, over the mean
    double in_experts = 0;        ///< share of a device's parameters that fewer devices have in common; 0: none
    Sharding sharding = Sharding::ddp;
    double zero = 0;            ///< 1: optimizer states are divided; 2: and gradients; 3: and weights
    bool zero_alone = false;    ///< DeepSpeed runs one device as it runs many: a share is the whole, in its own buffers
    double shard_group = 0;     ///< devices that share one copy of what is divided (hybrid); 0: all of them
    double virtual_stages = 1;  ///< pipeline: parts of the model that a stage has, interleaved
    double first_stage_layers = 0,
           last_stage_layers = 0;  ///< pipeline: of a stage that has another share; 0: as others
    Schedule schedule = Schedule::one_forward_one_backward;
    ContextKind context_kind = ContextKind::ring;
    bool sequence_parallel = false;        ///< tensor parallel: between the products, devices share the tokens
    bool gradient_as_bucket_view = false;  ///< ddp: gradients lie in the buckets that are reduced
    bool reduces_each_micro_batch = true;  ///< else (`no_sync`) whole gradients are kept over an accumulation
    bool ends_apart = false;               ///< fsdp: embedding and head are units of their own, not what is left over
    bool frozen_joined = false;            ///< fsdp: frozen weights share a flat parameter with the adapters among them
    bool loads_whole = false;              ///< each device has had all weights before they were divided
    bool reshard_after_forward = true;     ///< else gathered weights stay until the backward pass
    bool ends_let_go = false;  ///< fsdp2: so do not those of the ends, which are gathered anew after the loss
    bool gradients_reduced_in_fp32 = true;  ///< fsdp: the type that gradients are summed in
    double reduce_bucket = 5e8;             ///< deepspeed: elements
    bool overlap_communication = false;     ///< deepspeed: two such buckets
    double prefetch_bucket = 5e7;           ///< deepspeed stage 3: elements
    double live_parameters = 1e9, reuse_distance = 1e9, persistent_parameters = 1e5;  ///< of the same: elements
    double sub_group = 1e9;                                                           ///< elements stepped at once
    Residence optimizer = Residence::device, parameters = Residence::device;
    Collectives collectives = Collectives::of_the_device;

    double devices() const { return data * tensor * pipeline * context; }
    bool divides() const { return shards() > 1 || zero_alone; }
    bool divides_states() const { return zero >= 1 && divides(); }
    bool divides_gradients() const { return zero >= 2 && divides(); }
    /// Fully sharded data parallelism does so at stage 2 as well, and gathers them once a step. (PyTorch,
    /// fsdp/api.py, ShardingStrategy.SHARD_GRAD_OP; fully_shard, reshard_after_forward)
    bool divides_weights() const {
        const bool by_units = sharding == Sharding::fsdp || sharding == Sharding::fsdp2;
        return zero >= (by_units ? 2 : 3) && divides();
    }
    /// Weights that stay gathered after the forward pass go layer by layer as it runs backward; the stages of a pipeline
    /// keep them until their last micro-batch. (_fully_shard.py, set_reshard_after_backward; pipelining/stage.py)
    bool units_go_backward() const { return !reshard_after_forward && pipeline == 1; }
    bool exchanges_heads() const { return context_kind == ContextKind::ulysses && context > 1; }
    bool by_megatron() const { return sharding == Sharding::megatron && devices() > 1; }
    bool gradients_are_buckets() const {
        return sharding == Sharding::ddp && gradient_as_bucket_view && data * context > 1;
    }
    /// Micro-batches whose activations a stage holds at once, of `micro_batches` a step; a part of one, where a stage
    /// has parts that run at different times.
    /// Source: Narayanan et al., arXiv:2104.04473; Megatron-LM, core/pipeline_parallel/schedules.py (num_warmup).
    double in_flight(double stage, double micro_batches) const {
        if (pipeline == 1) return 1;
        if (schedule == Schedule::all_forward) return micro_batches;
        const double after = pipeline - stage - 1;
        const double pieces = virtual_stages == 1 ? after + 1 : 2 * after + (virtual_stages - 1) * pipeline + 1;
        const double all = micro_batches * virtual_stages;
        return (pieces < all ? pieces : all) / virtual_stages;
    }
    /// Groups that a device communicates in, each with a communicator of its own: copies of what it has (in a hybrid two
    /// groups, those that share and those that have the same), and of its experts; and those of each degree.
    /// Source: PyTorch, ProcessGroupNCCL.cpp (one per group and device); Megatron-LM, core/parallel_state.py.
    double communicators() const {
        const double copies = data * context;
        double groups = copies > 1 ? 1 : 0;
        if (shard_group > 1 && shard_group < copies) ++groups;
        if (expert > 1 && expert_copies() > 1) ++groups;
        for (const double degree : {tensor, pipeline, context, expert}) groups += degree > 1 ? 1 : 0;
        return groups;
    }
    /// Whether one device's part of a layer is another one than the whole model's.
    bool divides_blocks() const { return tensor * expert > 1 || exchanges_heads(); }
    bool sets_stage_layers() const { return first_stage_layers + last_stage_layers > 0; }
    /// Stages whose layers nobody set, of which all have as many.
    double even_stages() const {
        return pipeline - (first_stage_layers > 0 ? 1.0 : 0.0) - (last_stage_layers > 0 ? 1.0 : 0.0);
    }
    /// Devices that have the same experts. (Megatron-LM, core/parallel_state.py: expert data parallel)
    double expert_copies() const { return data * tensor * context / (expert * expert_tensor); }
    /// Whether each device of a tensor-parallel group has a part of the vocabulary, and takes its part of the loss.
    /// DeepSpeed divides the layers' products alone. (module_inject/replace_module.py, set_lm_head: not in training)
    bool divides_vocabulary() const { return tensor > 1 && sharding != Sharding::deepspeed; }
    /// Devices that share one copy of what is divided: those that differ in their data, or in their part of a sequence.
    double shards() const { return shard_group > 0 ? shard_group : data * context; }
};

}  // namespace plimsoll
