"""Losses of preference training and distillation as TRL (July 2026) takes them, for the bytes that the vocabulary's tensors take meanwhile.

What stands in TRL's functions as a local name until they return stands here as one, since it is alive as long; so do the figures that TRL
takes of the logits for its log. All tokens count as completions, and as many sequences are wanted as are not. Where PyTorch 2 does with less
than the PyTorch that runs this, it is written so that both do: `logits[:, :-1, :]` is one slice, and gradients are added in place.
"""

import torch
import torch.nn.functional as F


class Twice(torch.autograd.Function):
    """A tensor that two readers get, whose gradients are added in place (torch/csrc/autograd/input_buffer.cpp)."""

    @staticmethod
    def forward(context, tensor):
        return tensor.view_as(tensor), tensor.view_as(tensor)

    @staticmethod
    def backward(context, one, other):
        return one.add_(other)


def without_last(logits):
    return logits.narrow(1, 0, logits.shape[1] - 1)


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


def entropy(logits, at_once=128):
    """trl/trainer/utils.py, entropy_from_logits: of all tokens in one list, some at a time."""
    parts = []
    for some in logits.reshape(-1, logits.shape[-1]).split(at_once):
        scores = F.log_softmax(some, -1)
        parts.append(-(scores.exp() * scores).sum(-1))
    return torch.cat(parts)


def dpo(logits_of, reference_of, ids, moments):
    """trl/trainer/dpo_trainer.py, _compute_loss with the sigmoid loss: chosen sequences, then rejected ones."""
    logits = logits_of()
    moments.reached("forward")
    shifted, labels = without_last(logits), ids[:, 1:]
    scores = scores_of_tokens(shifted, labels).sum(1)
    with torch.no_grad():
        other = reference_of()
        shifted_other = without_last(other)
        against = scores_of_tokens(shifted_other, labels).sum(1)
    chosen, rejected = (scores - against).chunk(2)
    loss = -F.logsigmoid(0.1 * (chosen - rejected)).mean()
    entropy(shifted.detach())
    for half in shifted.detach().chunk(2):
        half[torch.ones(half.shape[:2], dtype=torch.bool)].mean(-1).sum()
    moments.reached("loss")
    return loss


def kto(logits_of, reference_of, ids, moments):
    """trl/trainer/kto_trainer.py, _compute_loss: each sequence, and before it one that answers another prompt, for the divergence alone."""
    labels = ids[:, 1:]

    def of_mismatched(model):
        with torch.no_grad():
            logits = model()
            return scores_of_tokens(without_last(logits), labels).sum(-1)

    divergence = of_mismatched(logits_of)
    logits = logits_of()
    moments.reached("forward")
    shifted = without_last(logits)
    scores = scores_of_tokens(shifted, labels).sum(-1)
    with torch.no_grad():
        divergence = divergence - of_mismatched(reference_of)
        other = reference_of()
    shifted_other = without_last(other)
    against = scores_of_tokens(shifted_other, labels).sum(-1)
    wanted, unwanted = torch.arange(len(ids)).chunk(2)
    ratios = scores - against
    bound = divergence.mean().clamp(min=0)
    losses = torch.cat([1 - torch.sigmoid(0.1 * (ratios[wanted] - bound)), 1 - torch.sigmoid(0.1 * (bound - ratios[unwanted]))])
    entropy(shifted.detach())
    halves = [shifted.detach().index_select(0, each) for each in (wanted, unwanted)]
    for half in halves:
        half[torch.ones(half.shape[:2], dtype=torch.bool)].mean(-1).sum()
    moments.reached("loss")
    return losses.nanmean()


def orpo(logits_of, reference_of, ids, moments):
    """trl/experimental/orpo/orpo_trainer.py, get_batch_loss_metrics: cross-entropy of the chosen half, then the odds of both."""
    logits = logits_of()
    moments.reached("forward")
    half = len(ids) // 2

    def cross_entropy(logits, labels):
        logits, labels = without_last(logits).contiguous(), labels[:, 1:].contiguous()
        logits = logits.view(-1, logits.shape[-1])
        return F.cross_entropy(logits, labels.view(-1))

    once, again = Twice.apply(logits)
    likelihood = cross_entropy(once[:half], ids[:half])
    scores = scores_of_tokens(without_last(again), ids[:, 1:]).mean(-1)
    chosen, rejected = scores.float().chunk(2)
    odds = (chosen - rejected) - (torch.log1p(-chosen.exp()) - torch.log1p(-rejected.exp()))
    moments.reached("loss")
    return likelihood - (0.1 * F.logsigmoid(odds)).mean()


def distillation(beta):
    """trl/experimental/gkd/gkd_trainer.py, generalized_jsd_loss: 0 the divergence from the teacher, 1 from the student, between them from both
    to their mixture."""

    def divergence(student, teacher, labels):
        student, teacher = student / 1.0, teacher / 1.0  # by the temperature, whatever it is
        student_scores, teacher_scores = F.log_softmax(student, -1), F.log_softmax(teacher, -1)
        if beta in (0, 1):
            of, to = (student_scores, teacher_scores) if beta == 0 else (teacher_scores, student_scores)
            far = F.kl_div(of, to, reduction="none", log_target=True)
        else:
            share = torch.tensor(beta, dtype=student_scores.dtype)
            mixture = torch.logsumexp(
                torch.stack([student_scores + torch.log1p(-share), teacher_scores + torch.log(share)]), dim=0
            )
            from_teacher = F.kl_div(mixture, teacher_scores, reduction="none", log_target=True)
            from_student = F.kl_div(mixture, student_scores, reduction="none", log_target=True)
            far = share * from_teacher + (1 - share) * from_student
        far = far[labels]
        return far.sum() / labels.sum()

    def loss_of(logits_of, teacher_of, ids, moments):
        logits = logits_of()
        moments.reached("forward")
        with torch.no_grad():
            teacher = teacher_of()
        loss = divergence(without_last(logits), without_last(teacher), torch.ones_like(ids[:, 1:], dtype=torch.bool))
        moments.reached("loss")
        return loss

    return loss_of


def clipped(scores, before, advantages):
    """The ratio of a policy to what it was, clipped, as PPO and GRPO take it."""
    ratio = torch.exp(scores - before)
    return -torch.min(ratio * advantages, torch.clamp(ratio, 0.8, 1.2) * advantages)


def completion_of(ids):
    """Of how many tokens of a sequence PPO's losses are taken here: a quarter of them is the prompt."""
    return ids.shape[1] * 3 // 4


def grpo(logits_of, reference_of, ids, moments):
    """trl/trainer/grpo_trainer.py, _compute_loss with the divergence from a reference; before it, what that reference says of the same tokens
    (_generate_and_score_completions). Logits are those of the completion and of the token before it."""

    def scored(model, entropies):
        logits = without_last(model())
        logits = logits.narrow(1, 0, logits.shape[1])
        logits.div_(0.9)
        scores = scores_of_tokens(logits, ids[:, 1:])
        if entropies:
            with torch.no_grad():
                entropy(logits)
        return scores

    def policy():
        logits = logits_of()
        moments.reached("forward")
        return logits

    with torch.no_grad():
        against = scored(reference_of, False)
    scores = scored(policy, True)
    loss = clipped(scores, scores.detach(), torch.ones(len(ids), 1))
    divergence = torch.exp(against - scores) - (against - scores) - 1
    moments.reached("loss")
    return (loss + 0.04 * divergence).mean()


def ppo(logits_of, reference_of, ids, moments):
    """verl/workers/actor/dp_actor.py, _forward_micro_batch without kernels of its own: logits of all tokens, of which the completion's are
    scored; before it, what a frozen model says of them."""
    length = completion_of(ids)

    def scored(model):
        logits = model()
        logits.div_(0.9)
        return scores_of_tokens(logits.narrow(1, logits.shape[1] - length - 1, length), ids[:, -length:])

    def policy():
        logits = logits_of()
        moments.reached("forward")
        return logits

    with torch.no_grad():
        before = scored(reference_of)
    scores = scored(policy)
    loss = clipped(scores, before, torch.ones(len(ids), 1))
    moments.reached("loss")
    return loss.mean()


def critic(values_of, _, ids, moments):
    """verl/trainer/ppo/core_algos.py, compute_value_loss: of one value for each token, clipped about what it was; returns are in fp32."""
    length = completion_of(ids)
    wanted, old, mask = moments.given(*(torch.rand(len(ids), length) for _ in range(3)))
    values = values_of()
    moments.reached("forward")
    values = values.narrow(1, values.shape[1] - length - 1, length).squeeze(-1)
    near = torch.max(torch.min(values, old + 0.5), old - 0.5)
    far, close = (values - wanted) ** 2, (near - wanted) ** 2
    loss = 0.5 * (torch.max(far, close) * mask).sum() / mask.sum()
    torch.gt(close, far).float()
    moments.reached("loss")
    return loss


OBJECTIVES = {
    "dpo": dpo,
    "kto": kto,
    "orpo": orpo,
    "distill": distillation(0.5),
    "distill-forward": distillation(0),
    "distill-reverse": distillation(1),
    "grpo": grpo,
    "ppo": ppo,
    "critic": critic,
}
