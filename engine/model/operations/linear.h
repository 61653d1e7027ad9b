// A matrix product with an optional bias.
//
//     from [tokens, in] ──× W [in, out] (+ b [out])──▶ to [tokens, out]
//     saves: its input, in the type it computes in. Under autocast an fp32 input is cast anew at each call, so that
//     three projections of one tensor keep three copies; a 16-bit input is the tensor itself and is shared.
//     Frozen, it saves nothing, but under autocast the copy of its weight, and its input where the kernel of a packed
//     weight keeps that without need. The weight's copy is needed where a gradient of the input is asked for.
//     With a LoRA adapter, to + B(A(dropout(from))): A saves its input, as a copy in the adapter's type, or in 16 bits
//     under autocast (shared where that is the tensor itself), dropout a mask besides, B the output of A. Adapters of
//     parts of a fused matrix read one input; what they give is copied into its place, and that copy keeps it.
//     With DoRA, to + (scale − 1)·W(x) + scale·B(A(x)): both products, and three vectors of the scale. Where x is dropped,
//     W(x) is computed anew, with the weight in x's type: a copy, unless it has that type, which stays for x's gradient.
//     With OFT the input is turned before the product (rotation.h), which reads what was turned and nothing else.
//     A fused kernel of product and adapters keeps its input as it is, once for all that it computes, and recomputes the
//     outputs of A; the last product within a fused feed-forward keeps nothing.
//     (PyTorch: at::autocast casts per call and caches only leaf weights; derivatives.yaml, mm/addmm, index_copy; PEFT
//     lora.Linear.forward, lora/dora.py: DoraLinearLayer.forward; bitsandbytes before 0.43.2, MatMul4Bit; litgpt lora.py, LoRAQKVLinear; Unsloth
//     kernels/fast_lora.py: LoRA_QKV, LoRA_W, LoRA_MLP)
#pragma once

#include "model/operations/rotation.h"

namespace plimsoll {

struct Linear {
    Label name;
    Part part;
    Traced in, out;
    bool bias;
    Label from, to;
    bool owns_weight = true;  ///< false for a vocabulary head that is the embedding matrix
    /// How tensor parallelism divides it: by outputs, or by inputs, behind which devices add up what they have.
    enum class Divided : unsigned char { no, outputs, inputs } divided = Divided::no;
    /// Who computes its adapter: PEFT's operations; a fused kernel that keeps its input; one whose input is recomputed.
    enum class AdapterKernel : unsigned char { operations, fused, within } adapter_kernel = AdapterKernel::operations;
    bool in_loss = false;  ///< of a vocabulary head: the loss's kernel takes the product along, and gives no logits

    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void weights(std::vector<Weight<N>>& list) const {
        if (!owns_weight) return;
        list.push_back({name, part, as<N>(in), as<N>(out), N(1)});
        if (bias) list.push_back({"bias", part, N(1), as<N>(out), N(1), true});
    }
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto given = tape.at(from);
        const Dtype compute = tape.compute(given.dtype);
        const bool kernel_keeps = in_loss ? tape.gradients() : tape.options().frozen_keeps_input && part != Part::head;
        const bool adapted = capabilities.training && is_target(tape.options().adapter) && !tape.is_frozen();
        const bool turned = adapted && tape.options().adapter->block > 0;
        if (tape.weight_gradients() || kernel_keeps) {
            if ((given.dtype == compute && !turned) || tape.options().compiled)
                tape.saves(from, part);
            else
                tape.saves_copy(name, part, given.elements, compute);
        }
        if (turned)
            rotation().turn(tape, given, from, tape.pass().tokens * as<N>(out));
        else if (adapted)
            compute_adapter(tape, given);
        if (tape.gradients()) cast_weight(tape, turned);
        if (tape.weight_gradients() && bias) tape.casts_weight(as<N>(out), false);
        if (tape.tokens_divided() && divided == Divided::outputs) gather(tape, given.elements, compute);
        if (in_loss) return tape.makes(to, N(0), compute);
        const bool on_stream = divided != Divided::outputs;
        const N made = (on_stream ? tape.stream_tokens() : tape.pass().tokens) * as<N>(out);
        if (tape.options().product.output > 0 && part != Part::head) multiply_packed(tape, given.elements, made);
        tape.makes(to, made, compute);
    }

    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        const N matrix = named(name, as<N>(in) * as<N>(out));
        Cost<N> product{name, part, CostKind::product};
        product.operations = N(2) * tape.pass().tokens * matrix;
        product.weights = matrix;
        product.activations = tape.pass().tokens * (as<N>(in) + as<N>(out));
        list.push_back(std::move(product));
    }

    /// `all-linear` leaves the vocabulary head out; it is a target by its own name alone.
    bool is_target(const Adapter* adapter) const {
        return names_target(adapter, name) || (part != Part::head && names_target(adapter, "all-linear"));
    }

    /// Elements of its adapters' matrices.
    template <class N>
    N adapter_elements(const Adapter& adapter) const {
        if (adapter.block > 0) return rotation().template elements<N>(adapter);
        return rank_of<N>(adapter) * (N(adapters(adapter)) * as<N>(in) + adapted_outputs<N>(adapter));
    }
    /// What turns its input, where that is how it is adapted.
    Rotation rotation() const { return {name, part, in}; }
    /// Its adapters' tensors: A [rank, in] and B [out, rank], and with DoRA a length of each output; or OFT's.
    template <class N>
    void adapter_weights(const Adapter& adapter, std::vector<Weight<N>>& list) const {
        if (adapter.block > 0) return rotation().weights(adapter, list);
        const N rank = rank_of<N>(adapter);
        list.push_back({"lora_A", part, rank * N(adapters(adapter)), as<N>(in), N(1)});
        list.push_back({"lora_B", part, adapted_outputs<N>(adapter), rank, N(1)});
        if (adapter.magnitudes) list.push_back({"magnitudes", part, N(1), as<N>(out), N(1), true});
    }

private:
    /// LLM.int8() multiplies integers: the input becomes them, and of their sums comes a result in fp16, which is cast.
    /// (bitsandbytes, autograd/_functions.py: MatMul8bitLt.forward; backends/cuda/ops.py: int8_mm_dequant)
    template <class N>
    [[gnu::noinline]] void multiply_packed(Tape<N>& tape, const N& given, const N& made) const {
        const ProductBytes& product = tape.options().product;
        const double each = product.output + (tape.options().numerics.fp16 ? 0 : product.cast);
        tape.scratch_bytes({N(product.input) * given + N(each) * made});
    }
    /// A's of its own that a fused matrix has, and the outputs that its adapters add to.
    double adapters(const Adapter& adapter) const { return adapts_parts(adapter) ? adapter.parts.count : 1; }
    template <class N>
    N adapted_outputs(const Adapter& adapter) const {
        if (!adapts_parts(adapter)) return as<N>(out);
        return as<N>(out) * N(adapter.parts.outputs) / N(adapter.parts.of);
    }
    bool adapts_parts(const Adapter& adapter) const { return adapter.parts.of > 0 && name == "qkv_proj"; }
    /// Of what each device has, all tokens are gathered for the product, and again for the weight's gradient, when the
    /// input's gradient is whole, too. (Megatron-LM, LinearWithGradAccumulationAndAsyncCommunication)
    template <class N>
    void gather(Tape<N>& tape, const N& elements, Dtype compute) const {
        const N all = elements * tape.pass().stream_shares;
        tape.scratch(all, compute);
        tape.scratch_backward(N(2) * all, compute);
    }
    /// Under autocast: what is kept is needed for the input's gradient. A fused kernel casts anew, and keeps nothing.
    template <class N>
    void cast_weight(Tape<N>& tape, bool turned) const {
        const N elements = named(name, as<N>(in) * as<N>(out));
        if (adapter_kernel == AdapterKernel::operations)
            tape.casts_weight(elements, turned || tape.asks(from));
        else if (tape.options().numerics.parameter != tape.options().numerics.compute)
            tape.scratch(elements, tape.options().numerics.compute);
    }
    /// What PEFT's operations make beside the product. Forward: the input in the adapter's type, which stays until the
    /// function returns; a dropped copy of it and the mask, while A runs; what B gives, and that scaled. Backward: the
    /// gradients of the latter two; then what A gives, and that as it was before dropout, or in the input's own type.
    /// (PEFT, tuners/lora/layer.py: Linear.forward, and bnb.py: Linear4bit.forward, which casts nothing under autocast)
    template <class N, class Tensor>
    void compute_adapter(Tape<N>& tape, const Tensor& given) const {
        const Adapter& adapter = *tape.options().adapter;
        const bool apart =
            adapter_kernel == AdapterKernel::operations && !tape.options().compiled && !adapter.magnitudes;
        tape.apart(apart);
        if (tape.gradients())
            adapt(tape, given);
        else if (adapter.magnitudes)
            magnify_alone(tape, given, adapter);
        if (apart) scratch_of_adapter(tape, given, adapter);
        tape.apart(false);
    }
    template <class N, class Tensor>
    void scratch_of_adapter(Tape<N>& tape, const Tensor& given, const Adapter& adapter) const {
        const bool autocast = tape.options().numerics.autocast, drops = adapter.dropout > 0;
        const Dtype compute = tape.compute(adapter.dtype);
        const bool casts = given.dtype != adapter.dtype && !(autocast && is_packed(tape));
        const bool kept = tape.gradients() && !drops && !autocast;  // the cast input itself
        if (casts && !kept) tape.scratch(given.elements, adapter.dtype);
        const N made = tape.pass().tokens * adapted_outputs<N>(adapter);
        const Bytes<double> each = bytes_of<double>(compute);
        // of an element of the input, as many bytes: dropped and its mask; in the backward pass before and after dropout,
        // or before and after the cast
        const double forward = drops && !tape.gradients() ? each.n + 1 : 0;
        double backward = drops ? 2 * each.n : each.n;
        if (casts && !drops) backward = bytes_of<double>(adapter.dtype).n + bytes_of<double>(given.dtype).n;
        const double outputs = 2 * value_of(made) * each.n, inputs = value_of(given.elements);
        if (forward * inputs > outputs)
            tape.scratch_bytes({N(forward) * given.elements});
        else
            tape.scratch(made, compute, 2);
        if (backward * inputs > outputs)
            tape.scratch_bytes_backward({N(backward) * given.elements});
        else
            tape.scratch_backward(made, compute, 2);
    }
    template <class N, class Tensor>
    void adapt(Tape<N>& tape, const Tensor& given) const {
        const Adapter& adapter = *tape.options().adapter;
        const Dtype compute = tape.compute(adapter.dtype);
        if (adapter_kernel != AdapterKernel::operations) {
            if (adapter_kernel == AdapterKernel::fused) tape.saves(from, part);
            return tape.trains(adapter_elements<N>(adapter), adapter.dtype);
        }
        const bool as_given = given.dtype == adapter.dtype && compute == adapter.dtype;
        if (adapter.dropout > 0) {
            tape.saves_copy("adapter_dropout_mask", part, given.elements, Dtype::boolean);
            tape.saves_copy("adapter_dropped_input", part, given.elements, compute);
        } else if (tape.options().compiled || as_given) {
            tape.saves(from, part);
        } else {
            tape.saves_copy("adapter_cast_input", part, given.elements, compute);
        }
        const N rank = rank_of<N>(adapter);
        tape.saves_copy("adapter_a_output", part, tape.pass().tokens * rank * N(adapters(adapter)), compute);
        tape.trains(adapter_elements<N>(adapter), adapter.dtype);
        if (adapts_parts(adapter) && adapter.parts.outputs < adapter.parts.of)
            tape.saves_copy("adapter_parts", part, tape.pass().tokens * adapted_outputs<N>(adapter), compute);
        if (adapter.magnitudes) magnify(tape, compute);
        tape.casts_weight(named("adapter", rank * (as<N>(in) + as<N>(out))), true, adapter.dtype);
    }
    /// DoRA. The magnitude's gradient needs what the frozen matrix and the adapter give.
    template <class N>
    void magnify(Tape<N>& tape, Dtype compute) const {
        const Adapter& adapter = *tape.options().adapter;
        const N made = tape.pass().tokens * as<N>(out), matrix = named(name, as<N>(in) * as<N>(out));
        const bool dropped = adapter.dropout > 0;
        tape.trains(as<N>(out), adapter.dtype);
        tape.saves_copy("dora_base_output", part, made, dropped ? compute : tape.options().numerics.compute);
        tape.saves_copy("dora_adapter_output", part, made, compute);
        tape.saves_copy("dora_scales", part, N(3) * as<N>(out), adapter.dtype);
        const bool converted = is_converted(tape, adapter);
        if (dropped && (converted || tape.options().numerics.autocast))
            tape.saves_copy("dora_weight", part, matrix, compute);
        measure_rows(tape, matrix, compute, converted && (!dropped || tape.options().numerics.autocast));
        // backward: the output's gradient in the adapter's type, and its products with the scale and with what was scaled
        tape.scratch_backward(made, adapter.dtype, 3);
    }
    /// The same where nothing is kept: beside the rows' lengths, the input in the adapter's type, and dropped.
    template <class N, class Tensor>
    void magnify_alone(Tape<N>& tape, const Tensor& given, const Adapter& adapter) const {
        const Dtype compute = tape.compute(adapter.dtype);
        if (given.dtype != adapter.dtype) tape.scratch(given.elements, adapter.dtype);
        if (adapter.dropout > 0) tape.scratch(given.elements, compute);
        measure_rows(tape, as<N>(in) * as<N>(out), compute, is_converted(tape, adapter));
    }
    /// The length of each row of W + B·A: B(A(identity)), scaled, and its sum with the weight; `own`: with a copy of it in
    /// the adapter's type. The identity goes as its function returns, but for autograd, which keeps it; what the other
    /// one has named stays until it returns, beside three results as large as the output. (PEFT, get_lora_weight)
    template <class N>
    void measure_rows(Tape<N>& tape, const N& matrix, Dtype compute, bool own) const {
        const Adapter& adapter = *tape.options().adapter;
        const bool autocast = tape.options().numerics.autocast;
        const Bytes<N> wide = bytes_of<N>(adapter.dtype), narrow = bytes_of<N>(compute);
        const N identity = as<N>(in) * as<N>(in);
        const Bytes<N> sum = matrix * (narrow + wide), results = N(3) * tape.pass().tokens * as<N>(out) * wide;
        const Bytes<N>& then = value_of(sum) > value_of(results) ? sum : results;
        const bool first = value_of(identity * wide) > value_of(then) + (own ? value_of(matrix * wide) : 0);
        tape.scratch_bytes((as<N>(in) * rank_of<N>(adapter) + matrix) * narrow);
        if (tape.gradients() || first) tape.scratch_bytes(identity * wide);
        if ((tape.gradients() || first) && autocast) tape.scratch_bytes(identity * narrow);
        if (!tape.gradients() && first) return;
        if (own) tape.scratch_bytes(matrix * wide);
        tape.scratch_bytes(then);
    }
    /// Whether the weight is copied to the adapter's type.
    template <class N>
    bool is_converted(const Tape<N>& tape, const Adapter& adapter) const {
        return is_packed(tape) || tape.options().numerics.parameter != adapter.dtype;
    }
    template <class N>
    bool is_packed(const Tape<N>& tape) const {
        return tape.options().frozen_packed && part != Part::head;
    }
};

}  // namespace plimsoll
