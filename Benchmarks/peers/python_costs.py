#!/usr/bin/env python3
"""Prints what the Python package costs, and fails if it costs too much.

  Benchmarks/peers/python_costs.py LIBRARY   LIBRARY is .build/c/libgait.so; `make python-costs` makes its environment

1. The share of the C interface's speed that is left in Python, at least 0.9: the same work by the same shared library,
in
   turns, as a C function in a loop and in Python. `a minute` pushes a block of a minute at 100 Hz with twelve channels
   into a stream and pulls the windows. `ten minutes` makes a recording from an array, and computes its windows.
2. Whole arrays and data frames beside their blocks: python/tests/cost.py.
3. The time of a window beside the libraries of Benchmarks/peers/window_libraries.py: the table of python/README.md.

Times are of the processor; the ratio is the median of those of all turns.
"""
import ctypes
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TURNS, LEAST = 31, 0.9

SOURCE = r"""
#include <stdlib.h>
#include "gait.h"

/* Pushes a block `count` times; returns the number of windows, or -1. */
int64_t minute(gait_handle stream, const float *values, int64_t rows, int64_t columns, int64_t count) {
  int64_t total = 0;
  for (int64_t index = 0; index < count; index++) {
    int64_t waiting = gait_stream_push(stream, NULL, values, rows * 12, rows, 12, 1);
    if (waiting < 0) return -1;
    float *features = malloc(waiting * columns * sizeof(float));
    int64_t *starts = malloc(waiting * sizeof(int64_t));
    int32_t *labels = malloc(waiting * sizeof(int32_t));
    total += gait_stream_pull(stream, waiting, features, waiting * columns, starts, labels);
    free(features);
    free(starts);
    free(labels);
  }
  return total;
}

/* Makes a recording and computes its windows, `count` times. */
int64_t recording(gait_handle plan, const float *values, int64_t rows, int64_t columns, int64_t count) {
  int64_t total = 0;
  for (int64_t index = 0; index < count; index++) {
    gait_handle recording = gait_recording_create("recording", 100, 0, 4095, NULL, values, rows * 12, rows, 12, 1, 0);
    gait_handle stream = gait_stream_create(plan, 100, 0, 4095, NULL);
    int64_t waiting = gait_stream_push_recording(stream, recording);
    if (waiting < 0) return -1;
    float *features = malloc(waiting * columns * sizeof(float));
    int64_t *starts = malloc(waiting * sizeof(int64_t));
    int32_t *labels = malloc(waiting * sizeof(int32_t));
    total += gait_stream_pull(stream, waiting, features, waiting * columns, starts, labels);
    free(features);
    free(starts);
    free(labels);
    gait_release(stream);
    gait_release(recording);
  }
  return total;
}
"""


def compiled(library, folder):
    """The C functions, on the shared library that the package has loaded."""
    source, program = pathlib.Path(folder, "costs.c"), pathlib.Path(folder, "costs.so")
    source.write_text(SOURCE)
    subprocess.run(
        ["clang", "-O2", "-shared", "-fPIC", "-I", ROOT / "Sources/GaitC/include", source, "-o", program, library,
         f"-Wl,-rpath,{os.path.dirname(library)}"], check=True)
    functions = ctypes.CDLL(str(program))
    for function in (functions.minute, functions.recording):
        function.restype = ctypes.c_int64
        function.argtypes = [ctypes.c_uint64, ctypes.c_void_p] + [ctypes.c_int64] * 3
    return functions


def share_of_c(library):
    import gait_motion as gait
    import numpy as np

    sample = gait.read_recording(ROOT / "datasets/simulated/running/sub_1.csv", sample_rate=50).values
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        functions = compiled(library, folder)
        print("| features | work | windows | C, ms | Python, ms | ratio |\n|---|---|---:|---:|---:|---:|")
        for name in ("orientationFree", "full"):
            features = gait.Features(name)
            plan, columns = features._plan().handle.value, len(features.get_feature_names_out())
            for title, minutes, function in (
                ("a minute", 1, functions.minute), ("ten minutes", 10, functions.recording)):
                values = np.ascontiguousarray(np.resize(sample, (6000 * minutes, 12)))
                count = max(1, (40 if name == "orientationFree" else 4) // minutes)

                def run_c():
                    # The handle of a stream with the block's windows, or of the plan.
                    source = stream._handle.value if minutes == 1 else plan
                    return function(source, values.ctypes.data, len(values), columns, count)

                def run_python():
                    if minutes == 1:
                        return sum(len(other.push(values)) for _ in range(count))
                    return sum(
                        len(features.windows(gait.Recording.from_samples(values, sample_rate=100)))
                        for _ in range(count))

                stream, other = features.stream(100), features.stream(100)
                assert run_c() == run_python() > 0, "C and Python have different windows"
                times = []
                for turn in range(TURNS):
                    turns = [run_c, run_python] if turn % 2 == 0 else [run_python, run_c]
                    seconds = {}
                    for run in turns:
                        start = time.process_time()
                        windows = run()
                        seconds[run] = time.process_time() - start
                    times.append((seconds[run_c], seconds[run_python]))
                ratio = statistics.median(c / python for c, python in times)
                c, python = (statistics.median(column) * 1000 / count for column in zip(*times))
                print(f"| {len(features.get_feature_names_out())} | {title} | {windows // count} | {c:.3f} | "
                      f"{python:.3f} | {ratio:.3f} |", flush=True)
                failed = failed or ratio < LEAST
    if failed:
        sys.exit(f"a ratio is below {LEAST}")


def peers():
    """A row for each library: its usual features of the same windows of the same twelve channels."""
    import gait_motion as gait
    from window_libraries import LIBRARIES, RATE, measured, rows

    own = {
        f"gait_motion, `{name}`": (20_000, rows, lambda data,
                                   features=gait.Features(name): features.transform(data, sample_rate=RATE))
        for name in ("orientationFree", "full")}
    print("\n| library and features | features of a window | µs a window | µs a feature |\n|---|---:|---:|---:|")
    for name, (windows, prepare, work) in (own | LIBRARIES).items():
        data = prepare(windows)
        # The first call compiles or loads what it needs.
        times = [measured(work, windows, data) for _ in range(4)][1:]
        count = times[0][1]
        micros = statistics.median(seconds for seconds, _ in times) / windows * 1e6
        print(f"| {name} | {count} | {micros:,.1f} | {micros / count:,.2f} |", flush=True)


def main(library):
    os.environ["GAIT_LIBRARY"] = library
    failed = []
    for work in (lambda: share_of_c(library), cost_of_whole, peers):
        try:
            work()
        except SystemExit as problem:
            failed.append(str(problem))
    sys.exit("\n".join(failed) or None)


def cost_of_whole():
    print(flush=True)
    if subprocess.run([sys.executable, ROOT / "python/tests/cost.py",
                       os.environ.get("GAIT_ROWS", "10000000")]).returncode != 0:
        sys.exit("whole arrays or data frames cost too much")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.realpath(sys.argv[1]))
