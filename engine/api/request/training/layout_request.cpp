// How a training run is spread over devices: `devices` and `parallel` of a request.
#include "api/request/degrees.h"
#include "api/request/request_parts.h"
#include "estimate/training/parameters/trained.h"
#include "model/transform/divided_model.h"

namespace plimsoll {
namespace {

// A stage implies who divides, and who divides a stage.
void read_sharding(Fields& parallel, TrainingLayout& layout, Reading& reading) {
    const double asked = parallel.optional_number("zero").value_or(-1);
    const bool copies = layout.shards() > 1;
    const Sharding usual = asked > 0 ? Sharding::deepspeed : Sharding::ddp;
    const char* why = asked > 0 ? "ZeRO is DeepSpeed's" : "each copy of the model has everything";
    layout.sharding = copies || parallel.has("framework") ? parallel.pick("framework", usual, why) : usual;
    const bool units = gathers_units(layout.sharding), deepspeed = layout.sharding == Sharding::deepspeed;
    double stage = deepspeed ? 2 : 0;
    if (units) stage = 3;
    layout.zero = asked >= 0 ? asked : stage;
    layout.zero_alone = deepspeed && layout.devices() == 1 && parallel.has("framework") && asked > 0;
    const auto refuse = [&](const char* what, const char* hint) {
        reading.fail({"not_supported", "parallel.zero", what, hint});
    };
    if (layout.sharding == Sharding::ddp && layout.zero > 0)
        refuse("DistributedDataParallel divides nothing", "set framework to deepspeed, fsdp2 or megatron");
    if (layout.sharding == Sharding::megatron && layout.zero > 1)
        refuse("Megatron-LM's distributed optimizer divides the optimizer's states alone", "take 1, or fsdp2");
    if (units && layout.zero < 2)
        refuse("fully sharded data parallelism divides gradients at least", "2 (SHARD_GRAD_OP) or 3 (FULL_SHARD)");
    if (layout.zero >= 2 && layout.pipeline > 1 && deepspeed)
        refuse("DeepSpeed's pipeline keeps gradients until its last micro-batch, and does not divide them",
               "take ZeRO stage 1 with a pipeline");
}

// Said rather than refused: the answer holds for one way to run it, which the request does not name.
void tell_of_divisions(const Fields& parallel, const TrainingLayout& layout, Reading& reading) {
    if (reading.silent) return;
    if (layout.sharding == Sharding::ddp && parallel.has("framework") && layout.tensor * layout.pipeline > 1)
        reading.notes.push_back({"ddp_beside_divisions", parallel.path("framework"),
                                 "DistributedDataParallel copies a model and divides none: matrices and layers are "
                                 "counted as PyTorch's tensor and pipeline parallelism divide them beside it"});
}

// Where experts are divided among devices, how many share the matrices of each. (Megatron-LM, core/parallel_state.py:
// expert_tensor_parallel_size is the tensor's unless it is set; torchtitan, config: expert_tensor_parallel_degree 1)
void read_expert_tensor(Fields& parallel, TrainingLayout& layout, Reading& reading) {
    if (layout.expert == 1 || layout.tensor == 1) return tell_unused(parallel, {"expert_tensor"}, reading);
    const bool megatron = layout.sharding == Sharding::megatron;
    layout.expert_tensor = parallel.number(
        "expert_tensor", megatron ? layout.tensor : 1,
        megatron ? "Megatron-LM's: as many as share the other matrices" : "experts are whole on their devices");
    if (layout.expert_tensor > layout.tensor)
        reading.fail({"out_of_range", parallel.path("expert_tensor"),
                      "experts are not shared by more devices than other matrices are", "at most parallel.tensor"});
}

void read_hybrid(Fields& parallel, TrainingLayout& layout, Reading& reading) {
    layout.shard_group = parallel.optional_number("shard_group").value_or(0);
    const double groups = layout.data * layout.context / maximum(layout.shard_group, 1.0);
    if (!is_whole(groups))
        reading.fail({"out_of_range", "parallel.shard_group", "groups of that size leave devices over",
                      "a divisor of the data-parallel degree"});
}

// What each framework lets be chosen.
void read_buffers(Fields& parallel, TrainingLayout& layout) {
    const auto elements = [&parallel](const char* name, double& into) {
        into = parallel.optional_number(name).value_or(into);
    };
    layout.gradient_as_bucket_view = parallel.optional_flag("gradient_as_bucket_view");
    layout.reduces_each_micro_batch = !parallel.optional_flag("no_sync");
    layout.reshard_after_forward = parallel.optional_flag("reshard_after_forward", layout.zero >= 3);
    layout.ends_apart = parallel.optional_flag("ends_apart");
    // Left out, PyTorch lets go of all units but the root's; said, of all. (_fully_shard.py, reshard_after_forward)
    layout.ends_let_go = layout.sharding == Sharding::fsdp2 && !layout.ends_apart && layout.reshard_after_forward &&
                         parallel.has("reshard_after_forward");
    layout.gradients_reduced_in_fp32 = parallel.optional_flag("reduce_in_fp32", layout.sharding == Sharding::fsdp2);
    layout.frozen_joined = parallel.optional_flag("frozen_joined");
    layout.overlap_communication = parallel.optional_flag("overlap_communication", layout.zero >= 3);
    elements("reduce_bucket", layout.reduce_bucket);
    elements("prefetch_bucket", layout.prefetch_bucket);
    elements("live_parameters", layout.live_parameters);
    elements("reuse_distance", layout.reuse_distance);
    elements("persistent_parameters", layout.persistent_parameters);
    elements("sub_group", layout.sub_group);
}

// What may lie in the host's memory; fully sharded weights take everything with them.
void read_offload(Fields& parallel, TrainingLayout& layout, Reading& reading) {
    if (!parallel.has("offload")) return;
    Fields offload = parallel.child("offload");
    layout.optimizer = offload.optional_pick("optimizer", Residence::device);
    layout.parameters = offload.optional_pick("parameters", Residence::device);
    const bool units = gathers_units(layout.sharding), deepspeed = layout.sharding == Sharding::deepspeed;
    const auto refuse = [&](const char* field, const char* what, const char* hint) {
        reading.fail({"not_supported", offload.path(field), what, hint});
    };
    if (units && layout.parameters == Residence::cpu) layout.optimizer = Residence::cpu;
    if (units && layout.optimizer == Residence::cpu && layout.parameters == Residence::device)
        refuse("optimizer", "FSDP off-loads weights, gradients and states together", "set offload.parameters to cpu");
    if (layout.parameters != Residence::device && !layout.divides_weights())
        refuse("parameters", "weights that are whole on every device are not off-loaded", "set parallel.zero to 3");
    if (layout.optimizer != Residence::device && !units && !layout.by_megatron() &&
        !(deepspeed && layout.divides_states()))
        refuse("optimizer", "only DeepSpeed's ZeRO, FSDP and Megatron-LM off-load states",
               "set parallel.framework and parallel.zero, or take a paged optimizer");
    if ((layout.parameters == Residence::nvme || layout.optimizer == Residence::nvme) &&
        !(deepspeed && layout.divides_weights()))
        refuse(layout.optimizer == Residence::nvme ? "optimizer" : "parameters", "disks are ZeRO-Infinity's",
               "take deepspeed with zero 3, or cpu");
}

// How divided weights come to the devices.
void read_loading(Fields& parallel, TrainingLayout& layout, Reading& reading) {
    if (!parallel.has("loading")) return;
    layout.loads_whole = parallel.pick("loading", Loading::divided, "") == Loading::whole;
    if (layout.loads_whole && (!layout.divides_weights() || layout.parameters != Residence::device))
        reading.fail({"not_supported", "parallel.loading",
                      "whole weights are loaded before they are divided on devices",
                      "set parallel.zero to 3 without offload.parameters, or leave it out"});
}

// Interleaved parts need a schedule that runs them in turn.
void read_pipeline(Fields& parallel, TrainingLayout& layout, Reading& reading) {
    layout.virtual_stages = parallel.optional_number("virtual_stages").value_or(1);
    layout.first_stage_layers = parallel.optional_number("first_stage_layers").value_or(0);
    layout.last_stage_layers = parallel.optional_number("last_stage_layers").value_or(0);
    const bool several = layout.virtual_stages > 1;
    layout.schedule =
        parallel.optional_pick("schedule", several ? Schedule::interleaved : Schedule::one_forward_one_backward);
    if (several && (layout.schedule != Schedule::interleaved || layout.pipeline == 1))
        reading.fail({"not_supported", "parallel.virtual_stages", "stages with several parts are interleaved",
                      "set parallel.pipeline above 1 and schedule to interleaved, or leave it out"});
}

}  // namespace

void read_layout(Fields& top, Request& request) {
    Fields parallel = top.child("parallel");
    read_layout(top, parallel, std::nullopt, request.training.layout, request.reading);
}

void read_layout(Fields& top, Fields& parallel, std::optional<double> listed, TrainingLayout& layout,
                 Reading& reading) {
    const Degrees degrees = read_degrees(
        top, parallel,
        {&Degrees::data, "devices that no other degree takes have copies of the model", true, true, listed}, reading);
    if (reading.error) return;
    layout.tensor = degrees.tensor;
    layout.pipeline = degrees.pipeline;
    layout.data = degrees.data;
    layout.context = degrees.context;
    layout.expert = degrees.expert;
    layout.expert_imbalance = parallel.optional_number("expert_imbalance").value_or(1);
    if (layout.expert_imbalance > layout.expert)
        reading.fail({"out_of_range", parallel.path("expert_imbalance"), "one device cannot have more than all experts",
                      "at most parallel.expert"});
    read_hybrid(parallel, layout, reading);
    read_sharding(parallel, layout, reading);
    read_expert_tensor(parallel, layout, reading);
    tell_of_divisions(parallel, layout, reading);
    read_buffers(parallel, layout);
    read_offload(parallel, layout, reading);
    read_loading(parallel, layout, reading);
    read_pipeline(parallel, layout, reading);
    layout.context_kind = parallel.optional_pick("context_kind", ContextKind::ring);
    layout.collectives = parallel.optional_pick("backend", Collectives::of_the_device);
    layout.sequence_parallel = parallel.optional_flag("sequence_parallel");
    if (layout.sequence_parallel && layout.tensor == 1)
        reading.fail({"not_supported", "parallel.sequence_parallel",
                      "sequence parallelism is between the products that tensor parallelism divides",
                      "set parallel.tensor, or take parallel.context"});
}

void divide_model(const Model& model, TrainingInputs& inputs, Reading& reading) {
    const TrainingLayout& layout = inputs.layout;
    if (reading.error) return;
    const Model& whole = inputs.built ? *inputs.built : model;
    if (const auto refused = refused_division(whole, layout)) return reading.fail(*refused);
    if (inputs.weights && layout.tensor * layout.expert * layout.pipeline > 1)
        return reading.fail({"not_supported", "parallel.tensor",
                             "a packed base is not divided by matrices or layers yet", "take fsdp2, or method lora"});
    if (inputs.request.method.adapter && inputs.request.method.adapter->block > 0 && layout.tensor > 1)
        return reading.fail({"not_supported", "parallel.tensor", "OFT turns the inputs of whole layers",
                             "leave it out, or set method to lora"});
    if (inputs.joins_frozen() && (layout.sharding != Sharding::fsdp || inputs.weights ||
                                  inputs.request.method.adapter->dtype != inputs.precision.numerics.parameter))
        return reading.fail({"not_supported", "parallel.frozen_joined",
                             "a flat parameter is fsdp's, of weights and adapters of one type that are not packed",
                             "set framework to fsdp and lora.encoding to the precision's, or leave it out"});
    if (!is_whole(layout.expert_copies()) || layout.expert_copies() < 1)
        return reading.fail({"out_of_range", "parallel.expert", "experts are shared by devices of other groups",
                             "expert × expert_tensor must divide data × tensor × context"});
    if (layout.divides_blocks()) inputs.shared = std::make_shared<const Model>(shared_model(whole, layout));
    if (layout.expert > 1) inputs.layout.in_experts = trained_in_experts(*inputs.shared, inputs);
}

}  // namespace plimsoll
