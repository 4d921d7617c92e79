"""Compares Spark's windows with those of the command, to the last bit, on a master with two workers, one of which is
killed in the middle of each job; and MLlib's model with that of `gait train`.

    check.py GAIT FOLDER [FILES]     where FOLDER has recordings {label}…/sub_{subject}.csv at 50 Hz;
                                     2,000 files by default
"""
import csv
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pyspark
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.functions import array_to_vector
from pyspark.sql import SparkSession
from pyspark.sql.functions import col

import gait_motion as gait
import gait_spark

command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
LABELS = {"jog": "running", "wlk": "walking", "ups": "walking", "dws": "walking", "sit": "still", "std": "still"}
# The first half of the people trains; neither program sees the others. The penalty is the default of `gait train`.
RATE, PENALTY, TASKS = 50, 5e-5, 40
# The rows of most recordings, and of the one that is much longer.
ROWS, LONG = 1000, 300_000


def run(*arguments, fails=False):
    result = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
    if (result.returncode != 0) != fails:
        sys.exit(f"gait {' '.join(map(str, arguments))}: {result.stderr}")
    return result.stdout


def label_of(name):
    activity = pathlib.Path(name).parent.name.split("_")[0]
    return LABELS.get(activity, activity)


def subject_of(name):
    return pathlib.Path(name).stem.removeprefix("sub_")


class Cluster:
    """A master and workers with one core each, as processes of this machine."""

    def __init__(self, work):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address, self._work, self._processes = f"spark://127.0.0.1:{port}", work, []
        self._start("master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", 0)
        self.workers = [self.add(), self.add()]

    def _start(self, name, *arguments):
        program = pathlib.Path(pyspark.__file__).parent / "bin/spark-class"
        log = open(pathlib.Path(self._work, f"{name}-{len(self._processes)}.log"), "w")
        process = subprocess.Popen(
            [program, f"org.apache.spark.deploy.{name}", *map(str, arguments)], stdout=log, stderr=log,
            start_new_session=True)
        self._processes.append(process)
        return process

    def add(self):
        """Starts another worker."""
        return self._start("worker.Worker", self.address, "--host", "127.0.0.1", "--cores", 1, "--memory", "1g",
                           "--webui-port", 0,
                           "--work-dir", pathlib.Path(self._work, "workers"))

    def kill(self):
        """Kills a worker with its executors and their Python, as the loss of a machine does."""
        os.killpg(self.workers.pop(0).pid, signal.SIGKILL)
        self.workers.append(self.add())

    def stop(self):
        for process in self._processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def killing(cluster, spark, work):
    """The result of `work`, during which a worker is killed once a quarter of a stage's tasks are finished."""
    killed, is_over = [], threading.Event()

    def watch():
        tracker = spark.sparkContext.statusTracker()
        while not killed and not is_over.wait(0.02):
            for stage in filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds())):
                is_halfway = stage.numTasks // 4 <= stage.numCompletedTasks < stage.numTasks // 2
                if not killed and stage.numTasks >= TASKS and is_halfway:
                    cluster.kill()
                    killed.append(f"{stage.numCompletedTasks} of {stage.numTasks} tasks")

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        return work(), killed
    finally:
        is_over.set()
        thread.join()


def found(windows, source=None):
    """The values of each window, by recording and start."""
    columns = list(gait_spark.columns_of(source or gait.Features()).values())
    table = windows.select("recording", "start", *columns).toArrow()
    matrix = np.stack([table[column].to_numpy() for column in columns], axis=1)
    keys = zip(table["recording"].to_pylist(), table["start"].to_pylist())
    return {key: row.tobytes() for key, row in zip(keys, matrix)}


def printed(output, name):
    """The same of an output folder of the command."""
    values = np.load(output / f"{name}.features.npy")
    starts = [round(float(line.split(",")[0]) * 1e9)
              for line in (output / f"{name}.windows.csv").read_text().split()[1:]]
    return {(name, start): row.tobytes() for start, row in zip(starts, values)}


def write_files(work, sources):
    """Files `n.csv` of many people: parts of real ones, one much longer, three broken. Returns their samples by
    number."""
    data, samples = pathlib.Path(work, "files"), {}
    data.mkdir()
    lines = [source.read_text().splitlines() for source in sources]
    header = lines[0][0]
    for index in range(COUNT):
        rows = lines[index % len(lines)][1:]
        first = index // len(lines) * 7 % max(1, len(rows) - ROWS)
        part = (rows * (LONG // len(rows) + 1))[:LONG] if index == 0 else rows[first:first + ROWS]
        text = [line.split(",", 1)[1] for line in part]
        samples[index] = np.array([line.split(",") for line in text], np.float32)
        (data / f"{index}.csv").write_text("\n".join([header.split(",", 1)[1], *text]) + "\n")
    broken = [COUNT // 4, COUNT // 2, COUNT * 3 // 4]
    for number, text in zip(broken, ("This is not a table.\n", "x,y\n1,2\n", "")):
        (data / f"{number}.csv").write_text(text)
    return data, samples, broken, header.split(",")[1:]


def write_samples(work, samples, broken, channels):
    """A table with a row for each sample: a recording is cut over two files, its second part backwards, its id is a
    number."""
    folder = pathlib.Path(work, "samples")
    folder.mkdir()
    parts = [[], []]
    for number, values in samples.items():
        times = np.arange(len(values)) / RATE
        columns = {name.replace(".", "_"): values[:, index] for index, name in enumerate(channels)}
        if number == broken[0]:
            times[500] = times[499]
        if number == broken[1]:
            times[30] = np.nan
        if number == broken[2]:
            times[30] = 1e12
        table = pa.table({"recording": np.full(len(values), number), "subject": np.full(len(values), number % 10),
                          "time": times}
                         | columns)
        cut = len(values) // 3
        parts[0].append(table[:cut])
        parts[1].append(table[cut:].take(np.arange(len(values) - cut)[::-1]))
    # Rows without a recording.
    parts[0].append(parts[0][1].set_column(0, "recording", pa.nulls(len(parts[0][1]), pa.int64())))
    for index, tables in enumerate(parts):
        parquet.write_table(pa.concat_tables(tables), folder / f"{index}.parquet")
    return folder


def cluster_check(files, work):
    """Both recipes on a master with two workers, of which one is killed."""
    data, samples, broken, channels = write_files(work, files)
    output = pathlib.Path(work, "out")
    run("features", data, "--rate", RATE, "--npy", "--output-folder", output, fails=True)
    expected = {}
    for number in samples:
        if number not in broken:
            expected |= {(number, start): row for (_, start), row in printed(output, f"{number}.csv").items()}
    cluster = Cluster(work)
    try:
        spark = (SparkSession.builder.master(cluster.address).config("spark.ui.enabled", "false")
                 .config("spark.ui.showConsoleProgress", "false").config("spark.executor.memory", "512m")
                 .config("spark.driver.host", "127.0.0.1").config("spark.sql.shuffle.partitions", TASKS)
                 .config("spark.sql.adaptive.coalescePartitions.enabled", "false").getOrCreate())
        spark.sparkContext.setLogLevel("OFF")
        spark.sparkContext.addPyFile(gait_spark.__file__)
        paths = spark.createDataFrame([(str(data / f"{number}.csv"), number % 10) for number in samples],
                                      ["recording", "subject"])
        by_path = gait_spark.by_path(paths.repartition(TASKS), gait.Features(), sample_rate=RATE)
        by_frame = gait_spark.by_frame(
            spark.read.parquet(str(write_samples(work, samples, broken, channels))), gait.Features(), RATE)
        for name, result in (("by_path", by_path), ("by_frame", by_frame)):
            start = time.monotonic()
            (windows, errors), killed = killing(cluster, spark, lambda: gait_spark.save(result, f"{work}/{name}"))
            seconds = time.monotonic() - start
            rows = {int(pathlib.Path(str(row["recording"])).stem) if row["recording"] is not None else None: row
                    for row in errors.collect()}
            values = {(int(pathlib.Path(str(recording)).stem), start): row for (recording, start),
                      row in found(windows).items()}
            if values != expected or not killed:
                sys.exit(f"{name}: {len(values)} windows differ from the {len(expected)} of gait features; killed: "
                         f"{killed}")
            if set(rows) - {None} != set(broken) or (None in rows) != (name == "by_frame"):
                sys.exit(f"{name}: errors of {sorted(rows, key=str)}, not of {broken}")
            people = {row["subject"] for row in windows.select("subject").distinct().collect()}
            assert people == set(range(10)) and pathlib.Path(work, name, "failed=false/subject=3").is_dir()
            print(f"{name}: {len(values)} windows of {COUNT - 3} recordings, the longest of {LONG:,} rows, have the "
                  f"bits of gait features; a worker was killed after {killed[0]}; {seconds:.1f} s", flush=True)
            for number, row in sorted(rows.items(), key=str):
                print(f"  error of {number}: {row['error']}", flush=True)
        check_others(spark, work, data, paths, samples, broken, output)
        numbers = [number for number in list(samples)[1:60] if number not in broken]
        check_reruns(spark, work, data, numbers, samples)
        check_accelerometer(spark, work, samples, numbers)
        check_condition(spark)
        spark.stop()
    finally:
        cluster.stop()


def check_others(spark, work, data, paths, samples, broken, output):
    """Labels of a model, all features, and a stream, which is refused."""
    numbers = [number for number in list(samples)[1:60] if number not in broken]
    names = [str(data / f"{number}.csv") for number in numbers]
    part = paths.where(col("recording").isin(names))
    model = gait.Model.load("running")
    labels = gait_spark.by_path(part, model, sample_rate=RATE).collect()
    run("classify", "running", *names, "--rate", RATE, "--output-folder", pathlib.Path(work, "labels"))
    for number, name in zip(numbers, names):
        rows = list(csv.DictReader((pathlib.Path(work, "labels") / f"{number}.csv.labels.csv").open()))
        mine = sorted((row for row in labels if row["recording"] == name), key=lambda row: row["start"])
        assert [row["label"] for row in mine] == [row["label"] for row in rows] and rows, name
        for row, line in zip(mine, rows):
            assert all(row[column] == float(np.float32(line[label])) for label,
                       column in gait_spark.columns_of(model).items())
    run("features", *names, "--rate", RATE, "--set", "full", "--npy", "--output-folder", pathlib.Path(work, "full"))
    full = found(gait_spark.by_path(part, gait.Features("full"), sample_rate=RATE), gait.Features("full"))
    expected = {(str(data / name), start): row for number in numbers for (name, start), row in printed(
        pathlib.Path(work, "full"), f"{number}.csv").items()}
    assert full == expected
    try:
        gait_spark.by_frame(spark.readStream.format("rate").load(), gait.Features(), RATE)
        sys.exit("a stream was accepted")
    except gait.GaitError as error:
        print(f"{len(labels)} labels and {len(full)} windows of 539 features have the bits of the command. A stream: "
              f"{error}")


def check_reruns(spark, work, data, numbers, samples):
    """A second result replaces only its people, in both partitions; a recording that failed has no window on disk."""
    folder = f"{work}/reruns"

    def files():
        return {str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
                for path in pathlib.Path(folder).rglob("*.parquet")}

    rows = [(str(data / f"{number}.csv"), f"person {index % 4}/{index % 2}") for index,
            number in enumerate(numbers[:20])]
    frame = spark.createDataFrame(rows, ["recording", "subject"])
    windows, errors = gait_spark.save(gait_spark.by_path(frame, gait.Features(), sample_rate=RATE), folder)
    before, count = files(), windows.count()
    people = sorted({path.split("subject=")[1].split("/")[0] for path in before})
    assert len(people) == len(
        before) == 4 and errors.count() == 0 and count > 0, f"one file for each person: {list(before)}"
    # Of one person a recording now fails, after some of its windows.
    person = rows[1][1]
    table = pa.concat_tables(
        [pa.table({"recording": np.full(len(samples[number]), number), "subject": [person] * len(samples[number]),
                                        "time": with_fault(np.arange(len(samples[number])) / RATE, fails)} | {
        name.replace(".", "_"): samples[number][:, index] for index, name in enumerate(gait.CHANNELS)})
        for number, fails in ((numbers[1], False), (numbers[2], True))])
    parquet.write_table(table, f"{work}/person.parquet")
    again = gait_spark.by_frame(spark.read.parquet(f"{work}/person.parquet"), gait.Features(), RATE)
    windows, errors = gait_spark.save(again, folder)
    after = files()
    changed = {path.split("subject=")[1].split("/")[0] for path in before.keys() ^ after.keys()}
    assert len(changed) == 1 and all(after[path] == before[path] for path in before.keys() & after.keys()), changed
    assert [row["recording"] for row in errors.collect()] == [str(numbers[2])] or [
        row["recording"] for row in errors.collect()] == [numbers[2]]
    good = [path for path in after if path.startswith("failed=false")
            and path.split("subject=")[1].split("/")[0] in changed]
    assert {row for path in good
            for row in parquet.read_table(f"{folder}/{path}", partitioning=None)["recording"].to_pylist()} == {
        numbers[1]} and len(good) == 1
    # All is well again: the error goes, and no one else changes.
    windows, errors = gait_spark.save(gait_spark.by_path(frame.where(col("subject") == person), gait.Features(),
                                                         sample_rate=RATE), folder)
    assert errors.count() == 0 and windows.count() == count
    print("A rerun of one person changes only that person; a recording that failed has no window on disk.")


def check_condition(spark):
    """The condition by which a table of Delta is replaced holds for its people only. Delta itself is not run: PyPI's
    package lacks its jar."""
    for people, kind in ((["anna", "o'neil", "a\\b", "a\\\\'b", 'say "hi"', "null", "", "%", None], "string"),
                         ([1, -2, 10, None], "long")):
        frame = spark.createDataFrame([(person,) for person in people], f"subject {kind}")
        for chosen in [[person] for person in people] + [people[1:3], []]:
            found = [row["subject"] for row in frame.where(gait_spark.condition(chosen)).collect()]
            assert sorted(found, key=str) == sorted(chosen, key=str), (chosen, found)
    print("The condition that replaces people in a table of Delta holds for them only; Delta was not run.")


def with_fault(times, fails):
    """Times of which one is repeated late, if it fails."""
    if fails:
        times[-5] = times[-6]
    return times


def check_accelerometer(spark, work, samples, numbers):
    """Columns x, y and z with a unit, and columns that are missing."""
    parts, expected = [], {}
    for number in numbers[:6]:
        total = (samples[number][:, 3:6] + samples[number][:, 9:12]).astype(np.float64) * 9.80665
        columns = {"time": np.arange(len(total)) / RATE} | dict(zip("xyz", total.T))
        parts.append(pa.table({"recording": np.full(len(total), number)} | columns))
        windows = gait.Features().windows(columns, sample_rate=RATE, acceleration_unit="m/s2")
        expected |= {(number, start): row.tobytes() for start, row in zip(windows.starts.tolist(), windows.values)}
    parquet.write_table(pa.concat_tables(parts), f"{work}/plain.parquet")
    frame = spark.read.parquet(f"{work}/plain.parquet").repartition(7)
    assert found(gait_spark.by_frame(frame, gait.Features(), RATE, "m/s2")) == expected and expected
    for wrong, unit, sentence in [
        (frame.drop("time"), "m/s2", "no column time"), (frame.drop("y"), "m/s2", "no column y"),
        (frame, None, "acceleration_unit"),
        (frame, "ft", "not valid"), (frame.withColumnRenamed("x", "gravity_x"), None, "gravity.y, gravity.z"),
    ]:
        try:
            gait_spark.by_frame(wrong, gait.Features(), RATE, unit)
            sys.exit(f"accepted: {sentence}")
        except gait.GaitError as error:
            assert sentence in str(error), error
    print(f"{len(expected)} windows of x, y and z have the bits of gait_motion; missing columns are named before a row "
          "is read.")


def compare(spark, files, work):
    """Trains with MLlib and with `gait train` on the same people, and evaluates both models on the others."""
    features = gait.Features(source_rate=RATE)
    subjects = sorted({subject_of(file) for file in files})
    training = set(subjects[: (len(subjects) + 1) // 2])
    labels = sorted({label_of(name) for name in files})
    chosen = [file for file in files if subject_of(file) in training]
    windows = features.grouped(chosen, subjects=list(map(subject_of, chosen)), labels=list(map(label_of, chosen)))
    matrix = windows.values.astype(np.float64)
    mean, deviation = matrix.mean(axis=0), matrix.std(axis=0)
    scaled = (matrix - mean) / deviation
    frame = spark.createDataFrame(
        [(labels.index(label), row.tolist()) for label, row in zip(windows.targets, scaled)], ["label", "row"])
    fit = LogisticRegression(family="multinomial", regParam=PENALTY, standardization=False, maxIter=300, tol=1e-9)
    fitted = fit.fit(frame.select(col("label").cast("double").alias("label"), array_to_vector("row").alias("features")))
    path = pathlib.Path(work, "spark.json")
    gait_spark.model(fitted, mean, deviation, features, labels).export(path)
    people = ",".join(sorted(training))
    has_trials = "_" in files[0].parent.name
    layout = ["--layout", "{label}_{trial}/sub_{subject}.csv" if has_trials else "{label}/sub_{subject}.csv", "--rate",
              RATE]
    for label in labels if has_trials else []:
        layout += ["--map", ",".join(key for key, value in LABELS.items() if value == label) + "=" + label]
    run("train", folder, *layout, "--only", f"subject={people}", "--penalty", PENALTY, "--skip-cross-validation",
        "--output", pathlib.Path(work, "gait.json"))
    scores = []
    for name in ("gait.json", "spark.json"):
        report = json.loads(run("evaluate", pathlib.Path(work, name), folder, *layout, "--except", f"subject={people}",
                                "--json"))
        scores.append(float(report["balancedAccuracy"]))
    print(f"balanced accuracy on {len(subjects) - len(training)} other people: gait train {scores[0]:.4f}, MLlib "
          f"{scores[1]:.4f}")
    if abs(scores[0] - scores[1]) > 0.001:
        sys.exit("the models differ by more than 0.001")


def main():
    files = sorted(folder.glob("*/sub_*.csv"))
    with tempfile.TemporaryDirectory() as work:
        cluster_check(files, work)
        spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
                 .config("spark.ui.showConsoleProgress", "false").getOrCreate())
        spark.sparkContext.setLogLevel("ERROR")
        compare(spark, files, work)
        spark.stop()


if __name__ == "__main__":
    main()
