/// Tells whether a name came before, for files with a hundred thousand of them: 8 bytes for each, no copies. Two names
/// of equal 64-bit hash would be taken for one, which only makes an error of it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace plimsoll {

class NameSet {
public:
    /// False where the name is in the set already.
    bool insert(std::string_view name) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        return place(hash(name));
    }

private:
    /// FNV-1a; 0 marks an empty slot.
    static std::uint64_t hash(std::string_view name) {
        std::uint64_t value = 14695981039346656037U;
        for (const char letter : name) value = (value ^ static_cast<unsigned char>(letter)) * 1099511628211U;
        return value | 1U;
    }
    bool place(std::uint64_t value) {
        const size_t mask = slots_.size() - 1;
        size_t slot = (value >> 32U) & mask;
        for (; slots_[slot] != 0; slot = (slot + 1) & mask)
            if (slots_[slot] == value) return false;
        slots_[slot] = value;
        ++count_;
        return true;
    }
    void grow() {
        std::vector<std::uint64_t> old(slots_.empty() ? 8 : 2 * slots_.size());
        old.swap(slots_);
        count_ = 0;
        for (const std::uint64_t value : old)
            if (value != 0) place(value);
    }

    std::vector<std::uint64_t> slots_;  ///< a power of two of them, at most half full
    size_t count_ = 0;
};

}  // namespace plimsoll
