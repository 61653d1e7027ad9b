/// What a request may look like, as presets/schema/request.json says it: the names of its fields and their ranges.
#pragma once

#include "api/request/fields.h"

namespace plimsoll {

/// Fails (`unknown_field`, `out_of_range`) at the first field of `request` that the schema does not have, or whose number
/// is outside of what it allows. Of a request with `allow_unknown` a field that is not known is a note.
void check_shape(const Json& request, Reading& reading);

/// A field of a request by its path, such as `inference.context`, for a sweep over it.
class DescribedField {
public:
    /// Fails (`unknown_field`) where the schema has no such field.
    DescribedField(std::string path, Reading& reading);
    /// Fails where the schema does not allow the value.
    void check(const Json& value, Reading& reading) const;

private:
    std::string path_;
    unsigned char type_ = 0;
};

}  // namespace plimsoll
