// The engine behind standard input and output: one request a line in, one reply a line out. What the WebAssembly
// build is compared with, byte for byte, and timed beside.
//
//   plimsoll-native PRESETS_DIR [estimate|sweep|solve|plan|inspect] [--repeat N]
//
// With --repeat each line is answered N times and the median time in milliseconds is printed in the reply's stead.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "api.h"

namespace {

namespace fs = std::filesystem;

struct Options {
    fs::path presets;
    std::string command = "estimate";
    int repeat = 0;
};

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Every preset of one kind as `{"kind": [file, file, ...]}`. A preset file is JSON already, so joining is enough.
std::string table(const fs::path& presets, const std::string& kind) {
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(presets / kind)) {
        if (entry.path().extension() == ".json") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::string text = "{\"" + kind + "\": [";
    for (std::size_t i = 0; i < paths.size(); ++i) text += (i == 0 ? "" : ",") + contents(paths[i]);
    return text + "]}";
}

/// Hands every preset over. An engine that refuses one is not fit to be compared with: false.
bool provideAll(plimsoll::Engine& engine, const fs::path& presets) {
    for (const char* kind :
         {"devices", "encodings", "optimizers", "runtimes", "trainers", "bands", "speeds", "models"}) {
        if (!fs::is_directory(presets / kind)) continue;
        const std::string reply = engine.provide(table(presets, kind));
        if (reply.find("\"error\"") == std::string::npos) continue;
        std::cerr << kind << ": " << reply << '\n';
        return false;
    }
    return true;
}

std::string answer(const plimsoll::Engine& engine, std::string_view command, const std::string& request) {
    if (command == "sweep") return engine.sweep(request);
    if (command == "solve") return engine.solve(request);
    if (command == "plan") return engine.plan(request);
    if (command == "inspect") return engine.inspect(request);
    return engine.estimate(request);
}

double medianMilliseconds(const plimsoll::Engine& engine, const Options& options, const std::string& request) {
    std::vector<double> times;
    for (int i = 0; i < options.repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::string reply = answer(engine, options.command, request);
        const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
        times.push_back(spent.count());
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

bool parse(int argc, char** argv, Options& options) {
    if (argc < 2) return false;
    options.presets = argv[1];
    for (int i = 2; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--repeat" && i + 1 < argc) {
            options.repeat = std::atoi(argv[++i]);
            if (options.repeat < 1) return false;
        } else if (word == "estimate" || word == "sweep" || word == "solve" || word == "plan" || word == "inspect") {
            options.command = word;
        } else {
            return false;
        }
    }
    return fs::is_directory(options.presets);
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    if (!parse(argc, argv, options)) {
        std::cerr << "usage: plimsoll-native PRESETS_DIR [estimate|sweep|solve|plan|inspect] [--repeat N]\n";
        return 2;
    }
    std::ios::sync_with_stdio(false);
    plimsoll::Engine engine;
    if (!provideAll(engine, options.presets)) return 1;
    for (std::string line; std::getline(std::cin, line);) {
        if (options.repeat > 0) {
            std::cout << medianMilliseconds(engine, options, line) << '\n';
        } else {
            std::cout << answer(engine, options.command, line) << '\n';
        }
    }
}
