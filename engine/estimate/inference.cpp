#include "estimate/inference.h"

#include "estimate/runtimes/contiguous.h"
#ifndef PLIMSOLL_FIRST_ENGINE
#include "estimate/runtimes/llama_cpp.h"
#include "estimate/runtimes/paged.h"
#endif

namespace plimsoll {

#ifdef PLIMSOLL_FIRST_ENGINE
bool knows(Allocation allocation) { return allocation == Allocation::contiguous; }
#else
bool knows(Allocation) { return true; }
#endif

template <class N>
Placed<N> inference_ledgers(const Model& model, const InferenceInputs& inputs) {
#ifndef PLIMSOLL_FIRST_ENGINE
    if (inputs.runtime->allocation == Allocation::llama_cpp) return llama_cpp_ledgers<N>(model, inputs);
    if (inputs.runtime->allocation == Allocation::paged) return paged_ledgers<N>(model, inputs);
#endif
    return on_one_device<N>(contiguous_ledger<N>(model, inputs));
}

template Placed<double> inference_ledgers<double>(const Model&, const InferenceInputs&);
template Placed<Traced> inference_ledgers<Traced>(const Model&, const InferenceInputs&);

}  // namespace plimsoll
