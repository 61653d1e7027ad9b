/// The rules of llama.cpp's quantizer: which block type a tensor gets in a file of some type.
#pragma once

#include "policies/encodings/gguf_tensors.h"
#include "policies/encodings/gguf_types.h"

namespace plimsoll {

/// What the rules look at, of a file type and of a model.
struct GgufRecipe {
    FileType file = FileType::plain;
    BlockType base = BlockType::f16;  ///< what a tensor gets that no rule is about
    double base_block = 1;            ///< its elements
    double experts = 0, query_groups = 0;
    int layers = 0, values = 0;  ///< layers in all, and those with attn_v, attn_qkv or the like
    bool tied = false;           ///< no output tensor: the embedding is quantised as one
    bool falcon = false;         ///< architecture with rules of its own
    bool seventy = false;        ///< what llama.cpp calls a 70B: 80 layers, values shared by eight heads

    /// How many tensors of a role went before, in the order of layers.
    struct Counters {
        int values = 0, down = 0, gate = 0, up = 0;
    };

    /// The type before it is known whether its blocks divide the tensor's rows.
    BlockType type_of(const GgufTensor& tensor, int layer, Counters& before) const;

private:
    BlockType head(const GgufTensor& tensor) const;
    BlockType embedding() const;
    BlockType in_lowest_bits(const GgufTensor& tensor, Counters& before) const;
    BlockType value(int index) const;
    BlockType down(int layer) const;
    BlockType attention_output() const;
    template <class... Types>
    bool is(Types... any) const {
        return ((file == any) || ...);
    }
};

/// A type of smaller blocks for rows that `type`'s blocks of 256 do not divide; F16 where there is none.
BlockType narrower_block(BlockType type);

}  // namespace plimsoll
