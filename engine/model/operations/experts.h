// A mixture of experts: each token goes through `active` of `experts` gated feed-forward networks.
//
//     from [tokens, width] ──router──▶ top-k ──gather──▶ [tokens·k, width] ──gate, up, down──▶ ·weight ──▶ to [tokens,
//     width]
//     saves per token: the router's scores, the chosen experts' numbers, and where they are renormalised the chosen
//     scores and their sum. Per routed token: its indices, the gathered input, gate and up, what the activation gives,
//     the product, the expert's output and its weight (each for the other's gradient); where expert runs after expert
//     (`loop`) also what index_add adds, where all run in one product a third index, and where biases are trained there
//     a fourth. gpt-oss takes the softmax of the chosen scores alone, in their own type; it clamps gate and up, and keeps
//     both from before and after, the sigmoid, and up + 1. Where each routed token has a
//     product of its own (`batched`), a copy of its expert's matrices stands in place of all indices but one.
//     Where activation and product are one kernel, what the activation gives is not kept.
//     Adapters of the grouped products: Megatron-LM's TEGroupedLinear under ms-swift's LoraParallelLinear.
//     (transformers MixtralExperts.forward; GptOssTopKRouter, GptOssExperts._apply_gate, OlmoeTopKRouter; integrations/moe.py: grouped_mm_experts_forward, batched_mm_experts_forward;
//     DeepseekV3TopkRouter; PyTorch derivatives.yaml: index_add, topk, gather, div)
#pragma once

#include <optional>

#include "model/core/adapters.h"
#include "model/core/operation.h"

namespace plimsoll {

struct Experts {
    Part part = Part::experts;
    Traced experts, active, width, intermediate;
    Label from, to;
    bool bias = false;  ///< of router and experts
    bool correction_bias =
        false;  ///< a parameter per expert that only shifts the choice (elsewhere a buffer, and not counted)
    bool correction_buffer = false;       ///< the same as a buffer
    bool gated = true;                    ///< gate and up, or up alone
    std::optional<Traced> hidden{};       ///< what the router sees, where the experts work in a narrower width
    bool sigmoid = false;                 ///< scores by a sigmoid each, else a softmax in fp32 over all
    bool renormalised = true;             ///< the chosen scores are divided by their sum
    bool router_in_fp32 = false;          ///< the router's product too
    bool weighs_chosen = false;           ///< the softmax is of the chosen scores alone, in their own type
    bool weights_cast = false;            ///< the chosen scores go back to the type of the router's product
    bool clamped = false;                 ///< gate and up are, and the gate is composed of Python operations
    std::optional<Traced> held{};         ///< of the experts, those on this device; absent: all of them
    std::optional<Traced> token_share{};  ///< of the routed tokens, those that this device works for; absent: all
    std::optional<Traced> imbalance{};    ///< routed tokens of this device over the mean of all; absent: as many

    template <class N>
    void keeps(std::vector<Kept<N>>&) const {}
    template <class N>
    void weights(std::vector<Weight<N>>& list) const {
        const double share = active.value() / experts.value();
        const N own = as<N>(here());
        list.push_back({"router", Part::router, as<N>(hidden.value_or(width)), as<N>(experts), N(1)});
        if (gated) list.push_back({"gate_proj", part, as<N>(width), as<N>(intermediate), own, false, share});
        list.push_back({"up_proj", part, as<N>(width), as<N>(intermediate), own, false, share});
        list.push_back({"down_proj", part, as<N>(intermediate), as<N>(width), own, false, share});
        if (correction_bias) list.push_back({"correction_bias", Part::router, N(1), as<N>(experts), N(1), true});
        if (!bias) return;
        list.push_back({"router_bias", Part::router, N(1), as<N>(experts), N(1), true});
        list.push_back({"bias", part, N(1), N(2) * as<N>(intermediate) + as<N>(width), own, true, share});
    }
    template <class N>
    void forward(Tape<N>& tape) const {
        const auto given = tape.at(from);
        const Dtype weighing =
            route(tape, given.elements, given.dtype, named("tokens_and_choices", tape.stream_tokens() * as<N>(active)));
        N routed = named("routed_tokens", tape.pass().tokens * as<N>(active));
        if (token_share) routed = named("tokens_of_its_group", routed * as<N>(*token_share));
        if (imbalance) routed = named("tokens_of_its_experts", routed * as<N>(*imbalance));
        work(tape, given.dtype, weighing, routed);
        tape.makes(to, given.elements, given.dtype);
    }
    template <class N>
    void costs(Tape<N>& tape, std::vector<Cost<N>>& list) const {
        const N& tokens = tape.pass().tokens;
        const N scores = as<N>(hidden.value_or(width)) * as<N>(experts);
        Cost<N> router{"router", Part::router, CostKind::product};
        router.operations = N(2) * tokens * scores;
        router.weights = scores;
        router.activations = tokens * (as<N>(hidden.value_or(width)) + as<N>(experts));
        list.push_back(std::move(router));
        const N matrices = named("expert", as<N>(width) * (gate_and_up<N>() + as<N>(intermediate)));
        const N routed = named("routed_tokens", tokens * as<N>(active) * (as<N>(here()) / as<N>(experts)));
        Cost<N> products{"experts", part, CostKind::product};
        products.operations = N(2) * routed * matrices;
        products.weights = visited(tokens) * matrices;
        products.activations = routed * (N(2) * as<N>(width) + N(2) * gate_and_up<N>());
        list.push_back(std::move(products));
    }

    /// Experts here that at least one of `tokens` goes to, were each as likely as another: each token passes by one of
    /// them with a chance of 1 − active / experts.
    template <class N>
    N visited(const N& tokens) const {
        const N missed = power(N(1) - as<N>(active) / as<N>(experts), tokens);
        return named("experts_visited", as<N>(here()) * (N(1) - missed));
    }
    const Traced& here() const { return held ? *held : experts; }
    /// Adapters of the grouped products are asked for by their own name: one for each expert, gate and up sharing an A.
    bool is_target(const Adapter* adapter) const { return names_target(adapter, "experts"); }
    /// Elements of the adapters of one expert.
    template <class N>
    N adapter_elements(const Adapter& adapter) const {
        return rank_of<N>(adapter) * (N(2) * as<N>(width) + gate_and_up<N>() + as<N>(intermediate));
    }
    /// The adapters' tensors: of each expert, for gate and up together, and for the way back down.
    template <class N>
    void adapter_weights(const Adapter& adapter, std::vector<Weight<N>>& list) const {
        const N rank = rank_of<N>(adapter), own = as<N>(here());
        list.push_back({"lora_A", part, rank, as<N>(width), own});
        list.push_back({"lora_B", part, gate_and_up<N>(), rank, own});
        list.push_back({"lora_A", part, rank, as<N>(intermediate), own});
        list.push_back({"lora_B", part, as<N>(width), rank, own});
    }

private:
    template <class N>
    N gate_and_up() const {
        return gated ? N(2) * as<N>(intermediate) : as<N>(intermediate);
    }
    /// The router's part: scores of all experts, which of them are chosen, and how they are weighed. Returns the type
    /// of the weights.
    template <class N>
    Dtype route(Tape<N>& tape, const N& elements, Dtype given, const N& routed) const {
        const Dtype wide = Dtype::float32;
        const Dtype compute = tape.compute(router_in_fp32 ? wide : given);
        const N scores = tape.stream_tokens() * as<N>(experts);
        tape.scratch(scores, wide);
        const Dtype type = sigmoid || weighs_chosen ? compute : wide;
        const Dtype weighing = weights_cast ? compute : type;
        if (!tape.gradients()) return weighing;
        const N matrix = named("router", as<N>(hidden.value_or(width)) * as<N>(experts));
        if (tape.weight_gradients()) {
            if (given == compute)
                tape.saves(from, Part::router);
            else
                tape.saves_copy("router_input", Part::router, elements, compute);
        }
        tape.casts_weight(matrix, true);
        if (router_in_fp32 && tape.options().numerics.parameter != wide)
            tape.saves_copy("router_fp32_weight", Part::router, matrix, wide);
        if (!weighs_chosen) tape.saves_copy(sigmoid ? "router_sigmoid" : "router_softmax", Part::router, scores, type);
        tape.saves_copy("chosen_experts", Part::router, routed, Dtype::int64);
        if (renormalised || weighs_chosen) tape.saves_copy("chosen_scores", Part::router, routed, type);
        if (renormalised && !weighs_chosen) tape.saves_copy("sum_of_chosen", Part::router, tape.stream_tokens(), type);
        return weighing;
    }
    /// Both products' adapters keep what they read, as a linear layer's do (linear.h), and what each A gives.
    template <class N>
    void adapt(Tape<N>& tape, const N& routed, Dtype given) const {
        const Adapter& adapter = *tape.options().adapter;
        const Dtype compute = tape.compute(adapter.dtype);
        const N rank = rank_of<N>(adapter);
        const N read = routed * (as<N>(width) + as<N>(intermediate));
        if (adapter.dropout > 0) tape.saves_copy("adapter_dropout_mask", part, read, Dtype::boolean);
        const bool shared = tape.weight_gradients() && compute == given && adapter.dropout == 0;
        if (!shared) tape.saves_copy("adapter_input", part, read, compute);
        tape.saves_copy("adapter_a_output", part, N(2) * routed * rank, compute);
        tape.trains(adapter_elements<N>(adapter) * as<N>(here()), adapter.dtype);
    }
    /// Between the products of an expert.
    template <class N>
    void activation_keeps(Tape<N>& tape, Label name, const N& elements, Dtype dtype) const {
        tape.enter(RecomputedModule::experts_activation, tape.step());
        tape.saves_copy(name, part, elements, dtype);
        tape.leave(RecomputedModule::experts_activation);
    }
    /// Lists of one number for each routed token, by which tokens go to their experts and come back.
    double index_tensors(ExpertsKernel kernel, bool trained) const {
        if (kernel == ExpertsKernel::batched) return 1;
        if (kernel == ExpertsKernel::loop) return 2;
        return bias && trained ? 4 : 3;
    }
    /// Each routed token's own copy of its expert's matrices, which the gradient of what goes through them needs.
    template <class N>
    void select_matrices(Tape<N>& tape, const N& routed, Dtype compute) const {
        const N matrices = routed * as<N>(width) * (gate_and_up<N>() + as<N>(intermediate));
        if (!tape.gradients()) return tape.scratch(matrices, compute);
        tape.saves_copy("selected_experts", part, matrices, compute);
        if (tape.weight_gradients()) tape.scratch_backward(routed * as<N>(width) * gate_and_up<N>(), compute);
    }
    /// The experts' part: tokens gathered, the feed-forward, its output weighed and put back.
    template <class N>
    void work(Tape<N>& tape, Dtype given, Dtype weighing, const N& routed) const {
        const Dtype compute = tape.compute(given);
        if (capabilities.training && tape.options().experts == ExpertsKernel::batched)
            select_matrices(tape, routed, compute);
        if (tape.gradients()) keep(tape, given, weighing, routed);
        // one after the other, the fullest sees at least an equal share of the routed tokens; in one product, all
        const bool loop = tape.options().experts == ExpertsKernel::loop;
        const Beside each = loop ? Beside{2, 3} : beside_grouped(tape, weighing == compute ? 1 : 2);
        const N at_once = loop ? ceiling(routed / as<N>(here())) : routed;
        tape.apart(in_moments(tape));
        tape.scratch(at_once * as<N>(width), compute, each.widths);
        tape.scratch(at_once * as<N>(intermediate), compute, each.inner);
        tape.apart(false);
    }
    /// Whether the backward pass has two moments: first all is there that is kept, then gate and up run.
    template <class N>
    static bool in_moments(const Tape<N>& tape) {
        return tape.gradients() && tape.options().experts == ExpertsKernel::grouped && !tape.options().frozen_packed;
    }
    /// Of each routed token, how many vectors as wide as the stream, and as the experts within, autograd does not keep.
    struct Beside {
        int widths, inner;
    };
    /// All routed tokens in one product: their outputs weighed, and those again in the tokens' order, each `weighed`
    /// times as large as a product's; where nothing is kept, beside what was gathered and the outputs, or what was
    /// gathered and the activation's tensors, if these are more.
    template <class N>
    Beside beside_grouped(const Tape<N>& tape, int weighed) const {
        if (tape.gradients()) return {2 * weighed + (tape.weight_gradients() ? 0 : 1), 0};
        const bool in_one_kernel =
            capabilities.training && tape.options().feed_forward == FeedForwardKernel::fused && !clamped;
        const int inner = (gated ? 4 : 2) + (clamped ? 3 : 0) - (in_one_kernel ? 1 : 0);
        if (inner * intermediate.value() > (1 + 2 * weighed) * width.value()) return {1, inner};
        return {2 + 2 * weighed, 0};
    }
    /// What autograd keeps of it, and what its backward pass takes.
    template <class N>
    void keep(Tape<N>& tape, Dtype given, Dtype weighing, const N& routed) const {
        const Dtype compute = tape.compute(given);
        const ExpertsKernel kernel = tape.options().experts;
        const bool loop = kernel == ExpertsKernel::loop, batched = kernel == ExpertsKernel::batched;
        const N narrow = routed * as<N>(width), inner = routed * as<N>(intermediate);
        tape.saves_copy("token_indices", part, N(index_tensors(kernel, tape.weight_gradients())) * routed,
                        Dtype::int64);
        if (tape.weight_gradients()) tape.saves_copy("gathered", part, narrow, compute);  // for their own gradients
        if (is_target(tape.options().adapter)) adapt(tape, routed, compute);
        tape.apart(in_moments(tape));
        tape.saves_copy(gated ? "gate_and_up" : "up", part, routed * gate_and_up<N>(), compute);
        const bool in_one_kernel = tape.options().feed_forward == FeedForwardKernel::fused && !clamped;
        if (gated && !in_one_kernel) activation_keeps(tape, "activated", inner, compute);
        if (clamped) activation_keeps(tape, "clamped_gate_sigmoid_and_up", N(3) * inner, compute);
        if (tape.weight_gradients()) activation_keeps(tape, "product", inner, compute);
        tape.saves_copy("expert_output", part, narrow, compute);
        tape.saves_copy("weights_of_tokens", part, routed, weighing);
        if (in_moments(tape)) first_backward(tape, weighing, compute, narrow, inner);
        const N matrix = as<N>(width) * as<N>(intermediate) * as<N>(here());
        if (!batched) tape.casts_weight(named("down_projections", matrix), true);
        tape.apart(false);
        if (loop) tape.saves_copy("weighed_output", part, narrow, given);
        if (!batched) tape.casts_weight(named("up_projections", N(gated ? 2 : 1) * matrix), true);
        if (in_moments(tape)) return last_backward(tape, given, compute, narrow, routed);
        // backward: the gradient of the weighed output in the weights' type, and its products with output and weight; or
        // the gradients of the product and of both its factors. Slicing out one expert's matrices gives a gradient as
        // large as all
        const Bytes<N> weighing_back = N(3) * narrow * bytes_of<N>(loop ? Dtype::float32 : weighing),
                       product_back = N(2) * inner * bytes_of<N>(compute);
        const bool first = value_of(weighing_back) > value_of(product_back);
        tape.scratch_bytes_backward(first ? weighing_back : product_back);
        if (loop && tape.weight_gradients())
            tape.scratch_backward(N(4) * as<N>(width) * as<N>(intermediate) * as<N>(here()),
                                  tape.options().numerics.parameter);
    }
    /// Backward, beside all that is kept: the weighed outputs' gradient in the weights' type and its products with
    /// outputs and weights, one of them cast; or once outputs are gone, the gradients of the product and of both its
    /// factors; or of the product, which is kept for its matrices' gradient, and that. Whichever is most.
    /// (PyTorch, autograd/engine.cpp: validate_outputs casts a gradient to its tensor's type)
    template <class N>
    void first_backward(Tape<N>& tape, Dtype weighing, Dtype compute, const N& narrow, const N& inner) const {
        const double wide = bytes_of<double>(weighing).n, each = bytes_of<double>(compute).n,
                     own = tape.weight_gradients() ? 1 : 0, cast = weighing == compute ? 0 : each;
        const double outputs = each * value_of(narrow), product = each * value_of(inner);
        const bool factors = (2 - own) * product > outputs;
        const double within = factors ? (3 - own) * product - outputs : product,
                     matrices = own * width.value() * intermediate.value() * here().value() *
                                bytes_of<double>(tape.options().numerics.parameter).n;
        if ((3 * wide + cast) * value_of(narrow) > within + matrices) {
            for (int tensor = 0; tensor < 3; ++tensor) tape.scratch_backward(narrow, weighing);
            if (cast > 0) tape.scratch_backward(narrow, compute);
            return;
        }
        tape.trains_apart("down_proj");
        tape.scratch_backward(factors ? N(3 - own) * inner - narrow : inner, compute);
    }
    /// Then all that is left is what was gathered, with its gradient and that of gate and up; the gradient of the
    /// tokens themselves comes after.
    template <class N>
    void last_backward(Tape<N>& tape, Dtype given, Dtype compute, const N& narrow, const N& routed) const {
        tape.scratch_backward(routed * gate_and_up<N>(), compute);
        const Bytes<N> gathered = narrow * bytes_of<N>(compute),
                       tokens = tape.stream_tokens() * as<N>(width) * bytes_of<N>(given);
        if (value_of(gathered) > value_of(tokens)) tape.scratch_bytes_backward(gathered - tokens);
    }
};

}  // namespace plimsoll
