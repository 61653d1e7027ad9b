"""A grid of runs for one large device: models × method × precision × optimizer × checkpointing × kernels × length, copies that share
weights, and answers. In an order of chance that is always the same, so that a grid that was cut short is a fair sample of the whole."""

import json
import random
from itertools import product

from .spread import ALL, inference, model_of, qv, training

SMALL = ("qwen2.5-0.5b", "qwen3-0.6b", "llama-3.2-1b", "gemma-3-1b", "smollm2-1.7b", "olmo-2-1b")
MIDDLE = ("qwen3-1.7b", "gemma-2-2b", "llama-3.2-3b", "ministral-3-3b", "phi-3-mini-4k", "smollm3-3b")
LARGE = ("qwen3-4b", "mistral-7b-v0.1", "llama-3.1-8b", "qwen3-8b", "gemma-2-9b")
BATCHES = ((512, 4), (2048, 1), (4096, 1), (4096, 2), (8192, 1))  # sequence, micro-batch


def full():
    """Everything is trained, in bf16."""
    for preset, (sequence, micro_batch), checkpointing in product(SMALL, BATCHES, ("none", "full")):
        yield training(preset, sequence=sequence, micro_batch=micro_batch, checkpointing=checkpointing)
    for preset, (sequence, micro_batch) in product(MIDDLE, ((2048, 1), (4096, 2))):
        yield training(preset, sequence=sequence, micro_batch=micro_batch, checkpointing="full")
        yield training(preset, sequence=sequence, micro_batch=1)


def precisions():
    for preset, precision, checkpointing in product(("qwen3-0.6b", "llama-3.2-1b", "gemma-3-1b"), ("fp32", "bf16-autocast", "fp16-autocast"), ("none", "full")):
        yield training(preset, precision=precision, checkpointing=checkpointing, sequence=2048)
    yield training("llama-3.2-3b", precision="bf16-autocast", checkpointing="full", sequence=4096)


def optimizers():
    names = ("sgd", "sgd-momentum", "adafactor", "adamw-8bit", "paged-adamw-8bit", "lion-8bit", "ademamix-8bit", "adamw-32bit", "rmsprop", "adagrad")
    for preset, optimizer in product(("llama-3.2-1b", "qwen3-1.7b"), names):
        yield training(preset, optimizer=optimizer, checkpointing="full", sequence=2048)
    for preset, step in product(("llama-3.2-1b", "qwen3-1.7b"), ("fused", "loop", "foreach")):
        yield training(preset, optimizer_step=step, checkpointing="full", sequence=2048)


def adapters():
    for preset, lora, checkpointing in product(MIDDLE + LARGE, (qv(), ALL), ("none", "full")):
        yield training(preset, method="lora", lora=lora, checkpointing=checkpointing, sequence=2048)
    for preset, dropout in product(("llama-3.2-1b", "qwen3-4b", "llama-3.1-8b"), (0.0, 0.05)):
        yield training(preset, method="lora", lora={**ALL, "dropout": dropout}, sequence=4096, checkpointing="full")
        yield training(preset, method="lora", lora={**ALL, "dropout": dropout, "rank": 64}, sequence=1024, micro_batch=4)
        yield training(preset, method="dora", lora={**qv(), "dropout": dropout}, sequence=1024)
        yield training(preset, method="lora", lora={**ALL, "dropout": dropout, "encoding": "bf16"}, sequence=1024)


def packed():
    presets = ("llama-3.2-1b", "llama-3.2-3b", "qwen3-4b", "mistral-7b-v0.1", "llama-3.1-8b")
    for preset, optimizer, (sequence, checkpointing) in product(presets, ("adamw", "paged-adamw-8bit"), ((1024, "none"), (4096, "full"))):
        yield training(preset, method="qlora", encoding="nf4-dq", lora=ALL, optimizer=optimizer, sequence=sequence, checkpointing=checkpointing)
    for encoding in ("nf4", "fp4", "int8-llm"):
        method = "lora" if encoding == "int8-llm" else "qlora"
        yield training("qwen3-4b", method=method, encoding=encoding, lora=qv(), sequence=2048, checkpointing="full")
        yield training("llama-3.2-3b", method=method, encoding=encoding, lora={**ALL, "dropout": 0.05}, sequence=1024)


def kernels():
    fused = {"loss": "fused", "norm": "fused", "feed_forward": "fused"}
    for preset, checkpointing, sequence in product(("llama-3.2-1b", "qwen3-1.7b", "gemma-2-2b"), ("none", "full"), (2048, 8192)):
        yield training(preset, checkpointing=checkpointing, sequence=sequence, **fused)
    for preset in ("llama-3.2-1b", "qwen3-4b"):
        yield training(preset, method="lora", lora=ALL, sequence=8192, checkpointing="full", **fused)
        yield training(preset, method="lora", lora=ALL, sequence=4096, loss="fused")
    for preset, sequence in product(("qwen3-0.6b", "llama-3.2-1b", "gemma-3-1b"), (1024, 2048)):
        yield training(preset, attention="eager", sequence=sequence)
        yield training(preset, attention="eager", sequence=sequence, checkpointing="full")
    for preset in ("llama-3.2-1b", "qwen3-1.7b"):
        yield training(preset, accumulation=4, sequence=2048)
        yield training(preset, logits_kept=True, sequence=2048)
        for sequence, checkpointing in ((4096, "none"), (16384, "full")):
            yield training(preset, expandable_segments=True, sequence=sequence, checkpointing=checkpointing)
            yield training(preset, sequence=sequence, checkpointing=checkpointing, micro_batch=2)
    for sequence in (16384, 32768):
        yield training("llama-3.1-8b", method="lora", lora=qv(), sequence=sequence, checkpointing="full")
        yield training("qwen3-4b", method="qlora", encoding="nf4-dq", lora=ALL, sequence=sequence, checkpointing="full", loss="fused")


def mixtures():
    cut = (("olmoe-1b-7b", 4), ("mixtral-8x7b", 1), ("qwen3-30b-a3b", 4), ("deepseek-v2-lite", 4), ("gpt-oss-20b", 3), ("granite-3.1-1b-a400m", None))
    for (preset, layers), checkpointing in product(cut, ("none", "full")):
        yield training(preset, layers=layers, sequence=2048, checkpointing=checkpointing)
    for preset, layers in cut[:5]:
        lora = {"rank": 16, "targets": ["q_proj", "o_proj"]}
        yield training(preset, layers=layers, method="lora", lora=lora, sequence=2048, checkpointing="full")
    for preset in ("granite-4.0-h-350m", "lfm2-700m", "falcon-h1-0.5b"):
        yield training(preset, sequence=1024, checkpointing="full")
    yield training("mamba-370m", sequence=512, checkpointing="full", attention="eager")


def untied(preset, layers=None):
    model = model_of(preset, layers or 1000)
    count = next(model["config"][k] for k in ("num_hidden_layers", "n_layer", "num_layers"))
    config = {**model["config"], "tie_word_embeddings": False}
    return {"config": config, "name": f"{preset}, untied, {count} layers"}


def shared():
    """Copies that share the weights: one of them runs."""
    models = (untied("llama-3.2-1b", 16), untied("llama-3.2-3b", 28), untied("llama-3.1-8b", 32), untied("qwen3-8b", 36), untied("llama-3.1-70b", 8))
    kinds = (
        {"precision": "bf16-mixed"},
        {"precision": "bf16-mixed", "zero": 2},
        {"precision": "bf16-mixed", "offload": {"optimizer": "cpu", "parameters": "cpu"}, "optimizer": "sgd"},
        {"precision": "bf16", "reduce_in_fp32": False},
        {"precision": "bf16", "method": "lora", "lora": {**ALL, "encoding": "bf16"}},
        {"precision": "bf16-mixed", "checkpointing": "none", "sequence": 2048},
    )
    for copies, model, kind in product((2, 8), models, kinds):
        block = {"method": "full", "micro_batch": 1, "sequence": 4096, "checkpointing": "full"}
        block.update({k: v for k, v in kind.items() if k not in ("zero", "offload", "reduce_in_fp32")})
        spread_over = {"data": copies, "framework": "fsdp2", "zero": kind.get("zero", 3), "backend": "gloo"}
        spread_over["reshard_after_forward"] = spread_over["zero"] == 3
        spread_over.update({k: v for k, v in kind.items() if k in ("offload", "reduce_in_fp32")})
        yield {"schema": 1, "task": "training", "model": model, "training": block, "devices": copies, "parallel": spread_over}


def answers():
    for preset, (prompt, sequences) in product(SMALL[:4] + MIDDLE[:3] + LARGE, ((512, 8), (4096, 1), (16384, 1))):
        yield inference(preset, context=prompt + 16, prompt=prompt, sequences=sequences)
    for preset, encoding in product(("llama-3.1-8b", "qwen3-4b"), ("nf4-dq", "int8-llm")):
        yield inference(preset, encoding=encoding, context=4112, prompt=4096)
    for preset in ("qwen3-0.6b", "llama-3.2-3b"):
        yield inference(preset, flash_attention=False, context=2064, prompt=2048)
    for preset, layers in (("olmoe-1b-7b", None), ("qwen3-30b-a3b", 12), ("gpt-oss-20b", 12), ("deepseek-v2-lite", None)):
        yield inference(preset, layers=layers, context=4112, prompt=4096)


def timed():
    """Runs alone on the device, for how long they take."""
    yield training("llama-3.2-1b", sequence=4096, optimizer_step="fused")
    yield training("llama-3.1-8b", method="lora", lora=ALL, sequence=4096, checkpointing="full")
    yield training("llama-3.1-8b", method="qlora", encoding="nf4-dq", lora=ALL, sequence=4096, checkpointing="full")
    for preset in ("llama-3.2-1b", "llama-3.2-3b", "llama-3.1-8b"):
        yield inference(preset, context=2048 + 64, prompt=2048)


def mixed(groups, timed, seed):
    """Each request once: the timed ones first, the rest in the order of chance that the seed gives."""
    made = {json.dumps(case): case for group in groups for case in group()}
    rest = sorted(made.values(), key=json.dumps)
    random.Random(seed).shuffle(rest)
    return [{"request": case, "alone": True} for case in timed()] + [{"request": case} for case in rest]


def cases():
    groups = (full, precisions, optimizers, adapters, packed, kernels, mixtures, shared, answers)
    return mixed(groups, timed, seed=0)
