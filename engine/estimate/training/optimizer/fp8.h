/// What products in fp8 keep beside 16-bit weights, by Transformer Engine's recipes.
///
///     weight [out, in] ──fp8──▶ copy for the forward product (out × in) and, transposed, for the gradient of the input
///     delayed     a scale and a history of largest values for three tensors of each product forward and two backward
///     current     a scale for each of these, of the tensor's own largest value
///     blockwise   of the weights an fp32 scale for each 128 × 128, both ways round
///     mxfp8       of the weights a scale of 8 bits for each 32, along their rows and along their columns
///
/// The copies are made in the forward pass and stay until the backward pass has read them; where the micro-batches of a
/// step share them, from the first to the last. Devices that multiply either way round need no transposed copy of what has
/// one scale a tensor. What layers save is counted in 16 bits, though inputs of these products are kept in fp8: an upper
/// bound.
///
/// Source: TransformerEngine, pytorch/module/base.py (set_meta_tensor, get_weight_workspace), pytorch/module/linear.py,
/// pytorch/utils.py (is_non_tn_fp8_gemm_supported), common/recipe (amax_history_len 1024), pytorch/tensor:
/// float8_blockwise_tensor.py, mxfp8_tensor.py.
#pragma once

#include "estimate/ledger/shared_rows.h"
#include "estimate/training/optimizer/optimizer_tensors.h"

namespace plimsoll {

/// Whether fp8 products need their weights transposed: on all but data-center Blackwell (compute capability 10 and 11)
/// and what comes after 13.
inline bool transposes_fp8(const Device* device) {
    const double capability = device ? device->compute_capability : 0;
    return !((capability >= 10 && capability < 12) || capability >= 13);
}

/// Bytes of the scales of products, of which there are so many; with delayed scaling, of their histories too.
template <class N>
Bytes<N> fp8_scales(const N& products, Fp8Recipe recipe) {
    constexpr const char* engine = "TransformerEngine, common/recipe";
    N values(1);
    if (recipe == Fp8Recipe::delayed) values += input<N>("amax_history", 1024, engine);
    return products * input<N>("tensors_of_a_product", 5, engine) * values * bytes_of<N>(Dtype::float32);
}

/// Bytes of one weight's scales by blocks, one way round.
template <class N>
Bytes<N> fp8_block_scales(const Stepped<N>& parameter, Fp8Recipe recipe) {
    if (recipe == Fp8Recipe::mxfp8)
        return {parameter.elements() / input<N>("elements_of_a_scale", 32, "TransformerEngine, mxfp8_tensor.py")};
    const N block = input<N>("side_of_a_block", 128, "TransformerEngine, float8_blockwise_tensor.py");
    return ceiling(parameter.rows / block) * ceiling(parameter.columns / block) * bytes_of<N>(Dtype::float32);
}

/// `fp8`: copies of the weights of linear layers between embedding and head, scales and histories.
template <class N>
void add_fp8(Ledger<N>& ledger, const Model& model, const TrainingInputs& inputs) {
    const Fp8Recipe recipe = inputs.request.precision.fp8_recipe;
    const bool blocks = recipe == Fp8Recipe::blockwise || recipe == Fp8Recipe::mxfp8;
    PartSums<N> elements, products, scales;
    for (const Stepped<N>& parameter : stepped_parameters<N>(model, inputs)) {
        if (parameter.kind != ParameterKind::matrices && parameter.kind != ParameterKind::others) continue;
        if (parameter.part == part_name(Part::router)) continue;
        elements.add(parameter, "in_fp8", parameter.tensors * parameter.elements());
        products.add(parameter, "products", parameter.tensors);
        if (blocks) scales.add(parameter, "scales", parameter.tensors * fp8_block_scales(parameter, recipe).n);
    }
    const Bytes<N> copies = named("elements_in_fp8", elements.sum("fp8")) *
                            Bytes<N>{input<N>("bytes_fp8", 1, "TransformerEngine: one byte an element")};
    Row<N> row{RowId::fp8, Basis::modelled, std::vector<Cell<N>>(ledger.phases.size())};
    const auto add = [&](RowId::Known id, const Bytes<N>& bytes, bool between_steps) {
        Row<N> child{id, Basis::modelled, std::vector<Cell<N>>(ledger.phases.size())};
        for (size_t phase = 1; phase < child.cells.size(); ++phase)
            if (between_steps || ledger.phases[phase] != Phase::step)
                child.cells[phase] = estimated<N>({"fp8.", child.id.text()}, bytes);
        row.children.push_back(std::move(child));
    };
    add(RowId::weight_copies, copies, false);  // those of the forward product may go before the backward pass
    if (blocks || transposes_fp8(inputs.device)) add(RowId::weights_transposed, copies, false);
    if (blocks)
        add(RowId::scales_and_histories, N(2) * Bytes<N>{named("scales_of_blocks", scales.sum("scales"))}, false);
    else
        add(RowId::scales_and_histories, fp8_scales(named("products", products.sum("products")), recipe), true);
    sum_children(row);
    ledger.rows.push_back(std::move(row));
}

}  // namespace plimsoll
