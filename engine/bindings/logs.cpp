// The door of the module that reads logs: no engine is behind it, and none is waited for.
#include <emscripten/bind.h>

#include <string>

#include "api.h"

namespace {

std::string reconcile(const std::string& log) { return plimsoll::Engine::reconcile(log); }

}  // namespace

EMSCRIPTEN_BINDINGS(plimsoll_logs) { emscripten::function("reconcile", &reconcile); }
