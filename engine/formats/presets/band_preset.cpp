// presets/bands: shares by row, factors by total.
#include "formats/presets/preset_fields.h"

namespace plimsoll {
namespace {

using Entries = std::vector<std::pair<std::string, BandShares>>;

Entries read_entries(PresetFields& fields, const char* key) {
    Entries entries;
    const Json* given = member(fields.preset, key);
    if (!given || !given->is_object()) return entries;
    entries.reserve(given->size());
    for (const auto& [id, entry] : given->items()) {
        entries.emplace_back(id, BandShares{fields.number(entry, "low", 1), fields.number(entry, "high", 1),
                                            fields.number(entry, "whole"), fields.number(entry, "residuals"),
                                            fields.number(entry, "coverage")});
        const BandShares& read = entries.back().second;
        if (!(read.low >= 0 && read.high >= 0 && read.whole >= 0)) fields.fail(key, "needs shares of at least 0");
    }
    return entries;
}

}  // namespace

Result<Bands> read_bands(const Json& preset) {
    PresetFields fields(preset);
    if (fields.error) return *fields.error;
    Bands bands{fields.id, read_entries(fields, "rows"), read_entries(fields, "totals")};
    if (fields.error) return *fields.error;
    return bands;
}

}  // namespace plimsoll
