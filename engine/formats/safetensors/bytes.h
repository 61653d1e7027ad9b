/// A walk over bytes that never leaves them.
#pragma once

#include <bit>
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
        const std::uint64_t all = count;
        const size_t begin = at_;
        if (std::endian::native == std::endian::little && !big_endian && width == 8) skip_usual_texts(count);
        for (; count > 0 && !ended_; --count) skip(number(width));
        if (!ended_ || count == all) return;
        const auto passed = static_cast<double>(all - count), rest = static_cast<double>(count);
        expected_ += static_cast<double>(at_ - begin) / passed * rest;
    }
    /// Once ended: the byte up to which there must be bytes to go on; and up to which there will be texts if the rest
    /// of those that were passed over are as long as the first.
    double wanted() const { return wanted_; }
    double expected() const { return expected_; }

private:
    bool has(std::uint64_t size) {
        if (!ended_ && size <= left()) return true;
        if (!ended_) wanted_ = expected_ = static_cast<double>(at_) + static_cast<double>(size);
        ended_ = true;
        return false;
    }
    // As far as there are whole texts: half of a header's time goes here.
    void skip_usual_texts(std::uint64_t& count) {
        const char* const bytes = bytes_.data();
        const size_t end = bytes_.size();
        std::uint64_t length = 0;
        for (; count > 0 && end - at_ >= sizeof length; --count) {
            std::memcpy(&length, bytes + at_, sizeof length);
            if (length > end - at_ - sizeof length) return;
            at_ += sizeof length + static_cast<size_t>(length);
        }
    }

    std::string_view bytes_;
    size_t at_ = 0;
    bool ended_ = false;
    double wanted_ = 0, expected_ = 0;
};

}  // namespace plimsoll
