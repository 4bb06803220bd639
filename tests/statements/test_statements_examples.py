"""Parts of the library that most boards do not reach are computed again on fixed examples, and a fault is told."""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np
import pytest

from svmlab.core.errors import SolverFailed
from svmlab.statements import CATALOGUE, examples
from svmlab.statements.examples.differences import difference, rough
from svmlab.statements.examples.of_statements import STATEMENTS, error_on_examples


def test_the_library_agrees_with_every_example():
    assert {error.__name__: error() for error in STATEMENTS if error() != 0} == {}


def test_every_example_belongs_to_statements_of_the_catalogue():
    modules = [
        importlib.import_module(f"{examples.__name__}.{m.name}") for m in pkgutil.iter_modules(examples.__path__)
    ]
    written = {
        f for m in modules for name, f in vars(m).items() if name.startswith("error_of_") and hasattr(f, "cache_clear")
    }
    assert written == set(STATEMENTS)
    assert {id for ids in STATEMENTS.values() for id in ids.split()} <= CATALOGUE.keys()


def test_a_statement_does_not_hold_where_the_library_is_wrong_on_an_example(monkeypatch):
    entry = CATALOGUE["L3"]
    right = entry.check(entry.witness.situation)
    monkeypatch.setitem(STATEMENTS, lambda: 0.25, "L3")
    wrong = entry.check(entry.witness.situation)
    assert right.holds
    assert not wrong.holds
    assert wrong.residual == pytest.approx(0.25)
    assert wrong.sides[-1].name == "largest difference on the fixed examples"


def test_an_example_that_ends_in_an_error_counts_as_wrong(monkeypatch):
    def fails() -> float:
        raise SolverFailed("no result")

    monkeypatch.setitem(STATEMENTS, fails, "M1")
    assert error_on_examples("M1") == np.inf


def test_a_difference_is_relative_and_that_of_other_shapes_is_infinite():
    assert difference([1.0, 2.0], [1.0, 2.1]) == pytest.approx(0.1 / 2.1)
    assert difference([1.0], [1.0, 1.0]) == difference([np.nan], [1.0]) == np.inf
    assert difference([np.inf, 1.0], [np.inf, 1.0]) == difference([], []) == rough(1e-7) == 0
    assert rough(1e-3) == 1e-3
