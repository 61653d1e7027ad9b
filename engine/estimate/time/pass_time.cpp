// Operations of a pass, each with the longer of its two times.
#include "estimate/time/pass_time.h"

namespace plimsoll {
namespace {

constexpr double packed_below = 1.5;  // bytes a weight, scales included

// `copies`: of the cache, among the devices that share a layer.
template <class N>
Bytes<N> moved(const Cost<N>& cost, const N& weight_bytes, const PassRules<N>& rules, const Pass<N>& pass,
               double copies) {
    const Bytes<N> weights{N(rules.pieces.weights) * cost.weights * weight_bytes};
    const Bytes<N> cached = N(rules.pieces.cache * copies) * cost.cached * rules.cached;
    const Bytes<N> states = cost.states * bytes_of<N>(Dtype::float32);
    return weights + cached + states + cost.activations * bytes_of<N>(pass.options.numerics.compute);
}

}  // namespace

std::vector<size_t> weight_indices(const Block& block, size_t first) {
    std::vector<size_t> indices{first};
    std::vector<Weight<double>> own;
    for (const Op& op : block.ops) {
        own.clear();
        op.weights(own);
        indices.push_back(indices.back() + own.size());
    }
    return indices;
}

WeightBytes weight_bytes(const Model& model, const WeightMix& mix, const Encoding* encoding) {
    WeightBytes bytes;
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    bytes.of_weight.assign(weights.size(), 0);
    const auto of_one = [](const Encoding& stored, const Weight<double>& weight) {
        const double elements = weight.rows * weight.cols;
        const double scales = weight.vector ? 0 : stored.scales<double>(weight.rows, weight.cols).n;
        return stored.bits / 8 + (elements > 0 ? scales / elements : 0);
    };
    for (size_t index = 0; encoding && mix.empty() && index < weights.size(); ++index)
        bytes.of_weight[index] = of_one(*encoding, weights[index].weight);
    std::vector<double> layers(weights.size(), 0);  // so far, of those that a mix names one by one
    for (const StoredWeight& stored : mix.weights) {
        const LayeredWeight<double>& at = weights[stored.weight];
        const double whole = stored.layers == 0 ? at.layers : stored.layers;
        const double share = stored.columns == 0 ? 1 : stored.columns / at.weight.cols;
        bytes.of_weight[stored.weight] += whole * share * of_one(*stored.encoding, at.weight);
        layers[stored.weight] += whole * share;
    }
    double total = 0, elements = 0;
    for (size_t index = 0; index < weights.size(); ++index) {
        if (layers[index] > 0) bytes.of_weight[index] /= layers[index];
        const double own = weights[index].layers * weights[index].weight.elements();
        total += own * bytes.of_weight[index], elements += own;
    }
    if (elements > 0) bytes.mean = total / elements;
    bytes.packed = bytes.mean < packed_below;
    if (encoding) bytes.source = encoding->source;
    return bytes;
}

namespace {

// Bytes of an element of what an operation reads under one part's name: its matrices of that part, else, of a head that
// owns none, the matrix that it is tied to.
double stored_bytes(const Op& op, Part part, const WeightBytes& stored, size_t first, size_t tied) {
    std::vector<Weight<double>> own;
    op.weights(own);
    double bytes = 0, elements = 0;
    for (size_t index = 0; index < own.size(); ++index) {
        if (own[index].part != part) continue;
        bytes += own[index].elements() * stored.at(first + index);
        elements += own[index].elements();
    }
    return elements > 0 ? bytes / elements : stored.at(tied);
}

// How many of the devices that share a layer hold the same keys and values; latents are held by all of them.
double copies_of_cache(const Block& block, double tensor) {
    if (tensor <= 1) return 1;
    const Attention* attention = attention_of(block);
    return tensor / minimum(tensor, attention ? attention->kv_heads.value() : 1.0);
}

// What a block costs while the copies of a model compute its experts together.
template <class N>
std::vector<BlockCost<N>> costs_over(const Block& block, const Pass<N>& pass, const N& hidden, double copies) {
    Pass<N> all = pass;
    all.batch = all.batch * N(copies);
    all.tokens = all.tokens * N(copies);
    return cost_of<N>(block, all, hidden);
}

// What a block costs while one token is computed.
template <class N>
std::vector<BlockCost<N>> costs_of_a_token(const Block& block, const Pass<N>& pass, const N& hidden) {
    Pass<N> one = pass;
    one.batch = one.sequence = one.tokens = N(1);
    return cost_of<N>(block, one, hidden);
}

}  // namespace

template <class N>
void add_block(PassTime<N>& time, const Block& block, const Pass<N>& pass, const N& hidden, const N& layers,
               const PassRules<N>& rules, size_t first, size_t tied) {
    const std::vector<size_t> indices = weight_indices(block, first);
    const std::vector<BlockCost<N>> costs = cost_of<N>(block, pass, hidden);
    const double cache_copies = copies_of_cache(block, rules.tensor);
    std::vector<BlockCost<N>> together, of_a_token;
    if (rules.fewest_experts) of_a_token = costs_of_a_token(block, pass, hidden);
    if (rules.experts_over > 1) together = costs_over(block, pass, hidden, rules.experts_over);
    for (size_t index = 0; index < costs.size(); ++index) {
        const bool joined = rules.experts_over > 1 && costs[index].cost.part == Part::experts;
        const BlockCost<N>& one = joined ? together[index] : costs[index];
        Cost<N> cost = one.cost;
        if (rules.fewest_experts && cost.part == Part::experts) cost.weights = of_a_token[index].cost.weights;
        const N devices = joined ? rules.devices * N(rules.experts_over) : rules.devices;
        const double stored =
            stored_bytes(block.ops[one.operation], cost.part, *rules.weights, indices[one.operation], tied);
        const N weight =
            value_of(cost.weights) > 0 ? input<N>("bytes_per_weight", stored, rules.weights->source) : N(0);
        const Bytes<N> bytes = moved(cost, weight, rules, pass, cache_copies);
        const Flops<N> operations{cost.operations};
        const bool packed = stored < packed_below || (rules.narrow && cost.part != Part::router);
        const PerSecond<N>& rate = rules.rates.of(cost, packed);
        const Seconds<N> in_memory = bytes / rules.rates.bandwidth;
        const Seconds<N> computing = value_of(rate) > 0 ? operations / rate : Seconds<N>{N(0)};
        const bool memory_bound = value_of(computing) <= value_of(in_memory);
        const N longer = named({cost.name, "_seconds"}, maximum(computing.n, in_memory.n));
        const double runs = rules.times ? rules.times(cost) : 1;
        time.operations.push_back({cost.name, cost.part, cost.kind, layers, operations, bytes,
                                   Seconds<N>{N(runs) * layers * longer / devices}, memory_bound,
                                   runs / value_of(devices)});
    }
    time.launches += layers * N(static_cast<double>(costs.size())) * rules.rates.launch;
}

template void add_block(PassTime<double>&, const Block&, const Pass<double>&, const double&, const double&,
                        const PassRules<double>&, size_t, size_t);
template void add_block(PassTime<Traced>&, const Block&, const Pass<Traced>&, const Traced&, const Traced&,
                        const PassRules<Traced>&, size_t, size_t);

}  // namespace plimsoll
