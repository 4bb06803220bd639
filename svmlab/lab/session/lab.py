"""What is on a board and how its machine is set: points in thousandths, settings, and the problems that they make."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from svmlab import Dataset, Problem, make_dataset
from svmlab.lab.session import compare
from svmlab.lab.session.controls import CLASSES, CONTROLS, LABELS, ROOM, VALUES, VIEWS
from svmlab.lab.session.machine import SvmSettings, setting_values
from svmlab.multiclass import Classes, Several
from svmlab.regression import Tube, Values


class Point(NamedTuple):
    """A point in whole thousandths, so that what is drawn, solved and linked is the same number."""

    id: int
    x: int
    y: int
    label: int


@dataclass(frozen=True)
class Lab(SvmSettings):
    """Points and settings. `value` belongs to `face` (C or lambda) and stays when the number of points changes.

    task: what the points are (`controls.LABELS`); a person's own board is BINARY, a step may lend another. eps: half
    the height of the tube, where they are values. second: the machine of a second board B beside this one, A, on the
    same points. active: whose machine the controls change.
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

    @cached_property
    def data(self) -> Dataset:
        """The points as a dataset; of several classes the first against the others."""
        return Dataset(self.coordinates, [1 if p.label == 1 else -1 for p in self.points], self.ids)

    @property
    def coordinates(self) -> list[tuple[float, float]]:
        """(x1, x2) of each point."""
        return [(p.x / 1000, p.y / 1000) for p in self.points]

    @property
    def ids(self) -> list[int]:
        """The names of the points."""
        return [p.id for p in self.points]

    @cached_property
    def point_by_row(self) -> dict[tuple[int, float, float, int], Point]:
        """Each point by how the board says it: (id, x1, x2, label)."""
        return {(p.id, p.x / 1000, p.y / 1000, p.label): p for p in self.points}

    @cached_property
    def multiclass_problem(self) -> Several:
        """The machine of several classes on these points, not yet solved; two classes are 1 and 2."""
        classes = [p.label if p.label > 0 else 2 for p in self.points]
        return Several(Classes(self.coordinates, classes, self.ids), self.kernel_function, self.C, self.bias)

    @cached_property
    def regression_problem(self) -> Tube:
        """The regression of x2 on x1, not yet solved; the labels are not asked."""
        return Tube(self.regression_data, self.kernel_function, self.C, self.eps, self.bias)

    @cached_property
    def regression_data(self) -> Values:
        """The points as values x2 at places x1."""
        return Values([(x,) for x, _y in self.coordinates], [y for _x, y in self.coordinates], self.ids)

    @property
    def points_key(self) -> str:
        """A digest of the points, whatever the machine."""
        return self.multiclass_problem.data.key if self.task == CLASSES else self.data.key

    @cached_property
    def key(self) -> str:
        """A digest of the machine on these points: equal keys, equal results."""
        if self.task == CLASSES:
            return self.multiclass_problem.key
        return self.regression_problem.key if self.task == VALUES else self.problem.key

    @property
    def C(self) -> float:
        """C of the C-form: inf for the hard margin, 1/(lambda m) where lambda is the face."""
        if self.hard:
            return math.inf
        return self.value if self.face == "C" else 1.0 / (self.value * max(len(self.points), 1))

    @property
    def lam(self) -> float:
        """Lambda of the mean form, 0 for the hard margin."""
        if self.hard:
            return 0.0
        return self.value if self.face == "lambda" else 1.0 / (self.value * max(len(self.points), 1))

    @cached_property
    def problem(self) -> Problem:
        """The machine on these points, not yet solved."""
        return Problem(self.data, self.kernel_function, self.C, self.bias, self.costs)

    @cached_property
    def second_lab(self) -> Lab | None:
        """The same points under the second machine; None where there is none."""
        return None if self.second is None else replace(self, second=None, **setting_values(self.second))

    @property
    def active_lab(self) -> Lab:
        """The points under the machine that the controls change."""
        return self.second_lab or self if self.active == compare.B else self

    @property
    def is_preset(self) -> bool:
        """Whether the points are still the ones that the preset makes."""
        return with_preset(self).points == self.points

    @property
    def undoable_settings(self) -> tuple[Any, ...]:
        """What the controls show: everything but the points and how one looks at them."""
        return *(getattr(self, name) for name in SETTINGS if name not in LOOKS), self.second


# What a step of undo brings back; the rest (selection, class, view, whose controls) is how one looks, not what one did.
LOOKS = ("selected", "label", "view", "active")
SETTINGS = tuple(CONTROLS)


def with_preset(lab: Lab) -> Lab:
    """`lab` with the points of its preset, size, noise and seed."""
    points = _preset(lab.preset, lab.size, lab.noise, lab.seed)
    return labelled(replace(lab, points=points, selected=None, view=smallest_view(points)))


@lru_cache(64)
def _preset(preset: str, size: int, noise: float, seed: int) -> tuple[Point, ...]:
    """Kept, as every act on a board asks whether its points are still those of the preset."""
    data = make_dataset(preset, size, noise, seed)
    return tuple(
        Point(i, round(1000 * x), round(1000 * y), int(label))
        for i, ((x, y), label) in enumerate(zip(data.X.tolist(), data.y, strict=True), start=1)
    )


def labelled(lab: Lab) -> Lab:
    """`lab` with labels that its task knows: of two classes the second is -1, of several 2; a value has none."""
    known = LABELS[lab.task]

    def fitting(label: int) -> int:
        return label if label in known else known[min(1, len(known) - 1)]

    points = tuple(p._replace(label=fitting(p.label)) for p in lab.points)
    return lab if points == lab.points and lab.label in known else replace(lab, points=points, label=fitting(lab.label))


def smallest_view(points: tuple[Point, ...]) -> float:
    """The smallest view that holds all points with a little room."""
    reach = max((max(abs(p.x), abs(p.y)) for p in points), default=0) / 1000
    return next((v for v in VIEWS if v >= 4.0 and reach <= ROOM * v), VIEWS[-1])
