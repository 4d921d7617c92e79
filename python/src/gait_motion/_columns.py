"""Columns of tables: mappings, structured arrays, pandas and polars data frames, and Arrow data."""
from __future__ import annotations

from typing import Any, Container, Iterable, Iterator, Mapping

import numpy as np

from ._library import GaitError

Column = np.ndarray[Any, Any]

#: The channels in their order: radians, g, radians per second, g.
CHANNELS = ("attitude.roll", "attitude.pitch", "attitude.yaw") + tuple(
    f"{sensor}.{axis}" for sensor in ("gravity", "rotationRate", "userAcceleration") for axis in "xyz")
_SNAKE = {channel: channel.replace("rotationRate", "rotation_rate").replace("userAcceleration", "user_acceleration")
          for channel in CHANNELS}
_MEANINGS = {alias: channel for channel, snake in _SNAKE.items()
             for alias in (channel.replace(".", "_"), snake, snake.replace(".", "_"))}


def meaning(name: Any) -> str:
    """The channel that a column's name means; any other name as it is. gravity.x, gravity_x and ("gravity", "x") are
    one channel."""
    text = ".".join(str(part) for part in name if str(part)) if isinstance(name, tuple) else str(name)
    return _MEANINGS.get(text, text)


def names_of(data: Any) -> list[str]:
    """The names of a table's columns, and those of the levels of its index."""
    if isinstance(data, np.ndarray):
        return list(data.dtype.names or ())
    names = data if isinstance(data, Mapping) else getattr(data, "column_names", getattr(data, "columns", ()))
    levels = [name for name in getattr(getattr(data, "index", None), "names", ()) if name is not None]
    return list(map(meaning, [*levels, *names]))


def columns_of(data: Any, wanted: Container[str]) -> Iterator[Mapping[str, Column]]:
    """The wanted columns of a table by their meaning, in parts. Arrow data has a part for each batch, other data one
    part. An index of times is the column `time`."""
    table: Any = data
    if isinstance(data, Mapping):
        yield {name: np.asarray(data[key]) for name, key in _keys(data, wanted).items()}
    elif isinstance(data, np.ndarray) and data.dtype.names is not None:
        yield {name: data[key] for name, key in _keys(data.dtype.names, wanted).items()}
    elif hasattr(table, "iloc") and hasattr(table, "columns"):
        index = {}
        if table.index.nlevels > 1:
            table = table.reset_index()
        else:
            is_time = getattr(table.index, "inferred_type", "") in ("datetime64", "timedelta64")
            name = "time" if is_time else meaning(table.index.name)
            index = {name: _of_pandas(table.index)} if name in wanted else {}
        yield index | {name: _of_pandas(table[key]) for name, key in _keys(table.columns, wanted).items()}
    elif hasattr(table, "get_columns"):
        yield {name: table[key].to_numpy() for name, key in _keys(table.columns, wanted).items()}
    elif hasattr(table, "__arrow_c_array__") or hasattr(table, "__arrow_c_stream__"):
        import pyarrow
        try:
            reader = pyarrow.RecordBatchReader.from_stream(table if hasattr(table, "__arrow_c_stream__")
                                                           else pyarrow.table(table))
        except pyarrow.ArrowInvalid:
            raise GaitError(
                f"a {type(data).__name__} is not a table; pass a table, a record batch or a table frame") from None
        keys, batch = _keys(reader.schema.names, wanted), None
        for batch in reader:
            yield _of_batch(batch, keys)
        if batch is None:
            yield _of_batch(pyarrow.RecordBatch.from_pylist([], reader.schema), keys)
    else:
        raise GaitError(
            f"a {type(data).__name__} is not a recording; pass a Recording, an array, a mapping or data frame of "
            "channels, or Arrow data")


def _keys(names: Iterable[Any], wanted: Container[str]) -> dict[str, Any]:
    """The names that the table has for the wanted columns."""
    keys: dict[str, Any] = {}
    for key in names:
        name = meaning(key)
        if name in keys:
            raise GaitError(f"two columns are {name}; drop or rename one of them")
        if name in wanted:
            keys[name] = key
    return keys


def _of_pandas(values: Any) -> Column:
    """A column or an index as an array. Times with a zone become UTC."""
    if getattr(values.dtype, "tz", None) is not None:
        values = (values.dt if hasattr(values, "dt") else values).tz_convert(None)
    column: Column = values.to_numpy()
    return column


def _of_batch(batch: Any, keys: Mapping[str, Any]) -> Mapping[str, Column]:
    return {name: batch.column(key).to_numpy(zero_copy_only=False) for name, key in keys.items()}


def zone_of(data: Any) -> Any:
    """The time zone of a table's times; None without one."""
    if hasattr(data, "iloc") and hasattr(data, "columns"):
        times = data["time"] if "time" in data.columns else data.index
        return getattr(getattr(times, "dtype", None), "tz", None)
    schema = getattr(data, "schema", {})
    kind: Any = None
    if isinstance(schema, Mapping):
        kind = schema.get("time")
    elif "time" in schema.names:
        kind = schema.field("time").type
    return getattr(kind, "time_zone", getattr(kind, "tz", None))


def factors(column: Column) -> tuple[list[Any], np.ndarray[Any, Any]]:
    """The different values of a column in the order of their first rows, and for each row the index of its value."""
    seen: dict[Any, int] = {}
    codes = np.array([seen.setdefault(value, len(seen)) for value in column.tolist()], np.int64)
    return list(seen), codes


#: Names of columns that distinguish the recordings of a table.
_SPLITTERS = frozenset((
    "recording", "recording_id", "subject", "subject_id", "person", "participant", "participant_id", "user", "user_id",
    "id",
    "trial", "session", "session_id", "file", "filename", "device", "device_id", "sensor", "sensor_id", "position",
    "body_part",
    "placement", "case", "case_id"))


class OneRecording:
    """Checks that the rows of a table are of one recording, over its parts."""

    def __init__(self, data: Any) -> None:
        #: The columns to check, and their first values.
        self.names = [name for name in names_of(data) if name.casefold() in _SPLITTERS]
        self._first: dict[str, Any] = {}

    def check(self, columns: Mapping[str, Column]) -> None:
        for name in self.names:
            column = columns.get(name, np.empty(0))
            if len(column) == 0:
                continue
            first = self._first.setdefault(name, column[0])
            if not np.any(column != first) or column.dtype.kind in "iu" and len(
                    column) > 1 and np.all(np.diff(column) == 1):
                continue
            values, _ = factors(np.concatenate([[first], column]))
            # A missing value differs from itself, and is left out.
            if len([value for value in values if value == value]) > 1:
                shown = ", ".join(map(str, values[:4])) + (", …" if len(values) > 4 else "")
                raise GaitError(
                    f"the column {name} has {len(values)} values ({shown}), so the table has several recordings; pass "
                                f"recording=\"{name}\", or choose the rows of one, or drop the column")
