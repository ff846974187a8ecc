"""Sweeps: one scene with many values of its parameters."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _log, _native
from ._progress import Progress, reporter
from ._run import Run, Source, program
from ._scene import Scene
from ._table import Table

if TYPE_CHECKING:
    from pathlib import Path

Values = str | tuple[float, float] | Sequence[Any]
"""A pair of numbers is a range, a list are values; a string is what `esker sweep --vary KEY=…` takes, such as
`"1e5..1e8 log"`."""


class Sweep:
    """The results of a sweep, read from its folder."""

    def __init__(self, path: str | os.PathLike[str], failed: Mapping[str, str] | None = None) -> None:
        from pathlib import Path

        self.path = Path(path)
        """The folder."""
        self.failed = dict(failed or {})
        """Runs that failed, with the reason."""

    @property
    def results(self) -> Table:
        """All runs: parameters and collected results."""
        return Table.read(self.path / "results.csv")

    @property
    def effects(self) -> Table:
        """Effects of the parameters on the results; not for a grid of one parameter."""
        return Table.read(self.path / "effects.csv")

    @property
    def report(self) -> "Path":
        """Path of the report, a page for a browser."""
        return self.path / "report.html"

    @property
    def runs(self) -> dict[str, Run]:
        """The runs by name."""
        folders = sorted((self.path / "runs").iterdir())
        return {path.name: Run(path) for path in folders if (path / "run.toml").is_file()}

    def __repr__(self) -> str:
        return f"<esker.Sweep {self.path}>"

    def _repr_html_(self) -> str:
        return self.results._repr_html_()


def _vary(key: str, values: Values) -> str:
    if isinstance(values, str):
        return f"{key}={values}"
    if isinstance(values, tuple):
        if len(values) != 2:
            raise ValueError(f"the range of `{key}` needs two numbers: (low, high)")
        low, high = (float(end) for end in values)
        return f"{key}={low!r}..{high!r}"
    settings = _native.Scene.settings_of({str(index): value for index, value in enumerate(values)})
    return f"{key}={','.join(text for _, text in settings)}"


def sweep(
    source: Source,
    vary: Mapping[str, Values],
    *,
    changes: Mapping[str, Any] | None = None,
    method: str | None = None,
    samples: int | None = None,
    seeds: int = 1,
    seed: int = 1,
    collect: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    jobs: int = 0,
    threads: int = 0,
    keep: bool = False,
    progress: Progress = False,
) -> Sweep:
    """Runs a scene with many values of its parameters and ranks the parameters: as `esker sweep`.

    vary: parameters by path, each with a pair (low, high), a list of values, or the text of `--vary`.
    method: `grid`, `sobol`, `morris` or `latin`; `samples` rows, paths or samples.
    seeds: runs at each point; seed: that of the points. collect: names of results, `*` for several.
    out: the folder; `sweeps/NAME` if not given. Finished runs in it are reused.
    jobs: runs at the same time, 0 for one on each core. keep: keeps frames and reports of the runs.
    """
    scene = source if isinstance(source, Scene) else Scene.open(source)
    if changes:
        scene = scene.set(changes)
    from pathlib import Path

    folder = Path("sweeps") / scene.stem if out is None else Path(out)
    options = {
        "vary": [_vary(key, values) for key, values in vary.items()],
        "method": method,
        "samples": samples,
        "seeds": seeds,
        "seed": seed,
        "folder": folder,
        "threads": threads,
        "jobs": jobs,
        "keep": keep,
        "collect": list(collect),
        "program": program(),
    }
    report = reporter(progress, "sweep")
    poll = None
    if report is not None:
        shown = report

        def poll(ended: int, count: int) -> None:
            shown.update(ended / max(count, 1), 0.0, ended)

    try:
        outcomes = _native.sweep(scene, options, poll)
    finally:
        if report is not None:
            report.close()
    failed = {name: why for name, _, why in outcomes if why is not None}
    _log.warn(f"{name} failed: {why}" for name, why in failed.items())
    return Sweep(folder, failed)
