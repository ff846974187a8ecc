"""Simulations: advanced step by step, read and changed between steps."""

import math
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from ._callback import TIME_TOLERANCE, Callback
from ._page import Page, show_live
from ._particles import Particles, Vectors
from ._picture import Picture
from ._progress import Progress, Reporter, reporter
from ._scene import Scene
from ._table import Table
from ._walls import Walls
from .fields import Bodies, Force

class Counts(NamedTuple):
    """Numbers of particles: `inserted = deleted + present`."""

    inserted: int
    """Inserted so far, those of walls included."""
    deleted: int
    """Deleted so far."""
    present: int
    """Currently in the domain."""


class Domain(NamedTuple):
    """The box that particles may not leave."""

    min: tuple[float, float, float]
    """Lower corner [m]."""
    max: tuple[float, float, float]
    """Upper corner [m]."""
    periodic: tuple[bool, bool, bool]
    """Periodic directions."""


class Energy(NamedTuple):
    """Energies, dissipated energies and works [J]. Those below `potential` are nan unless the simulation was
    built with `ledger=True` or the scene has the output `energy`."""

    kinetic: float
    """Of translation."""
    rotational: float
    """Of rotation."""
    potential: float
    """Potential energy in gravity and other conservative fields."""
    elastic_normal: float
    """Energy stored by normal laws."""
    elastic_tangential: float
    """Energy stored by tangential and rolling springs."""
    cohesion: float
    """Potential energy of cohesion."""
    damping_loss: float
    """Energy dissipated by damping so far."""
    sliding_loss: float
    """Energy dissipated by sliding so far."""
    rolling_loss: float
    """Energy dissipated by rolling so far."""
    cohesion_loss: float
    """Energy dissipated by cohesion with history so far."""
    field_work: float
    """Work of non-conservative fields on the particles so far."""
    wall_work: float
    """Work of walls on the particles so far."""
    inserted: float
    """Energy added by insertions and changes, minus that of deleted particles."""
    closure_error: float
    """Closure error of the energy ledger."""


class Simulation(_native.Simulation):
    """A simulation, built by `Scene.build`.

    Steps release the interpreter lock, and Ctrl-C takes effect after a complete step: the simulation can
    continue with the same bits. Several threads may use it, one at a time.
    """

    _callbacks: list[Callback]

    def __new__(cls, scene: Scene, threads: int = 0, **options: Any) -> Self:
        simulation = super().__new__(cls, scene, threads, **options)
        simulation._callbacks = []
        return simulation

    # Advancing

    def step(self, count: int = 1) -> None:
        """Makes this many steps."""
        if count < 0:
            raise ValueError(f"`count` must not be negative, and is {count}")
        self._go(steps=count)

    def run(
        self,
        until: float | None = None,
        *,
        seconds: float | None = None,
        progress: Progress = False,
    ) -> None:
        """Runs until a time [s], for a duration (`seconds`, simulated), or to the end of the last stage; it
        ends at the first step at or after that time, and never changes the length of a step. `stop` and
        exceptions in callbacks end it early."""
        if until is not None and seconds is not None:
            raise ValueError("give `until` or `seconds`, not both")
        given = until if seconds is None else seconds
        if given is not None and math.isnan(given):
            raise ValueError("the time is not a number")
        if given is None and not self.has_stages:
            raise ValueError("the scene has no stages, so the run would never end: give `until` or `seconds`")
        end = self.time + seconds if seconds is not None else until
        report = reporter(progress, "run")
        start = self.time
        try:
            self._go(time=end, to_end=True, report=report, start=start)
        finally:
            if report is not None:
                report.close()

    def _go(
        self,
        *,
        steps: int | None = None,
        time: float | None = None,
        to_end: bool = False,
        report: Reporter | None = None,
        start: float = 0.0,
    ) -> None:
        """Advances, and calls callbacks when they are due."""
        poll: Callable[[], object] | None = None
        if report is not None:
            shown = report

            def poll() -> None:
                now, fraction = self.time, self.progress
                if time is not None and time > start:
                    fraction = (now - start) / (time - start)
                shown.update(fraction, now, self.steps)

        self.begin()
        try:
            last = None if steps is None else self.steps + steps
            while True:
                pause = min((call.next_time for call in self._callbacks), default=math.inf)
                at_step = min((call.next_step for call in self._callbacks), default=math.inf)
                goal = min(math.inf if time is None else time, pause)
                left = min(math.inf if last is None else last, at_step) - self.steps
                why = self.advance(
                    None if left == math.inf else int(left),
                    None if goal == math.inf else goal,
                    to_end,
                    poll,
                )
                self._call_back()
                now, tolerance = self.time, TIME_TOLERANCE * self.dt
                reached = time is not None and now >= time - tolerance
                if why != "goal" or reached or (last is not None and self.steps >= last):
                    return
        finally:
            self.end()

    def _call_back(self) -> None:
        if not self._callbacks:
            return
        time, dt, steps = self.time, self.dt, self.steps
        due = [
            call
            for call in self._callbacks
            if time >= call.next_time - TIME_TOLERANCE * dt or steps >= call.next_step
        ]
        for call in due:
            call.skip(time, dt, steps)
            call.function(self)

    def every(self, seconds: float, function: Callable[["Simulation"], object]) -> Callback:
        """Calls `function(sim)` at the first step at or after each multiple of `seconds` (simulated). It may
        read and change the simulation; an exception ends the run at that step and is raised to the caller."""
        if not (seconds > 0 and math.isfinite(seconds)):
            raise ValueError(f"`seconds` must be positive, and is {seconds}")
        call = Callback(self, function, seconds, None)
        self._callbacks.append(call)
        return call

    def every_steps(self, steps: int, function: Callable[["Simulation"], object]) -> Callback:
        """Calls `function(sim)` after each multiple of this number of steps."""
        if steps < 1:
            raise ValueError(f"`steps` must be positive, and is {steps}")
        call = Callback(self, function, None, steps)
        self._callbacks.append(call)
        return call

    # Reading

    @property
    def particles(self) -> Particles:
        """The particles as arrays in order of id."""
        return Particles(self)

    @property
    def walls(self) -> Walls:
        """The walls by name."""
        return Walls(self)

    @property
    def counts(self) -> Counts:
        """Numbers of particles."""
        return Counts(*self.count_particles())

    @property
    def energy(self) -> Energy:
        """Energies, losses and works [J]."""
        return Energy(**self.energies())

    @property
    def domain(self) -> Domain:
        """The box that particles may not leave."""
        low, high, periodic = self.domain_box()
        return Domain(
            (low[0], low[1], low[2]),
            (high[0], high[1], high[2]),
            (periodic[0], periodic[1], periodic[2]),
        )

    @property
    def gravity(self) -> Vectors:
        """Gravity [m/s²]. May be set between steps."""
        return np.array(self.gravity_now())

    @gravity.setter
    def gravity(self, gravity: ArrayLike) -> None:
        self.set_between_steps(None, np.asarray(gravity, dtype=np.float64))

    @property
    def scene(self) -> Scene:
        """The scene from which it was built."""
        return Scene._of(*self.scene_parts())

    def contacts(self) -> Table:
        """All contacts in order of their partners. Forces act on the first partner; `second` is the id of
        the other particle, or -1; `wall` the index of the wall in `sim.walls`, or -1."""
        return Table(self.contact_columns(), title="contacts")

    def measure(self, name: str, /, **options: Any) -> dict[str, float]:
        """Any measure of the current state by its name and options, as in `outputs.measure` of a scene:
        `sim.measure("coordination", particles="grains")`. An undefined number is nan. Measures that refer to
        the previous call store its state for each set of options."""
        columns = self.measure_now(name, options)
        return {name: math.nan if value is None else value for name, _, value in columns}

    # Changing

    def add_field(self, name: str, force: Callable[[Bodies, float], Force]) -> None:
        """Adds a force: `force(bodies, time)` returns an array of shape (n, 3) [N] for all free particles in
        order of id, or a pair of forces and torques. It is called once for each evaluation of the forces, on
        the calling thread, so that results do not depend on the number of threads. It must depend on its
        arguments only. A field of the same name is replaced."""
        self.add_python_field(name, force)

    # Saving

    def save(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """The state, from which a simulation of the same scene continues with the same bits; also written to a
        file if `path` is given. Such a file is a checkpoint: a scene can start from it."""
        state = self.state()
        if path is not None:
            with open(path, "wb") as file:
                file.write(state)
        return state

    def restore(self, state: bytes | str | os.PathLike[str]) -> None:
        """Restores a saved state, given as bytes or as the path of a file."""
        if not isinstance(state, bytes):
            with open(state, "rb") as file:
                state = file.read()
        self.restore_state(state)

    def copy(self) -> Self:
        """An independent simulation in the same state, without the callbacks."""
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return _simulation_of(type(self), self.scene, self.state(), *self.copy_parts())

    def __copy__(self) -> Self:
        return self.__deepcopy__({})

    def __reduce__(self) -> tuple[Any, ...]:
        return _simulation_of, (type(self), self.scene, self.state(), *self.copy_parts())

    # Showing

    def picture(
        self,
        color: str = "speed",
        *,
        width: int = 900,
        height: int = 600,
        up: ArrayLike | None = None,
        towards_camera: ArrayLike | None = None,
        range: tuple[float, float] | None = None,
    ) -> Picture:
        """A picture of the current state, drawn as in the report; a notebook displays it. Colours show
        `speed`, `radius` or `group`; `range` gives the ends of their scale."""
        options: dict[str, Any] = {}
        if up is not None:
            options["up"] = np.asarray(up, dtype=np.float64).tolist()
        if towards_camera is not None:
            options["back"] = np.asarray(towards_camera, dtype=np.float64).tolist()
        return Picture(*self.draw(color, width, height, range=range, **options))

    def page(self, columns: Sequence[str] = ("velocity", "force"), *, height: int = 560) -> Page:
        """The viewer with the present state in one page. `columns` are the quantities to colour by beside the
        groups; `height`: in a notebook [pixels]."""
        title = f"{self.scene.title or self.scene.stem}, t = {self.time:.4f} s"
        return Page(_native.page_of_simulation(self, list(columns)), title, height)

    def show(
        self,
        columns: Sequence[str] = ("velocity", "force"),
        *,
        height: int = 560,
        live: bool = False,
    ) -> None:
        """Displays the present state in the viewer: in a notebook, or else in the browser. With `live`, a page of the
        browser follows the simulation while it advances (a server on this machine, as of `esker view`)."""
        if live:
            show_live(_native.serve_simulation(self))
        else:
            self.page(columns, height=height).show()

    def _repr_html_(self) -> str:
        from ._notebook import simulation_html

        return simulation_html(self)


_S = TypeVar("_S", bound=Simulation)


def _simulation_of(
    cls: type[_S],
    scene: Scene,
    state: bytes,
    threads: int,
    ledger: bool,
    fields: list[tuple[str, Any]],
) -> _S:
    return cls(scene, threads, ledger=ledger, state=state, fields=fields)
