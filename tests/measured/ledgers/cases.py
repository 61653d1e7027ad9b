"""Which cases are counted: each family in three precisions, with eager attention, dropout, fused norms and adapters where it has them."""

import torch

from . import families
from .decoder import DecoderLayer
from .mixers import CrossLayer, GatedDeltaNet, LatentAttention, Mamba, Mamba2, MixerLayer, ShortConvolution
from .mixtures import Mixture
from .rules import half
from .towers import TowerLayer

LAYERS = 2


def twice(config):
    """The same with twice the layers, so that the difference of two answers is the layers alone."""

    def doubled(name, value):
        if name == "vision_config":
            return twice(value)
        if name in ("num_hidden_layers", "depth", "n_layer", "num_layers", "decoder_layers", "num_decoder_layers", "max_window_layers"):
            return 2 * value
        return 2 * value if name == "layer_types" else value

    return {name: doubled(name, value) for name, value in config.items()}


def case_of(family, shape, config, layers, **settings):
    return {
        "kind": "layer",
        "family": family,
        "config": config,
        "config_twice": twice(config),
        "L": LAYERS,
        "b": 1,
        "s": 48,
        "prec": "bf16",
        "attn": "flash",
        "norm": "hf",
        "dropout": 0.0,
        **settings,
        "hidden": shape["hidden"],
        "rotary_width": shape.get("rotary_width", shape.get("head_dim", 2)),
        "layers": layers,
    }


def dropped(shape, drops, dropout):
    return {**shape, **{name: dropout for name in drops.split()}}


def dense_cases():
    for family, (shape, config, drops) in families.dense.items():

        def case(**settings):
            dropout = settings.get("dropout", 0)
            norm = "fused" if settings.get("norm") == "fused" else "reference"
            kernel = settings.get("attn", "flash")
            made = dropped(shape, drops, dropout)
            return case_of(family, shape, config, lambda: [DecoderLayer(made, kernel, norm) for _ in range(LAYERS)], **settings)

        yield case(prec="fp32", b=2)
        yield case(prec="bf16", b=2)
        yield case(prec="amp", b=2)
        yield case(attn="eager")
        if shape["kv_heads"] > 1:  # a shared head is repeated as a view: what a cast makes of that is left open
            yield case(attn="eager", prec="amp")
        yield case(attn="eager" if "attn_dropout" in drops else "flash", dropout=0.1)
        if "rms" in shape.get("norm", "rms"):
            yield case(norm="fused")
        if "fused_qkv" not in shape:
            yield case(lora=["q", "v"], r=8, lora_dropout=0.0, lora_dtype="float32")
            yield case(lora=["q", "k", "v", "o", "down"], r=8, lora_dropout=0.05, lora_dtype="bfloat16")
            yield case(lora=["q", "v"], r=8, lora_dropout=0.0, lora_dtype="float32", prec="amp")
            for dropout in (0.0, 0.05):
                yield case(lora=["q", "k", "v", "o", "down"], r=8, lora_dropout=dropout, lora_dtype="float32", prec="amp16")


def mixture_cases():
    for family, (shape, config) in families.mixtures.items():
        # fp32 biases widen what a product gives under autocast, and torch._grouped_mm takes no fp32 beside 16 bits
        biased = shape.get("expert_bias")
        ways, precisions = (("grouped",), ("fp32", "bf16")) if biased else (("loop", "grouped"), ("fp32", "bf16", "amp"))

        def case(experts="loop", **settings):
            kernel = settings.get("attn", "flash")
            layers = lambda: [DecoderLayer(shape, kernel, feed_forward=Mixture(shape, experts)) for _ in range(LAYERS)]
            return case_of(family, shape, config, layers, experts=experts, **settings)

        for experts in ways:
            for prec in precisions:
                yield case(experts, prec=prec, b=2)
            yield case(experts, lora=["q", "v"], r=8, lora_dropout=0.0, lora_dtype="float32")


def latent_cases():
    for family, (shape, config) in families.latent.items():

        def case(**settings):
            kernel = settings.get("attn", "flash")

            def layers():
                made = lambda: DecoderLayer(shape, feed_forward=Mixture(shape, "grouped"), attention=LatentAttention(shape, kernel))
                return [made() for _ in range(LAYERS)]

            return case_of(family, shape, config, layers, **{"experts": "grouped", "attn": kernel, **settings})

        for kernel in ("flash", "sdpa"):
            for prec in ("fp32", "bf16", "amp"):
                yield case(attn=kernel, prec=prec, b=2)
        yield case(attn="eager")
        yield case(attn="eager", prec="amp")


def mixer_cases():
    next_layer = lambda mixer: lambda shape: DecoderLayer(shape, attention=mixer(shape))
    made = {
        "mamba": (families.mamba, lambda shape: MixerLayer(shape, Mamba(shape))),
        "mamba2": (families.mamba2, lambda shape: MixerLayer(shape, Mamba2(shape))),
        "qwen3_next": (families.delta_net, next_layer(GatedDeltaNet)),
        "lfm2": (families.short_convolution, next_layer(ShortConvolution)),
        "qwen3_next attention": (families.gated_attention, DecoderLayer),
    }
    for family, ((shape, config), layer) in made.items():
        for settings in ({"prec": "fp32", "b": 2}, {"prec": "bf16", "b": 2}, {"prec": "amp", "b": 2}, {"prec": "bf16", "s": 80}):
            yield case_of(family, shape, config, lambda: [layer(shape) for _ in range(LAYERS)], **settings)


def cross_cases():
    for family, (shape, config, drops) in families.cross.items():
        for kernel in ("flash", "eager"):
            for prec, dropout in (("fp32", 0.0), ("bf16", 0.0), ("amp", 0.0), ("bf16", 0.1)):
                source = torch.zeros(1, 48, shape["hidden"], dtype=half if prec == "bf16" else torch.float32, requires_grad=True) * 1.0
                layers = lambda: [CrossLayer(dropped(shape, drops, dropout), source, kernel) for _ in range(LAYERS)]
                made = case_of(family, shape, config, layers, attn=kernel, prec=prec, dropout=dropout)
                yield {**made, "left_out": (source,)}


def recompute_cases():
    """Modules that are computed anew, one by one and together."""
    settings = {"checkpointing": "selective"}

    def case(family, shape, config, modules, **made):
        experts, latent = made.pop("experts", None), made.pop("latent", False)
        kernel = made.get("attn", "flash")

        def layers():
            def layer():
                attention = LatentAttention(shape, kernel) if latent else None
                return DecoderLayer(shape, kernel, feed_forward=Mixture(shape, experts) if experts else None, attention=attention)

            return [layer() for _ in range(LAYERS)]

        said = {**made, **({"experts": experts} if experts else {})}
        return case_of(family, shape, config, layers, **settings, recompute_modules=modules, **said)

    for family in ("qwen2", "starcoder2"):
        shape, config, drops = families.dense[family]
        for modules in (["core_attn"], ["layernorm"], ["mlp"], ["core_attn", "layernorm", "mlp"]):
            for attn in ("flash", "eager"):
                for prec in ("fp32", "bf16"):
                    yield case(family, shape, config, modules, attn=attn, prec=prec, b=2)
        yield case(family, dropped(shape, drops, 0.1), config, ["core_attn", "mlp"], attn="eager", dropout=0.1)
    for family in ("qwen3_moe", "qwen2_moe"):
        shape, config = families.mixtures[family]
        shared = [["shared_experts"], ["shared_experts", "moe"], ["moe_act", "shared_experts", "layernorm"]] if "shared_width" in shape else []
        for modules in (["moe_act"], ["moe"], ["layernorm", "moe"], ["moe_act", "moe"], *shared):
            for prec in ("fp32", "bf16"):
                yield case(family, shape, config, modules, experts="grouped", prec=prec, b=2)
        yield case(family, shape, config, ["moe"], experts="loop", prec="bf16")
    for family, (shape, config) in families.latent.items():
        for modules in (["mla_up_proj"], ["core_attn"], ["mla_up_proj", "core_attn"], ["mla_up_proj", "layernorm", "moe_act", "shared_experts"]):
            for attn in ("flash", "sdpa"):
                yield case(family, shape, config, modules, experts="grouped", latent=True, attn=attn, b=2)


def recompute_under_autocast_cases():
    """The same with fp32 weights, of which the second pass makes 16-bit copies of its own."""
    for case in recompute_cases():
        if case["prec"] == "bf16":
            yield {**case, "prec": "amp"}


def fused_adapter_cases():
    """Unsloth's kernels; Qwen 2's queries, keys and values have biases, which its kernel does not take."""
    attention, everything = ["q", "k", "v", "o"], ["q", "k", "v", "o", "gate", "up", "down"]
    for family in ("qwen2", "qwen3"):
        shape, config, _ = families.dense[family]
        layers = lambda: [DecoderLayer(shape) for _ in range(LAYERS)]
        for lora in (everything, attention, ["q", "v"], ["gate", "up", "down"], ["o", "down"]):
            for prec, dtype in (("bf16", "float32"), ("bf16", "bfloat16"), ("amp", "float32")):
                yield case_of(family, shape, config, layers, prec=prec, lora=lora, r=8, lora_dropout=0.0, lora_dtype=dtype, kernels="fused")


def magnified_cases():
    """DoRA, with and without dropout, beside plain and packed weights."""
    everything = {"qwen2": ["q", "k", "v", "o", "gate", "up", "down"], "starcoder2": ["q", "k", "v", "o", "up", "down"]}
    for family, all_linear in everything.items():
        shape, config, _ = families.dense[family]
        layers = lambda: [DecoderLayer(shape) for _ in range(LAYERS)]
        for lora in (["q", "v"], all_linear):
            for prec, dtype in (("fp32", "float32"), ("bf16", "float32"), ("bf16", "bfloat16"), ("amp16", "float32")):
                for dropout in (0.0, 0.05):
                    for packed in (False, True) if prec == "bf16" else (False,):
                        said = {"prec": prec, "lora": lora, "r": 8, "lora_dropout": dropout, "lora_dtype": dtype, "dora": True, "packed": packed}
                        yield case_of(family, shape, config, layers, **said)


def rotated_cases():
    """OFT, with blocks that divide all inputs and blocks that do not."""
    everything = {"qwen2": ["q", "k", "v", "o", "gate", "up", "down"], "starcoder2": ["q", "k", "v", "o", "up", "down"]}
    for family, all_linear in everything.items():
        shape, config, _ = families.dense[family]
        layers = lambda: [DecoderLayer(shape) for _ in range(LAYERS)]
        for lora, block in ((["q", "v"], 32), (all_linear, 32), (all_linear, 24)):
            for prec, dtype in (("fp32", "float32"), ("bf16", "float32"), ("bf16", "bfloat16"), ("amp", "float32"), ("amp16", "float32")):
                yield case_of(family, shape, config, layers, prec=prec, lora=lora, oft_block_size=block, lora_dtype=dtype)


def masked_cases():
    """Samples that are packed or padded: the mask is given to all layers, and is not among what they keep themselves."""
    for family in ("qwen2", "starcoder2"):
        shape, config, _ = families.dense[family]
        for kind in ("boolean", "additive"):
            for prec in ("fp32", "bf16", "amp"):
                dtype = torch.bool if kind == "boolean" else torch.float32 if prec == "fp32" else half
                mask = torch.ones(2, 1, 48, 48, dtype=dtype)
                layers = lambda: [DecoderLayer({**shape, "mask": mask}, "sdpa") for _ in range(LAYERS)]
                yield {**case_of(family, shape, config, layers, prec=prec, b=2, attn="sdpa", mask=kind), "left_out": (mask,)}


def cases():
    yield from dense_cases()
    yield from mixture_cases()
    yield from latent_cases()
    yield from mixer_cases()
    yield from cross_cases()
    yield from recompute_cases()
    yield from recompute_under_autocast_cases()
    yield from fused_adapter_cases()
    yield from masked_cases()
    yield from magnified_cases()
    yield from rotated_cases()
    yield from tower_cases()


def tower_cases():
    for family, (shape, config) in families.towers.items():
        for attn in ("flash", "sdpa", "eager"):
            for prec in ("fp32", "bf16", "amp"):
                layers = lambda: [TowerLayer(shape, attn) for _ in range(LAYERS)]
                # where pieces are joined, all images stand in one row; an image of 98 pixels a side has 49 patches of 14, one of any
                # size four for each of its tokens
                batch, patches = (1 if shape.get("joined") else 2), (48 if shape.get("rotary", True) else 49)
                made = case_of(family, shape, config, layers, attn=attn, prec=prec, b=batch, s=patches)
                yield {**made, "kind": "tower_layer", "images": {"count": batch, "tokens": 12}, "wide_tables": shape.get("joined")}


def one_of(layers):
    return lambda: layers()[:1]


def peak_cases():
    """One layer in each precision, with flash and eager attention, short and long."""
    for family in ("qwen2", "gemma2", "olmo2", "phi", "gpt_neox"):
        shape, config, drops = families.dense[family]
        for attn, prec, s in (("flash", "fp32", 48), ("flash", "bf16", 48), ("flash", "amp", 48), ("eager", "bf16", 48), ("eager", "bf16", 192)):
            layers = lambda: [DecoderLayer(shape, attn)]
            yield {**case_of(family, shape, config, layers, attn=attn, prec=prec, s=s), "L": 1}
        layers = lambda: [DecoderLayer(dropped(shape, drops, 0.1), "eager")]
        yield {**case_of(family, shape, config, layers, attn="eager", dropout=0.1), "L": 1}
    shape, config, _ = families.dense["qwen2"]
    yield {**case_of("qwen2", shape, config, lambda: [DecoderLayer(shape, "flash", "fused")], norm="fused"), "L": 1}
    shape, config = families.mixtures["qwen3_moe"]
    for experts in ("grouped", "loop"):
        layers = lambda: [DecoderLayer(shape, "flash", feed_forward=Mixture(shape, experts))]
        yield {**case_of("qwen3_moe", shape, config, layers, experts=experts), "L": 1}
    for family in ("mixtral", "olmoe", "gpt_oss"):  # wide experts and narrow, weights in fp32 and cast, clamped; few tokens and many
        shape, config = families.mixtures[family]
        layers = lambda: [DecoderLayer(shape, "flash", feed_forward=Mixture(shape, "grouped"))]
        for s in (48, 192, 1024):
            for prec in ("fp32", "bf16"):
                yield {**case_of(family, shape, config, layers, prec=prec, s=s, experts="grouped"), "L": 1}
            adapters = {"lora": ["q", "v"], "r": 8, "lora_dropout": 0.0, "lora_dtype": "float32"}
            yield {**case_of(family, shape, config, layers, s=s, experts="grouped", **adapters), "L": 1}
    for case in rotated_cases():
        if case["oft_block_size"] == 32:
            yield {**case, "layers": one_of(case["layers"]), "L": 1}
    for family, experts, modules, attn in (
        ("qwen2", None, ["mlp"], "flash"),
        ("starcoder2", None, ["mlp"], "flash"),
        ("qwen2", None, ["core_attn", "mlp"], "eager"),
        ("starcoder2", None, ["core_attn"], "eager"),
        ("qwen3_moe", "grouped", ["moe"], "flash"),
    ):
        shape, config = (families.mixtures if experts else families.dense)[family][:2]
        for prec, s in (("bf16", 192),) if attn == "eager" else (("fp32", 48), ("bf16", 48), ("bf16", 192)):
            layers = lambda: [DecoderLayer(shape, attn, feed_forward=Mixture(shape, experts) if experts else None)]
            said = {"checkpointing": "selective", "recompute_modules": modules, **({"experts": experts} if experts else {})}
            yield {**case_of(family, shape, config, layers, attn=attn, prec=prec, s=s, **said), "L": 1}
