"""A small decoder with the doors that a run uses of a model of transformers. A dry run builds it in place of the one asked for, so
that the program can be tried where there is no GPU and no transformers; what it takes of memory means nothing."""

from types import SimpleNamespace

from .building import torch_type

LIMITS = {"hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 256}


def small(settings):
    """Width, layers and vocabulary of the stand-in, and its run no longer than that takes a moment."""
    settings.sequence = min(settings.sequence, 16)
    settings.context, settings.prompt = min(settings.context, 16), min(settings.prompt, 8)
    return {name: min(limit, settings.config.get(name) or limit) for name, limit in LIMITS.items()}


def stand_in(settings, torch, device):
    nn = torch.nn
    shape = small(settings)
    width, vocabulary = shape["hidden_size"], shape["vocab_size"]

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.q_proj, self.v_proj = nn.Linear(width, width), nn.Linear(width, width)

        def forward(self, x):
            return x + self.v_proj(torch.nn.functional.silu(self.q_proj(x)))

    class StandIn(nn.Module):
        def __init__(self):
            super().__init__()
            self.config = SimpleNamespace(vocab_size=vocabulary, use_cache=False)
            self.checkpoints = False
            self.embed_tokens = nn.Embedding(vocabulary, width)
            self.layers = nn.ModuleList(Layer() for _ in range(shape["num_hidden_layers"]))
            self.lm_head = nn.Linear(width, vocabulary, bias=False)

        def get_output_embeddings(self):
            return self.lm_head

        def gradient_checkpointing_enable(self, gradient_checkpointing_kwargs=None):
            self.checkpoints = True

        def forward(self, input_ids):
            x = self.embed_tokens(input_ids)
            for layer in self.layers:
                x = torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False) if self.checkpoints else layer(x)
            return SimpleNamespace(logits=self.lm_head(x))

        def generate(self, input_ids, max_new_tokens, stopping_criteria, **_):
            for _ in range(max_new_tokens):
                following = self(input_ids).logits[:, -1:].argmax(-1)
                input_ids = torch.cat([input_ids, following], dim=1)
                stopping_criteria[0](input_ids, None)
            return input_ids

    return StandIn().to(device, torch_type(torch, settings.compute if settings.task == "inference" else settings.encoding))
