"""Models of which only named parts are trained, from the embedding to the logits: LLaMA-Factory's freeze_trainable_layers,
freeze_trainable_modules and freeze_extra_modules (model/adapter.py, _setup_freeze_tuning)."""

import torch
import torch.nn.functional as F
from torch import nn

from . import families
from .counting import Ledger
from .decoder import DecoderLayer, Linear, Norm, parameter
from .rules import Rules

LAYERS, VOCABULARY = 3, 1000


class Decoder(nn.Module):
    def __init__(self, shape, kernel, norm_kernel):
        super().__init__()
        self.embedding = parameter(VOCABULARY, shape["hidden"])
        self.layers = nn.ModuleList(DecoderLayer(shape, kernel, norm_kernel) for _ in range(LAYERS))
        self.norm = Norm("norm", shape.get("norm", "rms"), shape["hidden"], True, shape.get("norm_bias", False), norm_kernel)
        self.head = Linear("lm_head", shape["hidden"], VOCABULARY)

    def forward(self, rules, ids, tables):
        rules.at("embedding")
        x = F.embedding(ids, self.embedding)
        for layer in self.layers:
            x = layer(rules, x, tables)
        return self.head(rules, self.norm(rules, x))

    def modules_of(self, layer):
        return {
            "self_attn": layer.attention,
            "mlp": layer.feed_forward,
            "input_layernorm": layer.norms["norm1"],
            "post_attention_layernorm": layer.norms["norm2"],
        }

    def freeze_but(self, trainable_layers, trainable_modules, extra_modules):
        for each in self.parameters():
            each.requires_grad_(False)
        chosen = self.layers[-trainable_layers:] if trainable_layers > 0 else self.layers[:-trainable_layers]
        trained = [part for layer in chosen for name, part in self.modules_of(layer).items() if {"all", name} & set(trainable_modules)]
        trained += [{"norm": self.norm, "lm_head": self.head}[name] for name in extra_modules if name != "embed_tokens"]
        for part in trained:
            for each in part.parameters():
                each.requires_grad_(True)
        self.embedding.requires_grad_("embed_tokens" in extra_modules)


ALL = ["all"]
# layers, modules of these, modules beside the layers
PARTS = (
    (1, ALL, []),
    (2, ALL, ["norm"]),
    (-1, ALL, []),
    (-2, ALL, ["lm_head"]),
    (2, ["self_attn"], []),
    (2, ["mlp"], []),
    (1, ["post_attention_layernorm", "mlp"], []),
    (3, ["input_layernorm"], []),
    (0, ALL, ["lm_head"]),
    (0, ALL, ["norm"]),
    (0, ALL, ["embed_tokens"]),
    (1, ALL, ["embed_tokens", "lm_head"]),
)


def frozen_cases():
    for family in ("qwen2", "stablelm"):
        shape, config, _ = families.dense[family]
        for layers, modules, extra in PARTS:
            for prec, attn, norm in (("fp32", "flash", "hf"), ("bf16", "flash", "hf"), ("amp", "flash", "hf"), ("bf16", "eager", "fused")):
                if norm == "fused" and "rms" not in shape.get("norm", "rms"):
                    continue
                yield shape, {
                    "kind": "frozen",
                    "family": family,
                    "config": {**config, "num_hidden_layers": LAYERS, "vocab_size": VOCABULARY},
                    "freeze": {"trainable_layers": layers, "trainable_modules": modules, "extra_modules": extra},
                    "b": 2,
                    "s": 48,
                    "prec": prec,
                    "attn": attn,
                    "norm": norm,
                    "dropout": 0.0,
                }


def frozen_ledger(shape, case):
    """What the whole forward pass keeps, up to the logits."""
    torch.manual_seed(0)
    rules = Rules(case["prec"])
    model = Decoder(shape, case["attn"], "fused" if case["norm"] == "fused" else "reference").to(rules.parameter)
    model.freeze_but(**case["freeze"])
    ids = torch.zeros(case["b"], case["s"], dtype=torch.int64)
    width = shape.get("rotary_width", shape["head_dim"])
    tables = tuple(torch.zeros(case["s"], width, dtype=rules.parameter) for _ in range(2))
    rules.ledger = ledger = Ledger([*model.parameters(), *tables])
    with ledger.counting():
        logits = model(rules, ids, tables)
    logits.float().sum().backward()
    trained = sum(each.numel() for each in model.parameters() if each.requires_grad)
    assert trained == sum(each.grad.numel() for each in model.parameters() if each.grad is not None)
    return {"total": ledger.total, "trained": trained, "by_op": ledger.by_op}
