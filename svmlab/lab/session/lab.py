"""The points on a board (in thousandths), the settings of its SVM, and the problems that the two define together."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from svmlab import Dataset, Problem, make_dataset
from svmlab.lab.session.axes import Axes
from svmlab.lab.session.controls import CLASSES, CONTROLS, FILLED_FRACTION, LABELS, VALUES, VIEWS
from svmlab.lab.session.svm_settings import B, SvmSettings, setting_values
from svmlab.multiclass import Classes, MulticlassProblem
from svmlab.regression import Tube, Values


class Point(NamedTuple):
    """A point in whole thousandths, so that the number that is drawn is also the one that is solved and linked."""

    id: int
    x: int
    y: int
    label: int


@dataclass(frozen=True)
class Lab(SvmSettings):
    """The points of a board and the settings of its SVM.

    `value` is C or lambda, whichever `face` names, and does not change when the number of points changes.

    task: what the labels of the points mean (a key of `controls.LABELS`). The person's own board is BINARY, and a
    step may lend a board of another task. eps: half the height of the tube in a regression. second: the settings of a
    second SVM, board B, beside this one, board A, on the same points. active: the board (A or B) whose settings the
    controls change. axes: the columns of the table from which the points were chosen, if there is one.
    """

    points: tuple[Point, ...] = ()
    task: str = CONTROLS["task"].default
    preset: str = CONTROLS["preset"].default
    size: int = CONTROLS["size"].default
    noise: float = CONTROLS["noise"].default
    seed: int = CONTROLS["seed"].default
    eps: float = CONTROLS["eps"].default
    unseen: bool = CONTROLS["unseen"].default
    view: float = CONTROLS["view"].default
    label: int = CONTROLS["label"].default
    selected: int | None = None
    second: SvmSettings | None = None
    active: str = CONTROLS["active"].default
    axes: Axes | None = None

    @cached_property
    def data(self) -> Dataset:
        """Return the points as a dataset of two classes.

        With several classes, the first class is +1 and all others are -1.
        """
        return Dataset(self.coordinates, [1 if p.label == 1 else -1 for p in self.points], self.ids)

    @property
    def coordinates(self) -> list[tuple[float, float]]:
        """Return (x1, x2) of each point."""
        return [(p.x / 1000, p.y / 1000) for p in self.points]

    @property
    def rows(self) -> list[tuple[int, int, int]]:
        """Return the points as rows (x, y, label) in thousandths, without their ids."""
        return [(p.x, p.y, p.label) for p in self.points]

    @property
    def ids(self) -> list[int]:
        """Return the identifier of each point."""
        return [p.id for p in self.points]

    @cached_property
    def point_by_row(self) -> dict[tuple[int, float, float, int], Point]:
        """Return each point by the row that the board sends for it: (id, x1, x2, label)."""
        return {(p.id, p.x / 1000, p.y / 1000, p.label): p for p in self.points}

    @cached_property
    def multiclass_problem(self) -> MulticlassProblem:
        """Return the multiclass problem on these points, not yet solved; labels +1 and -1 become classes 1 and 2."""
        classes = [p.label if p.label > 0 else 2 for p in self.points]
        return MulticlassProblem(Classes(self.coordinates, classes, self.ids), self.kernel_function, self.C, self.bias)

    @cached_property
    def regression_problem(self) -> Tube:
        """Return the problem of regressing x2 on x1, not yet solved. It does not use the labels."""
        return Tube(self.regression_data, self.kernel_function, self.C, self.eps, self.bias)

    @cached_property
    def regression_data(self) -> Values:
        """Return the points as inputs x1 with target values x2."""
        return Values([(x,) for x, _y in self.coordinates], [y for _x, y in self.coordinates], self.ids)

    @property
    def points_key(self) -> str:
        """Return a digest of the points, which does not depend on the settings of the SVM."""
        return self.multiclass_problem.data.key if self.task == CLASSES else self.data.key

    @cached_property
    def key(self) -> str:
        """Return a digest of the problem on these points. Equal keys mean equal results."""
        if self.task == CLASSES:
            return self.multiclass_problem.key
        return self.regression_problem.key if self.task == VALUES else self.problem.key

    @property
    def C(self) -> float:
        """Return C of the C-form: inf for the hard margin, and 1/(lambda m) if lambda is set instead."""
        if self.hard:
            return math.inf
        return self.value if self.face == "C" else 1.0 / (self.value * max(len(self.points), 1))

    @property
    def lam(self) -> float:
        """Return lambda of the mean-loss form: 0 for the hard margin, and 1/(C m) if C is set instead."""
        if self.hard:
            return 0.0
        return self.value if self.face == "lambda" else 1.0 / (self.value * max(len(self.points), 1))

    @cached_property
    def problem(self) -> Problem:
        """Return the two-class problem on these points, not yet solved."""
        return Problem(self.data, self.kernel_function, self.C, self.bias, self.costs)

    @cached_property
    def second_lab(self) -> Lab | None:
        """Return the same points with the settings of the second SVM, or None if there is no second SVM."""
        return None if self.second is None else replace(self, second=None, **setting_values(self.second))

    @property
    def active_lab(self) -> Lab:
        """Return the points with the settings that the controls change."""
        return self.second_lab or self if self.active == B else self

    @property
    def is_preset(self) -> bool:
        """Return whether the points are still exactly those of the preset."""
        return with_preset(self).points == self.points

    @property
    def undoable_settings(self) -> tuple[Any, ...]:
        """Return everything that the controls show, except the points and the fields in VIEW_FIELDS."""
        return *(getattr(self, name) for name in SETTINGS if name not in VIEW_FIELDS), self.second


# Undo leaves these fields as they are (selection, label of new points, view, active board): they change only what is
# looked at. All other settings are restored.
VIEW_FIELDS = ("selected", "label", "view", "active")
SETTINGS = tuple(CONTROLS)


def with_preset(lab: Lab) -> Lab:
    """Return `lab` with the points of its preset, size, noise and seed."""
    points = _preset(lab.preset, lab.size, lab.noise, lab.seed)
    return with_valid_labels(replace(lab, points=points, axes=None, selected=None, view=smallest_view(points)))


@lru_cache(64)
def _preset(preset: str, size: int, noise: float, seed: int) -> tuple[Point, ...]:
    """Return the points of a preset.

    They are cached because every operation on a board checks whether its points are still those of the preset.
    """
    data = make_dataset(preset, size, noise, seed)
    return tuple(
        Point(i, round(1000 * x), round(1000 * y), int(label))
        for i, ((x, y), label) in enumerate(zip(data.X.tolist(), data.y, strict=True), start=1)
    )


def with_valid_labels(lab: Lab) -> Lab:
    """Return `lab` with only labels that its task has.

    Any other label becomes the second label of the task: -1 for two classes and 2 for several. Values have one label
    only.
    """
    labels = LABELS[lab.task]

    def valid_label(label: int) -> int:
        return label if label in labels else labels[min(1, len(labels) - 1)]

    points = tuple(p._replace(label=valid_label(p.label)) for p in lab.points)
    return (
        lab
        if points == lab.points and lab.label in labels
        else replace(lab, points=points, label=valid_label(lab.label))
    )


def smallest_view(points: tuple[Point, ...]) -> float:
    """Return the smallest view that contains all points and leaves some space around them (FILLED_FRACTION)."""
    reach = max((max(abs(p.x), abs(p.y)) for p in points), default=0) / 1000
    return next((v for v in VIEWS if v >= 4.0 and reach <= FILLED_FRACTION * v), VIEWS[-1])
