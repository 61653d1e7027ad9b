/// What a request may look like, as presets/schema/request.json says it: its fields, their types, ranges and choices.
#pragma once

#include "api/request/fields.h"

namespace plimsoll {

/// Fails at the first field of `request` that the schema does not have (`unknown_field`), or whose value it does not allow
/// (`wrong_type`, `out_of_range`, `unknown_value`). Of a request with `allow_unknown` a field that is not known is a note.
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
