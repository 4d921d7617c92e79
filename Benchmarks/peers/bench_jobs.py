"""Gait beside what people use for this job: the time of a window's features, and from a folder to an evaluated model.

The libraries run in the environment of jobs_requirements.txt, beside this one: `window_libraries.py` and
`folder_to_model.py`. They compute their own features, so only the windows are the same. Both sides hold out three folds
of whole people and then fit all; the people of a fold may differ. Seconds are those of a whole process for Gait, and
without imports and compilation for the others.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import gait_command
from report import number, ratio

HERE = Path(__file__).resolve().parent
PYTHON = Path(sys.prefix).parent / "bench-jobs-venv" / "bin" / "python"
LIBRARIES = ("tsflex, ten functions of NumPy and SciPy", "aeon, `MiniRocket`", "aeon, `Catch22`",
             "pycatch22, `catch22_all`",
             "tsfel, default configuration")
SHAPE = {"window": 64, "hop": 16}
LEARNED = ("tsfel", "MiniRocket")
# Title → folder, Gait's layout, the same as a regular expression, and renamed labels.
FOLDERS = {
    "simulated people": (HERE.parents[1] / "datasets" / "simulated", "{label}/sub_{subject}.csv",
                         r"(?P<label>\w+)/sub_(?P<subject>\d+)\.csv", {}),
    "MotionSense": ("motionsense", "{label}_{trial}/sub_{subject}.csv", r"(?P<label>\w+)_\d+/sub_(?P<subject>\d+)\.csv",
                    {"jog": "running", "wlk": "walking", "ups": "walking", "dws": "walking", "sit": "still",
                     "std": "still"})}


def versions():
    """The packages of the other environment."""
    listed = json.loads(subprocess.run([PYTHON, "-m", "pip", "list", "--format", "json", "--disable-pip-version-check"],
                                       capture_output=True, text=True, check=True).stdout)
    wanted = ("aeon", "pycatch22", "tsfel", "tsflex", "scikit-learn", "numpy")
    return ", ".join(f"{one['name']} {one['version']}" for one in listed if one["name"] in wanted)


def add_windows(report):
    """A row for each library: its usual features of the same windows."""
    own = {(title, name): [] for title in report.options.executables for name in ("orientationFree", "running", "full")}
    peers, features = {title: [] for title in LIBRARIES}, {}
    process = subprocess.Popen([PYTHON, HERE / "window_libraries.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)
    for _ in range(2 if report.options.quick else 5):
        for (title, name), times in own.items():
            speed = gait_command.benchmark(report.options.executables[title], name, SHAPE)["windowsPerSecond"]
            times.append(1e6 / speed)
        for title, times in peers.items():
            process.stdin.write(title + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                raise SystemExit(f"{title} failed")
            found = json.loads(line)
            features[title] = found["features"]
            times.append(found["seconds"] / found["windows"] * 1e6)
    process.stdin.close()
    process.wait()
    ours = [title for title, name in own if name == "full"]
    report.add("\n### Features of a window\n\nWindows of 64 samples at 25 Hz, hop 16, twelve channels. Ratios are of a "
               "whole window, to Gait's 539 features.\n")
    report.add("| library and features | features of a window | µs a window | µs a feature |"
               + "".join(f" {title} is faster by |" for title in ours))
    report.add("|---|---:|---:|---:|" + "---|" * len(ours))
    for (title, name), times in own.items():
        count = len(gait_command.feature_names(report.options.executables[title], name))
        report.add(line_of(f"{title}, `{name}`", count, times) + " |" * len(ours))
    for title, times in peers.items():
        ratios = [ratio(np.array(own[one, "full"]), np.array(times), is_time=True) for one in ours]
        report.add(line_of(title, features[title], times) + "".join(f" {one} |" for one in ratios))


def line_of(title, count, times):
    return f"| {title} | {count:,} | {number(np.median(times))} | {number(np.median(times) / count)} |"


def trained(gait, folder, layout, names, model, more):
    """Seconds, accuracy on held-out people, and windows of `gait train`."""
    start = time.perf_counter()
    report = json.loads(gait_command.output_of([
        gait, "train", folder, "--layout", layout, "--rate", 50, "--window", 2.56, "--hop", 2.56, "--folds", 3,
        "--output", model,
        "--force", "--json", *[option for label, name in names.items() for option in ("--map", f"{label}={name}")],
        *more]))
    seconds, report = time.perf_counter() - start, report["crossValidation"]
    return {"seconds": seconds, "accuracy": report["accuracy"], "windows": sum(map(sum, report["confusion"])),
            "people": len(report["groups"])}


def by_library(folder, pattern, names, library):
    """The same of each classifier, by title."""
    done = subprocess.run([PYTHON, HERE / "folder_to_model.py", folder, pattern, json.dumps(names), library],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{library}\n{done.stderr}")
    return json.loads(done.stdout)


def add_folder(report, title, folder, layout, pattern, names):
    gait, model = next(iter(report.options.executables.values())), report.options.folder / "job.json"
    runs = {"`gait train`, 7 features, logistic regression": [], "`gait train`, 539 features, logistic regression": []}
    for _ in range(3):
        for times, more in zip(runs.values(), ([], ["--set", "full"])):
            times.append(trained(gait, folder, layout, names, model, more))
    for library in LEARNED:
        runs |= {job: [found] for job, found in by_library(folder, pattern, names, library).items()}
    seconds = {job: np.array([one["seconds"] for one in found]) for job, found in runs.items()}
    first, full = list(runs)[:2]
    windows = {found[0]["windows"] for found in runs.values()}
    # The edges of a recording and of its resampling may differ by a window.
    recordings = sum(1 for _ in Path(folder).rglob("*.csv"))
    if max(windows) - min(windows) > recordings:
        raise SystemExit(f"{title} has {min(windows)} to {max(windows)} windows")
    report.add(f"\n### From a folder to an evaluated model: {title}, {runs[first][0]['people']} people, "
               f"{max(windows):,} windows\n")
    report.add("| | accuracy, held-out people | seconds | 7 features are faster by | 539 features are faster by "
               "|\n|---|---|---|---|---|")
    for job, found in runs.items():
        # A peer runs once; its ratios are to each run of Gait.
        ratios = ["", ""] if job in (first, full) else [
            ratio(seconds[own], np.repeat(seconds[job], len(seconds[own])), is_time=True) for own in (first, full)]
        report.add(f"| {job} | {found[0]['accuracy']:.1%} | {number(np.median(seconds[job]))} | {ratios[0]} | "
                   f"{ratios[1]} |")


def run(options, report):
    if not PYTHON.exists():
        raise SystemExit(f"{PYTHON} does not exist; Scripts/bench installs it from jobs_requirements.txt.")
    report.head("What people use for this job", ("numpy",), f"one thread; the libraries' environment: {versions()}")
    add_windows(report)
    for title, (folder, *more) in FOLDERS.items():
        folder = Path(options.data, folder)  # an absolute path stays
        if not folder.exists():
            report.add(f"\n{title} is left out: {folder.name} is not in the folder of the public sets.")
        elif title != "MotionSense" or not options.quick:
            report.begin(f"jobs: {title}")
            add_folder(report, title, folder, *more)
