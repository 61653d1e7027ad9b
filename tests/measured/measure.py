"""Runs a Plimsoll request on a real GPU and prints a row for tests/measured/: what was allocated, reserved and seen by the driver.

    python3 tests/measured/measure.py REQUEST.json        a file, or - for standard input
    python3 tests/measured/measure.py --spread --out tests/measured/RUNS.jsonl
    python3 tests/measured/measure.py --cases CASES.jsonl --at-once 8 --out tests/measured/RUNS.jsonl

Needs PyTorch and transformers, peft for adapters, bitsandbytes for quantized bases and 8-bit optimizers. Models are made with random
weights from the config that the request holds or whose preset it names; nothing is downloaded. --device cpu is a dry run: a small
stand-in takes the model's place, and the row, whose figures mean nothing, says so.

Exit status: 0 a row was printed; 1 the request cannot be honoured; 2 wrong usage; 3 no GPU, or a package is missing; 4 out of memory.
"""

import argparse
import datetime
import json
import os
import sys

from measuring import side_by_side, spread
from measuring.building import model_of, plain_model
from measuring.meters import CudaMeter, DryMeter
from measuring.optimizers import OPTIMIZERS, optimizer_of
from measuring.packages import Missing, at_least, needed, versions
from measuring.rows import row_of
from measuring.runs import Training, run_inference
from measuring.settings import Refused, settings_of
from measuring.sharding import divided
from measuring.standin import stand_in
from measuring.trainer import run_trainer


def arguments():
    parser = argparse.ArgumentParser(description="Runs a Plimsoll request on a GPU and prints what it took as a row of tests/measured/.")
    parser.add_argument("request", nargs="?", help="a request (JSON), or - for standard input")
    parser.add_argument("--steps", type=int, default=3, help="steps of training, at least 2 (default 3): the last is shown by phase")
    parser.add_argument("--out", help="append rows to this file instead of printing them")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda", help="cpu: a dry run with a small stand-in, no figures")
    parser.add_argument("--spread", nargs="?", const="", metavar="WORDS", help="run the built-in cases, or those whose title has WORDS")
    parser.add_argument("--cases", metavar="FILE", help='many requests, side by side: {"request", "need": bytes, "alone": true} a line')
    parser.add_argument("--at-once", type=int, default=8, help="of --cases, how many run at once where memory allows (default 8)")
    parser.add_argument("--seconds", type=float, default=1e9, help="of --cases, begin none after so many")
    parser.add_argument("--list", action="store_true", help="print the titles of the built-in cases")
    return parser


def machine_of(torch, dry):
    """What a row says of where it was measured."""
    about = {"versions": versions(), "date": datetime.date.today().isoformat()}
    about["allocator"] = os.environ.get("PYTORCH_ALLOC_CONF") or os.environ.get("PYTORCH_CUDA_ALLOC_CONF")
    if dry:
        return {**about, "name": "cpu, dry run", "memory_bytes": 2**34}
    properties = torch.cuda.get_device_properties(0)
    return {**about, "name": properties.name, "memory_bytes": properties.total_memory}


def check_release(settings):
    """What this release of transformers does by itself: a request that says otherwise would be measured as something else."""
    release = needed("transformers").__version__
    if settings.release and not release.startswith(settings.release):
        raise Refused("inference.release", f"transformers {release} is installed")
    if settings.all_logits == at_least(release, (4, 45)):
        raise Refused("inference.logits", f"transformers {release} makes those of {'the last token' if settings.all_logits else 'all tokens'}")


def built(settings, torch, device, dry):
    if settings.shards and not dry:
        return divided(settings, torch)
    return model_of(settings, torch, device, stand_in if dry else plain_model)


def measured(request, device, steps, alone=True, timed=False):
    """One run, as a row; where others use the device, the driver is asked for this process's share alone.
    @param timed whether an answer is timed: it is then the second one
    @raises Refused, Missing, torch's OutOfMemoryError"""
    settings = settings_of(request, OPTIMIZERS)
    torch = needed("torch")
    dry = device == "cpu"
    if not dry and not torch.cuda.is_available():
        raise Missing("PyTorch sees no GPU here (--device cpu tries the program without one)")
    if settings.task == "inference" and not dry:
        check_release(settings)
    torch.manual_seed(0)
    if settings.expandable and not dry:
        torch.cuda.memory._set_allocator_settings("expandable_segments:True")
    meter = DryMeter(torch) if dry else CudaMeter(torch, alone)
    model = built(settings, torch, device, dry)
    by_hand = settings.task == "training" and not settings.trainer
    run = Training(model, optimizer_of(settings, model, torch), settings, meter, torch, device) if by_hand else None
    if not dry:
        torch.cuda.empty_cache()  # what making random weights took belongs to no run
    seconds = None
    if settings.trainer:
        run_trainer(model, settings, meter, torch, max(2, steps))
    elif run:
        run.run(steps)
        seconds = run.seconds
    else:
        run_inference(model, settings, meter, torch, device, twice=timed and not dry)
    row = row_of(request, settings, meter.phases, meter.highest, meter.process(), machine_of(torch, dry), max(2, steps), seconds if alone and not dry else None)
    return {**row, "kind": "dry run", "verified": "nothing was measured"} if dry else row


def is_out_of_memory(error):
    return type(error).__name__ == "OutOfMemoryError" or "out of memory" in str(error).lower()


def one(path, options):
    try:
        with sys.stdin if path == "-" else open(path, encoding="utf-8") as file:
            request = json.load(file)
    except (OSError, json.JSONDecodeError) as error:
        return 1, f"{path}: {error}"
    return answer(request, options)


def answer(request, options, alone=True, timed=False):
    """Exit status, and the row or what is wrong."""
    try:
        return 0, json.dumps(measured(request, options.device, options.steps, alone, timed))
    except Refused as error:
        return 1, f"refused: {error}"
    except Missing as error:
        return 3, f"missing: {error}"
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        return 4, f"out of memory: {str(error).splitlines()[0]}"


def many(options, out):
    """Requests of a file, side by side. @returns the exit status"""
    with open(options.cases, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    side_by_side.imported()
    alone = {id(case["request"]): bool(case.get("alone")) for case in cases}
    number = [0]

    def say(case, status, text, took):
        number[0] += 1
        result = f"{json.loads(text)['bytes'] / 2**30:.2f} GiB" if status == 0 else text
        print(f"{number[0]}/{len(cases)}  {took:.1f} s  {spread.title(case['request'])}: {result}", file=sys.stderr, flush=True)

    room = 74 * 2**30 if options.device == "cuda" else 2**40
    count = side_by_side.run_all(
        cases, lambda request: answer(request, options, alone[id(request)], timed=alone[id(request)]), room, options.at_once, options.seconds, out, say
    )
    print(", ".join(f"{number} with status {status}" for status, number in sorted(count.items())), file=sys.stderr)
    return 0 if count.get(0) else 3


def main():
    parser = arguments()
    options = parser.parse_args()
    if options.list:
        print("\n".join(spread.title(case) for case in spread.cases()))
        return 0
    if sum(asked is not None for asked in (options.request, options.spread, options.cases)) != 1:
        parser.print_usage(sys.stderr)
        return 2
    out = open(options.out, "a", encoding="utf-8") if options.out else sys.stdout
    if options.cases is not None:
        return many(options, out)
    if options.spread is not None:
        count = spread.run_all(options.spread, __file__, options.steps, out, lambda line: print(line, file=sys.stderr, flush=True))
        print(", ".join(f"{number} {outcome}" for outcome, number in count.items()) or "no case is called so", file=sys.stderr)
        return 0 if "measured" in count else 3
    status, text = one(options.request, options)
    print(text, file=out if status == 0 else sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
