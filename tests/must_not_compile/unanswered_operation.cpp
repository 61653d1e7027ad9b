// expected: static assertion failed: leaves a question unanswered|static_assert failed.*leaves a question unanswered
#include "model/core/operation.h"

using namespace plimsoll;

struct Forgetful {
    Part part = Part::norm;
    template <class N>
    void weights(std::vector<Weight<N>>&) const {}
    template <class N>
    void forward(Tape<N>&) const {}
    template <class N>
    void costs(Tape<N>&, std::vector<Cost<N>>&) const {}
#ifndef MISTAKE
    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
#endif
};
static_assert(Operation<Forgetful>, "leaves a question unanswered");
