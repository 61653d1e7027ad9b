/// How long a tape's tensors live, and what is alive at the fullest moment: the second half of tape.h, which includes
/// it.
#pragma once

#include "model/core/tape.h"

namespace plimsoll {

/// Bytes summed up by part, in lines that do not grow long: every eight terms of a part have a name of their own.
template <class N>
class SumsByPart {
public:
    void add(Part part, Label prefix, Label name, const Bytes<N>& bytes) {
        Sum& sum = sums_[static_cast<size_t>(part)];
        if (++sum.terms % 8 == 0) sum.bytes = {named({"more_of_", part_name(part)}, sum.bytes.n)};
        sum.bytes += Bytes<N>{named({prefix, name}, bytes.n)};
    }
    void add_to(Bytes<N>& total, Label prefix) const {
        for (size_t part = 0; part < part_count; ++part)
            if (value_of(sums_[part].bytes) > 0)
                total += Bytes<N>{named({prefix, part_name(static_cast<Part>(part))}, sums_[part].bytes.n)};
    }

private:
    struct Sum {
        Bytes<N> bytes{N(0)};
        int terms = 0;
    };
    std::array<Sum, part_count> sums_;
};

template <class N>
void Tape<N>::end() {
    if (!capabilities.training || !follows_) return;
    for (size_t each = before_.tensors; each < tensors_.size(); ++each) tensors_[each].differentiable = asked_;
    if (asked_) return;
    saved_.resize(before_.saved);
    backward_scratch_.resize(before_.backward_scratch);
    casts_.resize(before_.casts);
    cast_matrices_ = before_.cast_matrices;
    cast_vectors_ = before_.cast_vectors;
}

template <class N>
int Tape<N>::released(const Tensor& tensor) const {
    if (&tensor == &tensors_.front()) return steps() - 1;
    int end = tensor.dies;
    const bool argument = tensor.dies > tensor.born && parts_[tensor.born] != parts_[tensor.dies];
    while (argument && end + 1 < steps() && parts_[end + 1] == parts_[tensor.dies]) ++end;
    return end;
}

template <class N>
int Tape<N>::kept_until(const Saved& saved) const {
    if (saved.recomputed == Brackets::none) return steps() - 1;
    const int end = saved.storage == no_storage ? saved.first : released(tensors_[saved.storage]);
    const bool given_up = saved.storage != no_storage && brackets_.discards(saved.recomputed);
    return given_up && brackets_.from(saved.recomputed) > end ? brackets_.from(saved.recomputed) : end;
}

template <class N>
template <class Visit>
void Tape<N>::forward_lives(Visit visit) const {
    for (size_t each = 0; each < tensors_.size(); ++each) {
        const Tensor& tensor = tensors_[each];
        if (!owns_memory(tensor)) continue;
        const size_t kept = capabilities.training ? kept_as(each) : not_kept;
        const bool recomputed = kept != not_kept && saved_[kept].recomputed != Brackets::none;
        visit(Life{tensor.name, tensor.elements, tensor.dtype, tensor.born,
                   kept == not_kept ? released(tensor) : kept_until(saved_[kept]), each, kept, part_count, recomputed});
    }
    if (capabilities.training) visit_copies(visit);
    for (const Scratch& scratch : scratch_)
        visit(Life{"scratch", scratch.elements, scratch.dtype, scratch.step, scratch.step, no_storage, not_kept,
                   part_count, false, moments_of(scratch.apart, Moments::product)});
}

template <class N>
template <class Visit>
void Tape<N>::visit_copies(Visit visit) const {
    for (size_t each = 0; each < saved_.size(); ++each) {
        const Saved& saved = saved_[each];
        if (saved.storage == no_storage)
            visit(Life{saved.name, saved.elements, saved.dtype, saved.first, kept_until(saved), no_storage, each,
                       part_count, saved.recomputed != Brackets::none, moments_of(saved.apart)});
    }
    size_t kept = saved_.size();
    for (const Scratch& cast : casts_)
        visit(Life{"weight_casts", cast.elements, cast.dtype, cast.step, steps() - 1, no_storage, kept++, part_count,
                   false, moments_of(cast.apart)});
}

template <class N>
template <class Visit>
void Tape<N>::visit_recomputed_outputs(std::vector<int>& born, Visit visit) const {
    for (size_t each = 0; each < brackets_.all().size(); ++each) {
        const Brackets::Bracket& bracket = brackets_.all()[each];
        if (brackets_.discards(each)) continue;
        const Tensor& output = tensors_[bracket.output];
        if (bracket.first < born[bracket.output]) born[bracket.output] = bracket.first;
        bool saved = false;  // among what it keeps itself, and counted there
        for (const Saved& other : saved_)
            saved = saved || (other.storage == bracket.output && other.recomputed == each);
        if (!saved) visit(Life{output.name, output.elements, output.dtype, bracket.first, bracket.last});
    }
}

template <class N>
template <class Visit>
void Tape<N>::backward_lives(Gradients gradients, Visit visit) const {
    // a saved tensor is released when the first operation that keeps it has run backward
    size_t kept = 0;
    for (const Saved& saved : saved_) {
        const bool recomputed = saved.recomputed != Brackets::none;
        visit(Life{saved.name, saved.elements, saved.dtype, saved.first,
                   recomputed ? brackets_.from(saved.recomputed) : steps() - 1, no_storage, kept++,
                   static_cast<size_t>(saved.part), recomputed, moments_of(saved.apart)});
    }
    std::vector<int> born, dies;
    for (const Tensor& tensor : tensors_) born.push_back(tensor.born), dies.push_back(tensor.dies);
    visit_recomputed_outputs(born, visit);
    // a gradient lives from its last reader's product until its maker has run backward; a sum's is its terms' too
    const size_t given = gradient_of(output());
    for (size_t each = 0; each < tensors_.size(); ++each) {
        if (!tensors_[tensors_[each].storage].differentiable) continue;
        const size_t sum = gradient_of(each);
        if (born[each] < born[sum]) born[sum] = born[each];
        if (dies[each] > dies[sum]) dies[sum] = dies[each];
    }
    for (size_t each = 0; each < tensors_.size(); ++each) {
        const Tensor& tensor = tensors_[each];
        if (owns_memory(tensor) && tensor.gradient == each && tensor.differentiable)
            visit(Life{tensor.name, tensor.elements, tensor.dtype, born[each], dies[each], each, not_kept, part_count,
                       false, each == given ? Moments::both : Moments::product});
    }
    for (const Scratch& scratch : backward_scratch_)
        visit(Life{"operation", scratch.elements, scratch.dtype, scratch.step, scratch.step, no_storage, not_kept,
                   part_count, false, moments_of(scratch.apart, Moments::product)});
    for (const Scratch& cast : casts_)  // autocast's cache is emptied where its context ends, before the backward pass
        visit(Life{"weight_casts", cast.elements, cast.dtype, cast.step,
                   cast.bracket == Brackets::none ? steps() - 1 : brackets_.from(cast.bracket), no_storage, kept++,
                   part_count, false, moments_of(cast.apart)});
    if (gradients == Gradients::left_out) return;
    for (const Scratch& own : trained_) {
        const bool stay = gradients == Gradients::stay;
        visit(Life{"parameters", own.elements, own.dtype, stay ? 0 : own.step, own.step, no_storage, not_kept, trained,
                   false, moments_of(own.apart && !stay, own.apart ? Moments::both : Moments::product)});
    }
}

template <class N>
template <class Lifetimes>
int Tape<N>::fullest(Lifetimes lifetimes, double matrix) const {
    const int moments = product_of(steps());
    std::vector<double> change(static_cast<size_t>(moments) + 1, 0);
    lifetimes([&change](const Life& life) {
        const double bytes = value_of(life.elements) * value_of(bytes_of<double>(life.dtype));
        change[static_cast<size_t>(life.first_moment())] += bytes;
        change[static_cast<size_t>(life.last_moment()) + 1] -= bytes;
    });
    int best = 0;
    double live = 0, most = -1;
    for (int moment = 0; moment < moments; ++moment) {
        live += change[static_cast<size_t>(moment)];
        const double there = is_product(moment) ? live + matrix : live;
        if (there > most) best = moment, most = there;
    }
    return best;
}

template <class N>
typename Tape<N>::Peak Tape<N>::forward_peak(double matrix) const {
    const int moment = fullest([this](auto visit) { this->forward_lives(visit); }, matrix);
    Bytes<N> live{N(0)};
    forward_lives([&live, moment](const Life& life) {
        if (life.there(moment)) live += Bytes<N>{named(life.name, (life.elements * bytes_of<N>(life.dtype)).n)};
    });
    return {live, is_product(moment)};
}

template <class N>
typename Tape<N>::Peak Tape<N>::keeping_peak(double matrix) const {
    const auto lives = [this](auto visit) { this->forward_lives(visit); };
    const int moment = fullest(lives, matrix);
    SumsByPart<N> sums;
    lives([&](const Life& life) {
        if (life.there(moment))
            sums.add(parts_[static_cast<size_t>(life.first)], "", life.name, life.elements * bytes_of<N>(life.dtype));
    });
    Bytes<N> live{N(0)};
    sums.add_to(live, "alive_in_");
    return {live, is_product(moment)};
}

template <class N>
typename Tape<N>::Peak Tape<N>::backward_peak(Gradients mode, double matrix, Bytes<N>* parameters) const {
    const auto lifetimes = [this, mode](auto visit) { this->backward_lives(mode, visit); };
    const int moment = fullest(lifetimes, matrix);
    SumsByPart<N> kept, gradients, own;
    lifetimes([&](const Life& life) {
        if (!life.there(moment)) return;
        const Bytes<N> bytes = life.elements * bytes_of<N>(life.dtype);
        const Part at = parts_[static_cast<size_t>(life.part == trained ? life.last : life.first)];
        if (life.part < part_count)
            kept.add(static_cast<Part>(life.part), "kept_", life.name, bytes);
        else
            (life.part == trained ? own : gradients).add(at, "gradient_of_", life.name, bytes);
    });
    Bytes<N> live{N(0)};
    kept.add_to(live, "layer_kept_for_");
    gradients.add_to(live, "gradients_in_");
    if (parameters) own.add_to(*parameters, "parameters_in_");
    return {live, is_product(moment)};
}

}  // namespace plimsoll
