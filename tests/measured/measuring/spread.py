"""A spread of runs over families, methods, precisions, lengths, checkpointing and optimizers: each in a process of its own, so that
one starts with an empty device and none can take the others with it. Shapes are published ones, with fewer layers where a whole model
would need a larger device; all fit 24 GB but for the last ones."""

import json
import subprocess
import sys

from .settings import PRESETS

OUTCOMES = {1: "refused", 3: "missing", 4: "out of memory"}


def model_of(preset, layers=None):
    config = json.loads((PRESETS / "models" / f"{preset}.json").read_text())["config"]
    if layers is None:
        return {"preset": preset}
    names = ("num_hidden_layers", "n_layer", "num_layers")
    cut = {k: layers if k in names else v[:layers] if k == "layer_types" else v for k, v in config.items()}
    return {"config": cut, "name": f"{preset}, {layers} layers"}


def training(preset, layers=None, encoding=None, **settings):
    request = {"schema": 1, "task": "training", "model": model_of(preset, layers)}
    if encoding:
        request["weights"] = {"encoding": encoding}
    return {**request, "training": {"method": "full", "precision": "bf16", "micro_batch": 1, "sequence": 1024, **settings}}


def inference(preset, layers=None, encoding="bf16", **settings):
    block = {"runtime": "transformers", "context": 2048, "prompt": 1984, **settings}
    return {"schema": 1, "task": "inference", "model": model_of(preset, layers), "weights": {"encoding": encoding}, "inference": block}


def qv(rank=16, **more):
    return {"rank": rank, "targets": ["q_proj", "v_proj"], **more}


ALL = {"rank": 16, "targets": "all-linear"}


def families():
    """Every family once, the same step: what differs is the modelling code."""
    yield from (training(p) for p in ("llama-3.2-1b", "qwen2.5-0.5b", "qwen3-0.6b", "gemma-3-270m", "gpt2", "smollm2-360m"))
    yield from (training(p) for p in ("pythia-410m", "opt-125m", "bloom-560m", "mamba-130m", "olmo-1b", "lfm2-350m"))
    yield training("mistral-7b-v0.1", layers=4)
    yield training("gemma-2-2b", layers=8)
    yield training("phi-1.5", layers=8)
    yield training("phi-3-mini-4k", layers=6)
    yield training("mixtral-8x7b", layers=1)
    yield training("olmoe-1b-7b", layers=2)
    yield training("falcon-rw-1b", layers=8)
    yield training("granite-4.0-h-350m")
    yield training("deepseek-v2-lite", layers=2)


def precisions():
    for precision in ("fp32", "tf32", "bf16-autocast", "fp16-autocast"):
        yield training("qwen3-0.6b", precision=precision)
    yield training("gpt2", precision="bf16-autocast", dropout=0.1)


def lengths():
    for sequence, micro_batch in ((256, 1), (256, 8), (4096, 1), (8192, 1)):
        yield training("llama-3.2-1b", sequence=sequence, micro_batch=micro_batch, checkpointing="full")
    yield training("qwen3-0.6b", attention="eager", sequence=2048)
    yield training("llama-3.2-1b", accumulation=4)
    yield training("llama-3.2-1b", logits_kept=True)


def optimizers():
    for optimizer in ("sgd", "sgd-momentum", "adafactor", "adamw-8bit", "paged-adamw-8bit", "lion-8bit", "adamw-4bit"):
        yield training("llama-3.2-1b", optimizer=optimizer)
    yield training("llama-3.2-1b", optimizer="adamw", optimizer_step="fused")
    yield training("llama-3.2-1b", optimizer="adamw", optimizer_step="loop")


def adapters():
    yield training("llama-3.2-1b", method="lora", lora=qv())
    yield training("llama-3.2-1b", method="lora", lora=ALL)
    yield training("llama-3.2-1b", method="lora", lora={**ALL, "dropout": 0.05})
    yield training("llama-3.2-1b", method="lora", lora={**ALL, "encoding": "bf16"})
    yield training("llama-3.2-1b", method="lora", lora=ALL, checkpointing="full", sequence=4096)
    yield training("llama-3.2-1b", method="dora", lora=qv())
    yield training("llama-3.1-8b", method="lora", lora=qv(), checkpointing="full")
    for encoding in ("nf4", "nf4-dq"):
        yield training("llama-3.2-3b", method="qlora", encoding=encoding, lora=ALL, optimizer="paged-adamw-8bit")
    yield training("qwen2.5-7b", method="qlora", encoding="nf4-dq", lora=ALL, checkpointing="full", sequence=2048)
    yield training("llama-3.2-1b", method="lora", encoding="int8-llm", lora=qv())


def answers():
    for preset in ("llama-3.2-1b", "qwen3-0.6b", "gemma-3-1b", "gpt2-medium"):
        context = {"context": 1024, "prompt": 992} if preset.startswith("gpt2") else {}
        yield inference(preset, **context)
    yield inference("llama-3.2-1b", context=8192, prompt=8160, sequences=4)
    yield inference("llama-3.2-1b", flash_attention=False)
    yield inference("llama-3.2-3b", encoding="nf4-dq")
    yield inference("llama-3.2-3b", encoding="int8-llm")


def large():
    yield training("llama-3.2-3b", checkpointing="full", sequence=2048)
    yield training("llama-3.1-8b", optimizer="adamw-8bit", checkpointing="full", sequence=2048)


def cases():
    return [case for group in (families, precisions, lengths, optimizers, adapters, answers, large) for case in group()]


def title(request):
    """One line that names a case."""
    model = request["model"].get("preset") or request["model"]["name"]
    block = request[request["task"]]
    words = [f"{key} {value}" for key, value in block.items() if not isinstance(value, dict) and key not in ("method", "runtime")]
    lora = [f"rank {block['lora']['rank']}"] if "lora" in block else []
    stored = [request["weights"]["encoding"]] if "weights" in request else []
    return ", ".join([model, block.get("method", "inference"), *stored, *lora, *words])


def run_all(wanted, program, steps, out, say):
    """Each case whose title holds `wanted`, written to `out` as it comes. @returns how many of each outcome"""
    chosen = [case for case in cases() if wanted in title(case)]
    count = {}
    for number, case in enumerate(chosen, 1):
        command = [sys.executable, program, "-", "--steps", str(steps)]
        run = subprocess.run(command, input=json.dumps(case), capture_output=True, text=True)
        outcome = "measured" if run.returncode == 0 else OUTCOMES.get(run.returncode, "failed")
        count[outcome] = count.get(outcome, 0) + 1
        if run.returncode == 0:
            out.write(run.stdout)
            out.flush()
            result = f"{json.loads(run.stdout)['bytes'] / 2**30:.2f} GiB"
        else:
            result = f"{outcome}: {(run.stderr.strip().splitlines() or [f'status {run.returncode}'])[-1]}"
        say(f"{number}/{len(chosen)}  {title(case)}: {result}")
    return count
