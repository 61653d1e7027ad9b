"""Layers of decoders as transformers writes them: attention and feed-forward in their variants, and how a layer joins them.

A layer is described by a plain dictionary (`shape`), in these words:
  hidden heads kv_heads head_dim  fused_qkv qkv_bias o_bias  rotary  qk_norm (head whole each_head)  softmax_fp32 softcap sinks  gated_out
  intermediate gated fused_gate_up act mlp_bias                         norm (layer layer_plus_one layer_upcast layer_composed rms rms_gemma rms_fp32) norm_weight norm_bias
  order (before after both parallel parallel_two_norms post)            attn_dropout dropout1 dropout2 dropout_sum
"""

import torch
import torch.nn.functional as F
from torch import nn

from .kernels import Kernel
from .rules import Rules, half


def parameter(*shape):
    return nn.Parameter(torch.randn(*shape) * 0.02)


class Linear(nn.Module):
    """With an adapter beside it where `lora` names it: rank, dropout, and the adapter's type; `dora`: with a learned length of each output.
    `packed`: the weight stands for one that is dequantized to 16 bits anew at each use. With `rotate`, orthogonal matrices of so many inputs
    each stand before the weight instead."""

    def __init__(self, name, inputs, outputs, bias=False):
        super().__init__()
        self.name = name
        self.weight = parameter(outputs, inputs)
        self.bias = parameter(outputs) if bias else None
        self.lora = self.turn = None
        self.fused = self.dora = self.packed = False

    def adapt(self, rank, dropout, dtype, dora=False, packed=False):
        self.lora, self.dora, self.packed = (dropout, dtype), dora, packed
        outputs, inputs = self.weight.shape
        self.lora_a, self.lora_b = parameter(rank, inputs), parameter(outputs, rank)
        self.lora_a.data, self.lora_b.data = self.lora_a.data.to(dtype), self.lora_b.data.to(dtype)
        if dora:
            self.magnitude = parameter(outputs)
            self.magnitude.data = self.magnitude.data.to(dtype)

    def magnified(self, rules, x, result):
        """PEFT's DoraLinearLayer.forward: the length of each row of W + B·A, taken of B(A(identity)), and what W and the adapter give scaled by
        the learned length over it. What W gives is computed anew of a dropped input; else it is what the layer gave."""
        dropout, dtype = self.lora
        x = x.to(dtype)
        dropped = rules.dropout(x, dropout)
        rules.at(f"{self.name}.dora")
        identity = torch.eye(self.weight.shape[1]).to(dtype)
        product = rules.linear(rules.linear(identity, self.lora_a), self.lora_b).T
        weight = (self.weight.to(half) * 1.0 if self.packed else self.weight).to(dtype)
        length = torch.linalg.norm((weight + 2.0 * product.detach()).float(), dim=1).to(dtype).detach()
        scale = (self.magnitude / length).view(1, -1)
        rules.at(f"{self.name}.lora")
        low = rules.linear(rules.linear(dropped, self.lora_a), self.lora_b)
        rules.at(f"{self.name}.dora")
        if dropout > 0:
            result = rules.linear(dropped, weight)
        elif self.bias is not None:
            result = result - self.bias
        return (scale - 1) * result + scale * low * 2.0

    def rotate(self, block, dtype):
        """PEFT's OFTLayer.update_layer: a block is as near to `block` as the inputs can be divided by, of two the smaller one."""
        inputs = self.weight.shape[1]
        size = min((each for each in range(1, inputs + 1) if inputs % each == 0), key=lambda each: (abs(each - block), each))
        self.turn = parameter(inputs // size, size * (size - 1) // 2)
        self.turn.data = self.turn.data.to(dtype)
        self.block = size
        self.register_buffer("above", torch.triu_indices(size, size, 1))

    def rotated(self, rules, x):
        """PEFT's OFTRotationModule.forward: Cayley's transform of a skew-symmetric matrix as the first five terms of its Neumann series, and an
        einsum with the input, which is one product of batches and a copy of what comes of it."""
        rules.at(f"{self.name}.oft")
        given, dtype, (blocks, _) = x.dtype, self.turn.dtype, self.turn.shape
        wide = x.to(dtype)

        def product(a, b):
            return torch.bmm(rules.lower(a), rules.lower(b))

        skew = torch.zeros(blocks, self.block, self.block, dtype=dtype)
        skew[:, self.above[0], self.above[1]] = self.turn
        skew = skew - skew.transpose(-2, -1)
        matrix = torch.eye(self.block).to(dtype).repeat(blocks, 1, 1)
        matrix.add_(skew, alpha=2.0)
        square = product(skew, skew)
        matrix.add_(square, alpha=2.0)
        cube = product(square, skew)
        matrix.add_(cube, alpha=2.0)
        matrix.add_(product(cube, skew))
        batch, tokens, inputs = wide.shape
        parts = wide.reshape(batch, tokens, blocks, self.block).permute(2, 0, 1, 3).reshape(blocks, batch * tokens, self.block)
        turned = product(parts, matrix).reshape(blocks, batch, tokens, self.block).permute(1, 2, 0, 3)
        return turned.reshape(batch, tokens, inputs).to(dtype).to(given)

    def fusible(self):
        return self.lora is not None and self.bias is None

    def forward(self, rules, x):
        rules.at(self.name)
        if self.fused:
            return Kernel.apply((x,), (*x.shape[:-1], self.weight.shape[0]), rules.compute, x, self.lora_a, self.lora_b)
        if self.turn is not None:
            x = self.rotated(rules, x)
            return rules.at(self.name).linear(x, self.weight, self.bias)
        out = rules.linear(x, self.weight, self.bias)
        if not self.lora:
            return out
        if self.dora:
            return (out + self.magnified(rules, x, out)).to(out.dtype)
        dropout, dtype = self.lora
        rules.at(f"{self.name}.lora")
        low = rules.linear(rules.dropout(x.to(dtype), dropout), self.lora_a)
        return out + rules.linear(low, self.lora_b).to(out.dtype)


class Norm(nn.Module):
    def __init__(self, name, kind, width, weight=True, bias=False, kernel="reference"):
        super().__init__()
        self.name, self.kind, self.kernel = name, kind, kernel
        self.weight = parameter(*(width if isinstance(width, tuple) else (width,))) if weight else None
        self.bias = parameter(self.weight.shape[-1]) if bias else None

    def forward(self, rules, x):
        rules.at(self.name)
        if self.kind == "layer":
            return rules.layer_norm(x, self.weight, self.bias)
        if self.kind == "layer_plus_one":
            return rules.layer_norm_plus_one(x, self.weight, self.bias)
        if self.kind == "layer_upcast":
            return rules.layer_norm(x.float(), self.weight, self.bias).to(x.dtype)
        if self.kind == "layer_composed":
            return rules.layer_norm_composed(x, self.weight)
        return rules.rms_norm(x, self.weight, self.kind, self.kernel)


def activation(name):
    """ACT2FN: `gelu_new` is composed of Python operations, the others are one kernel."""

    def gelu_new(x):
        return 0.5 * x * (1.0 + torch.tanh(0.7978845608 * (x + 0.044715 * torch.pow(x, 3.0))))

    kernels = {
        "silu": F.silu,
        "gelu": F.gelu,
        "gelu_pytorch_tanh": lambda x: F.gelu(x, approximate="tanh"),
        "relu": F.relu,
        "relu2": lambda x: torch.square(F.relu(x)),
        "gelu_new": gelu_new,
        "sigmoid": torch.sigmoid,
    }
    return kernels[name]


class FeedForward(nn.Module):
    def __init__(self, shape, intermediate=None, names=("gate", "up", "down")):
        super().__init__()
        width, bias = intermediate or shape["intermediate"], shape.get("mlp_bias", False)
        gate, up, down = names
        self.shape, self.act, self.names = shape, activation(shape.get("act", "silu")), names
        hidden = shape["hidden"]
        self.gated, self.fused = shape.get("gated", True), shape.get("fused_gate_up", False)
        if self.gated and self.fused:
            self.gate_up = Linear("gate_up", hidden, 2 * width, bias)
        else:
            self.up = Linear(up, hidden, width, bias)
            if self.gated:
                self.gate = Linear(gate, hidden, width, bias)
        self.down = Linear(down, width, hidden, bias)
        self.in_one_kernel = False

    def fuse(self):
        """Unsloth's LoRA_MLP: gate's and up's outputs and the input are kept."""
        self.in_one_kernel = all(each.fusible() for each in (self.gate, self.up, self.down))

    def fused_forward(self, rules, x):
        rules.at("feed_forward")
        gate, up = (torch.zeros(*x.shape[:-1], each.weight.shape[0], dtype=rules.compute) for each in (self.gate, self.up))
        adapters = [tensor for each in (self.gate, self.up, self.down) for tensor in (each.lora_a, each.lora_b)]
        return Kernel.apply((x, gate, up), x.shape, rules.compute, x, *adapters)

    def forward(self, rules, x):
        if self.in_one_kernel:
            return self.fused_forward(rules, x)
        if not self.gated:
            up = self.up(rules, x)
            rules.at("act")
            return self.down(rules, rules.dropout(self.act(up), self.shape.get("act_dropout", 0)))
        if self.fused:
            gate, up = self.gate_up(rules, x).chunk(2, dim=-1)
        else:
            gate, up = self.gate(rules, x), self.up(rules, x)
        rules.at("act")
        opened = self.act(gate)
        rules.at("product")
        return self.down(rules, opened * up)


def rotate(x, cos, sin):
    """On the first `cos.shape[-1]` channels; the others pass (GPT-NeoX's order of halves)."""
    width = cos.shape[-1]
    turned, passed = x[..., :width], x[..., width:]
    half = width // 2
    turned = turned * cos + torch.cat((-turned[..., half:], turned[..., :half]), dim=-1) * sin
    return turned if passed.shape[-1] == 0 else torch.cat((turned, passed), dim=-1)


def repeat(x, times):
    b, heads, s, width = x.shape
    return x if times == 1 else x[:, :, None].expand(b, heads, times, s, width).reshape(b, heads * times, s, width)


def eager(rules, shape, q, k, v, sinks=None):
    """transformers' eager_attention_forward; [b, heads, s, width] to [b, s, heads, width]."""
    times = q.shape[1] // k.shape[1]
    k, v = repeat(k, times), repeat(v, times)
    scores = rules.at("scores").matmul(q, k.transpose(2, 3)) * q.shape[-1] ** -0.5
    if shape.get("softcap"):
        rules.at("softcap")
        scores = torch.tanh(scores / 50.0) * 50.0
    if sinks is not None:
        b, heads, s, _ = scores.shape
        rules.at("sinks")
        scores = torch.cat([scores, sinks.reshape(1, -1, 1, 1).expand(b, heads, s, 1)], dim=-1)
        scores = scores - scores.max(dim=-1, keepdim=True).values
    rules.at("softmax")
    weights = rules.softmax(scores, shape.get("softmax_fp32", True) and sinks is None)
    weights = weights[..., :-1] if sinks is not None else weights
    weights = rules.at("attn_dropout").dropout(weights.to(q.dtype if not rules.autocast else rules.compute), shape.get("attn_dropout", 0))
    return rules.at("values").matmul(weights, v).transpose(1, 2).contiguous()


class Attention(nn.Module):
    def __init__(self, shape, kernel="flash", norm_kernel="reference"):
        super().__init__()
        self.shape, self.kernel = shape, kernel
        hidden, heads, kv, width = shape["hidden"], shape["heads"], shape["kv_heads"], shape["head_dim"]
        bias = shape.get("qkv_bias", False)
        self.gated_out = shape.get("gated_out", False)
        if shape.get("fused_qkv"):
            self.qkv = Linear("qkv", hidden, (heads + 2 * kv) * width, bias)
        else:
            self.q = Linear("q", hidden, heads * width * (2 if self.gated_out else 1), bias)
            self.k, self.v = Linear("k", hidden, kv * width, shape.get("k_bias", bias)), Linear("v", hidden, kv * width, bias)
        self.o = Linear("o", heads * width, hidden, shape.get("o_bias", False))
        self.sinks = parameter(heads) if shape.get("sinks") else None
        placed = shape.get("qk_norm")
        if placed:
            of = {"head": lambda n: width, "whole": lambda n: n * width, "each_head": lambda n: (n, width)}[placed]
            kind = shape.get("qk_norm_kind", shape.get("norm", "rms"))
            self.q_norm = Norm("q_norm", kind, of(heads), kernel=norm_kernel)
            self.k_norm = Norm("k_norm", kind, of(kv), kernel=norm_kernel)

    def projected(self, rules, x, source):
        heads, kv, width = (self.shape[name] for name in ("heads", "kv_heads", "head_dim"))
        if self.shape.get("fused_qkv"):
            return self.qkv(rules, x).split([heads * width, kv * width, kv * width], dim=-1)
        return self.q(rules, x), self.k(rules, source), self.v(rules, source)

    def fuse(self):
        """Unsloth's LoRA_QKV and LoRA_W."""
        if all(each.fusible() for each in (self.q, self.k, self.v)):
            self.q.fused = self.k.fused = self.v.fused = True
        self.o.fused = self.o.fusible()

    def attend(self, rules, q, k, v):
        if self.kernel == "sdpa" and self.shape.get("mask") is not None:
            times = q.shape[1] // k.shape[1]
            return rules.at("sdpa").masked(q, repeat(k, times), repeat(v, times), self.shape["mask"])
        if self.kernel == "eager":
            return eager(rules, self.shape, q, k, v, self.sinks)
        return rules.at("flash").flash(q, k, v)

    def forward(self, rules, x, tables, source=None):
        heads, kv, width = (self.shape[name] for name in ("heads", "kv_heads", "head_dim"))
        b, s, _ = x.shape
        source = x if source is None else source
        q, k, v = self.projected(rules, x, source)
        if self.gated_out:
            q, gate = q.view(b, s, heads, 2 * width).chunk(2, dim=-1)
            gate = gate.reshape(b, s, -1)
        if self.shape.get("qk_norm") == "whole":
            q, k = self.q_norm(rules, q), self.k_norm(rules, k)
        q, k, v = (each.reshape(b, each.shape[1], n, width) for each, n in ((q, heads), (k, kv), (v, kv)))
        if self.shape.get("qk_norm") in ("head", "each_head"):
            q, k = self.q_norm(rules, q), self.k_norm(rules, k)
        q, k, v = (each.transpose(1, 2) for each in (q, k, v))
        if self.shape.get("rotary", True):
            rules.at("rope")
            q, k = (rotate(each, *tables) for each in (q, k))
        out = rules.recompute.normal("core_attn", lambda *given: self.attend(rules, *given), q, k, v).reshape(b, s, -1)
        if self.gated_out:
            rules.at("gate")
            out = out * torch.sigmoid(gate)
        return self.o(rules, out)


class DecoderLayer(nn.Module):
    """`feed_forward` takes the place of the shape's own, as a mixture of experts does."""

    def __init__(self, shape, kernel="flash", norm_kernel="reference", feed_forward=None, attention=None):
        super().__init__()
        self.shape, self.order = shape, shape.get("order", "before")
        self.attention = attention or Attention(shape, kernel, norm_kernel)
        self.feed_forward = feed_forward or FeedForward(shape)

        def norm(name):
            return Norm(name, shape.get("norm", "rms"), shape["hidden"], shape.get("norm_weight", True), shape.get("norm_bias", False), norm_kernel)

        self.norms = nn.ModuleDict({name: norm(name) for name in self.norm_names()})

    def fuse(self):
        """Adapters in the kernels of the products beside which they stand. (Unsloth, kernels/fast_lora.py)"""
        self.attention.fuse()
        self.feed_forward.fuse()

    def norm_names(self):
        return {
            "before": ("norm1", "norm2"),
            "after": ("norm1", "norm2"),
            "both": ("norm1", "norm1_out", "norm2", "norm2_out"),
            "parallel": ("norm1",),
            "parallel_two_norms": ("norm1", "norm2"),
            "post": ("norm1", "norm2"),
        }[self.order]

    def given(self, name, rules, x):
        """What attention or feed-forward is given, and what to call with what it makes."""
        if self.order not in ("before", "both"):
            return x, lambda behind: None
        return rules.recompute.giving_up("layernorm", lambda of: self.norms[name](rules, of), x)

    def forward(self, rules: Rules, x, tables):
        def drop(name, out):
            return rules.at(name).dropout(out, self.shape.get(name, 0))

        def norm(name, of):
            return self.norms[name](rules, of)

        if self.order.startswith("parallel"):
            first = norm("norm1", x)
            second = norm("norm2", x) if self.order == "parallel_two_norms" else first
            attended = drop("dropout1", self.attention(rules, first, tables))
            return drop("dropout_sum", attended + drop("dropout2", self.feed_forward(rules, second))) + x
        first, gives_up = self.given("norm1", rules, x)
        attended = self.attention(rules, first, tables)
        gives_up(attended)
        del first
        if self.order in ("after", "both"):
            attended = norm("norm1" if self.order == "after" else "norm1_out", attended)
        x = x + drop("dropout1", attended)
        if self.order == "post":
            x = norm("norm1", x)
        second, gives_up = self.given("norm2", rules, x)
        module = "mlp" if isinstance(self.feed_forward, FeedForward) else "moe"
        fed = rules.recompute.normal(module, lambda given: self.feed_forward(rules, given), second)
        gives_up(fed)
        del second
        if self.order in ("after", "both"):
            fed = norm("norm2" if self.order == "after" else "norm2_out", fed)
        x = x + drop("dropout2", fed)
        return norm("norm2", x) if self.order == "post" else x
