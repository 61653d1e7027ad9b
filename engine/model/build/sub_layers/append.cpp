// What blocks hold most, appended.
#include "model/build/sub_layers/append.h"

namespace plimsoll {

void append_linear(Block& block, Label name, Part part, const Traced& in, const Traced& out, bool bias, Label from,
                   Label to) {
    block.ops.push_back(Linear{name, part, in, out, bias, from, to});
}

void append_normed(Block& block, Norm::Kind norm, bool bias, const Traced& hidden, Label from, Label to) {
    block.ops.push_back(Norm{"norm", norm, hidden, true, bias, from, to});
}

Traced constant(Label name, double value) { return Traced::leaf(name, value, "fixed by the model's code"); }

}  // namespace plimsoll
