/// Which share of a device's rates kernels reach: what presets/speeds says of a runtime, found from printed speeds.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

/// On one class of devices. A share of 0: not known.
struct Reached {
    std::string devices;                       ///< class of devices (policies/runtimes/device_class.h)
    double memory = 0;                         ///< of the memory's bandwidth, by a step of few tokens
    double products = 0;                       ///< of the peak rate, by products of many tokens with weights of 16 bits
    double packed = 0;                         ///< the same with packed weights
    double launch_seconds = 0;                 ///< that an operation takes beside: kernels are launched one by one
    double figures = 0;                        ///< printed speeds that it rests on
    double low = 0, high = 0;                  ///< of one sequence's step: factors of the seconds
    double batch_low = 0, batch_high = 0;      ///< of several sequences' step
    double prefill_low = 0, prefill_high = 0;  ///< of a prefill
};

/// Those of one runtime or training framework.
struct Speed {
    std::string id;
    std::vector<Reached> reached;
    std::string source;
};

}  // namespace plimsoll
