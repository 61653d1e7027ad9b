/// What a tool printed about memory, read from pasted text: figures with what each counts, settings, tool and version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::logs {

/// Why a figure that was found is not used.
enum class Refused : unsigned char { no, negative, beyond_any_memory };

/// One figure. Views point into the text that was read.
struct Figure {
    std::string_view counter;  ///< what it counts: a name of presets/schema/reconcile_reply.json
    double value = 0;          ///< as printed
    double bytes = -1;         ///< where it is memory
    double low = 0, high = 0;  ///< bytes, or the value, that are printed so: the last digit is rounded
    std::string device;        ///< as the text calls it: `0`, `CUDA0`, `TP1`, `mps`; empty where it does not say
    std::string_view line;     ///< the line of the text
    bool estimate = false;     ///< the tool expects it, and has not measured it
    bool restated = false;     ///< says again what other figures say: never to be added to them
    Refused refused = Refused::no;
};

struct Setting {
    std::string_view name;
    std::vector<std::string> values;  ///< one, or of a list each in its order
    std::string_view line;
    bool list = false;
};

struct Log {
    std::string_view tool;  ///< empty where none is known
    std::string version;    ///< empty where the text does not print it
    std::vector<Figure> figures;
    std::vector<Setting> settings;
};

/// Reads any text, in time that grows with its length alone. Never fails: what says nothing of memory has no figures.
Log read_log(std::string_view text);

}  // namespace plimsoll::logs
