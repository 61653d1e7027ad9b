"""Bytes that autograd keeps, counted op by op on modules of this repository; prints a row per case, as in training_autograd_more.jsonl.

    python3 tests/measured/ledger.py [FAMILY …] > tests/measured/training_autograd_more.jsonl

Needs PyTorch, runs on a CPU. The modules (ledgers/) follow transformers' modelling code in shapes and types; what is a CUDA kernel there
keeps here what that kernel keeps (ledgers/kernels.py). A layer's input asks for its gradient, as behind an embedding that is trained.
"""

import json
import sys

import torch

from ledgers.cases import cases, peak_cases
from ledgers.counting import Ledger
from ledgers.frozen import frozen_cases, frozen_ledger
from ledgers.peaks import peaks
from ledgers.rules import Rules

SOURCE = "own ledger, tests/measured/ledger.py"


def prepared(case):
    """Layers in the case's types, the layers' input, and the tables that all layers share."""
    rules = Rules(case["prec"], recomputed=case.get("recompute_modules", ()))
    layers = case["layers"]()
    lora = case.get("lora")
    for layer in layers:
        layer.to(rules.parameter)
        for parameter in layer.parameters():
            parameter.requires_grad_(not lora)
        for module in layer.modules():
            if lora and getattr(module, "name", None) in lora and hasattr(module, "adapt"):
                dtype = getattr(torch, case["lora_dtype"])
                if "oft_block_size" in case:
                    module.rotate(case["oft_block_size"], dtype)
                else:
                    module.adapt(case["r"], case["lora_dropout"], dtype, case.get("dora", False), case.get("packed", False))
        if case.get("kernels") == "fused":
            layer.fuse()
    x = torch.randn(case["b"], case["s"], case["hidden"], dtype=rules.parameter, requires_grad=True)
    dtype = torch.float32 if case.get("wide_tables") else rules.parameter
    tables = tuple(torch.zeros(case["s"], case["rotary_width"], dtype=dtype) for _ in range(2))
    return rules, layers, x, tables


def counted(case):
    torch.manual_seed(0)
    rules, layers, x, tables = prepared(case)
    own = [each for layer in layers for each in (*layer.parameters(), *layer.buffers())]
    ledger = Ledger([*own, *tables, *case.get("left_out", ())])
    rules.ledger = ledger
    with ledger.counting():
        x = x * 1.0  # as an embedding makes it: autocast keeps one copy of a leaf, and this is none
        for layer in layers:
            x = layer(rules, x, tables)
    x.float().sum().backward()
    return ledger


def said(case):
    inner = ("layers", "hidden", "rotary_width", "wide_tables", "left_out")
    return {**{name: value for name, value in case.items() if name not in inner}, "torch": torch.__version__, "source": SOURCE}


def row_of(case):
    ledger = counted(case)
    return {**said(case), "total": ledger.total, "by_op": ledger.by_op}


def peak_row_of(case):
    torch.manual_seed(0)
    rules, layers, x, tables = prepared(case)
    return {**said(case), "kind": "layer_peak", **peaks(rules, layers[0], x, tables)}


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for case in cases():
        if not wanted or case["family"] in wanted:
            print(json.dumps(row_of(case)), flush=True)
    for case in peak_cases():
        if not wanted or case["family"] in wanted:
            print(json.dumps(peak_row_of(case)), flush=True)
    for shape, case in frozen_cases():
        if not wanted or case["family"] in wanted:
            print(json.dumps({**said(case), **frozen_ledger(shape, case)}), flush=True)
