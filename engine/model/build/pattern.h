/// Which layer is of which kind: patterns, as configurations state them, and the models that follow them.
#pragma once

#include <vector>

#include "model/build/layer.h"

namespace plimsoll {

/// The kind of each layer, first to last, as an index into a list of kinds.
using Pattern = std::vector<unsigned short>;

/// Number of layers, for patterns; 0 after an error.
size_t layer_count(Reader& config);

/// What `kind_at` says of each layer's number, from 0 on.
template <class KindAt>
Pattern pattern_by(Reader& config, KindAt kind_at) {
    Pattern pattern(layer_count(config));
    for (size_t index = 0; index < pattern.size(); ++index)
        pattern[index] = static_cast<unsigned short>(kind_at(static_cast<double>(index)));
    return pattern;
}

/// Two choices of two as one of four: the first's, and the second's times two.
Pattern combined(Pattern first, const Pattern& second);

/// 1 for the layers that `field` (`layer_types`, `mlp_layer_types`, …) names `word`; nothing where it is absent.
std::optional<Pattern> layers_named(Reader& config, Label field, Label word);

/// The same without a word about the number of layers: as long as the list. Empty where it is absent.
Pattern stated_pattern(Reader& config, Label field, Label word);

/// 1 for the layers whose numbers `field` lists; nothing where it is absent.
std::optional<Pattern> layers_listed(Reader& config, Label field);

/// 1 for the layers that look at a window only: as `layer_types` says, else all but every `period`th.
Pattern windowed_layers(Reader& config, double period);

/// 1 for the layers with a mixture of experts, in the fields of DeepSeek and its kin: `mlp_layer_types`, else all from
/// `first_k_dense_replace` on, or each `moe_layer_freq`th of them.
Pattern sparse_layers(Reader& config);

/// The same in the fields of Qwen: each `decoder_sparse_step`th layer but those in `mlp_only_layers`.
Pattern stepped_sparse_layers(Reader& config);

/// A kind of layer: its name, and its operations.
struct NamedBlock {
    std::string name;
    Block block;
};

/// How the numbers of layers of each kind are told: counted each, or the first kind's as what the others leave.
enum class KindCounts : unsigned char { each, rest_first };

/// Gives the model that `decoder` made its kinds of layers: layer i is `kinds[pattern[i]]`; kinds without a layer are
/// left out. An error where the pattern is not as long as the model is deep.
void set_layers(Reader& config, Model& model, std::vector<NamedBlock> kinds, Pattern pattern,
                KindCounts counts = KindCounts::each);

}  // namespace plimsoll
