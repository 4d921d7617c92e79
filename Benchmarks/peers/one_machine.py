#!/usr/bin/env python3
"""Prints what a core does in an hour, and the memory: for the page "When one machine is enough".

  Benchmarks/peers/one_machine.py [GAIT]      GAIT is the release build of the command, for its rows
  Benchmarks/peers/one_machine.py blocks GAIT [HOURS]
                                      only files of an hour, a day and a week (or HOURS) by the command, in blocks;
                                      fails if one takes 200 MB, if the bits differ from those of the whole recording,
                                      or the time is 1.5 × as long, for files without times, with times, and with times
                                      of an unusual rate

Six hours at 100 Hz from a CSV file, through the command and the Python package, which this Python must have with
pyarrow; from Parquet files of twelve channels and of x, y and z of an accelerometer; and a week at 100 Hz through
streams. Reading is included. Files in blocks need no Python package. Times are of the processor, user and system
together, so that other programs matter little; memory is the largest resident size of the process.
"""
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

RATE, HOURS = 100, 6
ROOT = pathlib.Path(__file__).resolve().parents[2]


LAUNCHER = """
import os, sys
silent = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", 1, 0)]
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent)
_, status, usage = os.wait4(process, 0)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
sys.exit(status != 0)
"""


def measured(*arguments):
    """Processor seconds and the largest memory in MB of a process."""
    # A process counts the memory of the one that started it, so that a small one does.
    printed = subprocess.run([sys.executable, "-S", "-c", LAUNCHER, *map(str, arguments)], stdout=subprocess.PIPE,
                             text=True)
    if printed.returncode != 0:
        sys.exit(f"failed: {arguments}")
    seconds, memory = printed.stdout.split()
    return float(seconds), float(memory) / 1000


def show(name, hours, seconds, memory):
    print(f"| {name} | {hours / seconds * 3600:,.0f} | {memory:,.0f} |", flush=True)


def write_file(path, hours=HOURS, hertz=None):
    """Hours of a simulated runner, twelve channels; with uneven times at a rate, if one is given."""
    source = (ROOT / "datasets/simulated/running/sub_1.csv").read_text().splitlines(True)
    header, rows = source[0].partition(",")[2], [row.partition(",")[2] for row in source[1:]]
    block, count = "".join(rows), hours * 3600 * RATE
    with path.open("w") as file:
        if hertz is not None:
            file.write("time," + header)
            times = ((index + index * 7919 % 13 / 50) / hertz for index in range(count))
            file.writelines(f"{time:.5f},{rows[index % len(rows)]}" for index, time in enumerate(times))
            return
        file.write(header)
        for _ in range(count // len(rows)):
            file.write(block)
        file.writelines(rows[:count % len(rows)])


def command(gait, path, out):
    for name, arguments in [
        ("7 features, CSV", ["features", path, "--output", out.with_suffix(".csv")]),
        ("7 features, .npy", ["features", path, "--npy", "--output-folder", out]),
        ("539 features, .npy", ["features", path, "--set", "full", "--npy", "--output-folder", out]),
        ("labels, printed", ["classify", "running", path]),
        ("labels, CSV", ["classify", "running", path, "--output-folder", out]),
        ("run", ["track", "running", path, "--json"]),
    ]:
        show(f"`gait`: {name}", HOURS, *measured(gait, *arguments, "--rate", RATE))


def whole(gait, path, arguments, rate):
    """Processor seconds and results of a recording from a pipe, which is read as a whole, and of the file in blocks."""
    seconds, results = [], []
    for name in ("/dev/stdin", path):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(path) as file:
            pipe = subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE) if name != path else None
            result = subprocess.run([gait, *arguments, name, *rate], capture_output=True, check=True,
                                    stdin=pipe.stdout if pipe else subprocess.DEVNULL)
            if pipe:
                pipe.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        results.append(result.stdout.replace(str(name).encode(), b""))
    return seconds, results


def blocks(gait, longest):
    commands = [["features"], ["classify", "running"], ["track", "running", "--json"]]
    kinds = {"none": (None, ["--rate", str(RATE)]), f"{RATE} Hz": (RATE, []), "97.3 Hz": (97.3, [])}
    with tempfile.TemporaryDirectory() as folder:
        path, failed = pathlib.Path(folder, "long.csv"), []
        print("| work | times | whole, s | blocks, s | ratio |\n|---|---|---:|---:|---:|")
        for kind, (hertz, rate) in kinds.items():
            write_file(path, HOURS, hertz)
            for command in commands:
                turns = [whole(gait, path, command, rate) for _ in range(5)]
                all_rows, in_blocks = (statistics.median(turn[0][index] for turn in turns) for index in range(2))
                print(f"| `gait {command[0]}` | {kind} | {all_rows:.2f} | {in_blocks:.2f} | {in_blocks / all_rows:.2f} "
                      "|", flush=True)
                if any(turn[1][0] != turn[1][1] for turn in turns):
                    failed.append(f"{command[0]}, {kind}: the bits of blocks differ from those of the whole recording")
                if in_blocks > 1.5 * all_rows:
                    failed.append(f"{command[0]}, {kind}: too slow")
        sizes = [hours for hours in (1, 24, 7 * 24) if hours <= longest]
        print("\n| work | " + " | ".join(f"{hours} h, MB" for hours in sizes) + " |\n|---|" + "---:|" * len(sizes))
        memory = {command[0]: [] for command in commands}
        for hours in sizes:
            write_file(path, hours)
            for command in commands:
                memory[command[0]].append(measured(gait, *command, path, "--rate", RATE)[1])
        for name, values in memory.items():
            print(f"| `gait {name}` | " + " | ".join(f"{value:.0f}" for value in values) + " |")
            if max(values) >= 200:
                failed.append(f"{name}: too much memory")
    sys.exit("\n".join(failed) or None)


FILE = """
import sys, gait_motion as gait
path, rate = sys.argv[2], 100
{"whole": lambda: gait.read_recording(path, sample_rate=rate),
 "7 features": lambda: gait.Features(source_rate=rate).transform(path),
 "539 features": lambda: gait.Features("full", source_rate=rate).transform(path),
 "labels": lambda: gait.Model.load("running").predict(path, sample_rate=rate),
 "run": lambda: gait.track(path, sample_rate=rate)}[sys.argv[1]]()
"""

PARQUET = """
import sys, gait_motion as gait, pyarrow.parquet as parquet
kind, path = sys.argv[1:]
if kind.startswith("x, y, z"):
    # As a frame of actipy: gravity is estimated from the whole recording.
    table = parquet.read_table(path, columns=["x", "y", "z"])
    gait.Features().transform(gait.Recording.from_samples(table, unit="g", sample_rate=100))
else:
    stream = gait.Features("full" if "539" in kind else "orientationFree").stream(100)
    for batch in parquet.ParquetFile(path).iter_batches(65536, columns=list(gait.CHANNELS)):
        stream.push(batch)
"""

WRITE_PARQUET = """
import sys, gait_motion as gait, numpy as np, pyarrow, pyarrow.parquet as parquet
values = np.resize(gait.read_recording(sys.argv[1], sample_rate=50).values, (int(sys.argv[3]), 12))
columns = dict(zip(gait.CHANNELS, values.T))
columns |= {axis: columns[f"gravity.{axis}"] + columns[f"userAcceleration.{axis}"] for axis in "xyz"}
table = pyarrow.table({name: np.ascontiguousarray(column) for name, column in columns.items()})
parquet.write_table(table, sys.argv[2])
"""

WEEK = """
import sys, numpy as np, gait_motion as gait
kind = sys.argv[1]
block = np.tile(gait.read_recording(sys.argv[2], sample_rate=50).values, (5, 1))
model = gait.Model.load("running")
stream = {"7 features": lambda: gait.Features().stream(100), "labels": lambda: model.stream(100),
          "run": lambda: gait.RunStream(model, 100)}[kind]()
rows = 7 * 24 * 3600 * 100
for first in range(0, rows, len(block)):
    stream.push(block[:rows - first])
"""


def main():
    print("| work | hours of recording at 100 Hz in an hour of a core | memory, MB |\n|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "long.csv")
        write_file(path)
        if len(sys.argv) == 2:
            command(sys.argv[1], path, pathlib.Path(folder, "out"))
        for kind in ("whole", "7 features", "539 features", "labels", "run"):
            show(f"CSV file in Python: {kind}", HOURS, *measured(sys.executable, "-c", FILE, kind, path))
        parquet = pathlib.Path(folder, "long.parquet")
        sample = ROOT / "datasets/simulated/running/sub_1.csv"
        subprocess.run([sys.executable, "-c", WRITE_PARQUET, sample, parquet, str(HOURS * 3600 * RATE)], check=True)
        for kind in ("twelve channels: 7 features", "twelve channels: 539 features", "x, y, z: 7 features"):
            show(f"Parquet file in Python, {kind}", HOURS, *measured(sys.executable, "-c", PARQUET, kind, parquet))
    for kind in ("7 features", "labels", "run"):
        show(f"stream in Python, a week: {kind}", 7 * 24, *measured(sys.executable, "-c", WEEK, kind, sample))


if __name__ == "__main__":
    if sys.argv[1:2] == ["blocks"] and 3 <= len(sys.argv) <= 4:
        blocks(sys.argv[2], int(sys.argv[3]) if len(sys.argv) == 4 else 7 * 24)
    if len(sys.argv) > 2 or sys.argv[1:2] == ["blocks"]:
        sys.exit(__doc__)
    main()
