"""The selected point of a board of several classes or of values: the values of every f, its category, and why."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from svmlab.lab.bench.panel import KKT, KKT_TITLE, TERM, WHY_FREE_BIAS
from svmlab.lab.board import classes_picture, tube_picture
from svmlab.lab.board.hidden_parts import PRICE
from svmlab.lab.board.payload import category_text, coincident_counts
from svmlab.lab.glossary.marks import link
from svmlab.lab.numbers import bound_symbol, bound_with_value, short, subscript, zero_if_rounding
from svmlab.lab.session.cache import Solved
from svmlab.lab.session.lab import Lab
from svmlab.lab.words import N_, _, written
from svmlab.multiclass import OneVsRestSolution
from svmlab.regression import Fit, TubeCategory

NONE = N_("Select a point on the board to see its numbers.")
GIVEN = N_("class {own}, predicted class {given}: {said}.")
OWN = N_("For the classifier of class {k}: {where}.")
ABOVE, BELOW = N_("above f"), N_("below f")
CONDITION = {  # formulas, the same in every language, for a point above f and for one below
    TubeCategory.INSIDE: ("|y − f| = {off} < ε = {eps}, ξ = ξ* = 0, α = α* = 0",) * 2,
    TubeCategory.EDGE_IDLE: ("|y − f| = ε = {eps}, ξ = ξ* = 0, α = α* = 0",) * 2,
    TubeCategory.EDGE_FREE: (
        "y − f = ε, ξ = 0, 0 < α = {load} < {bound}",
        "f − y = ε, ξ* = 0, 0 < α* = {load} < {bound}",
    ),
    TubeCategory.EDGE_FULL: ("y − f = ε, ξ = 0, α = {bound}", "f − y = ε, ξ* = 0, α* = {bound}"),
    TubeCategory.OUTSIDE: (
        "y − f = {off} = ε + ξ, ξ = {slack} > 0, α = {bound}",
        "f − y = {off} = ε + ξ*, ξ* = {slack} > 0, α* = {bound}",
    ),
}
WHY = {
    TubeCategory.INSIDE: N_(
        "It is inside the tube, so its slack and its multiplier are 0. Without it w would be the same."
    ),
    TubeCategory.EDGE_IDLE: N_(
        "It is exactly on the edge of the tube, but its multiplier is 0. Without it w would be the same."
    ),
    TubeCategory.EDGE_FREE: N_("It is exactly on the edge of the tube, and w depends on it."),
    TubeCategory.EDGE_FULL: N_("It is exactly on the edge of the tube, and its multiplier is at its upper bound C."),
    TubeCategory.OUTSIDE: N_(
        "It is outside the tube. So its slack is positive, and its multiplier is at its upper bound C, however far "
        "away it is."
    ),
}
VALUES = {"y": N_("value y"), "f": "f(x)", "r": "y − f", "alpha": "α", "star": "α*", "xi": "ξ", "xi_star": "ξ*"}
NAMED = {"f": TERM["f"], "alpha": TERM["alpha"], "xi": TERM["xi"]}


def inspector(lab: Lab, solved: Solved, hidden: Collection[str] = ()) -> str:
    """Return the selected point as HTML, or a sentence if no point is selected. A hidden C is no number."""
    at = next((i for i, p in enumerate(lab.points) if p.id == lab.selected), None)
    if at is None:
        return f'<div class="sv-inspector sv-quiet">{_(NONE)}</div>'
    is_hidden = PRICE in hidden
    if isinstance(solved, OneVsRestSolution):
        return _of_classes(lab, solved, at, is_hidden)
    return _of_values(lab, solved, at, is_hidden)


def _of_classes(lab: Lab, machines: OneVsRestSolution, at: int, hides_C: bool) -> str:
    """Return each f, the predicted class, the standing, and the KKT conditions in the SVM of the point's own class."""
    data, standing = machines.problem.data, machines.categories[at]
    own = machines.machine(int(data.y[at]))
    values = {
        f"f{subscript(k)}": float(m.margins[at] * m.problem.data.y[at])
        for k, m in zip(machines.classes, machines.machines, strict=True)
    }
    given = int(machines.predict(data.X[at : at + 1])[0])
    head = _(GIVEN).format(given=given, own=int(data.y[at]), said=_(classes_picture.DESCRIPTION[standing]))
    category = own.categories[at]
    kkt = written(KKT[category]).format(
        yf=short(zero_if_rounding(float(own.margins[at]), own.noise)),
        xi=short(float(own.xi[at])),
        alpha=short(float(own.alpha[at])),
        bound=bound_with_value(bound_symbol(own.problem), None if hides_C else float(own.problem.bounds[at])),
    )
    own_text = _(OWN).format(k=int(data.y[at]), where=category_text(own, category))
    rows = "".join(_cell(name, name, value, machines.noise) for name, value in values.items())
    return _block(
        lab, at, classes_picture.key(standing), escape(head), rows, f"{escape(own_text)} {escape(kkt)}", more=[]
    )


def _of_values(lab: Lab, fit: Fit, at: int, hides_C: bool) -> str:
    """Return value, f, residual, multipliers and slacks, the place of the point, and its KKT conditions."""
    place, side = fit.categories[at], int(fit.sides[at])
    r = zero_if_rounding(float(fit.residuals[at]), fit.noise)
    numbers = {
        "y": float(fit.problem.data.y[at]),
        "f": float(fit.problem.data.y[at]) - r,
        "r": r,
        "alpha": float(fit.alpha[at]),
        "star": float(fit.alpha_star[at]),
        "xi": float(fit.xi[at]),
        "xi_star": float(fit.xi_star[at]),
    }
    at_bound = place in (TubeCategory.EDGE_FULL, TubeCategory.OUTSIDE)
    in_words = {name: "C" for name in ("alpha", "star") if hides_C and at_bound and numbers[name]}
    rows = "".join(_cell(name, VALUES[name], value, fit.noise, in_words.get(name)) for name, value in numbers.items())
    kkt = written(CONDITION[place][side < 0]).format(
        off=short(abs(r)),
        eps=short(fit.problem.eps),
        load=short(abs(float(fit.beta[at]))),
        slack=short(numbers["xi"] + numbers["xi_star"]),
        bound=bound_with_value("C", None if hides_C else fit.problem.C),
    )
    head = _(tube_picture.DESCRIPTION[place]) + (f", {_(ABOVE if side > 0 else BELOW)}" if side else "")
    why = [_(WHY[place])]
    if place is TubeCategory.EDGE_FREE and fit.problem.bias:
        why.append(_(WHY_FREE_BIAS))
    return _block(lab, at, tube_picture.key(place), escape(head), rows, escape(kkt), why)


def _cell(key: str, name: str, value: float, noise: float, in_words: str | None = None) -> str:
    label = link(_(name), NAMED[key]) if key in NAMED else _(name)
    exact, text = in_words or repr(value), in_words or short(value, noise=noise)
    return f'<div data-value="{key}" title="{exact}"><span>{label}</span><b>{text}</b></div>'


def _block(lab: Lab, at: int, category: str, head: str, rows: str, kkt: str, more: list[str]) -> str:
    point = lab.points[at]
    place = f"({point.x / 1000:g}, {point.y / 1000:g})".replace("-", "−")
    twins = coincident_counts(lab.data.X)[at]
    title = f"<p><b>{place}</b> · {head}{f' · {twins}' if twins else ''}</p>"
    why = f"<p>{escape(' '.join(more))}</p>" if more else ""
    return (
        f'<div class="sv-inspector" data-category="{category}">{title}<div class="sv-values">{rows}</div>'
        f"<p><span>{link(_(KKT_TITLE), 'kkt')}</span> {kkt}</p>{why}</div>"
    )
