// The door between the estimates and JavaScript, in both engines; files.cpp is the one for files. Values cross as text,
// never as handles: nothing to delete().
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

std::string solve(const std::string& text) { return engine().solve(text); }

}  // namespace

EMSCRIPTEN_BINDINGS(plimsoll) {
    emscripten::function("version", &version);
    emscripten::function("provide", &provide);
    emscripten::function("estimate", &estimate);
    emscripten::function("sweep", &sweep);
    emscripten::function("solve", &solve);
}
