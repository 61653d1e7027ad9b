// A trainer's preset: its defaults. The texts to copy are the page's to read.
#include "formats/presets/preset_fields.h"

namespace plimsoll {
namespace {

constexpr std::string_view block = "training.";

TrainerDefault read_default(PresetFields& fields, const Json& entry) {
    TrainerDefault made;
    const std::string* field = text_member(entry, "field");
    const Json* value = member(entry, "value");
    if (!field || field->rfind(block, 0) != 0 || !value) {
        fields.fail("defaults", "needs a field of training and its value");
        return made;
    }
    if (const std::string* word = value->get_ptr<const std::string*>())
        made.value = *word;
    else if (value->is_boolean())
        made.value = value->get<bool>();
    else if (value->is_number())
        made.value = value->get<double>();
    else
        fields.fail("defaults.value", "must be a word, a number or a switch");
    made.field = field->substr(block.size());
    made.methods = words_of(entry, "methods");
    made.optimizers = words_of(entry, "optimizers");
    if (const std::string* base = text_member(entry, "base")) made.packed_base = *base == "packed";
    return made;
}

}  // namespace

Result<Trainer> read_trainer(const Json& preset) {
    PresetFields fields(preset);
    if (fields.error) return *fields.error;
    Trainer trainer{fields.id, fields.text("name"), {}};
    for (const Json& entry : list_of(preset, "defaults")) trainer.defaults.push_back(read_default(fields, entry));
    if (fields.error) return *fields.error;
    return trainer;
}

}  // namespace plimsoll
