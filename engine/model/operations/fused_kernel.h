// Operations that run as one CUDA kernel, which keeps for its backward pass what it chooses, whatever its parts would
// keep by themselves. `begins` stands before the parts, one of the others behind them.
//
//     selective_scan     Mamba: from the input projection's output to the output projection. Keeps that output (copied,
//                        transposed), Δ, B and C as one product gave them, copies of B and C, the states at every
//                        2048th token, the scan's output before the gate
//     state_space_dual   Mamba 2: the same reach. Keeps the input projection's output itself, the scan's output, and
//                        for the gated norm, where there is one, one rstd per token and group
//     gated_delta_rule   keeps normalised q and k with one rstd per head and token, v, the rates, the decays summed
//                        within a chunk, and per head and token a row of a chunk's matrix of 64 columns
//     gated_norm         keeps both its inputs and one rstd per head and token
//     and what was computed from parameters on the way in: exp(A_log) and its negative, D and Δ's bias in fp32
//     (state-spaces/mamba MambaInnerFn, MambaSplitConv1dScanCombinedFn; flash-linear-attention
//     ChunkGatedDeltaRuleFunction, LayerNormGatedFunction; transformers modeling_mamba, _mamba2, _qwen3_next)
#pragma once

#include "model/core/operation.h"

namespace plimsoll {

struct FusedKernel {
    Part part = Part::mixer;
    enum class Kind : unsigned char { begins, selective_scan, state_space_dual, gated_delta_rule, gated_norm } kind;
    Label from{};      ///< what the kernel is given
    Traced inner{0};   ///< width of what is scanned, and of the output
    Traced state{0};   ///< of the gated delta rule: width of one head's key
    Traced rank{0};    ///< of Δ's low-rank projection
    Traced heads{0};   ///< of Mamba 1: each channel is one
    Traced groups{0};  ///< of the gated norm; 0: there is none

    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    /// What it computes is its parts'.
    template <class N>
    void costs(Tape<N>&, std::vector<Cost<N>>&) const {}
    template <class N>
    void forward(Tape<N>& tape) const {
        if (!tape.gradients()) return;
        tape.keeps_nothing(kind == Kind::begins);
        const Dtype compute = tape.at(from).dtype;
        switch (kind) {
            case Kind::begins: return;
            case Kind::selective_scan: return selective_scan(tape, compute);
            case Kind::state_space_dual: return state_space_dual(tape, compute);
            case Kind::gated_delta_rule: return gated_delta_rule(tape, compute);
            case Kind::gated_norm: return gated_norm(tape, compute);
        }
    }

private:
    template <class N>
    void decay(Tape<N>& tape, const N& elements) const {
        tape.saves_copy("decay", part, N(2) * elements, Dtype::float32);
    }
    template <class N>
    void selective_scan(Tape<N>& tape, Dtype compute) const {
        const N& tokens = tape.pass().tokens;
        const N width = as<N>(inner), states = as<N>(state);
        tape.saves_copy("scan_and_gate_transposed", part, N(2) * tokens * width, compute);
        tape.saves_copy("delta_b_c", part, tokens * (as<N>(rank) + N(2) * states), compute);
        tape.saves_copy("b_and_c", part, N(2) * tokens * states, compute);
        const N stretches = named("stretches", ceiling(tape.pass().sequence / N(2048)));
        tape.saves_copy("scan_states", part, tape.pass().batch * stretches * width * (N(2) * states), Dtype::float32);
        tape.saves_copy("scanned_out", part, tokens * width, compute);
        decay(tape, width * states);
        if (tape.options().numerics.parameter != Dtype::float32)
            tape.saves_copy("fp32_vectors", part, N(2) * width, Dtype::float32);
    }
    template <class N>
    void state_space_dual(Tape<N>& tape, Dtype compute) const {
        tape.saves(from, part);
        tape.saves_copy("scanned_out", part, tape.pass().tokens * as<N>(inner), compute);
        if (groups.value() > 0) tape.saves_copy("rstd", part, tape.pass().tokens * as<N>(groups), Dtype::float32);
        decay(tape, as<N>(heads));
    }
    template <class N>
    void gated_delta_rule(Tape<N>& tape, Dtype compute) const {
        const N rows = named("heads_of_tokens", tape.pass().tokens * as<N>(heads));
        tape.saves_copy("q_and_k_normalised", part, N(2) * rows * as<N>(state), compute);
        tape.saves_copy("rstd_of_q_and_k", part, N(2) * rows, Dtype::float32);
        tape.saves_copy("values", part, tape.pass().tokens * as<N>(inner), compute);
        tape.saves_copy("rates", part, rows, compute);
        const N columns = input<N>("chunk_size", 64, "flash-linear-attention: chunk_gated_delta_rule");
        tape.saves_copy("chunk_matrices", part, rows * columns, compute);
        // the decay's softplus keeps its input and the product what it gave; the kernel keeps the sums
        tape.saves_copy("decays", part, N(3) * rows, Dtype::float32);
        decay(tape, as<N>(heads));
    }
    template <class N>
    void gated_norm(Tape<N>& tape, Dtype compute) const {
        tape.saves(from, part);
        tape.saves_copy("gate_by_head", part, tape.pass().tokens * as<N>(inner), compute);
        tape.saves_copy("rstd", part, tape.pass().tokens * as<N>(heads), Dtype::float32);
    }
};

}  // namespace plimsoll
