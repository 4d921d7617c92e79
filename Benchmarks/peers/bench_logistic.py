"""Logistic regression over a grid of rows and features: `gait` compared with every solver of scikit-learn.

A solver runs in its own process, which is stopped after ten times Gait's time, at least a second and at most twenty, as
it is not the fastest then. Times are those of the fit alone, the fastest of five if Gait takes less than 0.5 s. A
solver *converges* if it ends without reaching its limit of iterations, with an objective (mean log-loss + ½ penalty
‖w‖²) within 1e-5 of the lowest of all solvers. Gait's held-out log-loss is compared with that of the solver with the
lowest objective.
"""

import multiprocessing
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

import gait_command
from bench_learning import PENALTY
from learning_data import SETS, learning_data
from report import number, ratio

PACKAGES = ("numpy", "scipy", "scikit-learn")
ROWS, FEATURES, TOLERANCE, ITERATIONS = (2_000, 20_000, 100_000, 500_000), (7, 50, 200, 500), 1e-5, 2000
SOLVERS = {"newton-cholesky": ("float32", "float64"), "lbfgs": ("float32", "float64"),
           "newton-cg": ("float32", "float64"),
           "liblinear": ("float64",), "sag": ("float32",), "saga": ("float32",)}
FORK = multiprocessing.get_context("fork")  # shares the rows


class Solver:
    """One solver of scikit-learn on one set of rows."""

    def __init__(self, solver, dtype, data):
        self.solver, self.dtype, self.data, self.result = solver, dtype, data, None

    def fit(self, repetitions, channel):
        rows = self.data.training.astype(self.dtype, copy=False)
        model = LogisticRegression(C=1 / (len(rows) * PENALTY), solver=self.solver, max_iter=ITERATIONS)
        times = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(repetitions):
                start = time.perf_counter()
                model.fit(rows, self.data.training_labels)
                times.append(time.perf_counter() - start)
        loss = log_loss(self.data.training_labels, model.predict_proba(rows)[:, 1])
        channel.send({"seconds": min(times), "ends": bool(np.max(model.n_iter_) < ITERATIONS),
                      "objective": loss + PENALTY / 2 * float(np.sum(model.coef_.astype(float) ** 2)),
                      "heldOut": log_loss(self.data.held_out_labels, model.predict_proba(self.data.held_out)[:, 1])})

    def run(self, repetitions, cap):
        """The result of a new process, or None if it did not end in time."""
        receiver, sender = FORK.Pipe(duplex=False)
        process = FORK.Process(target=self.fit, args=(repetitions, sender))
        process.start()
        sender.close()
        try:
            # The scores are computed after the fit.
            ended = receiver.poll(cap * repetitions + 2)
            found = receiver.recv() if ended else None
        except EOFError:
            raise SystemExit(
                f"scikit-learn's {self.solver} failed on {self.data.training.shape} of {self.dtype}") from None
        finally:
            process.kill()
            process.join()
        return found if found and found["seconds"] <= cap else None


def available_bytes():
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


def cell(report, kind, data, file):
    """A row of the table, and whether Gait is as good and how many times as fast."""
    ours = report.options.executables
    fits = {title: [gait_command.learning(path, "logistic", file)] for title, path in ours.items()}
    first = next(iter(fits.values()))[0]
    repetitions = 5 if first["fitSeconds"] < 0.5 else 1
    cap = min(20, max(1, 10 * first["fitSeconds"]))
    solvers = {f"{solver}, {dtype}": Solver(solver, dtype, data) for solver,
               dtypes in SOLVERS.items() for dtype in dtypes}
    found = {title: solver.run(repetitions, cap) for title, solver in solvers.items()}
    ended = {title: result for title, result in found.items() if result and result["ends"]}
    best = min(ended, key=lambda title: ended[title]["objective"], default=None)
    converged = {title: result["seconds"] for title, result in ended.items()
                 if result["objective"] <= ended[best]["objective"] + TOLERANCE}
    fastest = min(converged, key=converged.get, default=None)
    times = {title: [] for title in [*ours, *([fastest] if fastest else [])]}
    worst = 0
    for _ in range(2 if report.options.quick else 3):
        for title, path in ours.items():
            fit = gait_command.learning(path, "logistic", file, repetitions)
            times[title].append(fit["fitSeconds"])
            worst = max(worst, fit["heldOutLogLoss"])
        if fastest:
            # A slower turn than the first is a figure, not a failure.
            times[fastest].append(solvers[fastest].run(repetitions, 10 * cap)["seconds"])
    times = {title: np.array(seconds) for title, seconds in times.items()}
    excess = worst - ended[best]["heldOut"] if best else float("nan")
    cells = [milliseconds(found[title], title in converged, cap) for title in found]
    ratios = [ratio(times[own], times[fastest], is_time=True) if fastest else f"over {cap / np.median(times[own]):.0f}×"
              for own in ours]
    own = [number(np.median(times[title]) * 1000) for title in ours]
    rows, columns = data.training.shape
    report.add(f"| {kind} | {rows:,} | {columns} | " + " | ".join(
        [*own, *cells, fastest or "none", *ratios, f"{excess:+.1e}"]) + " |")
    faster = np.median(times[fastest] / times[next(iter(ours))]) if fastest else cap / first["fitSeconds"]
    return {"rows": rows, "features": columns, "good": bool(excess <= TOLERANCE), "faster": faster}


def milliseconds(result, converged, cap):
    """A solver's time; in brackets if it does not converge."""
    if result is None:
        return f"(> {number(cap * 1000)})"
    return number(result["seconds"] * 1000) if converged else f"({number(result['seconds'] * 1000)})"


def run(options, report):
    report.head("Logistic regression, a grid", PACKAGES, f"two labels, penalty {PENALTY:g}, one thread")
    titles = [f"{solver}, {dtype}" for solver, dtypes in SOLVERS.items() for dtype in dtypes]
    report.add("\nMilliseconds of a fit; in brackets solvers that do not converge. The last column is Gait's held-out "
               "log-loss minus that of the solver with the lowest objective.\n")
    report.add("| features are | rows | features | "
               + " | ".join([*options.executables, *titles, "the fastest that converges"])
               + " |" + "".join(f" {own} is faster by |" for own in options.executables) + " log-loss |")
    report.add("|---|---|---|" + "---|" * (len(titles) + 2 * len(options.executables) + 2))
    cells = []
    for rows in ROWS[:2] if options.quick else ROWS:
        for columns in FEATURES[:3] if options.quick else FEATURES:
            if 15 * rows * columns * 4 > available_bytes():
                report.add(f"\n{rows:,} × {columns} is left out: it needs {15 * rows * columns * 4 / 1e9:.0f} GB of "
                           "memory.\n")
                continue
            for kind in SETS:
                print(f"\r{rows} × {columns}, {kind}".ljust(60), end="", file=sys.stderr, flush=True)
                file = options.folder / "grid.bin"
                data = learning_data(kind, rows=rows, columns=columns)
                data.write(file)
                cells.append(cell(report, kind, data, file))
                file.unlink()
    print(file=sys.stderr)
    large = [one for one in cells if one["rows"] * one["features"] >= 20_000 * 50 and one["rows"] >= 20_000]
    report.add(f"\nGait's held-out log-loss is within {TOLERANCE:g} of the best solver's or below in "
               f"{sum(one['good'] for one in cells)} of {len(cells)} sizes. It is at least as fast as the fastest in "
               f"{sum(one['faster'] >= 1 for one in cells)} of {len(cells)}; from 20,000 × 50, at least twice as fast "
               f"in {sum(one['faster'] >= 2 for one in large)} of {len(large)}.")
