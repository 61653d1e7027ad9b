"""Bytes that the vocabulary's tensors take in an objective's loss, at the moments of a step; a row per case, as in training_objectives.jsonl.

    python3 tests/measured/objectives.py > tests/measured/training_objectives.jsonl

Needs PyTorch, runs on a CPU. Counted is every allocation of at least 32 tokens' logits (200 values), those
within a kernel as well.
"""

import json
import time

import torch
from torch.profiler import ProfilerActivity, profile, record_function

from ledgers.objectives import OBJECTIVES

SOURCE = "own ledger, tests/measured/objectives.py"
MARK = "reached:"
BEGINS = "begins"
CASES = ((2, 64, 1000), (4, 33, 777), (8, 129, 512))
OF_COMPLETIONS = ((1, 65, 1000), (2, 64, 1000), (3, 100, 640), (8, 129, 512))
OF_VALUES = ((1, 1200, 1), (4, 333, 1), (8, 1290, 1))


class Moments:
    """When a loss has come how far, among the events of a profile."""

    def given(self, *batch):
        """What a loss is given is no part of what it makes."""
        self.batch = batch
        self.reached(BEGINS)
        return batch

    @staticmethod
    def reached(name):
        time.sleep(0.001)  # events are told apart by microseconds
        with record_function(MARK + name):
            pass
        time.sleep(0.001)


class Head(torch.autograd.Function):
    """A model whose logits alone take memory."""

    @staticmethod
    def forward(context, states, logits, moments):
        context.moments = moments
        return logits()

    @staticmethod
    def backward(context, gradient):
        context.moments.reached("backward")
        return gradient.new_ones(1), None, None


def fullest(events, least):
    """The most bytes held at once up to each mark, of allocations of at least so many."""
    live, most, at = 0, 0, {}
    for event in sorted(events, key=lambda each: each.start_us()):
        if event.name().startswith(MARK):
            at[event.name().removeprefix(MARK)] = most
            live = 0 if event.name() == MARK + BEGINS else live
            most = live
        elif event.name() == "[memory]" and abs(event.nbytes()) >= least:
            live += event.nbytes()
            most = max(most, live)
    return at


def row(objective, dtype, sequences, tokens, vocabulary):
    states = torch.ones(1, dtype=dtype, requires_grad=True)
    ids = torch.randint(0, vocabulary, (sequences, tokens))
    moments = Moments()

    def logits():
        return torch.rand(sequences, tokens, vocabulary, dtype=dtype)

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiled:
        loss = OBJECTIVES[objective](lambda: Head.apply(states, logits, moments), logits, ids, moments)
        moments.reached("loss_ends")
        loss.backward()
        moments.reached("head")
    least = max(32 * vocabulary, 200) * states.element_size()
    at = fullest(profiled.profiler.kineto_results.events(), least)
    return {
        "objective": objective,
        "dtype": str(dtype).removeprefix("torch."),
        "sequences": sequences,
        "tokens": tokens,
        "vocabulary": vocabulary,
        "forward": at["forward"],
        "loss": at["loss"],
        "backward": at["backward"],
        "head": at["head"],
        "torch": torch.__version__,
        "source": SOURCE,
    }


def cases_of(objective):
    return OF_VALUES if objective == "critic" else OF_COMPLETIONS if objective in ("grpo", "ppo") else CASES


if __name__ == "__main__":
    torch.manual_seed(0)
    for objective in OBJECTIVES:
        for dtype in (torch.bfloat16, torch.float32):
            for sequences, tokens, vocabulary in cases_of(objective):
                print(json.dumps(row(objective, dtype, sequences, tokens, vocabulary)))
