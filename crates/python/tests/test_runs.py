"""Run folders, sweeps, and the program."""

import json
import logging
import math
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import ball

import esker

CHANGING = ["wall_time", "processor_time", "particle_steps_per_second", "version"]


def tree(folder: Path) -> dict[str, bytes]:
    """All files of a run folder by name, without clocks."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_dir() or name.endswith(".esk") or name == "report.html":
            continue
        data = path.read_bytes()
        if name == "summary.json":
            summary = json.loads(data)
            data = json.dumps({k: v for k, v in summary.items() if k not in CHANGING}).encode()
        found[name] = data
    return found


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_python_and_the_program_write_the_same_bytes(
    pile: esker.Scene, program: str, threads: int
) -> None:
    Path("pile.toml").write_text(pile.toml())
    command = [program, "run", "pile.toml", "--quiet", "--out", "theirs", "--threads", str(threads)]
    subprocess.run(command, check=True, capture_output=True)
    run = esker.run("pile.toml", out="ours", threads=threads)
    ours, theirs = tree(run.path), tree(Path("theirs"))
    assert ours.keys() == theirs.keys()
    for name in ours:
        assert ours[name] == theirs[name], name


def test_a_run_folder_is_an_object(pile: esker.Scene) -> None:
    run = pile.run()
    assert run.path == Path("runs/pile") and run.finished and run.failure is None
    assert run.summary["particles"]["present"] == 300
    assert pile.run().path == Path("runs/pile-2")
    energy = run.energy
    assert energy.rows > 5 and energy["time"][0] == 0
    assert energy["kinetic"][-1] == run.summary["energy"]["kinetic"]
    assert set(run.probes) == {"heap"} and run.probes["heap"].units["max_height"] == "m"
    assert set(run.measures) == {"angle_of_repose"}
    assert run.measures["angle_of_repose"].units["angle"] == "°"
    angle = run.measured["angle_of_repose.angle"]
    assert angle == run.measures["angle_of_repose"]["angle"][-1] or math.isnan(angle)
    final = run.final
    assert (final["id"] == np.arange(300)).all() and final["group"][0] == "grains"
    assert run.report.is_file()
    assert "300" in run._repr_html_() and "<img" in run._repr_html_()
    again = pickle.loads(pickle.dumps(run))
    assert again.path == run.path and repr(run) == "<esker.Run runs/pile: finished>"
    with pytest.raises(esker.OutputError, match="no `events.csv`"):
        run.events  # noqa: B018
    with pytest.raises(KeyError, match="heap"):
        run.probes["hep"]
    with pytest.raises(KeyError, match="did you mean 'kinetic'"):
        energy["kinetik"]
    with pytest.raises(esker.OutputError, match="no run folder"):
        esker.open_run("elsewhere")


def test_tables_are_mappings_and_data_frames(pile: esker.Scene) -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    run = pile.run()
    frame = run.energy.pandas()
    assert list(frame.columns) == list(run.energy.columns)
    assert frame.equals(pandas.DataFrame(dict(run.energy)))
    assert run.energy.polars().equals(polars.DataFrame(dict(run.energy)))
    contacts = pile.build().contacts().pandas()
    assert "force_x" in contacts.columns


def test_ctrl_c_in_a_run_saves_it_and_the_resumed_run_writes_the_same_bytes(
    pile: esker.Scene,
) -> None:
    whole = pile.run("whole")

    def interrupt(sim: esker.Simulation) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pile.run("parts", every=(0.03, interrupt))
    parts = esker.open_run("parts")
    assert not parts.finished and parts.summary["ended"] == "interrupted"
    parts = pile.run("parts", resume=True)
    ours, theirs = tree(parts.path), tree(whole.path)
    ours.pop("summary.json"), theirs.pop("summary.json")
    assert ours == theirs


def test_a_running_simulation_can_be_read_in_a_callback_and_not_changed(pile: esker.Scene) -> None:
    heights = []

    def look(sim: esker.Simulation) -> None:
        heights.append(sim.particles.position[:, 2].mean())
        with sim.in_place() as view:
            heights.append(view.position[:, 2].mean())
        with pytest.raises(RuntimeError, match="run folder"):
            sim.gravity = [0, 0, 0]
        with pytest.raises(RuntimeError, match="run folder"):
            sim.in_place(write=True).__enter__()

    run = pile.run("watched", every=(0.01, look))
    assert len(heights) == 2 * math.floor(run.summary["time"] / 0.01) > 5
    plain = pile.run("plain")
    assert tree(run.path) == tree(plain.path)


def test_a_folder_with_a_run_is_refused_resumed_or_replaced(pile: esker.Scene) -> None:
    pile.run("here")
    with pytest.raises(esker.OutputError, match="resume=True"):
        pile.run("here")
    assert isinstance(pytest.raises(OSError, pile.run, "here").value, esker.EskerError)
    pile.run("here", force=True)
    with pytest.raises(esker.OutputError, match="another scene"):
        pile.set({"seed": 5}).run("here", resume=True)


def test_two_simulations_writing_one_folder_get_an_error(pile: esker.Scene) -> None:
    def second(sim: esker.Simulation) -> None:
        pile.run("here", force=True)

    with pytest.raises(esker.FolderInUseError, match=f"process {os.getpid()}"):
        pile.run("here", every=(0.01, second))


def test_an_unphysical_run_leaves_its_folder(pile: esker.Scene) -> None:
    scene = ball(stages=[{"name": "s", "end": {"after": 1.0}}])
    scene.add_particles("b", material="glass", position=[[0, 0, 0.5]], radius=0.01, velocity=[[9, 0, 0]])
    with pytest.raises(esker.UnphysicalError) as raised:
        scene.run("out")
    assert raised.value.folder == "out" and raised.value.particle == 0
    assert "domain" in raised.value.cause and raised.value.time == pytest.approx(1 / 9, rel=0.05)
    run = esker.open_run("out")
    assert run.failure and (run.path / "postmortem.json").is_file()
    again = pickle.loads(pickle.dumps(raised.value))
    assert again.particle == 0 and str(again) == str(raised.value)


def test_a_run_of_arrays_holds_them_and_the_program_resumes_it(program: str) -> None:
    scene = ball(stages=[{"name": "s", "end": {"after": 0.03}}], fields=[{"electric": [1e4, 0, 0]}])
    position = np.random.default_rng(2).uniform(-0.3, 0.3, (20, 3)) + [0, 0, 0.5]
    charge = np.linspace(-1e-10, 1e-10, 20)
    scene.add_particles("grains", material="glass", position=position, radius=0.004, charge=charge)
    whole = scene.run("whole")

    def interrupt(sim: esker.Simulation) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scene.run("parts", every=(0.01, interrupt))
    command = [program, "run", "parts/run.toml", "--resume", "--out", "parts", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert Path("parts/final.csv").read_bytes() == (whole.path / "final.csv").read_bytes()


def test_finished_runs_are_reused(pile: esker.Scene) -> None:
    run = esker.run(pile, out="fit/a", reuse=True, light=True)
    stamp = (run.path / "summary.json").stat().st_mtime_ns
    assert esker.run(pile, out="fit/a", reuse=True, light=True).measured == run.measured
    assert (run.path / "summary.json").stat().st_mtime_ns == stamp
    esker.run(pile.set({"seed": 9}), out="fit/a", reuse=True, light=True)
    assert (run.path / "summary.json").stat().st_mtime_ns != stamp
    assert not run.frames.times.size and not run.report.exists()


def test_a_sweep_writes_the_bytes_of_the_program(pile: esker.Scene, program: str) -> None:
    Path("pile.toml").write_text(pile.set({"particles[0].insert.count": 40}).toml())
    friction = "contact.pairs[*].friction"
    command = [program, "sweep", "pile.toml", "--vary", f"{friction}=0.1,0.5", "--out", "theirs"]
    subprocess.run([*command, "--quiet", "--jobs", "2"], check=True, capture_output=True)
    sweep = esker.sweep("pile.toml", {friction: [0.1, 0.5]}, out="ours", jobs=2)
    for name in ["results.csv", "effects.csv"]:
        theirs = Path("theirs") / name
        assert theirs.exists() == (sweep.path / name).exists()
        if theirs.exists():
            skip = ("wall_time", "processor_time")
            ours, other = esker.Table.read(sweep.path / name), esker.Table.read(theirs)
            assert ours.columns == other.columns
            for column in ours:
                if column not in skip:
                    assert (ours[column] == other[column]).all() or np.isnan(ours[column]).all()
    assert len(sweep.runs) == 2 and sweep.report.is_file() and not sweep.failed
    made = [(run.path / "summary.json").stat().st_mtime_ns for run in sweep.runs.values()]
    sweep = esker.sweep("pile.toml", {friction: [0.1, 0.5]}, out="ours", jobs=2)
    assert made == [(run.path / "summary.json").stat().st_mtime_ns for run in sweep.runs.values()]


def test_a_sweep_of_a_scene_with_arrays_gives_the_numbers_of_its_runs() -> None:
    measured = [{"kinetic_energy": {}, "name": "motion"}]
    scene = ball(stages=[{"name": "s", "end": {"after": 0.16}}], outputs={"measure": measured})
    charge = np.array([1e-12, 2e-12])
    position = [[0, 0, 0.05], [0.1, 0, 0.1]]
    scene.add_particles("balls", material="glass", position=position, radius=0.005, charge=charge)
    restitution = "contact.pairs[*].restitution"
    sweep = esker.sweep(scene, {restitution: [0.3, 0.9]}, jobs=2, collect=["motion.*"])
    results = sweep.results
    name = "measured.motion.total"
    for value, found in zip(results[restitution], results[name]):
        run = scene.set({restitution: value}).run(f"alone/{value}")
        assert run.measured["motion.total"] == found
    assert results[name][0] != results[name][1]
    kept = [(run.path / "summary.json").stat().st_mtime_ns for run in sweep.runs.values()]
    again = esker.sweep(scene, {restitution: [0.3, 0.9]}, jobs=2, collect=["motion.*"])
    assert kept == [(run.path / "summary.json").stat().st_mtime_ns for run in again.runs.values()]
    other = ball(stages=[{"name": "s", "end": {"after": 0.16}}], outputs={"measure": measured})
    other.add_particles("balls", material="glass", position=position, radius=0.005, charge=2 * charge)
    esker.sweep(other, {restitution: [0.3, 0.9]}, jobs=2, collect=["motion.*"])
    assert kept != [(run.path / "summary.json").stat().st_mtime_ns for run in again.runs.values()]


def test_a_sweep_samples_ranges(pile: esker.Scene) -> None:
    scene = pile.set({"particles[0].insert.count": 20, "stages[1].end.after": 0.01})
    ranges = {"contact.pairs[*].friction": (0.1, 0.9), "contact.pairs[*].damping_ratio": "0.1..0.5"}
    sweep = esker.sweep(scene, ranges, method="morris", samples=2, jobs=2)
    assert sweep.path == Path("sweeps/pile") and sweep.results.rows == 6
    assert sweep.effects.rows > 0
    with pytest.raises(ValueError, match="samples"):
        esker.sweep(scene, ranges, method="sobol", out="other")
    with pytest.raises(ValueError, match="method"):
        esker.sweep(scene, ranges, method="sobl", samples=2, out="other")


def test_warnings_go_to_the_logger(pile: esker.Scene, caplog: pytest.LogCaptureFixture) -> None:
    scene = pile.set({"health.step_limit": "warn", "time.step": 1e-3})
    with caplog.at_level(logging.WARNING, "esker"):
        scene.build()
    assert any("time step" in message for message in caplog.messages), caplog.messages


def test_progress_is_reported(pile: esker.Scene) -> None:
    seen: list[tuple[float | None, float, int]] = []
    pile.run("a", progress=lambda fraction, t, steps: seen.append((fraction, t, steps)))
    fractions = [fraction for fraction, _, _ in seen]
    assert fractions == sorted(fractions, key=lambda f: f or 0.0) and len(seen) >= 1
    simulation = pile.build()
    simulation.run(until=0.01, progress=True)


def test_progress_is_a_bar_of_tqdm_where_it_is_installed(
    pile: esker.Scene, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tqdm")
    pile.build().run(until=0.02, progress=True)
    shown = capsys.readouterr().err
    assert "%|" in shown and "steps" in shown and "t = 0.02" in shown
    # Without tqdm, a line each second.
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    clock = iter(range(0, 10_000, 2))
    monkeypatch.setattr("esker._progress.time.monotonic", lambda: float(next(clock)))
    pile.build().run(until=0.02, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert lines and all(" %, t = " in line for line in lines), lines


def interrupt_a_run(way: str, out: str) -> tuple[float, float]:
    """The seconds from Ctrl-C to the last step and to the exception."""
    scene = esker.Scene.open("pile", {"particles[0].insert.count": 500})
    sent = 0.0

    def interrupt() -> None:
        nonlocal sent
        sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)
    timer.start()
    last = 0.0

    def note(*progress: object) -> None:
        nonlocal last
        last = time.monotonic()

    with pytest.raises(KeyboardInterrupt):
        if way == "sweep":
            esker.sweep(scene, {"contact.pairs[*].friction": [0.1, 0.5]}, jobs=2, out=out, progress=note)
        else:
            scene.run(out, reuse=way == "reuse", progress=note)
    return last - sent, time.monotonic() - sent


@pytest.mark.parametrize("way", ["run", "reuse", "sweep"])
def test_ctrl_c_takes_effect_within_a_fifth_of_a_second_in_runs_and_sweeps(way: str) -> None:
    # A busy machine can only be slower: the best of five attempts counts.
    for attempt in range(5):
        out = f"attempt{attempt}"
        last, ended = interrupt_a_run(way, out)
        if way != "sweep":
            assert (Path(out) / "checkpoint.esk").is_file()
        # After the last step all outputs, the report and a checkpoint are written, as by the program.
        if last < 0.2 and ended < 5:
            return
    pytest.fail(f"{last} s to the last step, {ended} s to the end")


def test_another_process_that_writes_the_folder_is_an_error(pile: esker.Scene) -> None:
    code = (
        "import esker, sys\n"
        "scene = esker.Scene.open('pile')\n"
        "scene.run('here', every=(1e-3, lambda sim: (print('started', flush=True), sys.stdin.read())))\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], text=True, **pipes) as other:  # type: ignore[call-overload]
        assert other.stdout.readline() == "started\n"
        with pytest.raises(esker.FolderInUseError, match=f"process {other.pid}"):
            pile.run("here", force=True)
        other.kill()


def test_a_full_disk_or_a_folder_without_permission_is_an_error(pile: esker.Scene) -> None:
    Path("file").write_text("x")
    with pytest.raises(esker.OutputError) as raised:
        pile.run("file/inside")
    assert raised.value.errno is not None
    shutil.rmtree("runs", ignore_errors=True)
