"""A request of presets/schema/request.json as the settings of a run, in the request's own words; what cannot be honoured is refused by name.

Pure: it needs no package beyond Python's own.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

PRESETS = Path(__file__).resolve().parents[3] / "presets"

INFERENCE_ENCODINGS = ("fp32", "bf16", "fp16", "nf4", "nf4-dq", "fp4", "fp4-dq", "int8-llm")
QUANTIZED = ("nf4", "nf4-dq", "fp4", "fp4-dq", "int8-llm")

# What a request says that one device is, or what no run depends on.
SINGLE = {"tensor": 1, "pipeline": 1, "context": 1, "expert": 1}


class Refused(Exception):
    """A field of the request that this machine or this program cannot honour."""

    def __init__(self, field_path, why):
        super().__init__(f"{field_path}: {why}")
        self.field = field_path


@dataclass
class Shards:
    """Fully sharded copies of which one runs here, in a pretended group: collectives allocate, and move nothing."""

    copies: int
    reshard: bool = True
    offload: bool = False
    reduce: str = "fp32"
    mixed: bool = False  # fp32 weights that are gathered in 16 bits


@dataclass
class Settings:
    """One run. `model` names it, `config` is its config.json; units: tokens, sequences, elements."""

    task: str
    model: str
    config: dict
    encoding: str  # of the weights: fp32, bf16, fp16, or a quantized one
    compute: str  # fp32, tf32, bf16, fp16
    autocast: bool = False
    attention: str = "sdpa"
    experts: str | None = None
    dropout: float | None = None
    # training
    method: str = "full"
    lora: dict = field(default_factory=dict)
    optimizer: str = "adamw"
    optimizer_step: str | None = None
    micro_batch: int = 1
    sequence: int = 0
    accumulation: int = 1
    checkpointing: bool = False
    logits_kept: bool = False
    loss: str = "full"
    norm: str = "reference"
    feed_forward: str = "reference"
    expandable: bool = False
    shards: Shards | None = None
    trainer: bool = False  # transformers' own Trainer runs the steps, with what it does by itself
    # inference
    context: int = 0
    prompt: int = 0
    sequences: int = 1
    all_logits: bool = False
    release: str | None = None


class Fields:
    """Members of one object of a request; `done` refuses those that nobody asked for."""

    def __init__(self, members, path):
        if not isinstance(members, dict):
            raise Refused(path or "request", "must be an object")
        self.members = dict(members)
        self.path = path

    def where(self, name):
        return f"{self.path}.{name}" if self.path else name

    def take(self, name, default=None):
        return self.members.pop(name, default)

    def choice(self, name, honoured, default, hint=""):
        """One of the values that a run here can have."""
        value = self.take(name, default)
        if value not in honoured:
            said = " or ".join(map(str, honoured))
            raise Refused(self.where(name), f"{json.dumps(value)} cannot be measured here, only {said}{hint}")
        return value

    def count(self, name, default=None):
        value = self.take(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise Refused(self.where(name), "must be a whole number of at least 1" if value is not None else "is needed")
        return value

    def probability(self, name):
        value = self.take(name)
        if value is not None and not (isinstance(value, (int, float)) and 0 <= value < 1):
            raise Refused(self.where(name), "must be a number from 0, less than 1")
        return value

    def child(self, name):
        return Fields(self.take(name, {}), self.where(name))

    def done(self):
        for name in self.members:
            raise Refused(self.where(name), "cannot be measured here")


def model_of(request):
    """Name and config.json, from a preset of this repository or from the request itself."""
    model = request.child("model")
    preset, config, name = model.take("preset"), model.take("config"), model.take("name")
    model.done()
    if preset is not None:
        path = PRESETS / "models" / f"{preset}.json"
        if not path.is_file():
            raise Refused("model.preset", f"no preset is called {json.dumps(preset)}")
        found = json.loads(path.read_text())
        return found["name"], found["config"]
    if not isinstance(config, dict) or not isinstance(config.get("model_type"), str):
        raise Refused("model", "a preset, or a config with model_type, is needed: random weights are made from it")
    return name or config.get("_name_or_path") or config["model_type"], config


# precision of a request → type of the weights, type of products, autocast
PRECISIONS = {
    "fp32": ("fp32", "fp32", False),
    "tf32": ("fp32", "tf32", False),
    "bf16": ("bf16", "bf16", False),
    "fp16": ("fp16", "fp16", False),
    "bf16-autocast": ("fp32", "bf16", True),
    "fp16-autocast": ("fp32", "fp16", True),
}


# of fully_shard: a policy of mixed precision gathers fp32 weights in 16 bits
SHARDED_PRECISIONS = {"fp32": PRECISIONS["fp32"], "bf16": PRECISIONS["bf16"], "bf16-mixed": ("fp32", "bf16", False)}


def shards_of(parallel):
    """Copies that share the weights by fully_shard; None where one device has all. @raises Refused by other ways of dividing"""
    for direction, one in SINGLE.items():
        parallel.choice(direction, (one,), one)
    copies = parallel.count("data", 1)
    stage = parallel.choice("zero", (0, 2, 3), 0 if copies == 1 else 3)
    framework = parallel.choice("framework", (None, "fsdp2"), None)
    if copies > 1 and (framework != "fsdp2" or not stage):
        raise Refused("parallel.framework", "copies can be measured only as fsdp2 shares them, with zero 2 or 3")
    reshard = parallel.choice("reshard_after_forward", (True, False), stage == 3)
    in_fp32 = parallel.choice("reduce_in_fp32", (True, False), True)
    parallel.choice("backend", ("gloo",) if copies > 1 else (None, "nccl", "gloo"), None, ": the group is pretended, and has no buffers")
    offload = parallel.child("offload")
    places = {offload.choice(part, ("device", "cpu"), "device") for part in ("optimizer", "parameters")}
    offload.done()
    parallel.done()
    if len(places) > 1:
        raise Refused("parallel.offload", "fully_shard takes weights and states to the host together")
    return Shards(copies, reshard, places == {"cpu"}, "fp32" if in_fp32 else "bf16") if copies > 1 else None


def lora_of(training, method):
    lora = training.child("lora")
    if method == "full":
        lora.done()
        return {}
    read = {
        "rank": lora.count("rank", 8),
        "alpha": lora.take("alpha", 16),
        "targets": lora.take("targets"),
        "dropout": lora.probability("dropout") or 0.0,
        "encoding": lora.choice("encoding", ("fp32", "bf16", "fp16"), "fp32"),
        "dora": method == "dora",
    }
    lora.done()
    return read


def weights_of(request, method, plain):
    """Encoding of the weights: what the precision says, but for the base of QLoRA."""
    weights = request.child("weights")
    honoured = QUANTIZED if method == "qlora" else (plain, *QUANTIZED) if method == "lora" else (plain,)
    encoding = weights.choice("encoding", honoured, "nf4" if method == "qlora" else plain)
    weights.done()
    return encoding


def training_of(request, name, config, known_optimizers, shards=None):
    """A training block. Its defaults are the schema's, so that a precision that is not named is bf16-mixed, and refused."""
    t = request.child("training")
    method = t.choice("method", ("full", "lora", "dora", "qlora"), "full")
    precisions = SHARDED_PRECISIONS if shards else PRECISIONS
    precision = t.choice("precision", precisions, "bf16-mixed", " (fp32 master weights are other programs' own)")
    plain, compute, autocast = precisions[precision]
    if shards:
        shards.mixed = precision == "bf16-mixed"
    lora = lora_of(t, method)
    if lora and lora["encoding"] not in ("fp32", plain):
        raise Refused("training.lora.encoding", "adapters are kept in fp32 or in the base's own type")
    settings = Settings(
        task="training",
        model=name,
        config=config,
        encoding=weights_of(request, method, plain),
        compute=compute,
        autocast=autocast,
        attention=t.choice("attention", ("eager", "sdpa", "flash"), "sdpa"),
        experts=t.choice("experts", (None, "grouped", "loop"), None),
        dropout=t.probability("dropout"),
        method=method,
        lora=lora,
        optimizer=t.choice("optimizer", known_optimizers, "adamw"),
        optimizer_step=t.choice("optimizer_step", (None, "foreach", "fused", "loop"), None),
        micro_batch=t.count("micro_batch", 1),
        sequence=t.count("sequence"),
        accumulation=t.count("accumulation", 1),
        checkpointing=t.choice("checkpointing", ("none", "full"), "none") == "full",
        logits_kept=t.choice("logits_kept", (False, True), False),
        loss=t.choice("loss", ("full", "fused"), "full"),
        norm=t.choice("norm", ("reference", "fused"), "reference"),
        feed_forward=t.choice("feed_forward", ("reference", "fused"), "reference"),
        expandable=t.choice("expandable_segments", (False, True), False),
        shards=shards,
        trainer=t.choice("trainer", (None, "transformers"), None) is not None,
    )
    # These may be said where they say what happens anyway.
    t.choice("objective", ("sft",), "sft")
    for switch in ("gradients_released", "checkpoints_on_host", "logits_cut", "repeat_kv"):
        t.choice(switch, (False,), False)
    t.choice("logits_in_fp32", (True,), True)
    t.choice("logits_returned_in_fp32", (False,), False)
    t.choice("checkpoint_every", (1,), 1)
    t.choice("gradient_copies", (1,), 1)
    t.done()
    return settings


def inference_of(request, name, config):
    i = request.child("inference")
    weights = request.child("weights")
    encoding = weights.choice("encoding", INFERENCE_ENCODINGS, "bf16")
    weights.done()
    plain = "bf16" if encoding in QUANTIZED else encoding
    i.choice("runtime", ("transformers",), "transformers")
    i.choice("backend", ("cuda", "rocm"), "cuda")
    i.choice("kv_encoding", (plain,), plain)
    i.choice("replicas", (1,), 1)
    context = i.count("context")
    settings = Settings(
        task="inference",
        model=name,
        config=config,
        encoding=encoding,
        compute=plain,
        attention="sdpa" if i.choice("flash_attention", (True, False), True) else "eager",
        context=context,
        prompt=i.count("prompt", context),
        sequences=i.count("sequences", 1),
        all_logits=i.choice("logits", ("last", "all"), "last") == "all",
        release=i.take("release"),
    )
    if settings.prompt > context:
        raise Refused("inference.prompt", "is longer than the context")
    i.done()
    return settings


def settings_of(request, known_optimizers):
    """@raises Refused by the first field that cannot be honoured."""
    root = Fields(request, "")
    root.take("explain"), root.take("device")  # the machine's own device is measured, and named in the row
    root.choice("schema", (1,), 1)
    devices = root.count("devices", 1)
    shards = shards_of(root.child("parallel"))
    if devices != (shards.copies if shards else 1):
        raise Refused("devices", "one device is measured, or as many as share the weights")
    task = root.choice("task", ("training", "inference"), "training" if "training" in request else "inference")
    name, config = model_of(root)
    if shards and task == "inference":
        raise Refused("parallel.data", "one device alone answers here")
    settings = training_of(root, name, config, known_optimizers, shards) if task == "training" else inference_of(root, name, config)
    root.done()
    return settings
