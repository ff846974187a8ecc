"""Tables: columns by name."""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _native

if TYPE_CHECKING:
    import pandas
    import polars

_UNITS = {
    "time": "s",
    "radius": "m",
    "mass": "kg",
    "charge": "C",
    "position": "m",
    "velocity": "m/s",
    "spin": "rad/s",
    "force": "N",
    "torque": "N m",
    "moment": "N m",
    "overlap": "m",
    "closing_speed": "m/s",
    "normal_force": "N",
    "tangential_force": "N",
    "elastic": "N",
    "damping": "N",
    "normal_stiffness": "N/m",
    "tangential_stiffness": "N/m",
    "contact_radius": "m",
    "slip_velocity": "m/s",
    "work": "J",
    "speed": "m/s",
    "max_speed": "m/s",
    "max_height": "m",
    "kinetic_energy": "J",
    "rotational_energy": "J",
}
_AXES = ("_x", "_y", "_z", "_w")


def unit_of(name: str) -> str:
    """The unit of a column by its name; empty if it is unknown or the column is a pure number."""
    return _UNITS.get(name[:-2] if name.endswith(_AXES) else name, "")


class Table(Mapping[str, NDArray[Any]]):
    """Columns by name, each an array; an empty cell is nan.

    `pandas.DataFrame(dict(table))` and `polars.DataFrame(dict(table))` work, and so do `table.pandas()`
    and `table.polars()`.
    """

    def __init__(
        self,
        columns: Mapping[str, Any],
        units: Mapping[str, str] | None = None,
        title: str = "",
    ) -> None:
        self._columns = {name: np.asarray(column) for name, column in columns.items()}
        self._units = dict(units or {})
        self._title = title

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], units: Mapping[str, str] | None = None
    ) -> "Table":
        """Reads a CSV file of a run folder."""
        return cls(_native.read_table(path), units, os.path.basename(path))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self._columns)

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns; empty if unknown or for a pure number."""
        return {name: self._units.get(name, unit_of(name)) for name in self.columns}

    @property
    def rows(self) -> int:
        """Number of rows."""
        return max((len(column) for column in self._columns.values()), default=0)

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            import difflib

            near = difflib.get_close_matches(name, self.columns, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ";"
            raise KeyError(f"there is no column {name!r}{hint} columns: {', '.join(self.columns)}")
        return self._load(name)

    def _load(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        return f"<esker.Table {self._title}: {self.rows} rows of {', '.join(self.columns)}>"

    def pandas(self) -> "pandas.DataFrame":
        """As a data frame of pandas; a column of vectors becomes one column for each axis."""
        import pandas

        return pandas.DataFrame(self.flat())

    def polars(self) -> "polars.DataFrame":
        """As a data frame of Polars; a column of vectors becomes one column for each axis."""
        import polars

        return polars.DataFrame(self.flat())

    def flat(self) -> dict[str, NDArray[Any]]:
        """The columns with one number in each cell: a vector has the columns `name_x`, `name_y`, `name_z`."""
        found: dict[str, NDArray[Any]] = {}
        for name, column in self.items():
            if column.ndim == 1:
                found[name] = column
                continue
            for index in range(column.shape[1]):
                found[name + _AXES[index]] = column[:, index]
        return found

    def _repr_html_(self) -> str:
        from ._notebook import table_html

        return table_html(self)
