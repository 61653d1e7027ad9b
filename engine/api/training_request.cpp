// The block `training` of a request.
#include "api/request_parts.h"
#include "api/sparsity.h"

namespace plimsoll {
namespace {

void read_checkpointing(Fields& fields, TrainingRequest& training) {
    const std::string word = fields.choice("checkpointing", {"none", "full", "selective", "selective-op"}, "none",
                                           "every layer's activations are kept");
    training.checkpointing = word == "full"           ? Checkpointing::full
                             : word == "selective"    ? Checkpointing::selective
                             : word == "selective-op" ? Checkpointing::selective_op
                                                      : Checkpointing::none;
    training.checkpoint_every = fields.optional_number("checkpoint_every", {1, 1000}).value_or(1);
    training.checkpoints_on_host = fields.optional_flag("checkpoints_on_host");
}

void read_loss(Fields& fields, TrainingRequest& training) {
    const std::string word = fields.choice("loss", {"full", "chunked", "fused"}, "full", "all logits at once");
    training.loss = word == "chunked" ? LossKernel::chunked : word == "fused" ? LossKernel::fused : LossKernel::full;
    training.loss_chunks = training.loss == LossKernel::chunked
                               ? fields.number("loss_chunks", {1, 65536}, 8, "torchtune's default")
                               : fields.optional_number("loss_chunks", {1, 65536}).value_or(1);
    training.logits_in_fp32 = fields.optional_flag("logits_in_fp32", true);
    training.loss_autocast = fields.optional_flag("loss_autocast");
    training.logits_cut = fields.optional_flag("logits_cut");
    training.logits_kept = fields.optional_flag("logits_kept");
    training.previous_tokens = fields.optional_number("previous_tokens", token_limits).value_or(0);
    training.logits_returned_in_fp32 = fields.optional_flag("logits_returned_in_fp32", true);
    training.loss_compiled = fields.optional_flag("loss_compiled");
}

void read_held(Fields& fields, TrainingRequest& training, Reading& reading) {
    if (!fields.has("holds")) return;
    for (const Json& name : fields.raw("holds")) {
        const std::string* word = name.get_ptr<const std::string*>();
        if (word && *word == "layer_outputs")
            training.holds_layer_outputs = true;
        else if (word && *word == "output")
            training.holds_output = training.logits_kept = true;
        else if (word && *word == "loss")
            training.holds_loss = true;
        else
            reading.fail({"unknown_value", fields.path("holds"), "a script holds nothing of that name",
                          "a list of: layer_outputs, output, loss"});
    }
}

void read_kernels(Fields& fields, PassOptions& pass) {
    const std::string attention = fields.choice("attention", {"eager", "sdpa", "flash"}, "sdpa", "today's default");
    pass.attention = attention == "eager"   ? AttentionKernel::eager
                     : attention == "flash" ? AttentionKernel::flash
                                            : AttentionKernel::sdpa;
    pass.dropout = fields.optional_number("dropout", {0, 1, false}).value_or(-1);
    pass.norm =
        fields.choice("norm", {"reference", "fused"}, "reference", "norms as transformers writes them") == "fused"
            ? NormKernel::fused
            : NormKernel::reference;
    pass.repeat_kv = fields.optional_flag("repeat_kv");
    pass.frozen_keeps_input = fields.optional_flag("frozen_keeps_input");
    if (fields.has("experts") && fields.choice("experts", {"grouped", "loop"}, "grouped", "") == "loop")
        pass.experts = ExpertsKernel::loop;
}

void read_lengths(Fields fields, TrainingRequest& training, Reading& reading) {
    fields.known({"mean", "deviation", "longer"});
    SequenceLengths lengths;
    lengths.mean = fields.number("mean", {1, 1e8, false}, training.sequence / 2, "half of the longest sequence");
    lengths.deviation = fields.number("deviation", {0, 1e8, false}, lengths.mean / 2, "half of the mean");
    lengths.longer_left_out = fields.choice("longer", {"cut", "left-out"}, "cut", "longer samples are cut") != "cut";
    if (lengths.deviation > 2 * lengths.mean)
        reading.fail({"out_of_range", fields.path("deviation"), "lengths this far apart are not followed",
                      "at most twice the mean"});
    training.lengths = lengths;
}

// Where no allocator is replayed (replay_training), lengths change nothing.
void note_lengths(const TrainingInputs& inputs, Reading& reading) {
    if (inputs.request.lengths && !inputs.replays())
        reading.notes.push_back(
            {"lengths_not_followed", "training.lengths",
             "lengths are followed where each device has a copy of the model, without a reference, "
             "learned tokens or checkpointed operations; here every batch is as long as a sequence"});
}

}  // namespace

void read_training_lengths(Fields& fields, TrainingInputs& inputs) {
    TrainingRequest& training = inputs.request;
    training.micro_batch = fields.number("micro_batch", count_limits, 1, "one sequence at a time");
    training.sequence = fields.number("sequence", token_limits, 2048, "a usual length");
    training.accumulation = fields.number("accumulation", count_limits, 1, "no accumulation");
    inputs.sequence_source = fields.source("sequence");
    inputs.micro_batch_source = fields.source("micro_batch");
}

void read_training(Fields& top, const Library& library, const ModelChoice& model, Request& request) {
    Reading& reading = request.reading;
    if (!knows_training()) return reading.fail(ask_the_whole("task"));
    Fields fields = top.child("training");
    fields.known({"method",
                  "objective",
                  "divergence",
                  "models",
                  "reference_precomputed",
                  "trainable_percent",
                  "prompt",
                  "lora",
                  "precision",
                  "gradient_encoding",
                  "state_encoding",
                  "gradient_copies",
                  "gradients_released",
                  "gradients_zeroed",
                  "gradient_bucket",
                  "dequantised_copies",
                  "dequantised_kept",
                  "optimizer",
                  "optimizer_step",
                  "galore",
                  "micro_batch",
                  "sequence",
                  "accumulation",
                  "checkpointing",
                  "checkpoint_every",
                  "checkpoints_on_host",
                  "attention",
                  "loss",
                  "loss_chunks",
                  "logits_in_fp32",
                  "loss_autocast",
                  "logits_cut",
                  "logits_kept",
                  "holds",
                  "previous_tokens",
                  "logits_returned_in_fp32",
                  "loss_compiled",
                  "dropout",
                  "norm",
                  "repeat_kv",
                  "fused_qkv",
                  "frozen_keeps_input",
                  "experts",
                  "expandable_segments",
                  "lengths",
                  "framework"});
    refuse_sparse_training(top.child("weights"), reading);
    TrainingInputs& inputs = request.training;
    TrainingRequest& training = inputs.request;
    read_layout(top, request);
    read_objective(fields, model.model, inputs, reading);
    read_method(top, fields, library, model, inputs, reading);
    divide_model(model.model, inputs, reading);
    read_models(fields, library, model, inputs, reading);
    training.gradients_released = fields.optional_flag("gradients_released");
    training.gradients_zeroed = fields.optional_flag("gradients_zeroed");
    training.gradient_bucket = fields.optional_number("gradient_bucket", {0, 1e12}).value_or(0);
    training.dequantised_copies = fields.optional_number("dequantised_copies", {1, 4}).value_or(1);
    training.dequantised_kept = fields.optional_flag("dequantised_kept");
    read_optimizer_choice(fields, library, inputs, reading);
    inputs.runtime = look_up(library.runtimes, "transformers", "training", "runtime", reading);
    training.framework = read_framework(fields, inputs.runtime, request.device ? &*request.device : nullptr, reading);
    training.expandable_segments = fields.optional_flag("expandable_segments");
    read_training_lengths(fields, inputs);
    if (fields.has("lengths")) read_lengths(fields.child("lengths"), inputs.request, reading);
    read_checkpointing(fields, training);
    if (training.lora && training.lora->virtual_tokens.in_layers && training.checkpointing != Checkpointing::none)
        reading.fail({"not_supported", "training.checkpointing", "PEFT trains no prefix with checkpointing",
                      "leave it out, or take prompt or lora"});
    read_kernels(fields, training.pass);
    if (inputs.layout.exchanges_heads() && training.pass.attention == AttentionKernel::eager)
        reading.fail({"not_supported", "training.attention",
                      "heads are exchanged for tokens around a kernel's attention",
                      "take sdpa or flash, or parallel.context_kind ring"});
    read_loss(fields, training);
    read_held(fields, training, reading);
    note_lengths(inputs, reading);
}

}  // namespace plimsoll
