// Any bytes as config.json, and those of the presets changed field by field.
#include "inspecting.h"
#include "with_grammar.h"

namespace {

plimsoll::fuzz::Grammar& grammar() {
    static plimsoll::fuzz::Grammar made = [] {
        plimsoll::fuzz::Grammar learning;
        learning.learn_folder(PLIMSOLL_SOURCE_DIR "/presets/models", "config");
        learning.learn_folder(PLIMSOLL_SOURCE_DIR "/tests/fuzz/corpus/config");
        return learning;
    }();
    return made;
}

}  // namespace

PLIMSOLL_FUZZ_BY(grammar)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plimsoll::fuzz::inspect({{"config.json", {reinterpret_cast<const char*>(data), size}}});
    return 0;
}
