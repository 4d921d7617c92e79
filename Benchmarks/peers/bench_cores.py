"""`gait` on a folder of recordings with one core and with all cores: times, ratio, and whether the outputs are the same
bytes.

The folder is that of `gait-lab simulate`, from a seed. Times are of whole processes, start included. One core is a
process that is bound to one; the command has no option for it.
"""

import hashlib
import os
import shutil
import subprocess
import time

import numpy as np

from report import number, ratio

LAYOUT = ("--layout", "{label}/sub_{subject}.csv", "--rate", "50")
FOLDS = ("--folds", "4")


def works(folder):
    """Title → a function from an output path to the arguments; what the command prints is part of the output."""
    return {
        "`gait evaluate`": lambda output: ["evaluate", "running", folder, *LAYOUT, "--json"],
        "`gait train`, logistic": lambda output: ["train", folder, *LAYOUT, *FOLDS, "--output", output, "--json"],
        "`gait train --model boosted`": lambda output: [
            "train", folder, *LAYOUT, *FOLDS, "--model", "boosted", "--output", output, "--json"],
        "`gait features`, 539 features": lambda output: ["features", folder, *LAYOUT, "--set", "full", "--output",
                                                         output],
        "`gait classify --output-folder`": lambda output: [
            "classify", "running", folder, "--rate", "50", "--output-folder", output]}


def timed(gait, arguments, cores):
    """Seconds and standard output of a process on some cores."""
    start = time.perf_counter()
    done = subprocess.run([gait, *map(str, arguments)], capture_output=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, cores))
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise SystemExit(f"gait {' '.join(map(str, arguments))}\n{done.stderr.decode()}")
    return seconds, done.stdout


def digest(output, printed):
    """A hash of what a command printed and wrote: a file, or the files of a folder with their names."""
    found = hashlib.sha256(printed)
    files = sorted(path for path in output.rglob("*")
                   if path.is_file()) if output.is_dir() else [output] * output.exists()
    for path in files:
        found.update(str(path.relative_to(output)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def run(options, report):
    gait = next(iter(options.executables.values()))
    people, seconds = (8, 60) if options.quick else (24, 120)
    folder = options.folder / "people"
    timed(str(Path(gait).parent / "gait-lab"),
          ["simulate", folder, "--seed", 1, "--subjects", people, "--seconds", seconds], set(options.cores))
    files = list(folder.rglob("*.csv"))
    report.head("All cores", ("numpy",), f"{len(files)} recordings of {seconds} s at 50 Hz, "
                f"{sum(path.stat().st_size for path in files) / 1e6:,.0f} MB, {len(options.cores)} cores")
    report.add("\nSeconds of a whole process. Outputs are compared byte by byte: files, folders and what is printed.\n")
    report.add(f"| | one core, s | {len(options.cores)} cores, s | faster by | output |\n|---|---|---|---|---|")
    ways = {"one": {options.core}, "all": set(options.cores)}
    for title, arguments in works(folder).items():
        times, digests = {way: [] for way in ways}, set()
        for _ in range(3):
            for way, cores in ways.items():
                output = options.folder / "output"  # the same path, as models and manifests may name it
                elapsed, printed = timed(gait, arguments(output), cores)
                times[way].append(elapsed)
                digests.add(digest(output, printed))
                if output.is_dir():
                    shutil.rmtree(output)
                else:
                    output.unlink(missing_ok=True)
        if len(digests) != 1:
            raise SystemExit(f"{title} has {len(digests)} different outputs on one core and on all")
        one, all_cores = np.array(times["one"]), np.array(times["all"])
        report.add(f"| {title} | {number(np.median(one))} | {number(np.median(all_cores))} | "
                   f"{ratio(all_cores, one, is_time=True)} | the same bytes |")
    shutil.rmtree(folder)
