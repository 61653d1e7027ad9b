"""A model with random weights, made from a config.json as its users' programs make it: nothing is downloaded.

QLoRA's base keeps embeddings, norms and vocabulary head in its 16-bit type (no `prepare_model_for_kbit_training`, which makes them fp32).
"""

import contextlib
import inspect
import json
import re
import tempfile
from pathlib import Path

from .packages import Missing, at_least, has, needed
from .settings import QUANTIZED, Refused

TYPES = {"fp32": "float32", "tf32": "float32", "bf16": "bfloat16", "fp16": "float16"}


def torch_type(torch, name):
    return getattr(torch, TYPES[name])


def attention_of(settings):
    """`flash` is the flash-attn package; sdpa's own flash kernel is chosen by PyTorch."""
    if settings.attention != "flash":
        return settings.attention
    if not has("flash_attn"):
        raise Missing("flash_attn is not installed: attention sdpa runs PyTorch's own flash kernel in 16 bits")
    return "flash_attention_2"


def experts_of(settings, release):
    """Releases before 5 run the experts one after the other."""
    if settings.experts is None:
        return {}
    if at_least(release, (5, 0)):
        return {"experts_implementation": {"grouped": "grouped_mm", "loop": "eager"}.get(settings.experts, settings.experts)}
    if settings.experts == "loop":
        return {}
    raise Refused("training.experts", f"transformers {release} knows only loop")


def with_dropout(config, probability):
    """The config with every probability of dropping that it has."""
    if probability is None:
        return config
    return {k: probability if re.search(r"(dropout|_pdrop)$", k) and isinstance(v, (int, float)) else v for k, v in config.items()}


def config_of(settings, transformers):
    """The config as its class reads it from a file, so that older spellings are understood as from_pretrained does."""
    fields = {k: v for k, v in with_dropout(settings.config, settings.dropout).items() if k not in ("torch_dtype", "dtype", "quantization_config")}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_text(json.dumps(fields))
        try:
            return transformers.AutoConfig.from_pretrained(folder)
        except (ValueError, KeyError) as error:
            raise Refused("model.config", f"transformers {transformers.__version__} does not know it: {error}") from error


def plain_model(settings, torch, device):
    """Made on the device, which is quicker; what is quantized on its way goes to the host first, and leaves nothing on the device."""
    transformers = needed("transformers")
    config = config_of(settings, transformers)
    dtype = torch_type(torch, settings.compute if settings.encoding in QUANTIZED else settings.encoding)
    named = "dtype" if at_least(transformers.__version__, (4, 56)) else "torch_dtype"
    more = experts_of(settings, transformers.__version__)
    with torch.device(device):
        try:
            made = transformers.AutoModelForCausalLM.from_config(config, attn_implementation=attention_of(settings), **{named: dtype}, **more)
        except ValueError as error:
            raise Refused("model.config", str(error)) from error
    if settings.encoding in QUANTIZED and device != "cpu":
        made = made.to("cpu")
        torch.cuda.empty_cache()
    return made


def with_fused_kernels(model, settings):
    """Liger's kernels, each where it is asked for. @raises Refused where Liger does not know the model"""
    wanted = {"rms_norm": settings.norm == "fused", "fused_linear_cross_entropy": settings.loss == "fused"}
    gated = {"swiglu": settings.feed_forward == "fused", "geglu": settings.feed_forward == "fused"}
    if not any([*wanted.values(), *gated.values()]):
        return
    patches = needed("liger_kernel.transformers.monkey_patch")
    known = patches.MODEL_TYPE_TO_APPLY_LIGER_FN.get(model.config.model_type)
    if known is None:
        raise Refused("training.loss", f"Liger-Kernel does not know {model.config.model_type}")
    words = inspect.signature(known).parameters
    asked = {**wanted, **gated, "rope": False, "cross_entropy": False}
    known(model=model, **{word: value for word, value in asked.items() if word in words})


def quantized_linear(linear, encoding, torch, bnb):
    """One linear layer in bitsandbytes' encoding; its weight is quantized when it goes to the device."""
    bias = linear.bias is not None
    if encoding == "int8-llm":
        made = bnb.nn.Linear8bitLt(linear.in_features, linear.out_features, bias, has_fp16_weights=False, threshold=6.0)
        made.weight = bnb.nn.Int8Params(linear.weight.data, requires_grad=False, has_fp16_weights=False)
    else:
        kind, double = encoding[:3], encoding.endswith("-dq")
        dtype = linear.weight.dtype
        made = bnb.nn.Linear4bit(linear.in_features, linear.out_features, bias, dtype, compress_statistics=double, quant_type=kind)
        made.weight = bnb.nn.Params4bit(linear.weight.data, requires_grad=False, compress_statistics=double, quant_type=kind)
    if bias:
        made.bias = torch.nn.Parameter(linear.bias.data, requires_grad=False)
    return made


def quantize(model, encoding, torch):
    """All linear layers but the vocabulary head, as BitsAndBytesConfig does."""
    bnb = needed("bitsandbytes")
    head = model.get_output_embeddings()
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if type(child).__name__ == "Conv1D":
                raise Refused("weights.encoding", "a Conv1D layer (GPT-2) is not quantized here")
            if isinstance(child, torch.nn.Linear) and child is not head:
                setattr(parent, name, quantized_linear(child, encoding, torch, bnb))


def adapted(model, settings):
    """The model with PEFT's adapters, its own weights frozen."""
    peft = needed("peft")
    lora = settings.lora
    targets = lora["targets"]
    config = peft.LoraConfig(
        r=lora["rank"],
        lora_alpha=lora["alpha"],
        lora_dropout=lora["dropout"],
        use_dora=lora["dora"],
        target_modules="all-linear" if targets in ("all-linear", ["all-linear"]) else targets,
    )
    return peft.get_peft_model(model, config, autocast_adapter_dtype=lora["encoding"] == "fp32")


def checkpointed(model):
    with contextlib.suppress(TypeError):
        return model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    return model.gradient_checkpointing_enable()  # releases before 4.35


def model_of(settings, torch, device, made=plain_model):
    """The model as the run needs it, on its device. `made` builds it before anything is quantized or adapted."""
    torch.backends.cuda.matmul.allow_tf32 = settings.compute == "tf32"
    model = made(settings, torch, device)
    model.config.use_cache = settings.task == "inference"
    if settings.task == "training":
        with_fused_kernels(model, settings)
    if settings.encoding in QUANTIZED:
        for parameter in model.parameters():
            parameter.requires_grad_(False)
        quantize(model, settings.encoding, torch)
    model = model.to(device)
    if settings.task == "inference":
        return model.eval()
    if settings.checkpointing:
        checkpointed(model)
    return (adapted(model, settings) if settings.method != "full" else model).train()
