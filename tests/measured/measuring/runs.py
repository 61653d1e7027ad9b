"""Steps of training, or an answer generated, with a meter that reads at each phase; phases are called as in a reply's timeline."""

import contextlib
import time

from .building import torch_type


def causal_loss(model, torch, logits, labels):
    """The loss of transformers' ForCausalLM, by its own function where the model has it: fp32 logits, labels moved by one."""
    vocabulary = logits.shape[-1]
    if getattr(model, "loss_function", None) is not None:
        return model.loss_function(logits=logits, labels=labels, vocab_size=vocabulary)
    wide = logits.float()
    moved = torch.nn.functional.pad(labels, (0, 1), value=-100)[..., 1:].contiguous()
    return torch.nn.functional.cross_entropy(wide.view(-1, vocabulary), moved.view(-1), ignore_index=-100)


def unwrapped(model):
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def scaler_of(torch):
    return torch.amp.GradScaler("cuda") if hasattr(torch.amp, "GradScaler") else torch.cuda.amp.GradScaler()  # before 2.3


class Training:
    """Steps of one optimizer over the same random tokens. `run` fills the meter."""

    def __init__(self, model, optimizer, settings, meter, torch, device):
        self.model, self.optimizer, self.settings, self.meter, self.torch = model, optimizer, settings, meter, torch
        self.device = device
        shape = (settings.micro_batch, settings.sequence)
        self.seconds = None
        self.ids = torch.randint(0, unwrapped(model).config.vocab_size, shape, device=device)
        scales = settings.autocast and settings.compute == "fp16" and device != "cpu"
        self.scaler = scaler_of(torch) if scales else None

    def autocast(self):
        if not self.settings.autocast:
            return contextlib.nullcontext()
        return self.torch.autocast(self.device, dtype=torch_type(self.torch, self.settings.compute))

    def micro_batch(self, later):
        """Forward, loss and backward of one micro-batch. Autocast ends before the backward pass, as in Trainer."""
        suffix = "_2" if later else ""
        if self.settings.loss == "fused":
            return self.with_loss_inside(suffix)
        with self.autocast():
            with self.meter.phase(f"forward{suffix}"):
                logits = self.model(input_ids=self.ids).logits
            with self.meter.phase(f"loss{suffix}"):
                loss = causal_loss(unwrapped(self.model), self.torch, logits, self.ids) / self.settings.accumulation
        if not self.settings.logits_kept:
            del logits
        with self.meter.phase(f"backward{suffix}"):
            (self.scaler.scale(loss) if self.scaler else loss).backward()

    def with_loss_inside(self, suffix):
        """A fused loss is taken by the model, which makes no logits."""
        with self.autocast(), self.meter.phase(f"forward{suffix}"):
            loss = self.model(input_ids=self.ids, labels=self.ids).loss / self.settings.accumulation
        with self.meter.phase(f"backward{suffix}"):
            (self.scaler.scale(loss) if self.scaler else loss).backward()

    def step(self):
        self.meter.new_step()
        began = time.perf_counter()
        for index in range(self.settings.accumulation):
            self.micro_batch(later=index > 0)
        with self.meter.phase("step"):
            if self.scaler:
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                self.optimizer.step()
        self.seconds = time.perf_counter() - began  # phases end when the device has done all
        self.optimizer.zero_grad(set_to_none=True)

    def run(self, steps):
        """At least two: the first has no states of the optimizer yet."""
        with self.meter.phase("load"):
            pass
        for _ in range(max(2, steps)):
            self.step()


class AfterFirstToken:
    """Asked by generate() after each token: the first ends the prefill."""

    def __init__(self, prefill, decode):
        self.prefill, self.decode = prefill, decode
        self.seen = 0

    def __call__(self, input_ids, scores, **_):
        self.seen += 1
        if self.seen == 1:
            self.prefill.__exit__(None, None, None)
            self.decode.__enter__()
        return input_ids.new_zeros(input_ids.shape[0]).bool()


def run_inference(model, settings, meter, torch, device, twice=False):
    """One answer by greedy decoding: `prompt` tokens at once, then one by one until the context is full.
    @param twice whether a short answer comes before, so that what is timed waits for no kernel to be loaded"""
    ids = torch.randint(0, model.config.vocab_size, (settings.sequences, settings.prompt), device=device)
    with meter.phase("load"):
        pass
    prefill, decode = meter.phase("prefill"), meter.phase("decode")
    generation = getattr(model, "generation_config", None)
    if generation is not None:
        generation.eos_token_id, generation.pad_token_id = None, 0
    new = settings.context - settings.prompt
    with torch.no_grad():
        if twice:
            model.generate(ids, max_new_tokens=2, do_sample=False)
        prefill.__enter__()
        # A prompt that fills the context is answered by one token, and no step of decoding follows.
        model.generate(ids, max_new_tokens=max(1, new), do_sample=False, stopping_criteria=[AfterFirstToken(prefill, decode)])
        decode.__exit__(None, None, None)
    if new <= 1:
        meter.phases.pop("decode")
