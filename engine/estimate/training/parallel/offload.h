/// Training state that lies in the host's memory or on its disks while devices do not use it.
///
///     optimizer    the states and the master weights, which the host's processor steps; where gradients are divided,
///                  this device's share of them in fp32, page-locked (DeepSpeed); where gradients stay
///                  on the device, a copy of that share (Megatron-LM). FSDP off-loads weights with them
///     parameters   this device's share of the weights, page-locked; what runs is gathered from there
///     nvme         either on disk: the host holds the buffers that it is read into
///
/// Source: DeepSpeed, zero/stage_1_and_2.py (initialize_optimizer_states), zero/stage3.py
/// (grad_partitions_flat_buffer), zero/offload_config.py (buffer_count, buffer_size); PyTorch, CPUOffloadPolicy;
/// Megatron-LM, core/optimizer/cpu_offloading/hybrid_optimizer.py.
#pragma once

#include <optional>

#include "estimate/ledger/placed.h"
#include "estimate/training/optimizer/states.h"

namespace plimsoll {

/// Takes a row from the device, but for what only the device has of it; nothing where it has none of that id.
template <class N>
std::optional<Row<N>> take_row(Ledger<N>& device, RowId::Known id) {
    Row<N>* found = row_named(device, id);
    if (!found) return std::nullopt;
    Row<N> row = std::move(*found);
    device.rows.erase(device.rows.begin() + (found - device.rows.data()));
    if (!row.children.empty() && row.children.back().id == RowId::step_temporaries) {
        row.children.pop_back();  // the processor steps in place
        sum_children(row);
    }
    row.pinned = true;
    return row;
}

/// A copy of the row of that id, to be held on the host as well.
template <class N>
std::optional<Row<N>> copied_row(Ledger<N>& device, RowId::Known id) {
    const Row<N>* found = row_named(device, id);
    if (!found) return std::nullopt;
    Row<N> row = *found;
    row.pinned = true;
    return row;
}

/// `swap_buffers`: what is read from disk passes through so many page-locked buffers.
template <class N>
void add_swap_buffers(Ledger<N>& host, double count, const N& elements, Dtype dtype, RowId::Known id) {
    Row<N> row{id, Basis::modelled, std::vector<Cell<N>>(host.phases.size())};
    const N buffers = input<N>("buffer_count", count, "DeepSpeed, zero/offload_config.py");
    for (Cell<N>& cell : row.cells) cell = exactly<N>(row.id.text(), buffers * elements * bytes_of<N>(dtype));
    row.pinned = true;
    host.rows.push_back(std::move(row));
}

/// What the host's processor steps: states, master weights, and the share of divided gradients that it reads.
template <class N>
void offload_optimizer(Ledger<N>& device, Ledger<N>& host, const TrainingInputs& inputs, const N& held) {
    const TrainingLayout& layout = inputs.layout;
    for (const RowId::Known id : {RowId::master_weights, RowId::optimizer}) {
        std::optional<Row<N>> row = take_row(device, id);
        if (row && layout.optimizer == Residence::cpu) host.rows.push_back(std::move(*row));
    }
    if (layout.optimizer == Residence::nvme)
        add_swap_buffers(host, 4,
                         minimum(held, input<N>("sub_group_size", layout.sub_group, "DeepSpeed, zero/config.py")),
                         Dtype::float32, RowId::swap_buffers_of_optimizer);
    if (!layout.divides_gradients() && !layout.by_megatron()) return;
    std::optional<Row<N>> gradients = copied_row(device, RowId::gradients);  // whose device has what arrives
    if (!gradients) return;
    const Dtype dtype = layout.divides_weights() ? inputs.precision.gradient : Dtype::float32;
    for (Cell<N>& cell : gradients->cells)
        cell = exactly<N>("gradients", Bytes<N>{ceiling((held * bytes_of<N>(dtype)).n)});
    host.rows.push_back(std::move(*gradients));
}

/// All that a layout off-loads, from the device's rows to the host's. `trainable`: parameters with gradients.
template <class N>
void offload(Ledger<N>& device, Ledger<N>& host, const TrainingInputs& inputs, const N& trainable) {
    const TrainingLayout& layout = inputs.layout;
    if (layout.optimizer != Residence::device)
        offload_optimizer(device, host, inputs, named("stepped_elements", state_share<N>(inputs) * trainable));
    if (layout.parameters == Residence::device) return;
    std::optional<Row<N>> weights = take_row(device, RowId::weights);
    if (layout.parameters == Residence::nvme)
        add_swap_buffers(host, 5, input<N>("buffer_size", 1e8, "DeepSpeed, zero/offload_config.py"),
                         inputs.precision.numerics.parameter, RowId::swap_buffers_of_parameters);
    else if (weights)
        host.rows.push_back(std::move(*weights));
}

}  // namespace plimsoll
