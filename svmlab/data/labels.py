"""The names of the two classes, and the conversion of labels to signs and back."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Mask, frozen
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_

Labels: TypeAlias = tuple[Any, Any]
SIGNS: Labels = (-1, 1)  # the names of the classes by default


def signs_of_labels(y: Any, labels: Any = None, field: str = "y") -> tuple[Array, Labels]:
    """Return the signs (m,) of the labels y (m,), read-only, and the names of -1 and +1: `labels`, or those in y.

    Without `labels`, -1 and +1 are their own names, 0 and False become -1, and of two other values the first in sorted
    order becomes -1. Raises BadInput, which names the row.
    """
    raw = _label_array(y, field)
    if (labels is None or labels is SIGNS) and raw.dtype.kind in "iuf" and bool((np.abs(raw) == 1).all()):
        return frozen(raw), SIGNS
    values = [value.item() if isinstance(value, np.generic) else value for value in raw.tolist()]
    _check_present(values, field)
    others = N_("Give each row one of the two.")
    if labels is None:
        others = N_("Use two labels, such as -1 and +1, 0 and 1, or two names. For more classes use svmlab.multiclass.")
    labels = _names_of(values) if labels is None else _check_pair(labels)
    for row, value in enumerate(values):
        if value not in labels:
            raise BadInput(
                "{field}, row {row}: label {label} is neither {minus} nor {plus}. {others}",
                field=field,
                row=row,
                label=quoted(value),
                minus=quoted(labels[0]),
                plus=quoted(labels[1]),
                others=others,
            )
    return frozen([1.0 if value == labels[1] else -1.0 for value in values]), labels


def labels_of_signs(plus: Mask, labels: Labels) -> NDArray[Any]:
    """Return the label of each sign, that of + where `plus`, in the type that the labels have."""
    same_type = type(labels[0]) is type(labels[1])
    both = np.array(labels, dtype=None if same_type else object)
    return np.asarray(both[np.asarray(plus, dtype=np.intp)])


def accuracy(f: Array, labels: Any, class_labels: Labels) -> float:
    """Return the fraction of the labels (k,) that have the sign of f (k,), + where f > 0. Raises BadInput."""
    y, _ = signs_of_labels(labels, class_labels, "labels")
    if len(f) != len(y) or not len(f):
        raise BadInput(
            "Z has {rows} rows, and there are {labels} labels. Give at least one row, and one label for each row.",
            rows=len(f),
            labels=len(y),
        )
    return float(((f > 0) == (y > 0)).mean())


def _label_array(y: Any, field: str) -> NDArray[Any]:
    """Return the labels y as an array (m,), each with its own type. Raises BadInput."""
    try:
        raw = np.asarray(y)
    except ValueError as error:
        raise BadInput(
            "{field} must be a list with one label for each point: {error}.", field=field, error=error
        ) from error
    if raw.ndim != 1:
        raise BadInput(
            "{field} must be one-dimensional, with one label for each point. Its shape is {shape}.",
            field=field,
            shape=raw.shape,
        )
    if raw.dtype.kind == "U" and not all(isinstance(value, str) for value in y):  # numpy turns a 1 beside "a" into "1"
        return np.array(y, dtype=object)
    return raw


def _check_present(values: list[Any], field: str) -> None:
    for row, value in enumerate(values):
        try:
            missing = value is None or bool(value != value)  # nan
        except (TypeError, ValueError):  # the comparison of pandas' NA has no truth value
            missing = True
        if missing:
            raise BadInput(
                "{field}, row {row}: the label {label} is missing. Remove the row or give it a label.",
                field=field,
                row=row,
                label=quoted(value),
            )


def _names_of(values: list[Any]) -> Labels:
    """Return the names of the two classes; of three values the first two, so that the caller meets the third."""
    try:
        distinct = list(dict.fromkeys(values))
        numeric = not any(isinstance(value, bool | str) for value in distinct)
        if len(distinct) > 2:
            return SIGNS if all(sign in distinct for sign in SIGNS) else (distinct[0], distinct[1])
        distinct.sort()
    except TypeError as error:
        raise BadInput(
            "y must be a list of labels, such as -1 and +1, 0 and 1, or two names: {error}. Give other labels in "
            "order with Dataset(X, y, labels=(minus, plus)).",
            error=error,
        ) from error
    if numeric and all(value in SIGNS for value in distinct):
        return SIGNS
    if all(value in (0, 1) for value in distinct):
        return (0, 1) if numeric else (False, True)
    if len(distinct) == 1:
        raise BadInput(
            "y: the only label is {label}, and it could be the name of either class. Give both names with "
            "Dataset(X, y, labels=(minus, plus)).",
            label=quoted(distinct[0]),
        )
    return distinct[0], distinct[1]


def _check_pair(labels: Any) -> Labels:
    try:
        if isinstance(labels, str | bytes | Set | Mapping):  # a single name, or values without an order
            raise TypeError
        minus, plus = (value.item() if isinstance(value, np.generic) else value for value in labels)
        different = len({minus, plus} - {None}) == 2 and bool(minus == minus and plus == plus)
    except (TypeError, ValueError):
        different = False
    if not different:
        raise BadInput(
            "labels: {labels} must be two different values, the name of class -1 and the name of class +1.",
            labels=quoted(labels),
        )
    return minus, plus
