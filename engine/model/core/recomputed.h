/// Where the modules that Megatron-LM can recompute stand in a block. Those within one operation (attention, the
/// experts' activation) are that operation's own to say; these here are stretches of operations.
///
/// Source: Megatron-LM, core/transformer/transformer_layer.py, multi_latent_attention.py, moe/moe_layer.py.
#pragma once

#include "model/core/model.h"

namespace plimsoll {

/// Operations `first` … `last` of a block; `hook`: see brackets.h.
struct ModuleStretch {
    RecomputedModule module;
    size_t first, last;
    int hook = Brackets::no_hook;
};

/// The stretches of the modules that are asked for, the wider before those within them.
std::vector<ModuleStretch> recomputed_stretches(const Block& block, const RecomputedModules& modules);

/// Whether a layer of the model has a module.
bool has_module(const Model& model, RecomputedModule module);

}  // namespace plimsoll
