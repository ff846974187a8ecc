"""Scenes: everything that determines a run."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self, Unpack

from . import _log, _native
from .errors import Problem

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._page import Page
    from ._progress import Progress
    from ._run import Every, Run
    from ._simulation import Simulation
    from .tables import SceneTables


class Check(NamedTuple):
    """Derived quantities of a scene, as printed by `esker check`."""

    text: str
    """Time step, contact times, counts, laws and an estimate of the run time."""
    warnings: tuple[str, ...]
    """Warnings."""

    def __str__(self) -> str:
        return "".join(f"warning: {warning}\n" for warning in self.warnings) + self.text

    def _repr_html_(self) -> str:
        from ._notebook import preformatted

        return preformatted(str(self))


class Scene(_native.Scene):
    """A scene: materials, contact laws, particles, walls, stages and outputs, in SI units.

    Made from keywords, one for each table of a scene file:

        scene = esker.Scene(
            gravity=[0, 0, -9.81],
            materials={"glass": {"density": 2500, "young_modulus": 5e7, "poisson_ratio": 0.24}},
            contact={"normal": "hertz", "damping": "hertz",
                     "pairs": [{"between": ["glass", "glass"], "restitution": 0.8}]},
        )

    whose types are in `esker.tables`, so that editors complete and type checkers verify the keys of dict literals;
    or by `Scene.open` from a file, a built-in scene, TOML text or a dict.
    """

    def __new__(cls, /, **tables: "Unpack[SceneTables]") -> Self:
        text = _native.to_toml({"format": 1, **tables})
        return cls._of("<dict>", text, os.getcwd(), "scene")

    @classmethod
    def _of(
        cls,
        name: str,
        text: str,
        folder: str | os.PathLike[str],
        stem: str,
        settings: list[tuple[str, str]] | None = None,
        provided: list[tuple[str, dict[str, Any]]] | None = None,
    ) -> Self:
        folder = os.path.abspath(folder)
        return super().__new__(cls, name, text, folder, stem, settings or [], provided or [])

    @classmethod
    def open(
        cls,
        source: "str | os.PathLike[str] | SceneTables | Mapping[str, Any]",
        changes: Mapping[str, Any] | None = None,
    ) -> Self:
        """Opens a scene: the path of a file, the name of a built-in scene, TOML text (with line breaks) or
        a dict of tables. `changes` override its values, as by `set`."""
        if isinstance(source, Mapping):
            found = cls._of("<dict>", _native.to_toml({"format": 1, **source}), os.getcwd(), "scene")
        elif isinstance(source, str) and "\n" in source:
            found = cls._of("<text>", source, os.getcwd(), "scene")
        else:
            found = cls._of(*_native.Scene.find(os.fspath(source)))
        return found.set(changes) if changes else found

    def set(self, changes: Mapping[str, Any]) -> Self:
        """The scene with other values, as by `--set` of the program: `{"time.step": 1e-6}` or
        `{"contact.pairs[*].friction": 0.3}`, where `*` stands for all items."""
        name, text, folder, stem, settings, provided = self.parts()
        added = self.settings_of(dict(changes))
        return self._of(name, text, folder, stem, settings + added, provided)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a scene file. Arrays of `add_particles` are not part of it."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.toml())

    def add_particles(
        self,
        name: str,
        *,
        material: str,
        position: "ArrayLike",
        radius: "ArrayLike",
        velocity: "ArrayLike | None" = None,
        spin: "ArrayLike | None" = None,
        orientation: "ArrayLike | None" = None,
        charge: "ArrayLike" = 0.0,
        fixed: bool = False,
    ) -> None:
        """Adds a group of particles given as arrays: positions, velocities and spins of shape (n, 3), a
        radius or n of them, orientations as unit quaternions (x, y, z, w) of shape (n, 4), a charge [C] or n of
        them. A `fixed` group does not move."""
        columns: dict[str, Any] = {"position": position, "radius": radius}
        for key, value in (("velocity", velocity), ("spin", spin), ("orientation", orientation)):
            if value is not None:
                columns[key] = value
        plain = len(name) <= 80 and name.isascii() and name.replace("_", "a").replace("-", "a").isalnum()
        file = f"inputs/{name if plain else len(self.parts()[5])}.csv"
        table: dict[str, Any] = {"name": name, "material": material, "insert": {"csv": file}}
        import numpy as np

        if np.ndim(charge) > 0:
            columns["charge"] = charge
        elif charge:
            table["charge"] = charge
        if fixed:
            table["fixed"] = True
        self.add_group(file, _native.to_toml({"particles": [table]}), columns)

    def problems(self) -> tuple[Problem, ...]:
        """Warnings of the reader about possible mistakes. Errors raise `SceneError`."""
        return tuple(Problem(**problem) for problem in self.warnings())

    def check(self) -> Check:
        """Derived quantities of the scene, without running it, as `esker check`."""
        warnings, text = self.describe()
        return Check(text, (*(one.message for one in self.problems()), *warnings))

    def page(self, columns: Sequence[str] = ("velocity",), *, height: int = 560) -> "Page":
        """The viewer with the scene at time 0 as a self-contained page: particles, walls, domain."""
        from ._page import Page

        return Page(_native.page_of_scene(self, list(columns)), self.title or self.stem, height)

    def show(self, columns: Sequence[str] = ("velocity",), *, height: int = 560) -> None:
        """Displays the scene at time 0 in the viewer: in a notebook, otherwise in the browser."""
        self.page(columns, height=height).show()

    def build(self, threads: int = 0, *, ledger: bool | None = None) -> "Simulation":
        """A simulation of the scene; every check of the input happens here.

        `threads`: 0 selects one per thousand particles, at most all cores; the number never changes a
        result. `ledger`: whether the energy ledger is kept; by default if the scene requests it (by the
        output `energy`)."""
        from ._simulation import Simulation

        _log.warn(f"{one.message} ({one.file}:{one.line})" for one in self.problems())
        simulation = Simulation(self, threads, ledger=ledger)
        _log.warn(simulation.warnings)
        return simulation

    def run(
        self,
        out: str | os.PathLike[str] | None = None,
        *,
        threads: int = 0,
        resume: bool = False,
        force: bool = False,
        light: bool = False,
        reuse: bool = False,
        progress: "Progress" = False,
        every: "Every | None" = None,
    ) -> "Run":
        """Runs the scene to its end with all its outputs: the same as `esker run`. See `esker.run`."""
        from ._run import run_scene

        return run_scene(self, out, threads, resume, force, light, reuse, progress, every)

    def __reduce__(self) -> tuple[Any, ...]:
        return _scene_of, (type(self), *self.parts())

    def __copy__(self) -> Self:
        return self._of(*self.parts())

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self._of(*self.parts())

    def _repr_html_(self) -> str:
        from ._notebook import scene_html

        return scene_html(self)


def _scene_of(cls: type[Scene], *parts: Any) -> Scene:
    return cls._of(*parts)
