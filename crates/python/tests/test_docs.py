"""The pages and the README show programs that run."""

import re
from pathlib import Path

import pytest
from conftest import ROOT

PAGES = ["docs/python.md", "README.md", "crates/python/README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_the_page_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    names: dict[str, object] = {"__name__": "__main__"}
    for index, block in enumerate(blocks):
        exec(compile(block, f"{page}, block {index + 1}", "exec"), names)
    assert Path("runs").is_dir() or page != "docs/python.md"
