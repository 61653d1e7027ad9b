"""A run as a row of tests/measured/. Pure: it needs no package beyond Python's own."""

SOURCE = "tests/measured/measure.py"
WORDS = ("precision", "optimizer", "micro_batch", "sequence", "accumulation", "checkpointing", "attention")


def request_said(request, settings, machine):
    """What was asked, as it can be asked again: the config lies beside it in the row, and the device is the machine's own."""
    said = {k: v for k, v in request.items() if k not in ("model", "device", "explain")}
    said.update({"schema": 1, "task": settings.task, "device": {"memory_bytes": machine["memory_bytes"]}})
    if settings.task == "inference" and "transformers" in machine["versions"]:
        release = ".".join(machine["versions"]["transformers"].split(".")[:2])
        said["inference"] = {**said.get("inference", {}), "release": release}
    if settings.task == "training":  # what a tool would choose, where nothing is said, did not run
        said["training"] = {**said["training"], "checkpointing": "full" if settings.checkpointing else "none"}
    if settings.logits_kept:
        said["training"] = {**said["training"], "logits_returned_in_fp32": False}  # what `logits` holds since transformers 4.45
    return said


def settings_said(request, settings):
    """The words of training.jsonl and inference.jsonl that describe the run."""
    block = request.get(settings.task, {})
    return {**{word: block[word] for word in WORDS if word in block}, **{k: v for k, v in block.items() if k not in WORDS}, "gpus": 1}


def row_of(request, settings, phases, highest, process, machine, steps, seconds=None):
    """@param machine name, memory_bytes, versions, date, and `allocator` where the environment sets one
    @param seconds of the last step, where the run had the device for itself"""
    peak = highest["peak_allocated"]
    measured = {"max_allocated": peak}
    if "peak_reserved" in highest:
        measured["max_reserved"] = highest["peak_reserved"]
    if process is not None:
        measured["process"] = process
    if seconds is not None:
        measured["seconds"] = seconds
    return {
        "source": SOURCE,
        "where": f"phases of the last of {steps} steps" if settings.task == "training" else "one answer",
        "model": settings.model,
        **({"preset": request["model"]["preset"]} if "preset" in request["model"] else {"config": settings.config}),
        "task": settings.method if settings.task == "training" else "inference",
        "settings": {**settings_said(request, settings), **({"allocator": machine["allocator"]} if machine.get("allocator") else {})},
        "value": peak,
        "unit": "B",
        "bytes": peak,
        "kind": "measured max_allocated",
        "per": "per GPU",
        "verified": "printed by measure.py",
        "unit_ambiguous": False,
        "versions": machine["versions"],
        "device": machine["name"],
        "date": machine["date"],
        "request": request_said(request, settings, machine),
        "measured": measured,
        "phases": phases,
    }
