#include "model/read/rotary_tables.h"

#include <algorithm>

#include "model/core/profile.h"

namespace plimsoll {
namespace {

// Shares that transformers' configuration classes have where a file leaves them out.
struct ClassShare {
    const char* model_type;
    double share;
};
constexpr ClassShare class_shares[] = {
    {"chatglm", 0.5},  {"glm", 0.5},          {"glm4", 0.5},       {"glm4_moe", 0.5},  {"glm4v", 0.5},
    {"nemotron", 0.5}, {"persimmon", 0.5},    {"phi", 0.5},        {"stablelm", 0.25}, {"gpt_neox", 0.25},
    {"qwen3_5", 0.25}, {"qwen3_5_moe", 0.25}, {"qwen3_next", 0.25}};

// What config.json says of positions, wherever it has the language model's settings: of layers of a kind in a block of
// their own, or of all layers.
class Positions {
public:
    explicit Positions(const Facts& facts) : facts_(facts) {
        const std::string* type = facts.get<std::string>("model_type");
        if (type) model_type_ = *type;
    }

    // `windowed`: of layers with a window that rotate apart.
    RotaryTable table(double head, double positions, bool windowed) const {
        const char* kind = windowed ? ".sliding_attention" : ".full_attention";
        const std::string type = word(kind);
        // proportional: pairs that are not turned stand in the table, too (Gemma 4)
        const double share = type == "proportional" ? 1 : number(kind, "partial_rotary_factor", share_of_class());
        RotaryTable table{rounded_down(head * share), positions, find("", "mrope_section") != nullptr, windowed};
        if (windowed) return table;
        const double factor = number(kind, "factor", 1), original = number(kind, "original_max_position_embeddings", 0);
        if (type == "linear" || type == "dynamic") table.positions *= factor;
        if ((type == "yarn" || type == "deepseek_yarn") && original > 0) table.positions = original * factor;
        if (type == "longrope" || type == "su") table.positions += original;
        return table;
    }

    // Windowed layers rotate by a base of their own, without what lengthens the context.
    bool apart() const {
        if (find("", "rope_local_base_freq") || find(".sliding_attention", "rope_theta")) return true;
        for (const char* type : {"gemma3", "gemma3_text", "gemma3n", "gemma3n_text", "olmo3"})
            if (model_type_ == type) return true;
        return false;
    }

private:
    // In a block of the kind; with none in the block of all kinds, or beside it.
    const FactValue* find(const char* kind, const char* name) const {
        for (const char* settings : {"", "text_config.", "language_config.", "llm_config."})
            for (const char* block : {"rope_scaling", "rope_parameters", ""}) {
                std::string path = settings;
                if (*block) path.append(block).append(kind).append(".");
                const FactValue* found = *block || !*kind ? facts_.find(path.append(name)) : nullptr;
                if (found) return found;
            }
        return nullptr;
    }
    template <class T>
    const T* get(const char* kind, const char* name) const {
        const FactValue* found = find(kind, name);
        if (!found) found = find("", name);
        return found ? std::get_if<T>(found) : nullptr;
    }
    double number(const char* kind, const char* name, double otherwise) const {
        const double* value = get<double>(kind, name);
        return value ? *value : otherwise;
    }
    std::string word(const char* kind) const {
        const std::string* found = get<std::string>(kind, "rope_type");
        if (!found) found = get<std::string>(kind, "type");
        return found ? *found : std::string();
    }
    double share_of_class() const {
        if (const double* value = get<double>("", "rotary_pct")) return *value;
        for (const ClassShare& known : class_shares)
            if (model_type_ == known.model_type) return known.share;
        return 1;
    }

    const Facts& facts_;
    std::string_view model_type_;
};

// 0: nothing. Latent attention rotates a part that its shapes name.
double rotated_head(const Block& block) {
    for (const Op& op : block.ops)
        if (const LatentAttention* latent = op.as<LatentAttention>()) return latent->rope.value();
    const Attention* attention = attention_of(block);
    for (const Op& op : block.ops)
        if (attention && op.is<Rope>()) return attention->head_dim.value();
    return 0;
}

}  // namespace

RotaryTables rotary_tables(const Facts& facts, const Model& model) {
    RotaryTables tables;
    if (model.context_limit == 0) return tables;
    const Positions positions(facts);
    for (const LayerKind& kind : model.kinds) {
        const double head = rotated_head(kind.block);
        const Attention* attention = attention_of(kind.block);
        const bool windowed = attention && attention->window && positions.apart();
        const RotaryTable table = positions.table(head, model.context_limit, windowed);
        const bool known = std::any_of(tables.begin(), tables.end(), [&table](const RotaryTable& other) {
            return other.width == table.width && other.windowed == table.windowed;
        });
        if (head > 0 && !known && tables.count < std::size(tables.all)) tables.all[tables.count++] = table;
    }
    return tables;
}

}  // namespace plimsoll
