/// Names that the code itself gives to tensors, weights, terms and fields.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

namespace plimsoll {

/// A literal's text. One pointer wide, so that a call passes it as one constant where a std::string_view would be
/// written to the stack word by word; compared as text, which a plain pointer would not be.
class Label {
public:
    constexpr Label(const char* text = "") : text_(text) {}
    constexpr operator const char*() const { return text_; }
    constexpr operator std::string_view() const { return text_; }

    friend bool operator==(Label a, Label b) { return a.text_ == b.text_ || std::strcmp(a.text_, b.text_) == 0; }
    friend bool operator==(Label a, const char* b) { return a == Label(b); }
    friend bool operator==(Label a, const std::string& b) { return b == a.text_; }

private:
    const char* text_;
};

}  // namespace plimsoll
