"""Progress of runs: by tqdm if it is installed, else one line each second."""

import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

Progress = bool | Callable[[float | None, float, int], object]
"""True, False, or a function of the fraction that is done (None if it is not known), the time [s] and the
number of steps."""


class Reporter(Protocol):
    """Receives the progress of a run."""

    def update(self, fraction: float | None, now: float, steps: int) -> None:
        """Tells it."""

    def close(self) -> None:
        """At the end."""


class _Call:
    def __init__(self, function: Callable[[float | None, float, int], object]) -> None:
        self._function = function

    def update(self, fraction: float | None, now: float, steps: int) -> None:
        self._function(fraction, now, steps)

    def close(self) -> None:
        pass


class _Lines:
    """One line each second."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def update(self, fraction: float | None, now: float, steps: int) -> None:
        if time.monotonic() - self._last >= 1.0:
            self._last = time.monotonic()
            done = "" if fraction is None else f"{100 * fraction:.0f} %, "
            print(f"{done}t = {now:.4f} s, {steps} steps", file=sys.stderr, flush=True)

    def close(self) -> None:
        pass


class _Bar:
    """A bar of tqdm."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def update(self, fraction: float | None, now: float, steps: int) -> None:
        if fraction is not None:
            self._bar.n = round(100 * min(fraction, 1.0), 1)
        self._bar.set_postfix_str(f"t = {now:.4f} s, {steps} steps")

    def close(self) -> None:
        self._bar.close()


def reporter(progress: Progress, title: str = "") -> Reporter | None:
    """The progress display; None if it is disabled."""
    if callable(progress):
        return _Call(progress)
    if not progress:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines()
    return _Bar(tqdm(total=100, unit="%", desc=title, leave=True))
