#include "formats/safetensors/checkpoint.h"

#include <algorithm>

#include "formats/gguf/ggml_types.h"

namespace plimsoll {
namespace {

struct Type {
    std::string_view name;
    double bits;
};

// safetensors' Dtype (safetensors/src/tensor.rs, 0.6)
constexpr Type types[] = {{"BF16", 16},   {"F16", 16}, {"F32", 32},    {"F8_E4M3", 8}, {"F8_E5M2", 8},
                          {"U8", 8},      {"I8", 8},   {"I32", 32},    {"U32", 32},    {"I64", 64},
                          {"F8_E8M0", 8}, {"F4", 4},   {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F64", 64},
                          {"U64", 64},    {"I16", 16}, {"U16", 16},    {"BOOL", 8},    {"C64", 64}};

bool any(std::string_view name, std::initializer_list<std::string_view> of) {
    for (const std::string_view candidate : of)
        if (name == candidate) return true;
    return false;
}

bool ends(std::string_view name, std::string_view end) {
    return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

bool contains(std::string_view name, std::string_view piece) { return name.find(piece) != std::string_view::npos; }

// A name's segments between its dots, first to last.
template <class Each>
void for_segments(std::string_view name, Each each) {
    for (size_t begin = 0; begin <= name.size();) {
        const size_t dot = std::min(name.find('.', begin), name.size());
        each(name.substr(begin, dot - begin));
        begin = dot + 1;
    }
}

// The first segment that is a number: later ones count experts and sub-modules.
int layer_of(std::string_view name) {
    int layer = -1;
    for_segments(name, [&layer](std::string_view segment) {
        if (layer >= 0 || segment.empty() || segment.size() > 4 /* more is no layer */) return;
        int number = 0;
        for (const char digit : segment) {
            if (digit < '0' || digit > '9') return;
            number = 10 * number + (digit - '0');
        }
        layer = number;
    });
    return layer;
}

std::string_view part_of(std::string_view name) {
    // llama.cpp's projectors: v.blk.0.…, a.blk.0.…, mm.0.…
    const std::string_view first = name.substr(0, name.find('.'));
    std::string_view part = "language";
    if (first == "v") part = "vision";
    if (first == "a") part = "audio";
    if (first == "mm") part = "projector";
    for_segments(name, [&part](std::string_view segment) {
        if (part != "language") return;
        if (contains(segment, "lora_"))
            part = "adapter";
        else if (contains(segment, "vision") || any(segment, {"visual", "vpm"}))
            part = "vision";
        else if (contains(segment, "audio"))
            part = "audio";
        else if (contains(segment, "projector") || any(segment, {"connector", "mlp1"}))
            part = "projector";
        else if (contains(segment, "mtp"))
            part = "mtp";
    });
    return part;
}

// The words by which quantisers call what stands beside the values: GPTQ and AWQ; block-scaled FP8 (DeepSeek);
// compressed-tensors and ModelOpt; bitsandbytes; MXFP4 of gpt-oss; MLX.
Purpose purpose_of(const StoredTensor& tensor) {
    const std::string_view name = tensor.name, last = name.substr(name.rfind('.') + 1);
    if (any(last, {"scales",
                   "qzeros",
                   "g_idx",
                   "biases",
                   "weight_scale",
                   "weight_scale_inv",
                   "weight_scale_2",
                   "weight_zero_point",
                   "weight_shape",
                   "weight_g_idx",
                   "input_scale",
                   "input_zero_point",
                   "k_scale",
                   "v_scale",
                   "absmax",
                   "quant_map",
                   "nested_absmax",
                   "nested_quant_map",
                   "SCB",
                   "weight_format"}) ||
        ends(last, "_scales") || contains(name, "quant_state"))
        return Purpose::scale;
    const bool mask = tensor.rank == 4 && (ends(name, "attn.bias") || ends(name, "attention.bias"));
    bool buffer = mask || ends(name, "gate.e_score_correction_bias") ||
                  any(last, {"inv_freq", "masked_bias", "position_ids", "layer_scalar"});
    for (const char* piece : {"rope_freqs", "rope_factors", "exp_probs_b", "tid2eid", "layer_output_scale"})
        buffer = buffer || contains(name, piece);
    return buffer ? Purpose::buffer : Purpose::parameter;
}

// Values that one stored element holds.
double packing(const StoredTensor& tensor, double packed_bits) {
    const std::string_view last = tensor.name.substr(tensor.name.rfind('.') + 1);
    const bool weight = last == "weight", packed = last == "weight_packed" || ends(last, "_blocks");
    if (tensor.type == "U8" && (weight || packed)) return 2;  // NF4, FP4, MXFP4, NVFP4
    if ((tensor.type == "I32" || tensor.type == "U32") && (weight || packed || last == "qweight"))
        return 32 / packed_bits;
    return 1;
}

}  // namespace

std::string_view purpose_name(Purpose purpose) {
    if (purpose == Purpose::scale) return "scale";
    return purpose == Purpose::buffer ? "buffer" : "parameter";
}

double bits_of_type(std::string_view type) {
    for (const Type& known : types)
        if (known.name == type) return known.bits;
    const GgmlType* block = ggml_type(type);
    return block ? 8 * block->bytes / block->elements : 0;
}

TensorGroup& Checkpoint::group(std::string_view part, int layer, std::string_view type, Purpose purpose) {
    const auto matches = [&](const TensorGroup& group) {
        return group.layer == layer && group.purpose == purpose && group.type == type && group.part == part;
    };
    if (last_ < groups_.size() && matches(groups_[last_])) return groups_[last_];
    for (last_ = 0; last_ < groups_.size(); ++last_)
        if (matches(groups_[last_])) return groups_[last_];
    groups_.push_back({std::string(part), layer, std::string(type), purpose});
    return groups_.back();
}

void Checkpoint::add(const StoredTensor& tensor) {
    const Purpose purpose = purpose_of(tensor);
    TensorGroup& into = group(part_of(tensor.name), layer_of(tensor.name), tensor.type, purpose);
    into.count += 1;
    into.elements += tensor.elements;
    into.bytes += tensor.bytes;
    if (purpose == Purpose::parameter) into.parameters += tensor.elements * packing(tensor, packed_bits_);
}

void Checkpoint::add(const TensorGroup& given) {
    TensorGroup& into = group(given.part, given.layer, given.type, given.purpose);
    into.count += given.count;
    into.elements += given.elements;
    into.bytes += given.bytes;
    into.parameters += given.parameters;
}

double Checkpoint::bytes() const {
    double sum = 0;
    for (const TensorGroup& group : groups_) sum += group.bytes;
    return sum;
}

double Checkpoint::count() const {
    double sum = 0;
    for (const TensorGroup& group : groups_) sum += group.count;
    return sum;
}

double Checkpoint::parameters(std::string_view part) const {
    double sum = 0;
    for (const TensorGroup& group : groups_)
        if (part.empty() || group.part == part) sum += group.parameters;
    return sum;
}

}  // namespace plimsoll
