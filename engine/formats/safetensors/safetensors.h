/// safetensors: the header of a file, and the index of a checkpoint in many files. Only the header is read; the layout
/// is https://github.com/huggingface/safetensors#format.
#pragma once

#include <string>
#include <string_view>

#include "formats/safetensors/checkpoint.h"

namespace plimsoll {

/// The first bytes of a file, and how many it has in all.
struct FileHead {
    std::string name;
    std::string_view bytes;
    double size;
};

/// Adds the tensors of a header. Returns 0, or how many first bytes of the file it takes to go on. Errors (code
/// `bad_safetensors`) name the tensor: a type that is not known, a shape that its bytes contradict, bytes that overlap,
/// leave a gap or lie outside the file, a name given twice.
Result<double> read_safetensors(const FileHead& file, Checkpoint& checkpoint);

struct CheckpointIndex {
    double total_size = 0;        ///< bytes of all tensors; 0: not said
    double total_parameters = 0;  ///< 0: not said
    double files = 0;
};

/// Adds the names of `model.safetensors.index.json`, which tells neither types nor shapes.
Result<CheckpointIndex> read_index(std::string_view text, const std::string& name, Checkpoint& checkpoint);

}  // namespace plimsoll
