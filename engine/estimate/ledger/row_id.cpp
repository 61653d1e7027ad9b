// What is true of each row.
#include "estimate/ledger/row_id.h"

namespace plimsoll {

const RowId::Facts RowId::facts[] = {
#define ROW(name, id, colour, traits) {id, traits},
#include "estimate/ledger/rows.inc"
#undef ROW
    {"", 0}};

static_assert(RowId::mixer - RowId::embedding + 1 == part_count, "a row for each part, in the order of Part");
static_assert(RowId::saved_mixer - RowId::saved_embedding + 1 == part_count, "and one for what is saved of it");

const char* RowId::c_str() const { return known_ == named_by_data ? name_.c_str() : facts[known_].id; }

bool RowId::has(Traits trait) const { return (facts[known_].traits & trait) != 0; }

RowId row_of_part(std::string_view name) {
    for (size_t part = 0; part < part_count; ++part)
        if (name == part_name(static_cast<Part>(part))) return row_of(static_cast<Part>(part));
    return RowId(name);
}

}  // namespace plimsoll
