// `training.rollout`: how the answers are generated that GRPO and PPO learn of. What is said of it is an inference of
// its own, and is read as one.
#include <memory>

#include "api/request/request_parts.h"

namespace plimsoll {
namespace {

// What no generation is followed through yet, and what cannot be.
void refuse_layouts(const TrainingInputs& inputs, bool server, Reading& reading) {
    const TrainingLayout& layout = inputs.layout;
    const auto refuse = [&reading](const char* field, const char* what, const char* hint) {
        reading.fail({"not_supported", field, what, hint});
    };
    if (layout.pipeline > 1)
        refuse("parallel.pipeline", "answers are not followed through the stages of a pipeline yet",
               "divide matrices (tensor) or states (zero) in its place");
    if (layout.context > 1)
        refuse("parallel.context", "answers are not followed over devices that share a sequence yet",
               "divide matrices (tensor) or states (zero) in its place");
    if (!server && layout.tensor * layout.expert > 1)
        refuse("training.rollout.runtime", "transformers generates with a whole model on each device", "take vllm");
    if (inputs.request.method.adapter && inputs.request.method.adapter->virtual_tokens.count > 0)
        refuse("training.method", "learned tokens are not followed through a generation yet", "take lora");
}

// Answers, and how many of them at once. TRL's generation batch is that of all micro-batches of a step.
void read_answers(Fields& rollout, TrainingInputs& inputs, Reading& reading) {
    const TrainingRequest& training = inputs.request;
    Rollout& own = inputs.request.objective.rollout;
    const double usual = maximum(1, rounded_down(training.batch.sequence / 2));
    own.completion = rollout.number("completion", usual, "half of the sequence: the rest is the prompt");
    if (own.completion >= training.batch.sequence)
        reading.fail({"out_of_range", rollout.path("completion"), "an answer leaves no room for its prompt",
                      "training.sequence counts prompt and answer together"});
    own.sequences = rollout.number("sequences", training.batch.micro_batch * training.batch.accumulation,
                                   "TRL's default: those of all micro-batches of a step");
    const double all = own.sequences * inputs.layout.data;
    if (training.objective.kind != Objective::grpo) return tell_unused(rollout, {"num_generations"}, reading);
    const double group = rollout.has("num_generations") ? rollout.number("num_generations", 8, "") : 0;
    if (group > 0 && !is_whole(all / group))
        reading.fail({"out_of_range", rollout.path("num_generations"),
                      "the answers that all devices generate at once are no whole number of groups",
                      "a divisor of rollout.sequences × parallel.data"});
}

/// What follows from the training for the blocks of the inference that its answers are.
struct ImpliedBlocks {
    std::vector<Implied> top, weights, inference, parallel;
};

// What the block `rollout` itself says goes before.
ImpliedBlocks implied_by(Fields& rollout, const TrainingInputs& inputs, bool server, Reading& reading) {
    const TrainingRequest& training = inputs.request;
    const Rollout& own = training.objective.rollout;
    const bool wide = inputs.precision.numerics.compute == Dtype::float32;
    std::string computed = training.precision.name.rfind("fp16", 0) == 0 ? "fp16" : "bf16";
    if (wide) computed = "fp32";
    ImpliedBlocks implied;
    implied.inference = {{"runtime", std::string(server ? "vllm" : "transformers")},
                         {"context", training.batch.sequence},
                         {"sequences", own.sequences},
                         {"flash_attention", training.kernels.pass.attention != AttentionKernel::eager}};
    double tensor = 1;
    if (server) {
        tensor = rollout.optional_number("tensor").value_or(1);
        const double at_once = own.sequences * tensor;
        implied.parallel.push_back({"tensor", tensor});
        implied.inference.push_back({"memory_fraction", rollout.number("memory_fraction", 0.3, "TRL's default")});
        implied.inference.push_back({"batch_tokens", rollout.number("batch_tokens", 4096, "as TRL starts vLLM")});
        implied.inference.push_back(
            {"sequences_at_once",
             rollout.number("sequences_at_once", at_once, "as TRL starts vLLM: answers of a generation")});
        const std::string packed = inputs.base ? inputs.base->id : computed;
        implied.weights.push_back(
            {"encoding", rollout.word("encoding", packed, "as the policy computes, or is packed")});
    } else {
        implied.inference.push_back({"prompt", training.batch.sequence - own.completion});
        implied.weights.push_back({"encoding", std::move(computed)});
        tell_unused(rollout, {"tensor", "memory_fraction", "batch_tokens", "sequences_at_once", "kv_encoding", "sleep"},
                    reading);
    }
    implied.top.push_back({"devices", tensor});
    if (!is_whole(inputs.layout.devices() / tensor))
        reading.fail({"out_of_range", rollout.path("tensor"), "engines of that size leave devices over",
                      "a divisor of devices"});
    return implied;
}

// An error of the inference is one of the field here that it comes of.
Error told_here(const Error& error) {
    std::string field = error.where;
    for (const std::string_view block : {"inference.", "training.rollout.", "weights.", "parallel."})
        if (field.rfind(block, 0) == 0) {
            field = field.substr(block.size());
            break;
        }
    if (field == error.where) return error;
    const bool is_length = field == "context" || field == "prompt";
    return {error.code, is_length ? "training.sequence" : "training.rollout." + field, error.what, error.hint};
}

// transformers generates as the training implies alone; a server's settings are those of the block.
void read_engine(const Json* settings, const ImpliedBlocks& implied, const Library& library, const ModelChoice& policy,
                 Request& request) {
    const auto made =
        std::make_unique<Request>();  // on the heap: g++ 12 takes an empty optional device for a broken one
    Request& engine = *made;
    engine.reading.silent = true;
    engine.device = request.device;
    const Fields nothing(nullptr, "", engine.reading), block(settings, "training.rollout", engine.reading);
    read_inference({nothing.with(implied.top), block.with(implied.weights), block.with(implied.inference),
                    block.with(implied.parallel)},
                   library, policy, engine);
    if (engine.reading.error) return request.reading.fail(told_here(*engine.reading.error));
    InferenceInputs& inputs = engine.inference;
    inputs.context_source = "request: training.sequence";
    inputs.prompt_source = "request: training.sequence − training.rollout.completion";
    inputs.sequences_source = "request: training.rollout.sequences";
    inputs.batch_source = "request: training.rollout.batch_tokens";
    inputs.at_once_source = "request: training.rollout.sequences_at_once";
    inputs.step.context_counted = false;  // the process has had its context before
    TrainingInputs& training = request.training;
    training.generation = std::make_shared<InferenceInputs>(std::move(inputs));
    training.generator = std::make_shared<const Model>(policy.model);
}

// Where weights are meanwhile: gathered on the device for generate(); the trainer's on the host beside a server.
void read_places(Fields& rollout, TrainingInputs& inputs, bool server, Reading& reading) {
    Rollout& own = inputs.request.objective.rollout;
    if (inputs.layout.divides_weights() && !server) {
        const bool deepspeed = inputs.layout.sharding == Sharding::deepspeed;
        own.gathers = rollout.flag(
            "gathers", deepspeed, deepspeed ? "TRL's default under ZeRO-3" : "layers are gathered one after the other");
    } else {
        tell_unused(rollout, {"gathers"}, reading);
    }
    if (server) own.sleep = rollout.pick("sleep", Sleep::none, "TRL's default: the engine stays awake");
    own.trainer_on_host = rollout.optional_pick("trainer_offload", HostOffload::none) == HostOffload::cpu;
    if (own.trainer_on_host && !server)
        reading.fail({"not_supported", rollout.path("trainer_offload"),
                      "transformers generates with the trainer's weights", "take vllm, or leave it out"});
}

}  // namespace

void read_rollout(Fields& fields, const Library& library, const ModelChoice& policy, Request& request) {
    Reading& reading = request.reading;
    TrainingInputs& inputs = request.training;
    if (!generates(inputs.request.objective.kind)) return;
    Fields rollout = fields.child("rollout");
    if (reading.error) return;
    const bool server =
        rollout.pick("runtime", RolloutRuntime::transformers, "in the trainer's own process") == RolloutRuntime::vllm;
    refuse_layouts(inputs, server, reading);
    if (reading.error) return;
    read_answers(rollout, inputs, reading);
    Rollout& own = inputs.request.objective.rollout;
    const bool again = server || inputs.request.objective.kind == Objective::ppo;
    own.scores_again =
        rollout.flag("old_log_probabilities", again,
                     again ? "the policy's own are recomputed before it is trained" : "each answer is learned of once");
    read_places(rollout, inputs, server, reading);
    if (reading.error) return;
    const ImpliedBlocks implied = implied_by(rollout, inputs, server, reading);
    const bool has_settings = server && fields.has("rollout") && !fields.raw("rollout").is_null();
    if (!reading.error) read_engine(has_settings ? &fields.raw("rollout") : nullptr, implied, library, policy, request);
}

}  // namespace plimsoll
