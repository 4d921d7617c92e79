"""Tables of results."""
from __future__ import annotations

from typing import Any

import numpy as np


class Table(dict[str, np.ndarray]):
    """Columns by name, each an array of the same length: `table["start"]`."""

    @classmethod
    def of(cls, rows: list[dict[str, Any]], columns: list[str]) -> Table:
        """A table from rows; missing numbers become NaN."""
        def column(name: str) -> np.ndarray:
            values = [row.get(name) for row in rows]
            texts = any(isinstance(value, str) for value in values)
            return np.array(values if texts else [np.nan if value is None else value for value in values])
        return cls({name: column(name) for name in columns})

    def __len__(self) -> int:
        return len(next(iter(self.values()), ()))

    def to_pandas(self) -> Any:
        """A pandas data frame."""
        import pandas
        return pandas.DataFrame(dict(self.items()))

    def to_polars(self) -> Any:
        """A polars data frame."""
        import polars
        return polars.DataFrame(dict(self.items()))

    def to_arrow(self) -> Any:
        """A pyarrow table."""
        import pyarrow
        return pyarrow.table(dict(self.items()))
