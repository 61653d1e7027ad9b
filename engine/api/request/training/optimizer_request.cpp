// `training.optimizer`, `training.optimizer_step` and `training.galore` of a request.
#include <algorithm>

#include "api/request/modules.h"
#include "api/request/request_parts.h"
#include "model/core/profile.h"

namespace plimsoll {
namespace {

bool has_way(const Optimizer& optimizer, StepWay way) { return optimizer.step[static_cast<size_t>(way)].has_value(); }

// Frameworks that keep fp32 master weights (Megatron-LM, DeepSpeed) step them with a fused kernel.
StepWay usual_way(const TrainingInputs& inputs) {
    const bool fused = inputs.precision.master_weights && !inputs.request.method.adapter;
    return fused && has_way(*inputs.optimizer, StepWay::fused) ? StepWay::fused : inputs.optimizer->usual_way;
}

void read_step(Fields& fields, TrainingInputs& inputs, Reading& reading) {
    const Optimizer& optimizer = *inputs.optimizer;
    std::string known;
    for (size_t way = 0; way < step_way_count; ++way)
        if (optimizer.step[way])
            known += (known.empty() ? "" : ", ") + std::string(name_at(choice_names<StepWay>, way));
    inputs.request.optimizer.step = usual_way(inputs);
    if (known.empty()) return;
    const bool more = known.find(',') != std::string::npos;
    if (!more && !fields.has("optimizer_step")) return;
    inputs.request.optimizer.step = fields.pick("optimizer_step", inputs.request.optimizer.step,
                                                inputs.precision.master_weights && !inputs.request.method.adapter
                                                    ? "frameworks with fp32 master weights have a fused step"
                                                    : "the framework's default on a GPU");
    if (!has_way(optimizer, inputs.request.optimizer.step))
        reading.fail(
            {"not_supported", "training.optimizer_step", optimizer.name + " has no such step", "one of: " + known});
}

// Parts of the layers, and the vocabulary head, that have a linear layer.
ModuleNames parts_with_layers(const Model& model) {
    ModuleNames parts;
    const auto add = [&parts](const Block& block) {
        for (const Op& op : block.ops)
            if (const Linear* linear = op.as<Linear>())
                if (const std::string part = part_name(linear->part);
                    std::find(parts.begin(), parts.end(), part) == parts.end())
                    parts.push_back(part);
    };
    for (const LayerKind& kind : model.kinds) add(kind.block);
    add(model.head);
    return parts;
}

// Some frameworks let the states be narrower than the weights that are stepped.
void read_state_encoding(Fields& fields, TrainingRequest& request, Reading& reading) {
    request.precision.state_encoding = fields.word("state_encoding", "", "");
    if (request.precision.state_encoding.empty()) return;
    for (const char* known : {"fp32", "bf16", "fp16"})
        if (request.precision.state_encoding == known) return;
    reading.fail({"unknown_value", "training.state_encoding",
                  "states cannot be kept in \"" + request.precision.state_encoding.substr(0, 60) + "\"",
                  "one of: fp32, bf16, fp16; optimizers with 8-bit states are presets of their own"});
}

// Matrices by their names, or by the part that they are of. transformers projects the gradients of linear layers alone
// and takes whatever contains a name; its `all-linear` has the vocabulary head in it.
// Source: transformers, trainer.py (get_optimizer_cls_and_kwargs, optim_target_modules)
KnownModules projected_modules(const Model& model) {
    KnownModules known{{}, {"all-linear"}, linear_synonyms()};
    const auto add = [&known](std::string_view name) {
        if (std::find(known.names.begin(), known.names.end(), name) == known.names.end())
            known.names.emplace_back(name);
    };
    for (const LayeredWeight<double>& each : weights_of<double>(model))
        if (!each.weight.vector && each.weight.part != Part::embedding) {
            add(each.weight.name);
            add(part_name(each.weight.part));
        }
    for (const ModuleSynonym& parts : std::initializer_list<ModuleSynonym>{
             {"attn", "attention"}, {"self_attn", "attention"}, {"mlp", "feed_forward"}, {"mlp", "shared_experts"}})
        known.synonyms.push_back(parts);
    return known;
}

void read_low_rank(Fields& training, const Optimizer& optimizer, const Model& model, TrainingRequest& request,
                   Reading& reading) {
    if (optimizer.rank == 0) {
        if (training.has("galore")) tell_unused(training, {"galore"}, reading);
        return;
    }
    Fields fields = training.child("galore");
    request.method.low_rank = fields.number("rank", optimizer.rank, "the usual rank of this optimizer");
    std::vector<std::string>& targets = request.method.low_rank_targets;
    if (!fields.has("targets")) {
        targets = {"attention", "feed_forward", "shared_experts"};
        return reading.assume(fields.path("targets"), std::string("attention, feed_forward, shared_experts"),
                              "linear layers between embedding and head, as in GaLore's example");
    }
    if (model.kinds.empty() || model.declared_parameters)
        return reading.fail({"not_supported", fields.path("targets"), "the model's layers are not known",
                             "name a model, or leave it out"});
    targets = read_modules(fields, "targets", projected_modules(model), reading);
    if (std::find(targets.begin(), targets.end(), "all-linear") != targets.end()) targets = parts_with_layers(model);
}

}  // namespace

void read_optimizer_choice(Fields& training, const Library& library, const Model& model, TrainingInputs& inputs,
                           Reading& reading) {
    TrainingRequest& request = inputs.request;
    request.optimizer.name = request.method.galore
                                 ? training.word("optimizer", "galore-adamw", "the usual optimizer of this method")
                                 : training.word("optimizer", "adamw", "the usual optimizer");
    inputs.optimizer = look_up(library.optimizers, request.optimizer.name, "training.optimizer", "optimizer", reading);
    if (!inputs.optimizer) return;
    if (request.method.galore && inputs.optimizer->rank == 0)
        reading.fail({"not_supported", "training.optimizer", inputs.optimizer->name + " projects no gradients",
                      "such as galore-adamw, galore-adamw-8bit or apollo"});
    read_step(training, inputs, reading);
    read_state_encoding(training, request, reading);
    read_low_rank(training, *inputs.optimizer, inputs.built ? *inputs.built : model, request, reading);
    if (inputs.optimizer->releases_gradients) {
        request.gradients.released = true;
        reading.assume("training.gradients_released", true, "this optimizer steps each parameter in the backward pass");
    }
    if (inputs.optimizer->paged_from > 0)
        reading.notes.push_back(
            {"paged_optimizer", "training.optimizer",
             "states page between device and host: on the device only while a parameter is stepped, "
             "and in no statistics of the framework"});
}

}  // namespace plimsoll
