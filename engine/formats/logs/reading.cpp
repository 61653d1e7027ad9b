#include "formats/logs/reading.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll::logs {
namespace {

constexpr double beyond_any_memory = 9007199254740992;  // 2^53 bytes: what wraps around below zero lies beyond
constexpr int of_a_figure = 2;

double unit_of(const Capture& capture, Units units) {
    const bool decimal =
        capture.steps == Steps::decimal || (capture.steps == Steps::as_the_tool_means && units == Units::decimal);
    double unit = 1;
    for (int power = 0; power < capture.power; ++power) unit *= decimal ? 1000 : 1024;
    return unit;
}

/// The digits that `text` begins with.
std::string_view digits_of(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) ++end;
    return text.substr(0, end);
}

/// What stands within brackets, where they hold all of it.
std::string_view without_brackets(std::string_view text) {
    return text.size() > 1 && text.front() == '[' && text.back() == ']' ? text.substr(1, text.size() - 2) : text;
}

/// `CUDA0` of `CUDA0 (NVIDIA GeForce RTX 4090)`, `GPU_0` of TensorFlow's allocator `GPU_0_bfc`, `GPU-1` of `[GPU-1]`.
std::string_view device_named(std::string_view text) {
    text = without_brackets(text.substr(0, text.find('(')));
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    constexpr std::string_view allocator = "_bfc";
    if (text.size() > allocator.size() && text.substr(text.size() - allocator.size()) == allocator)
        text.remove_suffix(allocator.size());
    return text;
}

/// How lines begin that one of several processes prints, and what its figures are called by: a number alone is a device's.
/// Ranks of tensors before those of replicas and experts, which number the same processes once more; stages at the end.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> ranks = {{{"[Rank ", "rank "},
                                                                                  {"[rank ", "rank "},
                                                                                  {"[rank", "rank "},
                                                                                  {"[RANK ", "rank "},
                                                                                  {"[RANK:", "rank "},
                                                                                  {"[gpu=", ""},
                                                                                  {"[gpu_id=", ""},
                                                                                  {" TP", "TP"},
                                                                                  {"_TP", "TP"},
                                                                                  {" DP", "DP"},
                                                                                  {" EP", "EP"},
                                                                                  {" PP", "PP"}}};

/// What stands second in them.
constexpr std::string_view second_letters = "RrgTDEP";

/// What the process is called by that a line's begin names, the last of each kind; of several stages, the stage and the
/// rank in it.
std::string rank_in(std::string_view begin) {
    std::array<std::string_view, ranks.size()> numbers;
    for (std::size_t at = 0; at + 1 < begin.size(); ++at) {
        if (begin[at] != '[' && begin[at] != ' ' && begin[at] != '_') continue;
        if (second_letters.find(begin[at + 1]) == std::string_view::npos) continue;
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const std::string_view word = ranks[i].first, rest = begin.substr(at);
            if (rest.size() <= word.size() || rest[1] != word[1] || rest.substr(0, word.size()) != word) continue;
            if (const std::string_view number = digits_of(rest.substr(word.size())); !number.empty())
                numbers[i] = number;
        }
    }
    const auto named = [&numbers](std::size_t i) {
        return numbers[i].empty() ? std::string() : std::string(ranks[i].second) + std::string(numbers[i]);
    };
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        std::string rank = named(i);
        if (rank.empty()) continue;
        const std::string stage = named(ranks.size() - 1);
        if (ranks[i].second == "TP" && !stage.empty()) rank.insert(0, stage).insert(stage.size(), " ");
        return rank;
    }
    return {};
}

/// A setting's value as it is meant: a path is its last name, `torch.bfloat16` is `bfloat16`, 32,768 has no comma, and what
/// Python calls None says nothing.
std::string plainly(std::string_view name, std::string_view value) {
    if (value == "None" || value == "null" || value == "N/A") return {};
    for (const std::string_view prefix : {"torch."})
        if (value.substr(0, prefix.size()) == prefix) value.remove_prefix(prefix.size());
    while (!value.empty() && (value.back() == '.' || value.back() == ',' || value.back() == ':'))
        value.remove_suffix(1);
    if (name == "model") value = without_brackets(value);
    const bool file = name == "model_file";
    const bool path = !value.empty() && (value.front() == '/' || value.front() == '.' || value.front() == '~' ||
                                         value.find('\\') != std::string_view::npos);
    if (file || (name == "model" && path)) value = value.substr(value.find_last_of("/\\") + 1);
    std::string said(value);
    const bool digits = said.find_first_not_of("0123456789,") == std::string::npos;
    if (digits) said.erase(std::remove(said.begin(), said.end(), ','), said.end());
    return said;
}

/// The quantization that a file is called by, such as `Q4_K_M` of `Qwen3-30B-A3B-Q4_K_M.gguf`.
std::string_view quantization_of(std::string_view name) {
    name = name.substr(0, name.rfind(".gguf"));
    if (const std::size_t part = name.rfind("-of-"); part != std::string_view::npos && part > 6)
        name = name.substr(0, part - 6);
    const std::size_t at = name.find_last_of("-.");
    if (at == std::string_view::npos || at + 2 >= name.size()) return {};
    std::string_view word = name.substr(at + 1);
    const bool quantized = (word[0] == 'Q' || word[0] == 'q') && is_digit(word[1]);
    const bool coded = (word[0] == 'I' || word[0] == 'i') && word.size() > 2 && is_digit(word[2]);
    const bool whole = word == "F16" || word == "f16" || word == "BF16" || word == "bf16" || word == "F32";
    if ((!quantized && !coded && !whole) || at == 0) return {};
    constexpr std::string_view dynamic = "UD-";
    const std::size_t before = at + 1 - dynamic.size();
    if (at + 1 >= dynamic.size() && name.substr(before, dynamic.size()) == dynamic) return name.substr(before);
    return word;
}

}  // namespace

void Reading::take(const Tool& tool, std::string_view says, const Match& match) {
    turn_to(tool);
    if (says.empty()) sign();
    std::string_view device;
    // The device may stand after a figure of its line: it is looked for first.
    for (const bool devices : {true, false}) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < match.count && at < says.size(); ++i) {
            const std::size_t end = std::min(says.find(' ', at), says.size());
            const std::string_view word = says.substr(at, end - at);
            at = end + 1;
            if (!devices) {
                take(word, match.captures[i], device, match.begin);
            } else if (word.front() == '@') {
                device = device_named(match.captures[i].text);
                if (word == "@@") device_ = std::string(device);
            }
        }
    }
}

void Reading::take(std::string_view words, const Capture& capture, std::string_view device, std::size_t place) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find('&'), words.size());
        const std::string_view word = words.substr(0, end);
        words.remove_prefix(std::min(end + 1, words.size()));
        if (word.front() == '@' || word == "-") continue;
        if (word == "!") {
            version(capture.text);
        } else if (word.front() == '=' || word.front() == '+') {
            setting(word.substr(1), capture.text, place, word.front() == '+');
        } else {
            figure(word, capture, device, place_of(capture.text));
        }
    }
}

void Reading::figure(std::string_view name, const Capture& capture, std::string_view device, std::size_t place) {
    if (place < taken_.size() && taken_[place]) return;
    if (place < taken_.size()) taken_[place] = true;
    Figure figure;
    for (; name.front() == '?' || name.front() == '~'; name.remove_prefix(1))
        (name.front() == '?' ? figure.estimate : figure.restated) = true;
    figure.counter = name;
    figure.value = capture.value;
    const double unit = capture.memory ? unit_of(capture, tool_->units) : 1;
    const bool exact = capture.half == 0.5 && (!capture.memory || capture.power == 0);
    const double half = exact ? 0 : capture.half * unit;
    const double least = tool_->rounds_down && capture.half == 0.5 ? 0 : half;
    figure.low = std::max(0.0, capture.value * unit - least);
    figure.high = capture.value * unit + (least < half ? 2 * half : half);
    if (capture.memory) figure.bytes = std::floor(capture.value * unit + 0.5);
    if (capture.value < 0) figure.refused = Refused::negative;
    if (!(capture.value * unit < beyond_any_memory)) figure.refused = Refused::beyond_any_memory;
    if (figure.refused != Refused::no) figure.bytes = -1;
    figure.device = !device.empty() ? std::string(device) : device_;
    if (figure.device.empty()) figure.device = rank_before(place);
    figure.line = pasted_.line_at(place);
    log_.figures.push_back(std::move(figure));
    weigh(of_a_figure);
}

void Reading::setting(std::string_view name, std::string_view value, std::size_t place, bool list) {
    const std::string said = plainly(name, value);
    if (said.empty()) return;
    weigh(1);
    const std::string_view otherwise = name.substr(std::min(name.find('/'), name.size() - 1) + 1);
    name = name.substr(0, name.find('/'));
    for (Setting& known : log_.settings) {
        if (known.name != name) continue;
        if (list) known.values.push_back(said);
        if (!list && !otherwise.empty() && known.values.front() != said) setting(otherwise, value, place);
        return;
    }
    log_.settings.push_back({name, {said}, pasted_.line_at(place), list});
}

void Reading::named_by_file() {
    const auto stated = [this](std::string_view name) {
        return std::find_if(log_.settings.begin(), log_.settings.end(),
                            [name](const Setting& setting) { return setting.name == name; });
    };
    const auto file = stated("model_file");
    if (file == log_.settings.end()) return;
    const std::string name = file->values.front();
    const std::string_view line = file->line, type = quantization_of(name);
    if (type.empty()) return;
    if (stated("ftype") == log_.settings.end()) log_.settings.push_back({"ftype", {std::string(type)}, line, false});
    if (stated("model") == log_.settings.end())
        log_.settings.push_back({"model", {name.substr(0, name.find(type) - 1)}, line, false});
}

void Reading::version(std::string_view text) {
    weigh(1);
    for (Weight& weight : weights_)
        if (weight.tool == tool_ && weight.version.empty()) weight.version = std::string(text);
}

void Reading::weigh(int points) {
    for (Weight& weight : weights_) {
        if (weight.tool != tool_) continue;
        weight.points += points;
        return;
    }
    weights_.push_back({tool_, points, {}});
}

std::string Reading::rank_before(std::size_t place) const {
    constexpr std::size_t longest = 200;  // what a line begins with before it says something
    constexpr std::size_t sentence = 2000;
    const std::size_t line = pasted_.line_begin(place);
    const std::size_t near = std::max(line, place < longest ? 0 : place - longest);
    std::string rank = rank_in(plain().substr(near, place - near));
    // A long sentence has it far before its last figures; one that is longer still is several records.
    if (rank.empty() && near > line && place - line < sentence) rank = rank_in(plain().substr(line, longest));
    return rank;
}

Log Reading::done() {
    named_by_file();
    const Weight* best = nullptr;
    for (const Weight& weight : weights_)
        if (!weight.tool->name.empty() && (!best || weight.points > best->points)) best = &weight;
    if (best) {
        log_.tool = best->tool->name;
        log_.version = best->version;
    }
    return std::move(log_);
}

}  // namespace plimsoll::logs
