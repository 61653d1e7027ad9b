/// What a set of files says of one model: its config, its tensors, an adapter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/gguf/gguf.h"
#include "formats/huggingface/adapter_config.h"
#include "formats/safetensors/safetensors.h"
#include "model/read/architecture.h"

namespace plimsoll {

enum class FileKind : unsigned char { config, safetensors, index, adapter, gguf };
std::string_view file_kind_name(FileKind kind);

/// A file of which more must be read.
struct NeededBytes {
    size_t file;
    double bytes;
};

struct Inspection {
    struct SeenFile {
        std::string name;
        FileKind kind;
    };
    std::vector<SeenFile> files;
    std::vector<NeededBytes> needed;
    std::optional<Json> config;
    std::optional<Facts> facts;
    std::optional<Model> model;
    std::optional<Error> model_error;  ///< the config is of no model that is known; tensors may still tell enough
    std::optional<Checkpoint> checkpoint;
    std::optional<CheckpointIndex> index;
    std::optional<AdapterConfig> adapter;
    std::optional<Gguf> gguf;  ///< of the first file of a split one: the others have tensors alone
};

/// Recognises each file by its content and reads it. Errors name the file.
Result<Inspection> read_files(const std::vector<FileHead>& files);

/// Where a checkpoint and the model that its config describes do not agree.
struct Difference {
    std::string where;  ///< `layer 3`, `layers 0-31`, `outside the layers`, `vision`, …
    double config, file;
    std::string why;  ///< empty: not known
};
std::vector<Difference> differences(const Model& model, const Checkpoint& checkpoint);
/// Parameters of a head that the checkpoint stores though it is the embedding; else 0.
double head_stored_again(const Model& model, const Checkpoint& checkpoint);

/// The checkpoint as `model.tensors` of a request has it, and back.
Json tensors_to_json(const Checkpoint& checkpoint);
Result<Checkpoint> tensors_from_json(const Json& tensors, const std::string& where);

/// The bytes that a server of `model` loads of the checkpoint: no prediction layers, and a tied head once.
void store(const Checkpoint& checkpoint, Model& model);
/// Whether tensors of it have types that only GGUF files have.
bool is_gguf(const Checkpoint& checkpoint);
/// The id of the encoding that most of its bytes have; empty: none of the plain ones.
std::string usual_encoding(const Checkpoint& checkpoint);

Json inspection_reply(const Inspection& inspection);

}  // namespace plimsoll
