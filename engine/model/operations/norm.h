// Normalisation over the hidden width, or over each head of a projection.
//
//     from [tokens, width] ──▶ to [tokens, width]
//     layer           saves its input and two fp32 statistics a token (CUDA keeps them in fp32 whatever the input's
//                     type); runs in fp32 under autocast
//     layer_plus_one  the same with 1 + weight, made anew and kept; under autocast all are cast, and it runs in 16 bits
//                     (Nemotron)
//     layer_upcast    the same of an fp32 copy of its input (OLMo)
//     layer_composed  of Python operations (Cohere): the input less its mean, twice, in fp32, and rstd; for the
//                     weight's gradient the normalised value; the weight in fp32
//     rms             upcasts: an fp32 copy of the input, one fp32 rstd a token, and for the weight's gradient the
//                     normalised value in the input's type
//     rms_wide        multiplies by the weight before it casts back, and saves the normalised value in fp32 (OLMo 2)
//     rms_gemma       the same, and 1 + weight in fp32
//     scale           no norm: the product with the weight alone, for whose gradient it saves its input (LayerScale)
//     An RMSNorm's fused kernel saves its input and rstd, and so does any norm of a compiled layer.
//     (torch native_layer_norm; transformers NemotronLayerNorm1P, OlmoLayerNorm, CohereLayerNorm, LlamaRMSNorm,
//     Olmo2RMSNorm, GemmaRMSNorm; Liger-Kernel rms_norm)
#pragma once

#include <optional>

#include "model/core/operation.h"

namespace plimsoll {

struct Norm {
    enum class Kind : unsigned char {
        layer,
        layer_plus_one,
        layer_upcast,
        layer_composed,
        rms,
        rms_wide,
        rms_gemma,
        scale
    };
    static constexpr bool takes_mean_off(Kind kind) { return kind <= Kind::layer_composed; }
    Label name;
    Kind kind;
    Traced width;
    bool weight, bias;
    Label from, to;
    Part part = Part::norm;
    std::optional<Traced> heads{};  ///< so many rows of `width` a token, each normalised by itself with the same weight

    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void weights(std::vector<Weight<N>>& list) const {
        if (weight) list.push_back({name, part, N(1), as<N>(width), N(1), true});
        if (bias) list.push_back({"bias", part, N(1), as<N>(width), N(1), true});
    }
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto given = tape.at(from);
        const bool has_kernel = kind > Kind::layer_upcast && kind != Kind::layer_composed;
        if (capabilities.training && kind == Kind::scale)
            scale(tape);
        else if (tape.options().compiled || (has_kernel && tape.options().norm == NormKernel::fused))
            fused(tape);
        else if (kind <= Kind::layer_upcast)
            layer_norm(tape, given.dtype);
        else
            composed(tape, given.elements);
        tape.makes(to, given.elements, result(tape, given.dtype));
        tape.remakes();
    }
    /// Squared and summed, scaled, weighed.
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        list.push_back(elementwise(name, part, tape.at(to).elements, 4, 2));
    }

private:
    /// Rows that are normalised, each with statistics of its own.
    template <class N>
    N rows(const Tape<N>& tape) const {
        return heads ? tape.pass().tokens * as<N>(*heads) : tape.stream_tokens();
    }
    template <class N>
    void scale(Tape<N>& tape) const {
        if (tape.weight_gradients()) tape.saves_for_elements(from, part);
    }
    /// One kernel, which autocast runs in fp32, where the model's code has not cast for it.
    template <class N>
    void layer_norm(Tape<N>& tape, Dtype given) const {
        tape.saves_as(from, kind == Kind::layer_upcast ? Dtype::float32 : runs_in(tape, given), "norm_input", part);
        if (kind == Kind::layer_plus_one) tape.saves_copy("weight_plus_one", part, as<N>(width), runs_in(tape, given));
        if (tape.gradients()) tape.saves_copy("mean_and_rstd", part, N(2) * rows(tape), Dtype::float32);
    }
    /// The type that a kernel of LayerNorm runs in.
    template <class N>
    Dtype runs_in(const Tape<N>& tape, Dtype given) const {
        return kind == Kind::layer_plus_one ? tape.compute(given) : tape.listed_in_fp32(given);
    }
    template <class N>
    void fused(Tape<N>& tape) const {
        tape.saves_for_elements(from, part);
        if (!tape.gradients()) return;
        const bool mean = takes_mean_off(kind);
        tape.saves_copy(mean ? "mean_and_rstd" : "rstd", part, mean ? N(2) * rows(tape) : rows(tape), Dtype::float32);
    }
    /// Python operations on an fp32 copy. Cohere takes the mean off twice, once for the variance.
    template <class N>
    void composed(Tape<N>& tape, const N& elements) const {
        const Dtype given = tape.at(from).dtype;
        const Dtype normalised = kind == Kind::rms ? given : Dtype::float32;
        const bool of_weight_alone = !tape.asks(from);
        tape.scratch(elements, Dtype::float32, 2);  // the upcast input and its product with rstd
        if (!tape.gradients()) return;
        if (of_weight_alone) return keep_of_weight(tape, elements, normalised);
        if (kind == Kind::layer_composed)
            tape.saves_copy("centred", part, N(2) * elements, Dtype::float32);
        else
            tape.saves_as(from, Dtype::float32, "fp32_input", part);
        tape.saves_copy("rstd", part, rows(tape), Dtype::float32);
        if (weight && tape.weight_gradients()) tape.saves_copy("normalised", part, elements, normalised);
        const bool own_weight = kind == Kind::rms_gemma || (kind == Kind::layer_composed && weights_are_16_bit(tape));
        if (own_weight) tape.saves_copy("fp32_weight", part, as<N>(width), Dtype::float32);
        // backward, at pow's turn: the copy of the input, its gradient by the other factor, the variance's gradient
        // expanded, the input once more, and two products; of these the tape knows what is saved, and both ends'
        // gradients in their types
        const double known = 4 + (weight && tape.weight_gradients() ? bytes_of<double>(normalised).n : 0) +
                             bytes_of<double>(given).n + bytes_of<double>(result(tape, given)).n;
        for (double left = 24 - known; left > 0; left -= 4)
            tape.scratch_bytes_backward({elements * N(left < 4 ? left : 4)});
    }
    /// Nobody asks for a gradient of what is normalised.
    template <class N>
    void keep_of_weight(Tape<N>& tape, const N& elements, Dtype normalised) const {
        if (!weight || !tape.weight_gradients()) return;
        tape.saves_copy("normalised", part, elements, normalised);
        tape.scratch_backward(elements, normalised);  // its product with the output's gradient, before the sum
    }
    template <class N>
    static bool weights_are_16_bit(const Tape<N>& tape) {
        return tape.options().numerics.parameter != Dtype::float32;
    }
    /// Those that cast back last give what they were given; where the weight comes last, its type decides.
    template <class N>
    Dtype result(const Tape<N>& tape, Dtype given) const {
        if (kind == Kind::layer || kind == Kind::layer_plus_one) return runs_in(tape, given);
        const bool weighted = kind == Kind::rms && weight && tape.options().norm != NormKernel::fused;
        return weighted ? tape.widened(given) : given;
    }
};

}  // namespace plimsoll
