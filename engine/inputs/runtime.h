/// Constants of a runtime or framework, read off the real thing: what presets/runtimes/ says of it.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

/// A figure that was measured, with the spread that was seen.
struct Measured {
    double bytes = 0, low = 0, high = 0;
    std::string source;
};

/// Driver context and loaded kernels of one process, by kind of driver and version of the framework.
struct DeviceContext {
    std::string backend;    ///< `cuda`, `rocm` …
    std::string framework;  ///< versions that the figure holds for
    Measured figure;
};

/// The matrix library's workspace per handle and stream, by generation: `default`, `hopper`, `rocm`, `cdna3`.
struct Workspace {
    std::string generation;
    Measured figure;
};

/// What loading and the kernels of quantised layers take beside the weights, by ids of encodings.
struct Loader {
    std::vector<std::string> dequantised;  ///< one matrix at a time is written out in 16 bits, into a buffer that stays
    std::vector<std::string> tied_head_loaded;  ///< files hold a tied head a second time, until it is tied
    std::vector<std::string> tied_head_kept;    ///< the second one stays
    std::string source;
};

struct Runtime {
    std::string id, name;
    std::vector<DeviceContext> device_contexts;  ///< of each backend, the one for today's versions first
    std::vector<Workspace> workspaces;
    bool torch_allocator = false;  ///< tensors lie in blocks of PyTorch's caching allocator
    Loader loader;
    bool logits_all = false;  ///< whether logits are made for every token of a batch
};

}  // namespace plimsoll
