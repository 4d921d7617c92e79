"""Features per second: `gait` against its peers, in turn, on one core, after checking that they agree.

    python bench_features.py PATH/TO/gait [PATH/TO/gait-v3] [--quick]

Prints Markdown. A figure is the median over the repetitions; its spread is (highest − lowest) / median; a ratio is the
median of the ratios within each repetition, in which everyone runs once.
"""

import argparse
import os
import sys
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
import machine  # noqa: E402
from features_numpy import FullSet  # noqa: E402
from features_numpy_small import OrientationFree, Sixteen  # noqa: E402
from features_reference import running, still, walking  # noqa: E402
from turns import print_rates, time_in_turn  # noqa: E402

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


def print_stages(runs):
    print("\n| build | set | stage | ns per window | spread |\n|---|---|---|---|---|")
    for title, run in runs.items():
        for stage in run.report.get("stages", []):
            print(f"| {title} ({run.report.get('build', '?')}) | {run.feature_set} | {stage['name']} | "
                  f"{stage['nanosecondsPerWindow']:,.0f} | {stage['spread']:.0%} |")


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
    repetitions, clock = (3 if options.quick else 9), machine.measured_clock()

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
    machine.print_machine(CORE, PACKAGES, "Float32, one thread", clock)
    print_rates("Full set: 18 lanes, windows of 128 samples, hop 64", rates, list(full), "windows/s", once=[slow])
    mark = np.median(rates["(NumPy, 16 statistics × 14 + 66)"])
    if clock:
        print(f"\nSanity mark: {mark:,.0f} windows/s at {clock:.2f} GHz would be {mark * 3.6 / clock:,.0f} at 3.6 GHz.")
    print_rates("Orientation-free set: windows of 64 samples, hop 16", small_rates, list(small), "windows/s")
    if executables:
        print_stages({f"{title}": run for title, run in full.items()})
        print_stages({f"{title}": run for title, run in small.items()})


if __name__ == "__main__":
    main()
