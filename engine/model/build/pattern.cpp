// Patterns of layers as configurations state them, and the kinds of layers that a model gets of one.
#include "model/build/pattern.h"

#include <algorithm>

namespace plimsoll {

size_t layer_count(Reader& config) {
    const double layers = config.number_or({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, 0);
    return layers >= 1 && layers <= 10000 ? static_cast<size_t>(layers)
                                          : 0;  // anything else is an error that decoder() tells
}

Pattern combined(Pattern first, const Pattern& second) {
    for (size_t index = 0; index < first.size() && index < second.size(); ++index)
        first[index] = static_cast<unsigned short>(first[index] + 2 * second[index]);
    return first;
}

std::optional<Pattern> layers_named(Reader& config, Label field, Label word) {
    if (!config.words(field)) return std::nullopt;
    Pattern named = stated_pattern(config, field, word);
    named.resize(layer_count(config));
    return named;
}

Pattern stated_pattern(Reader& config, Label field, Label word) {
    Pattern pattern;
    if (const std::vector<std::string>* words = config.words(field))
        for (const std::string& each : *words) pattern.push_back(each == word);
    return pattern;
}

std::optional<Pattern> layers_listed(Reader& config, Label field) {
    const std::vector<double>* listed = config.numbers(field);
    if (!listed) return std::nullopt;
    return pattern_by(config,
                      [&](double index) { return std::find(listed->begin(), listed->end(), index) != listed->end(); });
}

Pattern windowed_layers(Reader& config, double period) {
    if (auto said = layers_named(config, "layer_types", "sliding_attention")) return *std::move(said);
    return pattern_by(config, [&](double index) { return !is_multiple(index + 1, period); });
}

Pattern sparse_layers(Reader& config) {
    if (auto said = layers_named(config, "mlp_layer_types", "sparse")) return *std::move(said);
    const double dense = config.number_or({"first_k_dense_replace"}, 0);
    const double step = std::max(1.0, config.number_or({"moe_layer_freq"}, 1));
    return pattern_by(config, [&](double index) { return index >= dense && is_multiple(index, step); });
}

Pattern stepped_sparse_layers(Reader& config) {
    const double step = std::max(1.0, config.number_or({"decoder_sparse_step"}, 1));
    const auto dense = layers_listed(config, "mlp_only_layers");
    return pattern_by(config, [&](double index) {
        return is_multiple(index + 1, step) && !(dense && (*dense)[static_cast<size_t>(index)]);
    });
}

void set_layers(Reader& config, Model& model, std::vector<NamedBlock> kinds, Pattern pattern, KindCounts counts) {
    if (config.error()) return;
    if (pattern.size() != model.order.size())
        return config.fail("layer_types", "does_not_match",
                           "the pattern names " + std::to_string(pattern.size()) + " layers, num_hidden_layers is " +
                               std::to_string(model.order.size()),
                           "copy both from the model's config.json");
    const Traced layers = model.kinds.front().count;
    model.kinds.clear();
    std::vector<unsigned short> index(kinds.size());
    Traced rest = layers;
    for (size_t kind = 0; kind < kinds.size(); ++kind) {
        const double occurs = static_cast<double>(std::count(pattern.begin(), pattern.end(), kind));
        index[kind] = static_cast<unsigned short>(model.kinds.size());
        if (occurs == 0) continue;
        const Traced count = Traced::leaf(kinds[kind].name + "s", occurs, "counted in the model's pattern of layers");
        if (!model.kinds.empty()) rest = rest - count;
        model.kinds.push_back({std::move(kinds[kind].name), count, std::move(kinds[kind].block)});
    }
    if (counts == KindCounts::rest_first && !model.kinds.empty()) {
        LayerKind& first = model.kinds.front();
        first.count = model.kinds.size() == 1 ? layers : Traced::name(Made::term, first.name + "s", rest);
    }
    for (unsigned short& kind : pattern) kind = index[kind];
    model.order = std::move(pattern);
}

}  // namespace plimsoll
