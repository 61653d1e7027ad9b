/// Constants of a runtime or framework, read off the real thing: what presets/runtimes/ says of it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "inputs/device.h"
#include "inputs/encoding.h"
#include "inputs/kernel.h"
#include "inputs/server_rules.h"

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
    bool workspaces_within = false;  ///< the matrix library's workspaces are part of it, none of the allocator's
    double biased_product = 0;       ///< bytes that the allocator gives a product with a bias while it runs
    double compute_capability = 0;   ///< of the devices that it was measured on, before the point; 0: of any
};

/// The matrix library's workspace per handle and stream, by generation: `default`, `hopper`, `rocm`, `cdna3`;
/// `transformer-engine` and `transformer-engine-hopper` (and later): what that library takes beside it.
struct Workspace {
    std::string generation;
    Measured figure;
};

/// What one communicator of a library for collectives takes of a device, outside of the framework's allocator.
struct Communicator {
    std::string library;  ///< `nccl`, `rccl`, `gloo`
    Measured figure;
};

/// Which of the engine's rules a runtime allocates by.
enum class Allocation : unsigned char {
    contiguous,  ///< tensors that grow: transformers
    llama_cpp,   ///< buffers of cells, layer by layer on devices and host
    paged        ///< pages of a share of the device that is claimed whatever is needed: vLLM and its kin
};

/// What a runtime takes its share of: the whole device, what is free before the weights are loaded, or what is left
/// after everything but the cache.
enum class FractionOf : unsigned char { total, available, free };

/// Each tensor of a buffer begins at a multiple of so many bytes.
struct BufferAlignment {
    std::string backend;
    double device = 1, host = 1;
    double row = 1;  ///< a quantised tensor of a device is as large as if its rows were a multiple of so many elements
    std::string source;
};

/// What loading and the kernels of quantised layers take beside the weights, by ids of encodings.
struct Loader {
    std::vector<std::string> dequantised;  ///< one matrix at a time is dequantized to 16 bits, into a buffer that stays
    std::vector<std::string> tied_head_loaded;  ///< files hold a tied head a second time, until it is tied
    std::vector<std::string> tied_head_kept;    ///< the second one stays
    std::string source;
};

/// A measured figure that holds on some devices, and in some releases.
struct MeasuredOn {
    enum class Links : unsigned char { any, pcie, faster };
    Measured figure;
    std::vector<std::string> makers;  ///< of the devices; empty: all
    Links links = Links::any;         ///< by which they are joined
    double since = 0, before = 0;     ///< releases as Release has them; 0: no bound
};

/// How a server computes the step that it measures before it starts.
struct StepRules {
    enum class Layers : unsigned char { references, compiled };  ///< when a tensor's memory is free again
    enum class Sampler : unsigned char { copied, sorted };       ///< logits are copied in fp32, or sorted too
    enum class Latents : unsigned char { expanded, absorbed };   ///< which products of MLA's matrices are kept
    Layers layers = Layers::compiled;
    Sampler sampler = Sampler::copied;
    Latents latents = Latents::expanded;
    bool experts_share = true;     ///< an expert's inputs and outputs lie in the same memory
    bool context_counted = false;  ///< the driver's context is taken off the share, too
    bool grouped_pages = false;    ///< layers of several kinds share one pool, a page for each group of them
    bool chunks_whole = false;     ///< attention within chunks of the text keeps all of it
    bool workspaces_kept = false;  ///< what kernels of experts and of indexers work in stays for the next one
    double latent_row = 0;         ///< bytes that a token's latent in the cache is a multiple of; 0: as it is
};

/// What llama.cpp does today and did not before some build.
struct GraphRules {
    bool half_masks = true;        ///< flash attention's mask is given in 16 bits, and not made narrower on the device
    bool limited_outputs = true;   ///< a server has logits of the tokens alone that it samples from
    bool rotations = true;         ///< what goes into a quantised cache is rotated
    bool given_embeddings = true;  ///< a graph takes embeddings in place of ids, too
    bool reordered = true;         ///< Vulkan's backend moves independent nodes together
    bool part_views = true;        ///< queries, keys and values of one product are views of it
    bool row_indices = true;       ///< cells are written by a list of their numbers
    bool fused_gates = true;       ///< an activation and its product are one node
    bool windows = true;           ///< windowed layers keep their window alone
    bool half_copies = true;       ///< CUDA's graph has room for a quantised cache's copies in 16 bits
    bool fusions = true;           ///< CUDA holds the inputs of nodes that it runs as one kernel
    double cells = 256;            ///< by which a cache without flash attention grows
};

/// What a configuration says of how experts are chosen, which decides on no weight.
struct ExpertRouting {
    bool weights_normed = false;  ///< `norm_topk_prob`: a GGUF file's `expert_weights_norm`
    double groups = 0;            ///< `n_group`: experts are chosen within the best of so many groups; 0, 1: of all
    double groups_chosen = 0;     ///< `topk_group`
};

/// What a server takes where it is told nothing, on devices of so much memory or of such names.
struct DeviceDefaults {
    double from_bytes = 0;
    /// Words in small letters that a name has one of, and none of; empty: any name.
    std::vector<std::string> named, unnamed;
    double batch_tokens = 0, sequences_at_once = 0;
};

/// A runtime's defaults and rules, as they were before a release.
struct Release {
    double before = 0;            ///< 0.6.5 as 6.005; 0: today's
    double capability_below = 0;  ///< holds for devices of a lower compute capability alone; 0: for all
    double batch_tokens = 0, sequences_at_once = 0;
    std::vector<DeviceDefaults> on_devices;  ///< the first that suits is taken
    double whole_context_to = 0;  ///< contexts up to this length are computed at once, and no batch is smaller
    double memory_fraction = 0;
    ShareRule share;
    StepRules step;
    GraphRules graph;
};

/// Work that is queued before anything must be waited for: MLX's command buffers, closed by what they read.
struct QueuedWork {
    double buffers = 0, elements = 0;  ///< elements that one buffer's operations read
    std::string source;
};

/// How a server keeps tables of positions.
struct TableRules {
    std::vector<std::string> wide_on;   ///< makers of the devices on which they are fp32, whatever the weights are
    std::vector<std::string> wide_of;   ///< classes whose tables are fp32
    double axes = 1;                    ///< as many positions, where these are of time, height and width
    double since = 0;                   ///< the first release that does either
    std::vector<std::string> unscaled;  ///< classes whose tables have the model's positions alone
    double unscaled_since = 0;          ///< and none in releases before this
};

struct Runtime {
    std::string id, name;
    Allocation allocation = Allocation::contiguous;
    std::string kv_encoding;  ///< of the cache unless it is asked for; empty: the weights' compute type
    double context = 0;       ///< tokens unless they are asked for; 0: what people use
    double batch_tokens = 0;  ///< computed at once; 0: the whole prompt
    std::vector<DeviceDefaults> on_devices;
    std::vector<Release> releases;  ///< oldest first
    StepRules step;
    std::vector<BufferAlignment> alignments;
    QueuedWork queued;
    double cache_step = 1;   ///< tokens by which a contiguous cache grows
    double page_tokens = 1;  ///< tokens of a page of the cache
    std::string page_source;
    double sequences_at_once = 0;  ///< that may run in one step; the sampler's memory is made for so many
    double memory_fraction = 0;    ///< 0: it claims no share
    ShareRule share;               ///< by what the share is chosen where it goes by the device
    TokenPools pools;
    FractionOf fraction_of = FractionOf::total;
    bool scaled_latents = false;     ///< latents beside an indexer have scales where they are in 8 bits
    bool experts_over_data = false;  ///< copies of the model divide the routed experts among them
    std::optional<Measured> captured_graphs;
    /// Beside the allocator's: on one device, once weights are loaded and before; of collectives on several, within the
    /// claimed share and outside of it.
    std::vector<MeasuredOn> library, library_outside, communication, communication_outside;
    TableRules tables;
    std::vector<DeviceContext> device_contexts;  ///< of each backend, the one for today's versions first
    std::vector<Workspace> workspaces;
    std::vector<Kernel> kernels;  ///< the first that suits a device and a release is chosen
    std::vector<Communicator> communicators;
    bool torch_allocator = false;  ///< tensors lie in blocks of PyTorch's caching allocator
    Loader loader;
    /// What it says and ends with as it starts: no memory is left for its cache, or not for one sequence of the longest
    /// length. Empty: it goes on.
    std::string says_no_cache, says_no_sequence;
    /// Families of encodings that it loads, and that its cache can be kept in; empty: not said.
    std::vector<std::string> loaded_families, cache_families;
    std::vector<std::string> makers;                           ///< of the devices that it runs on; empty: not said
    std::optional<std::vector<std::string>> encoder_decoders;  ///< the only classes of these that it runs; absent: all
    /// Whether it runs on a device, as far as is said.
    bool runs_on(const Device& device) const {
        return device.vendor.empty() || makers.empty() ||
               std::find(makers.begin(), makers.end(), device.vendor) != makers.end();
    }
    /// Whether its weights, or its cache, may be stored so, as far as is said.
    bool loads(const Encoding& encoding) const { return encoding.for_weights && names(loaded_families, encoding); }
    bool caches(const Encoding& encoding) const { return encoding.for_cache && names(cache_families, encoding); }

    bool logits_all = false;  ///< whether logits are made for every token of a batch

private:
    static bool names(const std::vector<std::string>& families, const Encoding& encoding) {
        return families.empty() || std::find(families.begin(), families.end(), encoding.family) != families.end();
    }
};

}  // namespace plimsoll
