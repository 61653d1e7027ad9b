/// How many devices a request speaks of, and what divides a model among them: one rule for every task and runtime.
#pragma once

#include "api/request/fields.h"

namespace plimsoll {

/// Devices, and how many of them share what.
struct Degrees {
    double devices = 1, tensor = 1, pipeline = 1, data = 1, context = 1, expert = 1;
};

/// What a task or a runtime makes of devices that no given degree takes.
struct DegreeRule {
    double Degrees::*rest;         ///< the degree that follows from the devices and the other degrees
    const char* why;               ///< the assumption's reason, where it does
    bool context_is_apart;         ///< devices that share a sequence are others than those that share matrices
    bool experts_over_data;        ///< devices with other data share the routed experts
    std::optional<double> listed;  ///< devices that `device` lists
};

/// `devices` and the degrees of `parallel`. What is left out follows from the rest, and an assumption says so:
/// `devices` is the product of the degrees that multiply, and the rule's `rest` what they leave of the devices. Where
/// both are left out, there are as many devices as the groups of `context` and `expert` need.
/// Error: at a degree that does not divide the devices, or at `parallel` where all are given with another product.
Degrees read_degrees(Fields& top, Fields& parallel, const DegreeRule& rule, Reading& reading);

}  // namespace plimsoll
