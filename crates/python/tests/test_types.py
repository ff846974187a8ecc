"""Types of scenes, and of the examples."""

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT

from esker import _native

api = pytest.importorskip("mypy.api")
SCENES = sorted((ROOT / "scenes").glob("*.toml"))
PAGES = ["docs/python.md", "README.md", "crates/python/README.md"]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Types of NumPy and pandas are read once."""
    return str(tmp_path_factory.mktemp("types"))


def errors_of(cache: str, *files: str) -> list[str]:
    """What `mypy --strict` finds in files of the present folder."""
    text, problem, _ = api.run(["--strict", "--cache-dir", cache, *files])
    assert not problem, problem
    return [line for line in text.splitlines() if "error:" in line]


def test_the_types_of_tables_are_those_of_the_schema() -> None:
    path = ROOT / "crates/python/tools/tables.py"
    spec = importlib.util.spec_from_file_location("tables", path)
    assert spec is not None and spec.loader is not None
    tools = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tools)
    kept = tools.TARGET.read_text(encoding="utf-8")
    new = tools.generate(_native.schema())
    assert kept == new, f"run: cargo run -- schema | python3 {path.relative_to(ROOT)}"


def test_every_scene_of_the_project_has_the_types_of_a_scene(cache: str) -> None:
    # A literal with `**` is a dict to mypy: keywords are what it checks.
    for path in SCENES:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        keywords = ",\n    ".join(f"{key}={value!r}" for key, value in tables.items())
        Path(f"{path.stem}_scene.py").write_text(f"import esker\n\nscene = esker.Scene(\n    {keywords},\n)\n")
    assert len(SCENES) >= 10
    assert not errors_of(cache, *(f"{path.stem}_scene.py" for path in SCENES))


def test_a_misspelt_key_or_word_is_an_error_of_types(cache: str) -> None:
    Path("wrong.py").write_text(
        "import esker\n"
        "esker.Scene(\n"
        '    materials={"a": {"densty": 1, "young_modulus": 1e7, "poisson_ratio": 0.3}},\n'
        '    contact={"normal": "herz"},\n'
        '    gravity="down",\n'
        '    wals=[],\n'
        ")\n"
    )
    found = "\n".join(errors_of(cache, "wrong.py"))
    for part in ["densty", "herz", "gravity", "wals"]:
        assert part in found, found


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_the_page_has_types(page: str, cache: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    Path("blocks.py").write_text("\n".join(blocks))
    assert not errors_of(cache, "blocks.py")
