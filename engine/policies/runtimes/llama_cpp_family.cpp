// The tables of all families, as the build has collected them (engine/cmake/architectures.cmake).
#include "policies/runtimes/llama_cpp_family.h"

#include <string_view>

namespace plimsoll {
namespace {

using WeightsNormed = LlamaCppFamily::WeightsNormed;
using Drafts = LlamaCppFamily::Drafts;

struct NamedFamily {
    std::string_view beginning;  ///< of the class
    LlamaCppFamily family;
};

// clang-format off
constexpr NamedFamily families[] = {
#define GGUF(architecture, model_type, rule)
#define CLASS(beginning, ...) {beginning, {__VA_ARGS__}},
#include "llama_cpp.inc"
#undef CLASS
#undef GGUF
};
// clang-format on

constexpr LlamaCppFamily usual;

}  // namespace

const LlamaCppFamily& llama_cpp_family(const Model& model) {
    const NamedFamily* best = nullptr;
    for (const NamedFamily& each : families) {
        const bool begins = std::string_view(model.architecture).substr(0, each.beginning.size()) == each.beginning;
        if (begins && (!best || each.beginning.size() > best->beginning.size())) best = &each;
    }
    return best ? best->family : usual;
}

}  // namespace plimsoll
