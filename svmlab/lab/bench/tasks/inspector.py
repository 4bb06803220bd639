"""The selected point of a board of several classes or of values: the values of every f, its category, and why."""

from __future__ import annotations

from html import escape

from svmlab.lab.bench.panel import KKT, KKT_TITLE, TERM, WHY_FREE_BIAS
from svmlab.lab.board import classes_picture, tube_picture
from svmlab.lab.board.payload import category_text, coincident_counts
from svmlab.lab.glossary.marks import link
from svmlab.lab.numbers import bound_symbol, short, subscript, zero_if_rounding
from svmlab.lab.session.cache import Solved
from svmlab.lab.session.state import Lab
from svmlab.lab.words import N_, _
from svmlab.multiclass import Machines
from svmlab.regression import Fit, Place

NONE = N_("Select a point on the board to see its numbers.")
GIVEN = N_("class {own}, given class {given}: {said}.")
OWN = N_("In the machine of class {k}: {where}.")
ABOVE, BELOW = N_("above f"), N_("below f")
CONDITION = {  # formulas, the same in every language, for a point above f and for one below
    Place.INSIDE: ("|y − f| = {off} < ε = {eps}, ξ = ξ* = 0, α = α* = 0",) * 2,
    Place.EDGE_IDLE: ("|y − f| = ε = {eps}, ξ = ξ* = 0, α = α* = 0",) * 2,
    Place.EDGE_FREE: ("y − f = ε, ξ = 0, 0 < α = {load} < C = {C}", "f − y = ε, ξ* = 0, 0 < α* = {load} < C = {C}"),
    Place.EDGE_FULL: ("y − f = ε, ξ = 0, α = C = {C}", "f − y = ε, ξ* = 0, α* = C = {C}"),
    Place.OUTSIDE: (
        "y − f = {off} = ε + ξ, ξ = {slack} > 0, α = C = {C}",
        "f − y = {off} = ε + ξ*, ξ* = {slack} > 0, α* = C = {C}",
    ),
}
WHY = {
    Place.INSIDE: N_("It is inside the tube, so it costs nothing and is not felt: without it w would be the same."),
    Place.EDGE_IDLE: N_("It lies exactly on the edge, yet w needs no pull of it: without it w would be the same."),
    Place.EDGE_FREE: N_("It lies exactly on the edge and holds it there."),
    Place.EDGE_FULL: N_("It lies exactly on the edge and pulls as hard as C allows."),
    Place.OUTSIDE: N_("It is outside, so it pays slack and pulls as hard as C allows, however far out it is."),
}
VALUES = {"y": N_("value y"), "f": "f(x)", "r": "y − f", "alpha": "α", "star": "α*", "xi": "ξ", "xi_star": "ξ*"}
NAMED = {"f": TERM["f"], "alpha": TERM["alpha"], "xi": TERM["xi"]}


def inspector(lab: Lab, solved: Solved) -> str:
    """Return the selected point as HTML, or a sentence if no point is selected."""
    at = next((i for i, p in enumerate(lab.points) if p.id == lab.selected), None)
    if at is None:
        return f'<div class="sv-inspector sv-quiet">{_(NONE)}</div>'
    return _of_classes(lab, solved, at) if isinstance(solved, Machines) else _of_values(lab, solved, at)


def _of_classes(lab: Lab, machines: Machines, at: int) -> str:
    """Return each f, the predicted class, the standing, and the KKT conditions in the SVM of the point's own class."""
    data, standing = machines.problem.data, machines.categories[at]
    own = machines.machine(int(data.y[at]))
    values = {
        f"f{subscript(k)}": float(m.margins[at] * m.problem.data.y[at])
        for k, m in zip(machines.classes, machines.machines, strict=True)
    }
    given = int(machines.predict(data.X[at : at + 1])[0])
    head = _(GIVEN).format(given=given, own=int(data.y[at]), said=_(classes_picture.DESCRIPTION[standing]))
    category, C = own.categories[at], bound_symbol(own.problem)
    kkt = KKT[category].format(
        yf=short(zero_if_rounding(float(own.margins[at]), own.noise)),
        xi=short(float(own.xi[at])),
        alpha=short(float(own.alpha[at])),
        C=C,
        bound=short(float(own.problem.bounds[at])),
    )
    own_text = _(OWN).format(k=int(data.y[at]), where=category_text(own, category))
    rows = "".join(_cell(name, name, value, machines.noise) for name, value in values.items())
    return _block(
        lab, at, classes_picture.key(standing), escape(head), rows, f"{escape(own_text)} {escape(kkt)}", more=[]
    )


def _of_values(lab: Lab, fit: Fit, at: int) -> str:
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
    rows = "".join(_cell(name, VALUES[name], value, fit.noise) for name, value in numbers.items())
    kkt = CONDITION[place][side < 0].format(
        off=short(abs(r)),
        eps=short(fit.problem.eps),
        load=short(abs(float(fit.beta[at]))),
        slack=short(numbers["xi"] + numbers["xi_star"]),
        C=short(fit.problem.C),
    )
    head = _(tube_picture.DESCRIPTION[place]) + (f", {_(ABOVE if side > 0 else BELOW)}" if side else "")
    why = [_(WHY[place])]
    if place is Place.EDGE_FREE and fit.problem.bias:
        why.append(_(WHY_FREE_BIAS))
    return _block(lab, at, tube_picture.key(place), escape(head), rows, escape(kkt), why)


def _cell(key: str, name: str, value: float, noise: float) -> str:
    label = link(_(name), NAMED[key]) if key in NAMED else _(name)
    return f'<div data-value="{key}" title="{value!r}"><span>{label}</span><b>{short(value, noise=noise)}</b></div>'


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
