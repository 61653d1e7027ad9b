#include "formats/huggingface/adapter_config.h"

#include <cmath>

#include "number/letters.h"

namespace plimsoll {
namespace {

constexpr double largest_rank = 65536;
constexpr std::string_view pattern_letters = "*+?()[]|^$\\";

class Fields {
public:
    Fields(const Json& config, const std::string& where) : config_(config), where_(where) {}
    std::optional<Error> error;

    std::string text(const char* key, const char* otherwise) {
        const Json* value = given(key);
        if (!value) return otherwise;
        if (const auto* found = value->get_ptr<const std::string*>()) return *found;
        return fail(key, "must be text"), otherwise;
    }
    bool flag(const char* key) {
        const Json* value = given(key);
        if (!value) return false;
        if (const auto* found = value->get_ptr<const bool*>()) return *found;
        return fail(key, "must be true or false"), false;
    }
    double number(const char* key, double low, double high, double otherwise) {
        const Json* value = given(key);
        if (!value) return otherwise;
        const double* found = value->get_ptr<const double*>();
        if (found && *found >= low && *found <= high) return *found;
        return fail(key, "must be a number within its range"), otherwise;
    }
    /// A list of names, or one name.
    std::vector<std::string> names(const char* key) {
        std::vector<std::string> list;
        const Json* value = given(key);
        if (!value) return list;
        if (const auto* one = value->get_ptr<const std::string*>()) return {*one};
        for (const Json& item : *value) {
            const auto* name = item.get_ptr<const std::string*>();
            if (!name) return fail(key, "must be a list of names"), list;
            list.push_back(*name);
        }
        return list;
    }
    bool filled(const char* key) {
        const Json* value = given(key);
        return value && value->is_object() && !value->empty();
    }
    void fail(const char* key, const char* what) {
        if (!error) error = Error{"wrong_type", where_ + "." + key, what, "give PEFT's adapter_config.json as it is"};
    }

private:
    const Json* given(const char* key) const {
        const Json* value = member(config_, key);
        return value && value->is_null() ? nullptr : value;
    }
    const Json& config_;
    const std::string& where_;
};

}  // namespace

Result<AdapterConfig> read_adapter_config(const Json& config, const std::string& where) {
    Fields fields(config, where);
    AdapterConfig adapter;
    adapter.kind = in_small_letters(fields.text("peft_type", ""));
    if (adapter.kind.empty()) fields.fail("peft_type", "must name the kind of adapter");
    adapter.base_model = fields.text("base_model_name_or_path", "");
    const bool turns = adapter.kind == "oft";  // OFTConfig: of r and oft_block_size one is 0
    adapter.rank = fields.number("r", turns ? 0 : 1, largest_rank, turns ? 0 : adapter.rank);
    if (turns) adapter.block = fields.number("oft_block_size", 0, largest_rank, adapter.rank > 0 ? 0 : 32);
    if (adapter.block != std::floor(adapter.block)) fields.fail("oft_block_size", "must be a whole number");
    if (adapter.rank != std::floor(adapter.rank)) fields.fail("r", "must be a whole number");
    adapter.alpha = fields.number("lora_alpha", 0, 1e9, adapter.alpha);
    adapter.dropout = fields.number("lora_dropout", 0, 1, 0);
    adapter.targets = fields.names("target_modules");
    adapter.targets_are_pattern =
        adapter.targets.size() == 1 && adapter.targets.front().find_first_of(pattern_letters) != std::string::npos;
    adapter.modules_to_save = fields.names("modules_to_save");
    adapter.use_dora = fields.flag("use_dora");
    adapter.use_rslora = fields.flag("use_rslora");
    adapter.varied = fields.filled("rank_pattern") || fields.filled("alpha_pattern");
    adapter.bias = fields.text("bias", "none");
    if (fields.error) return *fields.error;
    return adapter;
}

}  // namespace plimsoll
