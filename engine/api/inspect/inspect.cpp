// Files to an inspection: what each is, by its content, and what it says.
#include <algorithm>

#include "api/engine.h"
#include "api/inspect/inspection.h"
#include "api/reply/json_object.h"
#include "api/reply/reply.h"
#include "formats/gguf/gguf_facts.h"
#include "formats/huggingface/huggingface.h"

namespace plimsoll {
namespace {

constexpr double enough_to_tell = 9;  // bytes by which a file's kind is known
constexpr double longest_json = 128.0 * 1024 * 1024;

Error not_read(const std::string& name, std::string_view what, std::string_view hint) {
    return {"unknown_file", name, what, hint};
}

// JSON behind its length. A JSON file, too, may have a brace at that place: its first bytes are no length that a header
// has, so that only a name can say that they are meant as one.
bool is_safetensors(const FileHead& file) {
    if (file.bytes.size() < 9 || file.bytes[8] != '{') return false;
    constexpr std::string_view suffix = ".safetensors";
    const bool named = file.name.size() > suffix.size() &&
                       file.name.compare(file.name.size() - suffix.size(), suffix.size(), suffix) == 0;
    return named || file.bytes.substr(4, 4) == std::string_view("\0\0\0\0", 4);
}

// The kind, or the error that says why there is none.
Result<FileKind> kind_of(const FileHead& file) {
    const std::string_view bytes = file.bytes;
    if (is_safetensors(file)) return FileKind::safetensors;
    if (bytes.substr(0, 4) == "GGUF") return FileKind::gguf;
    if (bytes.substr(0, 2) == "PK" || bytes.substr(0, 1) == "\x80")
        return not_read(file.name, "a PyTorch file, which is a program and is not read",
                        "give config.json, or the checkpoint as safetensors");
    const size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");  // a byte order mark, too
    if (first == std::string_view::npos || bytes[first] != '{')
        return not_read(
            file.name, file.size == 0 ? "the file is empty" : "neither JSON nor safetensors nor GGUF",
            "config.json, *.safetensors, model.safetensors.index.json, *.gguf and adapter_config.json are read");
    // weight_map is one of two keys, and the other is short
    if (bytes.substr(0, 4096).find("\"weight_map\"") != std::string_view::npos) return FileKind::index;
    return bytes.find("\"peft_type\"") != std::string_view::npos ? FileKind::adapter : FileKind::config;
}

// Bits of values that a quantiser packed into integers, as its configuration calls them.
double packed_bits(const std::optional<Facts>& facts) {
    if (facts)
        for (const char* name : {"quantization_config.bits", "quantization_config.w_bit", "quantization.bits",
                                 "quantization_config.config_groups.group_0.weights.num_bits"})
            if (const double* bits = facts->get<double>(name); bits && *bits >= 1 && *bits <= 32) return *bits;
    return 4;
}

std::optional<Error> read_config_file(const FileHead& file, Inspection& into) {
    Result<Json> json = parse_json(file.bytes, file.name);
    if (!json) return json.error();
    if (into.config) return Error{"two_models", file.name, "a second config.json", "drop the files of one model"};
    Result<Facts> facts = read_config(*json, file.name, file.name);
    if (!facts) return facts.error();
    Result<Model> model = read_model(*facts);
    if (model)
        into.model = std::move(*model);
    else
        into.model_error = model.error();
    into.facts = std::move(*facts);
    into.config = std::move(*json);
    return std::nullopt;
}

std::optional<Error> read_adapter_file(const FileHead& file, Inspection& into) {
    const Result<Json> json = parse_json(file.bytes, file.name);
    if (!json) return json.error();
    Result<AdapterConfig> adapter = read_adapter_config(*json, file.name);
    if (!adapter) return adapter.error();
    into.adapter = std::move(*adapter);
    return std::nullopt;
}

// The first file of a split one has the metadata, in whatever order they come; projectors and adapters lie beside it.
bool describes_model(const Gguf& header) {
    return !header.architecture().empty() && header.architecture() != "clip" &&
           header.text("general.type") != "adapter";
}

std::optional<Error> read_gguf_files(const std::vector<FileHead>& files, Checkpoint& shards, Inspection& into) {
    std::vector<Gguf> parts;
    for (size_t i = 0; i < files.size(); ++i) {
        if (into.files[i].kind != FileKind::gguf) continue;
        Result<GgufRead> read = read_gguf(files[i], shards);
        if (!read) return read.error();
        if (read->need > 0) into.needed.push_back({i, read->need});
        parts.push_back(std::move(read->header));
    }
    for (Gguf& part : parts)
        if (!into.gguf || (describes_model(part) && !describes_model(*into.gguf))) into.gguf = part;
    for (const Gguf& part : parts)
        if (part.architecture().empty()) into.gguf->add_roles(part);
    return std::nullopt;
}

// Where no config.json lies beside it, the metadata says what the model is, under the same names.
void describe_by_gguf(Inspection& into) {
    Result<Facts> facts = facts_of(*into.gguf);
    if (!facts) {
        into.model_error = facts.error();
        return;
    }
    Result<Model> model = read_model(*facts);
    if (model)
        into.model = std::move(*model);
    else
        into.model_error = model.error();
    into.config = facts_to_json(*facts);
    into.facts = std::move(*facts);
}

// Shards tell more than their index: where both are given, the index is not counted again.
std::optional<Error> read_tensor_files(const std::vector<FileHead>& files, Inspection& into) {
    Checkpoint shards(packed_bits(into.facts)), index;
    bool sharded = false;
    for (size_t i = 0; i < files.size(); ++i) {
        if (into.files[i].kind == FileKind::safetensors) {
            const Result<double> need = read_safetensors(files[i], shards);
            if (!need) return need.error();
            if (*need > 0) into.needed.push_back({i, *need});
            sharded = true;
        } else if (into.files[i].kind == FileKind::index) {
            const Result<CheckpointIndex> read = read_index(files[i].bytes, files[i].name, index);
            if (!read) return read.error();
            into.index = *read;
        }
    }
    if (auto error = read_gguf_files(files, shards, into)) return error;
    if (into.gguf && into.needed.empty() && !into.config) describe_by_gguf(into);
    if (sharded || into.gguf)
        into.checkpoint = std::move(shards);
    else if (into.index)
        into.checkpoint = std::move(index);
    return std::nullopt;
}

FileHead head_of(const Json& file, std::string_view bytes) {
    FileHead head{{}, {}, 0};
    if (const std::string* name = text_member(file, "name")) head.name = *name;
    if (const std::string* text = text_member(file, "text"))
        return {head.name, *text, static_cast<double>(text->size())};
    const double *at = number_member(file, "at"), *length = number_member(file, "length");
    const double held = static_cast<double>(bytes.size());
    if (!at || !length || !(*at >= 0 && *length >= 0 && *at + *length <= held)) return head;
    head.bytes = bytes.substr(static_cast<size_t>(*at), static_cast<size_t>(*length));
    const double* size = number_member(file, "size");
    head.size = size ? std::max(*size, *length) : *length;
    return head;
}

}  // namespace

std::string_view file_kind_name(FileKind kind) {
    constexpr std::string_view names[] = {"config", "safetensors", "index", "adapter", "gguf"};
    return names[static_cast<size_t>(kind)];
}

Result<Inspection> read_files(const std::vector<FileHead>& files) {
    Inspection inspection;
    for (size_t i = 0; i < files.size(); ++i) {
        const FileHead& file = files[i];
        const double held = static_cast<double>(file.bytes.size());
        if (held < enough_to_tell && held < file.size) {
            inspection.needed.push_back({i, std::min(file.size, enough_to_tell)});
            continue;
        }
        const Result<FileKind> kind = kind_of(file);
        if (!kind) return kind.error();
        inspection.files.push_back({file.name, *kind});
        if (*kind == FileKind::safetensors || *kind == FileKind::gguf || held >= file.size) continue;
        if (file.size > longest_json)
            return Error{"too_large", file.name, "more than 128 MiB of JSON", "an index of that size is none"};
        inspection.needed.push_back({i, file.size});
    }
    if (!inspection.needed.empty()) return inspection;
    for (size_t i = 0; i < files.size(); ++i) {
        std::optional<Error> error;
        if (inspection.files[i].kind == FileKind::config) error = read_config_file(files[i], inspection);
        if (inspection.files[i].kind == FileKind::adapter) error = read_adapter_file(files[i], inspection);
        if (error) return *error;
    }
    if (const auto error = read_tensor_files(files, inspection)) return *error;
    const bool alone = !inspection.checkpoint && !inspection.adapter;
    if (inspection.model_error && alone) return *inspection.model_error;
    return inspection;
}

Json inspect(const Json& request, std::string_view bytes) {
    const Json* list = member(request, "files");
    if (!list || !list->is_array() || list->empty())
        return error_reply(
            {"missing_field", "files", "no files", R"({"files": [{"name": "config.json", "text": "…"}]})"});
    std::vector<FileHead> files;
    for (const Json& file : *list) files.push_back(head_of(file, bytes));
    for (size_t i = 0; i < files.size(); ++i)
        if (files[i].name.empty())
            return error_reply({"wrong_type", "files[" + std::to_string(i) + "]", "a file needs a name, and its text",
                                R"({"name": "config.json", "text": "…"})"});
    const Result<Inspection> inspection = read_files(files);
    if (!inspection) return error_reply(inspection.error());
    if (inspection->needed.empty()) return inspection_reply(*inspection);
    Json needed = Json::array();
    for (const NeededBytes& need : inspection->needed) {
        JsonObject json;
        json.whole("file", static_cast<double>(need.file)).whole("bytes", need.bytes).append_to(needed);
    }
    JsonObject reply;
    return reply.whole("schema", 1).put("need", std::move(needed)).take();
}

}  // namespace plimsoll
