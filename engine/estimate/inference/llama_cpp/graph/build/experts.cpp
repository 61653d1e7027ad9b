// A mixture of experts: how they are chosen, weighed and added up.
#include "estimate/inference/llama_cpp/graph/build/builder.h"

namespace plimsoll::llama_cpp {

// Where experts stand in groups, those of the best groups alone are ranked, a group by its two best experts.
Id Builder::within_groups(Id ranked, double experts, double tokens) {
    const double groups = context_.routing.groups, chosen = context_.routing.groups_chosen, each = experts / groups;
    const Id parts = graph_.show(Op::reshape, ranked, {each, groups, tokens, 1});
    const Id best = graph_.show(Op::view, graph_.same(Op::argsort, {parts}), {2, groups, tokens, 1});
    Id scores = graph_.make(Op::get_rows, {1, 2, groups, tokens},
                            {graph_.show(Op::reshape, parts, {1, each, groups, tokens}), best});
    scores =
        graph_.make(Op::sum_rows, {1, groups, tokens, 1}, {graph_.show(Op::reshape, scores, {2, groups, tokens, 1})});
    const Id order = graph_.same(Op::argsort, {graph_.show(Op::reshape, scores, {groups, tokens, 1, 1})});
    const Id best_groups = graph_.show(Op::view, order, {chosen, tokens, 1, 1});
    const Id kept = graph_.make(Op::get_rows, {each, chosen, tokens, 1}, {parts, best_groups});
    const Id masked = graph_.same(Op::fill, {parts});
    const Id made = graph_.show(Op::set_rows, masked, graph_[masked].shape, {kept, best_groups, masked});
    return graph_.show(Op::reshape, made, {experts, tokens, 1, 1});
}

// scores [experts, tokens] → which experts [active, tokens], and their weights [1, active, tokens]
Id Builder::choose(Id scores, const Experts& op, Id& weights) {
    const double experts = op.experts.value(), active = op.active.value();
    const double tokens = graph_[scores].shape[1].here();
    const bool corrected = (op.correction_bias || op.correction_buffer) && !family_.scaled_experts;
    Id odds = scores;
    if (!family_.weights_after_choice)
        odds = graph_.same((corrected && !family_.softmax_choice) || family_.sigmoid_choice ? Op::unary : Op::soft_max,
                           {scores});
    Id ranked = family_.sigmoid_choice ? scores : odds;
    if (corrected) ranked = sum(odds, vector(experts));
    if (context_.routing.groups > 1) ranked = within_groups(ranked, experts, tokens);
    const Id order = graph_.make(Op::argsort, {experts, tokens, 1, 1}, {ranked});
    const Id chosen = graph_.show(Op::view, order, {active, tokens, 1, 1});
    const Id rows = graph_.make(Op::get_rows, {1, active, tokens, 1},
                                {graph_.show(Op::reshape, odds, {1, experts, tokens, 1}), chosen});
    std::vector<Id> read{scores, odds, ranked, rows};
    weights = weighed(rows, read);
    hold(graph_.base(weights), read);
    if (corrected) weights = graph_.same(Op::scale, {weights});
    graph_.expand(weights);
    return chosen;
}

void Builder::hold(Id result, const std::vector<Id>& read) {
    for (const Id input : read) graph_.fused.push_back({result, input});
}

// The weights of the chosen [1, active, tokens]: among themselves, where the model norms them.
Id Builder::weighed(Id rows, std::vector<Id>& read) {
    const Shape tall = graph_[rows].shape, flat{tall[1], tall[2], 1, 1};
    Id weights = rows;
    if (family_.weights_after_choice)
        weights = graph_.show(Op::reshape, graph_.same(Op::soft_max, {graph_.show(Op::reshape, weights, flat)}), tall);
    const bool by_file = family_.weights_normed == LlamaCppFamily::WeightsNormed::by_file;
    if (by_file ? !context_.routing.weights_normed : family_.weights_normed != LlamaCppFamily::WeightsNormed::always)
        return weights;
    weights = graph_.show(Op::reshape, weights, flat);
    const Id sums = graph_.make(Op::sum_rows, {1, tall[2], 1, 1}, {weights}), total = graph_.same(Op::clamp, {sums});
    read.push_back(sums);
    read.push_back(total);
    return graph_.show(Op::reshape, graph_.same(Op::div, {weights, total}), tall);
}

Place Builder::place_of_experts() const {
    return static_cast<double>(layer_) < context_.placement.experts_on_host ? on_host : place_;
}

// A scale for each expert, looked up by the choice.
Id Builder::scaled_results(Id results, Id chosen, const Experts& op) {
    const double experts = op.experts.value(), active = op.active.value();
    const Size& tokens = graph_[chosen].shape[1];
    const Id scales = graph_.show(Op::reshape, vector(experts), {1, experts, 1, 1});
    const Id repeated = graph_.make(Op::repeat, {1, experts, tokens, 1}, {scales});
    return graph_.same(Op::mul, {results, graph_.make(Op::get_rows, {1, active, tokens, 1}, {repeated, chosen})});
}

// What the chosen experts gave, view by view.
Id Builder::summed(Id results, double active, const Shape& each) {
    std::vector<Id> parts;
    for (double expert = 0; expert < active; ++expert) {
        parts.push_back(graph_.show(Op::view, results, each));
        graph_.expand(parts.back());
    }
    Id total = parts.front();
    for (size_t index = 1; index < parts.size(); ++index) {
        total = sum(total, parts[index]);
        graph_.expand(total);
    }
    return parts.size() > 1 ? total : graph_.make(Op::cont, graph_[total].shape, {total});
}

// What the chosen experts gave, weighed and added up, which a device may do in one kernel.
Id Builder::weighed_sum(const Experts& op, Id results, Id chosen, Id weights) {
    const double active = op.active.value(), most = 15;  // MOE_WEIGHTED_REDUCTION_MAX_EXPERTS
    const Shape& shape = graph_[results].shape;
    const Shape each{shape[0], shape[2], 1, 1};
    std::vector<Id> read{results, weights};
    Id made = results;
    if (family_.scaled_experts) {
        made = scaled_results(made, chosen, op);
        read.push_back(graph_[made].sources[1]);
    }
    if (!family_.weighs_before_experts) made = graph_.same(Op::mul, {made, weights});
    graph_.expand(made);
    const Id total = summed(made, active, each);
    if (!family_.weighs_before_experts && active > 1 && active <= most) hold(total, read);
    return total;
}

void Builder::visit(const Experts& op) {
    const Id from = value(op.from);
    const double width = op.width.value(), active = op.active.value(), tokens = graph_[from].shape[1].here();
    Id weights;
    const Id scored = family_.scaled_experts ? value("router_input") : from;
    const Id chosen = choose(linear(scored, {Part::router, "router"}, op.experts.value(), op.bias), op, weights);
    Id given = graph_.show(Op::reshape, from, {width, 1, tokens, 1});
    if (family_.weighs_before_experts) {
        given = graph_.make(Op::repeat, {width, active, tokens, 1}, {given});
        given = graph_.same(Op::mul, {given, weights});
    }
    const auto routed = [&](Label name, Id input, double out) {
        const Id made =
            graph_.make(Op::mul_mat_id, {out, active, tokens, 1},
                        {matrix({op.part, name}, graph_[input].shape[0], out, op.experts.value()), input, chosen});
        if (!op.bias) return made;
        const Id bias = weight(4, {out, op.experts.value(), 1, 1}, place_of_experts());
        return graph_.same(Op::add_id, {made, bias, chosen});
    };
    const double intermediate = op.intermediate.value();
    Id made;
    if (family_.scaled_experts) {
        const Id both = routed("up_proj", given, 2 * intermediate);  // gate and up in one
        const Shape half{intermediate, active, tokens, 1};
        made = graph_.make(Op::glu, half, {graph_.show(Op::view, both, half), graph_.show(Op::view, both, half)});
    } else {
        const Id up = routed("up_proj", given, intermediate);
        const Id gate = op.gated ? routed("gate_proj", given, intermediate) : nothing;
        if (op.gated && !context_.rules.fused_gates)
            made = graph_.same(Op::mul, {graph_.same(Op::unary, {gate}), up});
        else
            made = op.gated ? graph_.make(Op::glu, graph_[up].shape, {gate, up})
                            : graph_.same(Op::sqr, {graph_.same(Op::unary, {up})});
    }
    made = routed("down_proj", made, width);
    values_.set(op.to, weighed_sum(op, made, chosen, weights));
}

}  // namespace plimsoll::llama_cpp
