"""Walls of a simulation."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._particles import Vectors

if TYPE_CHECKING:
    from ._simulation import Simulation


class Wall:
    """A wall of a simulation; its attributes are current values."""

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
        """Displacement since the start [m]."""
        return self._now()["position"]  # type: ignore[no-any-return]

    @property
    def rotation(self) -> Vectors:
        """Rotation since the start: a unit quaternion (x, y, z, w)."""
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
        """Work done on the particles [J]; needs the ledger."""
        return self._now()["work"]  # type: ignore[no-any-return]

    @property
    def present(self) -> bool:
        """True if it is present: stages add and remove walls."""
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
