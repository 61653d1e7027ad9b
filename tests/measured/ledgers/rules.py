"""In which type an operation computes: everything in one type, or CUDA's autocast rules with parameters in fp32 (`amp`) or 16 bits (`amp16`)."""

import torch
import torch.nn.functional as F

from .kernels import FlashAttention, LayerNorm, MaskedAttention, Softmax, fused_rms_norm
from .recompute import Recompute

half = torch.bfloat16


class Rules:
    def __init__(self, precision, ledger=None, recomputed=()):
        self.autocast = precision in ("amp", "amp16")
        self.parameter = half if precision in ("bf16", "amp16") else torch.float32
        self.compute = torch.float32 if precision == "fp32" else half
        self.ledger = ledger
        self.cache = {}
        self.recompute = Recompute(recomputed)

    def at(self, operation):
        if self.ledger:
            self.ledger.operation = operation
        return self

    def lower(self, tensor):
        """As at::autocast::cached_cast: anew at each call, but weights that are trained once a step."""
        if tensor is None or not self.autocast or tensor.dtype != torch.float32:
            return tensor
        if not (tensor.is_leaf and tensor.requires_grad):
            return tensor.to(half)
        if tensor not in self.cache:
            self.cache[tensor] = tensor.to(half)
        return self.cache[tensor]

    def linear(self, x, weight, bias=None):
        return F.linear(self.lower(x), self.lower(weight), self.lower(bias))

    def matmul(self, a, b):
        return torch.matmul(self.lower(a), self.lower(b))

    def flash(self, q, k, v):
        q, k, v = (each if each.dtype == self.compute else each.to(self.compute) for each in (q, k, v))
        return FlashAttention.apply(q, k, v)

    def masked(self, q, k, v, mask):
        """Booleans become what is added, anew at each call. (PyTorch, convert_boolean_attn_mask)"""
        q, k, v = (each if each.dtype == self.compute else each.to(self.compute) for each in (q, k, v))
        if mask.dtype == torch.bool:
            mask = torch.zeros(mask.shape, dtype=self.compute).masked_fill_(~mask, float("-inf"))
        return MaskedAttention.apply(q, k, v, mask)

    def softmax(self, scores, upcast):
        wide = scores.float() if upcast or self.autocast else scores
        return Softmax.apply(wide)

    def dropout(self, x, probability):
        """The CUDA kernel, with a mask of one byte."""
        return torch.native_dropout(x, probability, True)[0] if probability > 0 else x

    def layer_norm(self, x, weight, bias):
        if self.autocast:  # layer_norm is on the list of what runs in fp32
            x = x.float()
        return LayerNorm.apply(x, weight, bias)

    def layer_norm_plus_one(self, x, weight, bias):
        """NemotronLayerNorm1P: one is added to the weight, and under autocast all three are cast and the kernel runs in 16 bits."""
        x, weight, bias = (each.to(self.compute) if self.autocast else each for each in (x, weight + 1, bias))
        return LayerNorm.apply(x, weight, bias)

    def layer_norm_composed(self, x, weight):
        """CohereLayerNorm, of Python operations in fp32."""
        given = x.dtype
        x = x.float()
        mean = x.sum(-1, keepdim=True) * (1 / x.shape[-1])
        variance = (x - mean).pow(2).sum(-1, keepdim=True) * (1 / x.shape[-1])
        return (weight.float() * ((x - mean) * torch.rsqrt(variance + 1e-5))).to(given)

    def rms_norm(self, x, weight, kind="rms", kernel="reference"):
        """transformers' LlamaRMSNorm (`rms`) and GemmaRMSNorm (`rms_gemma`); the mean is a sum and a product, since PyTorch before 2.0 kept
        the mean's input."""
        if kernel == "fused":
            return fused_rms_norm(x, weight)
        given = x.dtype
        x = x.float()
        variance = x.pow(2).sum(-1, keepdim=True) * (1 / x.shape[-1])
        normalised = x * torch.rsqrt(variance + 1e-6)
        if kind == "rms_gemma":
            return (normalised * (1.0 + weight.float())).to(given)
        if kind == "rms_fp32":  # OLMo 2: the weight multiplies before the cast back
            return (weight * normalised).to(given)
        normalised = normalised.to(given)
        return normalised if weight is None else weight * normalised
