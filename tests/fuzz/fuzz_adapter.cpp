// Any bytes as adapter_config.json, beside the config of its base model.
#include "inspecting.h"
#include "with_grammar.h"

namespace {

plimsoll::fuzz::Grammar& grammar() {
    static plimsoll::fuzz::Grammar made = [] {
        plimsoll::fuzz::Grammar learning;
        learning.learn_folder(PLIMSOLL_SOURCE_DIR "/tests/fuzz/corpus/adapter");
        return learning;
    }();
    return made;
}

}  // namespace

PLIMSOLL_FUZZ_BY(grammar)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plimsoll::fuzz::inspect({{"adapter_config.json", {reinterpret_cast<const char*>(data), size}},
                             {"config.json", R"({"model_type": "llama", "num_hidden_layers": 2})"}});
    return 0;
}
