// `training.lora` of a request, checked against the model's linear layers.
#include <algorithm>

#include "api/request/request.h"
#include "model/transform/fused_projections.h"

namespace plimsoll {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void add_once(Words& names, std::string_view name) {
    if (!has(names, name)) names.emplace_back(name);
}

// `experts`: their grouped products, which only some frameworks adapt, as well.
Words linear_layers(const Model& model, bool experts) {
    Words names;
    const auto add = [&names, experts](const Block& block) {
        for (const Op& op : block.ops)
            if (const Linear* linear = op.as<Linear>())
                add_once(names, linear->name);
            else if (experts && op.is<Experts>())
                add_once(names, "experts");
    };
    for (const LayerKind& kind : model.kinds) add(kind.block);
    add(model.head);
    return names;
}

// What modelling code elsewhere calls the layers that are known here by Llama's names. Several families use `c_proj`
// for both output matrices, and where one does, `w2` is the gate; else it is the way back down.
Words known_as(std::string_view target, const Words& all) {
    static constexpr struct {
        const char *theirs, *ours;
    } words[] = {{"c_attn", "qkv_proj"},
                 {"query_key_value", "qkv_proj"},
                 {"Wqkv", "qkv_proj"},
                 {"W_pack", "qkv_proj"},
                 {"query", "q_proj"},
                 {"key", "k_proj"},
                 {"value", "v_proj"},
                 {"dense", "o_proj"},
                 {"out_proj", "o_proj"},
                 {"c_proj", "o_proj"},
                 {"c_proj", "down_proj"},
                 {"c_fc", "up_proj"},
                 {"fc1", "up_proj"},
                 {"fc2", "down_proj"},
                 {"fc_in", "up_proj"},
                 {"fc_out", "down_proj"},
                 {"dense_h_to_4h", "up_proj"},
                 {"dense_4h_to_h", "down_proj"},
                 {"w1", "up_proj"},
                 {"w3", "up_proj"},
                 {"mlp", "gate_proj"},
                 {"mlp", "up_proj"},
                 {"mlp", "gate_up_proj"},
                 {"mlp", "down_proj"},
                 {"q_proj", "qkv_proj"},
                 {"v_proj", "qkv_proj"},
                 {"k_proj", "qkv_proj"},
                 {"gate_proj", "gate_up_proj"},
                 {"up_proj", "gate_up_proj"},
                 {"output", "lm_head"},
                 {"embed_out", "lm_head"}};
    Words found;
    for (const auto& [theirs, ours] : words)
        if (target == theirs && has(all, ours)) found.emplace_back(ours);
    return found;
}

Words named_targets(const Fields& lora) {
    Words names;
    for (const Json& name : lora.raw("targets"))
        if (name.is_string()) names.push_back(name.get<std::string>());
    return names;
}

// The embedding and the head are what is saved in practice: new tokens need both.
void read_saved_modules(const Fields& lora, Adapter& adapter, Reading& reading) {
    if (!lora.has("modules_to_save") || lora.raw("modules_to_save").is_null()) return;
    static constexpr std::string_view embeddings[] = {"embed_tokens", "wte", "word_embeddings", "embed_in"};
    static constexpr std::string_view heads[] = {"lm_head", "embed_out", "output"};
    const auto in = [](const auto& names, std::string_view name) {
        return std::find(std::begin(names), std::end(names), name) != std::end(names);
    };
    const Json& names = lora.raw("modules_to_save");
    for (const Json& each : names.is_string() ? Json::array({names}) : names) {
        const std::string name = each.is_string() ? each.get<std::string>() : std::string();
        if (in(embeddings, name))
            adapter.saves_embedding = true;
        else if (in(heads, name))
            adapter.saves_head = true;
        else
            return reading.fail({"unknown_value", lora.path("modules_to_save"),
                                 "\"" + name.substr(0, 60) + "\" is neither the embedding nor the vocabulary head",
                                 "some of: embed_tokens, lm_head"});
    }
}

}  // namespace

void read_lora_targets(const Fields& lora, const Model& model, bool experts, std::vector<std::string>& chosen,
                       Reading& reading) {
    const Words layers = linear_layers(model, experts);
    std::string list = "all-linear";
    for (const std::string& name : layers) list += ", " + name;
    if (!lora.has("targets")) {
        if (!chosen.empty()) return;
        chosen = has(layers, "q_proj") ? Words{"q_proj", "v_proj"} : Words{"qkv_proj"};
        return reading.assume(lora.path("targets"), std::string(has(layers, "q_proj") ? "q_proj, v_proj" : "qkv_proj"),
                              "PEFT's targets for this kind of model");
    }
    const Json& targets = lora.raw("targets");
    const Json names = targets.is_string() ? Json::array({targets}) : targets;
    if (!names.is_array() || names.empty())
        return reading.fail(
            {"wrong_type", lora.path("targets"), "must be a list of names of linear layers", "some of: " + list});
    const auto asked = [&names](const char* name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    chosen.clear();
    for (const Json& name : names) {
        const std::string target = name.is_string() ? name.get<std::string>() : std::string();
        if (target == "all-linear" || has(layers, target)) {
            add_once(chosen, target);
            continue;
        }
        const bool gate = target == "w2" && asked("c_proj") && has(layers, "gate_proj");
        const Words found = gate ? Words{"gate_proj"} : known_as(target == "w2" ? "fc2" : target, layers);
        if (found.empty())
            return reading.fail({"unknown_value", lora.path("targets"),
                                 "the model has no linear layer \"" + target.substr(0, 60) + "\"", "some of: " + list});
        for (const std::string& own : found) add_once(chosen, own);
    }
}

Adapter read_adapter(const Fields& training, const Model& model, bool by_parts, Reading& reading) {
    Fields lora = training.child("lora");
    Adapter adapter;
    adapter.rank = lora.number("rank", 8, "PEFT's default");
    adapter.dropout = lora.number("dropout", 0, "PEFT's default");
    const AdapterEncoding encoding = lora.pick("encoding", AdapterEncoding::fp32, "PEFT keeps adapters in fp32");
    adapter.dtype = encoding == AdapterEncoding::fp32 ? Dtype::float32 : Dtype::sixteen_bit;
    read_lora_targets(lora, model, true, adapter.targets, reading);
    read_saved_modules(lora, adapter, reading);
    lora.optional_flag("use_rslora");  // another scale, of the same tensors
    adapter.start = lora.optional_pick("init", AdapterStart::random);
    if (by_parts && lora.has("targets") && lora.raw("targets").is_array())
        adapter.parts = adapted_parts(model, named_targets(lora));
    return adapter;
}

}  // namespace plimsoll
