/// Short ways to ask for a training on a model's own answers, and to read what is there at a phase.
#pragma once

#include "engine/support.h"

namespace plimsoll::test {

inline Json learning(const char* objective, Json training, const Json& model = {{"config", small_llama()}}) {
    training["objective"] = objective;
    if (!training.contains("sequence")) training["sequence"] = 128;
    return {{"task", "training"}, {"model", model}, {"training", training}};
}

inline const Json& phase(const Json& reply, const std::string& name) {
    for (const Json& each : reply.at("timeline"))
        if (each.at("phase") == name) return each;
    FAIL("no phase " << name);
    return reply;
}

inline double at(const Json& reply, const char* name, const char* id) {
    return phase(reply, name).at("rows").value(id, 0.0);
}

inline double during(const Json& reply, const char* path, const char* name) {
    return row(reply, path).at("by_phase").at(name).get<double>();
}

inline Json placed(const char* framework, int zero) { return {{"framework", framework}, {"zero", zero}}; }

}  // namespace plimsoll::test
