// The block `training` of a request.
#include "api/request_parts.h"
#include "api/sparsity.h"

namespace plimsoll {

void read_training(Fields& top, const Library& library, const ModelChoice& model, Request& request) {
    Reading& reading = request.reading;
    if (!knows_training())
        return reading.fail({"unknown_task", "task", "this engine does not estimate training", "ask the whole engine"});
    Fields fields = top.child("training");
    fields.known({"method",          "objective",     "trainable_percent", "lora",   "precision",   "gradient_encoding",
                  "gradient_copies", "optimizer",     "optimizer_step",    "galore", "micro_batch", "sequence",
                  "accumulation",    "checkpointing", "attention",         "loss",   "dropout",     "norm",
                  "repeat_kv",       "framework"});
    refuse_sparse_training(top.child("weights"), reading);
    TrainingInputs& inputs = request.training;
    TrainingRequest& training = inputs.request;
    const std::string method = fields.choice("method", {"full", "freeze", "lora", "dora", "qlora", "galore"}, "full",
                                             "all parameters are trained");
    if (method == "lora")
        training.lora = read_adapter(fields, model.model, reading);
    else if (method != "full" && method != "freeze")
        reading.fail({"not_supported", "training.method", method + " is not estimated yet", "full, freeze or lora"});
    training.freeze = method == "freeze";
    fields.only("objective", "sft", "this objective");
    training.trainable_percent = fields.optional_number("trainable_percent", {0, 100, false}).value_or(100);
    if (!training.freeze && training.trainable_percent != 100)
        reading.fail(
            {"out_of_range", "training.trainable_percent", "full training trains 100 percent", "set method to freeze"});
    training.precision = training.lora
                             ? fields.word("precision", "bf16", "a frozen base in 16 bits")
                             : fields.word("precision", "bf16-mixed", "mixed precision with fp32 master weights");
    if (const auto precision = precision_of(training.precision))
        inputs.precision = *precision;
    else
        reading.fail(
            {"unknown_value", "training.precision",
             "there is no precision \"" + training.precision.substr(0, 60) + "\"",
             "one of: fp32, tf32, bf16, fp16, bf16-mixed, fp16-mixed, bf16-autocast, fp16-autocast, fp8-mixed, "
             "fp8-dynamic"});
    const std::string gradient = fields.word("gradient_encoding", "", "");
    if (gradient == "fp32")
        inputs.gradient = Dtype::float32;
    else if (gradient == "bf16" || gradient == "fp16")
        inputs.gradient = Dtype::sixteen_bit;
    else if (!gradient.empty())
        reading.fail({"unknown_value", "training.gradient_encoding",
                      "gradients cannot be kept in \"" + gradient.substr(0, 60) + "\"", "one of: fp32, bf16, fp16"});
    training.gradient_copies = fields.optional_number("gradient_copies", {1, 16}).value_or(1);
    read_optimizer_choice(fields, library, inputs, reading);
    inputs.runtime = look_up(library.runtimes, "transformers", "training", "runtime", reading);
    training.framework = read_framework(fields, inputs.runtime, request.device ? &*request.device : nullptr, reading);
    training.micro_batch = fields.number("micro_batch", count_limits, 1, "one sequence at a time");
    training.sequence = fields.number("sequence", token_limits, 2048, "a usual length");
    training.accumulation = fields.number("accumulation", count_limits, 1, "no accumulation");
    inputs.sequence_source = fields.source("sequence");
    inputs.micro_batch_source = fields.source("micro_batch");
    const std::string checkpointing =
        fields.choice("checkpointing", {"none", "full", "selective"}, "none", "every layer's activations are kept");
    if (checkpointing == "selective")
        reading.fail({"not_supported", "training.checkpointing", "selective checkpointing is not estimated yet",
                      "none or full"});
    training.checkpointing = checkpointing == "full" ? Checkpointing::full : Checkpointing::none;
    const std::string attention = fields.choice("attention", {"eager", "sdpa", "flash"}, "sdpa", "today's default");
    training.pass.attention = attention == "eager"   ? AttentionKernel::eager
                              : attention == "flash" ? AttentionKernel::flash
                                                     : AttentionKernel::sdpa;
    fields.only("loss", "full", "this loss");
    training.pass.dropout = fields.optional_number("dropout", {0, 1, false}).value_or(-1);
    training.pass.norm =
        fields.choice("norm", {"reference", "fused"}, "reference", "norms as transformers writes them") == "fused"
            ? NormKernel::fused
            : NormKernel::reference;
    training.pass.repeat_kv = fields.has("repeat_kv") && fields.flag("repeat_kv", false, "");
    if (inputs.precision.preallocated_gradients && !training.lora)
        reading.assume("training.gradients_preallocated", true,
                       "mixed precision with master weights keeps one gradient buffer from step to step");
    if (training.freeze)
        reading.assume("training.frozen_layers", std::string("the first layers"),
                       "a frozen bottom keeps no activations");
}

}  // namespace plimsoll
