"""What stands in attention's place: latent attention, state-space mixers, the gated delta net, the gated short convolution, and attention
over an encoder's output. With CUDA's kernels, as transformers uses them where they are installed."""

import torch
import torch.nn.functional as F
from torch import nn

from . import kernels
from .decoder import Attention, FeedForward, Linear, Norm, eager, parameter, rotate


class LatentAttention(nn.Module):
    """DeepSeek-V2 and -V3. Flash attention pads the values to the keys' width; what it gives is cut again."""

    def __init__(self, shape, kernel="flash"):
        super().__init__()
        self.shape, self.kernel = shape, kernel
        hidden, heads, rank = shape["hidden"], shape["heads"], shape["kv_rank"]
        nope, rope, value, query = (shape[name] for name in ("nope", "rope", "value", "q_rank"))
        if query:
            self.q_a, self.q_a_norm, self.q_b = Linear("q_a", hidden, query), Norm("q_a_norm", "rms", query), Linear("q_b", query, heads * (nope + rope))
        else:
            self.q = Linear("q", hidden, heads * (nope + rope))
        self.kv_a, self.kv_a_norm = Linear("kv_a", hidden, rank + rope), Norm("kv_a_norm", "rms", rank)
        self.kv_b, self.o = Linear("kv_b", rank, heads * (nope + value)), Linear("o", heads * value, hidden)

    def forward(self, rules, x, tables):
        rank, rope = self.shape["kv_rank"], self.shape["rope"]
        given = self.q_a_norm(rules, self.q_a(rules, x)) if self.shape["q_rank"] else x
        latent, k_turn = self.kv_a(rules, x).split([rank, rope], dim=-1)
        widened = lambda *given: self.widened(rules, tables, *given)
        (q, k, v), gives_up = rules.recompute.giving_up("mla_up_proj", widened, given, self.kv_a_norm(rules, latent), k_turn)
        attended = rules.recompute.normal("core_attn", lambda *given: self.attend(rules, *given), q, k, v)
        gives_up(attended)
        return self.o(rules, attended)

    def widened(self, rules, tables, given, latent, k_turn):
        """Queries, keys and values of all heads, of the latents and the rotated piece of the key."""
        heads, nope, rope, value = (self.shape[name] for name in ("heads", "nope", "rope", "value"))
        b, s, _ = latent.shape
        q = (self.q_b if self.shape["q_rank"] else self.q)(rules, given).view(b, s, heads, nope + rope).transpose(1, 2)
        q_pass, q_turn = q.split([nope, rope], dim=-1)
        both = self.kv_b(rules, latent).view(b, s, heads, nope + value).transpose(1, 2)
        k_pass, v = both.split([nope, value], dim=-1)
        rules.at("rope")
        q_turn, k_turn = rotate(q_turn, *tables), rotate(k_turn.view(b, 1, s, rope), *tables)
        q = torch.cat((q_pass, q_turn), dim=-1)
        k = torch.cat((k_pass, k_turn.expand(*k_pass.shape[:-1], -1)), dim=-1)
        if self.kernel == "flash" and nope + rope != value:
            v = F.pad(v, [0, nope + rope - value])
        return q, k, v

    def attend(self, rules, q, k, v):
        b, _, s, _ = q.shape
        if self.kernel == "eager":
            return eager(rules, self.shape, q, k, v).reshape(b, s, -1)
        return rules.at("flash").flash(q, k, v)[..., : self.shape["value"]].reshape(b, s, -1)


class Mamba(nn.Module):
    """mamba_inner_fn: one kernel from the input projection's output to the output projection."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        hidden, inner, state, rank = (shape[name] for name in ("hidden", "inner", "state", "rank"))
        self.in_proj, self.out_proj = Linear("in_proj", hidden, 2 * inner), parameter(hidden, inner)
        self.conv, self.conv_bias = parameter(inner, 1, shape["kernel"]), parameter(inner)
        self.x_proj, self.dt_proj, self.dt_bias = parameter(rank + 2 * state, inner), parameter(inner, rank), parameter(inner)
        self.a_log, self.d = parameter(inner, state), parameter(inner)

    def forward(self, rules, x, tables):
        xz = self.in_proj(rules, x).transpose(1, 2)
        rules.at("decay")
        made = [-torch.exp(self.a_log.float()), self.d.float(), self.dt_bias.float()]
        if rules.autocast:  # the kernel casts its matrices by itself, and keeps the copies
            made += [each.to(rules.compute) for each in (self.x_proj, self.dt_proj, self.out_proj)]
        rules.at("scan")
        return kernels.mamba_inner(xz, self.shape["rank"], self.shape["state"], {"out_proj": self.out_proj, "made": made})


class Mamba2(nn.Module):
    """mamba_split_conv1d_scan_combined: convolution, scan, gated norm and output projection in one kernel."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        hidden, inner, heads, groups, state = (shape[name] for name in ("hidden", "inner", "heads", "groups", "state"))
        channels = inner + 2 * groups * state
        self.in_proj, self.out_proj = Linear("in_proj", hidden, inner + channels + heads), parameter(hidden, inner)
        self.conv, self.conv_bias = parameter(channels, 1, shape["kernel"]), parameter(channels)
        self.dt_bias, self.a_log, self.d, self.norm = parameter(heads), parameter(heads), parameter(heads), parameter(inner)

    def forward(self, rules, x, tables):
        projected = self.in_proj(rules, x)
        rules.at("decay")
        made = [-torch.exp(self.a_log.float())]
        if rules.autocast:
            made.append(self.out_proj.to(rules.compute))
        rules.at("scan")
        return kernels.mamba_split_scan(projected, self.shape["inner"], self.shape["groups"], {"out_proj": self.out_proj, "made": made})


class GatedDeltaNet(nn.Module):
    """Qwen3-Next's: convolution over q, k and v side by side, the gated delta rule, a gated norm; fla's kernels."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        hidden, keys, values, key, value = (shape[name] for name in ("hidden", "key_heads", "value_heads", "key_dim", "value_dim"))
        self.channels = 2 * keys * key + values * value
        self.qkvz = Linear("in_proj_qkvz", hidden, self.channels + values * value)
        self.ba, self.out_proj = Linear("in_proj_ba", hidden, 2 * values), Linear("out_proj", values * value, hidden)
        self.conv = parameter(self.channels, 1, shape["kernel"])
        self.dt_bias, self.a_log, self.norm = parameter(values), parameter(values), parameter(value)

    def split(self, qkvz, ba):
        """fix_query_key_value_ordering: the projections' columns are ordered by key head."""
        keys, values, key, value = (self.shape[name] for name in ("key_heads", "value_heads", "key_dim", "value_dim"))
        b, s, _ = qkvz.shape
        each = values // keys
        q, k, v, z = qkvz.view(b, s, keys, -1).split([key, key, each * value, each * value], dim=3)
        rate, decay = ba.view(b, s, keys, 2 * each).split([each, each], dim=3)
        flat = [part.reshape(b, s, -1) for part in (q, k, v)]
        return flat, z.reshape(b, s, values, value), rate.reshape(b, s, values), decay.reshape(b, s, values)

    def forward(self, rules, x, tables):
        keys, values, key, value = (self.shape[name] for name in ("key_heads", "value_heads", "key_dim", "value_dim"))
        b, s, _ = x.shape
        flat, z, rate, decay = self.split(self.qkvz(rules, x), self.ba(rules, x))
        mixed = torch.cat(flat, dim=-1).transpose(1, 2)
        rules.at("conv")
        mixed = kernels.causal_conv1d(mixed, self.conv)
        q, k, v = mixed.transpose(1, 2).split([keys * key, keys * key, values * value], dim=-1)
        q, k, v = q.reshape(b, s, -1, key), k.reshape(b, s, -1, key), v.reshape(b, s, -1, value)
        rules.at("rate")
        beta = rate.sigmoid()
        rules.at("decay")
        g = -self.a_log.float().exp() * F.softplus(decay.float() + self.dt_bias)
        if values > keys:
            q, k = (each[:, :, :, None].expand(b, s, keys, values // keys, key).reshape(b, s, values, key) for each in (q, k))
        rules.at("delta_rule")
        out = kernels.chunk_gated_delta(q, k, v, g, beta)
        rules.at("mixer_norm")
        out = kernels.gated_rms_norm(out.reshape(-1, value), z.reshape(-1, value), self.norm)
        return self.out_proj(rules, out.view(b, s, -1))


class ShortConvolution(nn.Module):
    """LFM2's: two gates around a causal convolution."""

    def __init__(self, shape):
        super().__init__()
        hidden = shape["hidden"]
        self.in_proj, self.out_proj = Linear("in_proj", hidden, 3 * hidden), Linear("out_proj", hidden, hidden)
        self.conv = parameter(hidden, 1, shape["kernel"])

    def forward(self, rules, x, tables):
        gate, other, given = self.in_proj(rules, x).transpose(-1, -2).chunk(3, dim=-2)
        rules.at("product")
        gated = gate * given
        rules.at("conv")
        convolved = kernels.causal_conv1d(gated, self.conv)
        rules.at("product2")
        out = other * convolved
        return self.out_proj(rules, out.transpose(-1, -2).contiguous())


class CrossLayer(nn.Module):
    """A decoder's layer over an encoder's output, which all layers share: self-attention, attention over it, feed-forward.
    `order` before (T5, Whisper) or post (BART)."""

    def __init__(self, shape, source, kernel="flash"):
        super().__init__()
        self.shape, self.source = shape, source
        self.attention, self.cross = Attention(shape, kernel), Attention({**shape, "qk_norm": None}, kernel)
        self.feed_forward = FeedForward(shape)
        self.norms = nn.ModuleList(Norm(f"norm{i}", shape["norm"], shape["hidden"], bias=shape.get("norm_bias", False)) for i in range(3))

    def forward(self, rules, x, tables):
        before = self.shape["order"] == "before"

        def sub_layer(index, x, run):
            out = run(self.norms[index](rules, x) if before else x)
            x = x + rules.at(f"dropout{index}").dropout(out, self.shape.get("dropout", 0))
            return x if before else self.norms[index](rules, x)

        x = sub_layer(0, x, lambda each: self.attention(rules, each, tables))
        x = sub_layer(1, x, lambda each: self.cross(rules, each, tables, self.source))
        return sub_layer(2, x, lambda each: self.feed_forward(rules, each))


class MixerLayer(nn.Module):
    """Norm, mixer, add: Mamba's layer."""

    def __init__(self, shape, mixer):
        super().__init__()
        self.norm, self.mixer = Norm("norm1", "rms", shape["hidden"]), mixer

    def forward(self, rules, x, tables):
        return x + self.mixer(rules, self.norm(rules, x), tables)
