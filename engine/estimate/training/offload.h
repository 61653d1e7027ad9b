/// Training state that lies in the host's memory or on its disks while devices do not use it.
///
///     optimizer    the states and the master weights, which the host's processor steps; where gradients are divided,
///                  this device's share of them in fp32, page-locked (DeepSpeed). FSDP off-loads weights with them
///     parameters   this device's share of the weights, page-locked; what runs is gathered from there
///     nvme         either on disk: the host holds the buffers that it is read into
///
/// Source: DeepSpeed, zero/stage_1_and_2.py (initialize_optimizer_states), zero/stage3.py
/// (grad_partitions_flat_buffer), zero/offload_config.py (buffer_count, buffer_size); PyTorch, CPUOffloadPolicy.
#pragma once

#include <algorithm>

#include "estimate/placed.h"
#include "estimate/training/states.h"

namespace plimsoll {

/// Moves a row from the device to the host, but for what only the device has of it.
template <class N>
void move_to_host(Ledger<N>& device, Ledger<N>& host, std::string_view id) {
    for (size_t index = 0; index < device.rows.size(); ++index) {
        if (device.rows[index].id != id) continue;
        Row<N> row = std::move(device.rows[index]);
        device.rows.erase(device.rows.begin() + static_cast<std::ptrdiff_t>(index));
        if (!row.children.empty() && row.children.back().id == "step_temporaries") {
            row.children.pop_back();  // the processor steps in place
            sum_children(row);
        }
        row.pinned = true;
        host.rows.push_back(std::move(row));
        return;
    }
}

/// `swap_buffers`: what is read from disk passes through so many page-locked buffers.
template <class N>
void add_swap_buffers(Ledger<N>& host, double count, const N& elements, Dtype dtype, const char* name) {
    Row<N> row{name, Basis::modelled, std::vector<Cell<N>>(host.phases.size())};
    const N buffers = input<N>("buffer_count", count, "DeepSpeed, zero/offload_config.py");
    for (Cell<N>& cell : row.cells) cell = exactly<N>(name, buffers * elements * bytes_of<N>(dtype));
    row.pinned = true;
    host.rows.push_back(std::move(row));
}

/// The same for all that a layout off-loads. `trainable`: parameters with gradients.
template <class N>
void offload(Ledger<N>& device, Ledger<N>& host, const TrainingInputs& inputs, const N& trainable) {
    const TrainingLayout& layout = inputs.layout;
    const auto forget = [&host] { host.rows.pop_back(); };
    const N held = named("stepped_elements", state_share<N>(inputs) * trainable);
    if (layout.optimizer != Residence::device) {
        for (const char* id : {"master_weights", "optimizer"}) {
            const size_t before = host.rows.size();
            move_to_host(device, host, id);
            if (layout.optimizer == Residence::nvme && host.rows.size() > before) forget();
        }
        if (layout.optimizer == Residence::nvme)
            add_swap_buffers(host, 4,
                             minimum(held, input<N>("sub_group_size", layout.sub_group, "DeepSpeed, zero/config.py")),
                             Dtype::float32, "swap_buffers_of_optimizer");
        if (layout.divides_gradients()) {
            const size_t before = host.rows.size();
            move_to_host(device, host, "gradients");
            if (host.rows.size() > before) {
                const Dtype dtype = layout.divides_weights() ? inputs.precision.gradient : Dtype::float32;
                for (Cell<N>& cell : host.rows.back().cells)
                    cell = exactly<N>("gradients", Bytes<N>{ceiling((held * bytes_of<N>(dtype)).n)});
            }
        }
    }
    if (layout.parameters == Residence::device) return;
    move_to_host(device, host, "weights");
    if (layout.parameters != Residence::nvme) return;
    forget();
    add_swap_buffers(host, 5, input<N>("buffer_size", 1e8, "DeepSpeed, zero/offload_config.py"),
                     inputs.precision.numerics.parameter, "swap_buffers_of_parameters");
}

}  // namespace plimsoll
