/// Models beside the one that is trained: a reference, a teacher. Each is a model with inputs of its own, whose rows
/// follow from the same rules as the policy's and are nested under one: its weights, divided where the layout divides
/// weights and whole on every device elsewhere; and what its pass has.
///
/// Source: TRL, models/utils.py (prepare_deepspeed: stage 3 or none; prepare_fsdp), trainer/dpo_trainer.py.
#pragma once

#include "estimate/companions.h"
#include "estimate/training/frozen_pass.h"
#include "estimate/training/weights.h"

namespace plimsoll {

/// The row of each model that is held; `other`: what its pass has in the loss.
template <class N>
void add_held_models(Ledger<N>& ledger, const Model& policy, const TrainingInputs& inputs, const Group<N>& other) {
    for (const HeldModel& held : inputs.models) {
        Ledger<N> own;
        own.phases = ledger.phases;
        if (held.has_weights) add_trained_weights<N>(own, held.model ? *held.model : policy, inputs_of(inputs, held));
        if (value_of(other.bytes) > 0) {
            Row<N>& row = own.add(other.id, Basis::modelled);
            for (size_t phase = 0; phase < own.phases.size(); ++phase)
                if (std::string_view(own.phases[phase]).substr(0, 4) == "loss")
                    row.cells[phase] = estimated<N>(row.id, other.bytes);
        }
        add_nested<N>(ledger, held.row, std::move(own.rows), [](std::string_view) { return true; });
    }
}

}  // namespace plimsoll
