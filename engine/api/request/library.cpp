#include "api/request/library.h"

#include "inputs/capabilities.h"

namespace plimsoll {
namespace {

template <class T>
std::optional<Error> take(const Json& list, Result<T> (*read)(const Json&), std::map<std::string, T, std::less<>>& into,
                          int& count) {
    for (const Json& preset : list) {
        Result<T> entry = read(preset);
        if (!entry) return entry.error();
        if (const Json* aliases = member(preset, "aliases"))
            for (const Json& alias : *aliases)
                if (const std::string* id = alias.get_ptr<const std::string*>()) into[*id] = *entry;
        into[entry->id] = std::move(*entry);
        ++count;
    }
    return std::nullopt;
}

}  // namespace

Result<int> Library::provide(const Json& presets) {
    if (!presets.is_object())
        return Error{"wrong_type", "presets", "must be an object of lists", R"(such as {"devices": [...]})"};
    int count = 0;
    std::optional<Error> error;
    for (const auto& [kind, list] : presets.items()) {
        if (!list.is_array())
            return Error{"wrong_type", "presets." + kind, "must be a list", "hand over a list of presets"};
        if (kind == "devices")
            error = take(list, read_device, devices, count);
        else if (kind == "encodings")
            error = take(list, read_encoding, encodings, count);
        else if (kind == "optimizers")
            error = capabilities.training ? take(list, read_optimizer, optimizers, count) : std::nullopt;
        else if (kind == "runtimes")
            error = take(list, read_runtime, runtimes, count);
        else if (kind == "trainers")
            error = capabilities.training ? take(list, read_trainer, trainers, count) : std::nullopt;
        else if (kind == "bands")
            error = take(list, read_bands, bands, count);
        else if (kind == "speeds")
            error = capabilities.time ? take(list, read_speed, speeds, count) : std::nullopt;
        else if (kind == "models") {
            for (const Json& preset : list) {
                const std::string* id = text_member(preset, "id");
                if (!id)
                    return Error{"missing_field", "presets.models", "a model without an id",
                                 "give each preset an \"id\""};
                models[*id] = preset;
                ++count;
            }
        } else {
            return Error{"unknown_field", "presets." + kind, "no such kind of preset",
                         "devices, encodings, optimizers, runtimes, trainers, bands, speeds or models"};
        }
        if (error) return *error;
    }
    return count;
}

}  // namespace plimsoll
