/// Which row of an answer something belongs to, and what is true of that row: one table (rows.inc) for all of it.
#pragma once

#include <string>
#include <string_view>

#include "model/core/tape.h"

namespace plimsoll {

/// A row's name. Most are known to the code; parts of a model and an optimizer's tensors may bear names that data gives.
class RowId {
public:
    enum Known : unsigned char {
#define ROW(name, id, colour, traits) name,
#include "estimate/ledger/rows.inc"
#undef ROW
        named_by_data
    };

    RowId(Known known) : known_(known) {}
    /// Of a part or a tensor that data names.
    explicit RowId(std::string_view name) : known_(named_by_data), name_(name) {}

    Known known() const { return known_; }
    /// As in replies. It lives as long as the row does.
    const char* c_str() const;
    std::string_view text() const { return c_str(); }
    friend bool operator==(const RowId& a, const RowId& b) { return a.known_ == b.known_ && a.name_ == b.name_; }
    friend bool operator==(const RowId& a, Known b) { return a.known_ == b; }

    /// Whether the framework's allocator counts it.
    bool is_allocated() const { return !has(outside); }
    /// Whether it is allocated once, and leaves no gaps behind.
    bool is_in_place() const { return has(in_place); }
    bool is_frozen_model() const { return has(frozen); }
    bool is_other_model() const { return has(other_model); }
    /// What generation caches: keys and values, or a recurrent state.
    bool is_cache() const { return has(caches); }
    /// What a model that waits in the host's memory brings to the device for every pass.
    bool is_of_weights() const { return has(trained); }
    /// And what it brings to be trained.
    bool is_of_step() const { return has(stepped); }

private:
    enum Traits : unsigned char {
        outside = 1,
        in_place = 2,
        frozen = 4,
        other_model = 8,
        caches = 16,
        trained = 32,
        stepped = 64
    };
    struct Facts {
        const char* id;
        unsigned char traits;
    };
    static const Facts facts[];

    bool has(Traits trait) const;

    Known known_;
    std::string name_ = {};
};

/// The row of a part of the model.
inline RowId::Known row_of(Part part) { return static_cast<RowId::Known>(RowId::embedding + static_cast<int>(part)); }
/// The row of what autograd saves of it.
inline RowId::Known saved_row_of(Part part) {
    return static_cast<RowId::Known>(RowId::saved_embedding + static_cast<int>(part));
}

/// The row of a part by its name: one that the code knows, or one that the model's data names.
RowId row_of_part(std::string_view name);

}  // namespace plimsoll
