"""One of many copies that share the weights (fully_shard), in PyTorch's pretended group: what a collective needs is allocated, its streams
and events are the real ones, and nothing is moved. The allocator sees what it sees in a real run, but for the library's own buffers."""

import contextlib

from .building import TYPES, adapted, checkpointed, config_of, attention_of, experts_of
from .packages import needed
from .settings import Refused


def layers_of(model):
    """The longest list of modules: a decoder's layers."""
    torch = needed("torch")
    lists = [module for module in model.modules() if isinstance(module, torch.nn.ModuleList)]
    if not lists:
        raise Refused("model.config", "has no list of layers to divide")
    return max(lists, key=len)


def group_of(torch, copies):
    """A group of `copies` ranks of which this process is the first."""
    from torch.testing._internal.distributed.fake_pg import FakeStore

    torch.distributed.init_process_group("fake", store=FakeStore(), rank=0, world_size=copies)
    return torch.distributed.device_mesh.init_device_mesh("cuda", (copies,))


def undivided(settings, torch):
    """The model without storage, with its adapters."""
    transformers = needed("transformers")
    config = config_of(settings, transformers)
    more = experts_of(settings, transformers.__version__)
    dtype = getattr(torch, TYPES[settings.encoding])
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation=attention_of(settings), dtype=dtype, **more)
        if model.config.tie_word_embeddings:
            raise Refused("model.config", "tied embeddings come apart where weights are made after they are divided")
        if settings.checkpointing:
            checkpointed(model)
        if settings.method == "full":
            return model
        model = adapted(model, settings)
    kind = getattr(torch, TYPES[settings.lora["encoding"]])
    for parameter in model.parameters():  # PEFT gives adapters of a model without storage no type
        if parameter.requires_grad:
            parameter.data = parameter.data.to(kind)
    return model


def divided(settings, torch):
    """Each layer is a unit, the model's ends with the rest another, as torch's own examples and accelerate do it."""
    fsdp = torch.distributed.fsdp
    shards = settings.shards
    mesh = group_of(torch, shards.copies)
    model = undivided(settings, torch)
    kind = torch.bfloat16 if shards.mixed else None
    policy = fsdp.MixedPrecisionPolicy(param_dtype=kind, reduce_dtype=getattr(torch, TYPES[shards.reduce]))
    words = {"mesh": mesh, "reshard_after_forward": shards.reshard, "mp_policy": policy}
    if shards.offload:
        words["offload_policy"] = fsdp.CPUOffloadPolicy()
    for layer in layers_of(model):
        fsdp.fully_shard(layer, **words)
    fsdp.fully_shard(model, **words)
    model.to_empty(device="cpu" if shards.offload else "cuda")
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(0.01)
        for buffer in model.buffers():
            buffer.zero_()
    if shards.offload:  # buffers are used where the products are
        for module in model.modules():
            for name, buffer in module.named_buffers(recurse=False):
                with contextlib.suppress(KeyError):
                    module._buffers[name] = buffer.to("cuda")
    model.config.use_cache = False
    return model.train()
