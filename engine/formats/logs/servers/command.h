/// What a command line in the text says: the options of llama.cpp's programs, which Ollama starts, too.
#pragma once

#include "formats/logs/reading.h"

namespace plimsoll::logs {

extern const Tool llama_cpp;

/// Reads every command that starts one of llama.cpp's programs, over lines that end in a backslash.
void read_commands(Reading& reading);

}  // namespace plimsoll::logs
