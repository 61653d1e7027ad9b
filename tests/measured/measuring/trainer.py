"""Steps by transformers' own Trainer, with what it does by itself: autocast, its optimizer, gradients cut to a length of 1."""

import tempfile

from .packages import needed
from .runs import unwrapped
from .settings import Refused

# optimizer of a request, and how it steps → TrainingArguments.optim
NAMES = {
    ("adamw", None): "adamw_torch_fused",
    ("adamw", "fused"): "adamw_torch_fused",
    ("adamw", "foreach"): "adamw_torch",
    ("adafactor", None): "adafactor",
    ("sgd", None): "sgd",
    ("adamw-8bit", None): "adamw_bnb_8bit",
    ("paged-adamw-8bit", None): "paged_adamw_8bit",
}


def arguments_of(settings, folder, steps):
    name = NAMES.get((settings.optimizer, settings.optimizer_step))
    if name is None:
        raise Refused("training.optimizer", "cannot be measured with Trainer here")
    mixed = {settings.compute: True} if settings.autocast else {}
    recompute = {"gradient_checkpointing": True, "gradient_checkpointing_kwargs": {"use_reentrant": False}} if settings.checkpointing else {}
    return needed("transformers").TrainingArguments(
        output_dir=folder,
        per_device_train_batch_size=settings.micro_batch,
        gradient_accumulation_steps=settings.accumulation,
        max_steps=steps,
        optim=name,
        report_to="none",
        save_strategy="no",
        logging_strategy="no",
        disable_tqdm=True,
        dataloader_pin_memory=False,
        **mixed,
        **recompute,
    )


def run_trainer(model, settings, meter, torch, steps):
    """The whole run is one phase of the meter, beside loading: what Trainer calls when is its own affair."""
    shape = (settings.micro_batch * settings.accumulation * steps, settings.sequence)
    tokens = torch.randint(0, unwrapped(model).config.vocab_size, shape)
    rows = [{"input_ids": row, "labels": row} for row in tokens]
    with meter.phase("load"):
        pass
    with tempfile.TemporaryDirectory() as folder, meter.phase("run"):
        arguments = arguments_of(settings, folder, steps)
        needed("transformers").Trainer(model=model, args=arguments, train_dataset=rows).train()
