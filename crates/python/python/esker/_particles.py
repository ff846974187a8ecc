"""Quantities of particles as arrays, of a simulation and of a frame."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._table import Table

if TYPE_CHECKING:
    from ._simulation import Simulation

Vectors = NDArray[np.float64]

# Quantities that `in_place` writes, and quantities with a setter.
_WRITTEN = ("position", "velocity", "spin", "orientation")
_SET = ("radius", "mass", "charge")


class ParticleArrays:
    """Quantities of particles by name, each an array in order of id."""

    def _column(self, name: str) -> Any:
        raise NotImplementedError

    @property
    def groups(self) -> list[str]:
        """Names of the groups."""
        raise NotImplementedError

    @property
    def materials(self) -> list[str]:
        """Names of the materials."""
        raise NotImplementedError

    @property
    def id(self) -> NDArray[np.int64]:
        """Ids, increasing; an id is never reused."""
        return self._column("id")  # type: ignore[no-any-return]

    @property
    def group(self) -> NDArray[np.uint16]:
        """Index of the group in `groups`."""
        return self._column("group")  # type: ignore[no-any-return]

    @property
    def material(self) -> NDArray[np.uint16]:
        """Index of the material in `materials`."""
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
        """Mask of the particles of a group, for the other arrays."""
        groups = self.groups
        if group not in groups:
            raise KeyError(f"there is no group {group!r}; groups: {', '.join(groups)}")
        return np.equal(self.group, groups.index(group))


class Particles(ParticleArrays):
    """The particles of a simulation as arrays in order of id.

    Each attribute is a new array with the values of this moment, which the caller may keep and change.
    `Simulation.in_place` gives views without a copy, which can be written. Radius, mass and charge have methods
    instead, since other numbers follow from them.
    """

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation

    def __setattr__(self, name: str, value: object) -> None:
        if name in _SET:
            raise AttributeError(f"`{name}` is set by `sim.particles.set_{name}(values, id)`")
        if isinstance(getattr(type(self), name, None), property):
            raise AttributeError(
                f"`sim.particles.{name}` is a copy; write `{name}` in `with sim.in_place(write=True) as p:`"
                if name in _WRITTEN
                else f"`{name}` of particles cannot be set"
            )
        super().__setattr__(name, value)

    def __len__(self) -> int:
        return self._simulation.particle_count()

    def __repr__(self) -> str:
        return f"<esker.Particles: {len(self)} in {', '.join(self.groups)}>"

    def _column(self, name: str) -> Any:
        return self._simulation.column(name)

    @property
    def groups(self) -> list[str]:
        """Names of the groups."""
        return self._simulation.groups

    @property
    def materials(self) -> list[str]:
        """Names of the materials."""
        return self._simulation.materials

    @property
    def unwrapped_position(self) -> Vectors:
        """Unwrapped positions across periodic boundaries, shape (n, 3) [m]."""
        domain = self._simulation.domain
        period = np.subtract(domain.max, domain.min)
        return self.position + self.image * np.where(domain.periodic, period, 0.0)

    def set_radius(self, radius: ArrayLike, id: ArrayLike | None = None) -> None:
        """Sets radii [m]: one number or one for each `id`, of all particles in order of id if no ids are given. The
        density stays the same: the mass is scaled by the cube of the ratio of the radii, and the moment of inertia is
        2/5 m r². Velocities and spins stay the same."""
        self._simulation.set_values("radius", radius, id)

    def set_mass(self, mass: ArrayLike, id: ArrayLike | None = None) -> None:
        """Sets masses [kg], as `set_radius`. The moment of inertia is that of a full sphere of this mass, 2/5 m r².
        Fixed particles are refused: their mass is infinite."""
        self._simulation.set_values("mass", mass, id)

    def set_charge(self, charge: ArrayLike, id: ArrayLike | None = None) -> None:
        """Sets charges [C], as `set_radius`."""
        self._simulation.set_values("charge", charge, id)

    def table(self) -> Table:
        """All columns as one table."""
        names = (
            "id group material radius mass charge position velocity spin orientation force torque"
        )
        return Table({name: self._column(name) for name in names.split()}, title="particles")
