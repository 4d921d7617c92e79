"""BLAS and LAPACK beside plain Swift, by size: what `RunWorkload --kernels` measures, in one process, in turns.

Scoring is Gait's own code both ways, as built with and without the package trait `BLAS`; training and solving are the
kernels of the logistic trainer, which always uses BLAS, beside loops in Swift.
"""

import numpy as np

import gait_command
from report import number

NAMES = {"score": "score rows, three labels", "gradient": "train: gradient of a block of rows",
         "hessian": "train: Hessian of a block of rows", "solve": "solve: Cholesky and substitution"}
TOLERANCE = {"score": 1e-5, "gradient": 1e-10, "hessian": 1e-10, "solve": 1e-8}  # Float, else Double


def run(options, report):
    measured = {title: gait_command.kernels(path, 5 if options.quick else 15) for title,
                path in options.executables.items()}
    report.head("BLAS and plain Swift", ("numpy",),
                "one thread; microseconds of a call, medians; ratios are Swift ÷ BLAS")
    titles = [f"{title}: {what}" for title in measured for what in ("BLAS, µs", "Swift, µs", "BLAS is faster by")]
    report.add("\n| work | rows | features | " + " | ".join(titles) + " | faster |\n|---|---|---|" + "---|"
               * (len(titles) + 1))
    for rows in zip(*measured.values()):
        row, cells = rows[0], []
        for one in rows:
            if not one["difference"] <= TOLERANCE[one["work"]]:
                raise SystemExit(
                    f"BLAS and Swift differ by {one['difference']:.1e} in {one['work']}, {one['features']} features")
            low, median, high = one["ratios"]
            cells += [number(one["blas"]), number(one["swift"]), f"{median:.2f}× ({low:.2f}–{high:.2f})"]
        # A win needs all repetitions of all builds.
        low, high = min(one["ratios"][0] for one in rows), max(one["ratios"][2] for one in rows)
        winner = "BLAS" if low > 1 else "Swift" if high < 1 else "neither"
        report.add(f"| {NAMES[row['work']]} | {row['rows']:,} | {row['features']} | " + " | ".join(cells)
                   + f" | {winner} |")
    for work, name in NAMES.items():
        medians = [np.median([one["ratios"][1] for one in rows]) for rows in zip(*measured.values())
                   if rows[0]["work"] == work]
        report.add(f"\n{name}: BLAS is faster by {min(medians):.2f}× to {max(medians):.2f}×.")
