"""GGUF files without weights: true metadata and tensor shapes of a preset, and a hole where the data would be. What is asked of llama.cpp
with them is what it would take.

    python3 models.py FOLDER PRESET:TYPE[:TYPE…] …        TYPE: F16, Q8_0 or Q4_0
"""

import json
import struct
import sys
from pathlib import Path

PRESETS = Path(__file__).resolve().parents[3] / "presets" / "models"

# Number in the file, elements and bytes of a block. (ggml-common.h)
TYPES = {"F32": (0, 1, 4), "F16": (1, 1, 2), "Q4_0": (2, 32, 18), "Q8_0": (8, 32, 34), "Q6_K": (14, 256, 210)}

ARCHITECTURES = {
    **{name: "llama" for name in ("llama", "mistral", "mixtral")},
    **{name: name for name in ("qwen2", "qwen3", "gemma", "gemma2", "phi3", "olmo2", "granite", "smollm3")},
    **{"gemma3": "gemma3", "gemma3_text": "gemma3", "qwen3_moe": "qwen3moe"},
}


def text(value):
    return struct.pack("<Q", len(value)) + value.encode()


def entry(value):
    """Kind and bytes of a metadata value."""
    if isinstance(value, bool):
        return 7, struct.pack("<?", value)
    if isinstance(value, int):
        return 4, struct.pack("<I", value)
    if isinstance(value, float):
        return 6, struct.pack("<f", value)
    return 8, text(value)


def write(path, architecture, metadata, tensors):
    """`tensors`: name → (sides, the innermost first, type)."""
    keys = {"general.architecture": architecture, "tokenizer.ggml.model": "none"}
    keys.update({f"{architecture}.{key}": value for key, value in metadata.items()})
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    for key, value in keys.items():
        kind, data = entry(value)
        head += text(key) + struct.pack("<I", kind) + data
    offset = 0
    for name, (sides, kind) in tensors.items():
        number, block, size = TYPES[kind]
        head += text(name) + struct.pack("<I", len(sides)) + b"".join(struct.pack("<Q", side) for side in sides)
        head += struct.pack("<IQ", number, offset)
        bytes_of = sides[0] // block * size
        for side in sides[1:]:
            bytes_of *= side
        offset += -(-bytes_of // 32) * 32
    head += b"\0" * (-len(head) % 32)
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(len(head) + offset)


class Shapes:
    """Metadata and tensors of a config.json."""

    def __init__(self, config):
        config = config.get("text_config", config)
        self.config = config
        self.architecture = ARCHITECTURES[config["model_type"]]
        self.hidden, self.layers = config["hidden_size"], config["num_hidden_layers"]
        self.heads = config["num_attention_heads"]
        self.kv_heads = config.get("num_key_value_heads") or self.heads
        self.head = config.get("head_dim") or self.hidden // self.heads
        self.inner, self.vocabulary = config.get("intermediate_size"), config["vocab_size"]
        self.experts = config.get("num_local_experts") or config.get("num_experts")
        self.expert_inner = config.get("moe_intermediate_size") or self.inner
        self.tied = config.get("tie_word_embeddings", self.architecture in ("gemma", "gemma2", "gemma3"))

    def metadata(self):
        config, made = self.config, {}
        made.update({"vocab_size": self.vocabulary, "context_length": config.get("max_position_embeddings", 131072)})
        made.update({"embedding_length": self.hidden, "block_count": self.layers, "feed_forward_length": self.inner or 0})
        made.update({"attention.head_count": self.heads, "attention.head_count_kv": self.kv_heads})
        made.update({"attention.key_length": self.head, "attention.value_length": self.head, "rope.dimension_count": self.head})
        made.update({"attention.layer_norm_rms_epsilon": 1e-5, "rope.freq_base": float(config.get("rope_theta") or 1e4)})
        if self.experts:
            made.update({"expert_count": self.experts, "expert_used_count": config["num_experts_per_tok"]})
            made["expert_feed_forward_length"] = self.expert_inner
        if self.architecture in ("gemma2", "gemma3", "phi3"):
            made["attention.sliding_window"] = config.get("sliding_window") or (0 if self.architecture == "phi3" else 4096)
        if self.architecture == "phi3":
            made["rope.scaling.original_context_length"] = config.get("original_max_position_embeddings") or 4096
        if self.architecture == "gemma2":
            made.update({"attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0})
        if self.architecture == "granite":
            made.update({key: 1.0 for key in ("embedding_scale", "residual_scale", "attention.scale", "logit_scale")})
        return made

    def attention(self):
        queries, keys = self.heads * self.head, self.kv_heads * self.head
        if self.architecture == "phi3":
            yield "attn_qkv.weight", [self.hidden, queries + 2 * keys]
        else:
            for name, width in (("q", queries), ("k", keys), ("v", keys)):
                yield f"attn_{name}.weight", [self.hidden, width]
                if self.architecture == "qwen2":
                    yield f"attn_{name}.bias", [width]
        if self.architecture in ("qwen3", "qwen3moe", "gemma3", "olmo2"):
            whole = self.architecture == "olmo2"
            yield "attn_q_norm.weight", [queries if whole else self.head]
            yield "attn_k_norm.weight", [keys if whole else self.head]
        yield "attn_output.weight", [queries, self.hidden]

    def norms(self):
        if self.architecture != "olmo2":
            yield "attn_norm.weight", [self.hidden]
            yield "ffn_norm.weight", [self.hidden]
        if self.architecture in ("gemma2", "gemma3", "olmo2"):
            yield "post_attention_norm.weight", [self.hidden]
            yield "post_ffw_norm.weight", [self.hidden]

    def feed_forward(self):
        if self.experts:
            yield "ffn_gate_inp.weight", [self.hidden, self.experts]
            for name in ("gate", "up"):
                yield f"ffn_{name}_exps.weight", [self.hidden, self.expert_inner, self.experts]
            yield "ffn_down_exps.weight", [self.expert_inner, self.hidden, self.experts]
            return
        joined = self.architecture == "phi3"
        if not joined:
            yield "ffn_gate.weight", [self.hidden, self.inner]
        yield "ffn_up.weight", [self.hidden, 2 * self.inner if joined else self.inner]
        yield "ffn_down.weight", [self.inner, self.hidden]

    def tensors(self):
        made = {"token_embd.weight": [self.hidden, self.vocabulary], "output_norm.weight": [self.hidden]}
        if not self.tied:
            made["output.weight"] = [self.hidden, self.vocabulary]
        for layer in range(self.layers):
            for part in (self.norms, self.attention, self.feed_forward):
                made.update({f"blk.{layer}.{name}": sides for name, sides in part()})
        return made

    def types(self, wanted):
        """As llama-quantize chooses them: vectors and routers stay wide, of Q4_0 the head is Q6_K."""
        for name, sides in self.tensors().items():
            head = name == "output.weight" or (self.tied and name == "token_embd.weight")
            kind = wanted
            if len(sides) == 1 or "ffn_gate_inp" in name:
                kind = "F32"
            elif head and wanted == "Q4_0":
                kind = "Q6_K" if sides[0] % 256 == 0 else "Q8_0"
            yield name, (sides, kind)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for wanted in sys.argv[2:]:
        preset, *types = wanted.split(":")
        shapes = Shapes(json.loads((PRESETS / f"{preset}.json").read_text())["config"])
        for kind in types:
            path = folder / f"{preset}-{kind}.gguf"
            write(path, shapes.architecture, shapes.metadata(), dict(shapes.types(kind)))
            print(path)


if __name__ == "__main__":
    main()
