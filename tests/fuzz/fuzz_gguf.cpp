// Any bytes as a GGUF file: as they are, and behind the magic and a version.
#include "inspecting.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    plimsoll::fuzz::inspect({{"model.gguf", bytes, 4096}});
    std::string whole("GGUF\3\0\0\0", 8);
    whole += bytes;
    plimsoll::fuzz::inspect({{"model.gguf", whole, 4096}});
    return 0;
}
