#include "policies/encodings/unquantized_modules.h"

#include <algorithm>

#include "model/core/profile.h"

namespace plimsoll {
namespace {

bool matches(std::string_view pattern, std::string_view name) {
    size_t at = 0, star = std::string_view::npos, from = 0, letter = 0;
    while (letter < name.size()) {
        if (at < pattern.size() && pattern[at] == '*')
            star = at++, from = letter;
        else if (at < pattern.size() && pattern[at] == name[letter])
            ++at, ++letter;
        else if (star != std::string_view::npos)
            at = star + 1, letter = ++from;
        else
            return false;
    }
    while (at < pattern.size() && pattern[at] == '*') ++at;
    return at == pattern.size();
}

// One name: a module inside a layer, with `*` for anything, and the layer that it is of.
struct NamedModule {
    std::string inside;  // `self_attn*`; of all parts of a name where it begins with no layer
    double layer = -1;   // -1: any
};

void remove_all(std::string& text, std::string_view part, std::string_view by) {
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + by.size()))
        text.replace(at, part.size(), by);
}

NamedModule module_of(std::string name) {
    if (name.rfind("re:", 0) == 0) {  // as far as names need: any letters, and marks that stand for themselves
        name.erase(0, 3);
        remove_all(name, ".*", "*");
        remove_all(name, "\\d+", "*");
        for (const char* mark : {"\\", "^", "$"}) remove_all(name, mark, "");
    }
    NamedModule module;
    const size_t layers = name.find("layers.");
    if (layers == std::string::npos) {
        module.inside = name;
        return module;
    }
    const size_t number = layers + 7, dot = name.find('.', number);
    const std::string layer = name.substr(number, dot == std::string::npos ? dot : dot - number);
    if (!layer.empty() && layer.find_first_not_of("0123456789") == std::string::npos && layer.size() < 6)
        module.layer = std::stod(layer);
    module.inside = dot == std::string::npos ? "*" : name.substr(dot + 1);
    return module;
}

// Of an expression, one module for each of the words that it puts in brackets: `(gate|up)_proj`.
void add_modules(std::vector<NamedModule>& modules, const std::string& name) {
    const size_t open = name.find('('), close = name.find(')', open);
    if (name.rfind("re:", 0) != 0 || close == std::string::npos) return modules.push_back(module_of(name));
    constexpr size_t most = 256;  // of words, whatever a file says
    for (size_t from = open + 1; from <= close && modules.size() < most;) {
        const size_t end = std::min(name.find('|', from), close);
        add_modules(modules, name.substr(0, open) + name.substr(from, end - from) + name.substr(close + 1));
        from = end + 1;
    }
}

std::vector<std::string_view> modules_of(Part part) {
    switch (part) {
        case Part::attention: return {"self_attn", "attention", "attn", "linear_attn", "mixer"};
        case Part::mixer: return {"linear_attn", "mixer", "mamba", "conv", "self_attn"};
        case Part::feed_forward: return {"mlp", "feed_forward", "mixer"};
        case Part::shared_experts:
            return {"mlp.shared_expert", "mlp.shared_experts", "feed_forward.shared_expert", "mixer.shared_experts"};
        case Part::experts:
            return {"mlp.experts.0", "block_sparse_moe.experts.0", "feed_forward.experts.0", "mixer.experts.0"};
        default: return {};
    }
}

// A name means a module, what is inside of it, and a module inside of any other.
bool names(const NamedModule& module, std::string_view path) {
    const std::string& inside = module.inside;
    return matches(inside, path) || matches(inside + ".*", path) || matches("*." + inside, path) ||
           matches("*." + inside + ".*", path);
}

bool names(const NamedModule& module, const Weight<double>& weight) {
    for (const std::string_view prefix : modules_of(weight.part))
        if (names(module, std::string(prefix) + "." + std::string(weight.name))) return true;
    return false;
}

// Layers of a kind whose weight is named.
double layers_named(const Model& model, size_t kind, const Weight<double>& weight,
                    const std::vector<NamedModule>& modules) {
    std::vector<bool> named(model.order.size(), false);
    for (const NamedModule& module : modules) {
        if (!names(module, weight)) continue;
        for (size_t layer = 0; layer < named.size(); ++layer)
            if (module.layer < 0 || module.layer == static_cast<double>(layer)) named[layer] = true;
    }
    double count = 0;
    for (size_t layer = 0; layer < named.size(); ++layer) count += named[layer] && model.order[layer] == kind;
    return count;
}

}  // namespace

void leave_wide(const Model& model, const std::vector<std::string>& given, const Encoding& wide, WeightMix& mix) {
    std::vector<NamedModule> modules;
    for (const std::string& name : given) add_modules(modules, name);
    size_t index = weights_of<double>(model.embedding).size();
    std::vector<StoredWeight> some;
    for (size_t kind = 0; kind < model.kinds.size(); ++kind)
        for (const Weight<double>& weight : weights_of<double>(model.kinds[kind].block)) {
            const size_t own = index++;
            const double count = weight.vector ? 0 : layers_named(model, kind, weight, modules);
            if (count == 0) continue;
            for (StoredWeight& stored : mix.weights) {
                if (stored.weight != own || stored.encoding == &wide) continue;
                const double all = model.kinds[kind].count.value();
                if (count < all) {
                    some.push_back(stored);
                    some.back().layers = all - count;
                    stored.layers = count;
                }
                stored.encoding = &wide;
            }
        }
    mix.weights.insert(mix.weights.end(), some.begin(), some.end());
}

}  // namespace plimsoll
