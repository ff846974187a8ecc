"""Run folders: made by `run`, read by `open_run`."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _log, _native
from ._frames import Frames
from ._page import Page, show_live
from ._progress import Progress, reporter
from ._scene import Scene
from ._simulation import Simulation
from ._table import Table
from .errors import OutputError, UnphysicalError

if TYPE_CHECKING:
    from pathlib import Path

Every = tuple[float, Callable[[Simulation], object]]
"""An interval of simulated time [s] and a function that is called at its multiples."""

Source = str | os.PathLike[str] | Mapping[str, Any] | Scene
"""A scene, or an argument of `Scene.open`."""


class _Tables(Mapping[str, Table]):
    """The tables of a folder by name; each is read when it is used."""

    def __init__(self, folder: "Path", units: Mapping[str, Mapping[str, str]]) -> None:
        self._folder = folder
        self._units = units

    def _names(self) -> list[str]:
        return sorted(path.stem for path in self._folder.glob("*.csv"))

    def __getitem__(self, name: str) -> Table:
        path = self._folder / f"{name}.csv"
        if name not in self._names():
            raise KeyError(f"there is no table {name!r}; tables: {', '.join(self._names())}")
        return Table.read(path, self._units.get(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __repr__(self) -> str:
        return f"<tables: {', '.join(self._names())}>"


class Run:
    """The results of a run, read from its folder."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        from pathlib import Path

        self.path = Path(path)
        """The folder."""
        if not (self.path / "run.toml").is_file():
            raise OutputError(f"`{self.path}` is no run folder: it holds no `run.toml`")

    @property
    def finished(self) -> bool:
        """True if the run has reached its end."""
        return bool(self._summary().get("ended") == "finished")

    @property
    def failure(self) -> str | None:
        """Reason if the run was stopped as unphysical, else None."""
        return self._summary().get("failure")

    @property
    def summary(self) -> dict[str, Any]:
        """Everything in `summary.json`. It exists when the run has ended."""
        found = self._summary()
        if not found:
            raise OutputError(f"the run in `{self.path}` has not ended: there is no summary")
        return found

    def _summary(self) -> dict[str, Any]:
        import json

        try:
            found: dict[str, Any] = json.loads((self.path / "summary.json").read_text("utf-8"))
        except FileNotFoundError:
            return {}
        return found

    @property
    def measured(self) -> dict[str, float]:
        """The last values of the measures, by `measure.column`; nan if undefined."""
        return {
            f"{name}.{column}": float("nan") if value is None else value
            for name, columns in self.summary["measured"].items()
            for column, value in columns.items()
        }

    @property
    def warnings(self) -> list[str]:
        """Warnings of the run."""
        return list(self.summary["warnings"])

    @property
    def scene(self) -> Scene:
        """The scene as used."""
        text = (self.path / "run.toml").read_text(encoding="utf-8")
        return Scene._of("run.toml", text, self.path, self.path.name)

    def _table(self, name: str) -> Table:
        path = self.path / name
        if not path.is_file():
            raise OutputError(f"the run in `{self.path}` has no `{name}`: its scene does not request it")
        return Table.read(path)

    @property
    def energy(self) -> Table:
        """Energies over time [J]."""
        return self._table("energy.csv")

    @property
    def walls(self) -> Table:
        """Forces on the walls over time."""
        return self._table("walls.csv")

    @property
    def events(self) -> Table:
        """Contact events: begin, end, slip, stick."""
        return self._table("events.csv")

    @property
    def final(self) -> Table:
        """The particles at the end, bitwise exact."""
        return self._table("final.csv")

    @property
    def contacts(self) -> Table:
        """The contacts at the end."""
        lists = sorted((self.path / "contacts").glob("contacts_*.csv"))
        return Table.read(lists[-1]) if lists else self._table("contacts.csv")

    @property
    def probes(self) -> Mapping[str, Table]:
        """Tables of the probes by name."""
        return _Tables(self.path / "probes", {})

    @property
    def measures(self) -> Mapping[str, Table]:
        """Tables of the measures by name."""
        return _Tables(self.path / "measures", self.scene.measure_units())

    @property
    def frames(self) -> Frames:
        """The frames."""
        return Frames(self.path)

    @property
    def report(self) -> "Path":
        """Path of the report, a page for a browser."""
        return self.path / "report.html"

    def page(
        self,
        columns: Sequence[str] = ("velocity", "force"),
        *,
        frames: int | None = None,
        height: int = 560,
    ) -> Page:
        """The viewer with the frames of the run in one page, as `esker view --export`. `columns` are the quantities
        to colour by beside the groups. `frames`: this many, evenly spread; if not given, as many as fit in a page
        of about 10 MB. `height`: in a notebook [pixels]."""
        html = _native.page_of_run(self.path, list(columns), frames)
        return Page(html, str(self.path), height)

    def show(
        self,
        columns: Sequence[str] = ("velocity", "force"),
        *,
        frames: int | None = None,
        height: int = 560,
        live: bool = False,
    ) -> None:
        """Displays the viewer: in a notebook, or else in the browser. The arguments are those of `page`. With `live`, a
        page of the browser shows all frames and follows a run that another process makes (a server on this machine,
        as of `esker view`)."""
        if live:
            show_live(_native.serve_run(self.path))
        else:
            self.page(columns, frames=frames, height=height).show()

    def __repr__(self) -> str:
        ended = self._summary().get("ended", "not ended")
        return f"<esker.Run {self.path}: {ended}>"

    def _repr_html_(self) -> str:
        from ._notebook import run_html

        return run_html(self)


def open_run(folder: str | os.PathLike[str]) -> Run:
    """The results of a run from its folder."""
    return Run(folder)


def run(
    source: Source,
    changes: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    *,
    threads: int = 0,
    resume: bool = False,
    force: bool = False,
    light: bool = False,
    reuse: bool = False,
    progress: Progress = False,
    every: Every | None = None,
) -> Run:
    """Runs a scene to its end with all its outputs: the same bytes as `esker run`.

    source: a scene, or an argument of `Scene.open`; `changes` override its values.
    out: the folder; if not given `runs/NAME`, then `runs/NAME-2` …
    resume: continues from the checkpoint in the folder. force: replaces an earlier run.
    light: only numerical results: no frames, no contact lists, no report.
    reuse: a run that the same program has finished from the same input in this folder is reused,
        an unfinished one is continued, any other is replaced.
    progress: True for a bar, or a function of fraction, time and steps.
    every: `(seconds, function)`: calls `function(sim)` at multiples of a simulated time; it may read.

    Ctrl-C ends the run after a complete step; all outputs and a checkpoint are written first.
    """
    scene = source if isinstance(source, Scene) else Scene.open(source)
    if changes:
        scene = scene.set(changes)
    return run_scene(scene, out, threads, resume, force, light, reuse, progress, every)


def run_scene(
    scene: Scene,
    out: str | os.PathLike[str] | None,
    threads: int,
    resume: bool,
    force: bool,
    light: bool,
    reuse: bool,
    progress: Progress,
    every: Every | None,
) -> Run:
    """See `run`."""
    from pathlib import Path

    if reuse and (every is not None or resume or force):
        raise ValueError("`reuse` cannot be combined with `every`, `resume` or `force`")
    _log.warn(f"{one.message} ({one.file}:{one.line})" for one in scene.problems())
    if reuse:
        folder = Path("runs") / scene.stem if out is None else Path(out)
        return _reused(scene, folder, threads, light, progress)
    folder = Path(_native.fresh_folder(Path("runs"), scene.stem)) if out is None else Path(out)
    options = {"folder": folder, "resume": resume, "force": force, "light": light}
    simulation = Simulation(scene, threads, folder=options)
    _log.warn(simulation.warnings)
    if every is not None:
        simulation.every(*every)
    try:
        simulation.run(progress=progress)
    except BaseException:
        # Whatever ended the run: all output is written, so that the folder can be opened and resumed.
        simulation.close()
        raise
    _, warnings = simulation.close()
    _log.warn(warnings)
    return Run(folder)


def _reused(scene: Scene, folder: "Path", threads: int, light: bool, progress: Progress) -> Run:
    report = reporter(progress, scene.stem)
    poll = None if report is None else report.update
    try:
        found, failure = _native.run_or_reuse(scene, folder, threads, light, program(), poll)
    finally:
        if report is not None:
            report.close()
    if failure is not None:
        raise UnphysicalError(failure, folder=str(folder))
    _log.info(f"{folder}: {'reused' if found else 'made'}")
    return Run(folder)


_program = ""


def program() -> str:
    """Identifies this program, so that results of another program are not reused."""
    global _program
    if not _program:
        import zlib

        with open(_native.__file__, "rb") as file:
            sum_ = zlib.crc32(file.read())
        _program = f"{_native.VERSION} {sum_:08x}"
    return _program
