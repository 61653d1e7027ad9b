// Memory that runs out at any moment is an error reply, and the next request is answered as if nothing had been. Every
// allocation of the program comes through here; one of them is refused. (Without exceptions, as in WebAssembly, such a
// refusal traps, and the engine is made anew: tests/defects.)
#ifndef JSON_NOEXCEPTION
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>

#include "engine/support.h"

namespace plimsoll::test::allocation {

namespace {

long until_refused = 0;  // allocations before the one that is refused; 0: none is
long counted = 0;

void* allocated(std::size_t size) {
    ++counted;
    if (until_refused > 0 && --until_refused == 0) throw std::bad_alloc();
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}

void* allocated_or_null(std::size_t size) noexcept {
    try {
        return allocated(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace
}  // namespace plimsoll::test::allocation

using plimsoll::test::allocation::allocated, plimsoll::test::allocation::allocated_or_null;

// All that `free` below may be given: an address sanitizer's own operators are not mixed with these.
// NOLINTBEGIN(misc-new-delete-overloads)
void* operator new(std::size_t size) { return allocated(size); }
void* operator new[](std::size_t size) { return allocated(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocated_or_null(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocated_or_null(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-new-delete-overloads)

namespace plimsoll::test::allocation {
namespace {

constexpr int well = 0, wrong = 1, stopped = 2;
constexpr long tries = 300 / one_of;

/// What comes of a request whose n-th allocation is refused, and of the next; in a process of its own.
template <class Ask>
int outcome(Ask ask, const std::string& expected, long n) {
    const pid_t child = fork();
    if (child == 0) {
        std::set_terminate([] { _exit(stopped); });
        until_refused = n;
        const std::string reply = ask();
        const bool refused = until_refused == 0;
        until_refused = 0;
        const Json read = Json::parse(reply, nullptr, false);
        const bool told = read.is_object() && read.contains("error") && read.at("error").at("code") == "internal";
        _exit(refused && told && ask() == expected ? well : wrong);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : wrong;
}

/// Asks once for each of `tries` allocations of the request, spread over all of them, with that one refused.
template <class Ask>
void check_refusals(Ask ask) {
    const std::string expected = ask();
    counted = 0;
    REQUIRE(ask() == expected);
    const long all = counted;
    long ended = 0;
    for (long i = 0; i < tries && i < all; ++i) {
        const long n = all <= tries ? i + 1 : 1 + i * all / tries;
        const int found = outcome(ask, expected, n);
        INFO("allocation " << n << " of " << all);
        REQUIRE(found != wrong);
        ended += found == stopped;
    }
    // nlohmann's destructor makes a list of what it destroys; where that is refused, no program can go on.
    INFO(ended << " of " << tries << " ended the program");
    CHECK(ended * 4 < tries);
}

}  // namespace

TEST_CASE("an allocation that is refused is an error reply, and the next request is answered") {
    const Json inference = {{"model", {{"config", small_llama()}}}, {"explain", "all"}};
    const Json training = {
        {"task", "training"}, {"model", {{"config", small_llama()}}}, {"training", {{"sequence", 128}}}};
    const Json flat = {{"request", inference}, {"over", {{{"field", "inference.context"}, {"values", {512, 1024}}}}}};
    const Json files = {{"files", {{{"name", "config.json"}, {"text", small_llama().dump()}}}}};
    for (const Json& request : {inference, training}) {
        const std::string text = request.dump();
        check_refusals([&] { return engine().estimate(text); });
    }
    const std::string over = flat.dump(), inspected = files.dump();
    check_refusals([&] { return engine().sweep(over); });
    check_refusals([&] { return engine().inspect(inspected); });
}

TEST_CASE("presets that no memory can hold are refused, and are taken when there is memory again") {
    plimsoll::Engine own;
    const std::string devices = R"({"devices": [)" + read("presets/devices/rtx-4090.json") + "]}";
    check_refusals([&] { return own.provide(devices); });
}

}  // namespace plimsoll::test::allocation
#endif
