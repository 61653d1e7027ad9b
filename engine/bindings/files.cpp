// The door for files, in the whole engine alone: nobody who only looks at an estimate waits for the readers.
#include <emscripten/bind.h>

#include <string>

#include "api.h"

namespace {

// The first bytes of files, one after the other: JavaScript sets them at the address that `reserve` returns.
std::string& held() {
    static std::string bytes;
    return bytes;
}

size_t reserve(size_t size) {
    held().resize(size);
    return reinterpret_cast<size_t>(held().data());
}

std::string inspect(const std::string& files) {
    std::string bytes;
    bytes.swap(held());
    return plimsoll::Engine().inspect(files, bytes);
}

}  // namespace

EMSCRIPTEN_BINDINGS(plimsoll_files) {
    emscripten::function("reserve", &reserve);
    emscripten::function("inspect", &inspect);
}
