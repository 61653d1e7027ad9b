// What every kind of operation is copied, destroyed and asked by: expanded here alone.
#include "model/core/op.h"

namespace plimsoll {

template <class T>
requires(!std::same_as<T, Op>) Op::Op(T mathematics) : mathematics_(new Mathematics(std::move(mathematics))) {}

Op::Op(const Op& other) : mathematics_(new Mathematics(*other.mathematics_)) {}

Op::~Op() { delete mathematics_; }

Part Op::part() const {
    return visit([](const auto& each) { return each.part; });
}

template <class N>
void Op::weights(std::vector<Weight<N>>& list) const {
    visit([&list](const auto& each) { each.weights(list); });
}

template <class N>
void Op::forward(Tape<N>& tape) const {
    visit([&tape](const auto& each) { each.forward(tape); });
}

template <class N>
void Op::keeps(std::vector<Kept<N>>& list) const {
    visit([&list](const auto& each) { each.keeps(list); });
}

template <class N>
void Op::costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
    visit([&tape, &list](const auto& each) { each.costs(tape, list); });
}

template void Op::weights(std::vector<Weight<double>>&) const;
template void Op::weights(std::vector<Weight<Traced>>&) const;
template void Op::forward(Tape<double>&) const;
template void Op::forward(Tape<Traced>&) const;
template void Op::keeps(std::vector<Kept<double>>&) const;
template void Op::keeps(std::vector<Kept<Traced>>&) const;
template void Op::costs(Tape<double>&, std::vector<Cost<double>>&) const;
template void Op::costs(Tape<Traced>&, std::vector<Cost<Traced>>&) const;

template Op::Op(Linear);
template Op::Op(Norm);
template Op::Op(Attention);
template Op::Op(Activation);
template Op::Op(Multiply);
template Op::Op(Dropout);
template Op::Op(Add);
template Op::Op(Rope);
template Op::Op(Split);
template Op::Op(Lookup);
template Op::Op(Experts);
template Op::Op(LatentAttention);
template Op::Op(CompressedAttention);
template Op::Op(CrossAttention);
template Op::Op(FusedKernel);
template Op::Op(Recurrence);
template Op::Op(ShortConvolution);
template Op::Op(HeadExchange);

}  // namespace plimsoll
