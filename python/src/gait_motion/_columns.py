"""Columns of tables: mappings, structured arrays, pandas and polars data frames, and Arrow data."""
from __future__ import annotations

from typing import Any, Container, Iterator, Mapping

import numpy as np

from ._library import GaitError

Column = np.ndarray[Any, Any]


def names_of(data: Any) -> list[str]:
    """The names of a table's columns."""
    if isinstance(data, np.ndarray):
        return list(data.dtype.names or ())
    return list(map(str, data if isinstance(data, Mapping) else getattr(data, "column_names", getattr(data, "columns", ()))))


def columns_of(data: Any, wanted: Container[str]) -> Iterator[Mapping[str, Column]]:
    """The wanted columns of a table, in parts: one for each batch of Arrow data. An index of times is the column `time`."""
    if isinstance(data, Mapping):
        yield {str(name): np.asarray(column) for name, column in data.items() if name in wanted}
    elif isinstance(data, np.ndarray) and data.dtype.names is not None:
        yield {name: data[name] for name in data.dtype.names if name in wanted}
    elif hasattr(data, "iloc") and hasattr(data, "columns"):
        index = {"time": data.index} if getattr(data.index, "inferred_type", "") in ("datetime64", "timedelta64") else {}
        yield index | {name: data[name].to_numpy() for name in data.columns if name in wanted}
    elif hasattr(data, "get_columns"):
        yield {column.name: column.to_numpy() for column in data.get_columns() if column.name in wanted}
    elif hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__"):
        import pyarrow
        try:
            reader = pyarrow.RecordBatchReader.from_stream(data if hasattr(data, "__arrow_c_stream__") else pyarrow.table(data))
        except pyarrow.ArrowInvalid:
            raise GaitError(f"a {type(data).__name__} is not a table; pass a table, a record batch or a data frame") from None
        batch = None
        for batch in reader:
            yield _of_batch(batch, wanted)
        if batch is None:
            yield _of_batch(pyarrow.RecordBatch.from_pylist([], reader.schema), wanted)
    else:
        raise GaitError(
            f"a {type(data).__name__} is not a recording; pass a Recording, an array, a mapping or data frame of channels, or "
            "Arrow data")


def _of_batch(batch: Any, wanted: Container[str]) -> Mapping[str, Column]:
    return {name: batch.column(name).to_numpy(zero_copy_only=False) for name in batch.schema.names if name in wanted}
