// Mamba's mixers: a short convolution, a recurrence over a state, a gate; in one fused kernel where there is one.
#include "model/build/sub_layers/mixers.h"

namespace plimsoll {
namespace {

void append_inner_norms(Block& block, const MambaShape& shape) {
    const auto norm = [&block](Label name, const Traced& width) {
        block.ops.push_back(Norm{name, Norm::Kind::rms, width, true, false, "delta_low", "delta_normed", Part::mixer});
    };
    norm("dt_layernorm", shape.rank);
    norm("b_layernorm", shape.state);
    norm("c_layernorm", shape.state);
}

/// What the recurrence is given of each token: its step, and what goes into and out of the state.
void append_selection(Block& block, const MambaShape& shape) {
    append_linear(block, "x_proj", Part::mixer, shape.inner, shape.rank + Traced(2) * shape.state, false, "convolved",
                  "delta_b_c");
    block.ops.push_back(Split{Part::mixer, "delta_b_c", {{"delta_low", shape.rank}}});
    if (shape.inner_norms) append_inner_norms(block, shape);
    append_linear(block, "dt_proj", Part::mixer, shape.rank, shape.inner, true, "delta_low", "delta");
}

}  // namespace

Traced count_or_auto(Reader& config, const char* name, const Traced& otherwise) {
    if (config.facts().get<std::string>(name)) return Traced::name(Made::term, name, otherwise);
    return config.count_or({name}, otherwise, "not stated: as the class computes it");
}

Mamba2Shape read_mamba2(Reader& config, const Traced& hidden, const Traced& inner) {
    Mamba2Shape mixer;
    mixer.hidden = hidden;
    mixer.inner = inner;
    mixer.heads = config.count({"mamba_n_heads"});
    mixer.groups = config.count({"mamba_n_groups"});
    mixer.state = config.count({"mamba_d_state"});
    mixer.kernel = config.count({"mamba_d_conv"});
    mixer.bias = mixer.output_bias = config.flag_or({"mamba_proj_bias"}, false);
    mixer.conv_bias = config.flag_or({"mamba_conv_bias"}, true);
    return mixer;
}

Block mamba(const MambaShape& shape) {
    Block block;
    const bool fused = !shape.inner_norms;  // the kernel has no norms within
    append_linear(block, "in_proj", Part::mixer, shape.hidden, Traced(2) * shape.inner, shape.bias, "normed",
                  "scan_and_gate");
    if (fused) block.ops.push_back(FusedKernel{Part::mixer, FusedKernel::Kind::begins, "scan_and_gate"});
    block.ops.push_back(Split{Part::mixer, "scan_and_gate", {{"scanned", shape.inner}, {"gate", shape.inner}}});
    block.ops.push_back(
        ShortConvolution{Part::mixer, shape.inner, shape.kernel, shape.conv_bias, "scanned", "convolved"});
    append_selection(block, shape);
    block.ops.push_back(Recurrence{Part::mixer,
                                   {{"A_log", shape.inner, shape.state}, {"D", Traced(1), shape.inner}},
                                   shape.inner,
                                   shape.inner * shape.state,
                                   Dtype::sixteen_bit,
                                   "convolved",
                                   "recurrent_out"});
    block.ops.push_back(Multiply{Part::mixer, "recurrent_out", "gate", "gated"});
    append_linear(block, "out_proj", Part::mixer, shape.inner, shape.hidden, shape.bias, "gated", "mixed");
    if (fused)
        block.ops.push_back(FusedKernel{Part::mixer, FusedKernel::Kind::selective_scan, "scan_and_gate", shape.inner,
                                        shape.state, shape.rank});
    return block;
}

Block mamba2(const Mamba2Shape& shape, Label to) {
    Block block;
    const Traced channels =
        Traced::name(Made::term, "conv_channels", shape.inner + Traced(2) * (shape.groups * shape.state));
    append_linear(block, "in_proj", Part::mixer, shape.hidden, shape.inner + channels + shape.heads, shape.bias,
                  "normed", "gate_scan_delta");
    block.ops.push_back(FusedKernel{Part::mixer, FusedKernel::Kind::begins, "gate_scan_delta"});
    block.ops.push_back(Split{Part::mixer, "gate_scan_delta", {{"gate", shape.inner}, {"scanned", channels}}});
    block.ops.push_back(ShortConvolution{Part::mixer, channels, shape.kernel, shape.conv_bias, "scanned", "convolved"});
    block.ops.push_back(Recurrence{
        Part::mixer,
        {{"dt_bias", Traced(1), shape.heads}, {"A_log", Traced(1), shape.heads}, {"D", Traced(1), shape.heads}},
        shape.inner,
        shape.inner * shape.state,
        shape.state_dtype,
        "convolved",
        "recurrent_out"});
    block.ops.push_back(Multiply{Part::mixer, "recurrent_out", "gate", "gated"});
    if (shape.norm)
        block.ops.push_back(
            Norm{"mixer_norm", Norm::Kind::rms, shape.inner, true, false, "gated", "gated_normed", Part::mixer});
    append_linear(block, "out_proj", Part::mixer, shape.inner, shape.hidden, shape.output_bias,
                  shape.norm ? "gated_normed" : "gated", to);
    block.ops.push_back(FusedKernel{Part::mixer, FusedKernel::Kind::state_space_dual, "gate_scan_delta", shape.inner,
                                    shape.state, Traced(0), shape.heads, shape.norm ? shape.groups : Traced(0)});
    return block;
}

}  // namespace plimsoll
