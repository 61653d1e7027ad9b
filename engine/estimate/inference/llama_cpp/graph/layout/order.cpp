#include "estimate/inference/llama_cpp/graph/layout/order.h"

#include <algorithm>
#include <span>

namespace plimsoll::llama_cpp {
namespace {

constexpr size_t looks_ahead = 20, routes_ahead = 15, stores_ahead = 10;

// Sequences that one shader runs: the choice of experts in its four forms, a rotated key on its way to the cache, and
// what is normed on its way to a sum.
constexpr Op normed_choice[] = {Op::soft_max, Op::reshape,  Op::argsort, Op::view, Op::get_rows,
                                Op::reshape,  Op::sum_rows, Op::clamp,   Op::div,  Op::reshape};
constexpr Op biased_choice[] = {Op::unary,   Op::reshape,  Op::add,   Op::argsort, Op::view,   Op::get_rows,
                                Op::reshape, Op::sum_rows, Op::clamp, Op::div,     Op::reshape};
constexpr Op late_choice[] = {Op::argsort, Op::view, Op::get_rows, Op::reshape, Op::soft_max, Op::reshape};
constexpr Op normed_store[] = {Op::rms_norm, Op::mul, Op::rope, Op::view, Op::set_rows};
constexpr Op normed_sum[] = {Op::rms_norm, Op::mul, Op::add};
using Pattern = std::span<const Op>;
const Pattern patterns[] = {Pattern(normed_choice), Pattern(biased_choice), Pattern(normed_choice, 5),
                            Pattern(late_choice),   Pattern(normed_store),  Pattern(normed_store + 2, 3),
                            Pattern(normed_sum)};

// Pairs of which the second may directly follow the first although it reads it.
constexpr std::pair<Op, Op> fused[] = {{Op::rms_norm, Op::mul},   {Op::mul_mat, Op::add}, {Op::mul_mat_id, Op::add_id},
                                       {Op::mul_mat_id, Op::mul}, {Op::add, Op::add},     {Op::ssm_conv, Op::add},
                                       {Op::ssm_conv, Op::unary}, {Op::unary, Op::mul}};

class Order {
public:
    Order(Graph& graph, const std::vector<Id>& nodes)
        : graph_(graph), nodes_(nodes), used_(nodes.size()), done_(graph.tensors.size()) {}

    std::vector<Id> run() {
        while (first_ < nodes_.size()) {
            current_.clear();
            if (const size_t length = kept_sequence(first_)) {
                keep(length);
            } else {
                draw();
            }
            for (const size_t at : current_) {
                made_.push_back(nodes_[at]);
                done_[static_cast<size_t>(nodes_[at])] = used_[at] = true;
            }
            if (needed_ != nothing) keep_alive();
            while (first_ < nodes_.size() && used_[first_]) ++first_;
        }
        return std::move(made_);
    }

private:
    const Tensor& node(size_t at) const { return graph_[nodes_[at]]; }
    size_t within(size_t ahead) const { return std::min(ahead, nodes_.size()); }

    /// Draws a sequence as it stands. A shader that chooses experts reads the scores to its end.
    void keep(size_t length) {
        for (size_t at = first_; at < first_ + length; ++at) current_.push_back(at);
        const Op op = node(first_).op;
        if (op != Op::soft_max && op != Op::unary && op != Op::argsort) return;
        needed_ = node(first_).sources[0];
        if (first_ + length < nodes_.size() && node(first_ + length).op == Op::scale)
            current_.push_back(first_ + length);
    }
    void keep_alive() {
        Tensor tensor = graph_[needed_];
        tensor.op = Op::none;
        tensor.view = graph_.base(needed_);
        tensor.sources = {needed_, nothing, nothing, nothing, nothing, nothing, nothing};
        made_.push_back(graph_.append(tensor));
        needed_ = nothing;
    }

    /// Length of the pattern that starts here, or 0.
    size_t kept_sequence(size_t start) const {
        for (const Pattern pattern : patterns) {
            size_t at = 0;
            while (at < pattern.size() && start + at < nodes_.size() && node(start + at).op == pattern[at] &&
                   !used_[start + at])
                ++at;
            if (at == pattern.size()) return at;
        }
        return 0;
    }

    bool reads(const Tensor& tensor, Id base) const {
        for (const Id source : tensor.sources)
            if (source != nothing && graph_.base(source) == base) return true;
        return false;
    }

    /// The later node reads the earlier's result, writes where that one reads, or shows the same data.
    bool depends(size_t later, size_t earlier) const {
        const Tensor &after = node(later), &before = node(earlier);
        for (const Id source : after.sources)
            if (source == nodes_[earlier]) return true;
        const Id base = graph_.base(nodes_[earlier]), own = graph_.base(nodes_[later]);
        if (base == own) return true;
        if (!is_view_op(before.op) && reads_view_of(after, base)) return true;
        return after.view != nothing && !is_view_op(after.op) && reads(before, own);
    }
    bool reads_view_of(const Tensor& tensor, Id base) const {
        for (const Id source : tensor.sources)
            if (source != nothing && graph_[source].view == base) return true;
        return false;
    }

    bool drawn(size_t at) const { return std::find(current_.begin(), current_.end(), at) != current_.end(); }

    size_t next_unused(size_t at) const {
        ++at;
        while (at < used_.size() && used_[at]) ++at;
        return at;
    }

    bool ready(size_t at) const {
        for (size_t before = first_; before < at; ++before) {
            if (used_[before] || !depends(at, before)) continue;
            const std::pair<Op, Op> pair{node(before).op, node(at).op};
            const bool product = pair.first == Op::unary;  // whose factor may be a view in between
            const bool follows = before == current_.back() && (product ? next_unused(before) : before + 1) == at;
            if (!follows || std::find(std::begin(fused), std::end(fused), pair) == std::end(fused)) return false;
        }
        return true;
    }

    bool view_ready(size_t at) const {
        for (size_t before = first_; before < at; ++before)
            if (!used_[before] && depends(at, before) && !drawn(before)) return false;
        return true;
    }

    /// The next node, and of those shortly after it what waits for nothing: first what computes, then views.
    void draw() {
        current_.push_back(first_);
        for (size_t at = first_ + 1; at < within(first_ + looks_ahead); ++at)
            if (!used_[at] && !is_view_op(node(at).op) && kept_sequence(at) == 0 && ready(at)) {
                current_.push_back(at);
                follow(at);
            }
        if (node(current_.back()).op == Op::add) return;
        for (size_t at = first_ + 1; at < within(first_ + looks_ahead); ++at)
            if (!used_[at] && is_view_op(node(at).op) && view_ready(at)) current_.push_back(at);
    }

    void take(size_t at) {
        current_.push_back(at);
        used_[at] = true;
    }

    bool computed(Id source) const {
        return source == nothing || graph_[source].op == Op::none || done_[static_cast<size_t>(source)];
    }

    /// What is fused with the node just drawn although other nodes stand between them.
    void follow(size_t at) {
        const Op op = node(at).op, before = node(at - 1).op;
        size_t last = at;
        if (op == Op::mul && before == Op::rms_norm) last = follow_one(at, Op::rope, false);
        if (node(last).op == Op::rope || node(last).op == Op::rms_norm) follow_store(last);
        if (op == Op::add_id && before == Op::mul_mat_id) follow_one(at, Op::mul, true);
        if (op == Op::add && before == Op::mul_mat) follow_one(at, Op::add, true);
        if (op == Op::add && before == Op::ssm_conv) follow_one(at, Op::unary, true);
    }

    size_t follow_one(size_t at, Op op, bool after_computed) {
        for (size_t next = at + 1; next < within(at + routes_ahead); ++next) {
            const Tensor& reader = node(next);
            if (reader.op != op || reader.sources[0] != nodes_[at]) continue;
            const Id second = reader.sources[1];
            const bool leaf = second == nothing || graph_[second].op == Op::none;
            if (!(after_computed ? computed(second) : leaf)) continue;
            take(next);
            return next;
        }
        return at;
    }

    void follow_store(size_t at) {
        size_t view = 0;
        for (size_t next = at + 1; next < within(at + stores_ahead); ++next) {
            if (view == 0 && node(next).op == Op::view && node(next).sources[0] == nodes_[at]) {
                view = next;
            } else if (view != 0 && node(next).op == Op::set_rows && node(next).sources[0] == nodes_[view]) {
                take(view);
                return take(next);
            }
        }
    }

    Graph& graph_;
    const std::vector<Id>& nodes_;
    std::vector<bool> used_, done_;
    std::vector<size_t> current_;
    std::vector<Id> made_;
    size_t first_ = 0;
    Id needed_ = nothing;
};

}  // namespace

std::vector<Id> vulkan_order(Graph& graph, const std::vector<Id>& nodes) { return Order(graph, nodes).run(); }

}  // namespace plimsoll::llama_cpp
