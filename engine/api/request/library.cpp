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

// Models are kept as they come: the one that is asked for is read.
std::optional<Error> take_models(const Json& list, std::map<std::string, Json, std::less<>>& into, int& count) {
    for (const Json& preset : list) {
        const std::string* id = text_member(preset, "id");
        if (!id) return Error{"missing_field", "presets.models", "a model without an id", "give each preset an \"id\""};
        into[*id] = preset;
        ++count;
    }
    return std::nullopt;
}

// What an engine cannot use it passes over.
std::optional<Error> take_kind(const std::string& kind, const Json& list, Library& into, int& count) {
    if (kind == "devices") return take(list, read_device, into.devices, count);
    if (kind == "encodings") return take(list, read_encoding, into.encodings, count);
    if (kind == "runtimes") return take(list, read_runtime, into.runtimes, count);
    if (kind == "bands") return take(list, read_bands, into.bands, count);
    if (kind == "models") return take_models(list, into.models, count);
    const bool of_training = kind == "optimizers" || kind == "trainers";
    if (!of_training && kind != "speeds")
        return Error{"unknown_field", "presets." + kind, "no such kind of preset",
                     "devices, encodings, optimizers, runtimes, trainers, bands, speeds or models"};
    if (!(of_training ? capabilities.training : capabilities.time)) return std::nullopt;
    if (kind == "optimizers") return take(list, read_optimizer, into.optimizers, count);
    return of_training ? take(list, read_trainer, into.trainers, count) : take(list, read_speed, into.speeds, count);
}

}  // namespace

Result<int> Library::provide(const Json& presets) {
    if (!presets.is_object())
        return Error{"wrong_type", "presets", "must be an object of lists", R"(such as {"devices": [...]})"};
    int count = 0;
    for (const auto& [kind, list] : presets.items()) {
        if (!list.is_array())
            return Error{"wrong_type", "presets." + kind, "must be a list", "hand over a list of presets"};
        if (const auto error = take_kind(kind, list, *this, count)) return *error;
    }
    return count;
}

}  // namespace plimsoll
