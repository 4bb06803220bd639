"""Modules that moved: an import under the old name finds the new module, and says its name."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import svmlab
from svmlab.moved import MOVED, RENAMED

ROOT = Path(__file__).parents[1]


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """No old name has been imported yet."""
    for old in MOVED:
        monkeypatch.delitem(sys.modules, old, raising=False)
        monkeypatch.delitem(vars(svmlab), old.rpartition(".")[2], raising=False)


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_an_old_name_imports_the_new_module_with_a_warning(forgotten, old, new):
    with pytest.warns(FutureWarning, match=f"{old} is called {new} now") as warned:
        assert import_module(old) is import_module(new)
    assert len(warned) == 1


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_an_old_name_is_an_attribute_of_the_package(forgotten, old, new):
    with pytest.warns(FutureWarning, match=new):
        assert getattr(svmlab, old.rpartition(".")[2]) is import_module(new)


def test_a_name_that_never_was_is_no_attribute():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        svmlab.nothing


def test_the_warning_names_the_line_of_the_user(forgotten):
    with pytest.warns(FutureWarning) as warned:
        exec(compile("from svmlab.features import exponents", "user.py", "exec"), {})
    assert [one.filename for one in warned] == ["user.py"]


@pytest.mark.parametrize(
    ("package", "old", "new"), [(package, *names) for package, table in RENAMED.items() for names in table.items()]
)
def test_what_was_renamed_is_found_under_its_old_name_with_a_warning(package, old, new):
    module = import_module(package)
    assert old not in module.__all__
    assert new in module.__all__
    with pytest.warns(FutureWarning, match=f"{package}.{old} is called {new} now"):
        assert getattr(module, old) is getattr(module, new)


def test_a_renamed_name_is_imported_with_the_line_of_the_user():
    with pytest.warns(FutureWarning) as warned:
        exec(compile("from svmlab.multiclass import Several", "user.py", "exec"), {})
    assert {one.filename for one in warned} == {"user.py"}


def test_a_package_with_old_names_has_no_others():
    with pytest.raises(AttributeError, match=r"'svmlab\.losses' has no attribute 'nothing'"):
        import_module("svmlab.losses").nothing


def test_the_package_itself_uses_no_old_name():
    code = "import warnings; warnings.simplefilter('error'); import svmlab, svmlab.statements, svmlab.warmup"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=120)


@pytest.mark.slow
def test_the_old_command_compiles_the_loops_and_warns():
    command = [sys.executable, "-m", "svmlab.rehearsal"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "svmlab.rehearsal is called svmlab.warmup now" in done.stderr
