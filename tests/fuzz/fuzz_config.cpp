// Any bytes as config.json.
#include "inspecting.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plimsoll::fuzz::inspect({{"config.json", {reinterpret_cast<const char*>(data), size}}});
    return 0;
}
