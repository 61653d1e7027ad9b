#include "policies/allocator/torch_allocator.h"

#include <algorithm>
#include <cmath>

#include "model/core/profile.h"
#include "policies/allocator/segments.h"

namespace plimsoll {
namespace {

using namespace segments;

class Segments {
public:
    void place(EqualTensors tensors) {
        const double block = std::ceil(tensors.bytes / smallest_block) * smallest_block;
        over_ += tensors.count * (block - tensors.bytes);
        if (block <= largest_small) return;  // segments of small blocks are cut to the block
        tensors.bytes = block;
        while (EqualTensors* hole = smallest_hole(block)) {
            const EqualTensors taken{hole->bytes, std::min(hole->count, tensors.count)};
            hole->count -= taken.count, tensors.count -= taken.count;
            leave(taken.bytes - block, taken.count);
            if (tensors.count <= 0) return;
        }
        if (block >= own_segment) return leave(std::ceil(block / segment_unit) * segment_unit - block, tensors.count);
        const double each = std::floor(large_segment / block);
        leave(large_segment - each * block, std::floor(tensors.count / each));
        const double rest = tensors.count - each * std::floor(tensors.count / each);
        if (rest > 0) leave(large_segment - rest * block, 1);
    }
    double over() const { return over_; }

private:
    EqualTensors* smallest_hole(double bytes) {
        EqualTensors* best = nullptr;
        for (EqualTensors& hole : holes_)
            if (hole.count > 0 && hole.bytes >= bytes && (!best || hole.bytes < best->bytes)) best = &hole;
        return best;
    }
    void leave(double bytes, double count) {
        if (bytes > largest_small && count > 0)
            holes_.push_back({bytes, count});
        else
            over_ += bytes * count;
    }

    std::vector<EqualTensors> holes_;
    double over_ = 0;
};

void add(std::vector<EqualTensors>& groups, double bytes, double count) {
    if (bytes <= 0 || count <= 0) return;
    for (EqualTensors& known : groups)
        if (known.bytes == bytes) {
            known.count += count;
            return;
        }
    groups.push_back({bytes, count});
}

void add_beside(std::vector<EqualTensors>& groups, const Encoding& encoding, double rows, double cols, double count) {
    if (encoding.group) {
        const EncodingGroup& group = *encoding.group;
        const double shared = std::ceil(rows / group.elements) * std::ceil(cols / group.columns);
        add(groups, shared * group.scale_bits / 8, count);
        add(groups, shared * group.zero_bits / 8, count);
        if (encoding.scale_group)
            add(groups, std::ceil(shared / encoding.scale_group->elements) * encoding.scale_group->scale_bits / 8,
                count);
    }
    add(groups, cols * encoding.channel_bits / 8, count);
    add(groups, rows * encoding.row_bits / 8, count);
    add(groups, encoding.tensor_bits / 8, count);
}

}  // namespace

double bytes_left_over(std::vector<EqualTensors> tensors) {
    const auto smaller = [](const EqualTensors& a, const EqualTensors& b) { return a.bytes < b.bytes; };
    Segments segments;
    for (; !tensors.empty(); tensors.pop_back()) {  // a dozen sizes: the largest is looked for each time
        std::iter_swap(std::max_element(tensors.begin(), tensors.end(), smaller), tensors.end() - 1);
        segments.place(tensors.back());
    }
    return segments.over();
}

std::vector<EqualTensors> equal_tensors(const Model& model, const Encoding& encoding, const WeightMix& mix) {
    std::vector<EqualTensors> groups;
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    const auto take = [&](const LayeredWeight<double>& each, const Encoding& stored, double layers) {
        const Weight<double>& weight = each.weight;
        const double count = (layers == 0 ? each.layers : layers) * weight.copies;
        add(groups, std::ceil(weight.rows * weight.cols * stored.bits / 8), count);
        if (!weight.vector) add_beside(groups, stored, weight.rows, weight.cols, count);
    };
    if (mix.empty())
        for (const LayeredWeight<double>& each : weights) take(each, encoding, 0);
    for (const StoredWeight& stored : mix.weights) take(weights[stored.weight], *stored.encoding, stored.layers);
    return groups;
}

double largest_matrix(const Model& model, const Encoding& encoding, const WeightMix& mix) {
    double largest = 0;
    const std::vector<LayeredWeight<double>> weights = weights_of<double>(model);
    for (const StoredWeight& stored : mix.weights) {
        const Weight<double>& weight = weights[stored.weight].weight;
        if (stored.encoding == &encoding && !weight.vector) largest = std::max(largest, weight.rows * weight.cols);
    }
    return largest;
}

}  // namespace plimsoll
