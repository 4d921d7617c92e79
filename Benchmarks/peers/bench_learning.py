"""Training and scoring: `gait` compared with scikit-learn, LightGBM, XGBoost and onnxruntime, on the same rows.

100,000 training rows of 200 features and 20,000 held-out rows (`learning_data.py`). A learner that takes more than a
few seconds runs once. The table marks peers whose held-out log-loss or accuracy Gait does not reach.
"""

import sys
import time

import lightgbm
import numpy as np
import onnxruntime
import skl2onnx
import xgboost
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier

import gait_command
from learning_data import SETS, learning_data
from report import ratio

PACKAGES = ("numpy", "scikit-learn", "lightgbm", "xgboost-cpu", "onnxruntime")
PENALTY = 5e-5  # LogisticTrainer's default
NAMES = {"logistic": "logistic regression", "tree": "a tree of depth 8", "boosted": "100 boosted trees",
         "forest": "100 random trees"}
REPETITIONS = {"logistic": 5, "tree": 5}  # the others are slow and run once


def logistic(rows, solver, dtype=np.float32):
    model = LogisticRegression(C=1 / (rows * PENALTY), solver=solver, max_iter=2000)
    return lambda data: model.fit(data.training.astype(dtype, copy=False), data.training_labels)


def fitted(make):
    return lambda data: make().fit(data.training, data.training_labels)


def peers(rows):
    """Learner → title → a function that fits it, with the same settings as `LearningBenchmark`."""
    return {
        "logistic": {
            f"scikit-learn {solver}, {np.dtype(dtype).name}": logistic(rows, solver, dtype)
            for solver in ("lbfgs", "newton-cholesky", "newton-cg") for dtype in (np.float32, np.float64)},
        "tree": {
            "LightGBM": fitted(lambda: lightgbm.LGBMClassifier(
                n_estimators=1, learning_rate=1, num_leaves=256, max_depth=8, n_jobs=1, verbose=-1)),
            "XGBoost": fitted(lambda: xgboost.XGBClassifier(
                n_estimators=1, learning_rate=1, max_depth=8, tree_method="hist", n_jobs=1)),
            "scikit-learn histograms": fitted(lambda: HistGradientBoostingClassifier(
                max_iter=1, learning_rate=1, max_leaf_nodes=256, max_depth=8, early_stopping=False)),
            "scikit-learn": fitted(lambda: DecisionTreeClassifier(
                max_depth=8, min_samples_leaf=20, min_samples_split=40, random_state=1))},
        "boosted": {
            "LightGBM": fitted(lambda: lightgbm.LGBMClassifier(n_estimators=100, num_leaves=31, n_jobs=1, verbose=-1))},
        "forest": {
            "scikit-learn": fitted(lambda: RandomForestClassifier(
                100, max_depth=16, min_samples_leaf=5, n_jobs=1, random_state=1))},
    }


class Peer:
    """Fits once per call, and stores the time and the quality."""

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
    """One fit in a separate process, with the quality that it reports."""

    def __init__(self, path, learner, file):
        self.path, self.learner, self.file, self.report = path, learner, file, {}

    def __call__(self):
        self.report = gait_command.learning(self.path, self.learner, self.file)
        return self.report["fitSeconds"]

    @property
    def quality(self):
        return self.report["heldOutAccuracy"], self.report["heldOutLogLoss"]


def is_reached(learner, ours, theirs):
    """Whether Gait is as good: ±1e-5 in log-loss for convex problems, ±0.002 in accuracy for trees."""
    if learner == "logistic":
        return ours[1] <= theirs[1] + 1e-5
    return ours[0] >= theirs[0] - 0.002


def add_learner(report, kind, learner, runs, repetitions):
    times, ours = {title: [] for title in runs}, list(report.options.executables)
    for repetition in range(repetitions):
        for title, run in runs.items():
            times[title].append(run())
            print(f"\r{kind}, {learner}, {repetition + 1} of {repetitions}: {title}".ljust(78), end="", file=sys.stderr)
    print(file=sys.stderr)
    times = {title: np.array(seconds) * 1000 for title, seconds in times.items()}
    best = runs[ours[0]].quality
    for title, milliseconds in times.items():
        accuracy, loss = runs[title].quality
        spread = "one run" if repetitions == 1 else f"{np.ptp(milliseconds) / np.median(milliseconds):.0%}"
        ratios = "".join(
            " |" if title in ours else f" {ratio(times[own], milliseconds, is_time=True)} |" for own in ours)
        mark = "" if is_reached(learner, best, (accuracy, loss)) else " (better than Gait)"
        report.add(f"| {kind} | {learner} | {title} | {np.median(milliseconds):,.0f} | {spread} | {accuracy:.2%}{mark} "
                   f"| {loss:.6f} |{ratios}")
    if kind == "correlated":
        fastest = min((title for title in runs if title not in ours), key=lambda title: np.median(times[title]))
        rows = f"{report.rows_to_learn:,} × 200"
        report.row(f"fit: {NAMES[learner]}, {rows}", "ms", times, ours, fastest, is_time=True)


def time_fits(report, kind, data, file):
    for learner, titles in peers(len(data.training)).items():
        runs = {title: Own(path, learner, file) for title, path in report.options.executables.items()}
        runs |= {title: Peer(fit, data) for title, fit in titles.items()}
        add_learner(report, kind, learner, runs, 1 if report.options.quick else REPETITIONS.get(learner, 1))


def onnx_session(model, columns):
    graph = skl2onnx.to_onnx(model, np.zeros((1, columns), np.float32), options={id(model): {"zipmap": False}})
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(graph.SerializeToString(), options, providers=["CPUExecutionProvider"])


def time_scoring(report, kind, data, file):
    """Rows per second for a whole matrix, and nanoseconds for a single row of as many features."""
    models = {
        "logistic": LogisticRegression(max_iter=20).fit(data.training[:5000], data.training_labels[:5000]),
        "tree": DecisionTreeClassifier(max_depth=8, min_samples_leaf=20, random_state=1).fit(
            data.training[:20_000], data.training_labels[:20_000])}
    for learner, model in models.items():
        session = onnx_session(model, data.training.shape[1])
        (name,) = [value.name for value in session.get_inputs()]
        ours = list(report.options.executables)
        rows, single = {title: [] for title in [*ours, "onnxruntime"]}, {title: [] for title in ours}
        for _ in range(3):
            best = min(timed(lambda: session.run(None, {name: data.training})) for _ in range(5))
            rows["onnxruntime"].append(len(data.training) / best)
            for title, path in report.options.executables.items():
                result = gait_command.learning(path, learner, file, repetitions=5)
                rows[title].append(result["rowsPerSecond"])
                single[title].append(result["nanosecondsPerRow"])
        for title, values in rows.items():
            faster = "" if title in ours else ", ".join(ratio(rows[own], values) for own in ours)
            alone = f"{np.median(single[title]):.0f}" if title in single else ""
            report.add(f"| {kind} | {learner} | {title} | {np.median(values):,.0f} | {alone} | {faster} |")
        if kind == "correlated":
            report.row(f"score: {NAMES[learner]}, rows of 200", "rows/s", rows, ours, "onnxruntime")


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def run(options, report):
    report.rows_to_learn = 20_000 if options.quick else 100_000
    report.head("Learning", PACKAGES, f"{report.rows_to_learn:,} × 200, Float32, one thread")
    ours = options.executables
    sets = {kind: (learning_data(kind, rows=report.rows_to_learn), options.folder / f"{kind}.bin") for kind in SETS}
    for data, file in sets.values():
        data.write(file)
    report.add("\n### Fitting\n\n| rows | learner | | ms | spread | held-out accuracy | held-out log-loss |"
               + "".join(f" {title} is faster by |" for title in ours))
    report.add("|---|---|---|---|---|---|---|" + "---|" * len(ours))
    for kind, (data, file) in sets.items():
        time_fits(report, kind, data, file)
    report.add(f"\n### Scoring\n\n| rows | learner | | rows/s, a matrix | ns, one row | {', '.join(ours)} faster by |")
    report.add("|---|---|---|---|---|---|")
    for kind, (data, file) in sets.items():
        time_scoring(report, kind, data, file)
