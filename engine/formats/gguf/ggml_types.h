/// The types of tensors in GGUF files: blocks of values that share their scales.
#pragma once

#include <string_view>

namespace plimsoll {

struct GgmlType {
    unsigned id;  ///< as the file has it
    std::string_view name;
    double elements, bytes;  ///< of one block
};

/// Null where there is no type of this id.
const GgmlType* ggml_type(double id);
/// Null where there is no type of this name.
const GgmlType* ggml_type(std::string_view name);

}  // namespace plimsoll
