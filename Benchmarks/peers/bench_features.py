"""Features per second: `gait` against its peers, in turn, on one core, after checking that they agree.

    python bench_features.py PATH/TO/gait [PATH/TO/gait-v3] [--quick]

Prints Markdown. A figure is the median over the repetitions; its spread is (highest − lowest) / median; a ratio is the
median of the ratios within each repetition, in which everyone runs once.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CORE = max(os.sched_getaffinity(0))
os.sched_setaffinity(0, {CORE})  # children inherit it
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy loads its BLAS
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests" / "References"))

import numpy as np  # noqa: E402

import agreement  # noqa: E402
import gait_command  # noqa: E402
from features_numpy import FullSet  # noqa: E402
from features_numpy_small import OrientationFree, Sixteen  # noqa: E402
from features_reference import running, still, walking  # noqa: E402

PACKAGES = ("numpy", "scipy", "tsflex", "tsfel")


def realistic_stream(rows, seed=20):
    """Minutes of running, walking and standing, worn this way and that, at 25 Hz: Float32 [12 × rows], contiguous."""
    rng, pieces, length = np.random.default_rng(seed), [], 0
    while length < rows:
        count, kind = int(rng.integers(500, 3000)), rng.random()
        worn = {"tilt": (rng.uniform(-3, 3), rng.uniform(-1.4, 1.4)), "heading": rng.uniform(-3, 3),
                "turn": rng.normal(0, 0.2)}
        if kind < 0.15:
            pieces.append(still(rng, count, 25, 0.01))
        elif kind < 0.5:
            pieces.append(walking(rng, count, 25, **worn))
        else:
            pieces.append(running(rng, count, 25, **worn))
        length += count
    return np.ascontiguousarray(np.concatenate(pieces, axis=1)[:, :rows].astype(np.float32))


class OwnRun:
    """One run of `gait benchmark`, which repeats and takes its own median."""

    def __init__(self, path, feature_set):
        self.path, self.feature_set, self.report = path, feature_set, {}

    def __call__(self):
        self.report = gait_command.benchmark(self.path, self.feature_set)
        return self.report["windowsPerSecond"]


class PeerRun:
    """One timed call of a peer; the first, untimed, warms it up."""

    def __init__(self, peer, samples, windows):
        self.peer, self.samples, self.windows, self.warm = peer, samples, windows, False

    def __call__(self):
        if not self.warm:
            self.peer(self.samples)
            self.warm = True
        start = time.perf_counter()
        self.peer(self.samples)
        return self.windows / (time.perf_counter() - start)


def whole_chunks(peer, samples, feature_set):
    """A peer with as many windows as fill its chunks: a last chunk that repeats windows would count against it."""
    window, hop = gait_command.SETS[feature_set].values()
    windows = ((samples.shape[1] - window) // hop + 1) // peer.chunk * peer.chunk
    return PeerRun(peer, samples[:, :(windows - 1) * hop + window], windows)


def time_in_turn(runs, repetitions, once=()):
    """Title → windows per second of each repetition; those in `once` run in the first repetition alone."""
    rates = {title: [] for title in runs}
    for repetition in range(repetitions):
        for title, run in runs.items():
            rates[title].append(rates[title][0] if repetition > 0 and title in once else run())
            print(f"\r{repetition + 1} of {repetitions}: {title}".ljust(60), end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return {title: np.array(values) for title, values in rates.items()}


def print_rates(heading, rates, ours, once=()):
    print(f"\n### {heading}\n")
    print("| | windows/s | spread |" + "".join(f" {title} is faster by |" for title in ours))
    print("|---|---|---|" + "---|" * len(ours))
    for title, values in rates.items():
        middle = np.median(values)
        spread = "one run" if title in once else f"{np.ptp(values) / middle:.0%}"
        ratios = ["" if title in ours else f" {np.median(rates[own] / values):.2f}× |" for own in ours]
        print(f"| {title} | {middle:,.{0 if middle > 100 else 1}f} | {spread} |"
              + "".join(ratio or " |" for ratio in ratios))


def print_stages(runs):
    print("\n| build | set | stage | ns per window | spread |\n|---|---|---|---|---|")
    for title, run in runs.items():
        for stage in run.report.get("stages", []):
            print(f"| {title} ({run.report.get('build', '?')}) | {run.feature_set} | {stage['name']} | "
                  f"{stage['nanosecondsPerWindow']:,.0f} | {stage['spread']:.0%} |")


CLOCK_SOURCE = r"""
#include <stdio.h>
#include <time.h>
int main(void) {
  double best = 1e9;
  for (int round = 0; round < 20; round++) {
    struct timespec a, b;
    unsigned long x = 1;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long i = 0; i < 5000000; i++)
      __asm__ volatile("add $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0\nadd $1,%0" : "+r"(x));
    clock_gettime(CLOCK_MONOTONIC, &b);
    double t = (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec);
    if (t < best) best = t;
  }
  printf("%.2f", 40e6 / best / 1e9);
}
"""


def measured_clock():
    """Gigahertz, from additions that wait for one another; None without a C compiler or off x86."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None or platform.machine() != "x86_64":
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "clock.c", Path(folder) / "clock"
        source.write_text(CLOCK_SOURCE)
        if subprocess.run([compiler, "-O1", source, "-o", program], capture_output=True).returncode != 0:
            return None
        return float(subprocess.run([program], capture_output=True, text=True).stdout)


def print_machine(clock):
    from importlib.metadata import version
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor())
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{name}, core {CORE} alone, {f'{clock:.2f} GHz measured' if clock else 'clock not measured'}, load {load}; "
          f"{platform.system()}, Python {platform.python_version()}, {packages}; Float32, one thread.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gait", nargs="?", help="the plain build; without one, only the peers are timed")
    parser.add_argument("v3", nargs="?", help="the x86-64-v3 build")
    parser.add_argument("--quick", action="store_true", help="fewer rows, windows and repetitions")
    options = parser.parse_args()
    paths = {"gait": options.gait, "gait v3": options.v3}
    executables = {title: str(Path(path).resolve()) for title, path in paths.items() if path}

    samples = realistic_stream(70_000 if options.quick else 262_208)
    agreement.demand_agreement(executables, samples, 60 if options.quick else 1000)
    repetitions, clock = (3 if options.quick else 9), measured_clock()

    import features_tsfel
    import features_tsflex
    count = lambda x, feature_set: ((x.shape[1] - gait_command.SETS[feature_set]["window"])
                                    // gait_command.SETS[feature_set]["hop"] + 1)
    few = samples[:, :64 * (2 if options.quick else 9)]
    full = {title: OwnRun(path, "full") for title, path in executables.items()}
    sixteen, eighteen = Sixteen(), Sixteen()
    eighteen.spectral = True
    slow = "tsfel, default configuration"
    rates = time_in_turn(full | {
        "NumPy, the same 541 features": whole_chunks(FullSet(), samples, "full"),
        "tsflex, vectorised functions": PeerRun(features_tsflex.Peer(), samples[:, :32_832], count(samples[:, :32_832], "full")),
        slow: PeerRun(features_tsfel.Peer(), few, count(few, "full")),
        "(NumPy, 16 statistics × 14 + 66)": whole_chunks(sixteen, samples, "full"),
        "(NumPy, the 16, and two of spectra)": whole_chunks(eighteen, samples, "full"),
    }, repetitions, once=[slow])
    small = {title: OwnRun(path, "orientationFree") for title, path in executables.items()}
    small_rates = time_in_turn(small | {
        "NumPy, the same seven": whole_chunks(OrientationFree(), samples, "orientationFree")}, repetitions)

    print("\n## Features\n")
    print_machine(clock)
    print_rates("Full set: 18 lanes, windows of 128 samples, hop 64", rates, list(full), once=[slow])
    mark = np.median(rates["(NumPy, 16 statistics × 14 + 66)"])
    if clock:
        print(f"\nSanity mark: {mark:,.0f} windows/s at {clock:.2f} GHz would be {mark * 3.6 / clock:,.0f} at 3.6 GHz.")
    print_rates("Orientation-free set: windows of 64 samples, hop 16", small_rates, list(small))
    if executables:
        print_stages({f"{title}": run for title, run in full.items()})
        print_stages({f"{title}": run for title, run in small.items()})


if __name__ == "__main__":
    main()
