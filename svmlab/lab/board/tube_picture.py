"""The picture of a board of values: the curve with its tube, each slack as a vertical segment, and the points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import numpy as np

from svmlab.lab.board.caption import Caption, file_name, settings_of
from svmlab.lab.board.hidden_parts import KERNEL
from svmlab.lab.board.payload import Data, coincident_counts, flat_coordinates, state_names
from svmlab.lab.numbers import format_interval, short
from svmlab.lab.session.controls import VALUES
from svmlab.lab.session.lab import Lab
from svmlab.lab.words import N_, _, bias_interval
from svmlab.regression import Fit, TubeCategory
from svmlab.regression.tube_categories import GROUPS
from svmlab.solvers.bias import bias_is_unique

STEPS = 241  # points of a curve across the board
DESCRIPTION = {
    TubeCategory.INSIDE: N_("inside the tube, |y − f| < ε"),
    TubeCategory.EDGE_IDLE: N_("on its edge, multiplier 0"),
    TubeCategory.EDGE_FREE: N_("on its edge, multiplier between 0 and C"),
    TubeCategory.EDGE_FULL: N_("on its edge, multiplier C"),
    TubeCategory.OUTSIDE: N_("outside, |y − f| > ε"),
}
GROUP = {"safe": N_("inside the tube"), "margin": N_("on its edge"), "violating": N_("outside")}


def key(category: TubeCategory) -> str:
    """Return the key of a category in the table of the categories of all tasks."""
    return f"{VALUES}_{category.value}"


def picture(lab: Lab, fit: Fit, with_values: bool) -> Data:
    """Return the curve, the edges of the tube and the points.

    with_values: also their numbers, left out during a drag.
    """
    return {
        "marks": marks(fit, with_values),
        "shade": None,
        "lines": lines(fit, lab.view),
        "slack": slack(lab, fit),
        "witness": None,
        "legend": legend(fit),
    }


def lines(fit: Fit, half: float) -> Data:
    """Return f, f + eps and f − eps across the board."""
    at = np.linspace(-half, half, 2 if fit.problem.kernel.is_linear else STEPS)
    f = fit.decision(at[:, None])
    eps = fit.problem.eps
    levels = {"zero": f, "plus": f + eps, "minus": f - eps}
    return {name: [flat_coordinates(np.column_stack([at, level]))] for name, level in levels.items()}


def slack(lab: Lab, fit: Fit) -> list[list[float]]:
    """Return [id, x, y, x, y of the edge] for every point outside the tube."""
    y, signed_slack = fit.problem.data.y, fit.xi - fit.xi_star
    return [
        [p.id, p.x / 1000, p.y / 1000, p.x / 1000, round(float(edge), 4)]
        for p, edge, over in zip(lab.points, y - signed_slack, signed_slack, strict=True)
        if over
    ]


def marks(fit: Fit, with_values: bool = True) -> Data:
    """Return how each point is drawn: fill by its multiplier over C, ring by its state."""
    return {
        "fill": np.round(np.abs(fit.beta) / fit.problem.C, 3).tolist(),
        "state": state_names(fit.states),
        "cat": [key(category) for category in fit.categories],
        "wrong": [False] * len(fit.states),
        "bound": "C",
        "values": _values(fit) if with_values else [],
    }


def _values(fit: Fit) -> list[list[str]]:
    """Return residual, slack and multiplier of each point, and how many points coincide with it."""
    X = np.column_stack([fit.problem.data.X, fit.problem.data.y])
    rows = zip(
        fit.residuals.tolist(), (fit.xi + fit.xi_star).tolist(), fit.beta.tolist(), coincident_counts(X), strict=True
    )
    return [[short(r, noise=fit.noise), short(xi), short(beta), more] for r, xi, beta, more in rows]


def legend(fit: Fit | None) -> Data:
    """Return the counts in three groups, and in the five places for the details."""
    counts = Counter(fit.categories if fit else ())
    groups = [
        {
            "key": f"{VALUES}_{name}",
            "text": _(GROUP[name]),
            "count": sum(counts[p] for p in all_),
            "cats": [key(p) for p in all_],
        }
        for name, all_ in GROUPS.items()
    ]
    cats = [{"key": key(p), "text": _(text), "count": counts[p]} for p, text in DESCRIPTION.items()]
    return {"groups": groups, "cats": cats, "moreText": _("details")}


def announcements(lab: Lab, fit: Fit | None) -> dict[str, str]:
    """Return in words what a change may affect."""
    entries = {"points": _("points: {n}").format(n=len(lab.points))}
    if fit is None:
        return entries
    n = int(fit.support.sum())
    return entries | {"support": _("support vectors: {n}").format(n=n), "outside": _outside(fit)}


def caption(lab: Lab, fit: Fit | None, hidden: Collection[str] = ()) -> Caption:
    """Return the caption of a saved picture, without what is hidden."""
    figures: tuple[str, ...] = ()
    if fit is not None:
        figures = (
            _("support vectors: {n}").format(n=int(fit.support.sum())),
            _outside(fit),
            _("duality gap: {gap}").format(gap=short(fit.gap, 2, fit.floor)),
        )
    tube = [] if KERNEL in hidden else [_("tube ε = {eps}").format(eps=short(lab.eps))]
    return Caption(file_name(lab, "tube", hidden=hidden), (*tube, *settings_of(lab, hidden)), figures)


def message(fit: Fit) -> str | None:
    """Return the message about w = 0 or about a b that is not unique, or None."""
    sentences = []
    if fit.norm_w == 0:
        sentences.append(_("Here w = 0, so f is the same everywhere."))
    lo, hi = bias_interval(fit.b_interval)
    if not bias_is_unique(lo, hi):
        first, last = format_interval(lo, hi)
        sentences.append(
            _("b is not unique. Every b from {lo} to {hi} is optimal. You see the middle one.").format(
                lo=first, hi=last
            )
        )
    return " ".join(sentences) or None


def _outside(fit: Fit) -> str:
    return _("outside the tube: {n}").format(n=sum(category is TubeCategory.OUTSIDE for category in fit.categories))
