/// Rows that inference and training have in common.
#pragma once

#include "estimate/ledger/ledger.h"
#include "inputs/device.h"
#include "inputs/encoding.h"
#include "inputs/runtime.h"
#include "model/core/profile.h"
#include "policies/encodings/mean_bits.h"
#include "policies/encodings/weight_mix.h"
#include "policies/runtimes/overhead.h"

namespace plimsoll {

/// The same cell in every phase.
template <class N>
void always(Row<N>& row, const Cell<N>& cell) {
    for (Cell<N>& each : row.cells) each = cell;
}

/// `weights` as the checkpoint stores them, tensor by tensor.
template <class N>
void add_stored_weights(Ledger<N>& ledger, const Model& model, const N& copies) {
    Row<N>& row = ledger.add(RowId::weights, Basis::exact);
    for (const StoredPart& part : model.stored) {
        Row<N> child{row_of_part(part.name), Basis::exact, std::vector<Cell<N>>(ledger.phases.size())};
        const N bytes = input<N>("stored_bytes", part.bytes, "the checkpoint's tensors");
        always(child, exactly<N>({"weights.", part.name}, Bytes<N>{copies * bytes}));
        row.children.push_back(std::move(child));
    }
    sum_children(row);
}

/// Bytes of parameters, which some models' figures leave open by a share.
template <class N>
Cell<N> by_count(const Name& path, const Bytes<N>& bytes, const Model& model) {
    const double value = value_of(bytes), open = value * model.uncertainty;
    return between<N>(path, bytes, value - open, value + open);
}

/// `weights`: parameters by part in one encoding, times `copies` whole models, or a share of one.
template <class N>
void add_weights(Ledger<N>& ledger, const Model& model, const Encoding& encoding, const N& copies) {
    if (!model.declared_parameters && !model.missing.empty()) return;  // nothing to count from
    const Basis basis = model.uncertainty > 0 ? Basis::rule : Basis::exact;
    const auto counted = [&model](const Name& path, const Bytes<N>& bytes) { return by_count<N>(path, bytes, model); };
    Row<N>& row = ledger.add(RowId::weights, basis);
    if (model.declared_parameters)
        return always(row, counted("weights", portion(copies, encoding.bytes(as<N>(*model.declared_parameters)))));
    for (const PartParameters<N>& part : parameters_by_part<N>(model)) {
        Row<N> child{row_of_part(part.name), basis, std::vector<Cell<N>>(ledger.phases.size())};
        always(child, counted({"weights.", part.name}, portion(copies, encoding.bytes(part.elements))));
        row.children.push_back(std::move(child));
    }
    sum_children(row);
}

/// `weights` of a number of parameters, by the mean of a format that stores some of them one way and some another.
template <class N>
void add_mean_weights(Ledger<N>& ledger, const Model& model, const MeanBits& mean, const N& copies) {
    const char* source =
        model.missing.empty() ? "mean over the shape that was typed" : "mean over a usual decoder of that size";
    const N bytes_each = input<N>("mean_bits_per_weight", mean.bits, source) / N(8);
    const Bytes<N> bytes{ceiling(copies * as<N>(*model.declared_parameters) * bytes_each)};
    always(ledger.add(RowId::weights, Basis::rule),
           between<N>("weights", bytes, value_of(bytes) * (mean.low / mean.bits),
                      value_of(bytes) * (mean.high / mean.bits)));
}

/// Elements of one part of a model that are stored in one encoding.
template <class N>
struct EncodedPart {
    std::string_view part;
    const Encoding* encoding;
    N elements;

    Bytes<N> bytes() const { return encoding->values(named<N>({part, "_elements_in_", encoding->id}, elements)); }
};

template <class N>
void add_to_part(std::vector<EncodedPart<N>>& parts, std::string_view part, const Encoding* encoding,
                 const N& elements) {
    for (EncodedPart<N>& known : parts)
        if (known.part == part && known.encoding == encoding) {
            known.elements += elements;
            return;
        }
    parts.push_back({part, encoding, elements});
}

/// Elements at one place by part and encoding; `scales` is what the encodings store beside their values.
template <class N>
std::vector<EncodedPart<N>> encoded_parts(const Model& model, const WeightMix& mix, Place place, Bytes<N>& scales) {
    std::vector<EncodedPart<N>> parts;
    const std::vector<LayeredWeight<N>> weights = weights_of<N>(model);
    for (const StoredWeight& stored : mix.weights) {
        if (stored.place != place) continue;
        const auto& [weight, all_layers, part, tower] = weights[stored.weight];
        const Encoding& encoding = *stored.encoding;
        const N layers = stored.layers == 0 || stored.layers == value_of(all_layers)
                             ? all_layers
                             : input<N>({"layers_in_", encoding.id}, stored.layers, encoding.source);
        const N elements =
            stored.columns == 0
                ? weight.elements()
                : weight.rows * input<N>("columns_stored_apart", stored.columns, encoding.source) * weight.copies;
        add_to_part(parts, part, &encoding, layers * named(weight.name, elements));
        if (encoding.has_scales() && !weight.vector)
            scales += layers * weight.copies * encoding.scales(weight.rows, weight.cols);
    }
    for (const StoredBeside& beside : mix.beside)
        if (beside.place == place)
            add_to_part(parts, beside.part, beside.encoding,
                        N(beside.tensors) * input<N>("elements", beside.elements, beside.encoding->source));
    return parts;
}

/// What one place holds of a format that stores some weights one way and some another: a row for each part, and
/// `scales`. `path` is what the rows' names begin with.
template <class N>
std::vector<Row<N>> mixed_weights(const Model& model, const WeightMix& mix, Place place, const N& copies, size_t phases,
                                  std::string_view path = "weights.") {
    const Basis basis = model.uncertainty > 0 ? Basis::rule : Basis::exact;
    std::vector<Row<N>> rows;
    Bytes<N> scales{N(0)};
    const std::vector<EncodedPart<N>> parts = encoded_parts<N>(model, mix, place, scales);
    const auto add = [&](RowId id, const Bytes<N>& bytes) {
        Row<N> child{std::move(id), basis, std::vector<Cell<N>>(phases)};
        always(child, by_count<N>({path, child.id.text()}, portion(copies, bytes), model));
        rows.push_back(std::move(child));
    };
    for (const EncodedPart<N>& part : parts) {
        bool first = true;
        Bytes<N> bytes{N(0)};
        for (const EncodedPart<N>& other : parts) {
            if (other.part != part.part) continue;
            first = first && (&other >= &part);
            bytes += other.bytes();
        }
        if (first) add(row_of_part(part.part), bytes);
    }
    if (value_of(scales) > 0) add(RowId::scales, scales);
    return rows;
}

/// `weights` of such a format, where one device holds them all.
template <class N>
void add_mixed_weights(Ledger<N>& ledger, const Model& model, const WeightMix& mix, const N& copies) {
    Row<N>& row = ledger.add(RowId::weights, model.uncertainty > 0 ? Basis::rule : Basis::exact);
    row.children = mixed_weights<N>(model, mix, 0, copies, ledger.phases.size());
    sum_children(row);
}

template <class N>
Cell<N> measured_cell(const Name& path, const char* symbol, const Measured& figure, const N& copies) {
    const Bytes<N> bytes = copies * Bytes<N>{input<N>(symbol, figure.bytes, figure.source)};
    const double times = value_of(copies);
    return {row_bytes(path, bytes.n), figure.low * times, figure.high * times};
}

/// The workspace of the matrix library, one per handle and stream, where one is known for the device.
template <class N>
void add_workspace(Ledger<N>& ledger, const Device* device, const Runtime& runtime, std::string_view framework,
                   const N& handles) {
    const Measured* figure = workspace_of(runtime, device, framework);
    if (!figure) return;
    Row<N>& row = ledger.add(RowId::workspace, Basis::measured);
    const Cell<N> cell = measured_cell<N>("workspace", "matrix_library_workspace", *figure, handles);
    for (size_t phase = 1; phase < row.cells.size(); ++phase) row.cells[phase] = cell;  // made by the first product
}

/// `device_context`: what only the driver sees.
template <class N>
void add_device_context(Ledger<N>& ledger, const Device* device, const Runtime& runtime, std::string_view framework,
                        const N& processes) {
    if (const DeviceContext* context = device_context_of(runtime, device, framework))
        always(ledger.add(RowId::device_context, Basis::measured),
               measured_cell<N>("device_context", "device_context_of_one_process", context->figure, processes));
}

/// `slack` and `device_context`: what lies above the allocated bytes. `cached`: blocks that the allocator keeps from an
/// earlier moment of each phase because nothing later fits into them, where that is known.
template <class N>
void add_overhead(Ledger<N>& ledger, const Device* device, const Runtime& runtime, std::string_view framework,
                  const N& processes, double slack_share, const std::vector<Bytes<N>>& cached = {}) {
    std::vector<Bytes<N>> moving(ledger.phases.size(), Bytes<N>{N(0)});
    for (const Row<N>& row : ledger.rows) {
        if (row.id.is_in_place() || row.id.is_frozen_model()) continue;
        for (size_t phase = 0; phase < moving.size(); ++phase) {
            if (!row.id.is_other_model()) {
                moving[phase] += row.cells[phase].bytes;
                continue;
            }
            for (const Row<N>& child : row.children)
                if (!child.id.is_in_place() && !(child.id == RowId::kv_cache))
                    moving[phase] += child.cells[phase].bytes;
        }
    }
    Row<N>& slack = ledger.add(RowId::slack, Basis::rule);
    const N share = input<N>("slack_share", slack_share,
                             "rule of thumb: reserved over allocated in published runs, see tests/measured");
    for (size_t phase = 0; phase < moving.size(); ++phase) {
        const Bytes<N> rounding{ceiling((moving[phase] * share).n)};
        const double kept = phase < cached.size() ? value_of(cached[phase]) : 0;
        constexpr double most_rounding = 0.1;  // of what moves, in published runs
        slack.cells[phase] = kept > 0 ? between<N>("slack", cached[phase] + rounding, kept,
                                                   kept + value_of(moving[phase]) * most_rounding)
                                      : estimated<N>("slack", rounding);
    }
    add_device_context<N>(ledger, device, runtime, framework, processes);
}

}  // namespace plimsoll
