// Any bytes as model.safetensors.index.json, alone and beside a config.
#include "inspecting.h"
#include "with_grammar.h"

namespace {

plimsoll::fuzz::Grammar& grammar() {
    static plimsoll::fuzz::Grammar made = [] {
        plimsoll::fuzz::Grammar learning;
        learning.learn_folder(PLIMSOLL_SOURCE_DIR "/tests/fuzz/corpus/index");
        return learning;
    }();
    return made;
}

}  // namespace

PLIMSOLL_FUZZ_BY(grammar)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    plimsoll::fuzz::inspect({{"model.safetensors.index.json", bytes}});
    plimsoll::fuzz::inspect({{"config.json", R"({"model_type": "llama", "num_hidden_layers": 2})"},
                             {"model.safetensors.index.json", bytes}});
    return 0;
}
