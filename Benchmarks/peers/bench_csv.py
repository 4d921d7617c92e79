"""Reading a motion CSV: `gait` against its peers, in turn, on one core, after checking that they read the same values.

    python bench_csv.py PATH/TO/gait [PATH/TO/gait-v3] [--megabytes 1000] [--folder .build] [--quick]

The file has the columns of MotionSense and numbers of 16 or 17 digits; a seed makes it, and it is removed afterwards.
Prints Markdown. A figure is the median over the repetitions; its spread is (highest − lowest) / median; a ratio is the
median of the ratios within each repetition, in which everyone runs once.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

CORE = max(os.sched_getaffinity(0))
os.sched_setaffinity(0, {CORE})  # children inherit it
for variable in ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # before the libraries start their threads
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests" / "References"))

import numpy as np  # noqa: E402
import pandas  # noqa: E402
import polars  # noqa: E402
import pyarrow  # noqa: E402
import pyarrow.csv  # noqa: E402

import gait_command  # noqa: E402
from catalogue import CHANNELS  # noqa: E402
from machine import print_machine  # noqa: E402
from turns import print_rates, time_in_turn  # noqa: E402

SCALES = np.repeat([1.5, 0.5, 2.0, 0.3], 3)  # attitude, gravity, rotation rate, user acceleration
BLOCK = 4000  # rows written at a time


def write_motion(path, size, seed=7):
    """About `size` bytes: a row's index, then twelve doubles, each the shortest decimal that reads back the same."""
    rng, row, written = np.random.default_rng(seed), 0, 0
    with open(path, "w", encoding="ascii") as file:
        written += file.write("," + ",".join(CHANNELS) + "\n")
        while written < size:
            values = (rng.normal(size=(BLOCK, len(SCALES))) * SCALES).tolist()
            lines = [f"{row + index}," + ",".join(map(repr, line)) for index, line in enumerate(values)]
            written += file.write("\n".join(lines) + "\n")
            row += BLOCK


def read_polars(path):
    return polars.read_csv(path)


def read_pyarrow(path):
    return pyarrow.csv.read_csv(path, read_options=pyarrow.csv.ReadOptions(use_threads=False))


def read_pandas(path):
    return pandas.read_csv(path)


def fingerprint(values):
    """That of `gait benchmark --csv`: Σ bits of the Float32 × row number, modulo 2⁶⁴."""
    bits = np.asarray(values).astype(np.float32).view(np.uint32).astype(np.uint64)
    return int((bits * np.arange(1, len(bits) + 1, dtype=np.uint64)).sum())


def demand_agreement(executables, path):
    """That everyone reads the same, polars and pyarrow to the last bit of every double; pandas is known to round off."""
    reference, arrow, frame = read_polars(path), read_pyarrow(path), read_pandas(path)
    for channel in CHANNELS:
        values = reference[channel].to_numpy()
        if not np.array_equal(values, arrow[channel].to_numpy()):
            raise SystemExit(f"pyarrow and polars read {channel} differently: nothing is timed.")
        if not np.allclose(values, frame[channel].to_numpy(), rtol=1e-14, atol=0):
            raise SystemExit(f"pandas and polars read {channel} differently: nothing is timed.")
    expected = {channel: fingerprint(reference[channel].to_numpy()) for channel in CHANNELS}
    for title, executable in executables.items():
        report = gait_command.reading(executable, path)
        if report["fingerprints"] != expected or report["rows"] != len(reference):
            raise SystemExit(f"{title} and polars read different values: nothing is timed.")
    print(f"\n{len(reference):,} rows of {len(CHANNELS)} values: all read the same floats "
          "(pandas, whose default conversion is not exact, within 1e-14)\n")


class OwnRun:
    """One run of `gait benchmark --csv`, which warms itself up."""

    def __init__(self, executable, path):
        self.executable, self.path, self.bounds = executable, path, {}

    def __call__(self):
        speeds = {speed["name"]: speed["megabytesPerSecond"] for speed in
                  gait_command.reading(self.executable, self.path)["speeds"]}
        for name in ("line feeds", "bytes"):
            self.bounds.setdefault(name, []).append(speeds[name])
        return speeds["rows"]


class PeerRun:
    """One timed reading; the agreement warmed it up."""

    def __init__(self, read, path):
        self.read, self.path, self.megabytes = read, path, os.path.getsize(path) / 1e6

    def __call__(self):
        start = time.perf_counter()
        table = self.read(self.path)
        elapsed = time.perf_counter() - start
        del table
        return self.megabytes / elapsed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gait", help="the plain build")
    parser.add_argument("v3", nargs="?", help="the x86-64-v3 build")
    parser.add_argument("--megabytes", type=int, help="the size of the file; 1000, or 100 with --quick")
    parser.add_argument("--folder", default=".build", help="where the file is made")
    parser.add_argument("--quick", action="store_true", help="a smaller file and fewer repetitions")
    options = parser.parse_args()
    paths = {"gait": options.gait, "gait v3": options.v3}
    executables = {title: str(Path(path).resolve()) for title, path in paths.items() if path}
    megabytes = options.megabytes or (100 if options.quick else 1000)
    pyarrow.set_cpu_count(1)

    with tempfile.TemporaryDirectory(dir=options.folder, prefix="bench-csv-") as folder:
        path = str(Path(folder) / "motion.csv")
        write_motion(path, megabytes * 1_000_000)
        print("\n## Reading CSV\n")
        print_machine(CORE, ("polars", "pyarrow", "pandas"), "one thread each")
        demand_agreement(executables, path)
        own = {title: OwnRun(executable, path) for title, executable in executables.items()}
        peers = {"polars `read_csv`": read_polars, "pyarrow `read_csv`": read_pyarrow, "pandas `read_csv`": read_pandas}
        rates = time_in_turn(own | {title: PeerRun(read, path) for title, read in peers.items()},
                             3 if options.quick else 7)
        bounds = next(iter(own.values())).bounds
        rates |= {"(counting line feeds)": np.array(bounds["line feeds"]), "(`read()` alone)": np.array(bounds["bytes"])}
    print_rates(f"A file of {megabytes:,} MB into rows ready for the resampler", rates, list(own), unit="MB/s")


if __name__ == "__main__":
    main()
