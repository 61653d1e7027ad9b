/// Lists of modules' names in a request: targets of adapters and of projected gradients, what is saved, what is trained.
#pragma once

#include "api/request/fields.h"

namespace plimsoll {

using ModuleNames = std::vector<std::string>;

/// What modelling code elsewhere calls a module, and what it is called here.
struct ModuleSynonym {
    const char *theirs, *ours;
};

/// What a list may name.
struct KnownModules {
    ModuleNames names;                         ///< of the model
    ModuleNames words;                         ///< for several of them at once, such as all-linear
    std::vector<ModuleSynonym> synonyms = {};  ///< those of names that the model has
};

/// Names of a model's linear layers and of its vocabulary head; `experts`: and of their grouped products.
ModuleNames linear_layers(const Model& model, bool experts);

/// What modelling code elsewhere calls linear layers that are known here by Llama's names.
const std::vector<ModuleSynonym>& linear_synonyms();

/// What PEFT's modules_to_save may name: the embedding and the head are what is saved in practice, since new tokens need both.
const KnownModules& modules_that_are_saved();

/// Whether a list may name it.
bool may_name(const KnownModules& known, const std::string& name);

/// The names at `key`, as they are called here, each once: a list, or a text of names between commas; none where the
/// field is absent. Errors: wrong_type; unknown_value, with the nearest names that the model has.
ModuleNames read_modules(const Fields& fields, std::string_view key, const KnownModules& known, Reading& reading);

/// The names at `key` as they are written.
ModuleNames written_modules(const Fields& fields, std::string_view key, Reading& reading);

}  // namespace plimsoll
