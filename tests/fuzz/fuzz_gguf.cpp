// Any bytes as a GGUF file: as they are; behind the magic and a version, as the beginning of a file with room for any
// model's tensors; and as a further part of a split one. Headers are changed key by key (gguf_grammar.h).
#include "gguf_grammar.h"
#include "inspecting.h"

namespace {

constexpr double room = 1e13;

// general.architecture is llama, and neither lists nor tensors follow.
const std::string& first_part() {
    static const std::string bytes(
        "GGUF\3\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\24\0\0\0\0\0\0\0general.architecture"
        "\10\0\0\0\5\0\0\0\0\0\0\0llama",
        24 + 8 + 20 + 4 + 8 + 5);
    return bytes;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    return plimsoll::fuzz::mutate_gguf(data, size, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    plimsoll::fuzz::inspect({{"model.gguf", bytes, room}});
    std::string whole("GGUF\3\0\0\0", 8);
    whole += bytes;
    plimsoll::fuzz::inspect({{"model.gguf", whole, 4096}});
    plimsoll::fuzz::inspect(
        {{"model-00002-of-00002.gguf", bytes, room}, {"model-00001-of-00002.gguf", first_part(), 64}});
    return 0;
}
