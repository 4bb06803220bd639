"""The caption of a saved picture: the settings of the SVM and its key figures in words, and a name for the file."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from svmlab import Solution
from svmlab.binary.problem import EQUAL_COSTS
from svmlab.lab.board.hidden_parts import BIAS, KERNEL, hides_regularisation
from svmlab.lab.numbers import bound_symbol, setting, short
from svmlab.lab.session.controls import LABELS
from svmlab.lab.session.lab import Lab
from svmlab.lab.words import _


@dataclass(frozen=True)
class Caption:
    """The caption of a saved picture.

    name: the name of the file without its extension, of letters, digits, dots and hyphens. settings, figures,
    axes: the parts of one caption line each.
    """

    name: str
    settings: tuple[str, ...]
    figures: tuple[str, ...]
    axes: tuple[str, ...] = ()

    @property
    def as_json(self) -> dict[str, Any]:
        """Return the caption as the page gets it."""
        return {"name": self.name, "lines": [list(line) for line in (self.settings, self.figures, self.axes) if line]}


def caption(lab: Lab, solution: Solution | None, *more: str, hidden: Collection[str] = ()) -> Caption:
    """Return the caption of a board, solved or not, without what a link hides.

    The words in `more` go into the name of the file.
    """
    return Caption(
        file_name(lab, *more, hidden=hidden), settings_of(lab, hidden), _figures(lab, solution), axes_of(lab)
    )


def axes_of(lab: Lab) -> tuple[str, ...]:
    """Return how the coordinates follow from the columns of a table, and what the classes are, or nothing."""
    if lab.axes is None:
        return ()
    return *lab.axes.formulas, *map(_, lab.axes.class_names(LABELS[lab.task]))


def file_name(lab: Lab, *more: str, hidden: Collection[str] = ()) -> str:
    """Return a file name for the settings that are not hidden: svmlab-gaussian-sigma-1-C-10."""
    kernel = lab.kernel_function
    words = ["svmlab", *more]
    if KERNEL not in hidden:
        words += [kernel.name, *(f"{p.name}-{_plain(getattr(kernel, p.name))}" for p in kernel.parameters)]
    if not hides_regularisation(hidden):
        words.append("hard-margin" if lab.hard else f"{lab.face}-{lab.value:g}")
        words += [] if lab.costs == EQUAL_COSTS else ["costs", *(f"{cost:g}" for cost in lab.costs)]
    words += [] if lab.bias or BIAS in hidden else ["no-bias"]
    return re.sub(r"[^\w.]+", "-", "-".join(words), flags=re.ASCII)


def class_costs_text(lab: Lab) -> list[str]:
    """Return the class costs in words, and nothing if they are equal."""
    if lab.costs == EQUAL_COSTS:
        return []
    plus, minus = map(short, lab.costs)
    return [_("costs {plus} of +1, {minus} of −1").format(plus=plus, minus=minus)]


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def settings_of(lab: Lab, hidden: Collection[str] = ()) -> tuple[str, ...]:
    """Return kernel, regularisation, bias and number of points in words, without what is hidden."""
    kernel = lab.kernel_function
    settings = ", ".join(f"{_(p.symbol)} = {setting(getattr(kernel, p.name))}" for p in kernel.parameters)
    name = _(kernel.subject)
    regularisation = _("hard margin, C = ∞") if lab.hard else f"{'C' if lab.face == 'C' else 'λ'} = {short(lab.value)}"
    bias = _("with bias b") if lab.bias else _("without bias b")
    return (
        *([] if KERNEL in hidden else [f"{name}, {settings}" if settings else name]),
        *([] if hides_regularisation(hidden) else [regularisation, *class_costs_text(lab)]),
        *([] if BIAS in hidden else [bias]),
        _("{m} points").format(m=len(lab.points)),
    )


def _figures(lab: Lab, solution: Solution | None) -> tuple[str, ...]:
    if not lab.points:
        return ()
    if solution is None:
        return (_("no classifier: this problem has no solution"),)
    norm = solution.norm_w
    return (
        _("margin 1/|w| = {value}").format(value=short(1 / norm if norm else math.nan)),
        _("support vectors: {n}, of them at {C}: {full}").format(
            C=bound_symbol(solution.problem), n=int(solution.support.sum()), full=int(solution.at_bound.sum())
        ),
        _("errors: {n}").format(n=int(solution.errors.sum())),
        _("duality gap: {gap}").format(gap=short(solution.gap, 2, solution.floor)),
    )
