/// What an engine is composed of. Two are built from the same objects: the one that a page fetches first, and the whole.
/// They differ in the one file that is linked to define these constants (engine/compositions/), and the linker leaves
/// out what a constant says is never asked for.
#pragma once

namespace plimsoll {

struct Capabilities {
    bool training;  ///< training runs, and what autograd keeps
    /// Runtimes other than transformers, GGUF files, several devices, and what is held beside the model.
    bool runtimes;
    bool generic_decoder;  ///< an architecture that is not known is counted as a usual decoder; else it is refused
    bool altered_models;   ///< pruned or sparse ones, and those that are counted by a checkpoint's tensors
    bool time;             ///< how long a pass takes
    bool classic;          ///< the arithmetic of the hosted calculator
};

/// Those of the engine that was linked.
extern const Capabilities capabilities;

}  // namespace plimsoll
