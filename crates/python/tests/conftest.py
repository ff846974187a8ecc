"""What the tests share."""

import os
import shutil
from pathlib import Path

import pytest

import esker

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs go to `runs` in the present folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def program() -> str:
    """The program `esker`, which must write the same bytes."""
    built = os.environ.get("ESKER_PROGRAM") or shutil.which("esker")
    path = Path(built) if built else ROOT / "target" / "release" / "esker"
    if not path.is_file():
        pytest.skip("the program is not built")
    return str(path)


@pytest.fixture
def pile() -> esker.Scene:
    """A pile of some hundred grains: 2000 steps or so."""
    return esker.Scene.open(
        "pile",
        {
            "particles[0].insert.count": 300,
            "stages[0].end.or_after": 0.02,
            "stages[1].end.after": 0.05,
        },
    )


def ball(**tables: object) -> esker.Scene:
    """A glass ball above a floor."""
    return esker.Scene(
        **{
            "gravity": [0, 0, -9.81],
            "materials": {"glass": {"density": 2500, "young_modulus": 5e7, "poisson_ratio": 0.24}},
            "contact": {
                "normal": "hertz",
                "damping": "hertz",
                "pairs": [{"between": ["glass", "glass"], "restitution": 0.8}],
            },
            "domain": {"min": [-1, -1, -1], "max": [1, 1, 1]},
            "walls": [
                {
                    "name": "floor",
                    "material": "glass",
                    "half-space": {"point": [0, 0, 0], "normal": [0, 0, 1]},
                }
            ],
            **tables,
        }
    )
