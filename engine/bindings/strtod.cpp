// nlohmann/json reads fractions with strtod, from a buffer that holds one number of JSON and nothing else. The C
// library's own would bring arithmetic on 128-bit floats into every page; JavaScript is at hand, and rounds as exactly.
#include <emscripten/emscripten.h>

#include <cstdlib>
#include <cstring>

// clang-format off
EM_JS(double, number_in_javascript, (const char* text), {
    const letters = [];
    while (HEAPU8[text]) letters.push(HEAPU8[text++]);
    return Number(String.fromCharCode(...letters));
});
// clang-format on

extern "C" double strtod(const char* text, char** end) {
    if (end) *end = const_cast<char*>(text) + std::strlen(text);
    return number_in_javascript(text);
}

// The C library has these in the same file as the other: without them here, the linker would take that file too. The
// engine calls neither, and computes on no type wider than double.
extern "C" float strtof(const char*, char**) { std::abort(); }
extern "C" decltype(std::strtold("", nullptr)) strtold(const char*, char**) { std::abort(); }
