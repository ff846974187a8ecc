"""Frames of run folders, and the viewer in a notebook."""

import base64
import html
import json
import pickle
import re
import sys
import threading
import types
import urllib.request
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ball

import esker
from esker import _native
from esker._page import _in_notebook

STATE = ["position", "velocity", "spin", "orientation", "force", "torque", "radius", "mass", "charge"]


@pytest.fixture
def run(pile: esker.Scene) -> esker.Run:
    return pile.set({"outputs.frames.every": 0.01, "outputs.frames.contacts": True}).run("run")


def test_a_frame_holds_the_state_of_its_step_to_the_last_bit(run: esker.Run) -> None:
    assert len(run.frames) == len(run.frames.times) >= 5
    for frame in run.frames[1::2]:
        simulation = run.scene.build()
        simulation.step(frame.step)
        assert frame.time == simulation.time and frame.stage == simulation.stage
        assert frame.groups == simulation.groups and frame.materials == simulation.materials
        particles = simulation.particles
        assert (frame.id == particles.id).all() and (frame.group == particles.group).all()
        for name in STATE:
            assert getattr(frame, name).tobytes() == getattr(particles, name).tobytes(), name
        assert (frame.coordination == particles.coordination).all()
        assert frame.of("grains").all()


def test_a_frame_is_a_table_whose_columns_have_types(run: esker.Run) -> None:
    frame = run.frames[-1]
    assert frame.rows == 300 and frame.index == len(run.frames) - 1
    assert frame["id"].dtype == np.int64 and frame["image"].dtype == np.int32
    assert frame["position"].shape == (300, 3) and frame["orientation"].shape == (300, 4)
    assert np.allclose(np.linalg.norm(frame.orientation, axis=1), 1, atol=1e-12)
    assert "position_x" in frame.pandas().columns and frame.units["velocity"] == "m/s"
    assert set(frame) == set(frame.columns) and len(frame) == len(frame.columns)
    again = pickle.loads(pickle.dumps(frame))
    assert (again.position == frame.position).all()
    with pytest.raises(KeyError, match="did you mean 'velocity'"):
        frame["velocty"]
    with pytest.raises(IndexError, match="there is no frame 99"):
        run.frames[99]


def test_contacts_and_walls_of_a_frame(run: esker.Run) -> None:
    frame = run.frames[-1]
    simulation = run.scene.build()
    simulation.step(frame.step)
    contacts, expected = frame.contacts, simulation.contacts()
    assert contacts.rows == expected.rows > 0
    for name in ["first", "second", "wall", "overlap", "normal", "sliding", "first_position"]:
        assert (contacts[name] == expected[name]).all(), name
    floor = frame.walls["floor"]
    assert floor.shape[1:] == (3, 3) and (floor[..., 2] == 0).all()
    without = run.scene.set({"outputs.frames.contacts": False, "stages[1].end.after": 1e-3}).run("without")
    with pytest.raises(ValueError, match=r"outputs\.frames\.contacts"):
        without.frames[0].contacts


def test_all_frames_are_one_long_table(run: esker.Run) -> None:
    table = run.frames.table()
    assert table.columns == ("frame", "time", "id", "group", "radius", "position", "velocity")
    assert table.rows == 300 * len(run.frames)
    assert (np.unique(table["time"]) == run.frames.times).all()
    some = run.frames[::2].table(["id", "force"])
    assert set(some["frame"]) == set(range(0, len(run.frames), 2))
    third = some["frame"] == 2
    assert (some["force"][third] == run.frames[2].force).all()
    pytest.importorskip("pandas")
    frame = table.pandas()
    assert frame.groupby("time")["position_z"].mean().is_monotonic_decreasing


def test_a_run_without_frames_says_so(pile: esker.Scene) -> None:
    run = pile.run("light", light=True)
    assert len(run.frames) == 0 and run.frames.table().rows == 0
    with pytest.raises(ValueError, match="has no frames"):
        run.page()


def test_a_damaged_frame_is_an_error_and_no_crash(run: esker.Run) -> None:
    path = run.frames.files[1]
    whole = path.read_bytes()
    for length in [0, 10, 500, len(whole) // 2, len(whole) - 40]:
        path.write_bytes(whole[:length])
        with pytest.raises(esker.OutputError, match=r"particles_000001\.vtp"):
            run.frames[1].pandas()


def srcdoc(shown: str) -> str:
    found = re.search(r'<iframe sandbox="allow-scripts allow-downloads"[^>]* srcdoc="([^"]*)"></iframe>', shown)
    assert found is not None
    return html.unescape(found[1])


def data(page: esker.Page) -> bytes:
    """What the page holds beside the viewer."""
    found = re.findall(r'<script type="text/plain" id="data"[^>]*>([^<]*)</script>', page.html)
    assert len(found) == 1
    return zlib.decompress(base64.b64decode(found[0]))


def test_show_embeds_the_viewer_with_its_data(run: esker.Run, pile: esker.Scene) -> None:
    simulation = pile.build()
    simulation.step(10)
    pages = [run.page(), simulation.page(), pile.page(), run.page(frames=2), simulation.page(["radius"])]
    for page in pages:
        assert srcdoc(page._repr_html_()) == page.html
        assert b'"title":"Collapse of a pile"' in data(page)
        # It sends no request, so that it works in a saved notebook: nothing is loaded from an address.
        assert "default-src 'none'" in page.html and not re.search(r'(src|href)="https?:', page.html)
    assert len(pages[0].html) > len(pages[3].html)
    pages[0].save("page.html")
    assert Path("page.html").read_text(encoding="utf-8") == pages[0].html
    endless = ball()
    endless.add_particles("ball", material="glass", position=[[0, 0, 0.1]], radius=0.01)
    assert b'"state":"scene"' in data(endless.page())


def test_show_displays_in_a_notebook_and_opens_a_browser_elsewhere(
    pile: esker.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    pile.show()
    assert len(opened) == 1 and opened[0].startswith("file://")
    displayed: list[Any] = []
    ipython, display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())  # type: ignore[attr-defined]
    display.display = displayed.append  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    assert _in_notebook()
    pile.show()
    pile.build().show()
    assert len(displayed) == 2 and len(opened) == 1


def test_a_frame_has_a_picture(run: esker.Run) -> None:
    pictures = {run.frames[-1].picture(color).png for color in ["speed", "group", "force.z"]}
    assert len(pictures) == 3 and all(png.startswith(b"\x89PNG") for png in pictures)
    with pytest.raises(ValueError, match="no quantity"):
        run.frames[0].picture("colour")


def ask(address: str, path: str) -> Any:
    host, token = address.split("#token=")
    request = urllib.request.Request(host + path, headers={"x-esker-token": token})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.loads(reply.read())


def test_a_page_follows_a_simulation_while_it_advances_and_changes_no_bit(
    pile: esker.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    simulation, twin = pile.build(), pile.build()
    simulation.show(live=True)
    (address,) = opened
    assert address.startswith("http://127.0.0.1:")
    info = ask(address, "api/0/run")
    assert info["live"] and info["title"] == "Collapse of a pile"
    seen: list[int] = []

    def follow() -> None:
        while not seen or seen[-1] < 400:
            last = seen[-1] if seen else 0
            seen.append(ask(address, f"api/0/next?frames=0&step={last}&contacts=0")["step"])

    thread = threading.Thread(target=follow)
    thread.start()
    while thread.is_alive() and simulation.steps < 100_000:
        simulation.step(50)
    thread.join()
    assert seen == sorted(seen) and seen[-1] >= 400
    twin.step(simulation.steps)
    assert (simulation.particles.position == twin.particles.position).all()


def test_a_run_folder_is_served(run: esker.Run) -> None:
    server = _native.serve_run(run.path)
    assert len(ask(server.address, "api/0/run")["times"]) == len(run.frames)
    server.close()
    with pytest.raises(OSError):
        ask(server.address, "api/0/run")
