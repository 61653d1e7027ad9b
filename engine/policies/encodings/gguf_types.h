/// The file types of llama.cpp's quantizer and the block types it mixes in them. Sizes are in presets/encodings/.
#pragma once

#include <string_view>

namespace plimsoll {

enum class BlockType : unsigned char {
    f32,
    f16,
    bf16,
    q4_0,
    q4_1,
    q5_0,
    q5_1,
    q8_0,
    q2_k,
    q3_k,
    q4_k,
    q5_k,
    q6_k,
    iq1_s,
    iq1_m,
    iq2_xxs,
    iq2_xs,
    iq2_s,
    iq3_xxs,
    iq3_s,
    iq4_nl,
    iq4_xs,
    tq1_0,
    tq2_0,
    mxfp4
};

inline constexpr std::string_view block_type_names[] = {
    "f32",     "f16",   "bf16",   "q4_0",   "q4_1",  "q5_0",  "q5_1",    "q8_0",   "q2_k",
    "q3_k",    "q4_k",  "q5_k",   "q6_k",   "iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s",
    "iq3_xxs", "iq3_s", "iq4_nl", "iq4_xs", "tq1_0", "tq2_0", "mxfp4"};

inline constexpr size_t block_type_count = sizeof block_type_names / sizeof *block_type_names;

/// File types with a rule of their own; `plain` stores one block type wherever nothing else is said.
enum class FileType : unsigned char {
    plain,
    q2_k,
    q2_k_s,
    q3_k_s,
    q3_k_m,
    q3_k_l,
    q4_k_s,
    q4_k_m,
    q5_k_m,
    iq1_s,
    iq1_m,
    iq2_xxs,
    iq2_xs,
    iq2_s,
    iq2_m,
    iq3_xxs,
    iq3_xs,
    iq3_s,
    iq3_m,
    iq4_nl,
    iq4_xs,
    tq1_0,
    tq2_0,
    mxfp4_moe
};

inline constexpr std::string_view file_type_names[] = {"",       "q2_k",   "q2_k_s", "q3_k_s",  "q3_k_m", "q3_k_l",
                                                       "q4_k_s", "q4_k_m", "q5_k_m", "iq1_s",   "iq1_m",  "iq2_xxs",
                                                       "iq2_xs", "iq2_s",  "iq2_m",  "iq3_xxs", "iq3_xs", "iq3_s",
                                                       "iq3_m",  "iq4_nl", "iq4_xs", "tq1_0",   "tq2_0",  "mxfp4_moe"};

}  // namespace plimsoll
