#include <utility>

#include "estimate/inference/llama_cpp/graph/build/builder.h"

namespace plimsoll::llama_cpp {

const Linear* Builder::producer(Label to) const {
    const Linear* found = nullptr;
    for (const auto& op : block_->ops)
        if (const Linear* linear = op.as<Linear>(); linear && linear->to == to) found = linear;
    return found;
}

const Attention* Builder::find_attention() const {
    if (const Attention* own = find<Attention>()) return own;
    const CrossAttention* other = find<CrossAttention>();
    return other && other->source == CrossAttention::Source::none ? &other->attention : nullptr;
}

void Builder::layer(const Block& block, bool last) {
    block_ = &block;
    last_ = last;
    late_norm_ = nullptr;
    picked_after_ = 0;
    values_.clear();
    values_.set("x", x_);
    if (has_streams()) predict_streams();
    if (family_.norms_first)
        for (const auto& op : block.ops)
            if (const Norm* norm = op.as<Norm>(); norm && norm->from == "x") visit(*norm);
    if (find<Attention>() && find<Recurrence>())
        side_by_side();
    else
        visit(0, block.ops.size());
    if (predictions_ == nothing) x_ = values_.last();
    if (model_.scaled_layers) x_ = graph_.same(Op::mul, {x_, vector()});
}

void Builder::visit(size_t from, size_t to) {
    for (size_t at = from; at < to; ++at) block_->ops[at].visit([this](const auto& each) { visit(each); });
}

// Attention beside a recurrence (Falcon-H1): it comes first, and each has the norm anew.
void Builder::side_by_side() {
    const auto& ops = block_->ops;
    const auto is = [&ops](size_t at, Part part) { return ops[at].part() == part; };
    size_t recurrence = 0;
    while (recurrence < ops.size() && !is(recurrence, Part::mixer)) ++recurrence;
    size_t attention = recurrence;
    while (attention < ops.size() && !is(attention, Part::attention)) ++attention;
    size_t sum = attention;
    while (sum < ops.size() && is(sum, Part::attention)) ++sum;
    visit(0, recurrence);
    visit(attention, sum);
    visit(0, recurrence);
    visit(recurrence, attention);
    visit(sum, ops.size());
}

// The last layer computes on with the rows that get logits only: what was made for all tokens is cut to these.
Id Builder::value(Label name) {
    const Id id = values_.at(name);
    if (id == nothing || id >= picked_after_) return id;
    const Id rows = rows_picked(id);
    values_.set(name, rows);
    return rows;
}

Id Builder::picked(Id id) {
    if (!last_ || picked_after_ > 0) return id;
    return picked_after_ = rows_picked(id);
}

// The result of these mixers has a dimension for the sequences until here.
bool Builder::reshapes_result() const {
    const Recurrence* recurrence = find<Recurrence>();
    return recurrence && recurrence->parameters.size() == 2;
}

// LFM2's mixer takes its input with a dimension for the sequences.
bool Builder::opens_convolution(const Linear& op) const {
    return op.part == Part::mixer && op.name == "in_proj" && !find<Recurrence>();
}

void Builder::visit(const Linear& op) {
    const Id from = value(op.from);
    if (from == nothing) return;  // part of a mixer, which is made as a whole
    Id made = linear(opens_convolution(op) ? graph_.show(Op::reshape, from, Shape(graph_[from].shape)) : from,
                     {op.part, op.name}, op.out.value(), op.bias);
    const bool ends_mixer = op.name == "o_proj" || op.name == "out_proj";
    if (ends_mixer && (reshapes_result() || (find<ShortConvolution>() && !find<Recurrence>())))
        made = graph_.show(Op::reshape, made, {op.out.value(), tokens_, 1, 1});
    if (ends_mixer && !(find<Recurrence>() && find<Attention>())) made = picked(made);
    values_.set(op.to, made);
}

void Builder::visit(const Norm& op) {
    if (op.to == "router_input" && predictions_ != nothing) return;
    if (op.part == Part::mixer && values_.has(op.from)) return values_.set(op.to, value(op.from));
    Id from = value(op.from);
    if (from == nothing || (family_.norms_first && values_.has(op.to))) return;
    const Attention* attention = op.heads ? find_attention() : nullptr;
    if (attention) from = heads_of(from, attention->head_dim.value(), op.heads->value());
    const bool late = !op.weight || family_.norms_after_rotation;  // Llama 4's, and Hunyuan's
    if (attention && late && op.to != attention->v) {
        late_norm_ = &op;
        return values_.set(op.to, from);
    }
    if (op.to == "router_input") {  // Gemma 4's is divided by the root of its width before it is weighed
        const Id plain = graph_.same(Op::scale, {normed(from, op.kind, false, false)});
        return values_.set(op.to, graph_.same(Op::mul, {plain, vector(graph_[plain].shape[0])}));
    }
    values_.set(op.to, normed(from, op.kind, op.weight, op.bias));
}

// All layers of a place read the same.
Id Builder::rotary_factors() {
    for (const Id known : factors_)
        if (graph_[known].place == place_) return known;
    factors_.push_back(vector(model_.rotary_factors.front()));
    return factors_.back();
}

void Builder::visit(const Rope& op) {
    if (!values_.has(op.from)) return;
    const Attention* attention = find_attention();
    const bool query = attention && attention->q == op.to;
    double heads = 1;
    if (attention) heads = (query ? attention->heads : attention->kv_heads).value();
    const Size width = attention ? Size(attention->head_dim.value()) : graph_[value(op.from)].shape[0] / heads;
    const bool factors =
        !model_.rotary_factors.empty() && !(family_.factors_for_all_tokens && attention && attention->window);
    Id made = graph_.same(Op::rope,
                          {heads_of(value(op.from), width, heads), positions_, factors ? rotary_factors() : nothing});
    if (late_norm_) made = normed(made, late_norm_->kind, late_norm_->weight, late_norm_->bias);
    values_.set(op.to, made);
}

void Builder::visit(const Split& op) {
    const Attention* attention = op.part == Part::attention ? find<Attention>() : nullptr;
    const Id from = value(op.from);
    if (from == nothing) return;
    const bool apart = op.part == Part::attention ? attention && family_.separate_qkv
                                                  : op.part != Part::mixer && !family_.fused_feed_forward;
    const Linear* whole = apart ? producer(op.from) : nullptr;
    int number = 0;  // of the pieces, where files hold them in types of their own
    for (const Split::Piece& piece : op.pieces) {
        const double width = piece.width.value(), head = attention ? attention->head_dim.value() : width;
        const Shape shape = attention ? Shape{head, width / head, tokens_, 1}
                                      : Shape{width, graph_[from].shape[1], graph_[from].shape[2], 1};
        values_.set(piece.to, whole ? linear(value(whole->from), {whole->part, whole->name, number}, width, whole->bias)
                                    : part_of(from, shape, attention != nullptr));
        number += attention != nullptr;
    }
}

void Builder::visit(const Activation& op) {
    Id from = value(op.from);
    if (from == nothing) return;
    if (op.part == Part::attention && graph_[from].view != nothing) {  // a gate beside the queries
        const Shape& shape = graph_[from].shape;
        from = graph_.make(Op::cont, {shape[0] * shape[1], tokens_, 1, 1}, {from});
    }
    Id made = graph_.same(Op::unary, {from});
    if (op.part == Part::shared_experts && op.to == "shared_open" && family_.divides_shared_gate)
        made = graph_.same(Op::div, {made, from});
    if (op.kind == Activation::Kind::relu_squared) made = graph_.same(Op::sqr, {made});
    values_.set(op.to, made);
}

void Builder::visit(const Multiply& op) {
    if (op.part == Part::mixer && predictions_ != nothing) return;
    if (op.part == Part::mixer && find<Recurrence>() && values_.has(op.a)) return values_.set(op.to, value(op.a));
    if (!values_.has(op.a) || !values_.has(op.b)) return;
    if (op.part == Part::embedding) return values_.set(op.to, graph_.same(Op::mul, {value(op.a), layer_input()}));
    for (const auto& each : block_->ops) {
        const Activation* activation = each.as<Activation>();
        if (!activation || activation->part == Part::attention || !(activation->to == op.a)) continue;
        const Id gate = value(activation->from), up = value(op.b);
        if (predictions_ != nothing) return values_.set(op.to, gated_in_stream(gate, up));
        if (!context_.rules.fused_gates)
            return values_.set(op.to, graph_.same(Op::mul, {graph_.same(Op::unary, {apart(gate)}), apart(up)}));
        const bool fused = graph_[gate].view != nothing && graph_[gate].view == graph_[up].view;
        const Shape shape = graph_[up].shape;
        return values_.set(
            op.to, fused ? graph_.make(Op::glu, shape, {graph_[gate].view}) : graph_.make(Op::glu, shape, {gate, up}));
    }
    values_.set(op.to, graph_.same(Op::mul, {value(op.a), value(op.b)}));
}

Id Builder::part_of(Id whole, const Shape& shape, bool attended) {
    const Id view = graph_.show(Op::view, whole, shape);
    if (!attended || context_.rules.part_views) return view;
    return graph_.make(Op::cont, {shape[0] * shape[1], tokens_, 1, 1}, {view});
}

/// A view of part of each row, as a tensor of its own.
Id Builder::apart(Id of) {
    return graph_[of].view == nothing ? of : graph_.make(Op::cont, Shape(graph_[of].shape), {of});
}

bool Builder::adds(Label name) const {
    for (const auto& each : block_->ops)
        if (const Add* add = each.as<Add>(); add && (add->a == name || add->b == name)) return true;
    return false;
}

bool Builder::is_normed(Label name) const {
    for (const auto& each : block_->ops)
        if (const Norm* norm = each.as<Norm>(); norm && norm->from == name) return true;
    return false;
}

namespace {

// What a layer is given and what its first half gives: the other half's result is added to it.
bool is_residual(Label name) { return name == "x" || name == "x_attended" || name == "x_mixed"; }

}  // namespace

void Builder::visit(const Add& op) {
    if (predictions_ != nothing) return add_in_stream(op);
    if (!values_.has(op.a) || !values_.has(op.b)) return;
    if (is_residual(op.a) || is_residual(op.b)) return add_to_residual(op);
    if (op.part == Part::feed_forward) return add_branches(op);
    const Id a = value(op.part == Part::mixer ? op.b : op.a), b = value(op.part == Part::mixer ? op.a : op.b);
    values_.set(op.to, sum(a, b));
}

// Attention and a feed-forward side by side.
void Builder::add_branches(const Add& op) {
    const Id a = value(family_.attention_meets_feed_forward ? op.a : op.b);
    Id b = value(family_.attention_meets_feed_forward ? op.b : op.a);
    if (family_.feed_forward_meets_residual_first) beside_ = std::exchange(b, value("x"));
    values_.set(op.to, sum(a, b));
}

void Builder::add_to_residual(const Add& op) {
    const bool first = is_residual(op.a), ends_first_half = op.a == "x" || op.b == "x";
    const bool beside = find<Attention>() && find<Recurrence>();
    Id a = value(first ? op.b : op.a);
    if (values_.has("shared_out") && !adds("shared_out") && !adds("shared_weighed")) a = sum(a, value("shared_out"));
    if (ends_first_half && !beside) a = picked(a);
    Id b = value(first ? op.a : op.b);
    if (ends_first_half && beside_ == nothing && family_.feed_forward_meets_residual_first && !is_normed(op.to)) {
        beside_ = a;  // attention is added last
        return values_.set(op.to, b);
    }
    if (beside_ != nothing && !ends_first_half)
        return values_.set(op.to, sum(sum(a, b), std::exchange(beside_, nothing)));
    if (family_.scaled_residuals) a = graph_.same(Op::scale, {a});
    if (family_.residual_first || (!ends_first_half && family_.second_residual_first)) std::swap(a, b);
    if (beside_ != nothing && is_residual(op.b)) b = std::exchange(beside_, nothing);
    const Id made = sum(a, b);
    values_.set(op.to, ends_first_half && beside ? picked(made) : made);
}

}  // namespace plimsoll::llama_cpp
