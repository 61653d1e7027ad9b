#include "formats/safetensors/safetensors.h"

#include <algorithm>
#include <cmath>

#include "formats/json/name_set.h"
#include "number/shown.h"

namespace plimsoll {
namespace {

constexpr double longest_header = 100e6;         // safetensors' own limit
constexpr double most_bytes = 4503599627370496;  // 2^52: sums of two stay exact
constexpr const char* hint = "download the file again, or convert the checkpoint anew";

// Where a tensor's bytes lie.
struct Extent {
    double begin, end;
    std::string name;
};

// {"name": {"dtype": "BF16", "shape": [4096, 4096], "data_offsets": [0, 33554432]}, …, "__metadata__": {…}}
class Header : public JsonEvents {
public:
    Header(Checkpoint& checkpoint, double room) : checkpoint_(checkpoint), room_(room) {}

    std::string path() const override { return name_; }
    std::vector<Extent>& extents() { return extents_; }

    bool opens(bool object) override {
        ++depth_;
        if (depth_ == 1 && object) return true;
        if (depth_ == 2 && object) return begin();
        if (depth_ == 3 && !object && !metadata_ && (field_ == "shape" || field_ == "data_offsets")) return true;
        return wrong("is not laid out as a safetensors header");
    }
    bool closes() override {
        const bool ends_tensor = depth_ == 2 && !metadata_;
        --depth_;
        return !ends_tensor || end();
    }
    bool key(std::string& name) override {
        if (depth_ == 1) {
            name_ = std::move(name);
            metadata_ = name_ == "__metadata__";
            return names_.insert(name_) || wrong("stands twice");
        }
        field_ = std::move(name);
        if (field_ == "shape") shape_ = 1, rank_ = 0;
        if (field_ == "data_offsets") offsets_ = 0;
        return true;
    }
    bool text(std::string& value) override {
        if (metadata_ && depth_ == 2) return true;
        if (depth_ != 2 || field_ != "dtype") return wrong("has text where a number is due");
        type_ = std::move(value);
        return true;
    }
    bool number(double value) override {
        if (depth_ != 3) return wrong("has a number where none is due");
        if (!(value >= 0 && value <= most_bytes) || value != std::floor(value))
            return wrong("has a size of " + shown(value));
        if (field_ == "shape") {
            shape_ *= value;
            if (++rank_ > 16) return wrong("has more than 16 dimensions");
            return true;
        }
        if (offsets_ == 2) return wrong("has more than two offsets");
        offset_[offsets_++] = value;
        return true;
    }
    bool word(std::optional<bool>) override { return wrong("has true, false or null where none is due"); }

    bool wrong(std::string_view what) {
        return fail({"bad_safetensors", name_, "the tensor " + std::string(what), hint});
    }

private:
    bool begin() {
        type_.clear();
        rank_ = 99;  // neither shape nor offsets yet
        offsets_ = 0;
        return true;
    }
    bool end() {
        const double bits = bits_of_type(type_), bytes = offset_[1] - offset_[0];
        if (type_.empty() || rank_ == 99 || offsets_ != 2) return wrong("lacks dtype, shape or data_offsets");
        if (bits == 0) return wrong("is of an unknown type, " + type_.substr(0, 40));
        if (bytes < 0 || offset_[1] > room_)
            return wrong("ends at byte " + shown(offset_[1]) + " of " + shown(room_) + " that the file has");
        if (!(shape_ <= most_bytes) || shape_ * bits != 8 * bytes)
            return wrong("has " + shown(bytes) + " bytes, and its shape " + shown(shape_) + " elements of " + type_);
        if (bytes > 0) extents_.push_back({offset_[0], offset_[1], name_});
        checkpoint_.add(StoredTensor{name_, type_, shape_, bytes, rank_});
        return true;
    }

    Checkpoint& checkpoint_;
    double room_;
    int depth_ = 0;
    bool metadata_ = false;
    std::string name_, field_, type_;
    double shape_ = 1, offset_[2] = {0, 0};
    size_t rank_ = 0, offsets_ = 0;
    NameSet names_;
    std::vector<Extent> extents_;
};

// Tensors fill the bytes after the header without a gap, each byte once.
std::optional<Error> check_extents(std::vector<Extent>& extents, double room) {
    const auto before = [](const Extent& a, const Extent& b) { return a.begin < b.begin; };
    if (!std::is_sorted(extents.begin(), extents.end(), before)) {
        std::make_heap(extents.begin(), extents.end(), before);  // std::sort is several times the code
        std::sort_heap(extents.begin(), extents.end(), before);
    }
    double at = 0;
    for (const Extent& extent : extents) {
        if (extent.begin != at)
            return Error{"bad_safetensors", extent.name,
                         "the tensor begins at byte " + shown(extent.begin) +
                             (extent.begin < at ? ", inside" : ", after a gap behind") + " the one that ends at " +
                             shown(at),
                         hint};
        at = extent.end;
    }
    if (at != room)
        return Error{"bad_safetensors", "", "the tensors end at byte " + shown(at) + " of " + shown(room), hint};
    return std::nullopt;
}

double header_length(std::string_view bytes) {
    double length = 0;
    for (size_t index = 8; index-- > 0;) length = 256 * length + static_cast<unsigned char>(bytes[index]);
    return length;
}

Error in_file(const std::string& file, Error error) {
    error.where = error.where.empty() ? file : file + ": " + error.where;
    return error;
}

// {"metadata": {"total_size": 16060522496}, "weight_map": {"name": "model-00001-of-00004.safetensors", …}}
class IndexEvents : public JsonEvents {
public:
    explicit IndexEvents(Checkpoint& checkpoint) : checkpoint_(checkpoint) {}
    const CheckpointIndex& index() const { return index_; }
    bool has_map() const { return has_map_; }

    std::string path() const override { return section_.empty() ? name_ : section_ + "." + name_; }
    bool opens(bool object) override {
        ++depth_;
        if (depth_ == 1 || section_ != "weight_map") return object || depth_ > 1 || wrong();
        has_map_ = depth_ == 2 && object;
        return has_map_ || wrong();
    }
    bool closes() override { return --depth_ >= 0; }
    bool key(std::string& name) override {
        if (depth_ == 1) {
            section_ = std::move(name);
            return true;
        }
        name_.swap(name);
        if (depth_ != 2 || section_ != "weight_map" || names_.insert(name_)) return true;
        return fail({"bad_index", path(), "the tensor stands twice", hint});
    }
    bool text(std::string& value) override {
        if (depth_ != 2 || section_ != "weight_map") return true;
        if (value != file_) {
            file_.swap(value);
            if (files_.insert(file_)) index_.files += 1;
        }
        checkpoint_.add(StoredTensor{name_, {}, 0, 0, 0});
        return true;
    }
    bool number(double value) override {
        if (section_ == "weight_map") return wrong();
        if (depth_ != 2 || section_ != "metadata") return true;
        if (name_ == "total_size") return size(value, index_.total_size);
        return name_ != "total_parameters" || size(value, index_.total_parameters);
    }
    bool word(std::optional<bool>) override { return section_ != "weight_map" || wrong(); }

private:
    bool wrong() { return fail({"bad_index", path(), "the file's name must stand here", hint}); }
    bool size(double value, double& into) {
        into = value;
        return (value >= 0 && value <= most_bytes) || fail({"out_of_range", path(), "a size of " + shown(value), hint});
    }

    Checkpoint& checkpoint_;
    CheckpointIndex index_;
    int depth_ = 0;
    bool has_map_ = false;
    std::string section_, name_, file_;
    NameSet names_, files_;
};

}  // namespace

Result<double> read_safetensors(const FileHead& file, Checkpoint& checkpoint) {
    if (file.size < 8 || file.bytes.size() < 8) {
        if (file.size >= 8) return 8.0;
        return Error{"bad_safetensors", file.name, "the file has " + shown(file.size) + " bytes", hint};
    }
    const double length = header_length(file.bytes);
    if (length > longest_header)
        return Error{"bad_safetensors", file.name,
                     "a header of " + shown(length) + " bytes, and at most " + shown(longest_header) + " are read",
                     hint};
    if (8 + length > file.size)
        return Error{"bad_safetensors", file.name,
                     "a header of " + shown(length) + " bytes in a file of " + shown(file.size), hint};
    if (static_cast<double>(file.bytes.size()) < 8 + length) return 8 + length;
    const double room = file.size - 8 - length;
    Header header(checkpoint, room);
    if (const auto error = read_json(file.bytes.substr(8, static_cast<size_t>(length)), header))
        return in_file(file.name, *error);
    if (const auto error = check_extents(header.extents(), room)) return in_file(file.name, *error);
    return 0.0;
}

Result<CheckpointIndex> read_index(std::string_view text, const std::string& name, Checkpoint& checkpoint) {
    IndexEvents events(checkpoint);
    if (const auto error = read_json(text, events)) return in_file(name, *error);
    if (!events.has_map())
        return Error{"bad_index", name, "there is no weight_map", "give model.safetensors.index.json"};
    return events.index();
}

}  // namespace plimsoll
