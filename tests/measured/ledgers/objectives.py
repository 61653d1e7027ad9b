"""Losses of preference training and distillation as TRL (July 2026) takes them, for the bytes that the vocabulary's tensors take meanwhile.

What stands in TRL's functions as a local name until they return stands here as one, since it is alive as long.
"""

import torch
import torch.nn.functional as F


def scores_of_tokens(logits, labels):
    """trl/trainer/utils.py, selective_log_softmax: of 16-bit logits sequence by sequence, of fp32 ones by their log-sum-exp."""
    labels = labels.unsqueeze(-1)
    if logits.dtype == torch.float32:
        chosen = torch.gather(logits, -1, labels)
        sums = torch.stack([torch.logsumexp(each, -1) for each in logits])
        return (chosen - sums.unsqueeze(-1)).squeeze(-1)
    rows = []
    for each, wanted in zip(logits, labels):
        scores = F.log_softmax(each, -1)
        rows.append(scores.gather(-1, wanted))
    return torch.stack(rows).squeeze(-1)


def dpo(logits_of, reference_of, ids, moments):
    """trl/trainer/dpo_trainer.py, _compute_loss with the sigmoid loss: chosen sequences, then rejected ones."""
    logits = logits_of()
    moments.reached("forward")
    shifted, labels = logits[..., :-1, :], ids[..., 1:]
    scores = scores_of_tokens(shifted, labels).sum(1)
    moments.reached("policy")
    with torch.no_grad():
        other = reference_of()
        shifted_other = other[..., :-1, :]
        against = scores_of_tokens(shifted_other, labels).sum(1)
    chosen, rejected = (scores - against).chunk(2)
    loss = -F.logsigmoid(0.1 * (chosen - rejected)).mean()
    moments.reached("loss")
    return loss
