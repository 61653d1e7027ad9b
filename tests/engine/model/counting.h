/// What a config.json comes to: its parameters, and what its layers keep.
#pragma once

#include <initializer_list>

#include "engine/support.h"

namespace plimsoll::test {

struct Published {
    const char* config;
    double parameters;
};

double count(const Json& config);
/// Bytes of a row of what generation keeps, `kv_cache` or `state`, at a context with a cache of 16 bits.
double kept(const Json& config, const char* path, double context);
void check_all(std::initializer_list<Published> rows);

}  // namespace plimsoll::test
