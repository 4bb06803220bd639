"""What is frozen stays so: arrays read-only and properties right after pickle and deepcopy; errors keep what they carry."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import math
import pickle
import pkgutil
from functools import cached_property

import numpy as np
import pytest

import svmlab
from svmlab import (
    BadInput,
    Gaussian,
    NotSeparable,
    Problem,
    SolverFailed,
    make_dataset,
    multiclass,
    pegasos,
    regression,
    regularization_path,
    separate,
    solve,
)
from svmlab.arrays import Frozen
from svmlab.errors import NotExact, Spoken

PROBLEM = Problem(make_dataset("overlapping", 12), Gaussian(0.7))
CLASSES = multiclass.Several(multiclass.make_classes("blobs", 3))
TUBE = regression.Tube(regression.Values([[0.0], [1.0], [2.5]], [0.0, 2.0, 1.0]))
MADE = {
    "problem": PROBLEM,
    "solution": solve(PROBLEM),
    "path": regularization_path(PROBLEM),
    "separation": separate(make_dataset("xor")),
    "run": pegasos(PROBLEM.data, 0.1, 30),
    "machines": multiclass.solve(CLASSES),
    "joint": multiclass.solve(CLASSES, "joint"),
    "fit": regression.solve(TUBE),
    "along": regression.along(TUBE),
    "program": PROBLEM.qp("dual"),
}
WAYS = {"pickle": lambda x: pickle.loads(pickle.dumps(x)), "deepcopy": copy.deepcopy}


def _arrays(value, seen):
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _arrays(part, seen)
    elif isinstance(value, Frozen):
        for part in list(vars(value).values()):
            yield from _arrays(part, seen)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("one", MADE.values(), ids=MADE)
def test_a_copy_is_as_frozen_as_the_original_and_says_the_same(one, way):
    names = [n for n, kind in inspect.getmembers(type(one)) if isinstance(kind, cached_property | property)]
    before = {name: getattr(one, name) for name in names}
    other = way(one)
    arrays = list(_arrays(other, set()))
    assert arrays
    assert not any(array.flags.writeable for array in arrays)
    for name, value in before.items():
        assert repr(getattr(other, name)).split(" at 0x")[0] == repr(value).split(" at 0x")[0], name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(other, dataclasses.fields(other)[0].name, None)


@pytest.mark.parametrize("one", MADE.values(), ids=MADE)
def test_the_arrays_of_the_original_are_frozen_too(one):
    for field in dataclasses.fields(one):
        value = getattr(one, field.name)
        if isinstance(value, np.ndarray):
            assert not value.flags.writeable, field.name


def test_a_copy_of_a_solution_takes_no_kernel_rows_along():
    solution = solve(PROBLEM)
    assert solution.rows
    assert copy.deepcopy(solution).rows == []
    again = solve(PROBLEM, start=pickle.loads(pickle.dumps(solution)))
    assert (again.alpha.tolist(), again.b) == (solution.alpha.tolist(), solution.b)


def test_every_result_with_arrays_is_of_this_kind():
    """The solvers' own and the statements' never leave the package."""
    missing = []
    for module in pkgutil.walk_packages(svmlab.__path__, "svmlab."):
        if module.name.startswith(("svmlab.lab", "svmlab.solvers", "svmlab.statements", "svmlab.rehearsal")):
            continue
        for name, one in vars(importlib.import_module(module.name)).items():
            if inspect.isclass(one) and one.__module__ == module.name and dataclasses.is_dataclass(one):
                kinds = [str(field.type) for field in dataclasses.fields(one)]
                holds = any(kind in ("Array", "Index", "Mask", "Signs") or "Array |" in kind for kind in kinds)
                if holds and one.__dataclass_params__.frozen and not issubclass(one, Frozen):
                    missing.append(f"{module.name}.{name}")
    assert not missing


def _raised():
    with pytest.raises(NotSeparable) as hard:
        solve(Problem(make_dataset("xor"), C=math.inf))
    with pytest.raises(BadInput) as wrong:
        Problem(make_dataset("xor"), C=-1)
    return [hard.value, wrong.value, SolverFailed("{n} left", n=3), NotExact("{reason}", reason=wrong.value), Spoken()]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("error", _raised(), ids=lambda error: type(error).__name__)
def test_an_error_comes_back_with_its_words_and_what_it_carries(error, way):
    other = way(error)
    assert type(other) is type(error)
    assert (str(other), other.template) == (str(error), error.template)
    assert {k: str(v) for k, v in other.values.items()} == {k: str(v) for k, v in error.values.items()}
    if isinstance(error, NotSeparable):
        assert other.separation.weights.tolist() == error.separation.weights.tolist()
        assert not other.separation.weights.flags.writeable
