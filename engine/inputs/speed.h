/// Which share of a device's rates kernels reach: what presets/speeds says of a runtime, found from printed speeds.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

/// From and to which multiple of the estimate seconds reach.
struct TimeFactors {
    double low = 0, high = 0;
    bool is_known() const { return high > 0; }
};

/// On one class of devices. A share of 0: not known; of attention and experts: as of other products.
struct Reached {
    std::string devices;        ///< class of devices (policies/runtimes/device_class.h)
    double generation = 0;      ///< the compute capability's first number; 0: of any
    double memory = 0;          ///< of the memory's bandwidth
    double products = 0;        ///< of the peak rate, by products of many tokens in 16 bits
    double packed = 0;          ///< the same with packed weights, or where both factors are narrower than 16 bits
    double attention = 0;       ///< the same by attention
    double experts = 0;         ///< the same by the products of routed experts, their exchange between devices included
    double launch_seconds = 0;  ///< that an operation takes beside: kernels are launched one by one
    double exchange_seconds = 0;  ///< that a sum over devices takes beside what it sends
    double figures = 0;           ///< printed speeds that it rests on
    TimeFactors token = {};       ///< of one sequence's step
    TimeFactors batch = {};       ///< of several sequences' step
    TimeFactors spread = {};      ///< of a step that devices share by tensor parallelism, of one or several sequences
    TimeFactors prefill = {};
    TimeFactors step = {};          ///< of a training step of a model without experts
    TimeFactors mixture_step = {};  ///< and of one with experts
};

/// Those of one runtime or training framework.
struct Speed {
    std::string id;
    std::vector<Reached> reached;
    std::string source;
};

}  // namespace plimsoll
