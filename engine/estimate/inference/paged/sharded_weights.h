/// The weights of one device, as a server has them in memory: its share of each, in the encodings of the files or as its
/// kernels keep them.
#pragma once

#include "estimate/inference/paged/kernel_layout.h"

namespace plimsoll {

/// Rows of the weights on one device, by part.
template <class N>
class ShardedWeights {
public:
    ShardedWeights(const Model& model, const InferenceInputs& inputs, const Shard<N>& shard)
        : model_(model), inputs_(inputs), shard_(shard) {
        if (shard.first || (model.tied && shard.last))
            add(model.embedding, N(1), Traced(1), {});
        else
            skip(model.embedding);
        for (size_t kind = 0; kind < model.kinds.size(); ++kind) {
            add(model.kinds[kind].block, layers_here<N>(model, shard, kind), model.kinds[kind].count, {});
        }
        if (shard.last)
            add(model.head, N(1), Traced(1), {});
        else
            skip(model.head);
        for (const Tower& tower : model.towers)
            if (tower.name != "mtp")
                for (const LayerKind& kind : tower.kinds) {
                    if (shard.first)
                        add(kind.block, as<N>(kind.count), kind.count, tower.name);
                    else
                        skip(kind.block);
                }
    }

    std::vector<Row<N>> rows(size_t phases) const {
        std::vector<Row<N>> rows;
        for (const EncodedPart<N>& part : parts_) {
            const RowId id = row_of_part(part.part);
            Row<N>* row = nullptr;
            for (Row<N>& known : rows)
                if (known.id == id) row = &known;
            if (!row) {
                rows.push_back({id, Basis::exact, std::vector<Cell<N>>(phases)});
                row = &rows.back();
            }
            const Bytes<N> sum = row->cells.front().bytes + part.bytes();
            always(*row, exactly<N>({"weights.", part.part}, sum));
        }
        if (value_of(scales_) > 0) {
            rows.push_back({RowId::scales, Basis::exact, std::vector<Cell<N>>(phases)});
            always(rows.back(), exactly<N>("weights.scales", scales_));
        }
        if (value_of(layout_) > 0) {
            rows.push_back({RowId::kernel_layout, Basis::modelled, std::vector<Cell<N>>(phases)});
            always(rows.back(), estimated<N>("weights.kernel_layout", layout_));
        }
        return rows;
    }

private:
    // Of a kind's layers, those that have a weight in this encoding.
    static N share_of_layers(const StoredWeight& stored, const Traced& all) {
        return input<N>({"layers_in_", stored.encoding->id}, stored.layers, "quantization_config: modules left wide") /
               as<N>(all);
    }
    void skip(const Block& block) { index_ += weights_of<double>(block).size(); }

    void add(const Block& block, const N& layers, const Traced& all, std::string_view tower) {
        for (const Weight<N>& weight : weights_of<N>(block)) {
            const std::string_view part = tower.empty() ? part_name(weight.part) : tower;
            const size_t index = index_++;
            if (value_of(layers) == 0) continue;
            bool mixed = false;
            for (const StoredWeight& stored : inputs_.mix.weights) {
                if (stored.weight != index) continue;
                mixed = true;
                const N own = stored.layers == 0 ? layers : layers * share_of_layers(stored, all);
                add(weight, part, *stored.encoding, own, block);
                if (stored.kernel)
                    layout_ += own * kernel_layout(weight, *stored.encoding, *stored.kernel, shard_,
                                                   divided(weight, N(1), model_, shard_, block), block);
            }
            if (!mixed) add(weight, part, *inputs_.weights, layers, block);
        }
    }
    void add(const Weight<N>& weight, std::string_view part, const Encoding& encoding, const N& layers,
             const Block& block) {
        const N elements = named(weight.name, divided(weight, weight.elements(), model_, shard_, block));
        add_to_part(parts_, part, &encoding, layers * elements);
        if (encoding.has_scales() && !weight.vector)
            scales_ += layers * divided(weight, weight.copies, model_, shard_, block) *
                       encoding.scales(weight.rows, weight.cols);
    }

    const Model& model_;
    const InferenceInputs& inputs_;
    const Shard<N>& shard_;
    size_t index_ = 0;  ///< in weights_of(model)
    std::vector<EncodedPart<N>> parts_;
    Bytes<N> scales_{N(0)}, layout_{N(0)};
};

}  // namespace plimsoll
