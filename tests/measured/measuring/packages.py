"""Packages are imported where they are needed, and one that is missing is said by its name."""

import importlib
import importlib.util
from importlib import metadata

# What changes the memory of a run where it is installed.
VERSIONED = (
    *("torch", "transformers", "peft", "bitsandbytes", "torchao", "lion-pytorch", "schedulefree"),
    *("flash-attn", "kernels", "mamba-ssm", "causal-conv1d", "flash-linear-attention"),
)


class Missing(Exception):
    """A package or a device that this machine does not have."""


def needed(module):
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Missing(f"{module.split('.')[0]} is not installed, or cannot be loaded: {error}") from error


def has(module):
    return importlib.util.find_spec(module) is not None


def versions():
    """Versions of what is installed here, by package."""
    found = {}
    for name in VERSIONED:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    if has("torch"):
        torch = needed("torch")
        found.update({"torch": torch.__version__, **({"cuda": torch.version.cuda} if torch.version.cuda else {})})
        if getattr(torch.version, "hip", None):
            found["hip"] = torch.version.hip
    return found


def at_least(version, wanted):
    """Whether "4.56.1" is (4, 56) or later."""
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    return numbers >= wanted
