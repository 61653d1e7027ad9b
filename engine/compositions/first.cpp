// The engine that a page fetches first: inference under transformers, of the families that most people ask for. What else
// is asked it leaves to the whole engine.
#include "compositions/architectures.h"
#include "inputs/capabilities.h"

namespace plimsoll {

extern const Capabilities capabilities{.training = false,
                                       .runtimes = false,
                                       .generic_decoder = false,
                                       .altered_models = false,
                                       .time = false,
                                       .classic = false};

}  // namespace plimsoll
