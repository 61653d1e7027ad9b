/// How numbers are stored: what presets/encodings/ says of a format.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "inputs/product_bytes.h"
#include "number/quantity.h"

namespace plimsoll {

/// Scales and zero points that a group of values shares.
struct EncodingGroup {
    double elements;     ///< values per group, along a row of the matrix: inputs of one output
    double scale_bits;   ///< bits of scale per group
    double zero_bits;    ///< bits of zero point per group
    double columns = 1;  ///< outputs that share them too: 128 where blocks are 128×128
};

/// Which of a model's weights a format leaves in 16 bits.
enum class Wide : unsigned char {
    none,
    beside_linear,             ///< all but the linear layers of the decoder; router, head and towers stay wide
    beside_linear_and_towers,  ///< as above, and the towers' linear layers are packed too
    beside_linear_and_head,    ///< as `beside_linear`, and the vocabulary head is packed too
    beside_matrices,           ///< embeddings, head and router are packed too
    beside_experts,            ///< routed experts alone are packed; in a model without any, the linear layers
    gguf                       ///< none by rule: llama.cpp chooses a type for each tensor
};

struct Encoding {
    std::string id, name;
    double bits = 16;  ///< per stored value, without scales
    std::optional<EncodingGroup> group;
    std::optional<EncodingGroup> scale_group;                ///< scales that are themselves stored in groups
    double channel_bits = 0, row_bits = 0, tensor_bits = 0;  ///< per output, per input, and once for each matrix
    double block = 1;  ///< values that cannot be stored but together: a row holds whole blocks
    Wide wide = Wide::none;
    bool semi_structured = false;  ///< a runtime stores it with two of four values left out (2:4)
    bool keeps_input = false;      ///< a frozen product's kernel keeps what it is given for the backward pass
    ProductBytes product = {};     ///< that its kernels make
    std::string base;              ///< of a file type of GGUF: the block type of most of its tensors
    std::string beside = "bf16";   ///< what the weights are stored in that are left wide, by that encoding's own rule
    std::string head;              ///< of the vocabulary head, where that is packed another way
    std::string source;
    std::string family;                         ///< who writes and loads it
    bool for_weights = true, for_cache = true;  ///< what may be stored this way

    /// Bytes of `elements` values without scales; a packed tensor ends on a whole byte.
    template <class N>
    Bytes<N> values(const N& elements) const {
        const Bytes<N> per_element{input<N>({"bytes_per_", id}, bits / 8, source)};
        const Bytes<N> stored = elements * per_element;
        return bits < 8 ? Bytes<N>{ceiling(stored.n)} : stored;
    }
    /// Bytes of `elements` values with the scales of their groups, whatever matrices they are.
    template <class N>
    Bytes<N> bytes(const N& elements) const {
        Bytes<N> stored = values(elements);
        if (!group) return stored;
        return stored +
               ceiling(elements / input<N>("group_size", group->elements * group->columns, source)) * group_bytes<N>();
    }
    /// Bytes beside the values of one matrix of `rows` inputs and `cols` outputs.
    template <class N>
    Bytes<N> scales(const N& rows, const N& cols) const {
        Bytes<N> sum{N(0)};
        const auto add = [&](const char* symbol, double bits_each, const N& count) {
            if (bits_each > 0) sum += count * Bytes<N>{input<N>(symbol, bits_each / 8, source)};
        };
        if (group) {
            const N across =
                group->columns > 1 ? ceiling(cols / input<N>("group_columns", group->columns, source)) : cols;
            const N groups = ceiling(rows / input<N>("group_size", group->elements, source)) * across;
            sum += groups * group_bytes<N>();
            if (scale_group)
                sum += ceiling(groups / input<N>("scales_per_group", scale_group->elements, source)) *
                       Bytes<N>{input<N>("bytes_per_group_of_scales", scale_group->scale_bits / 8, source)};
        }
        add("bytes_per_output", channel_bits, cols);
        add("bytes_per_input", row_bits, rows);
        add("bytes_per_matrix", tensor_bits, N(1));
        return sum;
    }
    bool has_scales() const { return group || channel_bits > 0 || row_bits > 0 || tensor_bits > 0; }

private:
    template <class N>
    Bytes<N> group_bytes() const {
        return {input<N>("bytes_of_scales_per_group", (group->scale_bits + group->zero_bits) / 8, source)};
    }
};

/// By id and by alias.
using Encodings = std::map<std::string, Encoding, std::less<>>;

}  // namespace plimsoll
