"""Functions that are called during a run."""

import math
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._simulation import Simulation

# As in the engine: a step that ends this fraction of itself early has reached a time.
TIME_TOLERANCE = 1e-6


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
        """Sets the next time to the next multiple of the interval after the current time."""
        if self._seconds is not None:
            reached = math.floor((time + TIME_TOLERANCE * dt) / self._seconds)
            self._next = (reached + 1) * self._seconds
        elif self._steps is not None:
            self._next = (steps // self._steps + 1) * self._steps

    @property
    def next_time(self) -> float:
        """Time of the next call [s]; infinite if the interval is a number of steps."""
        return self._next if self._seconds is not None else math.inf

    @property
    def next_step(self) -> float:
        """Step of the next call; infinite if the interval is a time."""
        return self._next if self._steps is not None else math.inf

    def cancel(self) -> None:
        """Removes the function."""
        simulation = self._simulation()
        if simulation is not None and self in simulation._callbacks:
            simulation._callbacks.remove(self)
