// Any bytes as a safetensors file: as they are, and as the header of one, whose length a fuzzer would be long in
// finding.
#include "inspecting.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    plimsoll::fuzz::inspect({{"model.safetensors", bytes, 64}});
    std::string whole;
    for (std::size_t shift = 0, length = size; shift < 8; ++shift, length >>= 8U)
        whole += static_cast<char>(length & 255U);
    whole += bytes;
    plimsoll::fuzz::inspect(
        {{"config.json", R"({"model_type": "llama", "num_hidden_layers": 2})"}, {"model.safetensors", whole, 64}});
    return 0;
}
