"""What autograd keeps: bytes of each distinct storage that an operation saves for its backward pass, operation by operation.

Left out are parameters, tables that all layers share, and the 8-byte scalars that a CPU makes of Python numbers.
"""

import contextlib

import torch


def size_of(tensor):
    return tensor.storage().nbytes()


def is_python_number(tensor):
    return tensor.dim() == 0 and tensor.dtype == torch.float64


class Ledger:
    """Bytes by operation and type; `of` counts one forward pass."""

    def __init__(self, left_out):
        self.left_out = {tensor.storage().data_ptr() for tensor in left_out}
        self.alive = {}  # storage → tensor and operation, so that no address is used twice
        self.by_op = {}
        self.operation = "?"

    def save(self, tensor):
        where = tensor.storage().data_ptr()
        if where in self.left_out or self.has(where) or is_python_number(tensor):
            return tensor
        if where in self.alive:  # given up
            del self.alive[where]
        self.alive[where] = (tensor, f"{self.operation}:{str(tensor.dtype).removeprefix('torch.')}")
        return tensor

    def has(self, where):
        """What was given up may have left its address to another."""
        return where in self.alive and self.alive[where][0].storage().data_ptr() == where

    def sum_up(self):
        """As it is now: what checkpointing gave up has no bytes."""
        for tensor, name in self.alive.values():
            if size_of(tensor) > 0:
                self.by_op[name] = self.by_op.get(name, 0) + size_of(tensor)

    @property
    def total(self):
        return sum(self.by_op.values())

    @contextlib.contextmanager
    def counting(self):
        with torch.autograd.graph.saved_tensors_hooks(self.save, lambda tensor: tensor):
            yield self
        self.sum_up()
