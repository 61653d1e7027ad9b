// OFT: before its product a frozen layer turns its input, a block of channels at a time, by learned orthogonal matrices.
//
//     from [tokens, in] ──× R [in / block, block, block]──▶ W(rotated) [tokens, out]
//     R follows from `block · (block − 1) / 2` trained entries of a skew-symmetric Q by five terms of a series
//     (Cayley, Neumann): I + 2Q + 2Q² + 2Q³ + Q⁴.
//     saves: its input as R's product reads it (shared where that is the tensor itself), Q, Q², Q³ and R in the adapter's
//     type; under autocast, where each is cast anew for the product that reads it, seven such matrices in 16 bits.
//     Entries are placed by two lists of indices (int64), which stay beside them.
//     (PEFT: tuners/oft/layer.py, OFTRotationModule.forward, Linear.forward; tests/measured/training_autograd_more.jsonl)
#pragma once

#include "model/core/adapters.h"
#include "model/core/operation.h"

namespace plimsoll {

struct Rotation {
    static constexpr const char* weight = "oft_R";

    Label name;
    Part part;
    Traced in;

    /// Channels that are turned together: as asked, or the nearest divisor of all, the smaller of two as near.
    /// (PEFT, OFTLayer.adjust_oft_parameters)
    static double nearest_divisor(double asked, double in) {
        for (double away = 0; away < in; ++away)
            for (const double block : {asked - away, asked + away})
                if (block >= 1 && block <= in && is_multiple(in, block)) return block;
        return in;
    }
    template <class N>
    [[gnu::noinline]] N block(const Adapter& adapter) const {
        const double nearest = nearest_divisor(adapter.block, in.value());
        if (nearest == adapter.block) return input<N>("oft_block_size", nearest, "request: training.oft.block_size");
        return input<N>({"oft_block_size_of_", name}, nearest, "PEFT: the divisor of its inputs next to what is asked");
    }
    /// Trained entries of one block.
    template <class N>
    [[gnu::noinline]] N entries(const Adapter& adapter) const {
        const N side = block<N>(adapter);
        return side * (side - N(1)) / N(2);
    }
    template <class N>
    N elements(const Adapter& adapter) const {
        return as<N>(in) * (block<N>(adapter) - N(1)) / N(2);
    }
    template <class N>
    void weights(const Adapter& adapter, std::vector<Weight<N>>& list) const {
        list.push_back({weight, part, as<N>(in) / block<N>(adapter), entries<N>(adapter), N(1)});
    }

    /// What turning `given` keeps and works in, before a product that makes `made` elements of the compute type.
    template <class N, class Tensor>
    [[gnu::noinline]] void turn(Tape<N>& tape, const Tensor& given, const Label& from, const N& made) const {
        const Adapter& adapter = *tape.options().adapter;
        const Dtype product = tape.compute(adapter.dtype);
        if (tape.gradients()) keep(tape, given, from, product);
        const N inputs = given.elements;
        const Bytes<N> own = bytes_of<N>(adapter.dtype), read = bytes_of<N>(product), back = bytes_of<N>(given.dtype);
        const bool casts = given.dtype != adapter.dtype;
        // what was turned, and that in the input's type
        const Bytes<N> during = inputs * (casts ? own + back : back);
        // blocks of channels, turned, and both in order; under autocast in 16 bits, and then as they came
        Bytes<N> turning = inputs * (product == adapter.dtype ? N(2) * own : N(2) * read + own);
        if (casts && (product != adapter.dtype || !tape.gradients())) turning = turning + inputs * own;
        const Bytes<N> result = made * bytes_of<N>(tape.compute(given.dtype));
        const bool first = value_of(turning) > value_of(during) + value_of(result);
        tape.scratch_bytes(first ? turning - result : during);
        tape.scratch_bytes_backward(inputs * (own + read - back));
        tape.trains(elements<N>(adapter), adapter.dtype);
    }

private:
    template <class N, class Tensor>
    void keep(Tape<N>& tape, const Tensor& given, const Label& from, Dtype product) const {
        const Adapter& adapter = *tape.options().adapter;
        const bool as_given = given.dtype == adapter.dtype && product == adapter.dtype;
        if (tape.options().compiled || as_given)
            tape.saves(from, part);
        else
            tape.saves_copy("adapter_cast_input", part, given.elements, product);
        const N matrices{product == adapter.dtype ? 4.0 : 7.0};
        tape.saves_copy("oft_matrices", part, matrices * as<N>(in) * block<N>(adapter), product);
    }
};

}  // namespace plimsoll
