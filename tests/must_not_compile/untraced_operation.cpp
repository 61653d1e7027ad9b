// expected: static assertion failed: answers without a trace|static_assert failed.*answers without a trace
#include "model/core/operation.h"

using namespace plimsoll;

struct PlainNumbersOnly {
    Part part = Part::norm;
#ifdef MISTAKE
    void weights(std::vector<Weight<double>>&) const {}
#else
    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
#endif
    template <class N>
    void forward(Tape<N>&) const {}
    template <class N>
    void costs(Tape<N>&, std::vector<Cost<N>>&) const {}
    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
};
static_assert(Operation<PlainNumbersOnly>, "answers without a trace");
