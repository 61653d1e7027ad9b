/// A family of models: which configurations are its, and how one becomes a Model. Each file in architectures/ exports
/// one; the build collects them, so that a new one touches nothing else.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "model/read/reader.h"

namespace plimsoll {

struct Architecture {
    // lists of constants, so that nothing has to run before the first answer
    std::initializer_list<Label> model_types;  ///< `model_type` in config.json
    std::initializer_list<Label> class_names;  ///< `architectures[0]`; the first is the name in replies
    Label config_class;                        ///< whose defaults these are, e.g. `LlamaConfig`
    Reader::Defaults defaults;
    Model (*build)(Reader& config);
    bool scales_logits = false;  ///< its code multiplies all logits by a number
};

/// Those of the engine that was linked, in alphabetical order of their files (engine/compositions/).
struct Architectures {
    const Architecture* const* first;
    size_t count;

    const Architecture* const* begin() const { return first; }
    const Architecture* const* end() const { return first + count; }
};
extern const Architectures architectures;

/// The architecture whose configuration this is, or the generic decoder's where none knows it; an error where a field
/// is wrong or missing.
Result<Model> read_model(const Facts& facts);

/// A decoder from numbers typed by hand, as far as they go; `missing` in the result names what is left out.
Result<Model> read_typed(const Facts& facts);

}  // namespace plimsoll
