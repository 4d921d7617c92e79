"""Compares Spark's windows with those of `gait features`, to the last bit, and MLlib's model with that of `gait train`.

    check.py GAIT FOLDER     where FOLDER has recordings {label}…/sub_{subject}.csv at 50 Hz
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.functions import array_to_vector
from pyspark.sql import SparkSession
from pyspark.sql.functions import col

import gait_motion as gait
import gait_spark

command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
LABELS = {"jog": "running", "wlk": "walking", "ups": "walking", "dws": "walking", "sit": "still", "std": "still"}
# The first half of the people trains; neither program sees the others. The penalty is the default of `gait train`.
RATE, PENALTY = 50, 5e-5


def run(*arguments):
    result = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"gait {' '.join(map(str, arguments))}: {result.stderr}")
    return result.stdout


def label_of(name):
    activity = pathlib.Path(name).parent.name.split("_")[0]
    return LABELS.get(activity, activity)


def subject_of(name):
    return pathlib.Path(name).stem.removeprefix("sub_")


def main():
    files = sorted(folder.glob("*/sub_*.csv"))
    features = gait.Features()
    subjects = sorted({subject_of(file) for file in files})
    training = set(subjects[: (len(subjects) + 1) // 2])
    with tempfile.TemporaryDirectory() as work:
        expected, data = {}, pathlib.Path(work, "samples")
        data.mkdir()
        for index, file in enumerate(files):
            recording = gait.read_recording(file, sample_rate=RATE)
            windows = features.windows(recording)
            columns = {name.replace(".", "_"): values for name, values in recording.table().items()}
            table = pa.table({"recording": [str(file)] * len(recording)} | columns)
            # A recording is cut over two files, and half of it is stored backwards.
            cut = len(recording) // 3
            parquet.write_table(table[:cut], data / f"{index}-1.parquet")
            parquet.write_table(table[cut:].take(np.arange(len(recording) - cut)[::-1]), data / f"{index}-2.parquet")
            expected[str(file)] = windows
        spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
                 .config("spark.ui.showConsoleProgress", "false")
                 .config("spark.sql.shuffle.partitions", "5").getOrCreate())
        spark.sparkContext.setLogLevel("ERROR")
        for name, part in (("orientationFree", files), ("full", files[::10])):
            printed = {}
            for file in part:
                for row in csv.reader(run("features", file, "--rate", RATE, "--set", name).splitlines()[1:]):
                    printed[str(file), round(float(row[3]) * 1e9)] = np.array(row[4:], np.float32).tobytes()
            frame = spark.read.parquet(str(data)).where(col("recording").isin([str(file) for file in part]))
            for way in (gait_spark.grouped, gait_spark.streaming):
                found = {}
                for batch in way(frame, gait.Features(name), RATE).toArrow().to_batches():
                    width = len(batch["features"].flatten()) // max(1, len(batch))
                    values = batch["features"].flatten().to_numpy().reshape(len(batch), width)
                    for recording, start, row in zip(batch["recording"].to_pylist(), batch["start"].to_pylist(), values):
                        found[recording, start] = row.tobytes()
                if found != printed:
                    sys.exit(f"{way.__name__}: {len(found)} windows of {name} differ from the {len(printed)} of gait features")
                print(f"{way.__name__}: {len(found)} windows of {width} features have the bits of gait features", flush=True)
        compare(spark, features, expected, training, work)
        spark.stop()


def compare(spark, features, expected, training, work):
    """Trains with MLlib and with `gait train` on the same people, and evaluates both models on the others."""
    labels = sorted({label_of(name) for name in expected})
    names = [name for name in expected if subject_of(name) in training]
    matrix = np.concatenate([expected[name].values for name in names]).astype(np.float64)
    target = [labels.index(label_of(name)) for name in names for _ in range(len(expected[name]))]
    mean, deviation = matrix.mean(axis=0), matrix.std(axis=0)
    scaled = (matrix - mean) / deviation
    frame = spark.createDataFrame([(int(label), row.tolist()) for label, row in zip(target, scaled)], ["label", "row"])
    fit = LogisticRegression(family="multinomial", regParam=PENALTY, standardization=False, maxIter=300, tol=1e-9)
    fitted = fit.fit(frame.select(col("label").cast("double").alias("label"), array_to_vector("row").alias("features")))
    path = pathlib.Path(work, "spark.json")
    gait_spark.model(fitted, mean, deviation, features, labels).export(path)
    people = ",".join(sorted(training))
    layout = ["--layout", "{label}_{trial}/sub_{subject}.csv" if "_" in pathlib.Path(names[0]).parent.name else
              "{label}/sub_{subject}.csv", "--rate", RATE]
    if "_" in pathlib.Path(names[0]).parent.name:
        for label in labels:
            layout += ["--map", ",".join(key for key, value in LABELS.items() if value == label) + "=" + label]
    run("train", folder, *layout, "--only", f"subject={people}", "--penalty", PENALTY, "--skip-cross-validation",
        "--output", pathlib.Path(work, "gait.json"))
    scores = []
    for name in ("gait.json", "spark.json"):
        report = json.loads(run("evaluate", pathlib.Path(work, name), folder, *layout, "--except", f"subject={people}", "--json"))
        scores.append(float(report["balancedAccuracy"]))
    print(f"balanced accuracy on {len(set(map(subject_of, expected)) - training)} other people: gait train {scores[0]:.4f}, "
          f"MLlib {scores[1]:.4f}")
    if abs(scores[0] - scores[1]) > 0.001:
        sys.exit("the models differ by more than 0.001")


if __name__ == "__main__":
    main()
