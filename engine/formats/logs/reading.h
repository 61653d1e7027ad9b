/// The reading of one text, which the tools' readers add to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/logs/log.h"
#include "formats/logs/pasted.h"
#include "formats/logs/pattern.h"
#include "formats/logs/tool.h"

namespace plimsoll::logs {

class Reading {
public:
    explicit Reading(std::string_view text) : pasted_(text), taken_(pasted_.plain().size()) {}

    const Pasted& pasted() const { return pasted_; }
    std::string_view plain() const { return pasted_.plain(); }
    /// Where a part of the plain text begins in it.
    std::size_t place_of(std::string_view part) const { return static_cast<std::size_t>(part.data() - plain().data()); }

    /// The tool whose reader is at work; figures and settings count for it.
    void turn_to(const Tool& tool) { tool_ = &tool; }

    /// What a line says, where its pattern held.
    void take(const Tool& tool, std::string_view says, const Match& match);

    /// One figure; `name` is a counter, with its `?` or `~`.
    void figure(std::string_view name, const Capture& capture, std::string_view device, std::size_t place);
    void setting(std::string_view name, std::string_view value, std::size_t place, bool list = false);
    void version(std::string_view text);
    /// A sign of the tool, which weighs as much as half a figure.
    void sign() { weigh(1); }

    /// What was read; the tool is the one that most of it came from.
    Log done();

private:
    void take(std::string_view words, const Capture& capture, std::string_view device, std::size_t place);
    /// A GGUF file's name tells its model and its quantization, where no line does.
    void named_by_file();
    void weigh(int points);
    std::string rank_before(std::size_t place) const;

    Pasted pasted_;
    std::vector<bool> taken_;  ///< the places of the figures that were read: two patterns may see the same one
    Log log_;
    const Tool* tool_ = nullptr;
    std::string device_;  ///< of the figures that follow
    struct Weight {
        const Tool* tool = nullptr;
        int points = 0;
        std::string version;
    };
    std::vector<Weight> weights_;
};

/// All tools, in the order in which their lines are tried.
struct Tools {
    const Tool* const* begin;
    std::size_t count;
};
Tools all_tools();

}  // namespace plimsoll::logs
