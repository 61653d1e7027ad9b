/// How many elements, and bytes, an optimizer's tensors have over a model's parameters.
///
///     parameter [rows, columns]     row, column         one element a row (column)        Adafactor, Adam-mini
///                                   row_squared, …      a matrix over that side           Shampoo, SOAP
///                                   rank_by_larger, …   rank × a side                     GaLore, APOLLO
///                                   smaller_squared     X Xᵀ of the flatter way round     Muon
#pragma once

#include "estimate/training/parameters/trained.h"
#include "model/read/usual_decoder.h"
#include "policies/training/data_parallel.h"

namespace plimsoll {

/// Which share of an optimizer's states, and of the weights that it steps, is this device's.
template <class N>
N state_share(const TrainingInputs& inputs) {
    return share_of<N>(inputs.layout, inputs.layout.divides_states());
}

/// The type of the parameters that the optimizer steps.
inline Dtype stepped_type(const TrainingInputs& inputs) {
    if (inputs.request.method.adapter) return inputs.request.method.adapter->dtype;
    return inputs.precision.master_weights ? Dtype::float32 : inputs.precision.stored_type();
}

/// The type of the copies that are trained beside adapters.
inline Dtype saved_module_type(const TrainingInputs& inputs) { return inputs.precision.numerics.parameter; }

/// Parameters of one name and shape, as an optimizer sees them.
template <class N>
struct Stepped {
    Label name;
    std::string_view part;
    ParameterKind kind;
    N rows, columns;  ///< of one tensor, as PyTorch has them
    N tensors;        ///< layers × experts; of a model that is frozen in part, the trained share of them
    Dtype dtype;      ///< of the parameter

    N elements() const { return rows * columns; }
};

template <class N>
ParameterKind kind_of(const Weight<N>& weight, const TrainingInputs& inputs) {
    if (weight.vector) return ParameterKind::vectors;
    if (weight.part == Part::embedding) return ParameterKind::embedding;
    const bool head = weight.part == Part::head, projects = inputs.optimizer->rank > 0;
    for (const std::string& target : inputs.request.method.low_rank_targets)
        if (projects && (target == part_name(weight.part) || target == weight.name)) return ParameterKind::matrices;
    if (head) return ParameterKind::head;
    return projects ? ParameterKind::others : ParameterKind::matrices;
}

/// Where only the number of parameters is known: square matrices as wide as a usual decoder of that size.
template <class N>
std::vector<Stepped<N>> square_parameters(const Model& model, Dtype dtype) {
    const double all = model.declared_parameters->value();
    const Facts usual = usual_decoder(all, 0, true);
    const double* width = usual.get<double>("hidden_size");
    const N side = model.hidden_size
                       ? as<N>(*model.hidden_size)
                       : input<N>("usual_hidden_size", width ? *width : 1, "a usual decoder of that size");
    return {{"matrices", "model", ParameterKind::matrices, side, side,
             as<N>(*model.declared_parameters) / (side * side), dtype}};
}

/// `tensors` parameters that are like `weight`; `saved`: copies that are trained beside adapters.
template <class N>
Stepped<N> stepped(const Weight<N>& weight, std::string_view part, const N& tensors, const TrainingInputs& inputs,
                   bool saved = false) {
    // adapters, vectors and embeddings are stored as their weight says, others are [in, out]
    const bool as_stored = (inputs.request.method.adapter && !saved) || weight.vector || weight.part == Part::embedding;
    return {weight.name,
            part,
            kind_of(weight, inputs),
            as_stored ? weight.rows : weight.cols,
            as_stored ? weight.cols : weight.rows,
            tensors,
            saved ? saved_module_type(inputs) : stepped_type(inputs)};
}

/// All parameters that are trained, in the model's order.
template <class N>
std::vector<Stepped<N>> stepped_parameters(const Model& model, const TrainingInputs& inputs) {
    const bool adapters = inputs.request.method.adapter.has_value();
    if (model.declared_parameters && !adapters) return square_parameters<N>(model, stepped_type(inputs));
    const N share = trained_share<N>(inputs.request);
    std::vector<Stepped<N>> list;
    for (const auto& [weight, layers, part, tower] : trained_weights<N>(model, inputs.request)) {
        N tensors = value_of(weight.copies) == 1 ? layers : layers * weight.copies;
        if (value_of(share) != 1) tensors = tensors * share;
        const std::string_view listed = adapters || part.empty() ? part_name(weight.part) : part;
        list.push_back(stepped(weight, listed, tensors, inputs, part == saved_modules));
    }
    return list;
}

/// Elements by part, in lines that do not grow long: each term has a name, and so have every eight of them.
template <class N>
class PartSums {
public:
    void add(const Stepped<N>& parameter, std::string_view what, const N& elements) {
        const N term = named({parameter.name, "_", what}, elements);
        for (Sum& known : sums_)
            if (known.part == parameter.part) {
                if (++known.terms % 8 == 0) known.elements = named({"more_of_", known.part}, known.elements);
                known.elements += term;
                return;
            }
        sums_.push_back({parameter.part, term, 0});
    }
    bool empty() const { return sums_.empty(); }
    N sum(std::string_view what) const {
        N all{0};
        for (const Sum& part : sums_) all += named({what, "_of_", part.part}, part.elements);
        return all;
    }

private:
    struct Sum {
        std::string_view part;
        N elements;
        int terms;
    };
    std::vector<Sum> sums_;
};

template <class N>
N larger_side(const Stepped<N>& parameter) {
    return value_of(parameter.rows) < value_of(parameter.columns) ? parameter.columns : parameter.rows;
}
template <class N>
N smaller_side(const Stepped<N>& parameter) {
    return value_of(parameter.rows) < value_of(parameter.columns) ? parameter.rows : parameter.columns;
}

/// A matrix over each side of the blocks that a parameter is cut into: block² for the whole ones and the square of what
/// is left, as often as there are blocks across.
template <class N>
N squares(const OptimizerTensor& tensor, const N& side, const N& across, std::string_view source) {
    if (value_of(side) == 1 || (tensor.side_at_most > 0 && value_of(side) > tensor.side_at_most)) return N(0);
    if (tensor.side_block == 0) return side * side;
    const N block = input<N>("side_of_a_block", tensor.side_block, source);
    if (value_of(side) <= tensor.side_block) return side * side * ceiling(across / block);
    const N whole = rounded_down(side / block);
    const N left = side - whole * block;
    return (whole * block * block + left * left) * ceiling(across / block);
}

/// The larger side, but for those that are too long.
template <class N>
N longest_side(const OptimizerTensor& tensor, const Stepped<N>& parameter) {
    const bool too_long = tensor.side_at_most > 0 && value_of(larger_side(parameter)) > tensor.side_at_most;
    return too_long ? smaller_side(parameter) : larger_side(parameter);
}

/// Elements that one of the optimizer's tensors has for one parameter.
template <class N>
N elements_of(const OptimizerTensor& tensor, const Stepped<N>& parameter, const TrainingInputs& inputs) {
    const Extent extent =
        parameter.dtype == Dtype::float32 ? tensor.extent_in_fp32.value_or(tensor.extent) : tensor.extent;
    const auto rank = [&] {
        const double smaller = value_of(smaller_side(parameter));
        return smaller < inputs.request.method.low_rank
                   ? smaller_side(parameter)
                   : input<N>("rank", inputs.request.method.low_rank, "request: training.galore");
    };
    const std::string& source = inputs.optimizer->source;
    switch (extent) {
        case Extent::parameter: return parameter.elements();
        case Extent::row: return parameter.rows;
        case Extent::column: return parameter.columns;
        case Extent::row_squared: return squares(tensor, parameter.rows, parameter.columns, source);
        case Extent::column_squared: return squares(tensor, parameter.columns, parameter.rows, source);
        case Extent::smaller_squared: return smaller_side(parameter) * smaller_side(parameter);
        case Extent::larger_squared:
            return squares(tensor, longest_side(tensor, parameter), smaller_side(parameter), source);
        case Extent::rank_by_larger: return rank() * larger_side(parameter);
        case Extent::rank_by_smaller: return rank() * smaller_side(parameter);
        case Extent::tensor: return N(1);
    }
    return N(0);
}

/// Bytes of an element; `bits` 0: the parameter's own type.
template <class N>
Bytes<N> element_bytes(const Name& name, double bits, Dtype own, const TrainingInputs& inputs) {
    if (bits == 0) return bytes_of<N>(own);
    return {input<N>(name, bits / 8, inputs.optimizer->source)};
}

/// Bytes of a state's element; `bits` 0: the type that was asked for, or the parameter's own. (Megatron-LM,
/// core/optimizer: use_precision_aware_optimizer, exp_avg_dtype, exp_avg_sq_dtype)
template <class N>
Bytes<N> state_bytes(const Name& name, double bits, Dtype own, const TrainingInputs& inputs) {
    const std::string& asked = inputs.request.precision.state_encoding;
    if (bits == 0 && !asked.empty())
        return {input<N>(name, asked == "fp32" ? 4 : 2, "request: training.state_encoding")};
    return element_bytes<N>(name, bits, own, inputs);
}

}  // namespace plimsoll
