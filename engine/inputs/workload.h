/// What is asked of a model: what the user may choose, as plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inputs/choices.h"
#include "inputs/product_bytes.h"

namespace plimsoll {

/// A stored value's kind: what a tensor of a forward or backward pass is made of.
enum class Dtype : unsigned char { float64, float32, sixteen_bit, boolean, int64, byte };

/// How a training step (or a forward pass) computes.
struct Numerics {
    Dtype parameter = Dtype::sixteen_bit;  ///< the weights that the forward pass reads
    Dtype compute = Dtype::sixteen_bit;    ///< matrix products
    bool autocast = false;                 ///< products are cast call by call, what is summed is widened
    bool fp16 = false;                     ///< 16-bit values are fp16: PyTorch's softmax widens these as it reads them
};

inline constexpr size_t recomputed_module_count = count_of(choice_names<RecomputedModule>);

/// Some of the modules that Megatron-LM recomputes by name.
struct RecomputedModules {
    bool listed[recomputed_module_count] = {};

    bool has(RecomputedModule module) const { return listed[static_cast<size_t>(module)]; }
    void add(RecomputedModule module) { listed[static_cast<size_t>(module)] = true; }
    bool any() const {
        for (const bool each : listed)
            if (each) return true;
        return false;
    }
};

/// Of one matrix for queries, keys and values, those that get an adapter: each has an A and a B of its own.
struct AdaptedParts {
    double count = 1;            ///< of queries, keys and values
    double outputs = 0, of = 0;  ///< columns of these, and of the whole matrix; 0: the matrix is adapted as one
};

/// Learned tokens before every sequence; 0: none.
struct VirtualTokens {
    double count = 0;
    bool in_layers = false;          ///< keys and values of every layer, in place of inputs of the first
    double encoder_hidden_size = 0;  ///< inner width of the network that makes them; 0: they are learned themselves
};

/// Adapters of frozen linear layers: A [rank, in] and B [out, rank] beside each that is a target, or what turns its input.
struct Adapter {
    double rank = 8;
    std::vector<std::string> targets;  ///< names of linear layers; `all-linear` for all but the vocabulary head
    double dropout = 0;                ///< before A
    Dtype dtype = Dtype::float32;      ///< of A and B: PEFT keeps them in fp32 beside a 16-bit base
    double block = 0;  ///< OFT in place of A and B: as many inputs are turned together, or the nearest divisor of them
    bool magnitudes = false;  ///< DoRA: a learned length for each output, and the length of what it scales
    AdaptedParts parts;       ///< of a fused matrix
    AdapterStart start = AdapterStart::random;  ///< singular vectors are taken out of the matrix, as is its QR part
    bool saves_embedding = false;  ///< PEFT's modules_to_save: a copy in the base's type is trained beside the
    bool saves_head = false;       ///< frozen one, of the embedding and of the vocabulary head

    VirtualTokens virtual_tokens;  ///< in place of adapters

    bool saves_modules() const { return saves_embedding || saves_head; }
};

/// What operations must know to say what one pass over them makes and keeps.
struct PassOptions {
    Numerics numerics;
    AttentionKernel attention = AttentionKernel::sdpa;
    NormKernel norm = NormKernel::reference;
    FeedForwardKernel feed_forward = FeedForwardKernel::reference;
    bool compiled = false;  ///< each layer: what element-wise operations make of kept tensors is made anew, not kept
    ExpertsKernel experts = ExpertsKernel::grouped;  ///< of a mixture: in one product, or one after the other
    double dropout = 0;
    bool repeat_kv = false;  ///< grouped keys and values are copied out to all heads before attention
    AttentionMask mask = AttentionMask::none;
    bool frozen_packed = false;        ///< the frozen linear layers between embedding and head are
    bool frozen_keeps_input = false;   ///< a frozen packed layer keeps what it is given all the same
    ProductBytes product = {};         ///< of the linear layers between embedding and head
    const Adapter* adapter = nullptr;  ///< absent: the weights themselves are trained
    RecomputedModules recomputed;      ///< of each layer, in the backward pass
};

struct InferenceRequest {
    double context = 8192;
    double prompt = 0;  ///< tokens of a sequence that one prefill computes; 0: all of the context
    double sequences = 1;
    double replicas = 1;
    double devices = 1;
    double tensor = 1, pipeline = 1, data = 1, expert = 1, context_parallel = 1;
    double experts_over = 1;       ///< copies of the model that divide the routed experts among them
    double sequences_at_once = 0;  ///< that may run in one step
    double memory_fraction = 0;    ///< of the device that the runtime claims; 0: none
    double batch_tokens = 0;       ///< computed at once; 0: the whole prompt
    bool kv_unified = false, swa_full = false;
    std::string kv_encoding;  ///< empty: the weights' compute type
    std::string value_encoding;
    double draft_tokens = 0;          ///< proposed in one step by speculative decoding
    bool draft_keeps_states = false;  ///< a recurrent state is kept for each of them, so that some can be taken back
    double beams = 1;                 ///< of each sequence
    double shared_prefix = 0;         ///< tokens with which all sequences begin
    bool static_cache = false;        ///< of full length from the first token on
    double weights_on_host = 0;       ///< bytes of the layers' weights that each device leaves in host memory
    double cache_on_host = 0;         ///< bytes of host memory behind the cache
    bool flash_attention = true;
    bool logits_all = false;  ///< of every token of a batch, not of the last alone
    std::string framework;    ///< version whose device context is meant; empty: today's
};

}  // namespace plimsoll
