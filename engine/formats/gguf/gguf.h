/// GGUF: metadata and tensor table of a file that llama.cpp runs. Versions 1 to 3, little and big endian; only the
/// header is read. Layout: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
#pragma once

#include <map>
#include <string>

#include "formats/safetensors/checkpoint.h"
#include "formats/safetensors/safetensors.h"
#include "model/read/facts.h"

namespace plimsoll {

/// The tensors that are called alike in each block: `blk.0.attn_q.bias`, `blk.1.attn_q.bias`, … have the role
/// `blk.attn_q.bias`.
struct TensorRole {
    double count = 0;            ///< tensors of this role
    double first = 0, last = 0;  ///< blocks that have one; 0 outside the blocks
    double rows = 0;             ///< of the first one: the product of its dimensions but the innermost

    void add(const TensorRole& more);
};

/// What the metadata says. Texts and lists that nobody asks for are passed over; of a long list its length is kept, as
/// the fact `NAME.length`: that of `tokenizer.ggml.tokens` is the vocabulary.
struct Gguf {
    double version = 3;
    bool big_endian = false;
    Facts metadata;  ///< under the file's own names: `llama.embedding_length`, `general.file_type`, …
    std::map<std::string, TensorRole, std::less<>> roles;  ///< a thousand at most

    void add_role(const std::string& name, const TensorRole& role);
    /// Of a further part of a split file, of which the first alone has metadata.
    void add_roles(const Gguf& part);
    std::string architecture() const { return text("general.architecture"); }
    std::string text(std::string_view name) const {
        const std::string* found = metadata.get<std::string>(name);
        return found ? *found : std::string();
    }
};

struct GgufRead {
    double need = 0;  ///< first bytes of the file that it takes to go on; 0: done
    Gguf header;
};

/// Adds the tensors of a file's header. Errors (code `bad_gguf`) name file and offset: a version or type that is not
/// known, counts that the file has no room for, a row that is no multiple of its block, bytes that overlap or lie
/// outside the file, a name given twice.
Result<GgufRead> read_gguf(const FileHead& file, Checkpoint& checkpoint);

}  // namespace plimsoll
