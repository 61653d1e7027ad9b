#include "model/transform/pruning.h"

#include <algorithm>
#include <cmath>

#include "inputs/capabilities.h"
#include "model/core/profile.h"

namespace plimsoll {
namespace {

constexpr const char* where = "weights.sparsity.fraction";

double kept(double count, double fraction) { return std::max(1.0, std::ceil(count * (1 - fraction) - 1e-9)); }

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// A fact of the language model by the last part of its path; those of the towers beside it are none.
struct Fact {
    std::string_view path, block, name;

    explicit Fact(std::string_view whole) : path(whole), name(whole) {
        if (const size_t dot = path.rfind('.'); dot != path.npos)
            block = path.substr(0, dot + 1), name.remove_prefix(dot + 1);
    }
    bool of_language() const {
        for (const std::string_view tower : {"vision", "audio", "quantization"})
            if (block.find(tower) != block.npos) return false;
        return true;
    }
    bool is_query_heads() const { return is_one_of(name, {"num_attention_heads", "n_head", "n_heads", "num_heads"}); }
    bool is_groups() const {
        return is_one_of(name, {"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"});
    }
    bool is_intermediate() const {
        return is_one_of(name,
                         {"intermediate_size", "moe_intermediate_size", "shared_expert_intermediate_size",
                          "moe_shared_expert_intermediate_size", "shared_intermediate_size", "intermediate_size_mlp",
                          "n_inner", "ffn_dim", "encoder_ffn_dim", "decoder_ffn_dim", "ffn_hidden_size", "d_ff"});
    }
    bool is_layers() const {
        return is_one_of(name, {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_decoder_layers",
                                "encoder_layers", "decoder_layers"});
    }
};

void shrink(Facts& facts, std::string_view path, double& value, double smaller) {
    facts.pruned.emplace(path, value);
    value = smaller;
}

// The key-value heads of the same block, where they are fewer than the query heads.
double* groups_of(Facts& facts, std::string_view block) {
    for (auto& [path, value] : facts.values)
        if (const Fact fact(path); fact.block == block && fact.is_groups()) return std::get_if<double>(&value);
    return nullptr;
}

// Heads go in groups that share keys and values; where all share one, single heads go.
void prune_heads(Facts& facts, double fraction, double head_dim) {
    std::vector<std::string> blocks;
    for (auto& [path, value] : facts.values) {
        const Fact fact(path);
        double* heads = std::get_if<double>(&value);
        if (!heads || !fact.is_query_heads() || !fact.of_language()) continue;
        double* groups = groups_of(facts, fact.block);
        const double before = groups ? *groups : *heads;
        const double each = before > 0 ? *heads / before : 1;
        if (groups && before > 1) {
            *groups = kept(before, fraction);
            shrink(facts, path, *heads, *groups * each);
        } else {
            shrink(facts, path, *heads, kept(*heads, fraction));
        }
        blocks.emplace_back(fact.block);
    }
    // else the width would follow from the number of heads
    for (const std::string& block : blocks) {
        FactValue& width = facts.values[block + "head_dim"];
        if (!std::holds_alternative<double>(width)) width = head_dim;
    }
}

void prune_intermediate(Facts& facts, double fraction) {
    for (auto& [path, value] : facts.values) {
        const Fact fact(path);
        if (!fact.is_intermediate() || !fact.of_language()) continue;
        if (double* width = std::get_if<double>(&value)) shrink(facts, path, *width, kept(*width, fraction));
        if (auto* widths = std::get_if<std::vector<double>>(&value))
            for (double& width : *widths) width = kept(width, fraction);
    }
}

// Lists with an entry for each layer lose those of the layers that go.
void prune_layers(Facts& facts, double fraction) {
    std::vector<std::pair<size_t, size_t>> lengths;
    for (auto& [path, value] : facts.values) {
        const Fact fact(path);
        double* layers = std::get_if<double>(&value);
        if (!layers || !fact.is_layers() || !fact.of_language()) continue;
        const double before = *layers;
        shrink(facts, path, *layers, kept(before, fraction));
        lengths.emplace_back(static_cast<size_t>(before), static_cast<size_t>(*layers));
    }
    for (auto& [path, value] : facts.values)
        for (const auto& [before, after] : lengths) {
            if (!Fact(path).of_language()) continue;
            if (auto* words = std::get_if<std::vector<std::string>>(&value); words && words->size() == before)
                words->resize(after);
            if (auto* numbers = std::get_if<std::vector<double>>(&value); numbers && numbers->size() == before)
                numbers->resize(after);
        }
}

const Attention* attention_of(const Model& model) {
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops) {
            if (const Attention* attention = op.as<Attention>()) return attention;
            if (const LatentAttention* latent = op.as<LatentAttention>()) return &latent->heads;
        }
    return nullptr;
}

Error unstated(const char* what, const char* hint) {
    return {"missing_field", where, std::string("the model's configuration does not state ") + what, hint};
}

// An architecture may read other fields, or derive the width of its heads from their number.
bool took_effect(const Model& before, const Model& after, Pruning::Of of) {
    if (of == Pruning::Of::layers) return after.order.size() <= before.order.size();
    if (of == Pruning::Of::intermediate) return parameters<double>(after) <= parameters<double>(before);
    const Attention *old = attention_of(before), *left = attention_of(after);
    return old && left && old->head_dim.value() == left->head_dim.value() && left->heads.value() <= old->heads.value();
}

}  // namespace

Result<Model> pruned(const Facts& facts, const Pruning& pruning, Result<Model> (*read)(const Facts&)) {
    Result<Model> whole = read(facts);
    if (!capabilities.altered_models || !whole || pruning.of == Pruning::Of::nothing) return whole;
    if (whole->declared_parameters)
        return Error{"not_supported", "weights.sparsity", "of a bare number of parameters no part can be taken out",
                     "leave out parameters and state the model's shape"};
    Facts smaller = facts;
    const Attention* attention = attention_of(*whole);
    if (pruning.of == Pruning::Of::heads && attention)
        prune_heads(smaller, pruning.fraction, attention->head_dim.value());
    if (pruning.of == Pruning::Of::intermediate) prune_intermediate(smaller, pruning.fraction);
    if (pruning.of == Pruning::Of::layers) prune_layers(smaller, pruning.fraction);
    if (smaller.pruned.empty()) {
        if (pruning.of == Pruning::Of::heads) return unstated("its attention heads", "add num_attention_heads");
        if (pruning.of == Pruning::Of::layers) return unstated("its number of layers", "add num_hidden_layers");
        return unstated("the width of its feed-forward", "add intermediate_size (n_inner for GPT-2)");
    }
    Result<Model> left = read(smaller);
    if (!left || !took_effect(*whole, *left, pruning.of))
        return Error{"not_supported", "weights.sparsity.of", "this architecture cannot be pruned so",
                     "another of heads, intermediate, layers, or the pruned model's own config.json"};
    return left;
}

}  // namespace plimsoll
