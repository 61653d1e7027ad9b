// Any bytes as a request, and requests changed field by field: the engine must answer in JSON, be it with an error, and never throw, crash or hang.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "presets.h"
#include "with_grammar.h"

PLIMSOLL_FUZZ_BY(plimsoll::fuzz::request_grammar)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const plimsoll::Engine engine = plimsoll::fuzz::with_presets(
        {"devices", "encodings", "optimizers", "runtimes", "trainers", "bands", "speeds", "models"});
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    for (const std::string& reply : {engine.estimate(text), engine.sweep(text), engine.inspect(text)}) {
        if (!nlohmann::json::accept(reply)) std::abort();
    }
    return 0;
}
