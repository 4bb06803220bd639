"""Check the arguments of the package's public functions by their annotations, with one rule for each kind of value.

`@validated` checks and converts every argument of a function, and `validate_fields` every field of a frozen dataclass.
The annotation of a parameter gives its rule: a class, `float` (finite), `int` (whole), `bool`, a `Literal`, an array or
`Annotated[float, Number(above=0)]`.
"""

from __future__ import annotations

import inspect
from collections import abc
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from numbers import Integral
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_, Phrase
from svmlab.core.rules import (
    WholeNumber,
    boolean_array,
    finite_array,
    integer_array,
    real_number,
    unwrap_scalar,
    wrong_kind_error,
)

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
Check = Callable[[str, Any], Any]
EXAMPLES = {  # what to give instead, by the name of the class
    "Classes": N_("Classes such as Classes([[0, 1], [2, 0]], [1, 2])"),
    "Dataset": N_("a Dataset such as Dataset([[0, 1], [2, 0]], [1, -1])"),
    "Distribution": N_("a source with the methods draw(m, seed) and true_error(solution, n, seed), such as Blobs()"),
    "Estimate": N_("an Estimate such as Estimate(0.2, 0.01)"),
    "Kernel": N_("a kernel such as Linear() or Gaussian(gamma=0.5)"),
    "Loss": N_("a loss such as LOSSES['hinge']"),
    "Objective": N_("an Objective such as Objective(data, LOSSES['hinge'], REGULARISERS['R2'], 0.1)"),
    "Problem": N_("a Problem such as Problem(Dataset(X, y), Gaussian(0.5), C=1)"),
    "Regulariser": N_("a regulariser such as REGULARISERS['R2']"),
    "Rule": N_("a Rule such as Rule(0.1)"),
    "MulticlassProblem": N_("a MulticlassProblem such as MulticlassProblem(Classes(X, y))"),
    "Solution": N_("a Solution such as solve(Problem(data)), or the solution_ of an ExactSVC"),
    "Tube": N_("a Tube such as Tube(Values(X, y))"),
    "Values": N_("Values such as Values([[0, 1], [2, 0]], [0.5, 3])"),
}

INSTEAD = {  # what to write instead of scikit-learn's names of kernels
    "linear": "Linear()",
    "poly": "Polynomial(degree=3, coef0=0, scale=0.5)",
    "rbf": "Gaussian(gamma=0.5)",
    "sigmoid": "Sigmoid(scale=0.5, coef0=0)",
}


def validated(function: F) -> F:
    """Return `function` with its arguments checked and converted by their annotations.

    It raises BadInput, which names the argument.
    """
    names = list(inspect.signature(function).parameters)

    @wraps(function)
    def checked_function(*args: Any, **kwargs: Any) -> Any:
        rules = _rules(function)
        positional = [rules.get(name, unchecked)(name, value) for name, value in zip(names, args, strict=False)]
        named = {name: rules.get(name, unchecked)(name, value) for name, value in kwargs.items()}
        return function(*positional, *args[len(positional) :], **named)

    return checked_function  # type: ignore[return-value]


def validate_fields(record: Any) -> None:
    """Check and convert the fields of a frozen dataclass that is being made. Raises BadInput, which names the field."""
    for name, rule in _field_rules(type(record)):  # type: ignore[arg-type]
        value = getattr(record, name)
        checked_value = rule(name, value)
        if checked_value is not value:
            object.__setattr__(record, name, checked_value)


@cache
def _field_rules(record_type: Hashable) -> tuple[tuple[str, Check], ...]:
    """Return the fields of a dataclass that have a rule, each with its rule."""
    return tuple((name, rule) for name, rule in _rules(record_type).items() if rule is not unchecked)


@cache
def _rules(owner: Hashable) -> dict[str, Check]:
    hints = get_type_hints(owner, include_extras=True)
    names = {field.name for field in fields(owner)} if is_dataclass(owner) else hints.keys() - {"return"}
    return {name: _rule(kind) for name, kind in hints.items() if name in names}


def _rule(kind: Any) -> Check:
    origin, args = get_origin(kind), get_args(kind)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if origin is Annotated:
        return next((m for m in kind.__metadata__ if callable(m)), _rule(args[0]))
    if kind == npt.ArrayLike:
        return finite_array
    if origin in (Union, UnionType):
        return _either([k for k in args if k is not type(None)], type(None) in args)
    if origin is Literal:
        return one_of(args)
    if origin is np.ndarray:
        return _array(get_args(args[1])[0])
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return _sequence(_rule(args[0]), None if origin is not tuple or ... in args else len(args))
    if origin is abc.Callable:
        return _callable(len(args[0]) if args and isinstance(args[0], list) else None)
    return instance(kind) if isinstance(kind, type) else unchecked


def unchecked(field: str, value: Any) -> Any:
    """Return `value` unchanged, because the class or the function has a rule of its own."""
    return value


def boolean(field: str, value: Any) -> bool:
    """Return `value`, which must be true or false, or 1 or 0, as a bool. Raises BadInput."""
    if isinstance(value, bool | np.bool_) or (isinstance(value, Integral) and value in (0, 1)):
        return bool(value)
    raise wrong_kind_error(field, N_("True or False"), value)


def _text(field: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise wrong_kind_error(field, N_("a text"), value)


def _whole(field: str, value: Any) -> int:
    return WholeNumber(-(2**63), 2**63)(field, value)


def _callable(count: int | None) -> Check:
    """Return the rule for a function that accepts `count` positional arguments, or any number if `count` is None."""

    def check(field: str, value: Any) -> Any:
        if not callable(value):
            raise wrong_kind_error(field, N_("a function"), value)
        if count is not None and not _accepts(value, count):
            raise BadInput(
                "{field}: {value} cannot be called with {many}. Give a function that accepts this number of arguments.",
                field=field,
                value=quoted(value),
                many=N_("one argument") if count == 1 else Phrase("{count} arguments", count=count),
            )
        return value

    return check


def _accepts(function: Callable[..., Any], count: int) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions that are not written in Python have no signature
        return True
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def returned(field: str, value: Any, kind: type[T]) -> T:
    """Return what the function `field` has returned, which must be a `kind`. Raises BadInput."""
    if isinstance(value, kind):
        return value
    raise BadInput(
        "{field}: {value} was returned instead of {wanted}. Give a function that returns one.",
        field=field,
        value=quoted(value),
        wanted=_wanted(kind),
    )


def _wanted(kind: type) -> str:
    return EXAMPLES.get(kind.__name__, Phrase("a {kind}", kind=kind.__name__))


_PLAIN: dict[Any, Check] = {
    float: real_number,
    int: _whole,
    bool: boolean,
    str: _text,
    Any: unchecked,
    object: unchecked,
}


def _either(kinds: Sequence[Any], none: bool) -> Check:
    """Return the rule for one of several kinds. None passes too if `none` is set."""
    if all(isinstance(kind, type) and kind not in _PLAIN for kind in kinds):
        rule = _instance(tuple(kinds))
    elif len(kinds) == 1:
        rule = _rule(kinds[0])
    else:
        rule = finite_array  # a number or an array
    return lambda field, value: None if none and value is None else rule(field, value)


def one_of(choices: tuple[Any, ...]) -> Check:
    """Return the check that a value is one of these choices."""

    def check(field: str, value: Any) -> Any:
        for choice in choices:
            if type(value) is type(choice) and value == choice:
                return choice
        raise BadInput(
            "{field}: {value} is unknown. Choose one of {choices}.",
            field=field,
            value=quoted(value),
            choices=", ".join(map(repr, choices)),
        )

    return check


def instance(kind: type) -> Check:
    """Return the rule for an object of that class, or with the methods of that protocol."""
    return _instance((kind,))


def _instance(kinds: tuple[type, ...]) -> Check:
    wanted = _wanted(kinds[0])
    methods = [name for name in vars(kinds[0]) if not name.startswith("_")] if _is_protocol(kinds[0]) else None

    def check(field: str, value: Any) -> Any:
        if isinstance(value, kinds) if methods is None else _has_methods(value, methods):
            return value
        if kinds[0].__name__ == "Kernel" and isinstance(value, str) and value in INSTEAD:
            raise BadInput(
                "{field}: {value} is a name of scikit-learn. Write a kernel such as {instead}, or use "
                "svmlab.sklearn.ExactSVC, which accepts these names.",
                field=field,
                value=quoted(value),
                instead=INSTEAD[value],
            )
        raise wrong_kind_error(field, wanted, value)

    return check


def _has_methods(value: Any, methods: Sequence[str]) -> bool:
    return not isinstance(value, type) and all(callable(getattr(value, name, None)) for name in methods)


def _is_protocol(kind: type) -> bool:
    return bool(getattr(kind, "_is_protocol", False))


def _array(dtype: Any) -> Check:
    """Return the rule for an array of truth values, of whole numbers, or of floats, by its type."""
    if isinstance(dtype, type) and issubclass(dtype, np.bool_):
        return boolean_array
    if isinstance(dtype, type) and issubclass(dtype, np.integer):
        return integer_array
    return finite_array


def _sequence(rule: Check, length: int | None) -> Check:
    def check(field: str, value: Any) -> Any:
        if (
            isinstance(value, str | bytes | dict)
            or not isinstance(value, Iterable)
            or unwrap_scalar(value) is not value
        ):
            raise wrong_kind_error(field, N_("a list"), value)
        items = tuple(rule(field, item) for item in value)
        if length is not None and len(items) != length:
            raise wrong_kind_error(field, Phrase("{length} in a row", length=length), value)
        return items

    return check
