"""The whole pipeline, from CSV to the label of every window with the bundled model: `gait` compared with the fastest
stack of polars or pyarrow, NumPy and onnxruntime, after checking that the results agree."""

import json
import time
from pathlib import Path

import numpy as np
import pyarrow

import gait_command
from features_numpy_small import OfDefaultModel
from pipeline_numpy import READERS, RunPipeline, Scoring
from turns import time_in_turn

MODEL = "running"
COSTS = Path(__file__).resolve().parents[1] / "gate" / "costs.json"
STALE = "dropped a stale first row"
TOLERANCE = 1e-3  # of a probability; also the share of windows whose lag rounding may change


class OwnRun:
    """One timed pass of `gait benchmark --files`, after a warm-up pass."""

    def __init__(self, executable, paths, rate):
        self.arguments = executable, MODEL, paths, rate

    def __call__(self):
        return gait_command.files(*self.arguments)["seconds"]


def timed(work):
    """A function that runs the work and returns its seconds; the agreement check is the warm-up."""
    def run():
        start = time.perf_counter()
        work()
        return time.perf_counter() - start
    return run


def demand_agreement(report, own, others):
    """Checks that the number of windows agrees, and probabilities and labels except for rounding."""
    for title, values in others.items():
        if values.shape != own.shape:
            raise SystemExit(f"{title}: {values.shape} windows and labels, not {own.shape}; timing is skipped.")
        far = np.abs(values - own).max(axis=1) > TOLERANCE
        other = values.argmax(axis=1) != own.argmax(axis=1)
        report.add(f"- {title}: {len(own):,} windows, {other.sum()} with another label, {far.sum()} with a probability "
                   f"off by more than {TOLERANCE}")
        if far.mean() > TOLERANCE or other.mean() > TOLERANCE:
            raise SystemExit(f"{title} and gait differ by more than rounding; timing is skipped.")


def scorings(options, report):
    """The faster scoring of the model on this machine."""
    onnx = options.folder / "model.onnx"
    gait_command.export_onnx(MODEL, onnx)
    table = np.random.default_rng(1).normal(size=(100_000, OfDefaultModel.columns)).astype(np.float32)
    ways = {"onnxruntime": Scoring(onnx, uses_numpy=False), "NumPy": Scoring(onnx, uses_numpy=True)}
    times = {title: min(timed(lambda: way(table))() for _ in range(5)) for title, way in ways.items()}
    fastest = min(times, key=times.get)
    report.add(f"\nScoring 100,000 windows: "
               + ", ".join(f"{title} {seconds * 1000:.1f} ms" for title, seconds in times.items())
               + f"; the peers use {fastest}.\n")
    return fastest, ways[fastest]


def large_file(options, report, name, scoring):
    pipelines = {f"{reader} + {name}": RunPipeline(reader, 50, scoring) for reader in READERS}
    own = gait_command.classify(next(iter(options.executables.values())), MODEL, options.motion, 50)[1]
    demand_agreement(report, own, {title: pipeline.of_file(options.motion) for title, pipeline in pipelines.items()})
    runs = {title: OwnRun(path, [options.motion], 50) for title, path in options.executables.items()}
    runs |= {title: timed(lambda pipeline=pipeline: pipeline.of_file(options.motion)) for title,
             pipeline in pipelines.items()}
    rates = time_in_turn(runs, 3 if options.quick else 7)
    size = options.motion.stat().st_size / 1e6
    report.rates(f"One file of {options.megabytes:,} MB at 50 Hz, CSV to labels",
                 {title: size / seconds for title, seconds in rates.items()}, "MB/s",
                 summary=f"{options.megabytes:,} MB of CSV to labels")


def small_files(options, report, name, scoring):
    paths = sorted((Path(options.data) / "boostrunclub").glob("*/*.csv"))
    if not paths:
        report.add(f"\n**Skipped**: the 98 short recordings of BoostRunClub, because {options.data}/boostrunclub does "
                   "not exist (see datasets/README.md for the download).")
        return
    answers = [gait_command.classify(next(iter(options.executables.values())), MODEL, path, 10) for path in paths]
    stale = np.array([int(STALE in answer[2]) for answer in answers])
    own = np.concatenate([answer[1] for answer in answers if len(answer[1])])
    pipelines = {}
    for reader in READERS:
        pipeline = RunPipeline(reader, 10, scoring)
        pipelines[f"{reader} + {name}, files joined first"] = lambda pipeline=pipeline: pipeline.of_joined(paths, stale)
        pipelines[f"{reader} + {name}, a file at a time"] = lambda pipeline=pipeline: pipeline.of_files(paths, stale)
    demand_agreement(report, own, {title: pipeline() for title, pipeline in pipelines.items()})
    runs = {title: OwnRun(path, paths, 10) for title, path in options.executables.items()}
    runs |= {title: timed(pipeline) for title, pipeline in pipelines.items()}
    times = {title: seconds * 1000 for title, seconds in time_in_turn(runs, 5 if options.quick else 15).items()}
    alone = [title for title in times if title.endswith("a file at a time")]
    report.rates(
        f"{len(paths)} files of {sum(path.stat().st_size for path in paths) / len(paths) / 1000:.0f} kB at 10 Hz, "
                 "CSV to labels", times, "ms", bounds=alone, is_time=True,
                 summary=f"{len(paths)} short CSV files to labels")
    fastest = min(alone, key=lambda title: np.median(times[title]))
    report.row(f"{len(paths)} short CSV files to labels", "ms", times, list(options.executables), fastest, is_time=True)


def minute_of_signal(options, report):
    """A proxy for energy: time and instructions per minute of motion, sample by sample, to labels and to events."""
    result = gait_command.benchmark_model(next(iter(options.executables.values())), MODEL)
    microseconds = 60 * 50 / result["samplesPerSecond"] * 1e6
    costs = json.loads(COSTS.read_text())["workloads"]
    classify, track = (costs[name]["instructions"] / 10 / 1e6 for name in ("classifyLive/50Hz", "track/10min"))
    report.note = (f"A minute of motion at 50 Hz, sample by sample: {microseconds:.0f} µs to labels on this machine; "
                   f"{classify:.1f} million instructions to labels, {track:.1f} million to pauses, splits and all "
                   "other events of a run (callgrind, `Benchmarks/gate/costs.json`).")


def run(options, report):
    pyarrow.set_cpu_count(1)
    report.head("CSV to labels", ("numpy", "polars", "pyarrow", "onnxruntime"), f"the model `{MODEL}`, one thread")
    name, scoring = scorings(options, report)
    name = "NumPy" if name == "NumPy" else f"NumPy + {name}"
    large_file(options, report, name, scoring)
    small_files(options, report, name, scoring)
    minute_of_signal(options, report)
