/// What a kernel's layout takes beyond the bytes of the file: widths of the experts that are padded, values and scales
/// whose rows are, scales that are there in the file's order and in the kernel's, biases in fp32.
///
///     experts    up and gate [width, intermediate], down [intermediate, width], of each: both widths rounded up to the
///                kernel's multiples on one device; gate and up are one matrix where outputs of scales are padded
///     others     rows and columns of each matrix on one device
///
/// Source: vLLM, layers/quantization/mxfp4.py (create_weights, process_weights_after_loading), fused_moe/oracle/mxfp4.py
/// (mxfp4_round_up_hidden_size_and_intermediate_size), utils/nvfp4_utils.py (swizzle_blockscale); Triton, triton_kernels,
/// tensor_details/layout_details/hopper_scale.py and hopper_value.py; SGLang, layers/quantization/mxfp4.py.
#pragma once

#include "estimate/inference/paged/shard.h"

namespace plimsoll {

/// `value` rounded up to a multiple.
template <class N>
N padded_to(const N& value, double multiple, const char* symbol, const Kernel& kernel) {
    if (multiple <= 1) return value;
    const N unit = input<N>(symbol, multiple, kernel.source);
    return unit * ceiling(value / unit);
}

inline const Experts* experts_of(const Block& block) {
    for (const Op& op : block.ops)
        if (const Experts* experts = op.as<Experts>()) return experts;
    return nullptr;
}

/// One matrix on one device, as the file has it and as the kernel has it.
template <class N>
struct KernelMatrix {
    N count, rows, cols, padded_rows, padded_cols;
    Bytes<N> scales;    ///< of the file
    double joined = 1;  ///< matrices whose outputs are padded as one
};

template <class N>
Bytes<N> padded_bytes(const KernelMatrix<N>& matrix, const Encoding& encoding, const Kernel& kernel) {
    const auto bytes = [&](const N& rows, const N& cols) { return encoding.values(named("values", rows * cols)); };
    const N inputs = padded_to(matrix.padded_rows, kernel.value_inputs, "inputs_padded_to", kernel);
    Bytes<N> more = bytes(inputs, matrix.padded_cols) - bytes(matrix.rows, matrix.cols);
    if (!encoding.group) return matrix.count * more;
    const double elements = encoding.group->elements;
    const N joined = N(matrix.joined), group = input<N>("group_size", elements, encoding.source);
    const N outputs =
        padded_to(joined * matrix.padded_cols, kernel.scale_outputs, "outputs_padded_to", kernel) / joined;
    const N groups = padded_to(ceiling(matrix.padded_rows / group), kernel.scale_groups, "groups_padded_to", kernel);
    more += encoding.scales(groups * group, outputs) - matrix.scales;
    if (kernel.scales_twice) more += matrix.scales;
    return matrix.count * more;
}

/// Widths of the experts on one device: whole experts of its group, or all of them divided by width.
template <class N>
KernelMatrix<N> expert_matrix(const Weight<N>& weight, const Encoding& encoding, const Experts& experts,
                              const Shard<N>& shard, const Kernel& kernel) {
    N ranks = shard.tensor;
    if (shard.data > 1) ranks = ranks * input<N>("data_parallel", shard.data, "request: parallel.data");
    N count = weight.copies;
    if (shard.expert > 1) {
        const N groups = input<N>("expert_parallel", shard.expert, "request: parallel.expert");
        count = named("experts_of_a_group", ceiling(weight.copies / groups));
        ranks = ranks / groups;
    }
    const N inner = as<N>(experts.intermediate) / ranks, outer = as<N>(experts.width);
    const N inside = padded_to(inner, kernel.intermediate, "intermediate_padded_to", kernel);
    const N outside = padded_to(outer, kernel.width, "width_padded_to", kernel);
    const Bytes<N> scales = encoding.scales(weight.rows, weight.cols) / ranks;
    if (divides_inputs(weight.name)) return {count, inner, outer, inside, outside, scales};
    return {count, outer, inner, outside, inside, scales, experts.gated ? 2.0 : 1.0};
}

/// Bytes that one layer's weight takes more than its file's, on one device.
template <class N>
Bytes<N> kernel_layout(const Weight<N>& weight, const Encoding& encoding, const Kernel& kernel, const Shard<N>& shard,
                       const N& share, const Block& block) {
    const Experts* experts = weight.part == Part::experts ? experts_of(block) : nullptr;
    if (experts && weight.vector) {  // both biases of each expert: of gate and up, and of the way back down
        const KernelMatrix<N> up = expert_matrix(weight, encoding, *experts, shard, kernel);
        const N inner = experts->gated ? N(2) * up.padded_cols : up.padded_cols;
        const Dtype type = kernel.wide_biases ? Dtype::float32 : Dtype::sixteen_bit;
        return up.count * ((inner + up.padded_rows) * bytes_of<N>(type)) -
               weight.elements() * share * bytes_of<N>(Dtype::sixteen_bit);
    }
    if (weight.vector) return {N(0)};
    if (experts) return padded_bytes(expert_matrix(weight, encoding, *experts, shard, kernel), encoding, kernel);
    const bool inputs = divides_inputs(weight.name);
    const N rows = inputs ? weight.rows * share : weight.rows, cols = inputs ? weight.cols : weight.cols * share;
    const Bytes<N> scales = share * encoding.scales(weight.rows, weight.cols);
    return padded_bytes(KernelMatrix<N>{weight.copies, rows, cols, rows, cols, scales}, encoding, kernel);
}

}  // namespace plimsoll
