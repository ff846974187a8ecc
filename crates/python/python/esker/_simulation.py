"""Simulations: advanced step by step, read and changed between steps."""

import math
import os
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._picture import Picture
from ._progress import Progress, Reporter, reporter
from ._scene import Scene
from ._table import Table
from .fields import Bodies, Force

Vectors = NDArray[np.float64]

# As in the engine: a step that ends this fraction of itself early has reached a time.
_TIME_TOLERANCE = 1e-6


class Counts(NamedTuple):
    """Numbers of particles: `inserted = deleted + present`."""

    inserted: int
    """Inserted so far, those of walls included."""
    deleted: int
    """Deleted so far."""
    present: int
    """In the domain now."""


class Domain(NamedTuple):
    """The box that particles may not leave."""

    min: tuple[float, float, float]
    """Lower corner [m]."""
    max: tuple[float, float, float]
    """Upper corner [m]."""
    periodic: tuple[bool, bool, bool]
    """Which directions repeat."""


class Energy(NamedTuple):
    """Energies, losses and works [J]. Those below `potential` are nan unless the simulation was built with
    `ledger=True` or the scene has the output `energy`."""

    kinetic: float
    """Of translation."""
    rotational: float
    """Of rotation."""
    potential: float
    """In gravity and other fields with a potential."""
    elastic_normal: float
    """Stored by normal laws."""
    elastic_tangential: float
    """Stored by tangential and rolling springs."""
    cohesion: float
    """Potential energy of cohesion."""
    damping_loss: float
    """Lost to damping so far."""
    sliding_loss: float
    """Lost to sliding so far."""
    rolling_loss: float
    """Lost to rolling so far."""
    cohesion_loss: float
    """Lost so far by cohesion with a memory."""
    field_work: float
    """Work of fields without a potential on the particles so far."""
    wall_work: float
    """Work of walls on the particles so far."""
    inserted: float
    """Brought in by insertions and changes, less what deleted particles took away."""
    closure_error: float
    """What the ledger cannot explain."""


class Particles:
    """The particles of a simulation as arrays in order of id.

    Each attribute is a new array with the values of this moment, which the caller may keep and change.
    `Simulation.in_place` gives views without a copy.
    """

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation

    def __len__(self) -> int:
        return self._simulation.particle_count()

    def __repr__(self) -> str:
        return f"<esker.Particles: {len(self)} in {', '.join(self._simulation.groups)}>"

    def _column(self, name: str) -> Any:
        return self._simulation.column(name)

    @property
    def id(self) -> NDArray[np.int64]:
        """Ids, increasing; an id is never reused."""
        return self._column("id")  # type: ignore[no-any-return]

    @property
    def group(self) -> NDArray[np.uint16]:
        """Index of the group in `Simulation.groups`."""
        return self._column("group")  # type: ignore[no-any-return]

    @property
    def material(self) -> NDArray[np.uint16]:
        """Index of the material in `Simulation.materials`."""
        return self._column("material")  # type: ignore[no-any-return]

    @property
    def radius(self) -> NDArray[np.float64]:
        """Radii [m]."""
        return self._column("radius")  # type: ignore[no-any-return]

    @property
    def mass(self) -> NDArray[np.float64]:
        """Masses [kg]; infinite for fixed and driven particles."""
        return self._column("mass")  # type: ignore[no-any-return]

    @property
    def charge(self) -> NDArray[np.float64]:
        """Charges [C]."""
        return self._column("charge")  # type: ignore[no-any-return]

    @property
    def position(self) -> Vectors:
        """Positions inside the domain, shape (n, 3) [m]."""
        return self._column("position")  # type: ignore[no-any-return]

    @property
    def image(self) -> NDArray[np.int32]:
        """Periods travelled along each axis, shape (n, 3)."""
        return self._column("image")  # type: ignore[no-any-return]

    @property
    def unwrapped_position(self) -> Vectors:
        """Positions as they would be without periodic boundaries, shape (n, 3) [m]."""
        domain = self._simulation.domain
        period = np.subtract(domain.max, domain.min)
        return self.position + self.image * np.where(domain.periodic, period, 0.0)

    @property
    def velocity(self) -> Vectors:
        """Velocities, shape (n, 3) [m/s]."""
        return self._column("velocity")  # type: ignore[no-any-return]

    @property
    def spin(self) -> Vectors:
        """Spins, shape (n, 3) [rad/s]."""
        return self._column("spin")  # type: ignore[no-any-return]

    @property
    def orientation(self) -> Vectors:
        """Orientations, unit quaternions (x, y, z, w) as in SciPy, shape (n, 4)."""
        return self._column("orientation")  # type: ignore[no-any-return]

    @property
    def force(self) -> Vectors:
        """Sum of the forces on each, shape (n, 3) [N]."""
        return self._column("force")  # type: ignore[no-any-return]

    @property
    def torque(self) -> Vectors:
        """Sum of the torques on each, shape (n, 3) [N m]."""
        return self._column("torque")  # type: ignore[no-any-return]

    @property
    def coordination(self) -> NDArray[np.uint32]:
        """Number of touching partners."""
        return self._column("coordination")  # type: ignore[no-any-return]

    def of(self, group: str) -> NDArray[np.bool_]:
        """Which particles belong to a group: a mask for the other arrays."""
        groups = self._simulation.groups
        if group not in groups:
            raise KeyError(f"there is no group {group!r}; groups: {', '.join(groups)}")
        return np.equal(self.group, groups.index(group))

    def table(self) -> Table:
        """All columns as one table."""
        names = (
            "id group material radius mass charge position velocity spin orientation force torque"
        )
        return Table({name: self._column(name) for name in names.split()}, title="particles")


class Wall:
    """A wall of a simulation; its attributes are those of this moment."""

    def __init__(self, simulation: "Simulation", name: str) -> None:
        self._simulation = simulation
        self.name = name
        """Its name."""

    def _now(self) -> dict[str, Any]:
        walls: list[dict[str, Any]] = self._simulation.wall_list()
        # A wall that a stage has added may have the name of one that was removed.
        found = [wall for wall in walls if wall["name"] == self.name]
        if not found:
            raise KeyError(self.name)
        return found[-1]

    def __repr__(self) -> str:
        return f"<esker.Wall {self.name}>"

    @property
    def force(self) -> Vectors:
        """Force of the particles on it [N]."""
        return self._now()["force"]  # type: ignore[no-any-return]

    @property
    def torque(self) -> Vectors:
        """Torque of the particles on it, about the centre of its pose [N m]."""
        return self._now()["torque"]  # type: ignore[no-any-return]

    @property
    def position(self) -> Vectors:
        """How far it has moved since the start [m]."""
        return self._now()["position"]  # type: ignore[no-any-return]

    @property
    def rotation(self) -> Vectors:
        """How it has rotated since the start: a unit quaternion (x, y, z, w)."""
        return self._now()["rotation"]  # type: ignore[no-any-return]

    @property
    def velocity(self) -> Vectors:
        """Its velocity [m/s]."""
        return self._now()["velocity"]  # type: ignore[no-any-return]

    @property
    def spin(self) -> Vectors:
        """Its spin [rad/s]."""
        return self._now()["spin"]  # type: ignore[no-any-return]

    @property
    def work(self) -> float:
        """Work that it has done on the particles [J]; needs the ledger."""
        return self._now()["work"]  # type: ignore[no-any-return]

    @property
    def present(self) -> bool:
        """Whether it is there: stages add and remove walls."""
        return self._now()["present"]  # type: ignore[no-any-return]

    def set_motion(self, motion: Any) -> None:
        """Gives it another motion from now on, as `motion` of a wall in a scene: `{"velocity": [0, 0, 1]}`,
        `{"rotation": {...}}`, a list of several, or `"still"`."""
        self._simulation.set_between_steps(self.name, motion)


class Walls(Mapping[str, Wall]):
    """The walls of a simulation by name."""

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation

    def _names(self) -> list[str]:
        return list(dict.fromkeys(wall["name"] for wall in self._simulation.wall_list()))

    def __getitem__(self, name: str) -> Wall:
        names = self._names()
        if name not in names:
            raise KeyError(f"there is no wall {name!r}; walls: {', '.join(names)}")
        return Wall(self._simulation, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __repr__(self) -> str:
        return f"<esker.Walls: {', '.join(self._names())}>"


class Callback:
    """A function that is called during a run. `cancel` removes it."""

    def __init__(
        self,
        simulation: "Simulation",
        function: Callable[["Simulation"], object],
        seconds: float | None,
        steps: int | None,
    ) -> None:
        # A strong reference would be a cycle, and a dropped simulation would wait for the collector.
        self._simulation = weakref.ref(simulation)
        self.function = function
        self._seconds = seconds
        self._steps = steps
        self._next = 0.0
        self.skip(simulation.time, simulation.dt, simulation.steps)

    def skip(self, time: float, dt: float, steps: int) -> None:
        """Waits for the next multiple of the interval after this moment."""
        if self._seconds is not None:
            reached = math.floor((time + _TIME_TOLERANCE * dt) / self._seconds)
            self._next = (reached + 1) * self._seconds
        elif self._steps is not None:
            self._next = (steps // self._steps + 1) * self._steps

    @property
    def next_time(self) -> float:
        """When it is called next [s]; infinite if it counts steps."""
        return self._next if self._seconds is not None else math.inf

    @property
    def next_step(self) -> float:
        """At which step it is called next; infinite if it waits for a time."""
        return self._next if self._steps is not None else math.inf

    def cancel(self) -> None:
        """It is not called again."""
        simulation = self._simulation()
        if simulation is not None and self in simulation._callbacks:
            simulation._callbacks.remove(self)


class Simulation(_native.Simulation):
    """A scene in motion, made by `Scene.build`.

    Steps release the interpreter lock, and Ctrl-C takes effect after a complete step: the simulation can
    go on with the same bits. Several threads may use it, one after the other.
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
                now, tolerance = self.time, _TIME_TOLERANCE * self.dt
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
            if time >= call.next_time - _TIME_TOLERANCE * dt or steps >= call.next_step
        ]
        for call in due:
            call.skip(time, dt, steps)
            call.function(self)

    def every(self, seconds: float, function: Callable[["Simulation"], object]) -> Callback:
        """Calls `function(sim)` at the first step at or after each multiple of `seconds` (simulated). It may
        read and change the simulation; an exception ends the run at that step and is passed on."""
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
        """The scene that it was built from."""
        return Scene._of(*self.scene_parts())

    def contacts(self) -> Table:
        """All contacts in order of their partners. Forces act on the first partner; `second` is the id of
        the other particle, or -1; `wall` the index of the wall in `sim.walls`, or -1."""
        return Table(self.contact_columns(), title="contacts")

    def measure(self, name: str, /, **options: Any) -> dict[str, float]:
        """Any measure of the present state by its name and options, as in `outputs.measure` of a scene:
        `sim.measure("coordination", particles="grains")`. A number that does not exist is nan. Measures
        that compare with the last time they were taken remember it for each set of options."""
        columns = self.measure_now(name, options)
        return {name: math.nan if value is None else value for name, _, value in columns}

    # Changing

    def add_field(self, name: str, force: Callable[[Bodies, float], Force]) -> None:
        """Adds a force: `force(bodies, time)` returns an array of shape (n, 3) [N] for all free particles in
        order of id, or a pair of forces and torques. It is called once for each evaluation of the forces, on
        the calling thread, so that the number of threads does not change a bit. It must depend on its
        arguments alone. A field of the same name is replaced."""
        self.add_python_field(name, force)

    # Saving

    def save(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """The state, from which a simulation of the same scene goes on with the same bits; also written to a
        file if `path` is given. Such a file is a checkpoint: a scene can start from it."""
        state = self.state()
        if path is not None:
            with open(path, "wb") as file:
                file.write(state)
        return state

    def restore(self, state: bytes | str | os.PathLike[str]) -> None:
        """Goes to a saved state: the bytes, or the path of a file."""
        if not isinstance(state, bytes):
            with open(state, "rb") as file:
                state = file.read()
        self.restore_state(state)

    def copy(self) -> Self:
        """An independent simulation in the same state, without its callbacks."""
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
        """A picture of the present state, drawn as in the report; a notebook displays it. Colours show
        `speed`, `radius` or `group`; `range` gives the ends of their scale."""
        options: dict[str, Any] = {}
        if up is not None:
            options["up"] = np.asarray(up, dtype=np.float64).tolist()
        if towards_camera is not None:
            options["back"] = np.asarray(towards_camera, dtype=np.float64).tolist()
        return Picture(*self.draw(color, width, height, range=range, **options))

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
