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
        reached.memory = fields.number(entry, "memory"), reached.products = fields.number(entry, "products");
        reached.packed = fields.number(entry, "packed"),
        reached.launch_seconds = fields.number(entry, "launch_seconds");
        const auto band = [&](const char* key, double& low, double& high) {
            const Json* given = member(entry, key);
            low = given ? fields.number(*given, "low") : 0;
            high = given ? fields.number(*given, "high") : 0;
        };
        band("token", reached.low, reached.high);
        band("batch", reached.batch_low, reached.batch_high);
        band("prefill", reached.prefill_low, reached.prefill_high);
        speed.reached.push_back(std::move(reached));
    }
    if (fields.error) return *fields.error;
    return speed;
}

}  // namespace plimsoll
