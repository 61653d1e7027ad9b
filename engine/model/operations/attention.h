// Softmax attention over all heads, with grouped or multi-query keys and values.
//
//     q [tokens, heads·head_dim]  k, v [tokens, kv_heads·head_dim] ──▶ to [tokens, heads·head_dim]
//     keeps: keys and values of every token (of the last `window`, where there is one)
//     saves, flash and SDPA: q, k, v, the output, and one fp32 log-sum-exp per head and token
//     saves, eager: q, k, v; per head and pair of tokens the softmax (fp32 where the model upcasts, or under autocast),
//     its 16-bit copy, and with dropout a one-byte mask and the dropped copy
//     SDPA with a mask: the kernel that takes one repeats no heads, so that keys and values are copied out to all; a
//     mask of booleans becomes one that is added, anew in each layer, which saves it
//     SDPA where a sequence is longer than the window: transformers gives it such a mask
//     SDPA of grouped keys in fp32, without a mask: no fused kernel takes them, and plain operations do it, which save
//     scaled queries, keys and values of all heads, and the softmax
//     (PyTorch sdp_utils.cpp, _scaled_dot_product_attention_math; transformers masking_utils.py;
//     PyTorch _scaled_dot_product_flash_attention, _efficient_attention, convert_boolean_attn_mask; transformers
//     use_gqa_in_sdpa, eager_attention_forward, repeat_kv)
#pragma once

#include <optional>

#include "model/core/operation.h"

namespace plimsoll {

struct Attention {
    Part part = Part::attention;
    Traced heads, kv_heads, head_dim;
    std::optional<Traced> window;
    bool softmax_in_fp32;  ///< the model's own code upcasts the softmax
    bool softcap = false;  ///< tanh on the scores: eager keeps its result too
    double dropout = 0;    ///< the configuration's probability
    Label q, k, v, to;
    bool sinks = false;   ///< a learned score per head that takes part in the softmax
    bool joined = false;  ///< but for flash attention it runs image by image, and what it gives is joined: a copy

    template <class N>
    void weights(std::vector<Weight<N>>& list) const {
        if (sinks) list.push_back({"sinks", part, N(1), as<N>(heads), N(1), true});
    }
    template <class N>
    void keeps(std::vector<Kept<N>>& list) const {
        const N width = named("kv_width", as<N>(kv_heads) * as<N>(head_dim));
        const N at_most = window ? as<N>(*window) : N(0);
        list.push_back({"keys", width, at_most, N(0)});
        list.push_back({"values", width, at_most, N(0)});
    }

    template <class N>
    void forward(Tape<N>& tape) const {
        tape.enter(RecomputedModule::core_attention);
        attend(tape);
        tape.leave(RecomputedModule::core_attention);
    }
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        const Pass<N>& pass = tape.pass();
        if (!window) return list.push_back(cost_of(tape, causal_pairs(pass, N(0)), pass.keys));
        const N reach = named("keys_in_reach", minimum(pass.keys, as<N>(*window) + pass.sequence - N(1)));
        list.push_back(cost_of(tape, causal_pairs(pass, as<N>(*window)), reach));
    }
    /// Of `pairs` of tokens in each sequence, over `keys` tokens of each: a product for the scores and one for the
    /// values. Kernels that keep scores on the chip leave out what the mask hides; the others write all of them.
    template <class N>
    Cost<N> cost_of(const Tape<N>& tape, const N& pairs, const N& keys) const {
        const Pass<N>& pass = tape.pass();
        const bool eager = tape.options().attention == AttentionKernel::eager;
        const N scored = eager ? named("score_elements", pass.tokens * keys) : pass.batch * pairs;
        const N width = named("attention_width", as<N>(heads) * as<N>(head_dim));
        Cost<N> cost{"attention", part, CostKind::attention};
        cost.operations = N(4) * scored * width;
        cost.activations = N(2) * pass.tokens * width;
        if (eager) cost.activations += N(4) * scored * as<N>(heads);
        cost.cached = N(2) * pass.batch * keys * (as<N>(kv_heads) * as<N>(head_dim));
        return cost;
    }

private:
    template <class N>
    void attend(Tape<N>& tape) const {
        const Dtype compute = tape.compute(tape.at(q).dtype);
        const N out = tape.pass().tokens * (as<N>(heads) * as<N>(head_dim));
        const bool eager = tape.options().attention == AttentionKernel::eager;
        const bool plain = is_plain(tape, compute);
        if (plain)
            tape.saves_copy("q_scaled", part, out, compute);
        else
            tape.saves_as(q, compute, "q_cast", part);
        const bool prefixed = tape.gradients() && value_of(tape.pass().keys) != value_of(tape.pass().sequence);
        const N whole = prefixed ? tape.pass().batch * tape.pass().keys * (as<N>(heads) * as<N>(head_dim)) : out;
        keep_repeated(tape, prefixed ? behind_prefix(tape, k, "prefixed_k") : k, compute, "k_repeated", "k_cast", whole,
                      plain);
        keep_repeated(tape, prefixed ? behind_prefix(tape, v, "prefixed_v") : v, compute, "v_repeated", "v_cast", whole,
                      plain);
        if (eager || plain) eager_scores(tape, compute);
        tape.makes(to, out, compute);
        if (tape.gradients() && !eager && !plain) keep_of_kernel(tape, compute);
        if (capabilities.training && joined && tape.options().attention != AttentionKernel::flash)
            tape.makes(to, out, compute);
    }
    template <class N>
    void keep_of_kernel(Tape<N>& tape, Dtype compute) const {
        if (mask_of(tape) == AttentionMask::boolean)
            tape.saves_copy("added_mask", part, tape.pass().tokens * tape.pass().keys, compute);
        tape.saves(to, part);
        tape.saves_copy("log_sum_exp", part, as<N>(heads) * tape.pass().tokens, Dtype::float32);
    }
    /// What is given beside the queries: a window that the sequence does not fit in is one of booleans under SDPA.
    template <class N>
    AttentionMask mask_of(const Tape<N>& tape) const {
        const bool hides = tape.options().attention == AttentionKernel::sdpa && window &&
                           value_of(tape.pass().sequence) > window->value();
        return hides && tape.options().mask == AttentionMask::none ? AttentionMask::boolean : tape.options().mask;
    }
    /// Whether plain operations attend under SDPA: in fp32 the flash kernel does not, and the other takes no groups.
    template <class N>
    bool is_plain(const Tape<N>& tape, Dtype compute) const {
        return tape.options().attention == AttentionKernel::sdpa && compute == Dtype::float32 &&
               kv_heads.value() != heads.value() && !tape.options().repeat_kv && mask_of(tape) == AttentionMask::none;
    }
    /// Keys or values of the sequence behind those of a learned prefix: one tensor, in their place.
    template <class N>
    Label behind_prefix(Tape<N>& tape, Label from, Label both) const {
        const Dtype dtype = tape.at(from).dtype;
        tape.makes(both, tape.pass().batch * tape.pass().keys * (as<N>(kv_heads) * as<N>(head_dim)), dtype);
        return both;
    }
    /// Keys or values, copied out to all heads where they are repeated; one head's repetition is a view.
    template <class N>
    void keep_repeated(Tape<N>& tape, Label from, Dtype compute, Label repeated, Label cast, const N& whole,
                       bool plain) const {
        const bool copies = tape.options().attention == AttentionKernel::eager || tape.options().repeat_kv ||
                            mask_of(tape) != AttentionMask::none;
        if (plain) return tape.saves_copy(repeated, part, whole, compute);
        if (!copies || kv_heads.value() == 1 || kv_heads.value() == heads.value())
            return tape.saves_as(from, compute, cast, part);
        tape.makes(repeated, whole, tape.at(from).dtype);
        tape.saves_as(repeated, compute, cast, part);
    }
    template <class N>
    void eager_scores(Tape<N>& tape, Dtype compute) const {
        const N pairs = named("score_elements", as<N>(heads) * tape.pass().tokens * tape.pass().keys);
        const Dtype softmax = softmax_in_fp32 || tape.options().numerics.autocast ? Dtype::float32 : compute;
        if (tape.gradients())
            keep_scores(tape, pairs, compute, softmax);
        else
            generated_scores(tape, pairs, compute, softmax);
    }
    /// What autograd keeps of the scores, and what is there beside it: forward, the scores, and the softmax's input
    /// beside its result, where what is saved later is not there yet; backward, at the softmax's turn, the gradients of
    /// its result and of its input and the former's product with the result, where what is saved beside the result is
    /// gone. (PyTorch, native/cuda/SoftMax.cu: softmax_backward_cuda_out)
    template <class N>
    void keep_scores(Tape<N>& tape, const N& pairs, Dtype compute, Dtype softmax) const {
        const bool dropped = dropout_of(tape) > 0;
        if (softcap) tape.saves_copy("scores_tanh", part, pairs, compute);
        tape.saves_copy("scores_softmax", part, pairs, softmax);
        if (dropped) tape.saves_copy("scores_dropout_mask", part, pairs, Dtype::boolean);
        if (dropped || softmax != compute) tape.saves_copy("scores_used", part, pairs, compute);
        const double wide = bytes_of<double>(softmax).n, narrow = bytes_of<double>(compute).n,
                     others = (dropped ? 1 : 0) + (dropped || softmax != compute ? narrow : 0);
        if (wide + narrow > others) tape.scratch_bytes({pairs * N(wide + narrow - others)});
        tape.apart(true);  // the gradients of queries and keys come after
        tape.scratch_backward(pairs, softmax);
        tape.scratch_bytes_backward({pairs * N(2 * wide - others)});
        tape.apart(false);
    }
    /// Nothing is kept: the scores and the softmax's result, beside them the softmax's input where that is widened by
    /// itself, or the result in the scores' type once that is made. (ATen/native/SoftMax.cpp: fp16 alone is widened by
    /// the kernel)
    template <class N>
    void generated_scores(Tape<N>& tape, const N& pairs, Dtype compute, Dtype softmax) const {
        tape.scratch(pairs, compute);
        tape.scratch(pairs, softmax);
        if (softmax != compute) tape.scratch(pairs, tape.options().numerics.fp16 ? compute : softmax);
    }
    template <class N>
    double dropout_of(const Tape<N>& tape) const {
        return tape.options().dropout < 0 ? dropout : tape.options().dropout;
    }
};

}  // namespace plimsoll
