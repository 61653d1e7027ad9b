/// A walk over bytes that never leaves them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace plimsoll {

class ByteWalk {
public:
    explicit ByteWalk(std::string_view bytes) : bytes_(bytes) {}

    bool big_endian = false;
    /// Set when more was asked for than there is; from then on everything reads as 0.
    bool ended() const { return ended_; }
    size_t offset() const { return at_; }
    size_t left() const { return bytes_.size() - at_; }

    std::uint64_t number(size_t size) {
        if (!has(size)) return 0;
        std::uint64_t value = 0;
        for (size_t i = 0; i < size; ++i)
            value |=
                static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at_ + (big_endian ? size - 1 - i : i)]))
                << (8 * i);
        at_ += size;
        return value;
    }
    std::string_view text(std::uint64_t size) {
        if (!has(size)) return {};
        const std::string_view found = bytes_.substr(at_, static_cast<size_t>(size));
        at_ += static_cast<size_t>(size);
        return found;
    }
    void skip(std::uint64_t size) {
        if (has(size)) at_ += static_cast<size_t>(size);
    }
    /// Passes over `count` texts, each behind its length of `width` bytes: a vocabulary, in one tight loop.
    void skip_texts(std::uint64_t count, size_t width) {
        for (; count > 0 && !ended_; --count) skip(number(width));
    }

private:
    bool has(std::uint64_t size) {
        if (!ended_ && size <= left()) return true;
        ended_ = true;
        return false;
    }

    std::string_view bytes_;
    size_t at_ = 0;
    bool ended_ = false;
};

}  // namespace plimsoll
