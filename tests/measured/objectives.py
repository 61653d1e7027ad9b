"""Bytes that the vocabulary's tensors take in a preference's loss, at the moments of a step; a row per case, as in training_objectives.jsonl.

    python3 tests/measured/objectives.py > tests/measured/training_objectives.jsonl

Needs PyTorch, runs on a CPU. Counted is what is at least one sequence's logits large; hidden states and matrices are left out.
"""

import json

import torch

from ledgers.objectives import dpo
from ledgers.peaks import Alive

SOURCE = "own ledger, tests/measured/objectives.py"


class Large(Alive):
    """Storages of some size alone."""

    def __init__(self, left_out, least):
        super().__init__(left_out)
        self.least = least

    def watch(self, tensor):
        if tensor.storage().nbytes() >= self.least:
            super().watch(tensor)


class Moments:
    """When a loss has come how far."""

    def __init__(self, alive):
        self.alive = alive
        self.at = {}

    def reached(self, name):
        self.alive.look()
        self.at[name] = self.alive.now


def row(dtype, sequences, tokens, vocabulary):
    hidden = 8
    states = torch.randn(sequences, tokens, hidden, dtype=dtype, requires_grad=True)
    policy = torch.randn(vocabulary, hidden, dtype=dtype, requires_grad=True)
    reference = torch.randn(vocabulary, hidden, dtype=dtype)
    ids = torch.randint(0, vocabulary, (sequences, tokens))
    alive = Large([states, policy, reference, ids], (tokens - 1) * vocabulary * states.element_size())
    moments = Moments(alive)

    def logits_of():
        logits = torch.nn.functional.linear(states, policy)
        logits.register_hook(lambda gradient: moments.reached("logits_gradient"))
        return logits

    with alive:
        loss = dpo(logits_of, lambda: torch.nn.functional.linear(states.detach(), reference), ids, moments)
        alive.look()
        begins = alive.now + 1
        loss.backward()
        alive.look()
    at = moments.at
    return {
        "objective": "dpo",
        "dtype": str(dtype).removeprefix("torch."),
        "sequences": sequences,
        "tokens": tokens,
        "vocabulary": vocabulary,
        "forward": alive.fullest(0, at["forward"]),
        "loss": alive.fullest(at["forward"] + 1, at["loss"]),
        "backward": alive.fullest(begins, at["logits_gradient"]),
        "head": alive.fullest(at["logits_gradient"] + 1, alive.now),
        "torch": torch.__version__,
        "source": SOURCE,
    }


if __name__ == "__main__":
    torch.manual_seed(0)
    for dtype in (torch.bfloat16, torch.float32):
        for sequences, tokens, vocabulary in ((2, 64, 1000), (4, 33, 777), (8, 128, 512)):
            print(json.dumps(row(dtype, sequences, tokens, vocabulary)))
