/// Changes a GGUF header as what it is: keys with typed values, and tensors with shapes, types and places. Version 3 in
/// little-endian is taken apart and put together again; anything else is left to bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace plimsoll::fuzz {

/// Reads little-endian fields; every read past the end gives nothing and is remembered.
class Fields {
public:
    explicit Fields(std::string_view bytes) : bytes_(bytes) {}

    template <class T>
    T number() {
        T value{};
        const std::string_view own = taken(sizeof(T));
        if (own.size() == sizeof(T)) std::memcpy(&value, own.data(), sizeof(T));
        return value;
    }
    std::string_view text() { return taken(number<std::uint64_t>()); }
    std::string_view taken(std::uint64_t size) {
        if (size > bytes_.size() - at_) failed_ = true;
        const std::string_view own = failed_ ? std::string_view() : bytes_.substr(at_, size);
        at_ += own.size();
        return own;
    }
    bool failed() const { return failed_; }

private:
    std::string_view bytes_;
    size_t at_ = 0;
    bool failed_ = false;
};

struct GgufText {
    struct Key {
        std::string name;
        std::uint32_t type;
        std::string bytes;  ///< its value as it stands in the file
    };
    struct Tensor {
        std::string name;
        std::vector<std::uint64_t> shape;
        std::uint32_t type;
        std::uint64_t offset;
    };
    std::vector<Key> keys;
    std::vector<Tensor> tensors;
};

inline size_t width_of(std::uint32_t type) {
    static constexpr size_t widths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return type < std::size(widths) ? widths[type] : 0;
}

template <class T>
void put(std::string& to, T value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}
inline void put_text(std::string& to, std::string_view text) {
    put<std::uint64_t>(to, text.size());
    to += text;
}

constexpr std::uint32_t gguf_text = 8, gguf_array = 9;

inline std::string value_bytes(Fields& fields, std::uint32_t type, int depth = 0) {
    std::string bytes;
    if (type == gguf_text) {
        put_text(bytes, fields.text());
    } else if (type == gguf_array && depth < 2) {
        const auto item = fields.number<std::uint32_t>();
        const auto count = fields.number<std::uint64_t>();
        put(bytes, item);
        put(bytes, count);
        for (std::uint64_t i = 0; i < count && !fields.failed(); ++i) bytes += value_bytes(fields, item, depth + 1);
    } else {
        const size_t width = width_of(type);
        bytes = fields.taken(width > 0 ? width : ~size_t{0});  // no such type: there is no going on
    }
    return bytes;
}

/// The header's parts; false where it is none of version 3.
inline bool take_apart(std::string_view bytes, GgufText& into) {
    Fields fields(bytes);
    if (fields.taken(4) != "GGUF" || fields.number<std::uint32_t>() != 3) return false;
    const auto tensors = fields.number<std::uint64_t>(), keys = fields.number<std::uint64_t>();
    for (std::uint64_t i = 0; i < keys && !fields.failed(); ++i) {
        GgufText::Key key{std::string(fields.text()), fields.number<std::uint32_t>(), {}};
        key.bytes = value_bytes(fields, key.type);
        into.keys.push_back(std::move(key));
    }
    for (std::uint64_t i = 0; i < tensors && !fields.failed(); ++i) {
        GgufText::Tensor tensor{std::string(fields.text()), {}, 0, 0};
        const auto dimensions = fields.number<std::uint32_t>();
        for (std::uint32_t d = 0; d < dimensions && !fields.failed(); ++d)
            tensor.shape.push_back(fields.number<std::uint64_t>());
        tensor.type = fields.number<std::uint32_t>();
        tensor.offset = fields.number<std::uint64_t>();
        into.tensors.push_back(std::move(tensor));
    }
    return !fields.failed();
}

inline std::string put_together(const GgufText& parts) {
    std::string bytes = "GGUF";
    put<std::uint32_t>(bytes, 3);
    put<std::uint64_t>(bytes, parts.tensors.size());
    put<std::uint64_t>(bytes, parts.keys.size());
    for (const GgufText::Key& key : parts.keys) {
        put_text(bytes, key.name);
        put(bytes, key.type);
        bytes += key.bytes;
    }
    for (const GgufText::Tensor& tensor : parts.tensors) {
        put_text(bytes, tensor.name);
        put(bytes, static_cast<std::uint32_t>(tensor.shape.size()));
        for (const std::uint64_t width : tensor.shape) put(bytes, width);
        put(bytes, tensor.type);
        put(bytes, tensor.offset);
    }
    bytes.resize((bytes.size() + 31) / 32 * 32);
    return bytes;
}

class GgufGrammar {
public:
    explicit GgufGrammar(std::uint32_t seed) : random_(seed) {}

    void change(GgufText& parts) {
        switch (random_() % 7) {
            case 0: return change_number(parts);
            case 1: return rename_architecture(parts);
            case 2: return add_key(parts);
            case 3:
                if (!parts.keys.empty()) parts.keys.erase(parts.keys.begin() + drawn(parts.keys.size()));
                return;
            case 4:
                if (!parts.tensors.empty()) parts.tensors.erase(parts.tensors.begin() + drawn(parts.tensors.size()));
                return;
            default: return change_tensor(parts);
        }
    }

private:
    std::ptrdiff_t drawn(size_t count) { return static_cast<std::ptrdiff_t>(random_() % count); }

    std::uint64_t edge() {
        static constexpr std::uint64_t edges[] = {0,   1,    2,     3,          31,         32,         255,
                                                  256, 4096, 65535, 1ull << 31, 1ull << 32, 1ull << 53, ~0ull};
        return edges[random_() % std::size(edges)];
    }

    void change_number(GgufText& parts) {
        for (int tries = 0; tries < 20 && !parts.keys.empty(); ++tries) {
            GgufText::Key& key = parts.keys[static_cast<size_t>(drawn(parts.keys.size()))];
            const size_t width = width_of(key.type);
            if (width == 0) continue;
            const std::uint64_t value = edge();
            key.bytes.assign(reinterpret_cast<const char*>(&value), width);
            return;
        }
    }

    static std::string architecture(const GgufText& parts) {
        for (const GgufText::Key& key : parts.keys)
            if (key.name == "general.architecture" && key.bytes.size() > 8) return key.bytes.substr(8);
        return "llama";
    }

    /// Another family is told the same numbers under its own names.
    void rename_architecture(GgufText& parts) {
        static constexpr const char* names[] = {
            "llama",  "llama4",        "qwen2",      "qwen3moe", "qwen35moe", "gemma3",    "gemma3n",
            "gemma4", "deepseek2",     "deepseek4",  "phi3",     "falcon",    "falcon-h1", "mamba",
            "mamba2", "granitehybrid", "nemotron_h", "lfm2",     "jamba",     "t5",        "bert",
            "gpt2",   "mpt",           "minimax-01", "deci",     "clip",      "unheard_of"};
        const std::string before = architecture(parts), now = names[random_() % std::size(names)];
        for (GgufText::Key& key : parts.keys) {
            if (key.name == "general.architecture") {
                key.bytes.clear();
                put_text(key.bytes, now);
            } else if (key.name.compare(0, before.size() + 1, before + ".") == 0) {
                key.name = now + key.name.substr(before.size());
            }
        }
    }

    void add_key(GgufText& parts) {
        static constexpr const char* names[] = {"block_count",
                                                "embedding_length",
                                                "feed_forward_length",
                                                "attention.head_count",
                                                "attention.head_count_kv",
                                                "attention.key_length",
                                                "attention.value_length",
                                                "attention.sliding_window",
                                                "attention.sliding_window_pattern",
                                                "attention.kv_lora_rank",
                                                "attention.q_lora_rank",
                                                "expert_count",
                                                "expert_used_count",
                                                "expert_shared_count",
                                                "expert_feed_forward_length",
                                                "leading_dense_block_count",
                                                "nextn_predict_layers",
                                                "ssm.inner_size",
                                                "ssm.state_size",
                                                "ssm.conv_kernel",
                                                "ssm.time_step_rank",
                                                "ssm.group_count",
                                                "rope.dimension_count",
                                                "vocab_size",
                                                "full_attention_interval",
                                                "attention.shared_kv_layers",
                                                "embedding_length_per_layer_input"};
        GgufText::Key key{architecture(parts) + "." + names[random_() % std::size(names)], 4, {}};
        if (random_() % 3 == 0) {  // a number for each layer
            key.type = gguf_array;
            const std::uint64_t count = random_() % 8;
            put<std::uint32_t>(key.bytes, 4);
            put(key.bytes, count);
            for (std::uint64_t i = 0; i < count; ++i) put(key.bytes, static_cast<std::uint32_t>(edge()));
        } else {
            put(key.bytes, static_cast<std::uint32_t>(edge()));
        }
        parts.keys.push_back(std::move(key));
    }

    void change_tensor(GgufText& parts) {
        if (parts.tensors.empty()) return;
        GgufText::Tensor& tensor = parts.tensors[static_cast<size_t>(drawn(parts.tensors.size()))];
        switch (random_() % 5) {
            case 0: tensor.type = static_cast<std::uint32_t>(random_() % 42); return;
            case 1: tensor.offset = edge(); return;
            case 2:
                if (tensor.shape.size() < 6) tensor.shape.push_back(edge());
                return;
            case 3: {
                GgufText::Tensor copy = tensor;
                copy.name += ".again";
                return parts.tensors.push_back(std::move(copy));
            }
            default:
                if (!tensor.shape.empty()) tensor.shape[static_cast<size_t>(drawn(tensor.shape.size()))] = edge();
        }
    }

    std::minstd_rand random_;
};

inline std::size_t mutate_gguf(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    GgufText parts;
    if (seed % 5 == 0 || !take_apart({reinterpret_cast<const char*>(data), size}, parts))
        return LLVMFuzzerMutate(data, size, most);
    GgufGrammar grammar(seed);
    for (unsigned left = 1 + seed % 4; left > 0; --left) grammar.change(parts);
    const std::string bytes = put_together(parts);
    if (bytes.size() > most) return LLVMFuzzerMutate(data, size, most);
    std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
}

}  // namespace plimsoll::fuzz
