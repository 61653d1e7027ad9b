// The door for the search over layouts, in the whole engine alone.
#include <emscripten/bind.h>

#include <string>

#include "bindings/held_engine.h"

namespace {

std::string plan(const std::string& text) { return plimsoll::held_engine().plan(text); }

}  // namespace

EMSCRIPTEN_BINDINGS(plimsoll_layouts) { emscripten::function("plan", &plan); }
