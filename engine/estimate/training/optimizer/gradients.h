/// What gradients take: as the backward pass makes them, as they are kept, and as the optimizer's step reads them.
///
///     whole     each stays where it has come
///     divided   each device keeps its share (ZeRO from stage 2 on, fully sharded data parallelism). What arrives is
///               whole: it goes into a bucket at once, or waits until all of its unit have come
#pragma once

#include "estimate/training/optimizer/states.h"
#include "estimate/training/parallel/communication.h"

namespace plimsoll {

template <class N>
struct Gradients {
    N share;                ///< of each that this device keeps
    bool divided;           ///< among devices
    bool on_host;           ///< what is left of them goes there at once
    bool by_unit;           ///< and a layer's are reduced when all of them have come
    bool joined;            ///< a layer's are put into one piece: to be reduced, or as they are one parameter's
    bool flat;              ///< whole over an accumulation, and each unit's one piece (flat parameters)
    bool head_apart;        ///< those of the ends of the model are reduced as they come
    bool one_matrix;        ///< embedding and head are one matrix that is trained: both give it a gradient
    bool summed_apart;      ///< into a third one
    bool adapters;          ///< are trained, not the model's own weights
    bool passing;           ///< one that comes is used at once: added to a buffer, or by the optimizer
    Bytes<N> element;       ///< of a kept one, on this device
    Bytes<N> arriving;      ///< of one as it comes
    Bytes<N> all;           ///< all that are kept
    Bytes<N> copies{N(0)};  ///< that are made of them for the optimizer's step
    Bytes<N> head{N(0)}, embedding{N(0)};  ///< of the vocabulary matrix and of the embedding, as they are kept
    Bytes<N> matrix_arriving{N(0)};        ///< of either, as it comes
    bool has_head = false;                 ///< the vocabulary matrix has one

    Gradients(const Model& model, const TrainingInputs& inputs, const N& trainable, bool trains_head,
              bool trains_embedding)
        : share(share_of<N>(inputs.layout, inputs.gradients_divided())),
          divided(inputs.gradients_divided()),
          on_host(inputs.gradients_go_to_host()),
          by_unit(inputs.reduces_by_unit()),
          joined(inputs.layout.divides_gradients() && gathers_units(inputs.layout.sharding) &&
                 (by_unit || inputs.layout.sharding == Sharding::fsdp)),
          flat(joined && !divided),
          head_apart(!joined || inputs.layout.ends_apart),
          one_matrix(model.tied && !inputs.request.method.adapter),
          summed_apart(one_matrix && !flat && inputs.tied_gradients_apart()),
          adapters(inputs.request.method.adapter.has_value()),
          passing(inputs.gradients_pass()),
          element(on_host ? Bytes<N>{N(0)} : share * gradient_element<N>(inputs)),
          arriving(bytes_of<N>(inputs.gradient_made())),
          all(trainable * element) {
        if (divided && !on_host && inputs.precision.master_weights) copy_for_step(trainable, inputs);
        if (!model.vocab_size || !model.hidden_size) return;
        const N elements = as<N>(*model.vocab_size) * as<N>(*model.hidden_size);
        const Bytes<N> matrix = elements * matrix_gradient_element<N>(inputs);
        const Bytes<N> kept = on_host ? Bytes<N>{N(0)} : share * matrix;
        has_head = trains_head;
        if (trains_head) head = kept;
        if (trains_embedding) embedding = kept;
        matrix_arriving = inputs.request.method.adapter ? matrix : elements * arriving;
        if (inputs.request.method.adapter && inputs.request.method.adapter->saves_modules())
            all = adapter_parameters<N>(model, *inputs.request.method.adapter) * element + head + embedding;
    }

    /// Those of what lies above the layers, of which `trained` parameters; of an embedding that is the head, too.
    Bytes<N> of_head(const N& trained) const {
        const bool waits = !head_apart && has_head;  // until all that is no layer can be reduced
        Bytes<N> others = trained * (waits ? arriving : element);
        if (!one_matrix && !adapters) return others;  // the matrix is among them
        return (waits ? matrix_arriving : head) + others;
    }
    /// The vocabulary matrix's, when it comes; `present`: all are there before.
    Bytes<N> head_arriving(bool present) const { return (present || divided) && has_head ? matrix_arriving : head; }
    /// What comes besides those of all parameters at the embedding, the last of all.
    Bytes<N> at_embedding(bool present) const {
        if (flat) return ends_joined(present);
        Bytes<N> bytes{N(0)};
        if (one_matrix || present || passing || divided) bytes += matrix_arriving;
        if (summed_apart) bytes += matrix_arriving;
        if (!head_apart && !one_matrix && has_head) bytes += matrix_arriving;
        return bytes;
    }
    /// Whether a layer's gradients are kept as they come.
    bool stay_as_made() const { return divided || value_of(element) == value_of(arriving); }

private:
    /// Gradients of both ends wait for each other and are put into one piece, which is added to what is there.
    /// (PyTorch, fsdp/_flat_param.py, _get_unflat_views: torch.split, whose backward pass joins)
    Bytes<N> ends_joined(bool present) const {
        const bool both = !head_apart && !one_matrix && has_head;
        const Bytes<N> pieces = both ? N(2) * matrix_arriving : matrix_arriving;
        Bytes<N> bytes = present ? N(2) * pieces : pieces;
        if (one_matrix) bytes += matrix_arriving;  // of the head and of the embedding, which are summed
        return bytes;
    }
    /// DeepSpeed copies its share into one piece, and to the type of the master weights; from stage 3 on in parts.
    /// (zero/stage_1_and_2.py, step; zero/stage3.py, _prepare_fp32_grad_for_sub_group)
    void copy_for_step(const N& trainable, const TrainingInputs& inputs) {
        if (inputs.layout.sharding != Sharding::deepspeed) return;
        const N held = named("stepped_elements", share * trainable);
        N at_once = held;
        if (inputs.layout.divides_weights())
            at_once = minimum(held, input<N>("sub_group_size", inputs.layout.sub_group, "DeepSpeed, zero/config.py"));
        copies = at_once * (arriving + bytes_of<N>(Dtype::float32));
    }
};

}  // namespace plimsoll
