"""A second grid for one large device: models and families that the first had none of, so that what was learned of that one is tried on
others; transformers' own Trainer; and runs alone on the device, for how long they take. In an order of chance that is always the same."""

from itertools import product

from .grid import mixed, untied
from .spread import ALL, inference, qv, training

SMALL = ("qwen2.5-1.5b", "smollm2-360m", "pythia-1b", "opt-1.3b", "bloom-560m", "gpt2-medium", "granite-3.0-2b", "starcoder2-3b", "stablelm-2-1.6b")
OTHERS = ("phi-2", "gemma-2b", "olmo-1b", "falcon-rw-1b", "hunyuan-0.5b", "ernie-4.5-0.3b", "lfm2-350m", "qwen1.5-1.8b", "nemotron-mini-4b")
LARGE = ("qwen2.5-7b", "llama-2-7b", "mistral-7b-v0.3", "olmo-2-7b", "glm-4-9b-0414", "phi-4-mini", "falcon3-7b", "command-r7b", "granite-3.3-8b", "apertus-8b")


def full():
    for preset in SMALL + OTHERS:
        yield training(preset, sequence=1024, micro_batch=2)
        yield training(preset, sequence=1024 if preset.startswith("gpt2") else 2048, micro_batch=2, checkpointing="full")


def adapters():
    for preset in LARGE:
        yield training(preset, method="lora", lora=ALL, sequence=1024)
        yield training(preset, method="lora", lora=qv(), sequence=4096, checkpointing="full")
    for preset, dropout in product(("qwen2.5-1.5b", "qwen2.5-7b"), (0.0, 0.1)):
        yield training(preset, method="dora", lora={**ALL, "dropout": dropout}, sequence=1024, checkpointing="full")
    for preset, checkpointing in product(("qwen2.5-7b", "mistral-7b-v0.3", "phi-4-mini", "olmo-2-7b"), ("none", "full")):
        yield training(preset, method="qlora", encoding="nf4-dq", lora=ALL, sequence=1536, checkpointing=checkpointing)


def steps():
    for optimizer in ("adafactor", "adagrad", "adamw-8bit", "sgd-momentum", "rmsprop", "nadam"):
        yield training("qwen2.5-1.5b", optimizer=optimizer, sequence=1024)
    for preset, precision in product(("qwen2.5-1.5b", "olmo-1b"), ("fp32", "bf16-autocast")):
        yield training(preset, precision=precision, sequence=1024, checkpointing="full")


def kernels():
    fused = {"loss": "fused", "norm": "fused", "feed_forward": "fused"}
    for preset in ("qwen2.5-1.5b", "phi-4-mini"):
        yield training(preset, sequence=4096, checkpointing="full", **fused)
    yield training("mistral-7b-v0.3", method="lora", lora=ALL, sequence=4096, checkpointing="full", **fused)
    for preset in ("qwen2.5-1.5b", "stablelm-2-1.6b"):
        yield training(preset, attention="eager", sequence=1024)


def mixtures():
    cut = (("qwen1.5-moe-a2.7b", 3), ("lfm2-8b-a1b", 6), ("ernie-4.5-21b-a3b", 3), ("granite-3.1-3b-a800m", 12), ("phi-3.5-moe", 1), ("glm-4.7-flash", 3))
    for (preset, layers), checkpointing in product(cut, ("none", "full")):
        yield training(preset, layers=layers, sequence=2048, checkpointing=checkpointing)


def shared():
    kinds = ({"precision": "bf16-mixed"}, {"precision": "bf16", "method": "lora", "lora": {**ALL, "encoding": "bf16"}}, {"precision": "bf16-mixed", "zero": 2})
    for copies, (preset, layers), kind in product((4, 16), (("qwen2.5-7b", 14), ("mistral-7b-v0.3", 16)), kinds):
        block = {"method": "full", "micro_batch": 1, "sequence": 4096, "checkpointing": "full", **{k: v for k, v in kind.items() if k != "zero"}}
        stage = kind.get("zero", 3)
        parallel = {"data": copies, "framework": "fsdp2", "zero": stage, "backend": "gloo", "reshard_after_forward": stage == 3}
        yield {"schema": 1, "task": "training", "model": untied(preset, layers), "training": block, "devices": copies, "parallel": parallel}


def answers():
    for preset in (*SMALL[:1], *SMALL[2:5], *SMALL[6:], *OTHERS[:4], *LARGE):
        yield inference(preset, context=2032, prompt=2016, sequences=4)
    for preset in ("qwen2.5-1.5b", "qwen2.5-7b", "mistral-7b-v0.3", "phi-4-mini", "falcon3-7b", "starcoder2-3b"):
        yield inference(preset, context=16400, prompt=16384)
    for preset, encoding in product(("qwen2.5-7b", "phi-4-mini"), ("nf4", "int8-llm")):
        yield inference(preset, encoding=encoding, context=4112, prompt=4096)
    for preset, layers in (("qwen1.5-moe-a2.7b", 8), ("lfm2-8b-a1b", None), ("granite-3.1-3b-a800m", None), ("glm-4.7-flash", 8)):
        yield inference(preset, layers=layers, context=4112, prompt=4096)


def trainers():
    """What a user of Trainer gets who says little."""
    for preset, precision, checkpointing in product(("qwen2.5-1.5b", "llama-3.2-1b"), ("bf16", "bf16-autocast"), ("none", "full")):
        yield training(preset, trainer="transformers", precision=precision, checkpointing=checkpointing, sequence=2048)
    yield training("qwen3-1.7b", trainer="transformers", accumulation=4, sequence=2048, checkpointing="full")
    yield training("qwen2.5-7b", trainer="transformers", method="lora", lora=qv(), sequence=2048, checkpointing="full")
    yield training("llama-3.2-1b", trainer="transformers", optimizer="adafactor", sequence=2048, checkpointing="full")


def timed():
    for step in ("fused", "foreach", "loop"):
        yield training("llama-3.2-1b", sequence=2048, optimizer_step=step)
    for optimizer in ("adamw-8bit", "adafactor", "sgd"):
        yield training("llama-3.2-1b", sequence=2048, optimizer=optimizer)
    yield training("llama-3.2-3b", sequence=4096, checkpointing="full", optimizer="adamw-8bit")
    for preset, sequences in (("llama-3.2-1b", 1), ("llama-3.2-1b", 32), ("llama-3.1-8b", 1), ("llama-3.1-8b", 16), ("qwen3-4b", 1)):
        yield inference(preset, context=1024 + 64, prompt=1024, sequences=sequences)


def cases():
    groups = (full, adapters, steps, kernels, mixtures, shared, answers, trainers)
    return mixed(groups, timed, seed=1)
