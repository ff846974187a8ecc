"""Representations in notebooks."""

import base64
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._run import Run
    from ._scene import Scene
    from ._simulation import Simulation
    from ._table import Table

_MOST_ROWS = 20


def preformatted(text: str) -> str:
    """Preformatted text."""
    return f"<pre>{escape(text)}</pre>"


def _pairs(rows: list[tuple[str, Any]]) -> str:
    cells = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{escape(str(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table>{cells}</table>"


def image(png: bytes, caption: str) -> str:
    """A picture with its caption."""
    data = base64.b64encode(png).decode("ascii")
    text = escape(caption)
    return f"<figure><img src='data:image/png;base64,{data}' alt='{text}'><figcaption>{text}</figcaption></figure>"


def scene_html(scene: "Scene") -> str:
    """Derived quantities of the scene, or its errors."""
    from .errors import EskerError

    try:
        warnings, text = scene.describe(False)
    except EskerError as error:
        return preformatted(str(error))
    return preformatted("".join(f"warning: {warning}\n" for warning in warnings) + text)


def simulation_html(simulation: "Simulation") -> str:
    """The state and a picture."""
    counts, energy = simulation.counts, simulation.energy
    rows: list[tuple[str, Any]] = [
        ("time", f"{simulation.time:.6g} s"),
        ("steps", f"{simulation.steps} of {simulation.dt:.4g} s"),
        ("stage", simulation.stage or "none"),
        ("particles", counts.present),
        ("kinetic energy", f"{energy.kinetic:.4g} J"),
    ]
    picture = simulation.picture(width=600, height=400)
    return _pairs(rows) + image(picture.png, picture.caption)


def run_html(run: "Run") -> str:
    """The summary, and the last picture of the report."""
    summary = run._summary()
    rows: list[tuple[str, Any]] = [("folder", run.path), ("ended", summary.get("ended", "not yet"))]
    if summary:
        rows += [
            ("simulated", f"{summary['time']:.6g} s in {summary['steps']} steps"),
            ("particles", summary["particles"]["present"]),
            ("computing", f"{summary['wall_time']:.1f} s"),
        ]
        rows += [(name, f"{value:.6g}") for name, value in run.measured.items()][:_MOST_ROWS]
        rows += [("warning", warning) for warning in run.warnings]
    return _pairs(rows) + _last_picture(run)


def _last_picture(run: "Run") -> str:
    import re

    try:
        page = run.report.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    found = re.findall(r'data:image/png;base64,([A-Za-z0-9+/=]+)', page)
    return f"<img src='data:image/png;base64,{found[-1]}' alt='the end of the run'>" if found else ""


def table_html(table: "Table") -> str:
    """The first rows."""
    columns = table.flat()
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_cell(column[row])}</td>" for column in columns.values()) + "</tr>"
        for row in range(min(table.rows, _MOST_ROWS))
    )
    more = table.rows - _MOST_ROWS
    note = f"<p>and {more} more rows</p>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{note}"


def _cell(value: Any) -> str:
    return escape(f"{value:.6g}" if isinstance(value, float) else str(value))
