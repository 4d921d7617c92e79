"""The benchmarks' calls of `gait` and of its Python package; the only file with its option names."""

import csv
import json
import subprocess
from pathlib import Path

import numpy as np

from catalogue import CHANNELS

SETS = {"full": {"window": 128, "hop": 64}, "orientationFree": {"window": 64, "hop": 16}}
RATE = 25
LEADING_COLUMNS = ["label", "subject", "recording", "start", "coverage"]


def benchmark(gait, feature_set, shape=None):
    shape = shape or SETS[feature_set]
    return json.loads(output_of([
        workloads(gait), "--features", feature_set, shape["window"] / RATE, shape["hop"] / RATE]))


def workloads(gait):
    """The program beside `gait` that times what no user asks of `gait`."""
    return Path(gait).parent / "RunWorkload"


def features(gait, recording, feature_set, table):
    """Starts in seconds, names and values [windows × features] that `gait features` writes for one recording."""
    shape = SETS[feature_set]
    output_of([gait, "features", recording, "--rate", RATE, "--set", feature_set, "--window", shape["window"] / RATE,
               "--hop", shape["hop"] / RATE, "--output", table])
    with open(table, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    count = len(LEADING_COLUMNS)
    if header[:count] != LEADING_COLUMNS:
        raise SystemExit(f"{table} begins with {header[:count]}, not {LEADING_COLUMNS}")
    starts = np.array([float(row[header.index("start")]) for row in rows])
    return starts, header[count:], np.array([[float(value) for value in row[count:]] for row in rows])


def reading(gait, recording):
    """The time of one reading of a CSV, and fingerprints of the values."""
    return json.loads(output_of([workloads(gait), "--csv", recording, 1]))


def learning(gait, learner, rows, repetitions=1):
    """The time of one fit, and the scoring speed and quality of the model."""
    return json.loads(output_of([workloads(gait), "--learning", rows, learner, repetitions]))


def scoring(gait, model, rows, repetitions=3):
    """The time of a row in calls of 1, of 100 and of all rows, and probabilities of the second label."""
    return json.loads(output_of([workloads(gait), "--rows", model, rows, repetitions]))


def kernels(gait, repetitions):
    """Times of scoring, training and solving with BLAS and in plain Swift, by size."""
    return json.loads(output_of([workloads(gait), "--kernels", repetitions]))


def files(gait, model, recordings, rate, repetitions=1, all_cores=False):
    """The time from files to labels."""
    return json.loads(output_of([gait, "benchmark", model, *recordings, "--files", "--rate", rate, "--repetitions",
                                 repetitions, "--json"] + ["--all-cores"] * all_cores))["files"]


def classify(gait, model, recording, rate):
    """Starts in seconds, probabilities [windows × labels] in the order of `labels`, and the warnings about repairs."""
    arguments = [str(argument) for argument in (gait, "classify", model, recording, "--rate", rate, "--json")]
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)}\n{done.stderr}")
    windows = json.loads(done.stdout)["windows"]
    labels = sorted(windows[0]["probabilities"]) if windows else []
    return (np.array([window["start"] for window in windows]),
            np.array([[window["probabilities"][label] for label in labels] for window in windows]), done.stderr)


def benchmark_model(gait, model):
    """The speed of a model and of its stages on ten simulated minutes at 50 Hz, in memory."""
    return json.loads(output_of([workloads(gait), "--model", model]))


def feature_names(gait, feature_set):
    """The names of a set's features."""
    return json.loads(output_of([gait, "features", "--list", "--json"]))["sets"][feature_set]


def export_onnx(model, path):
    import gait_motion  # which needs GAIT_LIBRARY
    gait_motion.export.to_onnx(gait_motion.Model.load(model), path)


def output_of(arguments):
    arguments = [str(argument) for argument in arguments]
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)}\n{done.stderr or done.stdout}")
    return done.stdout


def write_recording(path, samples):
    """The columns of MotionDataCollector, a row's index first; each number the shortest decimal of its Float."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("," + ",".join(CHANNELS) + "\n")
        for index, row in enumerate(samples.T):
            file.write(f"{index}," + ",".join(map(str, row)) + "\n")
