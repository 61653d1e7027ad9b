"""Many requests on one device at the same time: packages are imported once, and each run is a fork with a CUDA context of its own.

What the allocator counts is each process's own, so that neighbours change no figure; how long a step takes is told only of a run alone.
"""

import json
import os
import time

IMPORTED = ("torch", "transformers", "transformers.models.auto.modeling_auto")


def imported():
    """What most runs need, before any fork; nothing here may wake the device, which no fork survives."""
    import importlib
    import logging

    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    for name in IMPORTED:
        try:
            importlib.import_module(name)
        except ImportError as error:
            logging.warning("%s: %s", name, error)


class Run:
    """One forked run, which writes its answer into a pipe: exit status and text, as JSON."""

    def __init__(self, case, answer):
        self.case = case
        self.need = case.get("need", 0)
        self.began = time.monotonic()
        ear, mouth = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(ear)
            with os.fdopen(mouth, "w") as file:
                file.write(json.dumps(said_of(case, answer)))
                file.flush()
                os._exit(0)
        os.close(mouth)
        self.ear = ear
        os.set_blocking(ear, False)
        self.heard = b""

    def over(self):
        """Whether it has ended; what it says is read meanwhile, so that it never waits for us."""
        while True:
            try:
                piece = os.read(self.ear, 1 << 16)
            except BlockingIOError:
                return False
            if not piece:
                os.close(self.ear)
                os.waitpid(self.pid, 0)
                return True
            self.heard += piece

    def answer(self):
        return tuple(json.loads(self.heard)) if self.heard else (5, "the process was ended")


def said_of(case, answer):
    try:
        return answer(case["request"])
    except BaseException as error:  # whatever one run meets, the others go on
        return 5, f"failed: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"


def fits(run_need, running, room):
    return not running or run_need + sum(other.need for other in running) <= room


def run_all(cases, answer, room, at_once, seconds, out, say):
    """`cases`: {"request", "need": bytes it is thought to take, "alone": true where it is timed}, in order of their worth; one that
    does not fit beside those that run lets smaller ones pass. @param room bytes of the device @param seconds after which none is begun
    @returns how many of each exit status"""
    waiting, running, count = list(cases), [], {}
    began = time.monotonic()
    while waiting or running:
        if time.monotonic() - began > seconds:
            waiting = []
        alone = any(run.case.get("alone") for run in running)
        chosen = None if alone or len(running) >= at_once else next(
            (case for case in waiting if (not running if case.get("alone") else fits(case.get("need", 0), running, room))), None
        )
        if chosen is not None:
            waiting.remove(chosen)
            running.append(Run(chosen, answer))
            continue
        for run in [run for run in running if run.over()]:
            running.remove(run)
            status, text = run.answer()
            count[status] = count.get(status, 0) + 1
            if status == 0:
                out.write(text + "\n")
                out.flush()
            say(run.case, status, text, time.monotonic() - run.began)
        time.sleep(0.02)
    return count
