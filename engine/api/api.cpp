#include "api.h"

#include "api/engine.h"
#include "api/reply/json_object.h"
#include "api/reply/reply.h"

namespace plimsoll {
namespace {

std::string text_of(const Json& reply) { return json_text(reply); }

template <class Work>
std::string replied(std::string_view text, std::string_view where, Work work) {
    Result<Json> json = parse_json(text, where);
    return text_of(json ? work(*json) : error_reply(json.error()));
}

// Nothing may throw across the boundary; what still does is a defect of ours, and says so. WebAssembly is compiled
// without exceptions, and bindings/guard.js does the same there.
template <class Work>
std::string guarded(std::string_view text, std::string_view where, Work work) {
#ifdef __cpp_exceptions
    try {
        return replied(text, where, work);
    } catch (const std::exception& exception) {
        return text_of(error_reply(
            {"internal", std::string(where), exception.what(), "please report this with the input that caused it"}));
    }
#else
    return replied(text, where, work);
#endif
}

}  // namespace

Engine::Engine() : library_(std::make_unique<Library>()) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

std::string Engine::provide(std::string_view presets) {
    return guarded(presets, "presets", [this](const Json& json) -> Json {
        const Result<int> count = library_->provide(json);
        if (!count) return error_reply(count.error());
        JsonObject reply;
        return reply.whole("schema", 1).whole("provided", *count).take();
    });
}

std::string Engine::estimate(std::string_view request) const {
    return guarded(request, "",
                   [this](const Json& json) { return answer(json, *library_, read_model_choice(json, *library_)); });
}

std::string Engine::sweep(std::string_view request) const {
    return guarded(request, "", [this](const Json& json) { return plimsoll::sweep(json, *library_); });
}

std::string Engine::solve(std::string_view question) const {
    return guarded(question, "", [this](const Json& json) { return plimsoll::solve(json, *library_); });
}

std::string Engine::plan(std::string_view question) const {
    return guarded(question, "", [this](const Json& json) { return plimsoll::plan(json, *library_); });
}

std::string Engine::inspect(std::string_view files, std::string_view bytes) const {
    return guarded(files, "", [bytes](const Json& json) { return plimsoll::inspect(json, bytes); });
}

std::string_view version() { return "0.1.0"; }

}  // namespace plimsoll
