"""Learners: `gait` against scikit-learn, LightGBM, XGBoost and onnxruntime, in turn, on one core, on the same rows.

    python bench_learning.py PATH/TO/gait [PATH/TO/gait-v3] [--quick]

100,000 × 200 rows to learn from and 20,000 to judge by (`learning_data.py`). Prints Markdown. A time is the median over the
repetitions, its spread (highest − lowest) / median, a ratio the median of the ratios within each repetition, in which
everyone runs once; a learner that takes more than a few seconds runs once. Quality is checked before speed counts: a peer
whose held-out log-loss or accuracy ours does not reach is marked.
"""

import argparse
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

CORE = max(os.sched_getaffinity(0))
os.sched_setaffinity(0, {CORE})  # children inherit it
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy loads its BLAS
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests" / "References"))
warnings.simplefilter("ignore")

import lightgbm  # noqa: E402
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
import skl2onnx  # noqa: E402
import xgboost  # noqa: E402
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.metrics import log_loss  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402

import gait_command  # noqa: E402
from learning_data import SETS, learning_data  # noqa: E402
from machine import print_machine  # noqa: E402

PACKAGES = ("numpy", "scikit-learn", "lightgbm", "xgboost", "onnxruntime")
PENALTY = 5e-5  # what LogisticTrainer has by default
REPETITIONS = {"logistic": 9, "histogramTree": 5}  # the others take long: one


def logistic(rows, solver, dtype=np.float32):
    model = LogisticRegression(C=1 / (rows * PENALTY), solver=solver, max_iter=2000)
    return lambda data: model.fit(data.training.astype(dtype, copy=False), data.training_labels)


def fitted(make):
    return lambda data: make().fit(data.training, data.training_labels)


def peers(rows):
    """Learner → title → a function that fits it, all with the settings that `LearningBenchmark` gives ours."""
    return {
        "logistic": {
            f"scikit-learn {solver}, {np.dtype(dtype).name}": logistic(rows, solver, dtype)
            for solver in ("lbfgs", "newton-cholesky", "newton-cg") for dtype in (np.float32, np.float64)},
        "histogramTree": {
            "LightGBM": fitted(lambda: lightgbm.LGBMClassifier(
                n_estimators=1, learning_rate=1, num_leaves=256, max_depth=8, n_jobs=1, verbose=-1)),
            "XGBoost": fitted(lambda: xgboost.XGBClassifier(
                n_estimators=1, learning_rate=1, max_depth=8, tree_method="hist", n_jobs=1)),
            "scikit-learn histograms": fitted(lambda: HistGradientBoostingClassifier(
                max_iter=1, learning_rate=1, max_leaf_nodes=256, max_depth=8, early_stopping=False))},
        "exactTree": {
            "scikit-learn": fitted(lambda: DecisionTreeClassifier(
                max_depth=8, min_samples_leaf=20, min_samples_split=40, random_state=1))},
        "boosted": {
            "LightGBM": fitted(lambda: lightgbm.LGBMClassifier(n_estimators=100, num_leaves=31, n_jobs=1, verbose=-1))},
        "forest": {
            "scikit-learn": fitted(lambda: RandomForestClassifier(
                100, max_depth=16, min_samples_leaf=5, n_jobs=1, random_state=1))},
    }


class Peer:
    """Fits once per call, and keeps how long it took and how good it was."""

    def __init__(self, fit, data):
        self.fit, self.data, self.model = fit, data, None

    def __call__(self):
        start = time.perf_counter()
        self.model = self.fit(self.data)
        return time.perf_counter() - start

    @property
    def quality(self):
        scores = self.model.predict_proba(self.data.held_out)
        return (scores.argmax(1) == self.data.held_out_labels).mean(), log_loss(self.data.held_out_labels, scores)


class Own:
    """One fit by a process of its own, with the quality that it reports."""

    def __init__(self, path, learner, file):
        self.path, self.learner, self.file, self.report = path, learner, file, {}

    def __call__(self):
        self.report = gait_command.learning(self.path, self.learner, self.file)
        return self.report["fitSeconds"]

    @property
    def quality(self):
        return self.report["heldOutAccuracy"], self.report["heldOutLogLoss"]


def is_reached(learner, ours, theirs):
    """Whether ours is as good: ±1e-5 in log-loss for one optimum, ±0.002 in accuracy for trees."""
    if learner == "logistic":
        return ours[1] <= theirs[1] + 1e-5
    return ours[0] >= theirs[0] - 0.002


def print_learner(kind, learner, runs, ours, repetitions):
    times = {title: [] for title in runs}
    for repetition in range(repetitions):
        for title, run in runs.items():
            times[title].append(run())
            print(f"\r{kind}, {learner}, {repetition + 1} of {repetitions}: {title}".ljust(78), end="", file=sys.stderr)
    print(file=sys.stderr)
    best = runs[ours[0]].quality if ours else (0, np.inf)
    for title, run in runs.items():
        seconds = np.array(times[title])
        accuracy, loss = run.quality
        spread = "one run" if repetitions == 1 else f"{np.ptp(seconds) / np.median(seconds):.0%}"
        ratios = "".join(
            " |" if title in ours else f" {np.median(seconds / np.array(times[own])):.2f}× |" for own in ours)
        mark = "" if is_reached(learner, best, (accuracy, loss)) else " (better than ours)"
        print(f"| {kind} | {learner} | {title} | {np.median(seconds) * 1000:,.0f} | {spread} | {accuracy:.2%}{mark} | "
              f"{loss:.6f} |{ratios}")


def time_fits(kind, data, file, executables, quick):
    for learner, titles in peers(len(data.training)).items():
        runs = {title: Own(path, learner, file) for title, path in executables.items()}
        runs |= {title: Peer(fit, data) for title, fit in titles.items()}
        print_learner(kind, learner, runs, list(executables), 1 if quick else REPETITIONS.get(learner, 1))


def onnx_session(model, columns):
    graph = skl2onnx.to_onnx(model, np.zeros((1, columns), np.float32), options={id(model): {"zipmap": False}})
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(graph.SerializeToString(), options, providers=["CPUExecutionProvider"])


def time_scoring(kind, data, file, executables):
    """Rows a second of a whole matrix, and nanoseconds of one row alone (of as many features)."""
    models = {
        "logistic": LogisticRegression(max_iter=20).fit(data.training[:5000], data.training_labels[:5000]),
        "histogramTree": DecisionTreeClassifier(max_depth=8, min_samples_leaf=20, random_state=1).fit(
            data.training[:20_000], data.training_labels[:20_000])}
    for learner, model in models.items():
        session = onnx_session(model, data.training.shape[1])
        (name,) = [value.name for value in session.get_inputs()]
        rows = {"onnxruntime": []} | {title: [] for title in executables}
        single = {title: [] for title in executables}
        for _ in range(5):
            best = min(timed(lambda: session.run(None, {name: data.training})) for _ in range(5))
            rows["onnxruntime"].append(len(data.training) / best)
            for title, path in executables.items():
                report = gait_command.learning(path, learner, file)
                rows[title].append(report["rowsPerSecond"])
                single[title].append(report["nanosecondsPerRow"])
        for title, values in rows.items():
            ratio = "" if title == "onnxruntime" else f"{np.median(np.array(values) / np.array(rows['onnxruntime'])):.2f}×"
            alone = f"{np.median(single[title]):.0f}" if title in single else ""
            print(f"| {kind} | {learner} | {title} | {np.median(values):,.0f} | {alone} | {ratio} |")


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gait", nargs="?", help="the plain build; without one, only the peers are timed")
    parser.add_argument("v3", nargs="?", help="the x86-64-v3 build")
    parser.add_argument("--quick", action="store_true", help="a fifth of the rows, one repetition")
    options = parser.parse_args()
    paths = {"gait": options.gait, "gait v3": options.v3}
    executables = {title: str(Path(path).resolve()) for title, path in paths.items() if path}
    rows = 20_000 if options.quick else 100_000

    print("\n## Learning\n")
    print_machine(CORE, PACKAGES, f"{rows:,} × 200, Float32, one thread")
    with tempfile.TemporaryDirectory() as folder:
        sets = {kind: (learning_data(kind, rows=rows), Path(folder) / f"{kind}.bin") for kind in SETS}
        for data, file in sets.values():
            data.write(file)
        print("\n### Fitting\n\n| rows | learner | | ms | spread | held-out accuracy | held-out log-loss |"
              + "".join(f" {title} is faster by |" for title in executables))
        print("|---|---|---|---|---|---|---|" + "---|" * len(executables))
        for kind, (data, file) in sets.items():
            time_fits(kind, data, file, executables, options.quick)
        print("\n### Scoring\n\n| rows | learner | | rows/s, a matrix | ns, one row | faster than onnxruntime by |")
        print("|---|---|---|---|---|---|")
        for kind, (data, file) in sets.items():
            time_scoring(kind, data, file, executables)


if __name__ == "__main__":
    main()
