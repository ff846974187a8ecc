"""What can go wrong.

`SceneError` is a wrong input, `UnphysicalError` a run that has become unphysical, `OutputError` a file or
folder that cannot be used. All of them are `EskerError`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class EskerError(Exception):
    """Any error of Esker."""


class Problem(NamedTuple):
    """A problem of a scene with its location."""

    severity: str
    """`error` or `warning`."""
    message: str
    """The problem."""
    label: str
    """The content found there."""
    help: str | None
    """The expected content."""
    path: str
    """Path of the key, such as `walls[2].material`; empty if it concerns the whole text."""
    file: str
    """Name of the file, or `command line` for an override."""
    line: int | None
    """Line, counted from 1."""
    column: int | None
    """Column, counted from 1."""


class SceneError(EskerError, ValueError):
    """A scene that cannot be used. The text names every problem with its line and a suggestion."""

    problems: tuple[Problem, ...]
    """The problems, for programs."""

    def __init__(self, message: str, problems: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(Problem(**problem) for problem in problems)

    def __reduce__(self) -> tuple[Any, ...]:
        return SceneError, (self.args[0], [problem._asdict() for problem in self.problems])


class UnphysicalError(EskerError, RuntimeError):
    """A simulation that was stopped: a value that is not finite, an overlap beyond the limit, a particle
    outside the domain. The simulation stays readable."""

    cause: str
    """What happened."""
    diagnosis: str
    """The likely cause, in a few words."""
    step: int
    """The step that failed."""
    time: float
    """Time at the end of that step [s]."""
    particle: int
    """Id of the particle."""
    position: list[float]
    """Its position [m]."""
    velocity: list[float]
    """Its velocity [m/s]."""
    partner: str | None
    """The other body, such as `particle 12`."""
    advice: str
    """The likely cause and a remedy."""
    folder: str | None
    """The run folder, if there is one: it holds the last frame and `postmortem.json`."""

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self._details = details
        for name, value in details.items():
            setattr(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unphysical, (self.args[0], self._details)


def _unphysical(message: str, details: dict[str, Any]) -> UnphysicalError:
    return UnphysicalError(message, **details)


class OutputError(EskerError, OSError):
    """A file or folder that cannot be read or written."""

    def __init__(self, message: str, errno: int | None = None) -> None:
        super().__init__(message)
        self.errno = errno

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.errno)


class FolderInUseError(OutputError):
    """Another run writes into the folder."""
