/// The phase `rollout`: the answers that a policy learns of are generated, by rules of inference.
///
///     transformers   generate() of the model that is trained: keys and values of all answers, a prompt's pass or one
///                    token's, the last token's logits; weights that are divided are gathered, all or a layer at a time
///     vllm           an engine of its own in the same process, with its weights, captured graphs, and the pages that
///                    its share of the device leaves; asleep while the policy is trained. Captured graphs and communicators' buffers stay
///
/// Source: TRL, models/utils.py (unwrap_model_for_generation), generation/vllm_generation.py; vLLM,
/// device_allocator/cumem.py (sleep), v1/worker/gpu_worker.py (sleep, determine_available_memory).
#pragma once

#include "estimate/inference/companions.h"
#include "estimate/inference/inference.h"
#include "estimate/training/parallel/communication.h"
#include "estimate/training/parameters/weights.h"

namespace plimsoll {

/// When a row of what generates is there: while it does, all the time, or but then.
enum class Held : unsigned char { meanwhile, always, otherwise };

template <class N>
class RolloutRows {
public:
    RolloutRows(const Phases& phases, const TrainingInputs& inputs)
        : phases_(phases),
          sleep_(inputs.request.objective.rollout.sleep),
          server_(inputs.generation->runtime->allocation == Allocation::paged) {
        Placed<N> placed = inference_ledgers<N>(*inputs.generator, *inputs.generation);
        Ledger<N>& ledger = placed.devices.front().ledger;
        const size_t fullest = fullest_step(ledger);
        const bool claims = placed.capacity && inputs.generation->device;
        if (claims) rows.push_back(pages(ledger, *placed.capacity, *inputs.generation));
        for (const Row<N>& row : ledger.rows) {
            const bool cache = row.id.is_cache(), weights = row.id == RowId::weights;
            if (!counted(row) || (claims && cache)) continue;
            // of the memory that sleeps
            const bool outside = row.id == RowId::workspace || row.id == RowId::communication;
            rows.push_back(at_phases(row, fullest, outside ? Held::always : held(cache || weights)));
            if (server_ && weights && sleep_ == Sleep::cache)
                on_host.push_back(at_phases(row, fullest, Held::otherwise));
        }
        for (Row<N>& row : on_host) row.pinned = true;
    }

    /// A row of the trainer's that is there for the generation alone.
    void add(Row<N> row) { rows.push_back(at_phases(row, 0, Held::meanwhile)); }

    std::vector<Row<N>> rows, on_host;

private:
    /// Whether a row is this generation's own: the context is the process's, and so is its library's workspace.
    bool counted(const Row<N>& row) const {
        if (row.id == RowId::workspace) return server_;
        return is_allocated(row.id) && (server_ || !(row.id == RowId::weights));
    }
    Held held(bool stays) const { return server_ && stays && sleep_ == Sleep::none ? Held::always : Held::meanwhile; }
    size_t fullest_step(const Ledger<N>& ledger) const {
        const auto moving = [](const RowId& id) {
            return is_allocated(id) && !(id == RowId::weights) && !(id == RowId::workspace);
        };
        const double prefill = total_at(ledger, inference_phase::prefill, moving);
        return prefill > total_at(ledger, inference_phase::decode, moving) ? inference_phase::prefill
                                                                           : inference_phase::decode;
    }
    /// One row's cell at a phase of the generation, as the training's phases have it.
    Row<N> at_phases(const Row<N>& row, size_t phase, Held when) const {
        Row<N> own{row.id, row.basis, std::vector<Cell<N>>(phases_.size())};
        for (const Row<N>& child : row.children)
            if (!(child.id == RowId::matrix_library)) own.children.push_back(at_phases(child, phase, when));
        for (size_t at = 0; at < phases_.size(); ++at) {
            const bool rollout = phases_[at] == Phase::rollout;
            if (when == Held::always || rollout == (when == Held::meanwhile)) own.cells[at] = row.cells[phase];
        }
        if (own.children.size() != row.children.size()) sum_children(own);
        return own;
    }
    /// `kv_cache`: what the engine's share of the device leaves, taken whether it is used or not. Exact: what is beside
    /// it is missing from it, so that both are the share, whatever the parts are.
    Row<N> pages(const Ledger<N>& ledger, const Capacity& capacity, const InferenceInputs& inputs) const {
        N beside{0};
        for (const Row<N>& row : ledger.rows)
            for (const std::string& path : capacity.beside) {
                if (path == row.id.text()) beside += row.cells[inference_phase::decode].bytes.n;
                for (const Row<N>& child : row.children)
                    if (path == std::string(row.id.text()) + "." + std::string(child.id.text()))
                        beside += child.cells[inference_phase::decode].bytes.n;
            }
        const N fraction =
            input<N>("memory_fraction", inputs.request.memory_fraction, "request: training.rollout.memory_fraction");
        const N claimed = named("claimed", rounded_down(fraction * inputs.device->shared_out<N>().n));
        const Bytes<N> left{maximum(N(0), claimed - named("beside_the_cache", beside))};
        Row<N> row{RowId::kv_cache, Basis::exact, std::vector<Cell<N>>(phases_.size())};
        for (size_t at = 0; at < phases_.size(); ++at)
            if (sleep_ == Sleep::none || phases_[at] == Phase::rollout) row.cells[at] = estimated<N>("kv_cache", left);
        return row;
    }

    const Phases& phases_;
    Sleep sleep_;
    bool server_;
};

/// Weights that are divided, as generate() has them: all, whole; or the widest layer's.
template <class N>
void add_gathered(RolloutRows<N>& rollout, const Model& model, const TrainingInputs& inputs) {
    Ledger<N> own;
    own.phases = {Phase::rollout};
    if (inputs.request.objective.rollout.gathers) {
        TrainingInputs whole = inputs;
        whole.layout.zero = 0;
        add_trained_weights<N>(own, model, whole);
    } else {
        const Communication<N> communication(model, inputs, N(0));
        Bytes<N> widest{N(0)};
        for (size_t kind = 0; kind < model.kinds.size(); ++kind)
            if (const Bytes<N> bytes = communication.gathered(kind).total(); value_of(bytes) > value_of(widest))
                widest = bytes;
        if (value_of(widest) > 0)
            always(own.add(RowId::communication, Basis::modelled), estimated<N>("communication", widest));
    }
    for (Row<N>& row : own.rows) rollout.add(std::move(row));
}

/// `dequantised`: a packed matrix is dequantized while its product runs.
template <class N>
void add_dequantized(RolloutRows<N>& rollout, const Model& model, const TrainingInputs& inputs) {
    Bytes<N> widest{N(0)};
    for (const LayerKind& kind : model.kinds)
        if (const Bytes<N> bytes = dequantized<N>(kind.block, inputs); value_of(bytes) > value_of(widest))
            widest = bytes;
    if (value_of(widest) == 0) return;
    Row<N> row{RowId::dequantized, Basis::modelled, {estimated<N>("dequantised", widest)}};
    rollout.add(std::move(row));
}

/// The row `rollout`, and what of it lies on the host.
template <class N>
void add_rollout(Ledger<N>& ledger, Ledger<N>& host, const Model& model, const TrainingInputs& inputs) {
    if (!inputs.generation) return;
    RolloutRows<N> rollout(ledger.phases, inputs);
    if (inputs.generation->runtime->allocation == Allocation::contiguous) {
        if (inputs.layout.divides_weights()) add_gathered(rollout, model, inputs);
        add_dequantized(rollout, model, inputs);
    }
    add_nested<N>(ledger, RowId::rollout, std::move(rollout.rows), any_row);
    add_nested<N>(host, RowId::rollout, std::move(rollout.on_host), any_row);
}

}  // namespace plimsoll
