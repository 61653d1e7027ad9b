"""What is held at each phase: by PyTorch's allocator and the driver on a GPU, by the tensors that Python can see in a dry run."""

import contextlib
import gc
import os
import time

from .packages import has, needed


class Meter:
    """Readings by phase; of a phase that comes again in a step (micro-batches), the larger of each."""

    def __init__(self):
        self.phases = {}
        self.highest = {}

    def new_step(self):
        """Forget all phases but the first, loading: a row shows the last step."""
        self.phases = {name: reading for name, reading in self.phases.items() if name == "load"}

    @contextlib.contextmanager
    def phase(self, name):
        self.begin()
        yield
        reading = self.read()
        known = self.phases.get(name, {})
        self.phases[name] = {figure: max(value, known.get(figure, 0)) for figure, value in reading.items()}
        self.highest = {figure: max(value, self.highest.get(figure, 0)) for figure, value in reading.items()}


class CudaMeter(Meter):
    """Bytes: `allocated` and `reserved` at the end of a phase, `peak_…` at its fullest, `in_use` of the whole device by the driver,
    and `seconds` on the clock, where the run has it for itself."""

    def __init__(self, torch, alone=True):
        super().__init__()
        self.torch, self.alone = torch, alone
        self.nvml = nvml()
        self.others = self.nvml.in_use(0) if self.nvml and alone else None  # before this process has a context
        torch.cuda.init()
        torch.zeros(1, device="cuda")

    def begin(self):
        self.torch.cuda.synchronize()
        self.torch.cuda.reset_peak_memory_stats()
        self.began = time.perf_counter()

    def read(self):
        cuda = self.torch.cuda
        cuda.synchronize()
        took = time.perf_counter() - self.began
        free, total = cuda.mem_get_info()
        return {
            **({"in_use": total - free, "seconds": round(took, 6)} if self.alone else {}),  # neighbours are in both
            "allocated": cuda.memory_allocated(),
            "reserved": cuda.memory_reserved(),
            "peak_allocated": cuda.max_memory_allocated(),
            "peak_reserved": cuda.max_memory_reserved(),
        }

    def process(self):
        """Bytes of this process on the device, context included, or nothing where others use the device and the driver does not say."""
        own = self.nvml.of_this_process(0) if self.nvml else None
        if own:
            return own
        return self.highest["in_use"] - self.others if self.others is not None else None


class DryMeter(Meter):
    """Bytes of all tensors that Python can reach; what autograd keeps is not among them."""

    def __init__(self, torch):
        super().__init__()
        self.torch = torch

    def begin(self):
        gc.collect()

    def read(self):
        storages = {}
        for each in gc.get_objects():
            if isinstance(each, self.torch.Tensor):
                storages[each.storage().data_ptr()] = each.storage().nbytes()
                if each.is_leaf and each.grad is not None:  # lives in C++ until someone asks for it
                    storages[each.grad.storage().data_ptr()] = each.grad.storage().nbytes()
        held = sum(storages.values())
        return {"allocated": held, "peak_allocated": held}

    def process(self):
        return None


class Nvml:
    """The driver's own answers, through pynvml."""

    def __init__(self, pynvml):
        self.pynvml = pynvml
        pynvml.nvmlInit()

    def handle(self, index):
        return self.pynvml.nvmlDeviceGetHandleByIndex(index)

    def in_use(self, index):
        return self.pynvml.nvmlDeviceGetMemoryInfo(self.handle(index)).used

    def of_this_process(self, index):
        for process in self.pynvml.nvmlDeviceGetComputeRunningProcesses(self.handle(index)):
            if process.pid == os.getpid() and process.usedGpuMemory:
                return process.usedGpuMemory
        return None  # in a container, where process ids are others


def nvml():
    if not has("pynvml"):
        return None
    try:
        return Nvml(needed("pynvml"))
    except Exception:  # a package without a driver says so in many ways, and the driver is then not asked
        return None
