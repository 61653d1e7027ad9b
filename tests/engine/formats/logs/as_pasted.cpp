// Text as people paste it: nothing that surrounds a line, breaks it or colours it changes what it says.
#include "engine/formats/logs/logs.h"

namespace plimsoll::test::as_pasted {

namespace {

const std::string message =
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 3 has a total capacity of 31.36 GiB "
    "of "
    "which 471.69 MiB is free. Process 77 has 2.00 GiB memory in use. Including non-PyTorch memory, this process has "
    "28.90 GiB memory in use. Of the allocated memory 25.03 GiB is allocated by PyTorch, with 120.00 MiB allocated in "
    "private pools (e.g., CUDA Graphs), and 3.00 GiB is reserved by PyTorch but unallocated.";

void holds(const std::string& text) {
    INFO(text);
    const logs::Log log = logs::read_log(text);
    CHECK(log.tool == "torch-oom");
    CHECK(bytes(log, "requested") == 1.5 * gib);
    CHECK(bytes(log, "device_total") == 33672543601);
    CHECK(bytes(log, "device_free") == 494602813);
    CHECK(bytes(log, "other_process_used") == 2 * gib);
    CHECK(bytes(log, "process_used") == 31031138714);
    CHECK(bytes(log, "allocated") == 26875757855);
    CHECK(bytes(log, "private_pools") == 120 * mib);
    CHECK(bytes(log, "unallocated") == 3 * gib);
    CHECK(log.figures.size() == 8);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

/// The message broken before every nth space, each line begun with `mark`.
std::string wrapped(size_t columns, const std::string& mark) {
    std::string text = mark;
    size_t column = 0;
    for (const char letter : message) {
        if (letter == ' ' && ++column > columns / 6) {
            text += "\n" + mark;
            column = 0;
        } else {
            text += letter;
        }
    }
    return text;
}

}  // namespace

TEST_CASE("an out-of-memory message says the same however it is pasted") {
    holds(message);
    holds("[rank3]: " + message + "\n\nreal 0m6.3s\n");
    holds("I ran it twice and got\n\n" + message + "\n\nwhat now?");
    holds(replaced(message, ". ", ".\r\n"));
    holds(replaced(message, ". ", ".<br>"));
    holds("\x1b[31m" + replaced(message, "GiB", "\x1b[0;1mGiB\x1b[0m") + "\x1b[0m");
    holds("`" + message + "`");
    for (const char* mark : {"> ", "# ", "    ", ">>> ", "\t"})
        for (const size_t columns : {20u, 40u, 80u}) holds(wrapped(columns, mark));
}

TEST_CASE("a cut message is read as far as it goes") {
    for (size_t length = 0; length < message.size(); ++length) {
        const logs::Log cut = logs::read_log(message.substr(0, length));
        CHECK(cut.figures.size() <= 8);
    }
    const logs::Log half = logs::read_log(message.substr(0, message.find("Of the allocated")));
    CHECK(half.figures.size() == 5);
}

TEST_CASE("each line of the text stands beside its figure as it was pasted") {
    const std::string text = "> \x1b[36m INFO x [gpu_worker.py:1] Available KV cache memory: 15.37 GiB<BR>\x1b[0m";
    const std::string whole = "before\n" + text + "\nafter";
    const logs::Log log = logs::read_log(whole);
    CHECK(figure(log, "kv_cache_budget").line == text);
    // of a line without end the part around the figure, within the text
    const std::string endless =
        std::string(5000, 'x').append(" Available KV cache memory: 15.37 GiB ").append(5000, 'y');
    const logs::Log far = logs::read_log(endless);
    const std::string_view part = figure(far, "kv_cache_budget").line;
    CHECK(part.size() < 1000);
    CHECK(part.find("15.37 GiB") != part.npos);
}

TEST_CASE("several records on one line are read each") {
    const logs::Log log = logs::read_log(
        "INFO Model loading took 1.50 GiB and 3.1 seconds INFO Available KV cache memory: 2.25 GiB INFO GPU KV cache "
        "size: "
        "12,288 tokens");
    CHECK(bytes(log, "weights") == 1.5 * gib);
    CHECK(bytes(log, "kv_cache_budget") == 2.25 * gib);
    CHECK(figure(log, "kv_cache_tokens").value == 12288);
    CHECK(figure(log, "kv_cache_tokens").bytes < 0);
}

TEST_CASE("interleaved ranks are told apart, and their order does not matter") {
    const std::string one = "[2026-01-01 TP0] Memory pool end. avail mem=10.50 GB\n";
    const std::string two = "[2026-01-01 TP10] Memory pool end. avail mem=9.25 GB\n";
    for (const std::string& text : {one + two, two + one}) {
        const logs::Log log = logs::read_log(text);
        const std::vector<logs::Figure> free = figures(log, "device_free");
        REQUIRE(free.size() == 2);
        for (const logs::Figure& each : free) CHECK(each.bytes == (each.device == "TP0" ? 10.5 : 9.25) * gib);
        CHECK(free[0].device != free[1].device);
    }
}

TEST_CASE("the last digit printed is an interval") {
    const logs::Figure allocated = figure(logs::read_log("MPS allocated: 19.80 GiB, other"), "allocated");
    CHECK(allocated.low == Approx(19.795 * gib));
    CHECK(allocated.high == Approx(19.805 * gib));
    const logs::Figure whole =
        figure(logs::read_log("failed to allocate CUDA0 buffer of size 1275076608"), "requested");
    CHECK(whole.low == 1275076608);
    CHECK(whole.high == 1275076608);
    // memory_summary cuts
    const logs::Log summary =
        logs::read_log("| Allocated memory      |  14324 MiB |  14400 MiB |  14324 MiB |      0 B   |");
    CHECK(figure(summary, "allocated").low == 14324 * mib);
    CHECK(figure(summary, "allocated").high == 14325 * mib);
}

TEST_CASE("what is below zero, or wrapped around below it, is refused") {
    const logs::Figure negative =
        figure(logs::read_log("the rest of the memory reserved for KV Cache is -7.83GiB."), "kv_cache_budget");
    CHECK(negative.refused == logs::Refused::negative);
    CHECK(negative.bytes < 0);
    const logs::Figure wrapped_around =
        figure(logs::read_log("other allocations: 67108914.49 GiB, max allowed: 30.19 GiB)."), "non_torch");
    CHECK(wrapped_around.refused == logs::Refused::beyond_any_memory);
}

TEST_CASE("advice, times, downloads and progress are no figures") {
    const logs::Log log = logs::read_log(
        "INFO model_runner.py:505] CUDA graphs can take additional 1~3 GiB memory per GPU. If you are running out of "
        "memory, consider decreasing `gpu_memory_utilization`.\n"
        "INFO default_loader.py:308] Loading weights took 3.59 seconds\n"
        "model.safetensors: 100% 3.09G/3.09G [00:34<00:00, 88.7MB/s]\n"
        "Graph capturing finished in 11 secs.\n"
        "llm_load_print_meta: model size = 6.74 B\n"
        "My card has 24 GB and I think it needs 21.4 GiB of it.\n");
    CHECK(log.figures.empty());
}

TEST_CASE("any text is answered") {
    CHECK(logs::read_log("").figures.empty());
    CHECK(logs::read_log("").tool.empty());
    CHECK(logs::read_log(std::string(3, '\0')).figures.empty());
    CHECK(logs::read_log("MiB / MiB | [0] °C (M) MB | VRAM% GPU% [MiB]").figures.empty());
    CHECK(logs::read_log("Tried to allocate ").figures.empty());
    CHECK(logs::read_log("Tried to allocate 1").figures.empty());
}

}  // namespace plimsoll::test::as_pasted
