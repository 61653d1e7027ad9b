"""measure.py without a GPU: requests read and refused, rows written, a meter on a pretended device, and a dry run where PyTorch is.

python3 -m unittest test_measure, in this folder
"""

import io
import json
import subprocess
import sys
import types
import unittest
from pathlib import Path

from measuring import grid, side_by_side, spread, wider
from measuring.building import adapted, with_dropout
from measuring.meters import CudaMeter
from measuring.optimizers import OPTIMIZERS, STEPS
from measuring.packages import at_least, has
from measuring.rows import row_of
from measuring.settings import PRESETS, Refused, settings_of

MODEL = {"preset": "llama-3.2-1b"}


def asked(training=None, **more):
    return {"model": MODEL, "training": {"precision": "bf16", "sequence": 64, **(training or {})}, **more}


def read(request):
    return settings_of(request, OPTIMIZERS)


class Requests(unittest.TestCase):
    def test_a_training_block_becomes_settings(self):
        lora = {"rank": 4, "targets": ["q_proj"], "dropout": 0.1}
        settings = read(asked({"method": "qlora", "lora": lora, "micro_batch": 2, "accumulation": 3, "checkpointing": "full"}))
        self.assertEqual((settings.model, settings.encoding, settings.compute), ("Llama 3.2 1B", "nf4", "bf16"))
        self.assertEqual((settings.micro_batch, settings.sequence, settings.accumulation, settings.checkpointing), (2, 64, 3, True))
        self.assertEqual(settings.lora["rank"], 4)
        self.assertEqual(settings.config["hidden_size"], 2048)

    def test_autocast_keeps_weights_in_fp32(self):
        settings = read(asked({"precision": "bf16-autocast"}))
        self.assertEqual((settings.encoding, settings.compute, settings.autocast), ("fp32", "bf16", True))

    def test_an_inference_block_becomes_settings(self):
        settings = read({"model": MODEL, "weights": {"encoding": "int8-llm"}, "inference": {"context": 100, "prompt": 60, "sequences": 2}})
        self.assertEqual((settings.task, settings.context, settings.prompt, settings.sequences), ("inference", 100, 60, 2))
        self.assertEqual((settings.encoding, settings.compute, settings.attention), ("int8-llm", "bf16", "sdpa"))

    def test_what_cannot_be_honoured_is_refused_by_its_name(self):
        refused = {
            "training.precision": asked({"precision": "bf16-mixed"}),
            "training.loss": asked({"loss": "chunked"}),
            "training.checkpointing": asked({"checkpointing": "selective"}),
            "training.optimizer": asked({"optimizer": "shampoo"}),
            "training.sequence": asked({"sequence": None}),
            "training.micro_batch": asked({"micro_batch": 0}),
            "training.gradient_encoding": asked({"gradient_encoding": "fp32"}),
            "training.lora.rank": asked({"method": "lora", "lora": {"rank": "8"}}),
            "training.lora.encoding": asked({"method": "lora", "lora": {"encoding": "fp16"}}),
            "weights.encoding": asked(weights={"encoding": "nf4"}),
            "weights.sparsity": asked(weights={"sparsity": {"kind": "2:4"}}),
            "devices": asked(devices=2),
            "parallel.tensor": asked(parallel={"tensor": 2}),
            "parallel.framework": asked(parallel={"data": 8, "zero": 3}, devices=8),
            "parallel.offload": asked(parallel={"data": 8, "framework": "fsdp2", "offload": {"optimizer": "cpu"}, "backend": "gloo"}, devices=8),
            "model.preset": {"model": {"preset": "no-such"}, "inference": {"context": 8}},
            "model": {"model": {"parameters": 7e9}, "inference": {"context": 8}},
            "inference.runtime": {"model": MODEL, "inference": {"context": 8, "runtime": "vllm"}},
            "inference.offload": {"model": MODEL, "inference": {"context": 8, "offload": {"gpu_layers": 1}}},
            "inference.prompt": {"model": MODEL, "inference": {"context": 8, "prompt": 9}},
        }
        for name, request in refused.items():
            with self.subTest(name), self.assertRaises(Refused) as raised:
                read(request)
            self.assertIn(name, str(raised.exception))

    def test_every_field_of_the_schema_is_honoured_or_refused(self):
        schema = json.loads((PRESETS / "schema" / "request.json").read_text())["$defs"]["training"]["properties"]
        for name in schema:
            with self.subTest(name), self.assertRaises(Refused):
                read(asked({name: "nonsense"}))

    def test_optimizers_and_their_steps_are_those_of_the_presets(self):
        ids = {path.stem for path in (PRESETS / "optimizers").glob("*.json")}
        self.assertLessEqual(set(OPTIMIZERS), ids)
        schema = json.loads((PRESETS / "schema" / "request.json").read_text())["$defs"]["training"]["properties"]
        today = set(schema["optimizer_step"]["enum"]) - {"foreach-2.0"}  # refused: the PyTorch that runs has its own
        self.assertEqual({step for step in STEPS if step}, today)


class Building(unittest.TestCase):
    def test_dropout_replaces_every_probability_of_the_config(self):
        config = {"attention_dropout": 0.0, "resid_pdrop": 0.1, "embd_pdrop": 0.1, "hidden_size": 8}
        self.assertEqual(with_dropout(config, 0.2), {"attention_dropout": 0.2, "resid_pdrop": 0.2, "embd_pdrop": 0.2, "hidden_size": 8})
        self.assertIs(with_dropout(config, None), config)

    def test_adapters_are_asked_of_peft_as_the_request_says(self):
        said = {}
        peft = types.ModuleType("peft")
        peft.LoraConfig = lambda **words: said.update(words)
        peft.get_peft_model = lambda model, config, **words: said.update(words)
        sys.modules["peft"], before = peft, sys.modules.get("peft")
        try:
            adapted(None, read(asked({"method": "dora", "lora": {"rank": 4, "targets": ["all-linear"]}})))
        finally:
            del sys.modules["peft"]
            if before:
                sys.modules["peft"] = before
        self.assertEqual((said["r"], said["target_modules"], said["use_dora"], said["autocast_adapter_dtype"]), (4, "all-linear", True, True))

    def test_releases_compare_as_numbers(self):
        self.assertTrue(at_least("4.56.1", (4, 56)) and at_least("5.0.0.dev0", (4, 56)))
        self.assertFalse(at_least("4.9.2", (4, 45)))


def pretended(readings):
    """A torch whose device holds what `readings` say, one after the other: allocated, reserved, their peaks, free."""
    held = iter(readings)
    now = {}
    cuda = types.SimpleNamespace(
        init=lambda: None,
        synchronize=lambda: None,
        reset_peak_memory_stats=lambda: now.update(zip(("a", "r", "pa", "pr", "free"), next(held))),
        memory_allocated=lambda: now["a"],
        memory_reserved=lambda: now["r"],
        max_memory_allocated=lambda: now["pa"],
        max_memory_reserved=lambda: now["pr"],
        mem_get_info=lambda: (now["free"], 1000),
    )
    return types.SimpleNamespace(cuda=cuda, zeros=lambda *_, **__: None)


class Rows(unittest.TestCase):
    def setUp(self):
        self.meter = CudaMeter(pretended([(10, 20, 10, 20, 900), (30, 60, 50, 60, 860), (30, 60, 40, 60, 860)]))
        for name in ("load", "forward", "forward"):
            with self.meter.phase(name):
                pass

    def test_a_phase_that_comes_again_shows_the_larger_of_each(self):
        self.assertEqual(self.meter.phases["forward"]["peak_allocated"], 50)
        self.assertEqual(self.meter.highest["in_use"], 140)
        self.meter.new_step()
        self.assertEqual(list(self.meter.phases), ["load"])

    def test_a_row_says_what_was_asked_and_can_be_asked_again(self):
        request = asked({"micro_batch": 2}, device={"preset": "h100-sxm-80gb"})
        machine = {"name": "GPU", "memory_bytes": 1000, "versions": {"torch": "2.9"}, "date": "2026-11-22"}
        settings = read(request)
        row = json.loads(json.dumps(row_of(request, settings, self.meter.phases, self.meter.highest, 150, machine, 3)))
        self.assertEqual(row["measured"], {"max_allocated": 50, "max_reserved": 60, "process": 150})
        self.assertEqual((row["value"], row["unit"], row["bytes"], row["kind"]), (50, "B", 50, "measured max_allocated"))
        self.assertEqual(row["request"]["device"], {"memory_bytes": 1000})
        again = {**row["request"], "model": {"preset": row["preset"]}}
        self.assertEqual(read(again), settings)
        for field in ("source", "where", "settings", "per", "verified", "versions", "device", "date", "task"):
            self.assertIn(field, row)


class Spread(unittest.TestCase):
    def test_every_case_is_a_request_that_is_honoured_and_differs_from_the_others(self):
        cases = spread.cases()
        self.assertGreaterEqual(len(cases), 40)
        for case in cases:
            with self.subTest(spread.title(case)):
                read(case)
        self.assertEqual(len({spread.title(case) + json.dumps(case) for case in cases}), len(cases))

    def test_layers_are_cut_in_the_config(self):
        self.assertEqual(spread.model_of("mixtral-8x7b", 1)["config"]["num_hidden_layers"], 1)


class Grid(unittest.TestCase):
    def test_every_case_is_honoured(self):
        for cases, least in ((grid.cases(), 300), (wider.cases(), 150)):
            self.assertGreaterEqual(len(cases), least)
            for case in cases:
                with self.subTest(json.dumps(case)):
                    read(json.loads(json.dumps(case["request"])))

    def test_trainer_is_told_what_the_request_says(self):
        self.assertTrue(read(asked({"trainer": "transformers"})).trainer)
        self.assertFalse(read(asked()).trainer)
        with self.assertRaises(Refused) as refused:
            read(asked({"trainer": "axolotl"}))
        self.assertEqual(refused.exception.field, "training.trainer")

    def test_runs_go_side_by_side_as_memory_allows_and_none_takes_the_others_with_it(self):
        def answer(request):
            if request == "breaks":
                raise ValueError("what broke")
            return 0, request

        said, out = [], io.StringIO()
        cases = [{"request": name, "need": need} for name, need in (("a", 6), ("b", 6), ("breaks", 2), ("c", 2))] + [{"request": "d", "alone": True}]
        count = side_by_side.run_all(cases, answer, 8, 4, 60, out, lambda case, status, text, took: said.append((status, text)))
        self.assertEqual(count, {0: 4, 5: 1})
        self.assertEqual(sorted(out.getvalue().split()), ["a", "b", "c", "d"])
        self.assertIn((5, "failed: ValueError: what broke"), said)


def run(request, *flags):
    program = str(Path(__file__).with_name("measure.py"))
    return subprocess.run([sys.executable, program, "-", *flags], input=json.dumps(request), capture_output=True, text=True)


class Program(unittest.TestCase):
    def test_a_refusal_is_said_and_is_status_1(self):
        done = run(asked({"loss": "chunked"}), "--device", "cpu")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("refused: training.loss", done.stderr)

    @unittest.skipUnless(has("torch"), "PyTorch is not installed")
    def test_a_dry_run_goes_through_all_phases(self):
        done = run(asked({"accumulation": 2, "precision": "fp32"}), "--device", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        row = json.loads(done.stdout)
        self.assertEqual(list(row["phases"]), ["load", "forward", "loss", "backward", "forward_2", "loss_2", "backward_2", "step"])
        held = {name: phase["allocated"] for name, phase in row["phases"].items()}
        # parameters; with the first step's two moments; with gradients too
        self.assertGreater(held["forward"], 3 * held["load"] - 2000)
        self.assertGreater(held["backward"], 4 * held["load"] - 2000)
        self.assertEqual((row["kind"], row["verified"]), ("dry run", "nothing was measured"))

    @unittest.skipUnless(has("torch"), "PyTorch is not installed")
    def test_a_dry_answer_has_a_prefill_and_a_decode(self):
        done = run({"model": MODEL, "inference": {"context": 32, "prompt": 8}}, "--device", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(json.loads(done.stdout)["phases"]), ["load", "prefill", "decode"])

    @unittest.skipUnless(has("torch"), "PyTorch is not installed")
    def test_without_a_gpu_it_says_so(self):
        import torch

        if torch.cuda.is_available():
            self.skipTest("there is a GPU")
        done = run(asked())
        self.assertEqual(done.returncode, 3)
        self.assertIn("no GPU", done.stderr)


if __name__ == "__main__":
    unittest.main()
