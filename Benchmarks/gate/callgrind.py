"""What a run of a workload costs, by callgrind: instructions of every function, and allocations."""

import os
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

ALLOCATORS = ("malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign")
# Hashing with a fixed seed and one BLAS kernel for all machines: the same instructions everywhere.
ENVIRONMENT = os.environ | {
    "SWIFT_DETERMINISTIC_HASHING": "1", "OPENBLAS_CORETYPE": "Sandybridge", "OPENBLAS_NUM_THREADS": "1", "LC_ALL": "C"}

# Where workloads put their files. A path's length decides how often Foundation allocates for it, and TMPDIR differs from
# machine to machine; a folder made here has a name of one length everywhere.
TEMPORARY = "/tmp"


def cost_of_a_run(program, workload):
    """Instructions by function and the number of allocations of one run, without what makes it ready."""
    once, thrice = (profile(program, workload, count) for count in (1, 3))
    instructions = {name: (cost - once[0][name]) / 2 for name, cost in thrice[0].items() if cost != once[0][name]}
    return instructions, (thrice[1] - once[1]) / 2


def pin_to_one_core():
    """What is made ready on several threads allocates as they happen to come, and would be counted."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def profile(program, workload, count):
    with tempfile.TemporaryDirectory(prefix="gait-", dir=TEMPORARY) as folder:
        output = Path(folder) / "callgrind.out"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", program, workload, str(count)],
            capture_output=True, text=True, env=ENVIRONMENT | {"TMPDIR": folder}, preexec_fn=pin_to_one_core)
        if done.returncode != 0:
            raise SystemExit(f"{workload} failed under valgrind:\n{done.stderr}")
        return parse(output.read_text(errors="replace"))


NAME = re.compile(r"\((\d+)\)(?: (.*))?")


def parse(text):
    """Self cost by function, and how often an allocator was called from elsewhere."""
    names, costs, allocations = {}, Counter(), 0
    function = callee = None
    is_inclusive = False

    def resolve(value):
        number, name = NAME.fullmatch(value).groups()
        if name:
            names[number] = plain(name)
        return names[number]

    for line in text.splitlines():
        if line.startswith("fn="):
            function = resolve(line[3:])
        elif line.startswith("cfn="):
            callee = resolve(line[4:])
        elif line.startswith("calls="):
            if callee in ALLOCATORS and function not in ALLOCATORS:
                allocations += int(line[6:].split()[0])
            is_inclusive = True  # the next line is the callee's cost
        elif function and line and (line[0].isdigit() or line[0] in "+-*"):
            if not is_inclusive:
                costs[function] += int(line.split()[1])
            is_inclusive = False
    return costs, allocations


def plain(name):
    """A function's name without the marks of recursion (`'2`) and symbol version (`@@GLIBC_2.34`)."""
    return re.sub(r"('\d+)?(@@?.*)?$", "", name)
