#include "formats/logs/servers/command.h"

#include <array>
#include <utility>

#include "formats/logs/tables.h"

namespace plimsoll::logs {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 27> options = {{
    {"-m", "model_file"},
    {"--model", "model_file"},
    {"-hf", "model"},
    {"-c", "arg_ctx"},
    {"--ctx-size", "arg_ctx"},
    {"-b", "arg_batch"},
    {"--batch-size", "arg_batch"},
    {"-ub", "arg_ubatch"},
    {"--ubatch-size", "arg_ubatch"},
    {"-ngl", "n_gpu_layers"},
    {"--gpu-layers", "n_gpu_layers"},
    {"--n-gpu-layers", "n_gpu_layers"},
    {"-ctk", "arg_cache_type_k"},
    {"--cache-type-k", "arg_cache_type_k"},
    {"-ctv", "arg_cache_type_v"},
    {"--cache-type-v", "arg_cache_type_v"},
    {"-ot", "override_tensor"},
    {"--override-tensor", "override_tensor"},
    {"-np", "n_parallel"},
    {"--parallel", "n_parallel"},
    {"-ncmoe", "n_cpu_moe"},
    {"--n-cpu-moe", "n_cpu_moe"},
    {"-sm", "split_mode"},
    {"--split-mode", "split_mode"},
    {"-ts", "tensor_split"},
    {"-fa", "arg_flash_attn"},
    {"--flash-attn", "arg_flash_attn"},
}};

std::string_view unquoted(std::string_view word) {
    while (!word.empty() && (word.front() == '"' || word.front() == '\'')) word.remove_prefix(1);
    while (!word.empty() && (word.back() == '"' || word.back() == '\'')) word.remove_suffix(1);
    return word;
}

/// `llama-server`, `./main`, `C:\…\ollama.exe`.
bool is_program(std::string_view word) {
    word = unquoted(word);
    word = word.substr(word.find_last_of("/\\") + 1);
    if (const std::size_t end = word.find(".exe"); end != std::string_view::npos) word = word.substr(0, end);
    for (const std::string_view name : {"main", "server", "perplexity", "ollama", "ollama_llama_server"})
        if (word == name) return true;
    return word.substr(0, 6) == "llama-" && word.find(':') == std::string_view::npos;
}

void option(Reading& reading, const std::vector<std::string_view>& list, std::size_t i, std::size_t place) {
    const std::size_t equals = list[i].substr(0, 2) == "--" ? list[i].find('=') : std::string_view::npos;
    const std::string_view name = list[i].substr(0, equals);
    for (const auto& [known, setting] : options) {
        if (known != name) continue;
        const std::string_view next = i + 1 < list.size() ? unquoted(list[i + 1]) : std::string_view();
        const std::string_view value = equals == std::string_view::npos ? next : unquoted(list[i].substr(equals + 1));
        const bool alone = setting == "arg_flash_attn" && value != "on" && value != "off" && value != "auto";
        // One of many: the first that names a tensor decides.
        if (setting == "override_tensor") reading.setting("override_tensors", value, place, true);
        return reading.setting(setting, alone ? "true" : value, place);
    }
}

}  // namespace

void read_commands(Reading& reading) {
    const std::vector<Row> lines = rows(reading.plain());
    bool goes_on = false;
    for (const Row& line : lines) {
        const std::string_view text = without_spaces(line.text);
        if (!goes_on && text.find(" -") == std::string_view::npos && (text.empty() || text.back() != '\\')) continue;
        const std::vector<std::string_view> list = words(text);
        bool command = goes_on;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (command && list[i].front() == '-') option(reading, list, i, line.place);
            command = command || is_program(list[i]);
        }
        goes_on = command && !text.empty() && text.back() == '\\';
    }
}

}  // namespace plimsoll::logs
