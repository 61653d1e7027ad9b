// The order of a training step's turns on one stage.
#include "estimate/training/timeline/schedule.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

// The piece of a stage, and the micro-batch, that the pass of a number runs.
struct NumberedPass {
    size_t piece, micro_batch;
};

NumberedPass pass_of(size_t pass, size_t stages, size_t pieces, size_t micro_batches) {
    const size_t group = pass / (stages * pieces), in_group = std::min(stages, micro_batches - group * stages);
    const size_t within = pass - group * stages * pieces;
    return {within / in_group, group * stages + within % in_group};
}

class Turns {
public:
    Turns(const std::vector<PlannedLayer>& plan, const TrainingInputs& inputs)
        : plan_(plan), place_(inputs.place), begins_(piece_begins(inputs.place.parts, plan.size())) {}

    void forward(size_t piece, size_t micro_batch) {
        piece_ = piece, micro_batch_ = micro_batch;
        add(Work::begin);
        if (begins()) add(Work::embedding);
        for (size_t position = from(); position < until(); ++position) add(Work::layer, position);
        add(Work::head), add(Work::loss);
    }
    void backward(size_t piece, size_t micro_batch) {
        piece_ = piece, micro_batch_ = micro_batch;
        add(Work::loss_backward), add(Work::head_backward);
        for (size_t end = until(); end > from() && plan_[end - 1].trained; end = chunk_backward(end)) {
        }
        if (begins()) add(Work::embedding_backward);
        add(Work::end);
        later_ = later_ || piece == 0;
    }
    std::vector<Turn> take() { return std::move(turns_); }
    size_t pieces() const { return begins_.size() - 1; }

private:
    bool begins() const { return place_.first && piece_ == 0; }
    size_t from() const { return begins_[piece_]; }
    size_t until() const { return begins_[piece_ + 1]; }
    // The layers of a chunk that ends before `end`; where it began.
    size_t chunk_backward(size_t end) {
        const size_t begin = plan_[end - 1].chunk_begin;
        if (plan_[end - 1].recomputed == Recomputed::layer)
            for (size_t position = begin; position < end; ++position) add(Work::recompute, position);
        for (size_t position = end; position > begin; --position) add(Work::layer_backward, position - 1);
        return begin;
    }
    void add(Work work, size_t position = 0) { turns_.push_back({work, piece_, position, micro_batch_, later_}); }

    const std::vector<PlannedLayer>& plan_;
    const StagePlace& place_;
    std::vector<size_t> begins_;  ///< of its pieces, and their end
    size_t piece_ = 0, micro_batch_ = 0;
    bool later_ = false;
    std::vector<Turn> turns_;
};

}  // namespace

const char* text_of(Work work) {
    switch (work) {
        case Work::begin: return "begin";
        case Work::embedding: return "embedding";
        case Work::layer: return "layer";
        case Work::head: return "head";
        case Work::loss: return "loss";
        case Work::loss_backward: return "loss_backward";
        case Work::head_backward: return "head_backward";
        case Work::recompute: return "recompute";
        case Work::layer_backward: return "layer_backward";
        case Work::embedding_backward: return "embedding_backward";
        case Work::end: return "end";
    }
    return "";
}

std::vector<Turn> turns_of_step(const std::vector<PlannedLayer>& plan, const TrainingInputs& inputs) {
    const TrainingLayout& layout = inputs.layout;
    const double accumulation = inputs.request.batch.accumulation;
    Turns turns(plan, inputs);
    const size_t stages = static_cast<size_t>(layout.pipeline), pieces = turns.pieces();
    const double each = static_cast<double>(pieces);
    const size_t first = static_cast<size_t>(std::round(layout.in_flight(inputs.place.stage, accumulation) * each));
    const double differ = pieces > 1
                              ? layout.pipeline * std::ceil(static_cast<double>(first + 1) / each / layout.pipeline)
                              : static_cast<double>(first + 1);
    const size_t micro_batches = static_cast<size_t>(std::min(accumulation, differ)), passes = micro_batches * pieces;
    const auto forward = [&](size_t number) {
        const NumberedPass pass = pass_of(number, stages, pieces, micro_batches);
        turns.forward(pass.piece, pass.micro_batch);
    };
    for (size_t number = 0; number < first; ++number) forward(number);
    for (size_t number = 0; number < passes; ++number) {
        const NumberedPass pass = pass_of(number, stages, pieces, micro_batches);
        turns.backward(pieces - 1 - pass.piece, pass.micro_batch);
        if (first + number < passes) forward(first + number);
    }
    return turns.take();
}

std::vector<Turn> turns_of_micro_batch(const std::vector<PlannedLayer>& plan, const TrainingInputs& inputs) {
    Turns turns(plan, inputs);
    for (size_t piece = 0; piece < turns.pieces(); ++piece) turns.forward(piece, 0);
    for (size_t piece = turns.pieces(); piece > 0; --piece) turns.backward(piece - 1, 0);
    return turns.take();
}

}  // namespace plimsoll
