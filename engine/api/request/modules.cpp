// One reader for all lists of modules' names.
#include "api/request/modules.h"

#include <algorithm>

namespace plimsoll {
namespace {

bool has(const ModuleNames& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void add_once(ModuleNames& names, std::string_view name) {
    if (!has(names, name)) names.emplace_back(name);
}

std::string listed(const ModuleNames& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return list;
}

// A text is a list too, its names between commas: so an assumption can be stated as it was told.
ModuleNames split(std::string_view text) {
    ModuleNames names;
    while (!text.empty()) {
        const size_t comma = std::min(text.find(','), text.size());
        std::string_view name = text.substr(0, comma);
        while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
        while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
        names.emplace_back(name);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return names;
}

// The names that were probably meant, if any are near, and those there are.
std::string hint_for(std::string_view name, const KnownModules& known) {
    ModuleNames all = known.words, near;
    all.insert(all.end(), known.names.begin(), known.names.end());
    size_t least = std::max<size_t>(2, name.size() / 3);
    for (const std::string& each : all) {
        const size_t away = distance(name.substr(0, 60), each);
        if (away < least) near.clear();
        if (away <= least) least = away, near.push_back(each);
    }
    return (near.empty() ? "" : "did you mean " + listed(near) + "? ") + "some of: " + listed(all);
}

// What stands for a name here: itself, or what others call so.
ModuleNames meant_by(std::string_view name, const KnownModules& known) {
    if (has(known.words, name) || has(known.names, name)) return {std::string(name)};
    ModuleNames found;
    for (const ModuleSynonym& synonym : known.synonyms)
        if (name == synonym.theirs && has(known.names, synonym.ours)) add_once(found, synonym.ours);
    return found;
}

}  // namespace

ModuleNames linear_layers(const Model& model, bool experts) {
    ModuleNames names;
    const auto add = [&names, experts](const Block& block) {
        for (const Op& op : block.ops)
            if (const Linear* linear = op.as<Linear>())
                add_once(names, linear->name);
            else if (experts && op.is<Experts>())
                add_once(names, "experts");
    };
    for (const LayerKind& kind : model.kinds)
        if (kind.stream == Stream::hidden_states) add(kind.block);
    add(model.head);
    return names;
}

const std::vector<ModuleSynonym>& linear_synonyms() {
    static const std::vector<ModuleSynonym> synonyms{{"c_attn", "qkv_proj"},
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
                                                     {"w2", "down_proj"},
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
    return synonyms;
}

ModuleNames written_modules(const Fields& fields, std::string_view key, Reading& reading) {
    if (!fields.has(key)) return {};
    const Json& given = fields.raw(key);
    if (given.is_string()) return split(given.get_ref<const std::string&>());
    ModuleNames names;
    if (given.is_array())
        for (const Json& name : given) names.push_back(name.is_string() ? name.get<std::string>() : std::string());
    if (!given.is_array() || has(names, ""))
        reading.fail({"wrong_type", fields.path(key), "must be a list of names of modules", "such as [\"q_proj\"]"});
    return names;
}

const KnownModules& modules_that_are_saved() {
    static const KnownModules known{{"embed_tokens", "lm_head"},
                                    {},
                                    {{"wte", "embed_tokens"},
                                     {"word_embeddings", "embed_tokens"},
                                     {"embed_in", "embed_tokens"},
                                     {"embed_out", "lm_head"},
                                     {"output", "lm_head"}}};
    return known;
}

bool may_name(const KnownModules& known, const std::string& name) { return !meant_by(name, known).empty(); }

ModuleNames read_modules(const Fields& fields, std::string_view key, const KnownModules& known, Reading& reading) {
    ModuleNames chosen;
    ModuleNames written = written_modules(fields, key, reading);
    // several families use `c_proj` for both output matrices, and where one does, `w2` is the gate
    const bool gate = has(written, "c_proj") && has(known.names, "gate_proj");
    for (std::string& name : written) {
        if (gate && name == "w2") name = "gate_proj";
        const ModuleNames meant = meant_by(name, known);
        if (meant.empty())
            reading.fail({"unknown_value", fields.path(key), "the model has no module \"" + name.substr(0, 60) + "\"",
                          hint_for(name, known)});
        for (const std::string& own : meant) add_once(chosen, own);
    }
    return chosen;
}

}  // namespace plimsoll
