"""Key figures and the inspector of the selected point, from numbers to HTML."""

from __future__ import annotations

from html import escape

from svmlab import Category, Solution
from svmlab.binary.problem import EQUAL_COSTS
from svmlab.generalisation import HeldOut
from svmlab.lab.bench import held_out_words
from svmlab.lab.board.payload import category_text
from svmlab.lab.glossary.marks import link
from svmlab.lab.numbers import bound_symbol, short, zero_if_rounding
from svmlab.lab.session.state import Lab
from svmlab.lab.words import N_, _

NO_FIGURES = N_("No machine to measure yet.")
NOT_PROVEN = N_("not proven")
ALL_ON = N_("w = 0 and f = 0: every point is on the boundary, none on its wrong side.")
CONSTANT = N_("w = 0: f = {b} everywhere; the errors are the points of the other class.")
FIGURE = {
    "margin": (N_("margin 1/|w|"), N_("Distance from the boundary to each margin line{space}.")),
    "width": (N_("width 2/|w|"), N_("Distance between the two margin lines{space}.")),
    "support": (N_("support vectors"), N_("Points with α > 0: free ones lie on the margin, the others have α = {C}.")),
    "errors": (
        N_("errors"),
        N_("Points on the wrong side of the boundary (y f < 0); points exactly on it are counted apart."),
    ),
    "unseen": (
        N_("unseen"),
        N_(
            "Held-out error: the share of points that the machine has not seen and has wrong (y f ≤ 0), each "
            "counted once, whatever its class costs."
        ),
    ),
    "slack": ("Σ ξ", N_("Sum of the slacks ξ = max(0, 1 − y f), in units of f; as a distance it is ξ/|w|.")),
    "gap": (
        N_("duality gap"),
        N_("(primal − dual) / primal. It is 0 at the optimum; what is left is rounding."),
    ),
}
WHY_ONE_CLASS = N_("Only one class is here, so f is the same everywhere and no multiplier is needed.")
WHY_FREE_BIAS = N_("Free vectors like this one fix b.")
WHY = {
    Category.OUTSIDE: N_(
        "It is beyond its margin line, so its constraint is slack and its multiplier must be 0: without "
        "it the boundary would be the same."
    ),
    Category.MARGIN_IDLE: N_(
        "It lies exactly on its margin line, yet the others already hold the boundary: its multiplier is "
        "0 and it could go."
    ),
    Category.MARGIN_FREE: N_("It lies exactly on its margin line and holds it there."),
    Category.MARGIN_FULL: N_("It lies exactly on its margin line and pulls as hard as {C} allows."),
    Category.INSIDE: N_(
        "It is on the right side but inside the margin, so it pays slack and pulls as hard as {C} allows."
    ),
    Category.ON_LINE: N_("It lies exactly on the boundary: slack 1, and it pulls as hard as {C} allows."),
    Category.WRONG: N_(
        "It is on the wrong side. It pays slack above 1 and pulls as hard as {C} allows; a stronger pull "
        "would need a larger {C}."
    ),
}
KKT = {  # formulas, the same in every language
    Category.OUTSIDE: "y f = {yf} ≥ 1, ξ = 0, α = 0",
    Category.MARGIN_IDLE: "y f = 1, ξ = 0, α = 0",
    Category.MARGIN_FREE: "y f = 1, ξ = 0, 0 < α = {alpha} < {bound}",
    Category.MARGIN_FULL: "y f = 1, ξ = 0, α = {C} = {bound}",
    Category.INSIDE: "y f = {yf} = 1 − ξ, ξ = {xi} > 0, α = {C} = {bound}",
    Category.ON_LINE: "y f = 0 = 1 − ξ, ξ = 1, α = {C} = {bound}",
    Category.WRONG: "y f = {yf} = 1 − ξ, ξ = {xi} > 1, α = {C} = {bound}",
}
INSPECT = {"f": "f(x)", "yf": "y f(x)", "xi": "ξ", "alpha": "α", "distance": N_("signed distance")}
COINCIDENT = N_("{n} points here")
COINCIDENT_OF_BOTH = N_("{n} points here: {plus} of class +1, {minus} of class −1")
INSPECT_NONE = N_("Select a point to see its f, ξ, α and its line of the optimality conditions.")
KKT_TITLE = N_("Optimality")
TERM = {  # of the glossary, by figure and by value of the inspector
    **{
        "margin": "margin",
        "width": "width",
        "support": "support-vector",
        "errors": "errors",
        "unseen": "unseen",
        "gap": "duality-gap",
    },
    **{"f": "decision-function", "yf": "functional-margin", "xi": "slack", "alpha": "multiplier"},
    **{"slack": "slack", "distance": "geometric-margin"},
}
PINNED = N_("pinned")


def figures(
    lab: Lab,
    solution: Solution | None,
    pinned: tuple[Lab, Solution] | None = None,
    held_out_result: tuple[HeldOut | None, HeldOut | None] = (None, None),
) -> str:
    """Return one row of key figures: margin, width, support vectors, errors, slack, gap, and perhaps the test error.

    The exact values are shown on hover, and a pinned fit adds its values below. found: the results of the present and
    of the pinned SVM on test points, if they are wanted.
    """
    if solution is None:
        return f'<div class="sv-figures sv-quiet">{_(NO_FIGURES)}</div>'
    shown = _row(cells(solution, lab.unseen, held_out_result[0]))
    ghosts = [""] * len(shown)
    if pinned is not None:
        past = _row(cells(pinned[1], lab.unseen, held_out_result[1]))
        ghosts = [f'<em title="{escape(exact, quote=True)}">{value}</em>' for _, value, exact, *_ in past]
        ghosts[0] = ghosts[0].replace("<em ", f"<em data-pinned='{escape(_(PINNED), quote=True)}' ", 1)
    row = "".join(
        _cell(bound_symbol(solution.problem), *cell) + ghost + "</div>"
        for cell, ghost in zip(shown, ghosts, strict=True)
    )
    return f'<div class="sv-figures">{row}</div>'


def _row(cells_: list[held_out_words.Cell]) -> list[held_out_words.Cell]:
    """Return the figures that fit into one row. The width, twice the margin, is left out beside the test error."""
    crowded = any(key == "unseen" for key, *_ in cells_)
    return [cell for cell in cells_ if not (crowded and cell[0] == "width")]


def figure_names(lab: Lab) -> list[str]:
    """Return the names of the key figures that are shown."""
    return [key for key in FIGURE if lab.unseen or key != "unseen"]


def cells(
    solution: Solution, with_test_error: bool = False, held_out_result: HeldOut | None = None
) -> list[held_out_words.Cell]:
    """Return the key figures as (key, value, exact value, space, text below), with the test error if wanted."""
    norm = solution.norm_w
    margin = 1 / norm if norm else float("nan")
    wrong = sum(c is Category.WRONG for c in solution.categories)
    on_boundary = sum(c is Category.ON_LINE for c in solution.categories)
    split = _("{free} free, {full} at {C}").format(
        C=bound_symbol(solution.problem), free=int(solution.free.sum()), full=int(solution.at_bound.sum())
    )
    split = _("all free") if solution.problem.hard else split
    sides = _("{wrong} wrong, {on_line} on the boundary").format(wrong=wrong, on_line=on_boundary)
    space = "" if solution.problem.kernel.is_linear else _("in feature space")
    slack, gap = float(solution.xi.sum()), solution.gap
    below = _("{n} on the boundary").format(n=on_boundary) if on_boundary else ""
    if with_test_error and not below:
        below = _("{share} of {m}").format(share=held_out_words.percent(wrong / len(solution.xi)), m=len(solution.xi))
    return [
        ("margin", short(margin), repr(margin), space, ""),
        ("width", short(2 * margin), repr(2 * margin), space, ""),
        ("support", str(int(solution.support.sum())), split, "", split),
        ("errors", str(wrong), sides, "", below),
        *([held_out_words.cell(held_out_result)] if with_test_error else []),
        ("slack", short(slack), repr(slack), "", ""),
        ("gap", short(gap, 2, solution.floor), repr(gap), "", "" if solution.proven else _(NOT_PROVEN)),
    ]


def _cell(C: str, key: str, value: str, exact: str, space: str, below: str) -> str:
    """Return the HTML of a figure, whose element is not closed yet."""
    name, explain = FIGURE[key]
    title = escape(f"{_(explain).format(space=f' {space}' if space else '', C=C)} {exact}", quote=True)
    under = below or space
    return (
        f'<div class="sv-figure" data-figure="{key}" title="{title}"><span>{link(_(name), TERM[key])}</span>'
        f"<b>{value}</b>"
        f"<small>{under or '&nbsp;'}</small>"
    )


def formula(lab: Lab, solution: Solution | None) -> str:
    """Return f as a formula (w and b, or b and the number of terms), and lambda or C, whichever is not set."""
    if solution is None:
        return ""
    noise = solution.noise
    b = _signed(zero_if_rounding(solution.b, noise)) if solution.problem.bias else ""
    if solution.problem.kernel.is_linear and solution.w is not None:
        w1, w2 = (float(v) for v in solution.w) if solution.norm_w else (0.0, 0.0)
        words = f"f(x) = {short(w1, noise=noise)} x₁ {_signed(zero_if_rounding(w2, noise))} x₂ {b}"
        exact = f"w = ({w1!r}, {w2!r}), b = {solution.b!r}"
    elif solution.clipped is not None:
        words = _("f(x) = Σ cᵢ k(xᵢ, x) {b}, the eigenvalues below 0 cut off").format(b=b)
        exact = f"b = {solution.b!r}"
    else:
        words = _("f(x) = Σ αᵢ yᵢ k(xᵢ, x) {b}, over {n} support vectors").format(b=b, n=int(solution.support.sum()))
        exact = f"b = {solution.b!r}"
    other_parameter = f"λ = 1/(C m) = {short(lab.lam)}" if lab.face == "C" else f"C = 1/(λ m) = {short(lab.C)}"
    if lab.costs != EQUAL_COSTS:
        other_parameter += ", " + ", ".join(
            f"C{sign} = {short(lab.C * cost)}" for sign, cost in zip("₊₋", lab.costs, strict=True)
        )
    title = escape(exact, quote=True)
    line = f'<div class="sv-formula"><span title="{title}">{words}</span><span>{other_parameter}</span></div>'
    if solution.norm_w:
        return line
    everywhere = zero_if_rounding(solution.b, noise)
    text = _(CONSTANT).format(b=short(everywhere)) if everywhere else _(ALL_ON)
    return f'{line}<p class="sv-quiet">{text}</p>'


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'} {short(abs(value))}"


def inspector(lab: Lab, solution: Solution | None) -> str:
    """Return the selected point as HTML: f, y f, ξ, α, its category, its KKT conditions, and an explanation."""
    at = next((i for i, p in enumerate(lab.points) if p.id == lab.selected), None)
    if at is None or solution is None:
        return f'<div class="sv-inspector sv-quiet">{_(INSPECT_NONE)}</div>'
    problem = solution.problem
    yf, y = zero_if_rounding(float(solution.margins[at]), solution.noise), float(problem.data.y[at])
    xi, alpha, bound = float(solution.xi[at]), float(solution.alpha[at]), float(problem.bounds[at])
    category = solution.categories[at]
    numbers = {"f": y * yf, "yf": yf, "xi": xi, "alpha": alpha}
    if problem.kernel.is_linear and solution.norm_w:
        numbers["distance"] = yf / solution.norm_w
    rows = "".join(
        f'<div data-value="{k}" title="{v!r}"><span>{link(_(INSPECT[k]), TERM[k])}</span><b>{short(v)}</b></div>'
        for k, v in numbers.items()
    )
    point = lab.points[at]
    place = f"({point.x / 1000:g}, {point.y / 1000:g})".replace("-", "−")
    labels_here = [p.label for p in lab.points if (p.x, p.y) == (point.x, point.y)]
    plus, minus = labels_here.count(1), labels_here.count(-1)
    twins = _(COINCIDENT_OF_BOTH if plus and minus else COINCIDENT).format(n=len(labels_here), plus=plus, minus=minus)
    kkt = KKT[category].format(
        yf=short(yf), xi=short(xi), alpha=short(alpha), C=bound_symbol(problem), bound=short(bound)
    )
    return (
        f'<div class="sv-inspector" data-category="{category.value}"><p><b>{place}</b> {"+1" if y > 0 else "−1"} · '
        f"{category_text(solution, category)}{f' · {twins}' if len(labels_here) > 1 else ''}</p>"
        f'<div class="sv-values">{rows}</div>'
        f"<p><span>{link(_(KKT_TITLE), 'kkt')}</span> {kkt}</p><p>{_why(solution, category)}</p></div>"
    )


def _why(solution: Solution, category: Category) -> str:
    if not solution.support.any():
        return _(WHY_ONE_CLASS)
    why = _(WHY[category]).format(C=bound_symbol(solution.problem))
    fixes = category is Category.MARGIN_FREE and solution.problem.bias
    return f"{why} {_(WHY_FREE_BIAS)}" if fixes else why
