// `training.lora` of a request, checked against the model's linear layers.
#include <algorithm>

#include "api/request.h"

namespace plimsoll {
namespace {

std::vector<std::string> linear_layers(const Model& model) {
    std::vector<std::string> names;
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops)
            if (const Linear* linear = std::get_if<Linear>(&op);
                linear && std::find(names.begin(), names.end(), linear->name) == names.end())
                names.emplace_back(linear->name);
    return names;
}

}  // namespace

void read_lora_targets(const Fields& lora, const Model& model, std::vector<std::string>& chosen, Reading& reading) {
    const std::vector<std::string> layers = linear_layers(model);
    std::string list = "all-linear";
    for (const std::string& name : layers) list += ", " + name;
    if (!lora.has("targets")) {
        if (!chosen.empty()) return;
        const bool separate = std::find(layers.begin(), layers.end(), "q_proj") != layers.end();
        chosen = separate ? std::vector<std::string>{"q_proj", "v_proj"} : std::vector<std::string>{"qkv_proj"};
        return reading.assume(lora.path("targets"), std::string(separate ? "q_proj, v_proj" : "qkv_proj"),
                              "PEFT's targets for this kind of model");
    }
    const Json& targets = lora.raw("targets");
    const Json names = targets.is_string() ? Json::array({targets}) : targets;
    if (!names.is_array() || names.empty())
        return reading.fail(
            {"wrong_type", lora.path("targets"), "must be a list of names of linear layers", "some of: " + list});
    chosen.clear();
    for (const Json& name : names) {
        const std::string target = name.is_string() ? name.get<std::string>() : std::string();
        if (target != "all-linear" && std::find(layers.begin(), layers.end(), target) == layers.end())
            return reading.fail({"unknown_value", lora.path("targets"),
                                 "the model has no linear layer \"" + target.substr(0, 60) + "\"", "some of: " + list});
        chosen.push_back(target);
    }
}

Adapter read_adapter(const Fields& training, const Model& model, Reading& reading) {
    Fields lora = training.child("lora");
    lora.known({"rank", "alpha", "targets", "dropout", "encoding"});
    Adapter adapter;
    adapter.rank = lora.number("rank", {1, 65536}, 8, "PEFT's default");
    adapter.dropout = lora.number("dropout", {0, 1, false}, 0, "PEFT's default");
    adapter.dtype = lora.choice("encoding", {"fp32", "bf16", "fp16"}, "fp32", "PEFT keeps adapters in fp32") == "fp32"
                        ? Dtype::float32
                        : Dtype::sixteen_bit;
    read_lora_targets(lora, model, adapter.targets, reading);
    return adapter;
}

}  // namespace plimsoll
