/// Writes the header of a GGUF file, version 3: metadata and the table of tensors. Layout:
/// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::test {

class GgufWriter {
public:
    explicit GgufWriter(std::string_view architecture) : prefix_(std::string(architecture) + ".") {
        text("general.architecture", architecture);
    }

    /// Of the architecture: `embedding_length` becomes `llama.embedding_length`. A key that is written again is
    /// overwritten, as in gguf-py.
    void put(const std::string& key, double value);
    void put(const std::string& key, bool value);
    void put(const std::string& key, const std::vector<double>& values);
    void put_real(const std::string& key, double value);
    void put_flags(const std::string& key, const std::vector<bool>& values);
    /// Keys of no architecture.
    void text(const std::string& key, std::string_view value);
    void tokens(double count);
    /// A tensor of two dimensions in 16 bits; `inner` is the length of a row.
    void tensor(const std::string& name, double inner, double rows);

    std::string header() const;
    /// Bytes of the whole file, tensors included.
    double size() const { return static_cast<double>(header().size() + 32 + offset_); }

private:
    struct Key {
        std::string name, value;
    };
    void keep(const std::string& name, std::string value);

    std::string prefix_, table_;
    std::vector<Key> keys_;
    std::uint64_t tensors_ = 0, offset_ = 0;
};

}  // namespace plimsoll::test
