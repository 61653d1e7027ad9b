// The block `training` of a request.
#include "api/request/request_parts.h"
#include "api/request/sparsity.h"
#include "estimate/training/replay/replay.h"
#include "model/core/recomputed.h"

namespace plimsoll {
namespace {

// Megatron-LM's recompute_modules: the modules of a layer that are recomputed.
void read_recomputed(Fields& fields, const Model& model, TrainingInputs& inputs, Reading& reading) {
    RecomputedModules& modules = inputs.request.kernels.pass.recomputed;
    const auto refuse = [&](const char* code, const std::string& what, const std::string& hint) {
        reading.fail({code, fields.path("recompute_modules"), what, hint});
    };
    if (inputs.request.recompute.checkpointing != Checkpointing::selective)
        return refuse("not_supported", "modules are chosen where checkpointing is selective",
                      "set checkpointing to selective, or leave it out");
    if (!fields.has("recompute_modules")) {
        modules.add(RecomputedModule::core_attention);
        return reading.assume(fields.path("recompute_modules"), std::string("core_attn"),
                              "attention between its inputs and its output, as Megatron-LM does by itself");
    }
    for (const Json& name : fields.raw("recompute_modules")) {
        const std::string* word = name.get_ptr<const std::string*>();
        const size_t module = word ? place_in(choice_names<RecomputedModule>, *word) : recomputed_module_count;
        if (module == recomputed_module_count)
            return refuse("unknown_value", "there is no module of that name",
                          "a list of: " + std::string(choice_names<RecomputedModule>));
        modules.add(static_cast<RecomputedModule>(module));
        if (!model.kinds.empty() && !has_module(model, static_cast<RecomputedModule>(module)))
            return refuse("not_supported", "no layer of this model has the module " + *word,
                          "leave it out, or name one that its layers have");
    }
}

// Transformer Engine's recipe. What gives up its output is recomputed by every recipe but delayed scaling. (Megatron-LM,
// core/transformer/transformer_config.py, __post_init__: moe_act and layernorm)
void read_fp8_recipe(Fields& fields, TrainingInputs& inputs, Reading& reading) {
    if (!inputs.precision.fp8) return tell_unused(fields, {"fp8_recipe"}, reading);
    const RecomputedModules& modules = inputs.request.kernels.pass.recomputed;
    const bool discards =
        modules.has(RecomputedModule::experts_activation) || modules.has(RecomputedModule::layer_norm);
    Fp8Recipe& recipe = inputs.request.precision.fp8_recipe;
    recipe = fields.pick("fp8_recipe", discards ? Fp8Recipe::blockwise : Fp8Recipe::delayed,
                         discards ? "DeepSeek-V3's: delayed scaling does not recompute moe_act and layernorm"
                                  : "Transformer Engine's default");
    if (discards && recipe == Fp8Recipe::delayed)
        reading.fail({"not_supported", fields.path("fp8_recipe"),
                      "delayed scaling does not recompute moe_act and layernorm",
                      "leave those out, or set it to current, blockwise or mxfp8"});
}

// Megatron-LM's recompute_method: which layers are recomputed as a whole.
void read_recompute_method(Fields& fields, TrainingRequest& training, Reading& reading) {
    if (!fields.has("recompute_method")) return tell_unused(fields, {"recompute_num_layers"}, reading);
    training.recompute.method = fields.pick("recompute_method", RecomputeMethod::uniform, "");
    training.recompute.num_layers = fields.number("recompute_num_layers", 1, "one layer at a time");
    if (training.recompute.checkpointing != Checkpointing::full)
        reading.fail({"not_supported", fields.path("recompute_method"),
                      "layers are chosen where all of one is recomputed",
                      "set checkpointing to full, or leave it out"});
    else if (fields.has("checkpoint_every"))
        reading.fail({"not_supported", fields.path("checkpoint_every"),
                      "recompute_method says which layers are recomputed already", "leave one of the two out"});
}

void read_checkpointing(Fields& fields, const Model& model, TrainingInputs& inputs, Reading& reading) {
    TrainingRequest& training = inputs.request;
    training.recompute.checkpointing =
        fields.pick("checkpointing", Checkpointing::none, "every layer's activations are kept");
    if (training.recompute.checkpointing == Checkpointing::selective || fields.has("recompute_modules"))
        read_recomputed(fields, model, inputs, reading);
    read_recompute_method(fields, training, reading);
    training.recompute.every = fields.optional_number("checkpoint_every").value_or(1);
    training.recompute.on_host = fields.optional_flag("checkpoints_on_host");
    if (training.recompute.on_host && training.recompute.checkpointing == Checkpointing::none)
        reading.fail({"not_supported", fields.path("checkpoints_on_host"),
                      "without checkpointing there is nothing to copy",
                      "set training.checkpointing to full, or leave this out"});
}

// A compiled loss upcasts by itself. accelerate's autocast upcasts what a model returns; DeepSpeed and Megatron-LM have
// none, nor has verl such a wrapper.
bool returns_in_fp32(const TrainingInputs& inputs) {
    const TrainingLayout& layout = inputs.layout;
    const bool own =
        layout.by_megatron() || layout.zero_alone || (layout.sharding == Sharding::deepspeed && layout.devices() > 1);
    const TrainingRequest& training = inputs.request;
    if (training.objective.kind == Objective::sft && training.loss.compiled) return training.loss.logits_kept;
    return training.objective.kind != Objective::ppo && !(training.objective.kind == Objective::grpo && own);
}

void read_loss(Fields& fields, TrainingInputs& inputs, Reading& reading) {
    TrainingRequest& training = inputs.request;
    training.loss.kernel = fields.pick("loss", LossKernel::full, "all logits at once");
    if (training.loss.kernel == LossKernel::cut && training.objective.kind != Objective::sft)
        reading.fail({"not_supported", fields.path("loss"), "cut cross-entropy is a loss of the next token",
                      "set loss to full, or objective to sft"});
    if (training.loss.kernel == LossKernel::fused)
        training.loss.version = fields.pick("loss_version", FusedLoss::apart, "Liger-Kernel since 0.6.2");
    else
        tell_unused(fields, {"loss_version"}, reading);
    training.kernels.use_cache = fields.optional_flag("use_cache");
    training.loss.chunks = training.loss.kernel == LossKernel::chunked
                               ? fields.number("loss_chunks", 8, "torchtune's default")
                               : fields.optional_number("loss_chunks").value_or(1);
    training.loss.logits_in_fp32 = fields.optional_flag("logits_in_fp32", true);
    training.loss.autocast = fields.optional_flag("loss_autocast");
    training.loss.logits_cut = fields.optional_flag("logits_cut");
    training.loss.logits_kept = fields.optional_flag("logits_kept");
    training.batch.previous_tokens = fields.optional_number("previous_tokens").value_or(0);
    training.loss.in_model = fields.optional_flag("loss_in_model");
    training.loss.compiled = fields.optional_flag("loss_compiled");
    training.loss.returned_in_fp32 = fields.optional_flag("logits_returned_in_fp32", returns_in_fp32(inputs));
    training.kernels.pass.compiled = fields.optional_flag("layers_compiled");
}

void read_held(Fields& fields, TrainingRequest& training, Reading& reading) {
    if (!fields.has("holds")) return;
    for (const Json& name : fields.raw("holds")) {
        const std::string* word = name.get_ptr<const std::string*>();
        const auto held = static_cast<HeldKind>(place_in(choice_names<HeldKind>, word ? *word : ""));
        if (held == HeldKind::layer_outputs)
            training.holds.layer_outputs = true;
        else if (held == HeldKind::output)
            training.holds.output = training.loss.logits_kept = true;
        else if (held == HeldKind::loss)
            training.holds.loss = true;
        else
            reading.fail({"unknown_value", fields.path("holds"), "a script holds nothing of that name",
                          "a list of: " + std::string(choice_names<HeldKind>)});
    }
}

// What attention is given where samples are packed or padded. (transformers, masking_utils.py; LLaMA-Factory,
// data/collator.py, prepare_4d_attention_mask)
void read_mask(Fields& fields, PassOptions& pass, Reading& reading) {
    pass.mask = fields.optional_pick("mask", AttentionMask::none);
    if (pass.mask == AttentionMask::none) return;
    if (pass.attention == AttentionKernel::flash)
        return reading.fail({"not_supported", fields.path("mask"), "flash attention is given lengths, not a mask",
                             "set attention to sdpa or eager, or leave it out"});
    if (pass.attention == AttentionKernel::eager && pass.mask == AttentionMask::boolean)
        reading.fail({"not_supported", fields.path("mask"), "eager attention adds its mask to the scores",
                      "set mask to additive, or attention to sdpa"});
}

// Whether some feed-forward multiplies what an activation gives with a gate.
bool is_gated(const Model& model) {
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops) {
            const Activation* activation = op.as<Activation>();
            const Experts* experts = op.as<Experts>();
            if ((activation && activation->gates) || (experts && experts->gated)) return true;
        }
    return false;
}

void read_kernels(Fields& fields, TrainingInputs& inputs, const Model& model, Reading& reading) {
    PassOptions& pass = inputs.request.kernels.pass;
    const bool megatron = inputs.layout.by_megatron();
    pass.attention = fields.pick("attention", AttentionKernel::sdpa, "today's default");
    pass.dropout = fields.optional_number("dropout").value_or(-1);
    pass.norm = fields.pick("norm", megatron ? NormKernel::fused : NormKernel::reference,
                            megatron ? "Transformer Engine's" : "norms as transformers writes them");
    if (is_gated(model))
        pass.feed_forward = fields.pick(
            "feed_forward", megatron ? FeedForwardKernel::fused : FeedForwardKernel::reference,
            megatron ? "Megatron-LM's bias_swiglu_fusion" : "activation and product as transformers writes them");
    else
        tell_unused(fields, {"feed_forward"}, reading);
    pass.repeat_kv = fields.optional_flag("repeat_kv");
    read_mask(fields, pass, reading);
    pass.frozen_keeps_input = fields.optional_flag("frozen_keeps_input");
    pass.experts = fields.optional_pick("experts", ExpertsKernel::grouped);
}

void read_lengths(Fields fields, TrainingRequest& training, Reading& reading) {
    SequenceLengths lengths;
    lengths.mean = fields.number("mean", training.batch.sequence / 2, "half of the longest sequence");
    lengths.deviation = fields.number("deviation", lengths.mean / 2, "half of the mean");
    lengths.longer_left_out =
        fields.pick("longer", LongerSamples::cut, "longer samples are cut") == LongerSamples::left_out;
    if (lengths.deviation > 2 * lengths.mean)
        reading.fail({"out_of_range", fields.path("deviation"), "lengths this far apart are not followed",
                      "at most twice the mean"});
    training.batch.lengths = lengths;
}

// What PEFT and exchanges of heads do not go with.
void refuse_kernels(const TrainingInputs& inputs, Reading& reading) {
    const TrainingRequest& training = inputs.request;
    if (training.method.adapter && training.method.adapter->virtual_tokens.in_layers &&
        training.recompute.checkpointing != Checkpointing::none)
        reading.fail({"not_supported", "training.checkpointing", "PEFT trains no prefix with checkpointing",
                      "leave it out, or take prompt or lora"});
    if (training.recompute.method != RecomputeMethod::every && inputs.built && tower_layers(*inputs.built) > 0)
        reading.fail({"not_supported", "training.recompute_method", "Megatron-LM's way is not followed with a tower",
                      "set checkpointing to full alone"});
    if (inputs.layout.exchanges_heads() && training.kernels.pass.attention == AttentionKernel::eager)
        reading.fail({"not_supported", "training.attention",
                      "heads are exchanged for tokens around a kernel's attention",
                      "take sdpa or flash, or parallel.context_kind ring"});
}

// Where no allocator is replayed (replay_training), what it leaves unused is a measured share.
void note_allocator(const TrainingInputs& inputs, Reading& reading) {
    if (is_replayed(inputs)) return;
    reading.notes.push_back(
        {"allocator_not_followed", "training",
         "the allocator's blocks are not followed for models beside the policy, answers, learned tokens, frozen "
         "weights joined with trained ones, or returned keys and values: slack is a measured share here"});
}

// Whether a layer scans by a kernel of a package that transformers takes only where it is installed.
bool scans_by_kernel(const Model& model) {
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops)
            if (op.is<FusedKernel>()) return true;
    return false;
}

// Without its kernel a scan runs as plain operations, whose matrices of all heads, states and places of a chunk are held
// at once. (transformers modeling_mamba2, torch_forward)
void note_scans(const Model& model, Reading& reading) {
    if (scans_by_kernel(model))
        reading.notes.push_back({"scan_kernel", "model",
                                 "mamba-ssm, causal-conv1d or flash-linear-attention is taken to be installed; without "
                                 "it the scan runs as plain operations and takes several times as much"});
}

// Where no allocator is replayed, lengths change nothing.
void note_lengths(TrainingInputs& inputs, Reading& reading) {
    if (!inputs.request.batch.lengths || is_replayed(inputs)) return;
    inputs.request.batch.lengths.reset();
    reading.notes.push_back(
        {"lengths_not_followed", "training.lengths",
         "lengths are followed without states on the host, other models or learned tokens; here every batch is as long "
         "as a sequence"});
}

}  // namespace

void read_training_lengths(Fields& fields, TrainingInputs& inputs) {
    TrainingRequest& training = inputs.request;
    training.batch.micro_batch = fields.number("micro_batch", 1, "one sequence at a time");
    training.batch.sequence = fields.number("sequence", 2048, "a usual length");
    training.batch.accumulation = fields.number("accumulation", 1, "no accumulation");
    inputs.sequence_source = fields.source("sequence");
    inputs.micro_batch_source = fields.source("micro_batch");
}

void read_training(Fields& top, const Library& library, const ModelChoice& model, Request& request) {
    Reading& reading = request.reading;
    if (!knows_training()) return reading.fail(ask_the_whole("task"));
    Fields said = top.child("training");
    const std::vector<Implied> defaults = read_trainer(top, said, library, reading);
    Fields fields = said.with(defaults);
    refuse_sparse_training(top.child("weights"), reading);
    TrainingInputs& inputs = request.training;
    TrainingRequest& training = inputs.request;
    read_layout(top, request);
    read_objective(fields, model.model, inputs, reading);
    read_method(top, fields, library, model, inputs, reading);
    divide_model(model.model, inputs, reading);
    read_models(fields, library, model, inputs, reading);
    training.gradients.released = fields.optional_flag("gradients_released");
    training.gradients.zeroed = fields.optional_flag("gradients_zeroed");
    training.gradients.bucket = fields.optional_number("gradient_bucket").value_or(0);
    training.kernels.dequantized_copies = fields.optional_number("dequantised_copies").value_or(1);
    training.kernels.dequantized_kept = fields.optional_flag("dequantised_kept");
    read_optimizer_choice(fields, library, model.model, inputs, reading);
    inputs.runtime = look_up(library.runtimes, "transformers", "training", "runtime", reading);
    training.process.framework =
        read_framework(fields, inputs.runtime, request.device ? &*request.device : nullptr, reading);
    training.process.expandable_segments = fields.optional_flag("expandable_segments");
    read_training_lengths(fields, inputs);
    if (fields.has("lengths")) read_lengths(fields.child("lengths"), inputs.request, reading);
    read_checkpointing(fields, inputs.built ? *inputs.built : model.model, inputs, reading);
    read_fp8_recipe(fields, inputs, reading);
    read_kernels(fields, inputs, model.model, reading);
    refuse_kernels(inputs, reading);
    read_loss(fields, inputs, reading);
    read_held(fields, training, reading);
    check_images(inputs, reading);
    if (!reading.error) read_rollout(fields, library, model, request);
    note_lengths(inputs, reading);
    note_allocator(inputs, reading);
    note_scans(model.model, reading);
}

}  // namespace plimsoll
