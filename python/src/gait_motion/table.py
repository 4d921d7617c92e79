"""Tables of results."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Frames:
    """What can become a data frame by its `table`."""

    def table(self) -> Table:
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame."""
        import pandas
        return pandas.DataFrame(dict(self.table().items()))

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame."""
        import polars
        columns = self.table().items()
        return polars.DataFrame({name: values.tolist() if values.dtype.kind == "O" else values for name, values in columns})

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow table."""
        import pyarrow
        return pyarrow.table(dict(self.table().items()))


class Table(dict[str, "np.ndarray[Any, Any]"], Frames):
    """Columns by name, each an array of the same length: `table["start"]`."""

    def table(self) -> Table:
        return self

    @classmethod
    def of(cls, rows: list[dict[str, Any]], columns: list[str]) -> Table:
        """A table from rows; missing numbers become NaN."""
        def column(name: str) -> np.ndarray[Any, Any]:
            values = [row.get(name) for row in rows]
            texts = any(isinstance(value, str) for value in values)
            return np.array(values if texts else [np.nan if value is None else value for value in values])
        return cls({name: column(name) for name in columns})

    def __len__(self) -> int:
        return len(next(iter(self.values()), ()))
