"""Tables of results."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Frames:
    """Results that can become a data frame, by their method `table`."""

    def table(self) -> Table:
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame. Dates have the zone of the recording's dates."""
        import pandas
        table = self.table()
        frame = pandas.DataFrame(dict(table.items()))
        for name in table.dates:
            frame[name] = frame[name].dt.tz_localize("UTC").dt.tz_convert(table.zone)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame."""
        import polars
        table = self.table()
        frame = polars.DataFrame({name: values.tolist() if values.dtype.kind == "O" else values for name,
                                  values in table.items()})
        return frame.with_columns([
            polars.col(name).dt.replace_time_zone("UTC").dt.convert_time_zone(str(table.zone)) for name in table.dates])

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow table."""
        import pyarrow
        table = self.table()
        return pyarrow.table({
            name: pyarrow.array(values, pyarrow.timestamp("ns", str(table.zone))) if name in table.dates else values
            for name, values in table.items()})

    def _repr_html_(self) -> str:
        """The first rows, for notebooks."""
        table = self.table()
        names = list(table)[:12]
        more = ["…"] if len(table) and len(table.keys()) > len(names) else []
        rows = [[_shown(table[name][row]) for name in names] + more for row in range(min(10, len(table)))]
        cells = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in [*names, *more])
        return f"<table><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table><p>{html.escape(repr(self))}</p>"


def listing(title: str, facts: dict[str, str]) -> str:
    """Names and values as HTML."""
    rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name,
                   value in facts.items())
    return f"<table><caption>{html.escape(title)}</caption><tbody>{rows}</tbody></table>"


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, (float, np.floating)) else str(value)


class Table(dict[str, "np.ndarray[Any, Any]"], Frames):
    """Columns by name, each an array of the same length. `len` is the number of rows.

        >>> table = gait.Table({"start": np.array([0.0, 1.5]), "state": np.array(["running", "paused"])})
        >>> table["state"]
        array(['running', 'paused'], dtype='<U7')
        >>> table
        Table(2 rows: start, state)
    """

    #: The time zone of its dates, if they have one.
    zone: Any = None

    def table(self) -> Table:
        return self

    @property
    def dates(self) -> list[str]:
        """The columns of dates with a zone."""
        return [name for name, column in self.items() if self.zone is not None and column.dtype.kind == "M"]

    def __repr__(self) -> str:
        names = ", ".join(list(self)[:8]) + (", …" if len(self.keys()) > 8 else "")
        return f"Table({len(self)} rows: {names})"

    @classmethod
    def of(cls, rows: list[dict[str, Any]], columns: dict[str, str], **kinds: type) -> Table:
        """A table from rows. The keys of a row are the values of `columns`. A column has the type in `kinds`; without
        one it is float64, with NaN for missing values."""
        def column(name: str, key: str) -> np.ndarray[Any, Any]:
            kind = kinds.get(name, float)
            return np.array(
                [kind("nan" if kind is float else "") if row.get(key) is None else row[key] for row in rows], kind)
        return cls({name: column(name, key) for name, key in columns.items()})

    def __len__(self) -> int:
        return len(next(iter(self.values()), ()))
