#include "engine/formats/gguf_writer.h"

#include <cstring>

namespace plimsoll::test {
namespace {

enum Kind : std::uint32_t { u32 = 4, i32 = 5, f32 = 6, boolean = 7, string = 8, list = 9 };

std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>((value >> (8 * i)) & 0xFFU);
    return text;
}

std::string text_of(std::string_view value) { return number(value.size(), 8) + std::string(value); }

}  // namespace

void GgufWriter::keep(const std::string& name, std::string value) {
    for (Key& key : keys_)
        if (key.name == name) {
            key.value = std::move(value);
            return;
        }
    keys_.push_back({name, std::move(value)});
}

void GgufWriter::put(const std::string& key, double value) {
    keep(prefix_ + key, number(u32, 4) + number(static_cast<std::uint64_t>(value), 4));
}

void GgufWriter::put(const std::string& key, bool value) {
    keep(prefix_ + key, number(boolean, 4) + number(value ? 1 : 0, 1));
}

void GgufWriter::put(const std::string& key, const std::vector<double>& values) {
    std::string bytes = number(list, 4) + number(i32, 4) + number(values.size(), 8);
    for (const double value : values) bytes += number(static_cast<std::uint64_t>(value), 4);
    keep(prefix_ + key, bytes);
}

void GgufWriter::put_real(const std::string& key, double value) {
    const auto real = static_cast<float>(value);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &real, sizeof bits);
    keep(prefix_ + key, number(f32, 4) + number(bits, 4));
}

void GgufWriter::put_flags(const std::string& key, const std::vector<bool>& values) {
    std::string bytes = number(list, 4) + number(boolean, 4) + number(values.size(), 8);
    for (const bool value : values) bytes += number(value ? 1 : 0, 1);
    keep(prefix_ + key, bytes);
}

void GgufWriter::text(const std::string& key, std::string_view value) { keep(key, number(string, 4) + text_of(value)); }

void GgufWriter::tokens(double count) {
    std::string bytes = number(list, 4) + number(string, 4) + number(static_cast<std::uint64_t>(count), 8);
    const std::string token = text_of("t");
    for (double i = 0; i < count; ++i) bytes += token;
    keep("tokenizer.ggml.tokens", bytes);
}

void GgufWriter::tensor(const std::string& name, double inner, double rows) {
    table_ += text_of(name) + number(2, 4) + number(static_cast<std::uint64_t>(inner), 8) +
              number(static_cast<std::uint64_t>(rows), 8) + number(1 /* F16 */, 4) + number(offset_, 8);
    ++tensors_;
    offset_ += (2 * static_cast<std::uint64_t>(inner * rows) + 31) / 32 * 32;
}

std::string GgufWriter::header() const {
    std::string bytes = "GGUF" + number(3, 4) + number(tensors_, 8) + number(keys_.size(), 8);
    for (const Key& key : keys_) bytes += text_of(key.name) + key.value;
    return bytes + table_;
}

}  // namespace plimsoll::test
