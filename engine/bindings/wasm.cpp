// The only door between the engine and JavaScript. Values cross as text, never as handles: nothing to delete().
#include <emscripten/bind.h>

#include <string>

#include "api.h"

namespace {

plimsoll::Engine& engine() {
    static plimsoll::Engine instance;
    return instance;
}

std::string version() { return std::string(plimsoll::version()); }
std::string provide(const std::string& text) { return engine().provide(text); }
std::string estimate(const std::string& text) { return engine().estimate(text); }
std::string sweep(const std::string& text) { return engine().sweep(text); }

// The first bytes of files: JavaScript sets them at the address that `reserve` returns, and asks `inspect`.
std::string& held() {
    static std::string bytes;
    return bytes;
}
size_t reserve(size_t size) {
    held().resize(size);
    return reinterpret_cast<size_t>(held().data());
}
std::string inspect(const std::string& text) {
    const std::string reply = engine().inspect(text, held());
    std::string().swap(held());
    return reply;
}

}  // namespace

EMSCRIPTEN_BINDINGS(plimsoll) {
    emscripten::function("version", &version);
    emscripten::function("provide", &provide);
    emscripten::function("estimate", &estimate);
    emscripten::function("sweep", &sweep);
    emscripten::function("reserve", &reserve);
    emscripten::function("inspect", &inspect);
}
