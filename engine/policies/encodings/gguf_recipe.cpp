// Source: llama.cpp, src/llama-quant.cpp: llama_tensor_get_type_impl, tensor_type_fallback (2026).
#include "policies/encodings/gguf_recipe.h"

namespace plimsoll {
namespace {

using B = BlockType;
using F = FileType;

// The first and last eighth of the layers, and every third between.
bool more_bits(int layer, int layers) {
    return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

}  // namespace

BlockType GgufRecipe::head(const GgufTensor& tensor) const {
    const double blocks = tensor.row / base_block;
    if (is(F::mxfp4_moe) || falcon || !is_whole(blocks)) return B::q8_0;
    if (is(F::iq2_xxs, F::iq2_xs, F::iq3_xxs, F::iq1_s, F::iq2_s, F::iq2_m, F::iq1_m)) return B::q5_k;
    return base == B::q8_0 ? base : B::q6_k;
}

BlockType GgufRecipe::embedding() const {
    if (is(F::iq2_xxs, F::iq2_xs, F::iq1_s, F::iq1_m)) return B::q2_k;
    if (is(F::iq2_s, F::iq2_m, F::iq3_xxs)) return B::iq3_s;
    return is(F::tq1_0, F::tq2_0) ? B::q4_k : base;
}

BlockType GgufRecipe::in_lowest_bits(const GgufTensor& tensor, Counters& before) const {
    const bool wider = is(F::iq2_s, F::iq2_m);
    switch (tensor.role) {
        case TensorRole::value:
            if (query_groups >= 4 || experts >= 4) return B::q4_k;
            return wider ? B::iq3_s : B::q2_k;
        case TensorRole::key: return experts == 8 ? B::q4_k : base;
        case TensorRole::down:
            if (before.down++ >= layers / 8) return base;
            return wider ? B::iq3_s : B::q2_k;
        case TensorRole::attention_output:
            if (experts == 8) return B::q5_k;
            if (is(F::iq1_s, F::iq1_m)) return B::iq2_xxs;
            return wider ? B::iq3_s : base;
        default: return base;
    }
}

BlockType GgufRecipe::value(int index) const {
    if (experts == 8) return B::q8_0;
    const bool grouped = query_groups >= 4;
    B type = base;
    if (is(F::q2_k))
        type = grouped ? B::q4_k : B::q3_k;
    else if (is(F::iq3_xxs))
        type = grouped ? B::q4_k : B::iq3_s;
    else if (is(F::iq3_m) || (grouped && is(F::q2_k_s, F::iq3_xs, F::iq3_s)))
        type = B::q4_k;
    else if (is(F::q3_k_m))
        type = index < 2 ? B::q5_k : B::q4_k;
    else if (is(F::q4_k_m, F::q5_k_m) && more_bits(index, values))
        type = B::q6_k;
    else if (is(F::q3_k_l) || (grouped && is(F::iq4_nl, F::iq4_xs)) || (is(F::q4_k_s) && index < 4))
        type = B::q5_k;
    return seventy && (type == B::q3_k || type == B::q4_k) ? B::q5_k : type;
}

BlockType GgufRecipe::down(int layer) const {
    const bool first = layer < layers / 8, more = more_bits(layer, layers);
    switch (file) {
        case F::q2_k: return B::q3_k;
        case F::q2_k_s: return first ? B::q4_k : base;
        case F::iq3_xxs: return first ? B::q4_k : B::q3_k;
        case F::q3_k_m:
            if (layer < layers / 16) return B::q5_k;
            return !falcon || more ? B::q4_k : B::q3_k;
        case F::iq3_m: return first || (experts == 8 && more) ? B::q4_k : base;
        case F::q3_k_l: return falcon ? B::q4_k : B::q5_k;
        case F::q4_k_m:
            if (!falcon) return more ? B::q6_k : base;
            if (layer < layers / 16) return B::q6_k;
            return more ? B::q5_k : base;
        case F::iq4_nl:
        case F::iq4_xs: return first ? B::q5_k : base;
        case F::q5_k_m: return more ? B::q6_k : base;
        case F::q4_k_s: return first && !falcon ? B::q5_k : base;
        default: return base;
    }
}

BlockType GgufRecipe::attention_output() const {
    if (falcon) return is(F::q3_k_l) ? B::q4_k : base;
    if (experts == 8)
        return is(F::q2_k, F::iq3_xs, F::iq3_xxs, F::q3_k_s, F::q3_k_m, F::iq4_nl, F::q4_k_s, F::q4_k_m, F::iq3_s,
                  F::iq3_m, F::iq4_xs)
                   ? B::q5_k
                   : base;
    if (is(F::q2_k)) return B::q3_k;
    if (is(F::iq3_xxs)) return B::iq3_s;
    if (is(F::q3_k_m, F::iq3_m)) return B::q4_k;
    return is(F::q3_k_l) ? B::q5_k : base;
}

BlockType GgufRecipe::type_of(const GgufTensor& tensor, int layer, Counters& before) const {
    if (tensor.role == TensorRole::head || (tied && tensor.role == TensorRole::embedding)) return head(tensor);
    if (is(F::mxfp4_moe)) return tensor.stacked ? B::mxfp4 : B::q8_0;
    if (tensor.role == TensorRole::embedding) return embedding();
    if (is(F::iq2_xxs, F::iq2_xs, F::iq1_s, F::iq2_s, F::iq2_m, F::iq1_m)) return in_lowest_bits(tensor, before);
    // models with experts are asked for the layer, others for how many such tensors there were
    const auto place = [&](int& counter) { return experts > 1 ? (++counter, layer) : counter++; };
    const auto narrow_middle = [&](int at) {
        return is(F::iq3_xs) && at >= layers / 8 && at < 7 * layers / 8 ? B::iq3_xxs : base;
    };
    switch (tensor.role) {
        case TensorRole::value: return value(before.values++);
        case TensorRole::key:
            if (experts == 8) return B::q8_0;
            [[fallthrough]];
        case TensorRole::query:
            if (is(F::iq3_xs)) return B::iq3_xxs;
            return is(F::iq3_xxs) ? B::iq2_s : base;
        case TensorRole::down: return down(place(before.down));
        case TensorRole::attention_output: return attention_output();
        case TensorRole::gate: return narrow_middle(place(before.gate));
        case TensorRole::up: return narrow_middle(place(before.up));
        default: return base;
    }
}

BlockType narrower_block(BlockType type) {
    switch (type) {
        case B::iq1_s:
        case B::iq1_m:
        case B::iq2_xxs:
        case B::iq2_xs:
        case B::iq2_s:
        case B::iq3_xxs:
        case B::iq3_s:
        case B::iq4_xs: return B::iq4_nl;
        case B::q2_k:
        case B::q3_k:
        case B::tq1_0:
        case B::tq2_0: return B::q4_0;
        case B::q4_k: return B::q5_0;
        case B::q5_k: return B::q5_1;
        case B::q6_k: return B::q8_0;
        default: return B::f16;
    }
}

}  // namespace plimsoll
