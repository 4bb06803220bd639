"""Every door of the package against values that do not fit: BadInput that names the argument, or a right answer, and
nothing else.

A function, class or method that is public and has no line in DOORS fails, and so does a parameter without a good value
there."""

from __future__ import annotations

import inspect
import math
import warnings
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from svmlab import BadInput, Dataset, Gaussian, Problem, Solution, SvmError, generalisation, solve
from svmlab.kernels.base import Kernel
from svmlab.multiclass import Classes, MulticlassProblem
from svmlab.regression import Tube, Values
from tests.offences import each_of
from tests.public_arguments import BLOBS, DATA, DOORS, MADE, ROOMS, TRUSTED, door_of

NEVER = {  # no door has a use for these
    "an object": object(),
    "complex": 1j,
    "nan": math.nan,
    "minus infinity": -math.inf,
    "a huge whole number": 10**400,
    "a dict": {"a": 1},
    "ragged": [[1.0], [1.0, 2.0]],
    "complex places": np.array([[1j, 0.0]]),
    "objects": np.array([object(), None]),
    "nan places": [[math.nan, 1.0]],
    "far places": np.full((2, 2), 1e160),
    "text": "no",
}
PERHAPS = {  # some have
    "nothing": None,
    "yes": True,
    "zero": 0,
    "minus one": -1,
    "denormal": 5e-324,
    "tiny": 1e-200,
    "large": 1e200,
    "infinity": math.inf,
    "an empty list": [],
    "a number without axes": np.array(1.0),
    "a short float": np.float32(0.5),
    "a short whole number": np.int8(1),
    "no rows": np.zeros((0, 3)),
    "one row": np.ones((1, 2)),
    "three axes": np.ones((1, 1, 1)),
    "half": 0.5,
    "bytes": b"no",
}
FEW = {  # points that are right in themselves, and too few, of one class, or of another dimension for some doors
    "no points": Dataset([], []),
    "no points in space": Dataset(np.zeros((0, 3)), []),
    "one point": Dataset([[0.0, 1.0]], [1]),
    "one point at the origin": Dataset([[0.0, 0.0]], [1]),
    "one class": Dataset([[0.0, 1.0], [1.0, 1.0]], [1, 1]),
    "one place": Dataset([[1.0, 1.0], [1.0, 1.0]], [1, -1]),
    "on an axis": Dataset([[0.0], [1.0], [2.0]], [1, -1, 1]),
    "in space": Dataset(np.eye(3), [1, -1, 1]),
}
GAPS = {("generalisation.error_map", "problem")}  # nan says that there is no machine
UNFIT = {  # functions that take one argument, and return what nobody can use
    "None": lambda one: None,
    "a text": lambda one: "x",
    "a number": lambda one: 0.5,
    "one number too few": lambda Z: np.zeros(len(getattr(Z, "y", Z)) - 1),
    "texts": lambda Z: np.array(["a"] * len(getattr(Z, "y", Z))),
    "nan": lambda Z: np.full(len(getattr(Z, "y", Z)), math.nan),
    "two columns": lambda Z: np.zeros((len(getattr(Z, "y", Z)), 2)),
    "a problem of other points": lambda data: Problem(FEW["in space"]),
    "a problem without points": lambda data: Problem(FEW["no points"]),
}
BLOBS_IN_SPACE = generalisation.Embedding(2000)
TOO_MANY = {  # what would take memory or minutes, by the parameter that says how many
    "svmlab.make_dataset": {"m": 5001},
    "svmlab.data.fresh_points": {"n": 10**7},
    "losses.proximal": {"steps": 10**7},
    "pegasos.textbook": {"T": 10**7},
    "pegasos.draws": {"stop": 2 * 10**9},
    **{f"generalisation.{name}.draw": {"m": 10**7} for name in ("Blobs", "BlobSource", "PresetSource")},
    **{f"generalisation.{name}.fresh": {"n": 10**7} for name in ("Blobs", "BlobSource", "PresetSource")},
    **{f"generalisation.{name}.true_error": {"n": 10**7} for name in ("Blobs", "BlobSource", "PresetSource")},
    "generalisation.Blobs.measured_error": {"n": 10**7},
    "generalisation.sample_errors": {"m": 10**6, "draws": 10**6, "fresh": 10**7},
    "generalisation.validation_curve": {"fresh": 10**7},
    "generalisation.excess_risk": {"m": (10**6,), "draws": 10**6, "fresh": 10**6},
    "generalisation.best_triple": {"tries": 10**7},
    "generalisation.Embedding": {"d": 10**4},
    "generalisation.triples": {"m": 1000},
    "features.gaussian_exponents": {"d": 1000, "N": 10**5},
    "features.gaussian_features": {"N": 10**4},
    "features.gaussian_grid": {"N": 10**4},
    "features.gaussian_remainder": {"r": 1e6},
    "features.gaussian_terms_needed": {"r": 1e6},
    "features.exponents": {"d": 1000},
    "features.ordered_products": {"degree": 40},
    "features.ordered_product_features": {"degree": 40},
    "features.monomial_weights": {"d": 10**4},
    "features.prove_definite": {"X": np.arange(700.0).reshape(350, 2)},
    "features.random_features": {"D": 10**7},
    "generalisation.circuits": {"X": np.arange(200.0).reshape(100, 2) ** 2},
}


def _public() -> set[str]:
    seen, names = set(), set()
    for room, module in ROOMS.items():
        for name in module.__all__:
            one = getattr(module, name)
            if id(one) in seen or not (inspect.isfunction(one) or inspect.isclass(one)):
                continue
            seen.add(id(one))
            if inspect.isfunction(one):
                names.add(f"{room}.{name}")
            elif not issubclass(one, BaseException | Warning):
                names.add(f"{room}.{name}")
                names |= {
                    f"{room}.{name}.{key}"
                    for base in (one, *(base for base in one.__bases__ if not issubclass(base, Kernel)))
                    for key, value in vars(base).items()
                    if not key.startswith("_") and isinstance(value, classmethod | type(_public))
                }
    return names


def test_every_door_is_in_the_table():
    public = {
        name
        for name in _public() - MADE - TRUSTED
        if name in DOORS or (name.rpartition(".")[2] not in TRUSTED and not name.rpartition(".")[2].startswith("to_"))
    }
    assert public == set(DOORS)


@each_of(DOORS)
def test_every_parameter_has_a_good_value(name):
    door, good = door_of(name), DOORS[name]
    assert list(inspect.signature(door).parameters) == list(good)
    door(**good)


def _numbers(value, depth=0):
    if isinstance(value, float | np.floating):
        yield float(value)
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        yield from value.ravel().tolist()
    elif isinstance(value, tuple | list) and depth < 3:
        for part in value:
            yield from _numbers(part, depth + 1)
    elif is_dataclass(value) and not isinstance(value, type) and depth < 2:
        for field in fields(value):
            yield from _numbers(getattr(value, field.name), depth + 1)


def _few(good):
    """What may stand in the place of `good`, made of FEW."""
    if isinstance(good, Dataset):
        return FEW
    if isinstance(good, Problem):
        every = {kind: Problem(data) for kind, data in FEW.items()}
        return every | {"a Gaussian without points": Problem(FEW["no points"], Gaussian())}
    if isinstance(good, Solution):
        return {kind: solve(Problem(data)) for kind, data in FEW.items() if data.m}
    if isinstance(good, Classes | MulticlassProblem):
        every = {
            "no points": Classes([], []),
            "one point": Classes([[1.0, 1.0]], [2]),
            "axis": Classes([[1.0], [2.0]], [2, 3]),
        }
        return every if isinstance(good, Classes) else {kind: MulticlassProblem(data) for kind, data in every.items()}
    if isinstance(good, Values | Tube):
        every = {"no points": Values([], []), "one point": Values([[1.0, 1.0]], [2.0])}
        return every if isinstance(good, Values) else {kind: Tube(data) for kind, data in every.items()}
    if isinstance(good, generalisation.Blobs):
        return {"on a line": generalisation.Blobs((1.0,)), "in space": generalisation.Blobs((1.0, 2.0, 3.0))}
    return {}


@each_of(DOORS)
def test_too_few_points_and_points_of_another_dimension_are_answered_or_refused_by_name(name):
    door, good, wrong = door_of(name), DOORS[name], []
    gaps = any(math.isnan(number) for number in _numbers(door(**good)))
    for field in good:
        for kind, value in _few(good[field]).items():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    result = door(**good | {field: value})
            except SvmError as error:
                if not str(error):
                    wrong.append((field, kind, "no message"))
            except Exception as error:
                wrong.append((field, kind, repr(error)[:150]))
            else:
                if not gaps and (name, field) not in GAPS and any(math.isnan(number) for number in _numbers(result)):
                    wrong.append((field, kind, "nan"))
    assert not wrong, "\n".join(map(str, wrong))


CALLED = [
    (name, field)
    for name, good in DOORS.items()
    for field in good
    if field in ("on_progress", "make_problem", "decision")
]


@pytest.mark.parametrize(("name", "field"), CALLED)
def test_a_function_that_cannot_be_called_with_what_it_gets_is_named_before_any_work(name, field):
    for function in (lambda: None, lambda one, two: None, lambda *, one: None):
        with pytest.raises(BadInput, match=f"{field}: .*one argument"):
            door_of(name)(**DOORS[name] | {field: function})


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, field in CALLED if field != "on_progress"])
@pytest.mark.parametrize("kind", UNFIT)
def test_a_function_that_returns_something_else_is_named(name, field, kind):
    if (kind, field) == ("a problem without points", "make_problem"):
        match = "no points"
    else:
        match = field
    with pytest.raises(BadInput, match=match):
        door_of(name)(**DOORS[name] | {field: UNFIT[kind]})


class Broken:
    """A source of points of which one thing is wrong."""

    def __init__(self, sample: object = DATA, error: object = generalisation.Estimate(0.5)) -> None:
        self.sample, self.error = sample, error

    def draw(self, m: int, seed: int = 0) -> object:
        return self.sample

    def true_error(self, solution: Solution, n: int = 1, seed: int = 0) -> object:
        return self.error


class Uncalled:
    draw = true_error = 3


@pytest.mark.parametrize("name", ["generalisation.sample_errors", "generalisation.validation_curve"])
@pytest.mark.parametrize(
    "source",
    [Broken(error=None), Broken(error=0.5), Broken(error=generalisation.Estimate(math.nan)), Uncalled(), Broken],
    ids=["None", "a number", "nan", "no methods", "a class"],
)
def test_a_source_that_breaks_its_promise_is_named(name, source):
    with pytest.raises(BadInput, match="source"):
        door_of(name)(**DOORS[name] | {"source": source})
    if name == "generalisation.sample_errors":
        with pytest.raises(BadInput, match="source"):
            door_of(name)(**DOORS[name] | {"source": Broken(sample=None)})


@pytest.mark.parametrize("name", TOO_MANY)
def test_what_would_take_minutes_or_all_memory_is_refused_with_its_limit(name):
    for field, value in TOO_MANY[name].items():
        with pytest.raises(BadInput, match=field):
            door_of(name)(**DOORS[name] | {field: value})


def test_many_points_of_many_dimensions_are_refused_where_each_number_alone_would_do():
    blobs = generalisation.Blobs(mu=(1.0,) * 1000)
    assert blobs.draw(100).d == 1000
    with pytest.raises(BadInput, match="m: 1000000 points of 1000 coordinates"):
        blobs.draw(10**6)
    with pytest.raises(BadInput, match="n: 1000000 points of 1000 coordinates"):
        blobs.fresh(10**6)
    with pytest.raises(BadInput, match="data: 100000 points of 2000 coordinates"):
        BLOBS_IN_SPACE.lift(BLOBS.draw(10**5), 0)


@each_of(DOORS)
def test_what_does_not_fit_is_named_and_nothing_else_happens(name):
    door, good, wrong = door_of(name), DOORS[name], []
    gaps = any(math.isnan(number) for number in _numbers(door(**good)))  # what was not asked for
    for field in good:
        if field == "self":
            continue
        for kind, value in (NEVER | PERHAPS).items():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    result = door(**good | {field: value})
            except BadInput as error:
                if not str(error) or len(str(error)) > 400 or "\n" in str(error):
                    wrong.append((field, kind, "message", str(error)))
                elif not (field in str(error) or field in ("text", "name", "recipe") or field == "objective"):
                    wrong.append((field, kind, "unnamed", str(error)))
            except SvmError as error:
                if kind in NEVER:
                    wrong.append((field, kind, repr(error)))
            except Exception as error:  # what a person would see as a stack trace
                wrong.append((field, kind, repr(error)[:150]))
            else:
                if kind in NEVER:
                    wrong.append((field, kind, "accepted", repr(result)[:60]))
                elif not gaps and any(math.isnan(number) for number in _numbers(result)):
                    wrong.append((field, kind, "nan"))
    assert not wrong, "\n".join(map(str, wrong))
