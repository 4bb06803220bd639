"""The caption of a saved picture: the settings of the SVM and its key figures in words, and a name for the file."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from svmlab import Category, Solution
from svmlab.binary.problem import EQUAL_COSTS
from svmlab.lab.numbers import bound_symbol, setting, short
from svmlab.lab.session.state import Lab
from svmlab.lab.words import _


@dataclass(frozen=True)
class Caption:
    """The caption of a saved picture.

    name: the name of the file without its extension, of letters, digits, dots and hyphens. machine, figures: the
    parts of one line each.
    """

    name: str
    settings: tuple[str, ...]
    figures: tuple[str, ...]

    @property
    def as_json(self) -> dict[str, Any]:
        """Return the caption as the page gets it."""
        return {"name": self.name, "lines": [list(line) for line in (self.settings, self.figures) if line]}


def caption(lab: Lab, solution: Solution | None, *more: str) -> Caption:
    """Return the caption of a board, solved or not. The words in `more` go into the name of the file."""
    return Caption(file_name(lab, *more), settings_of(lab), _figures(lab, solution))


def file_name(lab: Lab, *more: str) -> str:
    """Return a file name for the settings: svmlab-gaussian-sigma-1-C-10."""
    kernel = lab.kernel_function
    settings = [f"{p.name}-{_plain(getattr(kernel, p.name))}" for p in kernel.parameters]
    regularisation = "hard-margin" if lab.hard else f"{lab.face}-{lab.value:g}"
    costs = [] if lab.costs == EQUAL_COSTS else ["costs", *(f"{cost:g}" for cost in lab.costs)]
    words = ["svmlab", *more, kernel.name, *settings, regularisation, *costs, *([] if lab.bias else ["no-bias"])]
    return re.sub(r"[^\w.]+", "-", "-".join(words), flags=re.ASCII)


def class_costs_text(lab: Lab) -> list[str]:
    """Return the class costs in words, and nothing if they are equal."""
    if lab.costs == EQUAL_COSTS:
        return []
    plus, minus = map(short, lab.costs)
    return [_("costs {plus} of +1, {minus} of −1").format(plus=plus, minus=minus)]


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def settings_of(lab: Lab) -> tuple[str, ...]:
    """Return kernel, regularisation, bias and number of points in words."""
    kernel = lab.kernel_function
    settings = ", ".join(f"{_(p.symbol)} = {setting(getattr(kernel, p.name))}" for p in kernel.parameters)
    name = _(kernel.subject)
    regularisation = _("hard margin, C = ∞") if lab.hard else f"{'C' if lab.face == 'C' else 'λ'} = {short(lab.value)}"
    bias = _("with bias b") if lab.bias else _("without bias b")
    return (
        f"{name}, {settings}" if settings else name,
        regularisation,
        *class_costs_text(lab),
        bias,
        _("{m} points").format(m=len(lab.points)),
    )


def _figures(lab: Lab, solution: Solution | None) -> tuple[str, ...]:
    if not lab.points:
        return ()
    if solution is None:
        return (_("no machine: this problem has no solution"),)
    norm = solution.norm_w
    wrong = sum(c is Category.WRONG for c in solution.categories)
    return (
        _("margin 1/|w| = {value}").format(value=short(1 / norm if norm else math.nan)),
        _("support vectors: {n}, of them at {C}: {full}").format(
            C=bound_symbol(solution.problem), n=int(solution.support.sum()), full=int(solution.at_bound.sum())
        ),
        _("errors: {n}").format(n=wrong),
        _("duality gap: {gap}").format(gap=short(solution.gap, 2, solution.floor)),
    )
