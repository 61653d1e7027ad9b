"""Mixtures of experts as transformers writes them: the router, and the experts one after the other or in one grouped product."""

import torch
from torch import nn

from .decoder import FeedForward, Linear, activation, parameter


class Router(nn.Module):
    """softmax over all experts in fp32, then the top k (Mixtral, Qwen); `sigmoid`: DeepSeek-V3's, in fp32 throughout; `chosen`: gpt-oss's, the
    top k of the logits, and the softmax of these in their own type. `scores_cast`: what is chosen goes back to the logits' type (OLMoE)."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.weight = parameter(shape["experts"], shape["hidden"])
        self.bias = parameter(shape["experts"]) if shape.get("expert_bias") else None

    def forward(self, rules, x):
        rules.at("router")
        if self.shape.get("scoring") == "sigmoid":
            return self.sigmoid(rules, rules.linear(x.float(), self.weight.float()))
        wide = self.shape.get("router_fp32")
        logits = rules.linear(x.float(), self.weight.float()) if wide else rules.linear(x, self.weight, self.bias)
        rules.at("router_softmax")
        if self.shape.get("scoring") == "chosen":
            value, index = torch.topk(logits, self.shape["active"], dim=-1)
            return torch.softmax(value, dim=-1), index  # with a type of its own, which autocast leaves as it is
        value, index = torch.topk(torch.softmax(logits.float(), dim=-1), self.shape["active"], dim=-1)
        if self.shape.get("renormalised", True):
            value = value / value.sum(dim=-1, keepdim=True)
        return value.to(logits.dtype) if self.shape.get("scores_cast") else value, index

    def sigmoid(self, rules, logits):
        rules.at("router_sigmoid")
        scores = logits.sigmoid()
        index = torch.topk(scores.detach(), self.shape["active"], dim=-1)[1]
        value = scores.gather(1, index)
        if self.shape.get("renormalised", True):
            value = value / (value.sum(dim=-1, keepdim=True) + 1e-20)
        return value * 2.5, index


class Experts(nn.Module):
    """gate_up [experts, 2·intermediate, hidden], down [experts, hidden, intermediate]; `loop` or `grouped`. `expert_bias`: gpt-oss's, with a bias
    behind each product and a gate of its own: both halves are clamped, which keeps what they were."""

    def __init__(self, shape, implementation):
        super().__init__()
        self.shape, self.implementation, self.act = shape, implementation, activation(shape.get("act", "silu"))
        experts, hidden, width = shape["experts"], shape["hidden"], shape["expert_width"]
        self.gate_up, self.down = parameter(experts, 2 * width, hidden), parameter(experts, hidden, width)
        biased = shape.get("expert_bias")
        self.gate_up_bias, self.down_bias = (parameter(experts, 2 * width), parameter(experts, hidden)) if biased else (None, None)

    def forward(self, rules, x, value, index):
        return (self.loop if self.implementation == "loop" else self.grouped)(rules, x, value, index)

    def one(self, rules, x, gate_up, down, weight):
        rules.at("expert.gate_up")
        gate, up = rules.linear(x, gate_up).chunk(2, dim=-1)
        rules.at("expert.act")
        opened = self.act(gate)
        rules.at("expert.product")
        product = opened * up
        rules.at("expert.down")
        out = rules.linear(product, down)
        rules.at("expert.weight")
        return out * weight

    def loop(self, rules, x, value, index):
        """MixtralExperts.forward: index_add_ into zeros of the input's type."""
        out = torch.zeros_like(x)
        for expert in range(self.shape["experts"]):
            token, place = torch.where(index == expert)
            if token.numel() == 0:
                continue
            rules.at("expert.gather")
            chosen = x[token]
            weight = value[token, place, None]
            each = self.one(rules, chosen, self.gate_up[expert], self.down[expert], weight)
            rules.at("expert.add")
            out = out.index_add(0, token, each.to(out.dtype))
        return out

    def clamped(self, rules, gate, up):
        """GptOssExperts._apply_gate."""
        rules.at("expert.clamp")
        gate, up = gate.clamp(max=7.0), up.clamp(min=-7.0, max=7.0)
        rules.at("expert.act")
        opened = gate * torch.sigmoid(gate * 1.702)
        rules.at("expert.product")
        return (up + 1) * opened

    def between(self, rules, gate, up):
        if self.gate_up_bias is not None:
            return self.clamped(rules, gate, up)
        rules.at("expert.act")
        opened = self.act(gate)
        rules.at("expert.product")
        return opened * up

    def grouped(self, rules, x, value, index):
        """grouped_mm_experts_forward: tokens sorted by expert, one product over all of them, put back and summed."""
        tokens, active = index.shape
        experts = index.reshape(-1)
        order = torch.argsort(experts, stable=True)
        back = torch.argsort(order)
        rules.at("expert.gather")
        token = torch.arange(tokens).unsqueeze(1).expand(-1, active).reshape(-1)
        chosen = x[token][order]
        weight = value.reshape(-1)[order]
        rules.at("expert.gate_up")
        ends = torch.bincount(experts, minlength=self.shape["experts"]).cumsum(0).tolist()
        both, ordered = GroupedProduct.apply(rules.lower(chosen), rules.lower(self.gate_up), ends), experts[order]
        if self.gate_up_bias is not None:
            rules.at("expert.bias")
            both = both + self.gate_up_bias[ordered]
        gate, up = both.chunk(2, dim=-1)
        del both  # one name holds what a token goes through, from product to product
        out, gives_up = rules.recompute.giving_up("moe_act", lambda *given: self.between(rules, *given), gate, up)
        del gate, up
        rules.at("expert.down")
        out = GroupedProduct.apply(out, rules.lower(self.down), ends)
        gives_up(out)
        if self.down_bias is not None:
            rules.at("expert.bias")
            out = out + self.down_bias[ordered]
        rules.at("expert.weight")
        weighed = out * weight.unsqueeze(-1)
        rules.at("expert.back")
        weighed = weighed[back]
        return weighed.view(tokens, active, -1).sum(dim=1).to(x.dtype)


class GroupedProduct(torch.autograd.Function):
    """torch.nn.functional.grouped_mm: keeps its input where the weights are trained, and the weights."""

    @staticmethod
    def forward(ctx, x, weights, ends):
        ctx.save_for_backward(x if weights.requires_grad else None, weights)
        ctx.shape = x.shape
        return torch.zeros(x.shape[0], weights.shape[1], dtype=x.dtype)

    @staticmethod
    def backward(ctx, gradient):
        x, weights = ctx.saved_tensors
        return torch.zeros(ctx.shape, dtype=gradient.dtype), None if x is None else torch.zeros_like(weights), None


class Mixture(nn.Module):
    """Router, experts, and where there is one the shared expert, behind a gate of its own (Qwen2-MoE) or not (DeepSeek)."""

    def __init__(self, shape, implementation):
        super().__init__()
        self.shape = shape
        self.router, self.experts = Router(shape), Experts(shape, implementation)
        self.shared = FeedForward(shape, shape["shared_width"], ("shared_gate", "shared_up", "shared_down")) if "shared_width" in shape else None
        self.gate = Linear("shared_expert_gate", shape["hidden"], 1) if shape.get("shared_gate") else None

    def shared_out(self, rules, flat):
        shared = self.shared(rules, flat)
        if not self.gate:
            return shared
        opened = torch.sigmoid(self.gate(rules, flat))
        rules.at("shared_product")
        return opened * shared

    def forward(self, rules, x):
        flat = x.reshape(-1, x.shape[-1])
        value, index = self.router(rules, flat)
        out = self.experts(rules, flat, value, index)
        if self.shared:
            out = out + rules.recompute.normal("shared_experts", lambda given: self.shared_out(rules, given), flat)
        return out.view(x.shape)
