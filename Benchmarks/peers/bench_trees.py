"""Scoring by forests and boosted models: `gait` compared with lleaves, tl2cgen, Treelite, LightGBM and onnxruntime.

All score the same trees: LightGBM fits them, with 31 leaves each; `trees_as_gait.py` writes them as a model file, `gait
export` writes that as ONNX, and the others read LightGBM's text. Each library scores through its own call, from an
array of the type that it needs, prepared before: Float32, and Float64 for Treelite and tl2cgen, whose models have
double thresholds. lleaves and tl2cgen compile the trees, lleaves in single precision, which is faster. Calls of 1 and
of 100 rows go through the rows of 256 KiB; a time is that of the fastest pass within a turn. For Gait, a call in Swift
of one row allocates two arrays; the pipeline's call does not.
"""

import time

import lightgbm
import lleaves
import numpy as np
import onnxruntime
import tl2cgen
import treelite

import gait_command
import trees_as_gait
from learning_data import LearningData, learning_data
from report import number, ratio

PACKAGES = ("lightgbm", "lleaves", "treelite", "tl2cgen", "onnxruntime", "numpy")
KINDS = {"boosted": "boosted trees", "forest": "random trees"}
COLUMNS, LEAVES, COUNTS, TOLERANCE = 200, 31, (10, 100, 1000), 1e-5
SECONDS = 0.3  # of the passes of a turn, at least one pass


def fitted(kind, data, trees):
    common = {"num_leaves": LEAVES, "max_bin": 63, "num_threads": 1, "verbose": -1, "seed": 1}
    own = {"boosted": {"objective": "binary", "learning_rate": 0.05},
           "forest": {"objective": "regression", "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.63,
                      "feature_fraction": 0.1}}[kind]
    rows = lightgbm.Dataset(data.training, data.training_labels)
    return lightgbm.train(common | own, rows, num_boost_round=trees)


class Peers:
    """Title → a function from prepared rows to scores, and how rows are prepared for it."""

    def __init__(self, booster, trees, onnx, folder):
        text, library = folder / f"{trees}.txt", folder / f"{trees}.so"
        booster.save_model(text, num_iteration=trees)
        compiled = lleaves.Model(model_file=str(text))
        compiled.compile(use_fp64=False)  # faster than in double precision
        model = treelite.frontend.load_lightgbm_model(text)
        tl2cgen.export_lib(model, toolchain="gcc", libpath=library, params={"parallel_comp": 8}, nthread=1)
        predictor = tl2cgen.Predictor(library, nthread=1)
        one = onnxruntime.SessionOptions()
        one.intra_op_num_threads = one.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(onnx), one, providers=["CPUExecutionProvider"])
        double = lambda rows: np.ascontiguousarray(rows, np.float64)
        self.calls = {
            "lleaves": (np.ascontiguousarray, lambda rows: compiled.predict(rows, n_jobs=1)),
            "tl2cgen": (lambda rows: tl2cgen.DMatrix(double(rows), dtype="float64"), predictor.predict),
            "Treelite": (double, lambda rows: treelite.gtil.predict(model, rows, nthread=1)),
            "LightGBM": (np.ascontiguousarray, lambda rows: booster.predict(rows, num_iteration=trees, num_threads=1)),
            "onnxruntime": (np.ascontiguousarray, lambda rows: session.run(["probabilities"], {"features": rows})[0])}

    def scores(self, title, rows):
        """The probability of the second label."""
        prepare, score = self.calls[title]
        return np.asarray(score(prepare(rows))).reshape(len(rows), -1)[:, -1]

    def nanoseconds(self, title, rows, size):
        """Nanoseconds per row in calls of `size` rows."""
        prepare, score = self.calls[title]
        count = max(1, min(256 * 1024 // (4 * COLUMNS), len(rows)) // size)
        parts = [prepare(rows[index * size:(index + 1) * size]) for index in range(count)]
        if size < len(rows):
            score(parts[0])
        times, end = [], time.perf_counter() + SECONDS
        while not times or time.perf_counter() < end:
            start = time.perf_counter()
            for part in parts:
                score(part)
            times.append(time.perf_counter() - start)
        return min(times) * 1e9 / (size * count)


def demand_agreement(own, peers, rows, what):
    """Stops unless the probabilities of the first thousand rows agree, and the mean of all."""
    for title in peers.calls:
        found = peers.scores(title, rows)
        worst = max(np.abs(found[:1000] - own["probabilities"]).max(), abs(found.mean() - own["meanProbability"]))
        if not worst <= TOLERANCE:
            raise SystemExit(f"{what}: {title} and Gait differ by {worst:.1e} in a probability")


def add_rows(report, kind, trees, model, peers, rows, file):
    sizes, ours = (1, 100, len(rows)), list(report.options.executables)
    times = {size: {title: [] for title in [*ours, *peers.calls]} for size in sizes}
    for repetition in range(2 if report.options.quick else 3):
        for title, path in report.options.executables.items():
            own = gait_command.scoring(path, model, file)
            if repetition == 0:
                demand_agreement(own, peers, rows, f"{trees} {KINDS[kind]}, {title}")
            for batch in own["batches"]:
                times[batch["rows"]][title].append(batch["nanosecondsPerRow"])
        for title in peers.calls:
            for size in sizes:
                times[size][title].append(peers.nanoseconds(title, rows, size))
    for size, found in times.items():
        found = {title: np.array(values) for title, values in found.items()}
        best = min(peers.calls, key=lambda title: np.median(found[title]))
        cells = [number(np.median(values)) for values in found.values()]
        ratios = [ratio(found[own], found[best], is_time=True) for own in ours]
        report.add(f"| {trees:,} | {size:,} | " + " | ".join([*cells, best, *ratios]) + " |")
        if trees == 100 and size == len(rows):
            speeds = {title: 1e9 / values for title, values in found.items()}
            report.row(f"score: 100 {KINDS[kind]} of 31 leaves", "rows/s", speeds, ours, best)


def run(options, report):
    count = 10_000 if options.quick else 100_000
    report.head("Trees", PACKAGES, f"{count:,} rows of {COLUMNS} features, trees of {LEAVES} leaves, one thread")
    data = learning_data("easy", rows=5_000 if options.quick else 20_000, held_out=count, columns=COLUMNS)
    rows, file = data.held_out, options.folder / "rows.bin"
    LearningData(rows, data.held_out_labels, rows[:1], data.held_out_labels[:1]).write(file)
    names = gait_command.feature_names(next(iter(options.executables.values())), "full")[:COLUMNS]
    ours, counts = list(options.executables), COUNTS[:2] if options.quick else COUNTS
    for kind, title in KINDS.items():
        report.begin(f"trees: {title}")
        booster = fitted(kind, data, counts[-1])
        peers = ["lleaves", "tl2cgen", "Treelite", "LightGBM", "onnxruntime"]
        report.add(f"\n### {title.capitalize()}: nanoseconds per row\n")
        report.add("| trees | rows in a call | " + " | ".join([*ours, *peers, "the fastest peer"]) + " |"
                   + "".join(f" {own} is faster by |" for own in ours))
        report.add("|---|---|" + "---|" * (len(ours) * 2 + len(peers) + 1))
        for trees in counts:
            model, onnx = options.folder / f"{kind}-{trees}.json", options.folder / f"{kind}-{trees}.onnx"
            model.write_text(trees_as_gait.model_file(booster, trees, names, kind == "forest"), encoding="utf-8")
            gait_command.export_onnx(model, onnx)
            folder = options.folder / f"{kind}-{trees}"
            folder.mkdir()
            add_rows(report, kind, trees, model, Peers(booster, trees, onnx, folder), rows, file)
