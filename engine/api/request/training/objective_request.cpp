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
    if (fields.optional_pick("loss", LossKernel::full) != LossKernel::full)
        reading.fail({"not_supported", fields.path("loss"), "this objective takes its loss of whole logits alone",
                      "leave it out"});
}

}  // namespace

void read_objective(Fields& fields, const Model& model, TrainingInputs& inputs, Reading& reading) {
    TrainingRequest& training = inputs.request;
    training.objective.kind = fields.pick("objective", Objective::sft, "");
    if (generates(training.objective.kind) && !model.vocab_size && model.missing.empty() && !model.declared_parameters)
        reading.fail({"not_supported", fields.path("objective"), "a model without a vocabulary answers no prompt",
                      "a language model, or objective sft"});
    const bool distills = training.objective.kind == Objective::distill;
    if (distills)
        training.objective.divergence =
            fields.pick("divergence", Divergence::jensen_shannon, "TRL's default: half of either");
    else
        tell_unused(fields, {"divergence"}, reading);
    const bool takes_tokens =
        training.objective.kind == Objective::sft || training.objective.divergence == Divergence::hidden_states;
    if (!takes_tokens && training.objective.kind != Objective::grpo) read_whole_logits(fields, reading);
    if (training.objective.kind == Objective::reward) inputs.built = std::make_shared<const Model>(with_score(model));
}

}  // namespace plimsoll
