// What happens element by element between the matrix products.
//
//     Activation  from ──f──▶ to        saves its input (ReLU, sigmoid: its output; squared ReLU: what ReLU gave).
//                                       Where it gates and both are one kernel, it makes nothing, and the product
//                                       keeps its input in its place.
//                                       `gelu_new` is composed of Python operations: pow keeps the input, tanh its
//                                       result, the product both its factors. So is xIELU: its condition, its exponent
//                                       and the factor of its positive side; trained, the factor of the negative one
//     Multiply    a, b ──×──▶ to        saves both
//     Dropout     from ──▶ to           saves a one-byte mask; without probability it is the same tensor
//     Add         a, b ──+──▶ to        saves nothing; fp32 where one side is
//     Rope        from ──▶ to           saves cos and sin, which all layers share, in the residual stream's type
//     Split       from ──▶ parts        views: whoever saves a part keeps the whole
//
//     In a compiled layer activation and product keep what they are given; what they give is made anew where
//     another element-wise operation reads it, and kept where a matrix product does.
//     (PyTorch derivatives.yaml: silu, gelu, relu, mul, native_dropout; transformers NewGELUActivation,
//     apply_rotary_pos_emb; Megatron-LM core/fusions/fused_bias_swiglu.py; Liger-Kernel ops/swiglu.py, geglu.py)
#pragma once

#include "model/core/operation.h"

namespace plimsoll {

/// The type of an element-wise result of two tensors: fp32 where one of them is. (PyTorch: type promotion)
inline Dtype promoted(Dtype left, Dtype right) { return right == Dtype::float32 ? right : left; }

struct Activation {
    Part part;
    enum class Kind : unsigned char { one_kernel, from_output, composed_gelu, relu_squared } kind;
    Label from, to;
    unsigned char parameters = 0;  ///< learned scalars, as xIELU has
    bool gates = false;            ///< its result is a factor of a gated feed-forward's product

    template <class N>
    void weights(std::vector<Weight<N>>& list) const {
        if (parameters) list.push_back({"activation", part, N(1), N(parameters), N(1), true});
    }
    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto given = tape.at(from);
        const bool compiled = tape.options().compiled;
        if (gates && (compiled || tape.options().feed_forward == FeedForwardKernel::fused)) {
            tape.views(to, from, given.elements);
            return tape.saves_for_elements(from, part);
        }
        tape.makes(to, given.elements, given.dtype);
        if (compiled) {
            tape.remakes();
            return tape.saves_for_elements(from, part);
        }
        if (kind == Kind::relu_squared) return tape.saves_copy("relu", part, given.elements, given.dtype);
        tape.saves_for_elements(kind == Kind::from_output ? to : from, part);
        if (parameters) return compose_xielu(tape, given.elements, given.dtype);
        if (kind != Kind::composed_gelu) return;
        if (!tape.gradients()) tape.scratch(given.elements, given.dtype, 2);  // one factor, and a step of the other
        for (const Label name : {"gelu_half", "gelu_tanh", "gelu_sum"})
            tape.saves_copy(name, part, given.elements, given.dtype);
    }
    /// where(x > 0, a·x·x + b·x, c·(expm1(min(x, e)) − x) + b·x). While the last sum is taken, the condition, the
    /// positive side and three steps of the negative one are there. (transformers activations.py, XIELUActivation)
    template <class N>
    void compose_xielu(Tape<N>& tape, const N& elements, Dtype dtype) const {
        tape.scratch(elements, dtype, 3);
        if (!tape.gradients()) return tape.scratch(elements, Dtype::boolean);
        tape.saves_copy("xielu_condition", part, elements, Dtype::boolean);
        for (const Label name : {"xielu_factor", "xielu_exponent"}) tape.saves_copy(name, part, elements, dtype);
        if (tape.pass().trainable) tape.saves_copy("xielu_negative", part, elements, dtype);
    }
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        list.push_back(elementwise("activation", part, tape.at(to).elements, 1, 2));
    }
};

struct Multiply {
    Part part;
    Label a, b, to;              ///< where b has one value a token, `to` has the width of a
    bool within_kernel = false;  ///< of a fused feed-forward, which recomputes a from what it keeps

    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto left = tape.at(a);
        const auto right = tape.at(b);
        if (tape.asks(b) && !within_kernel) tape.saves_for_elements(a, part);
        if (tape.asks(a)) tape.saves_for_elements(b, part);
        tape.makes(to, left.elements, promoted(left.dtype, right.dtype));
        tape.remakes();
    }
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        list.push_back(elementwise("multiply", part, tape.at(to).elements, 1, 3));
    }
};

struct Dropout {
    Part part;
    double probability;  ///< the configuration's
    Label from, to;

    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto given = tape.at(from);
        const double p = tape.options().dropout < 0 ? probability : tape.options().dropout;
        if (!tape.gradients() || p <= 0) return tape.views(to, from, given.elements);
        tape.saves_copy("dropout_mask", part, given.elements, Dtype::boolean);
        tape.makes(to, given.elements, given.dtype);
    }
    /// Without a backward pass, or without probability, it is the same tensor.
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        const double p = tape.options().dropout < 0 ? probability : tape.options().dropout;
        if (tape.gradients() && p > 0) list.push_back(elementwise("dropout", part, tape.at(to).elements, 1, 2));
    }
};

struct Add {
    Part part;
    Label a, b, to;

    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto left = tape.at(a);
        const auto right = tape.at(b);
        tape.makes(to, left.elements, promoted(left.dtype, right.dtype));
        tape.shares_gradient(to, a);
        tape.shares_gradient(to, b);
    }
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        list.push_back(elementwise("add", part, tape.at(to).elements, 1, 3));
    }
};

struct Rope {
    Part part = Part::attention;
    Label from, to;
    bool casts_back = false;  ///< it runs in fp32, and what it gives is cast to the type of what it was given

    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto given = tape.at(from);
        const bool back = capabilities.training && casts_back;
        tape.makes(to, given.elements, back ? given.dtype : tape.widened(given.dtype));
    }
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        list.push_back(elementwise("rope", part, tape.at(to).elements, 3, 2));
    }
};

struct Split {
    Part part;
    Label from;
    struct Piece {
        Label to;
        Traced width;
    };
    std::vector<Piece> pieces;
    bool on_stream = false;  ///< of what lies between the products that tensor parallelism divides

    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void forward(Tape<N>& tape) const {
        const N tokens = on_stream ? tape.stream_tokens() : tape.pass().tokens;
        for (const Piece& piece : pieces) tape.views(piece.to, from, tokens * as<N>(piece.width));
    }
    template <class N>
    void costs(Tape<N>&, std::vector<Cost<N>>&) const {}
};

}  // namespace plimsoll
