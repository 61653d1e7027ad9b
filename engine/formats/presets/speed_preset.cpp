// presets/speeds: shares of a device's rates, and factors of seconds.
#include "formats/presets/preset_fields.h"

namespace plimsoll {

Result<Speed> read_speed(const Json& preset) {
    PresetFields fields(preset);
    if (fields.error) return *fields.error;
    Speed speed{fields.id, {}, any_source(preset)};
    for (const Json& entry : list_of(preset, "reached")) {
        const std::string* devices = text_member(entry, "devices");
        if (!devices) {
            fields.fail("reached", "needs a class of devices");
            break;
        }
        Reached reached{*devices};
        for (const auto& [key, share] : {std::pair{"generation", &reached.generation},
                                         {"memory", &reached.memory},
                                         {"products", &reached.products},
                                         {"packed", &reached.packed},
                                         {"attention", &reached.attention},
                                         {"experts", &reached.experts},
                                         {"launch_seconds", &reached.launch_seconds},
                                         {"exchange_seconds", &reached.exchange_seconds}})
            *share = fields.number(entry, key);
        for (const auto& [key, factors] : {std::pair{"token", &reached.token},
                                           {"batch", &reached.batch},
                                           {"spread", &reached.spread},
                                           {"prefill", &reached.prefill},
                                           {"step", &reached.step},
                                           {"mixture_step", &reached.mixture_step}})
            if (const Json* given = member(entry, key))
                *factors = {fields.number(*given, "low"), fields.number(*given, "high")};
        speed.reached.push_back(std::move(reached));
    }
    if (fields.error) return *fields.error;
    return speed;
}

}  // namespace plimsoll
