/// What an optimizer keeps for each parameter, and makes while it steps: what presets/optimizers/ says of it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "inputs/choices.h"

namespace plimsoll {

/// Elements that an optimizer has for a parameter of rows × columns (PyTorch's: a linear layer's is [out, in]).
enum class Extent : unsigned char {
    parameter,        ///< rows · columns
    row,              ///< one a row
    column,           ///< one a column
    row_squared,      ///< rows², in blocks where the optimizer has them
    column_squared,   ///< columns², likewise
    smaller_squared,  ///< the square of the smaller side
    larger_squared,   ///< the square of the larger side
    rank_by_larger,   ///< rank · larger side
    rank_by_smaller,  ///< rank · smaller side
    tensor            ///< one
};
inline constexpr size_t extent_count = 10;

/// Kinds of parameters that optimizers tell apart. Where an optimizer has targets, `others` are the matrices that are
/// none; elsewhere every matrix between embedding and head is one of `matrices`.
enum class ParameterKind : unsigned char { matrices, embedding, head, vectors, others };
inline constexpr size_t parameter_kind_count = 5;

/// A set of kinds.
struct ParameterKinds {
    unsigned mask = (1U << parameter_kind_count) - 1;

    bool has(ParameterKind kind) const { return mask >> static_cast<unsigned>(kind) & 1U; }
    bool all() const { return mask == ParameterKinds{}.mask; }
};

/// Tensors that follow the shape of a parameter.
struct OptimizerTensor {
    std::string name;  ///< as the framework calls it, e.g. `exp_avg`
    Extent extent = Extent::parameter;
    std::optional<Extent> extent_in_fp32;  ///< in its place where the parameters are fp32
    ParameterKinds only;
    double tensors = 1;
    double bits = 0;              ///< per element; 0: those of the parameter that the optimizer steps
    double side_block = 0;        ///< squares: sides are cut into blocks of this length; 0: they are not
    double side_at_most = 0;      ///< squares: longer sides have none; 0: all have one
    double block_elements = 0;    ///< elements that share a scale; 0: no scales
    double block_bytes = 0;       ///< bytes of scale per block
    double bytes_per_tensor = 0;  ///< beside the elements, such as a table of values
    double small_below = 0;       ///< tensors with fewer elements keep `small_bits`
    double small_bits = 32;       ///< 0: those of the parameter
    bool whole_blocks = false;    ///< tensors that are no multiple of the block keep `small_bits` as well
    double embedding_bits = 0;    ///< bits of embeddings' states where the framework treats them apart; 0: as others
    bool exact = true;            ///< false: the shape that is counted stands for a similar one
};

/// Tensors that live while a step runs.
struct StepTensor : OptimizerTensor {
    bool of_all = false;    ///< one for each parameter at once; else those of one parameter at a time
    bool in_16bit = false;  ///< only where the parameters are 16-bit: a copy in fp32
    double left = 0;        ///< of these, tensors that the parameter before has left when one parameter's are made
};

/// Ways in which the framework walks the parameters in a step.
inline constexpr size_t step_way_count = count_of(choice_names<StepWay>);

struct Optimizer {
    std::string id, name;
    std::vector<OptimizerTensor> states;
    std::array<std::optional<std::vector<StepTensor>>, step_way_count> step;  ///< by way; none where it has no such way
    StepWay usual_way = StepWay::loop;
    /// By way: elements of each parameter that a step reads and writes beside each tensor once; negative: not counted.
    std::array<signed char, step_way_count> values_between{};
    double rank = 0;        ///< usual rank of those that project gradients; 0: it does not
    double paged_from = 0;  ///< states of tensors from so many elements on are in unified memory; 0: none
    bool constructed_with_states = false;  ///< they are there before the first step
    bool releases_gradients = false;       ///< steps each parameter in the backward pass and frees its gradient
    std::string source;
};

}  // namespace plimsoll
