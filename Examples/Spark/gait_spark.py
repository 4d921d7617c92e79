"""Windows of recordings in Spark, with the bits of `gait features` and `gait classify`.

Two recipes with the same result:

- `by_path`: a data frame with a row for each file, which a task reads in blocks. Nothing is sorted or sent.
- `by_frame`: a data frame with a row for each sample. Spark sorts, and the samples pass through a stream in batches, so
that memory
  is flat for recordings of any length and for one that is much longer than the others.

Both take `Features` or a `Model`, whose labels they give. A recording that fails has a row with its error and does not
stop the job. `save` writes the result as Parquet, or as Delta if delta-spark is set up, and replaces only the people
that it has.
"""
from __future__ import annotations

import json
import warnings
from typing import Any, Callable, Iterator

import gait_motion as gait
import numpy as np
import pyarrow as pa
import pyarrow.compute as compute
from pyspark.sql import DataFrame
from pyspark.sql.functions import broadcast, col, lit

#: The channels with `_` for `.`, since dots in column names break Spark.
COLUMNS = {channel.replace(".", "_"): channel for channel in gait.CHANNELS}
Source = gait.Features | gait.Model
#: The windows of a batch of results.
WINDOWS = 10_000


def columns_of(source: Source) -> dict[str, str]:
    """The column of each feature or label probability: its name with `_` for what Parquet or Spark's SQL does not
    take."""
    names = source.labels if isinstance(source, gait.Model) else list(source.get_feature_names_out())
    columns: dict[str, str] = {}
    for name in names:
        column = "".join(letter if letter.isalnum() else "_" for letter in name).strip("_")
        column = f"p_{column}" if isinstance(source, gait.Model) else column
        if column in columns.values():
            column += f"_{len(columns)}"
        columns[name] = column
    return columns


def by_path(paths: DataFrame, source: Source, **reading: Any) -> DataFrame:
    """The windows of files: `recording` is the path, as every worker sees it, `subject` the person, if there is such a
    column.

    The result has a row for each window: `recording`, `subject`, `start` and `end` in nanoseconds, `label`, of a model,
    and a column for each feature or label probability (`columns_of`); or a row with the `error` of the recording.
    Options as of `gait_motion.Reading`.
    """
    frame, schema = _prepared(paths, ["recording"], source)

    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for index, path in enumerate(batch["recording"].to_pylist()):
                key = batch.slice(index, 1)
                if path is None:
                    yield _failed(key, "the path is null; give each recording one", source)
                    continue
                yield from _attempted(key, source, lambda: source.windows(path, **reading))

    return frame.mapInArrow(rows, schema)


def by_frame(frame: DataFrame, source: Source, sample_rate: float, acceleration_unit: str | None = None) -> DataFrame:
    """The windows of samples: `recording`, a number or text, `subject`, if there is such a column, `time` in seconds or
    as timestamps, and channels with `_` for `.`, such as `gravity_x`. The result is that of `by_path`.

    With `acceleration_unit` (g, mg or m/s2), the columns `x`, `y` and `z` are those of a plain accelerometer, from
    which gravity is estimated; such a recording is in memory whole.

    The rows of a recording may be stored anywhere: a file or partition boundary is not a gap, a step of more than four
    periods in `time` is one, and no window spans it. Windows before the time of an error are in the result; `save`
    leaves them out.
    """
    if frame.isStreaming:
        raise gait.GaitError("the data frame is a stream, whose rows cannot be sorted; read the table with spark.read")
    channels = list("xyz") if acceleration_unit else [column for column in COLUMNS if column in frame.columns]
    names = channels if acceleration_unit else [COLUMNS[column] for column in channels]
    if not channels:
        raise gait.GaitError(f"no column is named after a channel; channels are {', '.join(COLUMNS)}; the columns are "
                             f"{', '.join(frame.columns)}; for x, y and z state the acceleration_unit")
    selected, schema = _prepared(frame, ["recording", "time", *channels], source)
    # A channel that the features need is missed before Spark moves a row.
    if acceleration_unit is None:
        source.stream(sample_rate, channels=names)
    else:
        gait.Recording.from_samples(np.zeros((1, 3)), sample_rate=sample_rate, unit=acceleration_unit)

    def whole(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Of a plain accelerometer."""
        parts: list[pa.RecordBatch] = []
        for batch in batches:
            runs, first = compute.run_end_encode(batch["recording"]), 0
            for end in runs.run_ends.to_pylist():
                part = batch.slice(first, end - first)
                first = end
                if parts and parts[0]["recording"][0] != part["recording"][0]:
                    yield from estimated(parts)
                    parts = []
                parts.append(part)
        if parts:
            yield from estimated(parts)

    def estimated(parts: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if parts[0]["recording"][0].as_py() is None:
            yield _failed(parts[0], "rows have no recording; give each row one", source)
            return
        table = pa.Table.from_batches(parts).select(["time", *"xyz"])
        yield from _attempted(parts[0], source, lambda: source.windows(
            table, sample_rate=sample_rate, acceleration_unit=acceleration_unit))

    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        # The first recording has another key than this.
        current: Any = object()
        stream: Any = None
        for batch in batches:
            runs, first = compute.run_end_encode(batch["recording"]), 0
            for end, recording in zip(runs.run_ends.to_pylist(), runs.values.to_pylist()):
                part = batch.slice(first, end - first)
                first = end
                if recording is None:
                    if current is not None:
                        yield _failed(part, "rows have no recording; give each row one", source)
                    current = stream = None
                    continue
                if recording != current:
                    current, stream = recording, None
                    try:
                        stream = source.stream(sample_rate, channels=names)
                    except gait.GaitError as error:
                        yield _failed(part, str(error), source)
                if stream is None:
                    continue
                columns = {name: _numbers(part[column]) for column, name in zip(channels, names)}
                try:
                    windows = stream.push(columns, _numbers(part["time"]))
                    if stream.dropped:
                        raise gait.GaitError("two rows have the same time; drop repeated ones")
                except gait.GaitError as error:
                    stream = None
                    yield _failed(part, str(error), source)
                else:
                    yield from _results(part, source, windows)

    return selected.repartition("recording").sortWithinPartitions("recording", "time").mapInArrow(
        whole if acceleration_unit else rows, schema)


def save(result: DataFrame, folder: str) -> tuple[DataFrame, DataFrame]:
    """Writes a result as Parquet, one file for each person: `failed=false/subject=…` has the windows,
    `failed=true/subject=…` the errors. Only the people of the result are replaced; others stay as they are. Windows of
    a recording that failed are not written. A table of Delta at `folder` is replaced in the same way, in one
    transaction; that was not run, but the condition is tested.

    Returns the windows and the errors of all people in the folder: `recording`, `subject` and `error`.
    """
    spark = result.sparkSession
    # Computed once: the people, the errors and the windows must be those of the same run.
    result = result.persist()
    try:
        people = [row["subject"] for row in result.select("subject").distinct().collect()]
        errors = result.where("error is not null").select(col("recording").alias("broken")).distinct()
        good = result.join(broadcast(errors), col("recording").eqNullSafe(col("broken")), "left_anti")
        written = good.union(result.where("error is not null")).withColumn("failed", col("error").isNotNull())
        if _is_delta(spark, folder):
            (written.write.format("delta").mode("overwrite").option("replaceWhere", condition(people))
             .partitionBy("failed", "subject").save(folder))
            stored = spark.read.format("delta").load(folder)
        else:
            _write(written, folder, people)
            stored = spark.read.schema(written.schema).parquet(folder)
    finally:
        result.unpersist()
    return (stored.where("not failed").drop("failed", "error"),
            stored.where("failed").select("recording", "subject", "error"))


def _write(written: DataFrame, folder: str, people: list[Any]) -> None:
    """Replaces the partitions of people, and removes what an earlier result has of them in the other partition."""
    spark = written.sparkSession
    (written.repartition("failed", "subject").write.mode("overwrite").option("partitionOverwriteMode", "dynamic")
     .partitionBy("failed", "subject").parquet(folder))
    new = {(row["failed"], row["subject"]) for row in written.select("failed", "subject").distinct().collect()}
    path = spark._jvm.org.apache.hadoop.fs.Path(folder)
    files = path.getFileSystem(spark._jsc.hadoopConfiguration())
    escape = spark._jvm.org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils.getPartitionPathString
    for failed in (False, True):
        for person in people:
            if (failed, person) not in new:
                name = f"failed={str(failed).lower()}/" + escape("subject", None if person is None else str(person))
                files.delete(spark._jvm.org.apache.hadoop.fs.Path(path, name), True)


def _is_delta(spark: Any, folder: str) -> bool:
    """Whether the session writes Delta, and the folder is new or has a Delta table."""
    if "io.delta" not in (spark.conf.get("spark.sql.extensions", "") or ""):
        return False
    path = spark._jvm.org.apache.hadoop.fs.Path(folder)
    files = path.getFileSystem(spark._jsc.hadoopConfiguration())
    return not files.exists(path) or files.exists(spark._jvm.org.apache.hadoop.fs.Path(path, "_delta_log"))


def condition(people: list[Any]) -> str:
    """The condition of Spark's SQL that holds for the rows of these people."""
    def literal(value: Any) -> str:
        escaped = str(value).replace("\\", "\\\\").replace("'", "\\'")
        return "null" if value is None else str(value) if isinstance(value, (int, float)) else f"'{escaped}'"

    return " or ".join(f"subject <=> {literal(person)}" for person in people) or "false"


def _prepared(frame: DataFrame, columns: list[str], source: Source) -> tuple[DataFrame, str]:
    """The needed columns, and the schema of the result."""
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise gait.GaitError(
            f"the data frame has no column {', '.join(missing)}; its columns are {', '.join(frame.columns)}")
    if "subject" not in frame.columns:
        frame = frame.withColumn("subject", lit(None).cast("string"))
    kind = {name: frame.schema[name].dataType.simpleString() for name in ("recording", "subject")}
    values = "".join(f"`{column}` float, " for column in columns_of(source).values())
    schema = (f"recording {kind['recording']}, subject {kind['subject']}, start long, end long, label string, "
              f"{values}error string")
    return frame.select("subject", *columns), schema


def _numbers(column: Any) -> np.ndarray:
    return column.to_numpy(zero_copy_only=False)


def _attempted(key: pa.RecordBatch, source: Source, compute: Callable[[], gait.Windows]) -> Iterator[pa.RecordBatch]:
    """The windows of a recording, or its error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gait.GaitWarning)
            windows = compute()
    except gait.GaitError as error:
        yield _failed(key, str(error), source)
    else:
        yield from _results(key, source, windows)


def _results(key: pa.RecordBatch, source: Source, windows: gait.Windows) -> Iterator[pa.RecordBatch]:
    """Windows as batches of results; the key's first row has the recording and the person."""
    for first in range(0, len(windows), WINDOWS):
        rows = slice(first, first + WINDOWS)
        values, count = windows.values[rows], len(windows.starts[rows])
        labels = [None] * count
        if isinstance(source, gait.Model):
            labels = [(source.labels + ["other"])[index] for index in windows.labels[rows]]
        yield _batch(key, count, source, pa.array(windows.starts[rows]),
                     pa.array(windows.starts[rows] + windows.length),
                     pa.array(labels, pa.string()), *(pa.array(column) for column in np.ascontiguousarray(values.T)),
                     pa.nulls(count, pa.string()))


def _failed(key: pa.RecordBatch, error: str, source: Source) -> pa.RecordBatch:
    """The row of a recording that failed."""
    values = (pa.nulls(1, pa.float32()) for _ in columns_of(source))
    return _batch(key, 1, source, pa.nulls(1, pa.int64()), pa.nulls(1, pa.int64()), pa.nulls(1, pa.string()), *values,
                  pa.array([error]))


def _batch(key: pa.RecordBatch, count: int, source: Source, *columns: pa.Array) -> pa.RecordBatch:
    repeated = [key[name].take(pa.array(np.zeros(count, np.int64))) for name in ("recording", "subject")]
    names = ["recording", "subject", "start", "end", "label", *columns_of(source).values(), "error"]
    return pa.RecordBatch.from_arrays([*repeated, *columns], names)


def model(fitted: Any, mean: np.ndarray, deviation: np.ndarray, features: gait.Features,
          labels: list[str]) -> gait.Model:
    """A sealed Gait model from a multinomial `LogisticRegressionModel` of MLlib that was fitted to standardised
    features."""
    if len(labels) < 3:
        raise gait.GaitError(
            "MLlib's model needs three labels or more here; two have one row of weights in a Gait model")
    head = {
        "window": features.window, "hop": features.hop, "features": list(features.get_feature_names_out()),
        "labels": labels,
        "scaling": {"mean": mean.astype(np.float32).tolist(),
                    "standardDeviation": deviation.astype(np.float32).tolist()},
        "classifier": {
            "kind": "logistic", "weights": fitted.coefficientMatrix.toArray().astype(np.float32).tolist(),
            "intercepts": fitted.interceptVector.toArray().astype(np.float32).tolist()},
    }
    document = {"format": "gait.activityModel", "version": 2, "sampleRate": features.sample_rate, "heads": [head]}
    return gait.Model.from_json(json.dumps(document), sealed=False)
