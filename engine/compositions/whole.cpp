// The whole engine: everything that is here.
#include "compositions/architectures.h"
#include "inputs/capabilities.h"

namespace plimsoll {

extern const Capabilities capabilities{
    .training = true, .runtimes = true, .generic_decoder = true, .altered_models = true, .time = true, .classic = true};

}  // namespace plimsoll
