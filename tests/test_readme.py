"""What the README shows is run here."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README, re.S))
def test_every_python_block_runs(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {})


def test_every_linked_file_exists() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_the_commands_name_files_that_exist() -> None:
    for name in ("requirements.txt", "CONTRIBUTING.md", "app.py"):
        assert name in README
        assert (ROOT / name).is_file()


def test_the_layout_names_folders_that_exist() -> None:
    for name in re.findall(r"^\| `([^`]+)/`", README, re.M):
        assert (ROOT / name).is_dir(), name
