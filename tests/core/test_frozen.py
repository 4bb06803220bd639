"""What is frozen stays so: arrays read-only and properties right after pickle and deepcopy; errors keep what they
carry."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import math
import pickle
import pkgutil
from dataclasses import replace
from enum import Enum
from functools import cached_property
from itertools import product
from types import MappingProxyType, NoneType, SimpleNamespace

import numpy as np
import pytest

import svmlab
from svmlab import (
    BadInput,
    Composed,
    Dataset,
    Gaussian,
    Linear,
    NotSeparable,
    Polynomial,
    Problem,
    Sigmoid,
    SolverFailed,
    make_dataset,
    multiclass,
    pegasos,
    regression,
    regularization_path,
    separate,
    solve,
)
from svmlab.binary.expansion import KernelSolution
from svmlab.core.arrays import Frozen
from svmlab.core.errors import NotExact, TranslatableError
from svmlab.firstorder import perceptron
from tests.offences import each_of
from tests.public_arguments import DOORS, door_of

PROBLEM = Problem(make_dataset("overlapping", 12), Gaussian(0.7))
CLASSES = multiclass.MulticlassProblem(multiclass.make_classes("blobs", 3))
TUBE = regression.Tube(regression.Values([[0.0], [1.0], [2.5]], [0.0, 2.0, 1.0]))
NAMED = Dataset([[0.0, 1.0], [2.0, 0.5], [1.0, 3.0]], ["no", "yes", "no"], [7, 3, 5])
WEIGHED = Problem(NAMED, Polynomial(2), 0.5, False, (2.0, 1.0), [1.0, 2.0, 0.5])
MADE = {
    "dataset": NAMED,
    "values": TUBE.data,
    "classes": CLASSES.data,
    "tube": TUBE,
    "several": CLASSES,
    "weighed": WEIGHED,
    "solution of weighed": solve(WEIGHED),
    "hard": solve(Problem(make_dataset("separable", 12), C=math.inf)),
    "far": solve(Problem(Dataset(NAMED.X + 1e6, NAMED.y), C=1e-6)),
    "clipped": solve(Problem(make_dataset("xor", 12), Sigmoid())),
    "wide": solve(Problem(make_dataset("xor", 12), Gaussian(1e4))),
    "by cvxopt": solve(PROBLEM, "dual-qp"),
    "squares": regression.least_squares(TUBE.data),
    "kernel run": pegasos(PROBLEM.data, 0.1, 30, kernel=Gaussian(0.7)),
    "problem": PROBLEM,
    "solution": solve(PROBLEM),
    "path": regularization_path(PROBLEM),
    "separation": separate(make_dataset("xor")),
    "perceptron": perceptron.perceptron(np.eye(3), np.array([1.0, -1.0, 1.0]), np.arange(3), 10),
    "run": pegasos(PROBLEM.data, 0.1, 30),
    "machines": multiclass.solve(CLASSES),
    "joint": multiclass.solve(CLASSES, "joint"),
    "fit": regression.solve(TUBE),
    "along": regression.epsilon_path(TUBE),
    "program": PROBLEM.qp("dual"),
}
WAYS = {"pickle": lambda x: pickle.loads(pickle.dumps(x)), "deepcopy": copy.deepcopy, "copy": copy.copy}


def _arrays(value, seen, private=True):
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _arrays(part, seen, private)
    elif isinstance(value, Frozen):
        for name, part in list(vars(value).items()):
            if private or not name.startswith("_"):
                yield from _arrays(part, seen, private)


@each_of(product(MADE, WAYS))
def test_a_copy_is_as_frozen_as_the_original_and_says_the_same(name, copying):
    one, copy_of = MADE[name], WAYS[copying]
    names = [n for n, kind in inspect.getmembers(type(one)) if isinstance(kind, cached_property | property)]
    before = {name: getattr(one, name) for name in names}
    other = copy_of(one)
    arrays = list(_arrays(other, set(), private=copy_of is not copy.copy))  # a shallow copy shares what is inside
    assert arrays
    assert not any(array.flags.writeable for array in _arrays(one, set(), private=False))
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


@each_of(product(MADE, WAYS))
def test_a_copy_is_equal_by_its_key_and_hashes_alike(name, copying):
    one, copy_of = MADE[name], WAYS[copying]
    other = copy_of(one)
    assert other is not one
    assert other.key == one.key
    assert other == one
    assert hash(other) == hash(one)
    assert {one: "found"}[other] == "found"
    assert one != 3
    assert [name for name, each in MADE.items() if each == other] == [
        name for name, each in MADE.items() if each is one
    ]


@pytest.mark.parametrize("one", MADE.values(), ids=MADE)
def test_what_differs_in_one_number_is_not_equal(one):
    numbers = [field.name for field in dataclasses.fields(one) if field.compare and not field.name.startswith("_")]
    changed = 0
    for name in numbers:
        value = getattr(one, name)
        if isinstance(value, np.ndarray) and value.size and value.dtype.kind in "fi":
            value = value.copy()
            value.flat[-1] += 1
        elif isinstance(value, float):
            value = value + 1.0 if math.isfinite(value) else 1.0
        else:
            continue
        other = copy.copy(one)
        object.__setattr__(other, name, value)
        assert other.key != one.key, name
        assert other != one, name
        changed += 1
    assert changed or isinstance(one, multiclass.OneVsRestSolution)


STARTS = {
    **dict.fromkeys(("solution", "solution of weighed", "hard", "far", "clipped", "wide", "by cvxopt"), solve),
    "machines": multiclass.solve,
    "joint": lambda problem, start: multiclass.solve(problem, "joint", start),
    "fit": regression.solve,
}
KERNELS = [
    Linear(),
    Polynomial(4, 0.5, 2.0),
    Gaussian(0.3),
    Gaussian(gamma=0.3),
    Sigmoid(0.2, -1.0),
    Composed("2*linear**2+gaussian(0.5)"),
    Composed("between(x1,gaussian(1))"),
]


@pytest.mark.parametrize("copy_of", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.key)
def test_a_copy_of_a_kernel_is_equal_and_makes_an_equal_problem(kernel, copy_of):
    other = copy_of(kernel)
    assert (other, other.key, hash(other)) == (kernel, kernel.key, hash(kernel))
    assert Problem(NAMED, other) == Problem(NAMED, kernel)
    assert sum(each == other for each in KERNELS) == 1


@pytest.mark.parametrize("copy_of", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("name", STARTS)
def test_a_copy_of_a_solution_decides_alike_to_the_bit_and_another_can_begin_from_it(name, copy_of):
    one, begin = MADE[name], STARTS[name]
    other, Z = copy_of(one), np.random.default_rng(0).normal(size=(50, one.problem.data.d))
    assert other.decision(Z).tobytes() == one.decision(Z).tobytes()
    next_one = dataclasses.replace(one.problem, C=2 * one.problem.C)
    assert begin(next_one, start=other) == begin(next_one, start=one)


def test_equal_is_what_is_equal_not_what_looks_alike():
    data = Dataset([[0.0], [1.0]], [-1, 1])
    assert Dataset([[0.0], [1.0]], [-1, 1]) == data
    assert Dataset([[0.0], [1.0]], [-1, 1], [0, 2]) != data
    assert Dataset([[0.0], [1.0]], ["a", "b"]) != data
    assert Problem(data) == Problem(Dataset([[0.0], [1.0]], [-1, 1]), Linear(), 1, True)
    assert Problem(data, C=math.inf, costs=(1.0, 2.0)) == Problem(data, C=math.inf)
    assert regression.Values(data.X, data.y) != data
    assert regression.Values(data.X, data.y).key == data.key, "one key for one digest, equality asks for the kind too"
    assert len({data, Dataset([[0.0], [1.0]], [-1, 1]), Dataset([[0.0], [2.0]], [-1, 1])}) == 2


def _frozen(value, depth=0):
    if isinstance(value, Frozen):
        yield value
    if isinstance(value, tuple | list) and depth < 3:
        for part in value[:5]:
            yield from _frozen(part, depth + 1)


@each_of(DOORS)
def test_every_result_of_every_door_is_equal_to_its_copies(name):
    for result in _frozen(door_of(name)(**DOORS[name])):
        for copy_of in WAYS.values():
            other = copy_of(result)
            assert (other, hash(other)) == (result, hash(result))


def _mutable(value, path, seen):
    """The paths of everything that can be changed and is reached from `value` by attributes and items."""
    if id(value) in seen or isinstance(value, str | bytes | int | float | np.generic | Enum | type | NoneType):
        return
    seen[id(value)] = value  # kept, so that no id is used twice
    if isinstance(value, np.ndarray):
        if value.flags.writeable:
            yield path
    elif isinstance(value, tuple | frozenset):
        for at, part in enumerate(value):
            yield from _mutable(part, f"{path}[{at}]", seen)
    elif isinstance(value, MappingProxyType):
        yield from _mutable(tuple(value.values()), path, seen)
    elif dataclasses.is_dataclass(value):
        try:
            value.anything = None
            yield path
        except dataclasses.FrozenInstanceError:
            pass
        for name, part in list(vars(value).items()):
            yield from _mutable(part, f"{path}.{name}", seen)
    elif not callable(value):
        yield f"{path}: {type(value).__name__}"  # a list, a dict, or an object that nothing protects


SOLUTIONS = [name for name, made in MADE.items() if isinstance(made, KernelSolution)]


@each_of([*SOLUTIONS, "warm", "moved", "machines"])
def test_nothing_that_is_reached_from_a_solution_can_be_changed(name):
    """Every property is computed before, and the start of a solution is left as it was."""
    X, y = np.array(make_dataset("moons", 120).X), make_dataset("moons", 120).y
    start = solve(Problem(Dataset(X, y), Gaussian(0.7)))
    before = start.warm_start.Q.copy()
    X[7] += 0.25
    made = {
        "warm": solve(replace(PROBLEM, C=2.0), start=MADE["solution"]),
        "moved": solve(Problem(Dataset(X, y), Gaussian(0.7)), start=start),
    }
    example = (MADE | made)[name]
    for solution in example.machines if name == "machines" else [example]:
        for member, kind in inspect.getmembers(type(solution)):
            if isinstance(kind, cached_property | property):
                getattr(solution, member)
    assert list(_mutable(example, name, {})) == []
    assert np.array_equal(start.warm_start.Q, before)


@pytest.mark.parametrize("name", ["solution", "machines", "joint", "fit"])
def test_f_has_the_name_that_scikit_learn_gives_it_too(name):
    solution = MADE[name]
    Z = solution.problem.data.X + 0.5
    assert np.array_equal(solution.decision_function(Z), solution.decision(Z))


def test_what_can_be_changed_is_found():
    solution = solve(PROBLEM)
    for bad in (np.ones(3), [1], {"a": 1}, SimpleNamespace(a=1), (1, (np.ones(2),))):
        assert list(_mutable(dataclasses.replace(solution, steps=bad), "s", {}))


def test_a_copy_of_a_solution_takes_no_kernel_rows_along():
    solution = solve(PROBLEM)
    assert solution.warm_start is not None
    assert copy.deepcopy(solution).warm_start is None
    again = solve(PROBLEM, start=pickle.loads(pickle.dumps(solution)))
    assert (again.alpha.tolist(), again.b) == (solution.alpha.tolist(), solution.b)


def test_every_result_with_arrays_is_of_this_kind():
    """The solvers' own and the statements' never leave the package."""
    missing = []
    for module in pkgutil.walk_packages(svmlab.__path__, "svmlab."):
        if module.name.startswith(("svmlab.lab", "svmlab.solvers", "svmlab.statements", "svmlab.warmup")):
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
    return [
        hard.value,
        wrong.value,
        SolverFailed("{n} left", n=3),
        NotExact("{reason}", reason=wrong.value),
        TranslatableError(),
    ]


@pytest.mark.parametrize("copy_of", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("error", _raised(), ids=lambda error: type(error).__name__)
def test_a_pickled_error_keeps_its_message_and_its_values(error, copy_of):
    other = copy_of(error)
    assert type(other) is type(error)
    assert (str(other), other.template) == (str(error), error.template)
    assert {k: str(v) for k, v in other.values.items()} == {k: str(v) for k, v in error.values.items()}
    if isinstance(error, NotSeparable):
        assert other.separation.weights.tolist() == error.separation.weights.tolist()
        assert not other.separation.weights.flags.writeable
