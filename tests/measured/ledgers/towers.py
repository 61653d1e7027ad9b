"""Layers of vision towers as transformers writes them, over the patches of images.

models/siglip, clip, pixtral, internvl, qwen2_vl and qwen2_5_vl: modeling_*.py. Words of decoder.py's shapes, and
  scaled   what each half of the layer gives is multiplied by a vector (InternVLVisionLayer's lambda_1 and lambda_2)
  joined   one matrix for queries, keys and values; they are rotated in fp32 and cast back; but for flash attention, each image is attended to
           by itself, and the pieces are joined (Qwen2_5_VLVisionAttention)
"""

import torch

from .decoder import Attention, DecoderLayer, parameter, rotate


class JoinedAttention(Attention):
    """`kernel` sdpa keeps what flash keeps of each image; here one image is the whole batch."""

    def forward(self, rules, x, tables):
        heads, width = self.shape["heads"], self.shape["head_dim"]
        b, s, _ = x.shape
        q, k, v = self.qkv(rules, x).reshape(b, s, 3, heads, width).permute(2, 0, 3, 1, 4).unbind(0)
        rules.at("rope")
        q, k = (rotate(each.float(), *(table.float() for table in tables)).to(each.dtype) for each in (q, k))
        out = self.attend(rules, q, k, v)
        if self.kernel != "flash":
            out = torch.cat([out], dim=1)
        return self.o(rules, out.reshape(b, s, -1))


class TowerLayer(DecoderLayer):
    def __init__(self, shape, kernel="flash"):
        attention = JoinedAttention(shape, kernel) if shape.get("joined") else None
        super().__init__(shape, kernel, attention=attention)
        self.scales = torch.nn.ParameterList([parameter(shape["hidden"]) for _ in range(2)]) if shape.get("scaled") else None

    def forward(self, rules, x, tables):
        if not self.scales:
            return super().forward(rules, x, tables)
        rules.at("attention")
        x = x + self.scales[0] * self.attention(rules, self.norms["norm1"](rules, x), tables)
        rules.at("feed_forward")
        return x + self.scales[1] * self.feed_forward(rules, self.norms["norm2"](rules, x))
