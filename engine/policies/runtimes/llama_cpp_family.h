/// What llama.cpp has in code for a family of models: in what its graphs and its quantiser treat families differently
/// although their blocks are alike. The tables stand beside the architectures (model/architectures/*/llama_cpp.inc).
/// Source: llama.cpp, src/models/*.cpp (graphs), src/llama-model.cpp (hparams), src/llama-quant.cpp (types).
#pragma once

#include "model/core/model.h"

namespace plimsoll {

struct LlamaCppFamily {
    /// Whether the chosen experts' weights are made to add up to one; `by_file`: the GGUF file says so.
    enum class WeightsNormed : unsigned char { always, never, by_file };
    /// Whether a draft model reads all tokens' last hidden states, and before which norm.
    enum class Drafts : unsigned char { no, normed, plain };

    // how a layer's sums and norms are ordered
    bool feed_forward_meets_residual_first = false;  ///< parallel layers: (feed-forward + x) + attention
    bool attention_meets_feed_forward = false;       ///< parallel layers: attention + feed-forward, not the reverse
    bool residual_first = false;                     ///< sums are x + mixer, x + feed-forward
    bool second_residual_first = false;              ///< the second of them is
    bool norms_first = false;                        ///< both norms of the layer's input come before attention
    bool scaled_residuals = false;                   ///< what is added to the residual stream is multiplied by a number

    // what the file has
    bool fused_feed_forward = false;  ///< gate and up stay one matrix in the file
    bool separate_qkv = false;        ///< the converter takes one matrix for q, k and v apart
    bool published_in_mxfp4 = false;  ///< the experts, which a file of floats keeps so

    // attention
    bool scaled_queries = false;          ///< queries are multiplied by a number before attention
    bool tempered_queries = false;        ///< queries without rotation, by a number for each position
    bool norms_after_rotation = false;    ///< of queries and keys
    bool factors_for_all_tokens = false;  ///< rotary factors are of the layers without a window
    /// The cache of layers that look at a window has its tokens alone. llama.cpp reads the windows of some architectures
    /// and passes over those of others (Mistral, Phi-3), whose caches have full length. (hparams.swa_type)
    bool keeps_windows = false;
    double positions = 1;  ///< numbers that a token's position consists of

    // recurrence
    /// A head that drafts leaves a state behind for each token it proposes; other architectures keep one, whatever is
    /// drafted. (src/llama-arch.cpp: llm_arch_supports_rs_rollback, as of GenerelSchwerz/llama.cpp b8046068)
    bool states_to_go_back_to = false;

    // mixtures of experts
    bool sigmoid_choice = false;
    bool softmax_choice = false;         ///< even where the choice is corrected
    bool weights_after_choice = false;   ///< softmax over the chosen experts' scores only
    bool weighs_before_experts = false;  ///< the routing weight multiplies the expert's input
    bool divides_shared_gate = false;    ///< the shared expert's gate is an activation over what it activates
    bool scaled_experts = false;         ///< what corrects is a scale of each expert's result; the router has its norm
    WeightsNormed weights_normed = WeightsNormed::always;

    // both ends
    bool scaled_embedding = false;
    bool scales_embedding_first = false;  ///< at once, with the look-up
    bool scaled_logits = false;           ///< the head's product is multiplied by a number, or through tanh
    bool softcap = false;
    Drafts drafts = Drafts::no;

    // the quantiser's rules
    bool falcon_types = false;  ///< those of Falcon
    bool types_of_70b = false;  ///< 80 layers of grouped attention are a model of 70B, with rules of its own
};

/// What is true of a model, by the class in its config.json; of a class that no table knows, the defaults.
const LlamaCppFamily& llama_cpp_family(const Model& model);

}  // namespace plimsoll
