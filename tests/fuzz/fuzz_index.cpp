// Any bytes as model.safetensors.index.json, alone and beside a config.
#include "inspecting.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    plimsoll::fuzz::inspect({{"model.safetensors.index.json", bytes}});
    plimsoll::fuzz::inspect({{"config.json", R"({"model_type": "llama", "num_hidden_layers": 2})"},
                             {"model.safetensors.index.json", bytes}});
    return 0;
}
