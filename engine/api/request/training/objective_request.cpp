// `training.objective`: what the model is trained for, and what that makes of it.
#include "api/request/request_parts.h"
#include "model/build/decoder.h"

namespace plimsoll {

// transformers' …ForSequenceClassification with one label: a matrix without a bias in place of the vocabulary's.
// (modeling_layers.py, GenericForSequenceClassification; trl/trainer/reward_trainer.py: num_labels=1)
Model with_score(Model model) {
    for (Op& op : model.head.ops)
        if (Linear* head = op.as<Linear>(); head && head->name == "lm_head") {
            *head = Linear{"score", Part::head, head->in, Traced(1), false, head->from, head->to};
            model.vocab_size = Traced(1);
            model.tied = model.head_bias = false;
        }
    return model;
}

namespace {

void read_whole_logits(Fields& fields, Reading& reading) {
    if (fields.has("loss") && fields.choice("loss", {"full", "chunked", "fused"}, "full", "") != "full")
        reading.fail({"not_supported", fields.path("loss"), "this objective takes its loss of whole logits alone",
                      "leave it out"});
}

void read_divergence(Fields& fields, TrainingRequest& training) {
    const std::string word = fields.choice("divergence", {"jensen_shannon", "forward", "reverse", "hidden_states"},
                                           "jensen_shannon", "TRL's default: half of either");
    training.objective.divergence = word == "forward"         ? Divergence::forward
                                    : word == "reverse"       ? Divergence::reverse
                                    : word == "hidden_states" ? Divergence::hidden_states
                                                              : Divergence::jensen_shannon;
}

}  // namespace

void read_objective(Fields& fields, const Model& model, TrainingInputs& inputs, Reading& reading) {
    TrainingRequest& training = inputs.request;
    const std::string word =
        fields.choice("objective", {"sft", "dpo", "orpo", "kto", "ppo", "grpo", "reward", "distill"}, "sft", "");
    if (word == "dpo") training.objective.kind = Objective::dpo;
    if (word == "orpo") training.objective.kind = Objective::orpo;
    if (word == "kto") training.objective.kind = Objective::kto;
    if (word == "reward") training.objective.kind = Objective::reward;
    if (word == "distill") training.objective.kind = Objective::distill;
    if (word == "grpo") training.objective.kind = Objective::grpo;
    if (word == "ppo") training.objective.kind = Objective::ppo;
    if (generates(training.objective.kind) && !model.vocab_size && model.missing.empty() && !model.declared_parameters)
        reading.fail({"not_supported", fields.path("objective"), "a model without a vocabulary answers no prompt",
                      "a language model, or objective sft"});
    const bool distills = training.objective.kind == Objective::distill;
    if (distills)
        read_divergence(fields, training);
    else
        tell_unused(fields, {"divergence"}, reading);
    const bool takes_tokens =
        training.objective.kind == Objective::sft || training.objective.divergence == Divergence::hidden_states;
    if (!takes_tokens) read_whole_logits(fields, reading);
    if (training.objective.kind == Objective::reward) inputs.built = std::make_shared<const Model>(with_score(model));
}

}  // namespace plimsoll
