"""Optimizers by the id of their preset: which package has them, their class, and what they are made with.

Embeddings keep their states in 32 bits under bitsandbytes, as transformers' Trainer asks for.
"""

from .packages import needed
from .settings import Refused

TORCH = "torch.optim"
BNB = "bitsandbytes.optim"

# id of presets/optimizers → module, class, arguments
OPTIMIZERS = {
    "sgd": (TORCH, "SGD", {}),
    "sgd-momentum": (TORCH, "SGD", {"momentum": 0.9}),
    "sgd-nesterov": (TORCH, "SGD", {"momentum": 0.9, "nesterov": True}),
    "adam": (TORCH, "Adam", {}),
    "adam-amsgrad": (TORCH, "Adam", {"amsgrad": True}),
    "adamw": (TORCH, "AdamW", {}),
    "adamw-amsgrad": (TORCH, "AdamW", {"amsgrad": True}),
    "nadam": (TORCH, "NAdam", {}),
    "radam": (TORCH, "RAdam", {}),
    "adamax": (TORCH, "Adamax", {}),
    "adagrad": (TORCH, "Adagrad", {}),
    "adadelta": (TORCH, "Adadelta", {}),
    "rprop": (TORCH, "Rprop", {}),
    "asgd": (TORCH, "ASGD", {}),
    "rmsprop": (TORCH, "RMSprop", {}),
    "rmsprop-momentum": (TORCH, "RMSprop", {"momentum": 0.9}),
    "rmsprop-centered": (TORCH, "RMSprop", {"centered": True}),
    "rmsprop-momentum-centered": (TORCH, "RMSprop", {"momentum": 0.9, "centered": True}),
    "adafactor": ("transformers.optimization", "Adafactor", {"scale_parameter": False, "relative_step": False}),
    "adafactor-momentum": ("transformers.optimization", "Adafactor", {"scale_parameter": False, "relative_step": False, "beta1": 0.9}),
    "adam-8bit": (BNB, "Adam8bit", {}),
    "adamw-8bit": (BNB, "AdamW8bit", {}),
    "adamw-32bit": (BNB, "AdamW32bit", {}),
    "paged-adamw-8bit": (BNB, "PagedAdamW8bit", {}),
    "paged-adamw-32bit": (BNB, "PagedAdamW32bit", {}),
    "lion-8bit": (BNB, "Lion8bit", {}),
    "paged-lion-8bit": (BNB, "PagedLion8bit", {}),
    "paged-lion-32bit": (BNB, "PagedLion32bit", {}),
    "ademamix": (BNB, "AdEMAMix32bit", {}),
    "ademamix-8bit": (BNB, "AdEMAMix8bit", {}),
    "paged-ademamix-8bit": (BNB, "PagedAdEMAMix8bit", {}),
    "lamb": (BNB, "LAMB32bit", {}),
    "rmsprop-8bit": (BNB, "RMSprop8bit", {"momentum": 0.9}),
    "sgd-8bit": (BNB, "SGD8bit", {"momentum": 0.9}),
    "adagrad-8bit": (BNB, "Adagrad8bit", {}),
    "adamw-8bit-torchao": ("torchao.optim", "AdamW8bit", {}),
    "adamw-4bit": ("torchao.optim", "AdamW4bit", {}),
    "adamw-fp8": ("torchao.optim", "AdamWFp8", {}),
    "lion": ("lion_pytorch", "Lion", {}),
    "schedule-free-adamw": ("schedulefree", "AdamWScheduleFree", {}),
}

STEPS = {None: {}, "foreach": {"foreach": True}, "fused": {"fused": True}, "loop": {"foreach": False}}


def keep_embeddings_wide(model, torch):
    """What transformers' Trainer does for 8-bit optimizers: states of embeddings in 32 bits."""
    manager = needed("bitsandbytes.optim").GlobalOptimManager.get_instance()
    for module in model.modules():
        if isinstance(module, torch.nn.Embedding):
            manager.register_module_override(module, "weight", {"optim_bits": 32})


def optimizer_of(settings, model, torch, rate=1e-6):
    """The optimizer over everything that is trained; its states come with the first step. @raises Refused, Missing"""
    module, name, arguments = OPTIMIZERS[settings.optimizer]
    step = settings.optimizer_step
    if step not in STEPS or (step and module != TORCH):
        raise Refused("training.optimizer_step", f"{step!r} is not to be had of {module}.{name}")
    made = getattr(needed(module), name, None)
    if made is None:
        raise Refused("training.optimizer", f"this {module} has no {name}")
    if module == BNB and "32bit" not in name:
        keep_embeddings_wide(model, torch)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return made(trained, lr=rate, **arguments, **STEPS[step])
