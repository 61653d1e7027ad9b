/// Makes a target fuzz by a grammar: PLIMSOLL_FUZZ_BY(a function that gives one).
#pragma once

#include "grammar.h"

#define PLIMSOLL_FUZZ_BY(GRAMMAR)                                                                          \
    extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, \
                                                   unsigned seed) {                                        \
        return plimsoll::fuzz::mutate(GRAMMAR(), data, size, most, seed);                                  \
    }
