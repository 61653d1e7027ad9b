// The door between the estimates and JavaScript, in both engines; files.cpp is the one for files. Values cross as text,
// never as handles: nothing to delete().
#include <emscripten/bind.h>

#include <string>

#include "bindings/held_engine.h"

namespace {

using plimsoll::held_engine;

std::string version() { return std::string(plimsoll::version()); }
std::string provide(const std::string& text) { return held_engine().provide(text); }
std::string estimate(const std::string& text) { return held_engine().estimate(text); }
std::string sweep(const std::string& text) { return held_engine().sweep(text); }

std::string solve(const std::string& text) { return held_engine().solve(text); }

}  // namespace

EMSCRIPTEN_BINDINGS(plimsoll) {
    emscripten::function("version", &version);
    emscripten::function("provide", &provide);
    emscripten::function("estimate", &estimate);
    emscripten::function("sweep", &sweep);
    emscripten::function("solve", &solve);
}
