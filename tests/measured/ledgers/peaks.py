"""What is alive at the fullest moment of one layer's forward and backward pass: every storage that an operation makes, from its birth until
nothing holds it, seen at each operation that PyTorch dispatches."""

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten


class Alive(TorchDispatchMode):
    """Storages with their bytes and the operations (by number) between which they are alive."""

    def __init__(self, left_out):
        super().__init__()
        self.left_out = {tensor.storage().data_ptr() for tensor in left_out}
        self.now = 0
        self.lives = []  # [weak reference, bytes, first, last or None]
        self.known = {}

    def look(self):
        for life in self.lives:
            if life[3] is None and life[0].expired():
                life[3] = self.now
                self.known.pop(life[4], None)

    def watch(self, tensor):
        storage = tensor.storage()
        where = storage.data_ptr()
        if where in self.left_out or where in self.known or storage.nbytes() == 0:
            return
        life = [StorageWeakRef(storage._storage if hasattr(storage, "_storage") else storage), storage.nbytes(), self.now, None, where]
        self.known[where] = life
        self.lives.append(life)

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        self.look()
        made = function(*arguments, **(keywords or {}))
        self.now += 1
        for each in tree_flatten(made)[0]:
            if isinstance(each, torch.Tensor):
                self.watch(each)
        return made

    def fullest(self, first, last, but=()):
        """The most bytes alive at one of the operations `first` … `last`, the storages at `but` not counted."""
        change = [0] * (self.now + 2)
        for _, size, born, died, where in self.lives:
            if died is None and where in but:
                continue
            change[born] += size
            change[self.now + 1 if died is None else died + 1] -= size
        live, most = 0, 0
        for step in range(last + 1):
            live += change[step]
            if step >= first:
                most = max(most, live)
        return most


def peaks(rules, layer, x, tables):
    """Bytes alive at the fullest moment of the forward and of the backward pass of one layer, its weights and what all layers share left out.
    Forward counts the layer's input, which its caller holds; backward begins with the gradient of the layer's output, and is told with the
    weights' gradients as they come and without them."""
    parameters = [each for each in layer.parameters() if each.requires_grad]
    alive = Alive([*layer.parameters(), *layer.buffers(), *tables, x])
    with alive:
        given = x * 1.0  # made here, as a layer below would
        started = alive.now
        out = layer(rules, given, tables)
        rules.cache.clear()
        forward_ends = alive.now
        end = (out * 1.0).sum()
        del given, out
        alive.look()
        begins = alive.now + 1
        end.backward()
        alive.look()
        ends = alive.now
    gradients = {each.grad.storage().data_ptr() for each in parameters if each.grad is not None}
    own = {x.grad.storage().data_ptr()}  # of what made the layer's input
    return {
        "forward_peak": alive.fullest(started, forward_ends),
        "backward_peak": alive.fullest(begins, ends, gradients | own),
        "backward_peak_with_gradients": alive.fullest(begins, ends, own),
        "gradients": sum(each.grad.storage().nbytes() for each in parameters if each.grad is not None),
    }
