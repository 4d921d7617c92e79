"""The cost of a workload by callgrind: instructions of every function, and allocations."""

import os
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

ALLOCATORS = ("malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign")
# Deterministic hashing and one BLAS kernel give the same instructions on all machines.
ENVIRONMENT = os.environ | {
    "SWIFT_DETERMINISTIC_HASHING": "1", "OPENBLAS_CORETYPE": "Sandybridge", "OPENBLAS_NUM_THREADS": "1", "LC_ALL": "C"}

# The folder for the workloads' files. The length of a path affects how often Foundation allocates, and TMPDIR differs
# between machines; a temporary folder here has a name of constant length.
TEMPORARY = "/tmp"


def cost_of_a_run(program, workload):
    """Instructions by function and the number of allocations of one run, without preparation."""
    once, thrice = (profile(program, workload, str(count)) for count in (1, 3))
    instructions = {name: (cost - once[0][name]) / 2 for name, cost in thrice[0].items() if cost != once[0][name]}
    return instructions, (thrice[1] - once[1]) / 2


def pin_to_one_core():
    """Pins the process to one core: preparation on several threads has a varying number of allocations."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def profile(program, *arguments):
    """Instructions by function and the number of allocations of a whole process."""
    with tempfile.TemporaryDirectory(prefix="gait-", dir=TEMPORARY) as folder:
        output = Path(folder) / "callgrind.out"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", program, *arguments],
            capture_output=True, text=True, env=ENVIRONMENT | {"TMPDIR": folder}, preexec_fn=pin_to_one_core)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(arguments)} failed under valgrind:\n{done.stderr}")
        return parse(output.read_text(errors="replace"))


NAME = re.compile(r"\((\d+)\)(?: (.*))?")


def parse(text):
    """Self cost by function, and the number of calls of allocators from other functions."""
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
    """A function's name without the suffixes for recursion (`'2`) and symbol version (`@@GLIBC_2.34`)."""
    return re.sub(r"('\d+)?(@@?.*)?$", "", name)
