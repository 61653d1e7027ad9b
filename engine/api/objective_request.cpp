// `training.objective`: what the model is trained for, and what that holds beside it.
#include "api/request_parts.h"
#include "model/decoder.h"

namespace plimsoll {
namespace {

// transformers' …ForSequenceClassification with one label: a matrix without a bias in place of the vocabulary's.
// (modeling_layers.py, GenericForSequenceClassification; trl/trainer/reward_trainer.py: num_labels=1)
Model with_score(Model model) {
    for (Op& op : model.head.ops)
        if (Linear* head = std::get_if<Linear>(&op); head && head->name == "lm_head") {
            *head = Linear{"score", Part::head, head->in, Traced(1), false, head->from, head->to};
            model.vocab_size = Traced(1);
            model.tied = model.head_bias = false;
        }
    return model;
}

void read_pairs(Fields& fields, Reading& reading) {
    if (fields.has("loss") && fields.choice("loss", {"full", "chunked", "fused"}, "full", "") != "full")
        reading.fail({"not_supported", fields.path("loss"), "this objective takes its loss of whole logits alone",
                      "leave it out"});
}

}  // namespace

void read_objective(Fields& fields, const Model& model, TrainingInputs& inputs, Reading& reading) {
    TrainingRequest& training = inputs.request;
    const std::string word =
        fields.choice("objective", {"sft", "dpo", "ppo", "grpo", "kto", "reward", "distill"}, "sft", "");
    if (word == "sft") return;
    if (word == "dpo")
        training.objective = Objective::dpo;
    else if (word == "reward")
        training.objective = Objective::reward;
    else
        reading.fail({"not_supported", fields.path("objective"), "this objective is not estimated yet",
                      "one of: sft, dpo, reward"});
    read_pairs(fields, reading);
    if (training.objective == Objective::reward) inputs.built = std::make_shared<const Model>(with_score(model));
}

void read_reference(Fields& fields, TrainingRequest& training, Reading& reading) {
    if (training.objective != Objective::dpo) return tell_unused(fields, {"reference_precomputed"}, reading);
    training.reference_precomputed = fields.optional_flag("reference_precomputed");
    if (training.reference_precomputed) return;
    if (training.lora)
        reading.assume("training.reference", std::string("the base alone"), "adapters are switched off for it");
    else
        reading.assume("training.reference", std::string("a frozen copy"), "the policy before it was trained");
}

}  // namespace plimsoll
