"""How the cost of the pipeline grows with the number of recordings, the length of a stream, windows, features and
trees.

The curves go to a page (`scale_page.py`), and their points to tables.
"""

import os
import subprocess
import time
from pathlib import Path

import numpy as np

import gait_command
import motion_file
import scale_page
from report import number
from pipeline_numpy import RunPipeline, Scoring

MODEL = "running"
SIMULATED = Path(__file__).resolve().parents[2] / "datasets" / "simulated"
ROWS = 600  # of a short recording: 12 s, about 140 kB
SETS = {"the whole catalogue (539 features)": "full", "the default seven": "orientationFree"}


def recordings(options, report, plain):
    """Milliseconds per recording against their number: one core, two cores, and the fastest peer, joined and one by
    one."""
    counts = [1, 10, 100] if options.quick else [1, 10, 100, 1000]
    samples = motion_file.realistic_stream(ROWS * 16, motion_file.RATE, seed=4)
    paths = []
    for index in range(counts[-1]):
        paths.append(options.folder / f"short-{index}.csv")
        start = index % 16 * ROWS
        motion_file.write(paths[-1], ROWS * 225, samples[:, start:start + ROWS])
    onnx = options.folder / "scale.onnx"
    gait_command.export_onnx(plain, MODEL, onnx)
    pipeline = RunPipeline("polars", motion_file.RATE, Scoring(onnx, uses_numpy=False))
    stale = np.zeros(len(paths), int)
    curves = {"Gait, one core": [], "Gait, two cores": [], "polars + NumPy, files joined": [],
              "polars + NumPy, a file at a time": []}
    for count in counts:
        repetitions = max(3, min(50, 300 // count))
        some = paths[:count]
        runs = [lambda: gait_command.files(plain, MODEL, some, motion_file.RATE, repetitions)["seconds"],
                lambda: on_cores(options.cores[:2], lambda: gait_command.files(
                    plain, MODEL, some, motion_file.RATE, repetitions, all_cores=True)["seconds"], options.core),
                lambda: median_time(lambda: pipeline.of_joined(some, stale[:count]), repetitions),
                lambda: median_time(lambda: pipeline.of_files(some, stale[:count]), repetitions)]
        for curve, run in zip(curves.values(), runs):
            curve.append((count, run() * 1000 / count))
    if len(options.cores) < 2:
        del curves["Gait, two cores"]
    for path in paths:
        path.unlink()
    return {"title": "Recordings in files, to labels", "across": "recordings", "up": "ms per recording",
            "curves": curves,
            "note": f"{ROWS} rows of CSV at 50 Hz each (12 s). One process; its start is not included."}


def on_cores(cores, work, afterwards):
    """The result of `work`, pinned to these cores."""
    os.sched_setaffinity(0, set(cores))
    try:
        return work()
    finally:
        os.sched_setaffinity(0, {afterwards})


def median_time(work, repetitions):
    times = []
    for _ in range(repetitions + 1):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return float(np.median(times[1:]))


def streams(options, report, plain):
    """`gait track -` on lines from a pipe: megabytes per second, and peak memory."""
    sizes = [1, 10, 100] if options.quick else [1, 10, 100, 1000, 10_000]
    piece = options.folder / "piece.csv"
    motion_file.write(piece, 1_000_000)
    header, lines = piece.read_bytes().split(b"\n", 1)
    speed, memory = [], []
    for size in sizes:
        start = time.perf_counter()
        process = subprocess.Popen([plain, "track", MODEL, "-", "--rate", str(motion_file.RATE), "--json"],
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        process.stdin.write(header + b"\n")
        for _ in range(size):
            process.stdin.write(lines)
        process.stdin.flush()
        memory.append((size, most_memory(process.pid)))
        process.stdin.close()
        if process.wait() != 0:
            raise SystemExit(f"gait track failed on {size} MB from a pipe")
        speed.append((size, size * len(lines) / 1e6 / (time.perf_counter() - start)))
    return [{"title": "A stream from a pipe, to events: memory", "across": "MB of CSV", "up": "peak MB",
             "curves": {"Gait": memory},
             "note": "gait track running -: the peak resident size of the process. 1 MB is a minute and a half at 50 "
                     "Hz."},
            {"title": "A stream from a pipe, to events: speed", "across": "MB of CSV", "up": "MB/s",
             "curves": {"Gait": speed},
             "note": "Line by line, including process start and model loading."}]


def most_memory(process):
    """Peak megabytes of a running process from /proc; the figure of `wait4` includes the parent process."""
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) / 1000 for line in status if line.startswith("VmHWM"))


def windows(options, report, plain):
    """Microseconds per window against window length, with half overlap."""
    curves = {title: [] for title in SETS}
    for length in (32, 64, 128, 256, 512, 1024):
        for title, feature_set in SETS.items():
            result = gait_command.benchmark(plain, feature_set, {"window": length, "hop": length // 2})
            nanoseconds = next(stage["nanosecondsPerWindow"] for stage in result["stages"]
                               if stage["name"] == "features")
            curves[title].append((length, nanoseconds / 1000))
    return {"title": "Longer windows", "across": "samples in a window", "up": "µs per window", "curves": curves,
            "note": "Features only, samples at 25 Hz in memory, windows with half overlap."}


def of_models(options, plain):
    """Models with increasing numbers of features and of trees, fitted to simulated people."""
    names = sorted(set(gait_command.feature_names(plain, "full")))
    np.random.default_rng(2).shuffle(names)
    features = []
    for count in (1, 3, 10, 30, 100, 300):
        model = fitted(options, plain, "logistic",
                       *[option for name in names[:count] for option in ("--feature", name)])
        features.append((count, stage(plain, model, "features") / 1000))
    kinds = {"random forest": "forest", "boosted trees, one tree per label and round": "boosted"}
    trees = {title: [(count, stage(plain, fitted(options, plain, kind, "--trees", count), "score") / 1000)
                     for count in ((1, 10, 100) if options.quick else (1, 3, 10, 30, 100, 300))]
             for title, kind in kinds.items()}
    return [{"title": "More features", "across": "features", "up": "µs per window", "curves": {"Gait": features},
             "note": "Features of the catalogue in random order, windows of 2.56 s; shared intermediate results are "
                     "computed once."},
            {"title": "More trees", "across": "trees, or rounds", "up": "µs per window", "curves": trees,
             "note": "Scoring one window of the default seven features, three labels, models fitted to simulated "
                     "people."}]


def fitted(options, plain, kind, *more):
    model = options.folder / "scale-model.json"
    gait_command.output_of([plain, "train", SIMULATED, "--layout", "{label}/sub_{subject}.csv", "--rate", 50, "--only",
                            "subject=1,2", "--model", kind, "--output", model, "--force", *more])
    return model


def stage(plain, model, name):
    """Nanoseconds per window."""
    stages = gait_command.benchmark_model(plain, model)["stages"]
    return next(stage["nanosecondsPerWindow"] for stage in stages if stage["name"] == name)


def run(options, report):
    plain = next(iter(options.executables.values()))
    report.add("\n## Scale\n")
    report.add("One core unless stated otherwise. The curves are in `scale.html`.")
    charts = [recordings(options, report, plain)]
    report.begin("scale: streams")
    charts += streams(options, report, plain)
    report.begin("scale: windows, features, trees")
    charts.append(windows(options, report, plain))
    charts += of_models(options, plain)
    for chart in charts:
        names = list(chart["curves"])
        report.add(f"\n### {chart['title']} ({chart['up']})\n\n| {chart['across']} | " + " | ".join(names) + " |")
        report.add("|---|" + "---|" * len(names))
        for place, x in enumerate(point[0] for point in next(iter(chart["curves"].values()))):
            report.add(f"| {x:,} | " + " | ".join(number(chart["curves"][name][place][1]) for name in names) + " |")
    Path(options.output, "scale.html").write_text(
        scale_page.page("How Gait's cost grows", report.machine_line.replace("`", ""), charts), encoding="utf-8")
