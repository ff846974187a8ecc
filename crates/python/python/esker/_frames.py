"""Frames of a run: arrays by column, one frame at a time or all of them as one table."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._particles import ParticleArrays, Vectors
from ._picture import Picture
from ._table import Table

if TYPE_CHECKING:
    from pathlib import Path

_Files = tuple[float, "Path", "Path | None", "Path"]

_TYPES: dict[str, Any] = {
    "id": np.int64,
    "group": np.uint16,
    "material": np.uint16,
    "coordination": np.uint32,
    "image": np.int32,
    "first": np.int64,
    "second": np.int64,
    "with_wall": np.bool_,
    "sliding": np.bool_,
    "wall": np.int64,
}

# Columns of VTK that are no quantity.
_CELLS = ("connectivity", "offsets")


def _read(file: _native.FrameFile, name: str) -> NDArray[Any]:
    values = file.read(name)
    if name == "orientation":
        values = np.ascontiguousarray(values[:, [1, 2, 3, 0]])  # stored as w, x, y, z
    return values.astype(_TYPES[name]) if name in _TYPES else values


class Frame(ParticleArrays, Table):
    """The particles of one frame: a table whose columns are read from the file when they are used. They have the
    names of `Simulation.particles`, and are attributes too: `frame["position"]`, `frame.position`."""

    def __init__(self, run: "Path", index: int, files: _Files) -> None:
        self._run = run
        self._files = files
        self.index = index
        """Number of the frame in its run, counted from 0."""
        self._file = _native.FrameFile(files[1])
        super().__init__({}, title=f"frame {index}")
        others = (name for name in self._file.columns() if name not in (*_CELLS, "Points", "id"))
        self._names = ("id", "position", *others)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self._names

    @property
    def rows(self) -> int:
        """Number of particles."""
        return self._file.points

    def _load(self, name: str) -> NDArray[Any]:
        if name not in self._columns:
            self._columns[name] = _read(self._file, "Points" if name == "position" else name)
        return self._columns[name]

    def _column(self, name: str) -> NDArray[Any]:
        return self[name]

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._file.time

    @property
    def step(self) -> int:
        """Steps made."""
        return self._file.step

    @property
    def stage(self) -> str:
        """Name of the stage; empty if the scene has none."""
        return self._file.stage

    @property
    def groups(self) -> list[str]:
        """Names of the groups."""
        return self._file.names("groups")

    @property
    def materials(self) -> list[str]:
        """Names of the materials."""
        return self._file.names("materials")

    @property
    def contacts(self) -> Table:
        """The contacts, with the column names of `Simulation.contacts`. The scene must write them:
        `outputs.frames.contacts`."""
        path = self._files[2]
        if path is None:
            raise ValueError("the frames have no contacts: set `outputs.frames.contacts = true` in the scene")
        file = _native.FrameFile(path)
        names = [name for name in file.columns() if name not in (*_CELLS, "Points", "with_wall")]
        columns = {name: _read(file, name) for name in names}
        with_wall = _read(file, "with_wall")
        partner = columns["second"]
        columns["second"] = np.where(with_wall, -1, partner)
        columns["wall"] = np.where(with_wall, partner, -1)
        ends = file.read("Points").reshape(-1, 2, 3)
        columns["first_position"], columns["second_position"] = ends[:, 0], ends[:, 1]
        return Table(columns, title=f"contacts of frame {self.index}")

    @property
    def walls(self) -> dict[str, Vectors]:
        """The triangles of each wall, shape (n, 3 corners, 3) [m]; half-spaces up to the edge of the domain."""
        file = _native.FrameFile(self._files[3])
        corners = file.read("Points")[file.read("connectivity").astype(np.int64)].reshape(-1, 3, 3)
        wall = _read(file, "wall")
        return {name: corners[wall == index] for index, name in enumerate(file.names("walls"))}

    def picture(self, color: str = "speed") -> Picture:
        """A picture of the frame, which a notebook displays. Colours show `speed`, `group`, a column (of vectors:
        their lengths), or a component such as `force.z`."""
        column = "velocity" if color == "speed" else color
        if column != "group" and column.split(".")[0] not in self.columns:
            known = ", ".join(("speed", *self.columns))
            raise ValueError(f"there is no quantity {color!r} to colour by; known: {known}")
        png = _native.picture_of_run(self._run, self.index, column)
        return Picture(png, f"t = {self.time:.4f} s, {color}")

    def __repr__(self) -> str:
        return f"<esker.Frame {self.index}: t = {self.time:.6g} s, {self.rows} particles>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Frame, (self._run, self.index, self._files)


class Frames(Sequence[Frame]):
    """The frames of a run, from its files for ParaView. `frames[-1]` is the last one, `frames[::10]` every tenth,
    `frames.table()` all of them as one table."""

    def __init__(self, folder: str | os.PathLike[str], files: list[tuple[int, _Files]] | None = None) -> None:
        from pathlib import Path

        self._folder = Path(folder)
        self._files = list(enumerate(_native.frame_files(self._folder))) if files is None else files

    @property
    def times(self) -> NDArray[np.float64]:
        """Times of the frames [s]."""
        return np.array([files[0] for _, files in self._files], dtype=np.float64)

    @property
    def files(self) -> "list[Path]":
        """Files of the particles, in the format of VTK."""
        return [files[1] for _, files in self._files]

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> "Frames": ...
    def __getitem__(self, index: int | slice) -> "Frame | Frames":
        if isinstance(index, slice):
            return Frames(self._folder, self._files[index])
        if not -len(self) <= index < len(self):
            raise IndexError(f"there is no frame {index}: the run has {len(self)}")
        number, files = self._files[index]
        return Frame(self._folder, number, files)

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self._folder, number, files) for number, files in self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __repr__(self) -> str:
        if not self._files:
            return "<esker.Frames: none>"
        return f"<esker.Frames: {len(self)} from {self._files[0][1][0]:.6g} s to {self._files[-1][1][0]:.6g} s>"

    def table(self, columns: Sequence[str] = ("id", "group", "radius", "position", "velocity")) -> Table:
        """All particles of all frames as one long table: `frame`, `time` and these columns. Its size is the number
        of particles times the number of frames: `frames[::10].table(["id", "position"])` takes less."""
        parts: dict[str, list[NDArray[Any]]] = {name: [] for name in ("frame", "time", *columns)}
        for frame in self:
            parts["frame"].append(np.full(frame.rows, frame.index, dtype=np.int64))
            parts["time"].append(np.full(frame.rows, frame.time))
            for name in columns:
                parts[name].append(frame[name])
        joined = {name: np.concatenate(part) if part else np.empty(0) for name, part in parts.items()}
        return Table(joined, title="frames")
