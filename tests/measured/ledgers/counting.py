"""What autograd keeps: bytes of each distinct storage that an operation saves for its backward pass, operation by operation.

Left out are parameters, tables that all layers share, and the 8-byte scalars that a CPU makes of Python numbers.
"""

import contextlib
import weakref

import torch


class Kept:
    """A tensor in autograd's hands: it goes when the operation does that it was kept for."""

    def __init__(self, tensor):
        self.tensor = tensor


def size_of(tensor):
    return tensor.storage().nbytes()


def is_python_number(tensor):
    return tensor.dim() == 0 and tensor.dtype == torch.float64


class Ledger:
    """Bytes by operation and type; `of` counts one forward pass."""

    def __init__(self, left_out):
        self.left_out = {tensor.storage().data_ptr() for tensor in left_out}
        self.alive = {}  # storage → who keeps it, and the operation that was the first to
        self.by_op = {}
        self.operation = "?"

    def save(self, tensor):
        where, kept = tensor.storage().data_ptr(), Kept(tensor)
        if where in self.left_out or is_python_number(tensor):
            return kept
        holders = self.holders(where)
        if not holders:  # or what was there has been given up, and left its address to another
            self.alive[where] = ([], f"{self.operation}:{str(tensor.dtype).removeprefix('torch.')}")
        self.alive[where][0].append(weakref.ref(kept))
        return kept

    def holders(self, where):
        """Those who still keep the storage at an address, each with its tensor."""
        references, _ = self.alive.get(where, ([], None))
        return [kept for kept in (each() for each in references) if kept and kept.tensor.storage().data_ptr() == where]

    def sum_up(self):
        """As it is now: what a function let go of as it returned is not there, and what checkpointing gave up has no bytes."""
        for references, name in self.alive.values():
            sizes = [size_of(kept.tensor) for kept in (each() for each in references) if kept]
            if sizes and max(sizes) > 0:
                self.by_op[name] = self.by_op.get(name, 0) + max(sizes)

    @property
    def total(self):
        return sum(self.by_op.values())

    @contextlib.contextmanager
    def counting(self):
        with torch.autograd.graph.saved_tensors_hooks(self.save, lambda kept: kept.tensor):
            yield self
        self.sum_up()
