/// A training step as a list of tensors over time: each class of equal tensors with its size and its row, and how many
/// of them there are at each moment. The rows of a phase are the list at the phase's fullest moment.
#pragma once

#include <algorithm>
#include <array>

#include "estimate/ledger/step_record.h"
#include "estimate/training/timeline/groups.h"
#include "model/core/model.h"

namespace plimsoll {

/// The row that shows a tensor, above the group that it is counted in.
enum class StepRow : unsigned char { gradients, activations, logits, temporaries, communication };

/// What there is at one moment of a training step.
template <class N>
struct Moment {
    Bytes<N> gradients{N(0)};
    Groups<N> activations, logits;
    Bytes<N> temporaries{N(0)};  ///< of the optimizer, where it steps parameters in the backward pass
    Groups<N> communication = {};
};

/// How a number of equal tensors explains itself.
struct Counted {
    const LayerKind* kind = nullptr;  ///< each layer of a kind has one; null: each micro-batch does
    /// Before the kind's name: `finished_`; without a kind, all of the name.
    const char* what = "micro_batches_under_way";
    const char* source = "the pipeline's schedule";
};

/// `count` as a number that explains itself: of all layers of a kind, once or for several micro-batches.
template <class N>
N number_of(const Counted& counted, double count) {
    if (count <= 1) return N(count);
    if (!counted.kind) return input<N>(counted.what, count, counted.source);
    const double layers = counted.kind->count.value(), times = rounded_down(count / layers);
    if (times * layers != count)
        return input<N>({counted.what, counted.kind->name, "s"}, count, "layers at the fullest moment of this phase");
    if (times == 1) return as<N>(counted.kind->count);
    return input<N>("micro_batches_under_way", times, "the pipeline's schedule") * as<N>(counted.kind->count);
}

/// Equal tensors, or tensors that come and go together.
template <class N>
struct TensorClass {
    StepRow row;
    RowId::Known id;  ///< the group in that row
    Bytes<N> each;
    Counted counted;
};

template <class N>
class Timeline {
public:
    /// Classes that come and go together: they are declared one after the other.
    struct Bundle {
        size_t begin = 0, end = 0;
        bool empty() const { return begin == end; }
    };

    Bundle declare(StepRow row, RowId::Known id, const Bytes<N>& each, Counted counted = {}) {
        if (value_of(each) == 0) return {};
        classes_.push_back({row, id, each, counted});
        sizes_.push_back(value_of(each)), held_.push_back(0), passing_.push_back(0);
        return {classes_.size() - 1, classes_.size()};
    }
    Bundle declare(StepRow row, const Groups<N>& groups, Counted counted = {}) {
        const size_t begin = classes_.size();
        for (const Group<N>& group : groups.list()) declare(row, group.id, group.bytes, counted);
        return {begin, classes_.size()};
    }
    void hold(const Bundle& bundle, double count = 1) {
        for (size_t each = bundle.begin; each < bundle.end; ++each) held_[each] += count;
    }
    void release(const Bundle& bundle, double count = 1) { hold(bundle, -count); }
    void release_all(const Bundle& bundle) {
        for (size_t each = bundle.begin; each < bundle.end; ++each) held_[each] = 0;
    }
    /// Only at the next moment.
    void during(const Bundle& bundle, double count = 1) {
        for (size_t each = bundle.begin; each < bundle.end; ++each) passing_[each] += count;
    }
    /// All that is held, and what was named for this moment. `or_equal`: of equally full ones, the last is shown.
    void moment(Phase phase, const StepMoment& at, bool or_equal = false) {
        const double total = add_held();
        Fullest& most = fullest_[static_cast<size_t>(phase)];
        if (!most.is_known || total > most.total || (or_equal && total == most.total)) most = {true, total, passing_};
        if (record_) record_->moments.push_back({at, phase, total, passing_});
        std::fill(passing_.begin(), passing_.end(), 0.0);
    }
    /// The fullest moment of a phase.
    Moment<N> fullest(Phase phase) const {
        Moment<N> moment;
        const std::vector<double>& counts = fullest_[static_cast<size_t>(phase)].counts;
        for (size_t index = 0; index < counts.size(); ++index)
            if (counts[index] > 0) add(moment, classes_[index], counts[index]);
        return moment;
    }
    /// From now on, each moment is written down. `logits`: the row that shows those; of vectors, `loss`.
    void record(StepRecord& record, RowId::Known logits) {
        record_ = &record;
        for (const TensorClass<N>& each : classes_)
            record.tensors.push_back(
                {each.row == StepRow::logits ? logits : row_of(each.row), each.id, value_of(each.each)});
    }

private:
    static constexpr size_t phases = static_cast<size_t>(Phase::step) + 1;
    struct Fullest {
        bool is_known = false;
        double total = 0;
        std::vector<double> counts;
    };

    // What is held joins what was named for the moment; the bytes of all. Two sums, since one would wait for itself.
    double add_held() {
        double even = 0, odd = 0;
        const size_t count = sizes_.size(), pairs = count - count % 2;
        const auto bytes = [this](size_t each) {
            passing_[each] += held_[each];
            return passing_[each] * sizes_[each];
        };
        for (size_t each = 0; each < pairs; each += 2) {
            even += bytes(each);
            odd += bytes(each + 1);
        }
        if (pairs < count) even += bytes(pairs);
        return even + odd;
    }

    static RowId::Known row_of(StepRow row) {
        switch (row) {
            case StepRow::gradients: return RowId::gradients;
            case StepRow::activations: return RowId::activations;
            case StepRow::logits: return RowId::logits;
            case StepRow::temporaries: return RowId::optimizer;
            case StepRow::communication: return RowId::communication;
        }
        return RowId::activations;
    }
    static void add(Moment<N>& moment, const TensorClass<N>& tensors, double count) {
        const Bytes<N> bytes = number_of<N>(tensors.counted, count) * tensors.each;
        switch (tensors.row) {
            case StepRow::gradients: moment.gradients += bytes; break;
            case StepRow::activations: moment.activations.add(tensors.id, bytes); break;
            case StepRow::logits: moment.logits.add(tensors.id, bytes); break;
            case StepRow::temporaries: moment.temporaries += bytes; break;
            case StepRow::communication: moment.communication.add(tensors.id, bytes); break;
        }
    }

    std::vector<TensorClass<N>> classes_;
    std::vector<double> sizes_;            ///< by class, bytes of one
    std::vector<double> held_, passing_;   ///< by class, how many there are; and of the next moment
    std::array<Fullest, phases> fullest_;  ///< by phase
    StepRecord* record_ = nullptr;
};

}  // namespace plimsoll
