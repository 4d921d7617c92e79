"""Feature windows per second: `gait` compared with its peers, after checking that the results agree."""

import time

import numpy as np

import agreement
import features_tsfel
import features_tsflex
import gait_command
from features_numpy import FullSet
from features_numpy_small import OrientationFree, Sixteen
from motion_file import realistic_stream
from turns import time_in_turn

PACKAGES = ("numpy", "scipy", "tsflex", "tsfel")
SLOW = "tsfel, default configuration"


class OwnRun:
    """One run of `RunWorkload --features`, which repeats and reports its median."""

    def __init__(self, path, feature_set):
        self.path, self.feature_set, self.report = path, feature_set, {}

    def __call__(self):
        self.report = gait_command.benchmark(self.path, self.feature_set)
        return self.report["windowsPerSecond"]


class PeerRun:
    """One timed call of a peer, after an untimed warm-up."""

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
    """A peer on a whole number of chunks, because a partial last chunk would repeat windows and count against it."""
    window, hop = gait_command.SETS[feature_set].values()
    windows = ((samples.shape[1] - window) // hop + 1) // peer.chunk * peer.chunk
    return PeerRun(peer, samples[:, :(windows - 1) * hop + window], windows)


def add_stages(report, runs):
    report.add("\n| build | set | stage | ns per window | spread |\n|---|---|---|---|---|")
    for title, run in runs.items():
        for stage in run.report.get("stages", []):
            report.add(f"| {title} ({run.report.get('build', '?')}) | {run.feature_set} | {stage['name']} | "
                  f"{stage['nanosecondsPerWindow']:,.0f} | {stage['spread']:.0%} |")


def count(samples, feature_set):
    shape = gait_command.SETS[feature_set]
    return (samples.shape[1] - shape["window"]) // shape["hop"] + 1


def run(options, report):
    samples = np.ascontiguousarray(realistic_stream(70_000 if options.quick else 262_208).astype(np.float32))
    report.head("Features", PACKAGES, "Float32, one thread")
    agreement.demand_agreement(options.executables, samples, 60 if options.quick else 1000, report.add)
    repetitions = 3 if options.quick else 7
    few, some = samples[:, :64 * (2 if options.quick else 9)], samples[:, :32_832]
    full = {title: OwnRun(path, "full") for title, path in options.executables.items()}
    sixteen, eighteen = Sixteen(), Sixteen()
    eighteen.spectral = True
    marks = {"(NumPy, 16 statistics × 14 + 66)": whole_chunks(sixteen, samples, "full"),
             "(NumPy, the 16 and two spectral ones)": whole_chunks(eighteen, samples, "full")}
    rates = time_in_turn(full | {
        "NumPy, the same 539 features": whole_chunks(FullSet(), samples, "full"),
        "tsflex, vectorised functions": PeerRun(features_tsflex.Peer(), some, count(some, "full")),
        SLOW: PeerRun(features_tsfel.Peer(), few, count(few, "full"))} | marks, repetitions, once=[SLOW])
    report.rates("Full set: 18 lanes, windows of 128 samples, hop 64", rates, "windows/s", once=[SLOW],
                 summary="539 features of a window", bounds=marks)
    mark = np.median(rates["(NumPy, 16 statistics × 14 + 66)"])
    if report.clock:
        report.add(f"\nSanity check: {mark:,.0f} windows/s at {report.clock:.2f} GHz would be "
                   f"{mark * 3.6 / report.clock:,.0f} at 3.6 GHz.")
    small = {title: OwnRun(path, "orientationFree") for title, path in options.executables.items()}
    rates = time_in_turn(small | {"NumPy, the same seven": whole_chunks(OrientationFree(), samples, "orientationFree")},
                         repetitions)
    report.rates("Orientation-free set: windows of 64 samples, hop 16", rates, "windows/s",
                 summary="the 7 default features of a window")
    add_stages(report, full)
    add_stages(report, small)
