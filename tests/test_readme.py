"""What the README shows is run here."""

import re
import runpy
from pathlib import Path

import plotly.graph_objects as go
import pytest

import svmlab

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMPARISON = (ROOT / "docs/comparison.md").read_text(encoding="utf-8")
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README + COMPARISON, re.S))
def test_every_python_block_runs(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {})


def test_every_linked_file_exists() -> None:
    for folder, text in ((ROOT, README), (ROOT / "docs", COMPARISON)):
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (folder / target).is_file(), target


def test_the_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {svmlab.__version__}\n" in citation
    assert "\nlicense: MIT\n" in citation
    assert 'license = "MIT"' in PROJECT


def test_the_commands_name_files_that_exist() -> None:
    for name in ("requirements.txt", "CONTRIBUTING.md", "app.py"):
        assert name in README
        assert (ROOT / name).is_file()


def test_the_layout_names_folders_that_exist() -> None:
    for name in re.findall(r"^\| `([^`]+)/`", README, re.M):
        assert (ROOT / name).is_dir(), name


@pytest.mark.parametrize("script", sorted((ROOT / "docs/gallery").glob("*.py")), ids=lambda path: path.stem)
def test_every_script_of_the_gallery_runs(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = runpy.run_path(str(script))
    assert capsys.readouterr().out
    assert script.name in README
    figures = [value for value in names.values() if isinstance(value, go.Figure)]
    assert ("plot" in names) == bool(figures), "a script that imports svmlab.plot shows a figure"
