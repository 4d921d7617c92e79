"""Compares Gait with alternatives on one core, in alternating runs, after checking that the results agree.

    python bench.py PATH/TO/gait [PATH/TO/gait-v3] [--quick] [--only pipeline --only csv …] [--data FOLDER] [--output
    FOLDER]

Writes OUTPUT/benchmarks.md, which is printed too, and OUTPUT/scale.html. A figure is the median over the repetitions;
its spread is (highest − lowest) / median. Every candidate runs once in each repetition; a ratio is the median of the
ratios within each repetition, with the lowest and the highest in brackets. Gait runs in a separate process, which times
itself; process start is not included.
"""

import argparse
import os
import sys
import tempfile
import warnings
from pathlib import Path

CORES = sorted(os.sched_getaffinity(0))
CORE = CORES[-1]
os.sched_setaffinity(0, {CORE})  # children inherit it
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ[variable] = "1"  # before the libraries start their threads
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests" / "References"))
warnings.simplefilter("ignore")

import bench_blas  # noqa: E402
import bench_cores  # noqa: E402
import bench_csv  # noqa: E402
import bench_features  # noqa: E402
import bench_jobs  # noqa: E402
import bench_learning  # noqa: E402
import bench_logistic  # noqa: E402
import bench_pipeline  # noqa: E402
import bench_scale  # noqa: E402
import bench_trees  # noqa: E402
import motion_file  # noqa: E402
from report import Report  # noqa: E402

PARTS = {"pipeline": bench_pipeline, "csv": bench_csv, "features": bench_features, "learning": bench_learning,
         "logistic": bench_logistic, "trees": bench_trees, "blas": bench_blas, "cores": bench_cores, "jobs": bench_jobs,
         "scale": bench_scale}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gait", help="the plain build")
    parser.add_argument("v3", nargs="?", help="the x86-64-v3 build")
    parser.add_argument("--quick", action="store_true", help="smaller files, fewer rows and repetitions")
    parser.add_argument("--only", action="append", choices=PARTS, help="a part; all of them by default")
    parser.add_argument("--megabytes", type=int, help="the size of the large CSV; 1000, or 100 with --quick")
    parser.add_argument("--data", default="../shared/data", help="the folder with the public sets")
    parser.add_argument("--output", default=".build/bench",
                        help="the folder for the results and, temporarily, the large CSV")
    options = parser.parse_args()
    paths = {"gait": options.gait, "gait v3": options.v3}
    options.executables = {title: str(Path(path).resolve()) for title, path in paths.items() if path}
    options.megabytes = options.megabytes or (100 if options.quick else 1000)
    options.core, options.cores = CORE, CORES
    output = Path(options.output)
    output.mkdir(parents=True, exist_ok=True)
    report = Report(options)
    parts = options.only or list(PARTS)
    with tempfile.TemporaryDirectory(dir=output, prefix="files-") as folder:
        options.folder, options.motion = Path(folder), Path(folder) / "motion.csv"
        if {"pipeline", "csv"} & set(parts):
            report.begin("writing the CSV")
            motion_file.write(options.motion, options.megabytes * 1_000_000)
        for part in parts:
            report.begin(part)
            PARTS[part].run(options, report)
            report.write(output / "benchmarks.md")
    print(report.summary)
    print(f"\nWritten to {output}/benchmarks.md" + (f" and {output}/scale.html" if "scale" in parts else ""))


if __name__ == "__main__":
    main()
