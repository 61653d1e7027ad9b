/// What the tensors of a checkpoint add up to: by part, layer, stored type and purpose. In memory that grows with the
/// layers, not with the tensors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/json/json.h"

namespace plimsoll {

/// What a tensor is for. `scale`: what a quantised tensor needs besides its values (scales, zero points, indices);
/// `buffer`: written by some releases, no parameter (rotary frequencies, causal masks, routers' correction biases).
enum class Purpose : unsigned char { parameter, scale, buffer };
std::string_view purpose_name(Purpose purpose);

/// Bits of one element of a type as safetensors (`BF16`, `F8_E4M3`, …) or GGUF (`Q4_K`, …) spells it, its share of the
/// scales included; 0 where there is no such type.
double bits_of_type(std::string_view type);

/// A tensor as a file lists it. `type` empty: the file does not say (an index), and there are no elements either.
struct StoredTensor {
    std::string_view name, type;
    double elements = 0, bytes = 0;
    size_t rank = 0;
};

struct TensorGroup {
    std::string part;  ///< `language`, `vision`, `audio`, `projector`, `mtp`, `adapter`
    int layer = -1;    ///< -1: outside the layers
    std::string type;
    Purpose purpose = Purpose::parameter;
    double count = 0, elements = 0, bytes = 0;
    double parameters = 0;  ///< values that the elements hold: eight 4-bit ones in an I32
};

class Checkpoint {
public:
    /// `packed_bits`: of the values packed into integers wider than a byte (GPTQ, AWQ, MLX), as the config says.
    explicit Checkpoint(double packed_bits = 4) : packed_bits_(packed_bits) {}

    void add(const StoredTensor& tensor);
    /// The same from groups that were written before.
    void add(const TensorGroup& group);

    const std::vector<TensorGroup>& groups() const { return groups_; }
    double bytes() const;
    double count() const;
    /// Parameters of one part, or of all where it is empty.
    double parameters(std::string_view part = {}) const;

private:
    TensorGroup& group(std::string_view part, int layer, std::string_view type, Purpose purpose);

    double packed_bits_;
    std::vector<TensorGroup> groups_;
    size_t last_ = 0;  ///< tensors of one group tend to follow each other
};

}  // namespace plimsoll
