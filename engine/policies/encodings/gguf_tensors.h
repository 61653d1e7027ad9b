/// Which tensors of a GGUF file a model's weights become, and what llama.cpp's quantizer takes each of them for.
#pragma once

#include "model/core/profile.h"

namespace plimsoll {

/// As llama.cpp's quantizer tells tensors apart by their names; all that it treats alike is `other`.
enum class TensorRole : unsigned char {
    other,
    embedding,  ///< token_embd
    query,      ///< attn_q
    key,        ///< attn_k
    value,      ///< attn_v, attn_qkv
    attention_output,
    up,  ///< ffn_up, of shared and routed experts too, and gate and up where they are one
    gate,
    down,
    head  ///< output
};

/// In which types a file may hold a tensor.
enum class TensorKeeping : unsigned char {
    float32,   ///< in every file: norms, biases, routers, convolutions, positions
    as_given,  ///< as the file of floats has it, which the quantizer reads
    quantised
};

struct GgufTensor {
    unsigned short weight;  ///< index in weights_of(block)
    TensorRole role;
    TensorKeeping keeping;
    bool stacked;                   ///< three-dimensional: one matrix for each expert or head
    double row;                     ///< elements of a row, which blocks must divide
    double columns = 0;             ///< of the weight's; 0: all
    double tensors = 1;             ///< files have so many of it
    bool with_first_layer = false;  ///< placed as the first layer's, though it is none of a layer
};

/// The tensors of one block, in the order of its weights. `splits_qkv`: where q, k and v are one matrix, the converter
/// takes them apart.
std::vector<GgufTensor> gguf_tensors(const Block& block, bool splits_qkv);

}  // namespace plimsoll
