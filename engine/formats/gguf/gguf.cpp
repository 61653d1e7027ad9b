#include "formats/gguf/gguf.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "formats/gguf/ggml_types.h"
#include "formats/json/name_set.h"
#include "formats/safetensors/bytes.h"
#include "number/shown.h"

namespace plimsoll {
namespace {

constexpr double most_bytes = 4503599627370496;  // 2^52
constexpr size_t longest_list = 4096;            // of numbers per layer; vocabularies are longer
constexpr size_t longest_text = 256;             // names and kinds; chat templates are longer
constexpr size_t most_keys = 65536;
constexpr size_t most_roles = 1024;  // of tensors; a real model has some dozens
constexpr const char* hint = "download the file again, or convert the model anew";

enum class Kind : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };

size_t size_of(Kind kind) {
    constexpr unsigned char sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return sizes[static_cast<size_t>(kind)];
}

double number_of(Kind kind, std::uint64_t bits) {
    const auto as_signed = [bits](unsigned width) {
        return static_cast<double>(static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width));
    };
    if (kind == Kind::i8) return as_signed(8);
    if (kind == Kind::i16) return as_signed(16);
    if (kind == Kind::i32) return as_signed(32);
    if (kind == Kind::i64) return as_signed(64);
    if (kind == Kind::f64) {
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (kind == Kind::f32) {
        const auto low = static_cast<std::uint32_t>(bits);
        float value = 0;
        std::memcpy(&value, &low, sizeof value);
        return value;
    }
    return static_cast<double>(bits);
}

// A tensor's name without the number of its block, and that number.
std::pair<std::string, double> role_of(std::string_view name) {
    for (size_t begin = 0; begin < name.size();) {
        const size_t dot = std::min(name.find('.', begin), name.size());
        double number = 0;
        size_t at = begin;
        for (; at < dot && name[at] >= '0' && name[at] <= '9'; ++at) number = 10 * number + (name[at] - '0');
        if (at == dot && at > begin && at - begin <= 4 && begin > 0 && dot < name.size())
            return {std::string(name.substr(0, begin)) + std::string(name.substr(dot + 1)), number};
        begin = dot + 1;
    }
    return {std::string(name), 0};
}

// Where a tensor's bytes lie behind the header.
struct Extent {
    double begin, end;
    size_t tensor;
};

class Header {
public:
    Header(const FileHead& file, Checkpoint& checkpoint) : file_(file), walk_(file.bytes), checkpoint_(checkpoint) {}

    Result<GgufRead> read() {
        begin();
        const double tensors = count("tensors", 24), keys = count("keys", 13);
        if (!error_ && keys > most_keys) fail(shown(keys) + " keys of metadata");
        for (double i = 0; i < keys && !stopped(); ++i) read_key();
        const double alignment = alignment_of();
        for (double i = 0; i < tensors && !stopped(); ++i) read_tensor(alignment);
        if (!stopped()) check_extents(alignment);
        if (error_) return *error_;
        if (walk_.ended()) return more();
        for (const Listed& tensor : tensors_) {
            checkpoint_.add({tensor.name, tensor.type->name, tensor.elements, tensor.bytes, tensor.rank});
            const auto [role, block] = role_of(tensor.name);
            gguf_.add_role(role, {1, block, block, tensor.row > 0 ? tensor.elements / tensor.row : 0});
        }
        return GgufRead{0, std::move(gguf_)};
    }

private:
    struct Listed {
        std::string_view name;
        const GgmlType* type;
        double elements, bytes, offset, row;
        size_t rank;
    };

    bool stopped() const { return error_ || walk_.ended(); }
    void fail(const std::string& what) {
        if (!stopped())
            error_ = Error{"bad_gguf", file_.name + ": byte " + shown(static_cast<double>(walk_.offset())), what, hint};
    }
    // How long the header is, only its end tells: twice as much each time, or as much as a list or text says it has.
    Result<GgufRead> more() {
        if (walk_.wanted() > file_.size) {
            error_ = Error{"bad_gguf", file_.name + ": byte " + shown(static_cast<double>(walk_.offset())),
                           "the file ends inside its header: at byte " + shown(file_.size) +
                               ", where what begins here " + "reaches to byte " + shown(walk_.wanted()),
                           hint};
            return *error_;
        }
        const double twice = 2 * static_cast<double>(file_.bytes.size());
        return GgufRead{std::min(file_.size, std::max({twice, walk_.expected(), 65536.0})), {}};
    }

    void begin() {
        walk_.skip(4);  // GGUF
        const std::uint64_t version = walk_.number(4);
        walk_.big_endian = gguf_.big_endian = version != 0 && (version & 0xFFFFU) == 0;
        gguf_.version = static_cast<double>(gguf_.big_endian ? version >> 24U : version);
        width_ = gguf_.version == 1 ? 4 : 8;
        if (!walk_.ended() && (gguf_.version < 1 || gguf_.version > 3))
            fail("GGUF version " + shown(gguf_.version) + ", where 1 to 3 are known");
        gguf_.metadata.origin = file_.name;
        gguf_.metadata.where = file_.name;
    }
    // A count of things that take at least `least` bytes each: more than the file has room for is a lie.
    double count(const char* what, double least) {
        const auto number = static_cast<double>(walk_.number(width_));
        if (number * least > file_.size)
            fail(shown(number) + " " + what + " in a file of " + shown(file_.size) + " bytes");
        return number;
    }
    std::string_view text() { return walk_.text(walk_.number(width_)); }
    Kind kind() {
        const std::uint64_t number = walk_.number(4);
        if (number > 12) fail("a value of unknown kind " + shown(static_cast<double>(number)));
        return number > 12 ? Kind::u8 : static_cast<Kind>(number);
    }

    void read_key() {
        const std::string_view name = text();
        if (name.size() > longest_text) return fail("a key of " + shown(static_cast<double>(name.size())) + " bytes");
        if (!walk_.ended() && !keys_.insert(name)) return fail("the key " + std::string(name) + " stands twice");
        const Kind of = kind();
        if (stopped()) return;
        if (of == Kind::list) return read_list(std::string(name));
        FactValue value;
        if (of == Kind::text) {
            const std::string_view found = text();
            if (found.size() > longest_text) return;
            value = std::string(found);
        } else if (of == Kind::boolean) {
            value = walk_.number(1) != 0;
        } else {
            const double number = number_of(of, walk_.number(size_of(of)));
            if (!std::isfinite(number)) return;  // says nothing
            value = number;
        }
        if (!walk_.ended()) gguf_.metadata.values[std::string(name)] = std::move(value);
    }
    void read_list(const std::string& name) {
        const Kind of = kind();
        const double length =
            count("values in a list", of == Kind::text ? 8 : std::max(1.0, static_cast<double>(size_of(of))));
        if (stopped()) return;
        if (of == Kind::list) return fail("a list of lists");
        gguf_.metadata.values[name + ".length"] = length;
        if (of == Kind::text) return walk_.skip_texts(static_cast<std::uint64_t>(length), width_);
        if (length > longest_list) return walk_.skip(static_cast<std::uint64_t>(length) * size_of(of));
        std::vector<double> values;
        bool finite = true;
        for (double i = 0; i < length && !walk_.ended(); ++i) {
            values.push_back(number_of(of, walk_.number(size_of(of))));
            finite = finite && std::isfinite(values.back());
        }
        if (!walk_.ended() && finite) gguf_.metadata.values[name] = std::move(values);
    }
    double alignment_of() {
        const double* stated = gguf_.metadata.get<double>("general.alignment");
        if (!stated) return 32;
        if (!(*stated >= 1 && *stated <= 1048576)) fail("an alignment of " + shown(*stated));
        return *stated;
    }

    void read_tensor(double alignment) {
        Listed tensor{text(), nullptr, 1, 0, 0, 1, 0};
        const std::string name(tensor.name.substr(0, longest_text));
        if (tensor.name.size() > longest_text) return fail("a tensor's name of more than 256 bytes");
        if (!walk_.ended() && !names_.insert(tensor.name)) return fail("the tensor " + name + " stands twice");
        tensor.rank = static_cast<size_t>(walk_.number(4));
        if (tensor.rank > 4) return fail("the tensor " + name + " has more than 4 dimensions");
        for (size_t i = 0; i < tensor.rank; ++i) {
            const auto side = static_cast<double>(walk_.number(width_));
            if (i == 0) tensor.row = side;
            tensor.elements *= side;
        }
        const auto type = static_cast<double>(walk_.number(4));
        tensor.offset = static_cast<double>(walk_.number(8));
        if (walk_.ended()) return;
        tensor.type = ggml_type(type);
        if (!tensor.type) return fail("the tensor " + name + " is of unknown type " + shown(type));
        const double blocks = tensor.row / tensor.type->elements;
        if (blocks != std::floor(blocks))
            return fail("the tensor " + name + " has rows of " + shown(tensor.row) + ", no multiple of the blocks of " +
                        std::string(tensor.type->name));
        if (!(tensor.elements <= most_bytes) || !(tensor.offset <= most_bytes))
            return fail("the tensor " + name + " is larger than any file");
        if (tensor.offset / alignment != std::floor(tensor.offset / alignment))
            return fail("the tensor " + name + " begins at " + shown(tensor.offset) + ", not aligned to " +
                        shown(alignment));
        tensor.bytes = tensor.elements / tensor.type->elements * tensor.type->bytes;
        tensors_.push_back(tensor);
    }
    void check_extents(double alignment) {
        const double begin = std::ceil(static_cast<double>(walk_.offset()) / alignment) * alignment;
        std::vector<Extent> extents;
        for (size_t i = 0; i < tensors_.size(); ++i)
            extents.push_back({tensors_[i].offset, tensors_[i].offset + tensors_[i].bytes, i});
        const auto before = [](const Extent& a, const Extent& b) { return a.begin < b.begin; };
        if (!std::is_sorted(extents.begin(), extents.end(), before)) {
            std::make_heap(extents.begin(), extents.end(), before);  // std::sort is several times the code
            std::sort_heap(extents.begin(), extents.end(), before);
        }
        double at = 0;
        for (const Extent& extent : extents) {
            const std::string name(tensors_[extent.tensor].name);
            if (extent.begin < at) return fail("the tensor " + name + " overlaps the one before it");
            if (begin + extent.end > file_.size)
                return fail("the tensor " + name + " ends at byte " + shown(begin + extent.end) + " of " +
                            shown(file_.size));
            at = extent.end;
        }
    }

    const FileHead& file_;
    ByteWalk walk_;
    Checkpoint& checkpoint_;
    Gguf gguf_;
    size_t width_ = 8;  ///< bytes of a count or length
    NameSet keys_, names_;
    std::vector<Listed> tensors_;
    std::optional<Error> error_;
};

}  // namespace

void TensorRole::add(const TensorRole& more) {
    if (count == 0 || more.first < first) first = more.first, rows = more.rows;
    if (count == 0 || more.last > last) last = more.last;
    count += more.count;
}

void Gguf::add_role(const std::string& name, const TensorRole& role) {
    if (roles.size() < most_roles || roles.find(name) != roles.end()) roles[name].add(role);
}

void Gguf::add_roles(const Gguf& part) {
    for (const auto& [name, role] : part.roles) add_role(name, role);
}

Result<GgufRead> read_gguf(const FileHead& file, Checkpoint& checkpoint) { return Header(file, checkpoint).read(); }

}  // namespace plimsoll
