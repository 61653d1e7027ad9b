// Normalisation over the hidden width, or over each head of a projection.
//
//     from [tokens, width] ──▶ to [tokens, width]
//     LayerNorm saves its input and two fp32 statistics a token (CUDA keeps them in fp32 whatever the input's type).
//     RMSNorm as transformers writes it upcasts: it saves an fp32 copy of the input, one fp32 rstd a token, and, for
//     the weight's gradient, the normalised value in the input's type (Gemma multiplies in fp32 and saves that). A
//     fused RMSNorm saves its input and rstd. (torch native_layer_norm; transformers LlamaRMSNorm, GemmaRMSNorm;
//     Liger-Kernel rms_norm)
#pragma once

#include <optional>

#include "model/operation.h"

namespace plimsoll {

struct Norm {
    enum class Kind : unsigned char { layer, rms, rms_gemma };
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
        const N tokens = heads ? tape.pass().tokens * as<N>(*heads) : tape.pass().tokens;
        if (kind == Kind::layer) {
            tape.saves(from, part);
            tape.saves_copy("mean_and_rstd", part, N(2) * tokens, Dtype::float32);
        } else if (tape.options().norm == NormKernel::fused) {
            tape.saves(from, part);
            tape.saves_copy("rstd", part, tokens, Dtype::float32);
        } else {
            if (given.dtype == Dtype::float32)
                tape.saves(from, part);
            else
                tape.saves_copy("fp32_input", part, given.elements, Dtype::float32);
            tape.saves_copy("rstd", part, tokens, Dtype::float32);
            const Dtype normalised = kind == Kind::rms_gemma ? Dtype::float32 : given.dtype;
            if (weight && tape.weight_gradients()) tape.saves_copy("normalised", part, given.elements, normalised);
            tape.scratch(N(2) * given.elements, Dtype::float32);  // the upcast input and its product with rstd
        }
        tape.makes(to, given.elements, given.dtype);
    }
};

}  // namespace plimsoll
