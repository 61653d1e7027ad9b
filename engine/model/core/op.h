/// One operation of a block, whatever its kind: a value that answers for the mathematics that it holds. What copies it,
/// destroys it and asks it is compiled once (op.cpp), and not in every architecture.
#pragma once

#include <concepts>
#include <utility>
#include <variant>
#include <vector>

#include "model/operations/attention.h"
#include "model/operations/compressed_attention.h"
#include "model/operations/cross_attention.h"
#include "model/operations/elementwise.h"
#include "model/operations/experts.h"
#include "model/operations/fused_kernel.h"
#include "model/operations/head_exchange.h"
#include "model/operations/latent_attention.h"
#include "model/operations/linear.h"
#include "model/operations/lookup.h"
#include "model/operations/norm.h"
#include "model/operations/recurrence.h"
#include "model/operations/short_convolution.h"

namespace plimsoll {

/// Every kind of mathematics that a block may hold.
using Mathematics = std::variant<Linear, Norm, Attention, Activation, Multiply, Dropout, Add, Rope, Split, Lookup,
                                 Experts, LatentAttention, CompressedAttention, CrossAttention, FusedKernel, Recurrence,
                                 ShortConvolution, HeadExchange>;

template <class... T>
constexpr bool all_answer(const std::variant<T...>*) {
    return (Operation<T> && ...);
}
static_assert(all_answer(static_cast<const Mathematics*>(nullptr)), "an operation leaves a question unanswered");

class Op {
public:
    template <class T>
    requires(!std::same_as<T, Op>) Op(T mathematics);
    Op(const Op& other);
    Op(Op&& other) noexcept : mathematics_(std::exchange(other.mathematics_, nullptr)) {}
    Op& operator=(Op other) noexcept {
        std::swap(mathematics_, other.mathematics_);
        return *this;
    }
    ~Op();

    /// The part of the model that it belongs to.
    Part part() const;
    /// Appends its weights; see `Operation` for this and what follows.
    template <class N>
    void weights(std::vector<Weight<N>>& list) const;
    /// Writes to `tape` what one pass makes, and what autograd keeps of it.
    template <class N>
    void forward(Tape<N>& tape) const;
    /// Appends what generation keeps.
    template <class N>
    void keeps(std::vector<Kept<N>>& list) const;
    /// Appends what its forward pass, which `tape` has just run, takes of a device.
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const;

    template <class T>
    bool is() const {
        return std::holds_alternative<T>(*mathematics_);
    }
    /// The mathematics itself; null where it is of another kind.
    template <class T>
    const T* as() const {
        return std::get_if<T>(std::as_const(mathematics_));
    }
    template <class T>
    T* as() {
        return std::get_if<T>(mathematics_);
    }
    /// Calls `visitor` with the mathematics itself.
    template <class Visitor>
    decltype(auto) visit(Visitor&& visitor) const {
        return std::visit(std::forward<Visitor>(visitor), std::as_const(*mathematics_));
    }
    template <class Visitor>
    decltype(auto) visit(Visitor&& visitor) {
        return std::visit(std::forward<Visitor>(visitor), *mathematics_);
    }

private:
    Mathematics* mathematics_;  ///< its own; null once it has been moved from
};

}  // namespace plimsoll
