"""Families of decoders: for each the layer's shape in the words of decoder.py, and the config.json that says the same."""

HIDDEN, HEADS, WIDTH, FEED = 96, 4, 24, 160


def shape_of(**more):
    return {"hidden": HIDDEN, "heads": HEADS, "kv_heads": HEADS, "head_dim": WIDTH, "intermediate": FEED, **more}


def config_of(model_type, **more):
    return {
        "model_type": model_type,
        "hidden_size": HIDDEN,
        "num_attention_heads": HEADS,
        "intermediate_size": FEED,
        "max_position_embeddings": 256,
        "vocab_size": 1000,
        "tie_word_embeddings": False,
        "num_hidden_layers": 2,
        **more,
    }


GROUPED = {"num_key_value_heads": 2}
LAYER_NORM = {"norm": "layer", "norm_bias": True}
BIASED = {"qkv_bias": True, "o_bias": True, "mlp_bias": True}

# name → (shape, config); and where the family's code has dropout
dense = {
    "qwen2": (shape_of(kv_heads=2, qkv_bias=True), config_of("qwen2", **GROUPED), "attn_dropout"),
    "qwen3": (shape_of(kv_heads=2, qk_norm="head"), config_of("qwen3", head_dim=WIDTH, **GROUPED), "attn_dropout"),
    "phi3": (shape_of(kv_heads=2, fused_qkv=True, fused_gate_up=True), config_of("phi3", **GROUPED), "attn_dropout dropout1 dropout2"),
    "gemma": (
        shape_of(kv_heads=1, norm="rms_gemma", act="gelu_pytorch_tanh"),
        config_of("gemma", num_key_value_heads=1, head_dim=WIDTH, hidden_activation="gelu_pytorch_tanh"),
        "attn_dropout",
    ),
    "gemma2": (
        shape_of(kv_heads=2, norm="rms_gemma", order="both", act="gelu_pytorch_tanh", softcap=True),
        config_of("gemma2", head_dim=WIDTH, attn_logit_softcapping=50.0, sliding_window=512, hidden_activation="gelu_pytorch_tanh", **GROUPED),
        "attn_dropout",
    ),
    "gemma3_text": (
        shape_of(kv_heads=2, norm="rms_gemma", order="both", act="gelu_pytorch_tanh", qk_norm="head"),
        config_of("gemma3_text", head_dim=WIDTH, sliding_window=512, hidden_activation="gelu_pytorch_tanh", **GROUPED),
        "attn_dropout",
    ),
    "olmo": (shape_of(norm="layer_upcast", norm_weight=False), config_of("olmo"), "attn_dropout"),
    "olmo2": (shape_of(kv_heads=2, norm="rms_fp32", order="after", qk_norm="whole"), config_of("olmo2", **GROUPED), "attn_dropout"),
    "cohere": (
        shape_of(kv_heads=2, norm="layer_composed", order="parallel", qk_norm="each_head"),
        config_of("cohere", use_qk_norm=True, **GROUPED),
        "attn_dropout",
    ),
    "glm4": (shape_of(kv_heads=2, order="both", fused_gate_up=True), config_of("glm4", head_dim=WIDTH, **GROUPED), "attn_dropout"),
    "stablelm": (shape_of(kv_heads=2, norm="layer", norm_bias=True), config_of("stablelm", **GROUPED), "attn_dropout dropout2"),
    "starcoder2": (
        shape_of(kv_heads=2, gated=False, act="gelu_pytorch_tanh", **BIASED, **LAYER_NORM),
        config_of("starcoder2", use_bias=True, hidden_act="gelu_pytorch_tanh", **GROUPED),
        "attn_dropout dropout1 dropout2",
    ),
    "phi": (
        shape_of(gated=False, act="gelu_new", order="parallel", **BIASED, **LAYER_NORM),
        config_of("phi", hidden_act="gelu_new"),
        "attn_dropout dropout1 dropout2",
    ),
    "gptj": (
        shape_of(gated=False, act="gelu_new", order="parallel", mlp_bias=True, intermediate=4 * HIDDEN, **LAYER_NORM),
        {"model_type": "gptj", "n_embd": HIDDEN, "n_head": HEADS, "n_layer": 2, "n_positions": 256, "vocab_size": 1000, "rotary_dim": 8},
        "attn_dropout dropout1 dropout2",
    ),
    "gpt_neox": (
        shape_of(gated=False, act="gelu", fused_qkv=True, order="parallel_two_norms", **BIASED, **LAYER_NORM),
        config_of("gpt_neox", hidden_act="gelu", use_parallel_residual=True),
        "attn_dropout dropout1 dropout2",
    ),
    "falcon": (
        shape_of(kv_heads=1, gated=False, act="gelu", fused_qkv=True, order="parallel", intermediate=4 * HIDDEN, softmax_fp32=False, **LAYER_NORM),
        config_of("falcon", multi_query=True, parallel_attn=True, new_decoder_architecture=False, bias=False),
        "dropout_sum",
    ),
    "opt": (
        shape_of(gated=False, act="relu", rotary=False, **BIASED, **LAYER_NORM),
        config_of("opt", ffn_dim=FEED, activation_function="relu", do_layer_norm_before=True),
        "attn_dropout dropout1 dropout2",
    ),
    "arcee": (shape_of(kv_heads=2, gated=False, act="relu2"), config_of("arcee", hidden_act="relu2", **GROUPED), "attn_dropout"),
    "nemotron": (
        shape_of(kv_heads=2, gated=False, act="relu2", norm="layer_plus_one", norm_bias=True),
        config_of("nemotron", hidden_act="relu2", **GROUPED),
        "attn_dropout",
    ),
    "seed_oss": (
        shape_of(kv_heads=2, qkv_bias=True, o_bias=True),
        config_of("seed_oss", head_dim=WIDTH, attention_bias=True, attention_out_bias=True, **GROUPED),
        "attn_dropout dropout1 dropout2",
    ),
}

ROUTED = {"experts": 6, "active": 2, "expert_width": 40}
mixtures = {
    "mixtral": (shape_of(kv_heads=2, **{**ROUTED, "expert_width": FEED}), config_of("mixtral", num_local_experts=6, num_experts_per_tok=2, **GROUPED)),
    "qwen3_moe": (
        shape_of(kv_heads=2, qk_norm="head", **ROUTED),
        config_of("qwen3_moe", head_dim=WIDTH, num_experts=6, num_experts_per_tok=2, moe_intermediate_size=40, norm_topk_prob=True, **GROUPED),
    ),
    "qwen2_moe": (
        shape_of(kv_heads=2, qkv_bias=True, shared_width=72, shared_gate=True, renormalised=False, **ROUTED),
        config_of("qwen2_moe", num_experts=6, num_experts_per_tok=2, moe_intermediate_size=40, shared_expert_intermediate_size=72, norm_topk_prob=False, **GROUPED),
    ),
    "olmoe": (
        shape_of(qk_norm="whole", scores_cast=True, renormalised=False, **{**ROUTED, "expert_width": FEED}),
        config_of("olmoe", num_experts=6, num_experts_per_tok=2),
    ),
    "gpt_oss": (
        shape_of(kv_heads=2, qkv_bias=True, o_bias=True, sinks=True, norm="rms_fp32", scoring="chosen", expert_bias=True, **ROUTED),
        config_of("gpt_oss", head_dim=WIDTH, num_local_experts=6, num_experts_per_tok=2, layer_types=["full_attention"] * 2, **{"intermediate_size": 40}, **GROUPED),
    ),
}

LATENT = {"q_rank": 40, "kv_rank": 32, "nope": 16, "rope": 8, "value": 16, "rotary_width": 8}
LATENT_CONFIG = {"kv_lora_rank": 32, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 16, "first_k_dense_replace": 0, "n_routed_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 40, "n_shared_experts": 1, "n_group": 1, "topk_group": 1}
latent = {
    "deepseek_v2": (
        shape_of(**{**LATENT, "q_rank": None}, shared_width=40, renormalised=False, router_fp32=True, **ROUTED),
        config_of("deepseek_v2", q_lora_rank=None, **LATENT_CONFIG),
    ),
    "deepseek_v3": (
        shape_of(**LATENT, shared_width=40, scoring="sigmoid", **ROUTED),
        config_of("deepseek_v3", q_lora_rank=40, norm_topk_prob=True, scoring_func="sigmoid", topk_method="noaux_tc", **LATENT_CONFIG),
    ),
}

MAMBA = {"hidden": HIDDEN, "inner": 2 * HIDDEN, "state": 16, "rank": 6, "kernel": 4}
MAMBA2 = {"hidden": HIDDEN, "inner": 2 * HIDDEN, "heads": 8, "groups": 2, "state": 16, "kernel": 4}
DELTA = {"hidden": HIDDEN, "key_heads": 2, "value_heads": 4, "key_dim": 16, "value_dim": 24, "kernel": 4}
NEXT = {"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 16, "linear_value_head_dim": 24, "linear_conv_kernel_dim": 4}
mamba = (MAMBA, {"model_type": "mamba", "hidden_size": HIDDEN, "state_size": 16, "time_step_rank": 6, "conv_kernel": 4, "expand": 2, "num_hidden_layers": 2, "vocab_size": 1000, "tie_word_embeddings": False})
mamba2 = (
    MAMBA2,
    {"model_type": "mamba2", "hidden_size": HIDDEN, "state_size": 16, "num_heads": 8, "head_dim": 24, "n_groups": 2, "conv_kernel": 4, "expand": 2, "num_hidden_layers": 2, "vocab_size": 1000},
)
delta_net = (
    shape_of(norm="rms_gemma", **DELTA),
    config_of("qwen3_next", head_dim=WIDTH, num_experts=0, decoder_sparse_step=1, mlp_only_layers=[0, 1, 2, 3], layer_types=["linear_attention"] * 2, num_key_value_heads=2, **NEXT),
)
gated_attention = (
    shape_of(kv_heads=2, norm="rms_gemma", qk_norm="head", gated_out=True),
    config_of("qwen3_next", head_dim=WIDTH, num_experts=0, mlp_only_layers=[0, 1, 2, 3], layer_types=["full_attention"] * 2, num_key_value_heads=2, **NEXT),
)
short_convolution = (
    shape_of(kernel=3),
    config_of("lfm2", conv_L_cache=3, conv_bias=False, block_auto_adjust_ff_dim=False, block_ff_dim=FEED, layer_types=["conv"] * 2, num_key_value_heads=2),
)
STACK = {"d_model": HIDDEN, "vocab_size": 1000}
cross = {
    "t5": (
        shape_of(gated=False, act="relu", rotary=False, norm="rms", order="before"),
        {"model_type": "t5", "d_kv": WIDTH, "d_ff": FEED, "num_layers": 2, "num_decoder_layers": 2, "num_heads": HEADS, "relative_attention_num_buckets": 32, **STACK},
        "attn_dropout dropout act_dropout",
    ),
    "bart": (
        shape_of(gated=False, act="gelu", rotary=False, softmax_fp32=False, order="post", **BIASED, **LAYER_NORM),
        {"model_type": "bart", "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": HEADS, "decoder_attention_heads": HEADS, "encoder_ffn_dim": FEED, "decoder_ffn_dim": FEED, "activation_function": "gelu", "num_hidden_layers": 2, **STACK},
        "attn_dropout dropout act_dropout",
    ),
}

# a tower's layer, and the config of a model with it
TOWER = {"hidden_size": HIDDEN, "intermediate_size": FEED, "num_hidden_layers": 2, "num_attention_heads": HEADS, "patch_size": 14, "image_size": 98}
QWEN_TOWER = {"hidden_size": HIDDEN, "intermediate_size": FEED, "depth": 2, "num_heads": HEADS, "patch_size": 14, "out_hidden_size": HIDDEN}
UNGATED = {"gated": False, "act": "gelu", **BIASED, **LAYER_NORM}


def seeing(model_type, text, vision, **more):
    return {"model_type": model_type, "text_config": config_of(text, **GROUPED), "vision_config": vision, **more}


towers = {
    "siglip": (
        shape_of(rotary=False, **{**UNGATED, "act": "gelu_pytorch_tanh"}),
        seeing("gemma3", "gemma3_text", {"model_type": "siglip_vision_model", **TOWER}),
    ),
    "pixtral": (shape_of(), seeing("mistral3", "mistral", {"model_type": "pixtral", **TOWER})),
    "internvl_vision": (
        shape_of(rotary=False, scaled=True, **{**UNGATED, "qkv_bias": False}),
        seeing("internvl", "qwen2", {"model_type": "internvl_vision", **TOWER}),
    ),
    "qwen2_5_vl": (
        shape_of(fused_qkv=True, joined=True, **BIASED),
        seeing("qwen2_5_vl", "qwen2", {"model_type": "qwen2_5_vl", **QWEN_TOWER}),
    ),
    "qwen3_vl": (
        shape_of(fused_qkv=True, joined=True, **{**UNGATED, "act": "gelu_pytorch_tanh"}),
        seeing("qwen3_vl", "qwen3", {"model_type": "qwen3_vl", **QWEN_TOWER}),
    ),
}
