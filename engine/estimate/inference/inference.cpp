// Memory of inference, by the way in which the runtime allocates.
#include "estimate/inference/inference.h"

#include "estimate/inference/adapter_slots.h"
#include "estimate/inference/contiguous/several_devices.h"
#include "estimate/inference/llama_cpp/llama_cpp.h"
#include "estimate/inference/paged/paged.h"
#include "inputs/capabilities.h"

namespace plimsoll {

bool knows(const Runtime& runtime) {
    return capabilities.runtimes || (runtime.allocation == Allocation::contiguous && runtime.torch_allocator);
}

namespace {

// An assistant has a cache of its own; the adapters of PEFT stand beside the layers.
template <class N>
void add_contiguous_companions(Ledger<N>& ledger, const Model& model, const InferenceInputs& inputs) {
    if (inputs.companions->adapters)
        add_adapters<N>(
            ledger, *inputs.companions->adapters,
            adapter_elements<N>(
                model, *inputs.companions->adapters, [&](size_t kind, bool) { return as<N>(model.kinds[kind].count); },
                [](const Weight<N>& weight, const Block&) { return weight.rows * weight.copies; },
                [](const Weight<N>& weight, const Block&) { return weight.cols * weight.copies; }),
            0);
    if (inputs.companions->images) see_images<N>(ledger, model, inputs);
    for (const Companion& companion : inputs.companions->models)
        add_nested<N>(ledger, companion.row, contiguous_ledger<N>(*companion.model, *companion.inputs).rows, is_held);
}

template <class N>
Placed<N> other_runtime_ledgers(const Model& model, const InferenceInputs& inputs) {
    if (inputs.runtime->allocation == Allocation::llama_cpp) return llama_cpp_ledgers<N>(model, inputs);
    if (inputs.runtime->allocation == Allocation::paged) return paged_ledgers<N>(model, inputs);
    if (inputs.request.devices > 1 && inputs.runtime->torch_allocator) return several_devices<N>(model, inputs);
    Ledger<N> ledger = contiguous_ledger<N>(model, inputs);
    add_contiguous_companions<N>(ledger, model, inputs);
    return on_one_device<N>(std::move(ledger));
}

}  // namespace

template <class N>
Placed<N> inference_ledgers(const Model& model, const InferenceInputs& inputs) {
    const bool plain =
        inputs.runtime->allocation == Allocation::contiguous && !inputs.companions && !(inputs.request.devices > 1);
    if (capabilities.runtimes && !plain) return other_runtime_ledgers<N>(model, inputs);
    return on_one_device<N>(contiguous_ledger<N>(model, inputs));
}

template Placed<double> inference_ledgers<double>(const Model&, const InferenceInputs&);
template Placed<Traced> inference_ledgers<Traced>(const Model&, const InferenceInputs&);

}  // namespace plimsoll
