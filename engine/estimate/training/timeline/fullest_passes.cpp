// Passes beside which another one is fuller in every piece.
#include "estimate/training/timeline/fullest_passes.h"

namespace plimsoll {
namespace {

class Before {
public:
    Before(const std::vector<PiecePass>& passes, size_t pieces) : pieces_(pieces) {
        std::vector<size_t> now(pieces, 0);
        std::vector<bool> has_come(pieces, false);
        size_t come = 0;
        counts_.reserve(passes.size() * pieces);
        for (const PiecePass& pass : passes) {
            counts_.insert(counts_.end(), now.begin(), now.end());
            come_.push_back(come);
            now[pass.piece] += pass.is_forward ? size_t{1} : static_cast<size_t>(-1);
            if (pass.is_forward || has_come[pass.piece]) continue;
            has_come[pass.piece] = true;
            ++come;
        }
    }
    /// Pieces whose gradients have come: always the same ones, in the schedule's order.
    size_t come(size_t pass) const { return come_[pass]; }
    /// Whether each piece has as many under way as before another pass, or more.
    bool covers(size_t pass, size_t other) const {
        for (size_t piece = 0; piece < pieces_; ++piece)
            if (counts_[pass * pieces_ + piece] < counts_[other * pieces_ + piece]) return false;
        return true;
    }

private:
    size_t pieces_;
    std::vector<size_t> counts_, come_;  ///< by pass and piece; by pass
};

}  // namespace

std::vector<bool> may_be_fullest(const std::vector<PiecePass>& passes, size_t pieces) {
    const size_t none = passes.size();
    const Before before(passes, pieces);
    std::vector<bool> may(passes.size(), true);
    std::vector<size_t> forward(pieces * (pieces + 1), none), backward = forward;
    const auto compare = [&](size_t pass, std::vector<size_t>& fullest) {
        size_t& known = fullest[before.come(pass) * pieces + passes[pass].piece];
        if (known != none && before.covers(known, pass))
            may[pass] = false;
        else
            known = pass;
    };
    for (size_t pass = none; pass-- > 0;)
        if (passes[pass].is_forward) compare(pass, forward);
    for (size_t pass = 0; pass < none; ++pass)
        if (!passes[pass].is_forward) compare(pass, backward);
    return may;
}

}  // namespace plimsoll
