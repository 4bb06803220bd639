"""The board of a task: points and the settings of the SVM, as plain data, and what was changed between two boards."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Annotated, Any

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.errors import BadInput, SvmError, quoted
from svmlab.core.phrase import Phrase
from svmlab.core.rules import PenaltyParameter, real_number
from svmlab.core.validate import boolean, unchecked, validate_fields
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import KERNELS, Linear

EDGE = 8.0  # the largest coordinate
MAX_POINTS = 300
BoardPoint = tuple[float, float, int]  # x1, x2, and the label +1 or -1


@dataclass(frozen=True)
class Board:
    """Points (x1, x2, label) with coordinates in thousandths within +-8, and the SVM on them.

    ids: the number of each point, by default 1, 2, ... Points of two boards with the same number are the same point.
    C = inf is the hard margin. Raises BadInput, which names the point.
    """

    points: Annotated[tuple[BoardPoint, ...], unchecked] = ()
    kernel: Kernel = Linear()
    C: PenaltyParameter = 1.0
    bias: bool = True
    ids: Annotated[tuple[int, ...], unchecked] = ()

    def __post_init__(self) -> None:
        if len(self.points) > MAX_POINTS:
            raise BadInput(
                "points: {n} points are more than {most}. Leave some of them out.", n=len(self.points), most=MAX_POINTS
            )
        points = tuple(_point(number, row) for number, row in enumerate(self.points, start=1))
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "ids", self.ids or tuple(range(1, len(points) + 1)))
        validate_fields(self)

    @cached_property
    def problem(self) -> Problem:
        """Return the problem of the board, not yet solved."""
        X = [(x1, x2) for x1, x2, _label in self.points]
        data = Dataset(X, [label for *_x, label in self.points], list(self.ids))
        return Problem(data, self.kernel, self.C, self.bias)

    @cached_property
    def solution(self) -> Solution | None:
        """Return the solution of the board, or None if it has none."""
        return solution_of(self.problem)

    def moved(self, to: Mapping[int, tuple[float, float]]) -> Board:
        """Return the board with the points of these numbers moved to (x1, x2)."""
        rows = zip(self.ids, self.points, strict=True)
        return replace(self, points=tuple((*to.get(id_, row[:2]), row[2]) for id_, row in rows))

    def with_points(self, *rows: BoardPoint) -> Board:
        """Return the board with further points (x1, x2, label)."""
        first = max(self.ids, default=0) + 1
        return replace(self, points=(*self.points, *rows), ids=(*self.ids, *range(first, first + len(rows))))

    def without(self, *numbers: int) -> Board:
        """Return the board without the points of these numbers."""
        rows = [(id_, row) for id_, row in zip(self.ids, self.points, strict=True) if id_ not in numbers]
        return replace(self, points=tuple(row for _id, row in rows), ids=tuple(id_ for id_, _row in rows))

    @property
    def as_json(self) -> dict[str, Any]:
        """Return the board as values that JSON knows. `board_from_json` reads them."""
        kernel = {field.name: getattr(self.kernel, field.name) for field in fields(self.kernel)}
        settings = {"kernel": {"name": type(self.kernel).__name__.lower()} | kernel, "bias": self.bias}
        C = "inf" if math.isinf(self.C) else self.C
        return {"points": [list(point) for point in self.points], "C": C} | settings


def solution_of(problem: Problem) -> Solution | None:
    """Return the solution of a problem, or None if there is none: no point, or a hard margin that does not exist."""
    try:
        return solve(problem)
    except SvmError:
        return None


def board_from_json(value: object) -> Board:
    """Return the board that `Board.as_json` wrote. Raises BadInput for anything else."""
    entries = object_with("start", value, {"points"}, {"kernel", "C", "bias"})
    points, C = entries["points"], entries.get("C", 1.0)
    if not isinstance(points, list) or not all(isinstance(row, list) and len(row) == 3 for row in points):
        raise BadInput("points: {value} is not a list of points [x1, x2, label].", value=quoted(points))
    return Board(
        tuple(tuple(row) for row in points),
        _kernel(entries.get("kernel", {"name": "linear"})),
        math.inf if C == "inf" else C,
        boolean("bias", entries.get("bias", True)),
    )


def object_with(field: str, value: object, needed: set[str], allowed: set[str]) -> Mapping[str, Any]:
    """Return `value` if it is an object with all of the names `needed`, and no others than these and `allowed`.

    Raises BadInput, which says what is missing or unknown.
    """
    if not isinstance(value, Mapping):
        raise BadInput("{field}: {value} is not an object with named values.", field=field, value=quoted(value))
    missing, unknown = needed - value.keys(), value.keys() - needed - allowed
    if missing:
        raise BadInput("{field}: {name} is missing.", field=field, name=quoted(min(missing)))
    if unknown:
        raise BadInput("{field}: {name} is unknown. Remove it.", field=field, name=quoted(min(map(str, unknown))))
    return value


def _kernel(value: object) -> Kernel:
    name = value.get("name") if isinstance(value, Mapping) else None
    kind = KERNELS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise BadInput(
            "kernel: {value} is not a kernel. The names are {names}.", value=quoted(value), names=", ".join(KERNELS)
        )
    settings = object_with("kernel", value, {"name"}, {field.name for field in fields(kind)})
    return kind(**{key: setting for key, setting in settings.items() if key != "name"})


def _point(number: int, row: Any) -> BoardPoint:
    x1, x2, label = row
    x1, x2 = (real_number(Phrase("points, point {number}", number=number), x) for x in (x1, x2))
    if max(abs(x1), abs(x2)) > EDGE:
        raise BadInput(
            "points, point {number}: {row} is off the board. Coordinates are from -8 to 8.",
            number=number,
            row=quoted(list(row)),
        )
    if isinstance(label, bool) or label not in (1, -1):
        raise BadInput("points, point {number}: the label {label} is not 1 or -1.", number=number, label=quoted(label))
    return round(x1, 3) + 0.0, round(x2, 3) + 0.0, int(label)


@dataclass(frozen=True)
class Changes:
    """How many points differ between two boards: changed (moved, or of the other class), added and deleted."""

    changed: int = 0
    added: int = 0
    deleted: int = 0

    @property
    def total(self) -> int:
        """Return the number of points that differ."""
        return self.changed + self.added + self.deleted


def changes(start: Dataset, present: Dataset) -> Changes:
    """Return what differs between two sets of points. Points with the same id are the same point."""
    before, after = _rows(start), _rows(present)
    common = before.keys() & after.keys()
    changed = sum(before[id_] != after[id_] for id_ in common)
    return Changes(changed, len(after) - len(common), len(before) - len(common))


def _rows(data: Dataset) -> dict[int, tuple[float, ...]]:
    return {id_: (*x, label) for id_, x, label in zip(data.ids.tolist(), data.X.tolist(), data.y.tolist(), strict=True)}
