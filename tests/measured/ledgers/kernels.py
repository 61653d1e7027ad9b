"""Kernels that run on CUDA alone, as functions that keep what the CUDA function's `save_for_backward` keeps.

Their results have the right shape and type and no meaning. Read in: PyTorch derivatives.yaml (flash attention, layer_norm), Liger-Kernel
rms_norm, mamba_ssm selective_scan_interface.py (MambaInnerFn) and ssd_combined.py (MambaSplitConv1dScanCombinedFn), causal_conv1d_interface.py,
flash-linear-attention ops/gated_delta_rule/chunk.py and modules/fused_norm_gate.py.
"""

import math

import torch


class Kernel(torch.autograd.Function):
    """Keeps `kept`, returns a new tensor like `shape_and_dtype`; its gradients are zeros like the inputs."""

    @staticmethod
    def forward(ctx, kept, shape, dtype, *inputs):
        ctx.save_for_backward(*kept)
        ctx.like = [(each.shape, each.dtype) for each in inputs]
        return torch.zeros(shape, dtype=dtype)

    @staticmethod
    def backward(ctx, gradient):
        kept = ctx.saved_tensors  # as a kernel does, it reads them
        assert kept is not None
        zeros = [torch.zeros(shape, dtype=dtype) if needed else None for (shape, dtype), needed in zip(ctx.like, ctx.needs_input_grad[3:])]
        return (None, None, None, *zeros)


def fp32(*shape):
    return torch.zeros(shape, dtype=torch.float32)


class FlashAttention(torch.autograd.Function):
    """q, k, v, the output, and one fp32 log-sum-exp per head and token. Output [b, s, heads, width of v]."""

    @staticmethod
    def forward(ctx, q, k, v):
        b, heads, s, _ = q.shape
        out = torch.zeros(b, s, heads, v.shape[-1], dtype=q.dtype)
        ctx.save_for_backward(q, k, v, out, fp32(b, heads, s))
        return out

    @staticmethod
    def backward(ctx, gradient):
        q, k, v, _, _ = ctx.saved_tensors
        return torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)


class MaskedAttention(torch.autograd.Function):
    """What the memory-efficient kernel keeps: as flash attention, and what is added to the scores."""

    @staticmethod
    def forward(ctx, q, k, v, added):
        b, heads, s, _ = q.shape
        out = torch.zeros(b, s, heads, v.shape[-1], dtype=q.dtype)
        ctx.save_for_backward(q, k, v, added, out, fp32(b, heads, s))
        return out

    @staticmethod
    def backward(ctx, gradient):
        q, k, v, _, _, _ = ctx.saved_tensors
        return torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v), None


class Softmax(torch.autograd.Function):
    """Keeps its result. Backward, the gradient's product with that is a tensor of its own (softmax_backward_cuda_out)."""

    @staticmethod
    def forward(ctx, x):
        out = torch.softmax(x, dim=-1)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, gradient):
        product = gradient * ctx.saved_tensors[0]
        return torch.zeros_like(product)


class LayerNorm(torch.autograd.Function):
    """Its input and two fp32 statistics a token, as CUDA keeps them whatever the input's type."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        tokens = x.numel() // x.shape[-1]
        ctx.save_for_backward(x, weight, fp32(tokens), fp32(tokens))
        ctx.bias = bias is not None
        return torch.zeros_like(x)

    @staticmethod
    def backward(ctx, gradient):
        x, weight, _, _ = ctx.saved_tensors
        gradient_of_weight = None if weight is None else torch.zeros_like(weight)
        return torch.zeros_like(x), gradient_of_weight, torch.zeros_like(weight) if ctx.bias else None


def fused_rms_norm(x, weight):
    return Kernel.apply((x, fp32(x.numel() // x.shape[-1])), x.shape, x.dtype, x, weight)


def causal_conv1d(x, weight, bias=None):
    """x [b, channels, s]; the activation is computed anew in the backward pass."""
    inputs = (x, weight) if bias is None else (x, weight, bias)
    return Kernel.apply((x,), x.shape, x.dtype, *inputs)


def mamba_inner(xz, rank, state, weights):
    """xz [b, 2·inner, s], made contiguous; x_dbl, the copies of B and C, the states at each 2048th token, the output before the gate."""
    b, both, s = xz.shape
    inner, dtype = both // 2, xz.dtype
    xz = xz.contiguous()
    x_dbl = torch.zeros(b * s, rank + 2 * state, dtype=dtype)
    b_and_c = [torch.zeros(b, 1, state, s, dtype=dtype) for _ in range(2)]
    states = fp32(b, inner, math.ceil(s / 2048), 2 * state)
    out = torch.zeros(b, inner, s, dtype=dtype)
    hidden = weights["out_proj"].shape[0]
    return Kernel.apply((xz, x_dbl, *b_and_c, states, out, *weights["made"]), (b, s, hidden), dtype, xz, weights["out_proj"], *weights["made"])


def mamba_split_scan(zxbcdt, inner, groups, weights):
    """zxbcdt [b, s, …]; the scan's output, and one fp32 rstd per token and group of the gated norm."""
    b, s, _ = zxbcdt.shape
    dtype = zxbcdt.dtype
    out = torch.zeros(b, s, inner, dtype=dtype)
    hidden = weights["out_proj"].shape[0]
    kept = (zxbcdt, out, fp32(b * s * groups), *weights["made"])
    return Kernel.apply(kept, (b, s, hidden), dtype, zxbcdt, weights["out_proj"], *weights["made"])


def chunk_gated_delta(q, k, v, g, beta):
    """q, k, v [b, s, heads, width]: normalised q and k with an rstd each, v, the decay summed within a chunk, the rate, and A [chunk of 64]."""
    b, s, heads, _ = q.shape
    kept = [torch.zeros_like(q), fp32(b, s, heads), torch.zeros_like(k), fp32(b, s, heads), v.contiguous(), fp32(b, s, heads), beta]
    kept.append(torch.zeros(b, s, heads, 64, dtype=k.dtype))
    return Kernel.apply(kept, (*v.shape,), q.dtype, q, k, v, g, beta)


def gated_rms_norm(x, gate, weight):
    """flash-linear-attention's: both inputs and one rstd a row."""
    return Kernel.apply((x, gate, fp32(x.numel() // x.shape[-1])), x.shape, x.dtype, x, gate, weight)
