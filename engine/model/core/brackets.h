/// Stretches of a pass that checkpointing leaves nothing of and recomputes in the backward pass, as Megatron-LM does
/// with named modules of a layer.
///
///     normal      x ──[ a ──▶ b ]──▶ y    keeps x; y is kept by whoever needs it. All between, and a second y, come
///                                         recomputed when the gradient of y is there; both stay until the bracket's own
///                                         backward pass has ended, for the function that runs it refers to them
///     discarding  x ──[ a ──▶ b ]──▶ y    keeps x; y goes, too, once the operation at `hook` has run, and is recomputed
///                                         with all between when the gradient of that operation's output is there
///
/// Source: Megatron-LM, core/tensor_parallel/random.py (CheckpointFunction, CheckpointWithoutOutput); which module is
/// which, core/transformer/transformer_config.py (recompute_modules).
#pragma once

#include <cstddef>
#include <vector>

#include "inputs/workload.h"

namespace plimsoll {

/// The brackets of one pass over a block; a bracket may stand within another.
class Brackets {
public:
    static constexpr size_t none = static_cast<size_t>(-1);
    static constexpr int no_hook = -1;
    struct Bracket {
        size_t around;    ///< the bracket that it stands in
        int first, last;  ///< operations
        int hook;         ///< of a discarding one; else `no_hook`
        size_t output;    ///< the tensor that it gives
    };

    /// Steps are operations. A discarding bracket is opened again where another stretch has its hook.
    void enter(int step, int hook);
    void leave(int step, size_t output);
    size_t open() const { return open_; }
    const std::vector<Bracket>& all() const { return all_; }

    bool within(size_t inner, size_t outer) const;
    /// With which bracket a tensor that was made in `maker` is recomputed for one who keeps it in `reader`; none: it stays.
    size_t recomputed_by(size_t maker, size_t reader) const;
    /// The step of the backward pass at which a bracket is recomputed.
    int from(size_t bracket) const { return discards(bracket) ? all_[bracket].hook : all_[bracket].last; }
    bool discards(size_t bracket) const { return all_[bracket].hook != no_hook; }

private:
    std::vector<Bracket> all_;
    size_t open_ = none;
};

}  // namespace plimsoll
