"""Reading a motion CSV: `gait` compared with its peers and with lower bounds, after checking that all read the same
values."""

import os
import time

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.csv

import gait_command
from catalogue import CHANNELS
from turns import time_in_turn

# The name of a bound in `RunWorkload --csv` → its name in the table.
BOUNDS = {"line feeds": "(bound: counting line feeds)", "bytes": "(bound: `read()` alone)",
          "memory": "(bound: reading the bytes in memory)", "copy": "(bound: memcpy of the bytes)",
          "lanes": "(bound: an empty pass over the rows' lanes)"}


def read_polars(path):
    return polars.read_csv(path)


def read_pyarrow(path):
    return pyarrow.csv.read_csv(path, read_options=pyarrow.csv.ReadOptions(use_threads=False))


def read_pandas(path):
    return pandas.read_csv(path)


def fingerprint(values):
    """The fingerprint of `RunWorkload --csv`: Σ bits of the Float32 × row number, modulo 2⁶⁴."""
    bits = np.asarray(values).astype(np.float32).view(np.uint32).astype(np.uint64)
    return int((bits * np.arange(1, len(bits) + 1, dtype=np.uint64)).sum())


def demand_agreement(executables, path):
    """Checks that all read the same values: polars and pyarrow bit for bit, pandas within its known rounding."""
    reference, arrow, frame = read_polars(path), read_pyarrow(path), read_pandas(path)
    for channel in CHANNELS:
        values = reference[channel].to_numpy()
        if not np.array_equal(values, arrow[channel].to_numpy()):
            raise SystemExit(f"pyarrow and polars read {channel} differently; timing is skipped.")
        if not np.allclose(values, frame[channel].to_numpy(), rtol=1e-14, atol=0):
            raise SystemExit(f"pandas and polars read {channel} differently; timing is skipped.")
    expected = {channel: fingerprint(reference[channel].to_numpy()) for channel in CHANNELS}
    for title, executable in executables.items():
        report = gait_command.reading(executable, path)
        if report["fingerprints"] != expected or report["rows"] != len(reference):
            raise SystemExit(f"{title} and polars read different values; timing is skipped.")
    return len(reference)


class OwnRun:
    """One run of `RunWorkload --csv`, which includes a warm-up."""

    def __init__(self, executable, path):
        self.executable, self.path, self.bounds = executable, path, {}

    def __call__(self):
        speeds = {speed["name"]: speed["megabytesPerSecond"] for speed in
                  gait_command.reading(self.executable, self.path)["speeds"]}
        for name, title in BOUNDS.items():
            self.bounds.setdefault(title, []).append(speeds[name])
        return speeds["rows"]


class PeerRun:
    """One timed reading; the agreement check is the warm-up."""

    def __init__(self, read, path):
        self.read, self.path, self.megabytes = read, path, os.path.getsize(path) / 1e6

    def __call__(self):
        start = time.perf_counter()
        table = self.read(self.path)
        elapsed = time.perf_counter() - start
        del table
        return self.megabytes / elapsed


def run(options, report):
    pyarrow.set_cpu_count(1)
    report.head("Reading CSV", ("polars", "pyarrow", "pandas"), "one thread each")
    rows = demand_agreement(options.executables, options.motion)
    report.add(f"\n{rows:,} rows of {len(CHANNELS)} values: all read the same floats (pandas, whose default conversion "
               "is not exact, within 1e-14).")
    own = {title: OwnRun(executable, options.motion) for title, executable in options.executables.items()}
    peers = {"polars `read_csv`": read_polars, "pyarrow `read_csv`": read_pyarrow, "pandas `read_csv`": read_pandas}
    rates = time_in_turn(own | {title: PeerRun(read, options.motion) for title, read in peers.items()},
                         3 if options.quick else 5)
    bounds = {title: np.array(values) for title, values in next(iter(own.values())).bounds.items()}
    report.rates(f"A file of {options.megabytes:,} MB into rows ready for the resampler", rates | bounds, "MB/s",
                 summary=f"{options.megabytes:,} MB of CSV into rows", bounds=bounds)
