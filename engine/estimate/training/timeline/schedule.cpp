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

std::vector<Turn> turns_of(const std::vector<PiecePass>& passes, const std::vector<PlannedLayer>& plan,
                           const StagePlace& place) {
    std::vector<Turn> all;
    PassTurns turns(plan, place);
    for (const PiecePass& pass : passes) {
        const std::vector<Turn>& more = turns.of(pass);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

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

std::vector<PiecePass> passes_of_step(const TrainingInputs& inputs) {
    const TrainingLayout& layout = inputs.layout;
    const double accumulation = inputs.request.batch.accumulation;
    const size_t stages = static_cast<size_t>(layout.pipeline), pieces = inputs.place.pieces();
    const double each = static_cast<double>(pieces);
    const size_t first = static_cast<size_t>(std::round(layout.in_flight(inputs.place.stage, accumulation) * each));
    const double differ = pieces > 1
                              ? layout.pipeline * std::ceil(static_cast<double>(first + 1) / each / layout.pipeline)
                              : static_cast<double>(first + 1);
    const size_t micro_batches = static_cast<size_t>(std::min(accumulation, differ)), numbers = micro_batches * pieces;
    std::vector<PiecePass> passes;
    passes.reserve(2 * numbers);
    bool later = false;
    const auto forward = [&](size_t number) {
        const NumberedPass pass = pass_of(number, stages, pieces, micro_batches);
        passes.push_back({true, pass.piece, pass.micro_batch, later});
    };
    for (size_t number = 0; number < first; ++number) forward(number);
    for (size_t number = 0; number < numbers; ++number) {
        const NumberedPass pass = pass_of(number, stages, pieces, micro_batches);
        const size_t piece = pieces - 1 - pass.piece;
        passes.push_back({false, piece, pass.micro_batch, later});
        later = later || piece == 0;
        if (first + number < numbers) forward(first + number);
    }
    return passes;
}

const std::vector<Turn>& PassTurns::of(const PiecePass& pass) {
    turns_.clear();
    pass.is_forward ? forward(pass) : backward(pass);
    return turns_;
}

void PassTurns::forward(const PiecePass& pass) {
    add(pass, Work::begin);
    if (has_beginning(pass)) add(pass, Work::embedding);
    for (size_t position = begins_[pass.piece]; position < begins_[pass.piece + 1]; ++position)
        add(pass, Work::layer, position);
    add(pass, Work::head), add(pass, Work::loss);
}

void PassTurns::backward(const PiecePass& pass) {
    const size_t from = begins_[pass.piece];
    add(pass, Work::loss_backward), add(pass, Work::head_backward);
    for (size_t end = begins_[pass.piece + 1]; end > from && plan_[end - 1].trained; end = chunk_backward(pass, end)) {
    }
    if (has_beginning(pass)) add(pass, Work::embedding_backward);
    add(pass, Work::end);
}

// The layers of a chunk that ends before `end`; where it began.
size_t PassTurns::chunk_backward(const PiecePass& pass, size_t end) {
    const size_t begin = plan_[end - 1].chunk_begin;
    if (plan_[end - 1].recomputed == Recomputed::layer)
        for (size_t position = begin; position < end; ++position) add(pass, Work::recompute, position);
    for (size_t position = end; position > begin; --position) add(pass, Work::layer_backward, position - 1);
    return begin;
}

void PassTurns::add(const PiecePass& pass, Work work, size_t position) {
    turns_.push_back({work, pass.piece, position, pass.micro_batch, pass.later});
}

std::vector<Turn> turns_of_step(const std::vector<PlannedLayer>& plan, const TrainingInputs& inputs) {
    return turns_of(passes_of_step(inputs), plan, inputs.place);
}

std::vector<Turn> turns_of_micro_batch(const std::vector<PlannedLayer>& plan, const TrainingInputs& inputs) {
    std::vector<PiecePass> passes;
    for (size_t piece = 0; piece < inputs.place.pieces(); ++piece) passes.push_back({true, piece, 0});
    for (size_t piece = inputs.place.pieces(); piece > 0; --piece) passes.push_back({false, piece - 1, 0});
    return turns_of(passes, plan, inputs.place);
}

}  // namespace plimsoll
