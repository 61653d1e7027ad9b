// llama.cpp's architectures and the model types of transformers that describe them: GGUF(architecture, model type, rule) of
// every family's table (model/architectures/*/llama_cpp.inc), the rule being a function of gguf_draft.h. Source: llama.cpp,
// src/llama-arch.cpp (names), conversion/*.py (which models take which).
#include "formats/gguf/gguf_draft.h"

namespace plimsoll {
namespace {

// clang-format off
constexpr GgufArchitecture architectures[] = {
#define GGUF(architecture, model_type, rule) {architecture, model_type, finish_##rule},
#define CLASS(beginning, ...)
#include "llama_cpp.inc"
#undef CLASS
#undef GGUF
};
// clang-format on

}  // namespace

const GgufArchitecture* gguf_architecture(std::string_view name) {
    for (const GgufArchitecture& candidate : architectures)
        if (candidate.name == name) return &candidate;
    return nullptr;
}

}  // namespace plimsoll
