/// What can be looked for: fields of a request, in which direction, and among which values.
#pragma once

#include "api/solve/fitting.h"

namespace plimsoll {

/// More of the field takes more memory, and the greatest value is wanted; or it takes less, and the least is.
enum class Wanted : unsigned char { greatest, least };

/// A field with the numbers that the search knows it by.
class Sought : public Setting {
public:
    const std::string& field() const { return field_; }
    Wanted wanted() const { return wanted_; }
    const Range& range() const { return range_; }
    /// Why the range ends where it does, where that is not the schema's end.
    const std::string& end_source() const { return end_source_; }
    bool is_list() const { return !values_.empty(); }

    /// The value of a number, as requests write it.
    Json value(std::int64_t number) const;
    bool set(Point& point, std::int64_t number) const override;

private:
    friend class SoughtReader;

    std::string field_;
    Wanted wanted_ = Wanted::greatest;
    Range range_;
    double unit_ = 1;           ///< what a step of the search is of the field
    std::vector<Json> values_;  ///< of a field that is chosen from a list; its numbers are 1 …
    double global_batch_ = 0;   ///< micro-batch times accumulation, which stays
    std::string end_source_;
};

/// What a question says of a field: its values, where it lists them, and the most devices that there may be.
struct SoughtIn {
    const Json* values = nullptr;
    double most_devices = 1024;
    std::optional<std::pair<double, double>> within;  ///< the first and the last value that are looked at
};

/// What is looked for in a request; an error where that field cannot be looked for, or its values cannot be.
Result<Sought> read_sought(const std::string& field, Point& point, const SoughtIn& in);

/// All fields that can be looked for, with ", " between them.
std::string_view sought_fields();

}  // namespace plimsoll
