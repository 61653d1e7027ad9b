// Any bytes as what a tool printed: an answer in JSON comes back, each figure's line lies in the text, and no figure is below
// zero or beyond any memory.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "api.h"
#include "formats/logs/log.h"
#include "inspecting.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    plimsoll::fuzz::answered(plimsoll::Engine::reconcile(text));
    for (const plimsoll::logs::Figure& figure : plimsoll::logs::read_log(text).figures) {
        if (figure.counter.empty() || figure.line.data() < text.data()) std::abort();
        if (figure.line.data() + figure.line.size() > text.data() + text.size()) std::abort();
        if (figure.refused != plimsoll::logs::Refused::no) continue;
        if (!(figure.value >= 0) || !(figure.low <= figure.high) || figure.bytes >= 9007199254740992) std::abort();
    }
    return 0;
}
