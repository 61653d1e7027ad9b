"""Parts of a layer that the forward pass leaves nothing of, as Megatron-LM's recompute_modules name them.

`core_attn`, `mlp`, `moe`, `shared_experts`: PyTorch's own reentrant checkpoint, which keeps the part's inputs. `layernorm`, `mla_up_proj`,
`moe_act`: the part's output goes, too, once the operation behind it has run (after Megatron-LM's tensor_parallel/random.py,
CheckpointWithoutOutput: the storage is emptied, and filled again when the gradient of that operation's output is there).
"""

import torch
from torch.utils.checkpoint import checkpoint


class _WithoutOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, part, *inputs):
        with torch.no_grad():
            made = part.function(*inputs)
        ctx.save_for_backward(*inputs)
        part.context = ctx
        return made

    @staticmethod
    def backward(ctx, *gradients):
        torch.autograd.backward(ctx.made, gradients)
        return (None, *(each.grad for each in ctx.inputs))


class _Part:
    """`gives_up`, once its output has been used: `behind` is what was made of it."""

    def __init__(self, function):
        self.function, self.context = function, None

    def run(self, *inputs):
        made = _WithoutOutput.apply(self, *inputs)
        self.made = made if isinstance(made, tuple) else (made,)
        return made

    def gives_up(self, behind):
        for each in self.made:
            each.storage().resize_(0)
        if behind.requires_grad:
            behind.register_hook(self.anew)

    def anew(self, _):
        inputs = [each.detach().requires_grad_(each.requires_grad) for each in self.context.saved_tensors]
        with torch.enable_grad():
            made = self.function(*inputs)
        made = made if isinstance(made, tuple) else (made,)
        for old, new in zip(self.made, made):
            old.storage().resize_(new.storage().size())
            old.storage().copy_(new.storage())
        self.context.inputs, self.context.made = inputs, made


class Recompute:
    def __init__(self, modules=()):
        self.modules = set(modules)

    def normal(self, module, function, *inputs):
        if module not in self.modules:
            return function(*inputs)
        return checkpoint(function, *inputs, use_reentrant=True)

    def giving_up(self, module, function, *inputs):
        """What the part makes, and what to call with what is made of it."""
        if module not in self.modules:
            return function(*inputs), lambda behind: None
        part = _Part(function)
        return part.run(*inputs), part.gives_up
