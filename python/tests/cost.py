"""Compares the cost of whole arrays and data frames with that of their blocks of a minute: processor time and memory.

    cost.py ROWS     prints a table; exit code 1 above 1.4 times the time or 1.5 times the memory
"""
import resource
import subprocess
import sys
import time

import numpy as np

import gait_motion as gait

WAYS = ("array", "pandas", "polars", "pyarrow")
MOST_TIME, MOST_MEMORY, TURNS = 1.4, 1.5, 3


def samples(kind, rows):
    """A simulated run, repeated, at 100 Hz with twelve channels, and for data frames times."""
    values = np.random.default_rng(1).normal(0, 0.5, (6000, 12)).astype(np.float32)
    if kind == "array":
        return np.resize(values, (rows, 12))
    columns = {"time": np.arange(rows) / 100}
    columns |= {name: np.resize(values[:, index], rows) for index, name in enumerate(gait.CHANNELS)}
    if kind == "pandas":
        import pandas
        return pandas.DataFrame(columns, copy=False)
    if kind == "polars":
        import polars
        return polars.DataFrame(columns)
    import pyarrow
    return pyarrow.table(columns)


def measure(kind, way, rows):
    """Prints the seconds of the processor, the peak of memory in MB and the number of windows."""
    data, features, seconds = samples(kind, rows), gait.Features(), []
    for _ in range(TURNS):
        start = time.process_time()
        if way == "whole":
            count = len(features.transform(data, sample_rate=100 if kind == "array" else None))
        else:
            stream = features.stream(100)
            count = len(np.concatenate([
                stream.push(data[first:first + 6000]).values for first in range(0, rows, 6000)]))
        seconds.append(time.process_time() - start)
    print(min(seconds), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000, count)


def main(rows):
    failed = False
    print(f"| {rows:,} rows | blocks, s | whole, s | ratio | blocks, MB | whole, MB | ratio "
          "|\n|---|---:|---:|---:|---:|---:|---:|")
    for kind in WAYS:
        found = []
        for way in ("blocks", "whole"):
            result = subprocess.run(
                [sys.executable, __file__, kind, way, str(rows)], capture_output=True, text=True, check=True)
            found.append([float(value) for value in result.stdout.split()])
        (blocks, memory, count), (whole, peak, windows) = found
        assert count == windows > 0
        print(f"| {kind} | {blocks:.2f} | {whole:.2f} | {whole / blocks:.2f} | {memory:.0f} | {peak:.0f} | "
              f"{peak / memory:.2f} |",
              flush=True)
        failed = failed or whole > MOST_TIME * blocks or peak > MOST_MEMORY * memory
    if failed:
        sys.exit(f"more than {MOST_TIME} times the time or {MOST_MEMORY} times the memory")


if __name__ == "__main__":
    if len(sys.argv) == 4:
        measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    else:
        main(int(sys.argv[1]))
