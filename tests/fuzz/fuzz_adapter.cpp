// Any bytes as adapter_config.json, beside the config of its base model.
#include "inspecting.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plimsoll::fuzz::inspect({{"adapter_config.json", {reinterpret_cast<const char*>(data), size}},
                             {"config.json", R"({"model_type": "llama", "num_hidden_layers": 2})"}});
    return 0;
}
