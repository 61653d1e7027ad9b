/// What the forward pass of a training step keeps for the backward pass, gathered over the model.
#pragma once

#include "estimate/training_states.h"

namespace plimsoll {

/// What the forward pass saved, gathered over the model.
template <class N>
struct SavedTensors {
    struct Group {
        std::string id;
        Bytes<N> bytes;
    };
    std::vector<Group> groups;  ///< by part; the layers' and the head's
    Bytes<N> last_layer{N(0)};  ///< the last layer's share of them
    Bytes<N> in_flight{N(0)};   ///< one layer's saved tensors and gradients at the fullest moment of its backward pass
    Bytes<N> total{N(0)};       ///< of all groups, once they are complete

    /// Makes each group a row and adds them up.
    void complete() {
        for (Group& group : groups) {
            group.bytes = {as_row({"activations.", group.id}, group.bytes.n)};
            total += group.bytes;
        }
        in_flight = {named("layer_in_flight", in_flight.n)};
        last_layer = {named("kept_by_last_layer", last_layer.n)};
    }
    void add(const std::string& id, const Bytes<N>& bytes) {
        if (value_of(bytes) == 0) return;
        for (Group& group : groups)
            if (group.id == id) {
                group.bytes += bytes;
                return;
            }
        groups.push_back({id, bytes});
    }
};

template <class N>
Pass<N> training_pass(const TrainingInputs& inputs) {
    const N batch = input<N>("micro_batch", inputs.request.micro_batch, inputs.micro_batch_source);
    const N sequence = input<N>("sequence", inputs.request.sequence, inputs.sequence_source);
    PassOptions options = inputs.request.pass;
    options.numerics = inputs.precision.numerics;
    options.adapter = inputs.request.lora ? &*inputs.request.lora : nullptr;
    return {batch, sequence, sequence, named("tokens", batch * sequence), options, true, !inputs.request.lora};
}

/// Adds a block's saved tensors, `layers` times, and returns what one of them saves.
template <class N>
Bytes<N> add_saved(SavedTensors<N>& saved, const Tape<N>& tape, const N& layers) {
    Bytes<N> one{N(0)};
    std::vector<typename SavedTensors<N>::Group> groups;
    for (const auto& tensor : tape.saved()) {
        const Bytes<N> bytes{named({"kept_", tensor.name}, tensor.elements * bytes_of<N>(tensor.dtype).n)};
        const std::string id = std::string("saved.") + part_name(tensor.part);
        one += bytes;
        bool known = false;
        for (auto& group : groups)
            if (group.id == id) group.bytes += bytes, known = true;
        if (!known) groups.push_back({id, bytes});
    }
    for (const auto& group : groups) saved.add(group.id, layers * group.bytes);
    if (tape.options().numerics.autocast) {
        const Bytes<N> half = bytes_of<N>(Dtype::sixteen_bit);
        saved.add("saved.weight_casts", layers * (named("matrix_elements", tape.cast_matrices()) * half));
        saved.add("weight_cast_cache", layers * (named("bias_elements", tape.cast_vectors()) * half));
    }
    return one;
}

/// Batch tensors that every step holds: masks, labels, positions, and the rotary tables that all layers share.
template <class N>
void add_inputs(SavedTensors<N>& saved, const Model& model, const Pass<N>& pass) {
    const Bytes<N> ids = bytes_of<N>(Dtype::int64);
    saved.add("inputs", Bytes<N>{named("attention_mask_and_labels", N(2) * pass.tokens * ids.n)} +
                            Bytes<N>{named("position_ids", pass.sequence * ids.n)});
    for (const Op& op : model.kinds.front().block.ops) {
        const Attention* attention = std::get_if<Attention>(&op);
        if (attention && attention->q == "q_rotated")
            saved.add("saved.rotary_tables", Bytes<N>{N(2) * pass.sequence * as<N>(attention->head_dim) *
                                                      bytes_of<N>(pass.options.numerics.compute).n});
    }
}

template <class N>
SavedTensors<N> saved_tensors(const Model& model, const TrainingInputs& inputs) {
    SavedTensors<N> saved;
    if (!model.hidden_size || model.kinds.empty()) return saved;
    const N hidden = as<N>(*model.hidden_size);
    const bool frozen_bottom = inputs.request.freeze && inputs.request.trainable_percent < 100;
    const N share = frozen_bottom ? input<N>("trainable_percent", inputs.request.trainable_percent,
                                             "request: training.trainable_percent") /
                                        N(100)
                                  : N(1);
    const Pass<N> pass = training_pass<N>(inputs);
    add_inputs(saved, model, pass);
    if (!frozen_bottom) add_saved(saved, run<N>(model.embedding, pass, hidden), N(1));
    for (const LayerKind& kind : model.kinds) {
        // frozen layers at the bottom keep nothing: no gradient flows into them
        const N layers = frozen_bottom ? named({"trainable_", kind.name, "s"}, ceiling(as<N>(kind.count) * share))
                                       : as<N>(kind.count);
        const Tape<N> tape = run<N>(kind.block, pass, hidden);
        const Bytes<N> in_flight = tape.backward_peak();
        if (value_of(in_flight) > value_of(saved.in_flight)) saved.in_flight = in_flight;
        if (inputs.request.checkpointing == Checkpointing::full) {
            const Dtype residual = pass.options.numerics.autocast ? Dtype::float32 : pass.options.numerics.parameter;
            saved.add("saved.checkpoints", layers * (pass.tokens * hidden * bytes_of<N>(residual)));
        } else {
            saved.last_layer = add_saved(saved, tape, layers);
        }
    }
    add_saved(saved, run<N>(model.head, pass, hidden), N(1));
    saved.complete();
    return saved;
}

}  // namespace plimsoll
