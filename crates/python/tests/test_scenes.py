"""Scenes from files, names, text, dicts and keywords."""

import copy
import pickle
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, ball

import esker

SCENES = sorted((ROOT / "scenes").glob("*.toml"))
BAD = sorted((ROOT / "crates/scene/tests/bad").glob("*.diff"))


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_every_scene_of_the_project_builds_and_makes_steps(path: Path) -> None:
    simulation = esker.Scene.open(path).build()
    simulation.step(3)
    assert simulation.steps == 3
    assert np.isfinite(simulation.particles.position).all()


def changed(base: str, hunks: str) -> str:
    """Applies the differences of a bad scene to its base, as `crates/scene/tests/scenes.rs` does."""
    rest, text = base.split("\n"), []
    for hunk in hunks.split("@@\n"):
        lines = [(line[:1], line[1:]) for line in hunk.splitlines()]
        old = [line for kind, line in lines if kind in " -"]
        new = [line for kind, line in lines if kind in " +"]
        if hunk.startswith("^"):
            at = 0
        else:
            at = next(i for i in range(len(rest)) if rest[i : i + len(old)] == old)
        text += [*rest[:at], *new]
        rest = rest[at + len(old) :]
    return "\n".join([*text, *rest])


def test_every_bad_scene_raises_its_expected_text() -> None:
    assert len(BAD) >= 100
    for path in BAD:
        differences, expected = path.read_text(encoding="utf-8").split("====\n", 1)
        base = "base.toml"
        if differences.startswith("base "):
            base, differences = differences.removeprefix("base ").split("\n", 1)
        text = changed((path.parent / base).read_text(encoding="utf-8"), differences)
        with pytest.raises(esker.SceneError) as raised:
            esker.Scene._of(f"{path.stem}.toml", text, path.parent, path.stem).build()
        assert str(raised.value) == expected.rstrip(), path.name
        problems = raised.value.problems
        assert problems and all(problem.message in expected for problem in problems), path.name


def test_a_problem_has_its_path_line_and_suggestion() -> None:
    text = 'format = 1\nmaterials.a = { density = 1 }\n[[walls]]\nname = "w"\nmaterial = "b"\n'
    with pytest.raises(esker.SceneError) as raised:
        esker.Scene.open(text).build()
    problem = next(one for one in raised.value.problems if "unknown material" in one.message)
    assert (problem.path, problem.line, problem.column) == ("walls[0].material", 5, 12)
    assert problem.severity == "error" and problem.help is not None
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and again.problems == raised.value.problems


def final(run: esker.Run) -> bytes:
    return (run.path / "final.csv").read_bytes()


def test_a_dict_gives_the_same_bytes_as_its_file(pile: esker.Scene) -> None:
    Path("pile.toml").write_text(pile.toml())
    tables: dict[str, Any] = tomllib.loads(pile.toml())
    runs = [
        esker.run("pile.toml", out="file"),
        esker.run(tables, out="dict"),
        esker.Scene(**{key: value for key, value in tables.items()}).run("keywords"),
        esker.run(pile.toml(), out="text"),
        esker.run(pile, out="object"),
    ]
    for name in ["final.csv", "energy.csv", "walls.csv", "probes/heap.csv"]:
        contents = {(run.path / name).read_bytes() for run in runs}
        assert len(contents) == 1, name


def test_numpy_values_and_paths_are_values_of_a_scene() -> None:
    scene = ball(gravity=np.array([0, 0, -1.5]), seed=np.int64(7), time={"step": np.float64(1e-5)})
    simulation = scene.build()
    assert simulation.gravity.tolist() == [0, 0, -1.5] and simulation.dt == 1e-5
    table = tomllib.loads(esker.Scene(a={"b": Path("x") / "y", "c": None, "d": (1, 2.5)}).toml())
    assert table["a"] == {"b": str(Path("x/y")), "d": [1, 2.5]}


@pytest.mark.parametrize("value", [object(), {1: 2}, 1 << 80, [lambda: 0]])
def test_a_value_that_no_scene_has_is_refused(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        esker.Scene(gravity=value)


def test_floats_of_a_dict_read_back_to_the_last_bit() -> None:
    values = [0.1, 1e-300, 1e300, 5e-324, -0.0, 1 / 3, 2.0**53 + 2, 1e16, 123456789.123456789]
    table = tomllib.loads(esker.Scene(x=values).toml())
    assert [v.hex() for v in table["x"]] == [v.hex() for v in values]


def test_set_returns_another_scene_and_names_a_misspelt_key(pile: esker.Scene) -> None:
    faster = pile.set({"gravity": [0, 0, -20.0]})
    assert "-20" in faster.toml() and "-20" not in pile.toml()
    with pytest.raises(esker.SceneError, match="did you mean `step`"):
        pile.set({"time.stp": 1e-6}).build()


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(FileNotFoundError, match="did you mean `pile`"):
        esker.Scene.open("pil")


def test_copies_of_a_scene_are_equal(pile: esker.Scene) -> None:
    pile.add_particles("more", material="grain", position=[[0, 0, 1.5]], radius=0.01)
    for twin in [copy.copy(pile), copy.deepcopy(pile), pickle.loads(pickle.dumps(pile))]:
        assert twin.toml() == pile.toml()
        one, other = twin.build(), pile.build()
        assert (one.particles.position == other.particles.position).all()


def test_particles_from_arrays_are_where_they_were_put() -> None:
    random = np.random.default_rng(1)
    position = np.stack(np.meshgrid(*[np.arange(4) * 0.1] * 3), -1).reshape(-1, 3) - [0.2, 0.2, -0.2]
    radius = random.uniform(0.01, 0.04, len(position))
    velocity = random.normal(size=position.shape)
    spin = random.normal(size=position.shape)
    orientation = random.normal(size=(len(position), 4))
    orientation /= np.linalg.norm(orientation, axis=1)[:, None]
    scene = ball()
    scene.add_particles(
        "balls",
        material="glass",
        position=position,
        radius=radius,
        velocity=velocity,
        spin=spin,
        orientation=orientation,
    )
    particles = scene.build().particles
    assert (particles.position == position).all() and (particles.radius == radius).all()
    assert (particles.velocity == velocity).all() and (particles.spin == spin).all()
    assert np.allclose(particles.orientation, orientation, atol=1e-15)
    assert particles.of("balls").all()
    # 4/3 π r³ ρ
    assert np.allclose(particles.mass, 4 / 3 * np.pi * radius**3 * 2500, rtol=1e-14)


def test_wrong_arrays_are_refused_with_their_name() -> None:
    scene = ball()
    with pytest.raises(ValueError, match="position"):
        scene.add_particles("a", material="glass", position=[1, 2, 3], radius=1)
    with pytest.raises(ValueError, match="`radius` has 2 entries for 1 particles"):
        scene.add_particles("a", material="glass", position=[[0, 0, 0]], radius=[1, 2])
    with pytest.raises(ValueError, match="not finite"):
        scene.add_particles("a", material="glass", position=[[0, 0, np.nan]], radius=1)
    with pytest.raises(ValueError, match="not positive"):
        scene.add_particles("a", material="glass", position=[[0, 0, 0]], radius=-1)
    with pytest.raises(esker.SceneError, match="unknown material `glas`"):
        scene.add_particles("a", material="glas", position=[[0, 0, 0.1]], radius=0.01)
        scene.build()


def test_check_gives_the_text_of_the_program(pile: esker.Scene, program: str) -> None:
    import subprocess

    Path("a.toml").write_text(pile.toml())
    shown = subprocess.run([program, "check", "a.toml"], capture_output=True, text=True).stdout
    ours = esker.Scene.open("a.toml").check().text
    # The last line is the measured run time.
    assert ours.splitlines()[:-1] == shown.splitlines()[:-1]
