"""The names of the classes, and the conversion of labels to signs or numbers and back.

One rule holds for arrays and for files. Of two classes, -1 and +1 are their own names, 0 and False become -1, and of
two other labels the first in sorted order becomes -1, as in scikit-learn. Of several classes, the numbers 1 to 9 are
their own names, 0 to 8 become one larger, of 1 and -1 the second becomes class 2, and up to nine names are numbered in
sorted order. A cell of a file is a number if it can be read as one, and True and False are themselves. A column of two
classes with numbers and names has names only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Mask, frozen
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_, Phrase

Labels: TypeAlias = tuple[Any, Any]
SIGNS: Labels = (-1, 1)  # the names of the classes by default
MOST_CLASSES = 9  # numbered from 1


def signs_of_labels(
    y: Any, labels: Any = None, field: str = "y", rows: Sequence[int] | None = None
) -> tuple[Array, Labels]:
    """Return the signs (m,) of the labels y (m,), read-only, and the names of -1 and +1: `labels`, or those in y.

    rows: (m,) the numbers of the rows of a file, by which a message names them. Raises BadInput, which names the row.
    """
    raw = label_array(y, field)
    if (labels is None or labels is SIGNS) and raw.dtype.kind in "iuf" and not np.count_nonzero(np.abs(raw) != 1):
        return frozen(raw), SIGNS
    values = _values(raw, field, rows)
    others = N_("Give each row one of the two.")
    if labels is None:
        others = N_(
            "Use two labels, such as -1 and +1, 0 and 1, or two names. More classes are a task of svmlab.multiclass."
        )
    labels = _names_of(values, field) if labels is None else _check_pair(labels)
    for row, value in enumerate(values):
        if value not in labels:
            raise BadInput(
                "{where}: label {label} is neither {minus} nor {plus}. {others}",
                where=_where(field, rows, row),
                label=quoted(value),
                minus=quoted(labels[0]),
                plus=quoted(labels[1]),
                others=others,
            )
    return frozen([1.0 if value == labels[1] else -1.0 for value in values]), labels


def numbers_of_labels(
    y: Any, field: str = "y", rows: Sequence[int] | None = None
) -> tuple[NDArray[np.int64], tuple[Any, ...]]:
    """Return the classes (m,) from 1 to 9 of the labels y (m,), read-only, and the names of the classes 1, 2, ...

    There are no names where y has the numbers themselves. rows: as for `signs_of_labels`. Raises BadInput, which names
    the row.
    """
    raw = label_array(y, field)
    if raw.dtype.kind in "iuf" and bool(((raw >= 1) & (raw <= MOST_CLASSES) & (raw == np.floor(raw))).all()):
        return frozen(raw, np.int64), ()
    values = _values(raw, field, rows)
    numeric = [isinstance(value, int | float) and not isinstance(value, bool) for value in values]
    if not any(numeric):
        names = _sorted_names(values, field)
        if len(names) > MOST_CLASSES:
            raise BadInput(
                "{field}: the labels are {n} names, the first of them {several}. Use whole numbers from 1 to {most}, "
                "or up to {most} names.",
                field=field,
                n=len(names),
                several=", ".join(map(quoted, names[:3])),
                most=MOST_CLASSES,
            )
        return frozen([names.index(value) + 1 for value in values], np.int64), tuple(names)
    if all(value in SIGNS for value in values):
        return frozen([1 if value > 0 else 2 for value in values], np.int64), (1, -1)
    offset = int(any(value == 0 for value, number in zip(values, numeric, strict=True) if number))
    for row, (value, number) in enumerate(zip(values, numeric, strict=True)):
        if not number or value + offset not in range(1, MOST_CLASSES + 1):
            raise BadInput(
                "{where}: label {label} does not fit. Use whole numbers from 1 to {most}, or up to {most} names.",
                where=_where(field, rows, row),
                label=quoted(value),
                most=MOST_CLASSES,
            )
    y = [int(value) + offset for value in values]
    return frozen(y, np.int64), tuple(range(max(y))) if offset else ()


def labels_of_cells(cells: Sequence[str]) -> list[Any]:
    """Return the label in each cell of a file: a number, True or False, or else the text."""
    return [cell == "True" if cell in ("True", "False") else _number_or_text(cell) for cell in cells]


def labels_of_signs(plus: Mask, labels: Labels) -> NDArray[Any]:
    """Return the label of each sign, that of + where `plus`, in the type that the labels have."""
    same_type = type(labels[0]) is type(labels[1])
    both = np.array(labels, dtype=None if same_type else object)
    return np.asarray(both[np.asarray(plus, dtype=np.intp)])


def labels_of_numbers(y: NDArray[Any], names: tuple[Any, ...]) -> NDArray[Any]:
    """Return the label of each class y (m,) from 1: its name, or the number itself where there are no names."""
    return np.asarray(names)[y - 1] if names else y


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


def label_array(y: Any, field: str) -> NDArray[Any]:
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


def _values(raw: NDArray[Any], field: str, rows: Sequence[int] | None) -> list[Any]:
    """Return the labels as values of Python. Raises BadInput if one is missing; in a file so is an empty cell."""
    values = [value.item() if isinstance(value, np.generic) else value for value in raw.tolist()]
    for row, value in enumerate(values):
        try:
            missing = value is None or bool(value != value) or (rows is not None and value == "")  # != for nan
        except (TypeError, ValueError):  # the comparison of pandas' NA has no truth value
            missing = True
        if missing:
            raise BadInput(
                "{where}: the label {label} is missing. Remove the row or give it a label.",
                where=_where(field, rows, row),
                label=quoted(value),
            )
    return values


def _where(field: str, rows: Sequence[int] | None, row: int) -> Phrase:
    if rows is None:
        return Phrase("{field}, row {row}", field=field, row=row)
    return Phrase("Row {row}", row=rows[row])


def _number_or_text(cell: str) -> Any:
    try:
        number = float(cell)
    except ValueError:
        return cell
    return int(number) if number.is_integer() else number


def _sorted_names(values: list[Any], field: str) -> list[Any]:
    try:
        return sorted(set(values))
    except TypeError as error:
        raise BadInput(
            "{field} must be a list of labels, such as the whole numbers from 1 to {most}, or up to {most} names: "
            "{error}.",
            field=field,
            most=MOST_CLASSES,
            error=error,
        ) from error


def _names_of(values: list[Any], field: str) -> Labels:
    """Return the names of the two classes; of three values the first two, so that the caller meets the third."""
    try:
        distinct = list(dict.fromkeys(values))
        numeric = not any(isinstance(value, bool | str) for value in distinct)
        if len(distinct) > 2:
            return SIGNS if all(sign in distinct for sign in SIGNS) else (distinct[0], distinct[1])
        distinct.sort()
    except TypeError as error:
        raise BadInput(
            "{field} must be a list of labels, such as -1 and +1, 0 and 1, or two names: {error}. Give other labels in "
            "order with Dataset(X, y, labels=(minus, plus)).",
            field=field,
            error=error,
        ) from error
    if numeric and all(value in SIGNS for value in distinct):
        return SIGNS
    if all(value in (0, 1) for value in distinct):
        return (0, 1) if numeric else (False, True)
    if len(distinct) == 1:
        raise BadInput(
            "{field}: the only label is {label}, and it could be the name of either class. Use -1 or +1, or give both "
            "names with Dataset(X, y, labels=(minus, plus)).",
            field=field,
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
