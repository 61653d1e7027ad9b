/// What a GGUF's metadata says of its model, under the names that transformers' config.json would use, so that the same
/// Architecture reads both. Names and what each architecture leaves out: llama.cpp, gguf-py/gguf/constants.py (keys),
/// conversion/*.py (who writes what), src/llama-arch.cpp (architectures).
#pragma once

#include "formats/gguf/gguf.h"
#include "number/result.h"

namespace plimsoll {

/// Facts with `model_type`, for read_model(). A vision or audio tower is not in them: llama.cpp stores it in a file of
/// its own. Errors: a file without an architecture (code `bad_gguf`), a projector or adapter, which describes no model
/// (code `no_model`).
Result<Facts> facts_of(const Gguf& gguf);

}  // namespace plimsoll
