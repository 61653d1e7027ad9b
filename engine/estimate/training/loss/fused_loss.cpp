#include "estimate/training/loss/fused_loss.h"

namespace plimsoll {
namespace {

using Kind = MemoryEvent::Kind;

class Turns {
public:
    Turns(const FusedChunk<double>& chunk, FusedLoss version) : chunk_(chunk), version_(version) {}

    FusedLossEvents take() {
        for (double turn = 0; turn < chunk_.turns; ++turn) one();
        free(logits_), free(gradient_);
        return std::move(made_);
    }

private:
    static constexpr size_t none = static_cast<size_t>(-1);

    size_t make(double bytes) {
        if (bytes == 0) return none;
        made_.events.push_back({Kind::makes, made_.slots, bytes});
        return made_.slots++;
    }
    void free(size_t& slot) {
        if (slot != none) made_.events.push_back({Kind::frees, slot});
        slot = none;
    }
    void passing(double bytes) {
        size_t slot = make(bytes);
        free(slot);
    }
    // A variable gets a new value, which is made before the old one goes.
    void replace(size_t& slot, double bytes) {
        size_t before = slot;
        slot = make(bytes);
        free(before);
    }

    void one() {
        replace(logits_, chunk_.logits.n);
        if (version_ == FusedLoss::upcast) {
            if (chunk_.upcast.n > 0) replace(logits_, chunk_.upcast.n), replace(logits_, chunk_.logits.n);
            replace(gradient_, chunk_.logits.n);
        }
        passing(chunk_.hidden.n);
        if (version_ != FusedLoss::apart || chunk_.matrix.n == 0) return;
        size_t product = make(chunk_.matrix.n), wide = make(chunk_.matrix_fp32.n);
        free(product), free(wide);
    }

    const FusedChunk<double>& chunk_;
    FusedLoss version_;
    FusedLossEvents made_;
    size_t logits_ = none, gradient_ = none;
};

}  // namespace

FusedLossEvents events_of_turns(const FusedChunk<double>& chunk, FusedLoss version) {
    return Turns(chunk, version).take();
}

}  // namespace plimsoll
