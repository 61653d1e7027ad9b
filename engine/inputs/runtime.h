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

/// Which of the engine's rules a runtime allocates by.
enum class Allocation : unsigned char {
    contiguous,  ///< tensors that grow: transformers
    llama_cpp    ///< buffers of cells, layer by layer on devices and host
};

/// Each tensor of a buffer begins at a multiple of so many bytes.
struct BufferAlignment {
    std::string backend;
    double device = 1, host = 1;
    std::string source;
};

struct Runtime {
    std::string id, name;
    Allocation allocation = Allocation::contiguous;
    std::string kv_encoding;  ///< of the cache unless it is asked for; empty: the weights' compute type
    double batch_tokens = 0;  ///< computed at once; 0: the whole prompt
    std::vector<BufferAlignment> alignments;
    std::vector<DeviceContext> device_contexts;  ///< of each backend, the one for today's versions first
    std::vector<Workspace> workspaces;
    bool logits_all = false;  ///< whether logits are made for every token of a batch
};

}  // namespace plimsoll
