"""Forces written in Python: see `Simulation.add_field`."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Bodies(NamedTuple):
    """The free particles, the arguments of a force, in order of id. The arrays are copies."""

    id: NDArray[np.int64]
    """Ids."""
    position: NDArray[np.float64]
    """Positions, shape (n, 3) [m]."""
    velocity: NDArray[np.float64]
    """Velocities, shape (n, 3) [m/s]."""
    spin: NDArray[np.float64]
    """Spins, shape (n, 3) [rad/s]."""
    radius: NDArray[np.float64]
    """Radii [m]."""
    mass: NDArray[np.float64]
    """Masses [kg]."""
    charge: NDArray[np.float64]
    """Charges [C]."""


Force = Any
"""Return value of a force: an array of forces of shape (n, 3) [N], or a pair of forces and torques [N m]."""
