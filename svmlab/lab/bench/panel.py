"""Key figures and the inspector of the selected point, from numbers to HTML."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from svmlab import Category, Solution
from svmlab.binary.problem import EQUAL_COSTS
from svmlab.generalisation import HeldOut
from svmlab.lab.bench import confusion_table, held_out_words
from svmlab.lab.board.caption import axes_of
from svmlab.lab.board.hidden_parts import KERNEL, PRICE, hides_regularisation
from svmlab.lab.board.payload import category_text
from svmlab.lab.glossary.marks import link
from svmlab.lab.numbers import bound_symbol, bound_with_value, short, zero_if_rounding
from svmlab.lab.session.lab import Lab
from svmlab.lab.words import N_, _, bias, written

NO_FIGURES = N_("There is no classifier for these points and settings.")
NOT_PROVEN = N_("not certified")
ALL_ON = N_("w = 0 and f = 0 everywhere. Every point is on the boundary, so every point is an error.")
CONSTANT = N_("w = 0, so f = {b} everywhere. The errors are all points of the other class.")
CONSTANT_OF_ONE = N_("w = 0, so f = {b} everywhere. There are points of one class only.")
FIGURE = {
    "margin": (N_("margin 1/‖w‖"), N_("Distance from the boundary to each margin line{space}.")),
    "width": (N_("width 2/‖w‖"), N_("Distance between the two margin lines{space}.")),
    "support": (
        N_("support vectors"),
        N_("Points with α > 0. Free ones are on a margin line, and the others have α = {C}."),
    ),
    "errors": (
        N_("errors"),
        N_("Misclassified points are on the wrong side of the boundary, or exactly on it (y f ≤ 0)."),
    ),
    "unseen": (
        N_("test error"),
        N_(
            "An estimate of the probability that a new point is misclassified (y f ≤ 0). Each error counts once, "
            "whatever its class costs."
        ),
    ),
    "slack": (
        "Σ ξ",
        N_("Sum of the slack variables ξ = max(0, 1 − y f), in units of f. As a distance, a slack is ξ/‖w‖."),
    ),
    "gap": (
        N_("duality gap"),
        N_("(primal − dual) / primal. It is 0 at the optimum, up to rounding."),
    ),
}
WHY_ONE_CLASS = N_("Only one class has points, so f is the same everywhere and all multipliers are 0.")
WHY_CONSTANT = N_("Here w = 0, so f is the same everywhere and there is no boundary. Without this point b may change.")
WHY_FREE_BIAS = N_("Free support vectors like this one determine b.")
WHY = {
    Category.OUTSIDE: N_(
        "It is outside the margin, so its constraint is inactive and its multiplier must be 0. Without it the "
        "boundary would be the same."
    ),
    Category.MARGIN_IDLE: N_(
        "It is exactly on its margin line, but other points already determine the boundary. Its multiplier is 0, "
        "so you could delete it."
    ),
    Category.MARGIN_FREE: N_("It is exactly on its margin line, and the boundary depends on it."),
    Category.MARGIN_FULL: N_("It is exactly on its margin line, and its multiplier is at its upper bound {C}."),
    Category.INSIDE: N_(
        "It is on the correct side but inside the margin. So its slack is positive, and its multiplier is at its "
        "upper bound {C}."
    ),
    Category.ON_LINE: N_(
        "It is exactly on the boundary. So its slack is 1, and its multiplier is at its upper bound {C}."
    ),
    Category.WRONG: N_(
        "It is on the wrong side. So its slack is greater than 1, and its multiplier is at its upper bound {C}."
    ),
}
KKT = {  # formulas, the same in every language
    Category.OUTSIDE: "y f = {yf} ≥ 1, ξ = 0, α = 0",
    Category.MARGIN_IDLE: "y f = 1, ξ = 0, α = 0",
    Category.MARGIN_FREE: "y f = 1, ξ = 0, 0 < α = {alpha} < {bound}",
    Category.MARGIN_FULL: "y f = 1, ξ = 0, α = {bound}",
    Category.INSIDE: "y f = {yf} = 1 − ξ, ξ = {xi} > 0, α = {bound}",
    Category.ON_LINE: "y f = 0 = 1 − ξ, ξ = 1, α = {bound}",
    Category.WRONG: "y f = {yf} = 1 − ξ, ξ = {xi} > 1, α = {bound}",
}
INSPECT = {"f": "f(x)", "yf": "y f(x)", "xi": "ξ", "alpha": "α", "distance": N_("geometric margin")}
COINCIDENT = N_("{n} points here")
COINCIDENT_OF_BOTH = N_("{n} points here: {plus} of class +1, {minus} of class −1")
INSPECT_NONE = N_("Select a point to see its f, ξ, α and its KKT conditions.")
KKT_TITLE = N_("KKT conditions")
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
NO_BREAK = "\u00a0"  # a sign, a number and its unknown stay on one line
OPENS_MATRIX = ("errors", "unseen")  # the key figures that count errors, so they open the confusion matrix


def figures(
    lab: Lab,
    solution: Solution | None,
    pinned: tuple[Lab, Solution] | None = None,
    held_out_result: tuple[HeldOut | None, HeldOut | None] = (None, None),
    hidden: Collection[str] = (),
) -> str:
    """Return one row of key figures: margin, width, support vectors, errors, slack, gap, and perhaps the test error.

    The exact values are shown on hover, and a pinned fit adds its values below. held_out_result: the results of the
    present and of the pinned SVM on test points, if they are wanted. hidden: what the link hides.
    """
    if solution is None:
        return f'<div class="sv-figures sv-quiet">{_(NO_FIGURES)}</div>'
    shown = _row(cells(solution, lab.unseen, held_out_result[0], hidden))
    ghosts = [""] * len(shown)
    if pinned is not None:
        past = _row(cells(pinned[1], lab.unseen, held_out_result[1], hidden))
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
    solution: Solution,
    with_test_error: bool = False,
    held_out_result: HeldOut | None = None,
    hidden: Collection[str] = (),
) -> list[held_out_words.Cell]:
    """Return the key figures as (key, value, exact value, space, text below), with the test error if wanted.

    What reveals the kernel or C is left out where the link hides it.
    """
    norm = solution.norm_w
    margin = 1 / norm if norm else float("nan")
    errors = int(solution.errors.sum())
    on_boundary = sum(c is Category.ON_LINE for c in solution.categories)
    split = _("{free} free, {full} at {C}").format(
        C=bound_symbol(solution.problem), free=int(solution.free.sum()), full=int(solution.at_bound.sum())
    )
    split = _("all free") if solution.problem.hard and not hides_regularisation(hidden) else split
    sides = _("errors: {n}, {on_line} of them on the boundary").format(n=errors, on_line=on_boundary)
    space = "" if solution.problem.kernel.is_linear or KERNEL in hidden else _("in feature space")
    slack, gap = float(solution.xi.sum()), solution.gap
    below = _("{n} of them on the boundary").format(n=on_boundary) if on_boundary else ""
    if with_test_error and not below:
        below = _("{share} of {m}").format(share=held_out_words.percent(errors / len(solution.xi)), m=len(solution.xi))
    return [
        ("margin", short(margin), repr(margin), space, ""),
        ("width", short(2 * margin), repr(2 * margin), space, ""),
        ("support", str(int(solution.support.sum())), split, "", split),
        ("errors", str(errors), sides, "", below),
        *([held_out_words.cell(held_out_result)] if with_test_error else []),
        ("slack", short(slack), repr(slack), "", ""),
        ("gap", short(gap, 2, solution.floor), repr(gap), "", "" if solution.proven else _(NOT_PROVEN)),
    ]


def _cell(C: str, key: str, value: str, exact: str, space: str, below: str) -> str:
    """Return the HTML of a figure, whose element is not closed yet."""
    name, explain = FIGURE[key]
    title = escape(f"{_(explain).format(space=f' {space}' if space else '', C=C)} {exact}", quote=True)
    under = below or space
    opens = confusion_table.buttons(_(name)) if key in OPENS_MATRIX else ""
    return (
        f'<div class="sv-figure" data-figure="{key}" title="{title}"><span>{link(_(name), TERM[key])}</span>'
        f"<b>{value}{opens}</b>"
        f"<small>{under or '&nbsp;'}</small>"
    )


def axes(lab: Lab) -> str:
    """Return how both coordinates follow from the columns of a table, and what the classes are, or nothing."""
    parts = axes_of(lab)
    return f'<p class="sv-axes">{escape(" · ".join(parts))}</p>' if parts else ""


def formula(lab: Lab, solution: Solution | None, hidden: Collection[str] = ()) -> str:
    """Return f as a formula (w and b, or b and the number of terms), and lambda or C, whichever is not set.

    f is left out where the kernel is hidden, and lambda or C where the penalty is.
    """
    if solution is None:
        return ""
    noise = solution.noise
    b = _signed(zero_if_rounding(solution.b, noise)) if solution.problem.bias else ""
    if solution.problem.kernel.is_linear and solution.w is not None:
        w1, w2 = (float(v) for v in solution.w) if solution.norm_w else (0.0, 0.0)
        second = _signed(zero_if_rounding(w2, noise))
        words = f"f(x) = {short(w1, noise=noise)}{NO_BREAK}x₁ {second}{NO_BREAK}x₂ {b}"
        exact = f"w = ({w1!r}, {w2!r}), b = {bias(solution.b)!r}"
    elif solution.clipped_eigenvalue is not None:
        words = _("f(x) = Σ cᵢ k(xᵢ, x) {b}, without the eigenvalues below 0").format(b=b)
        exact = f"b = {bias(solution.b)!r}"
    else:
        words = _("f(x) = Σ αᵢ yᵢ k(xᵢ, x) {b}, over {n} support vectors").format(b=b, n=int(solution.support.sum()))
        exact = f"b = {bias(solution.b)!r}"
    other_parameter = f"λ = 1/(C m) = {short(lab.lam)}" if lab.face == "C" else f"C = 1/(λ m) = {short(lab.C)}"
    if lab.costs != EQUAL_COSTS:
        other_parameter += ", " + ", ".join(
            f"C{sign} = {short(lab.C * cost)}" for sign, cost in zip("₊₋", lab.costs, strict=True)
        )
    title = escape(exact, quote=True)
    parts = [] if KERNEL in hidden else [f'<span title="{title}">{words}</span>']
    parts += [] if hides_regularisation(hidden) else [f"<span>{other_parameter}</span>"]
    formula_html = f'<div class="sv-formula">{"".join(parts)}</div>' if parts else ""
    if solution.norm_w:
        return formula_html
    everywhere = zero_if_rounding(solution.b, noise)
    constant = CONSTANT if solution.problem.data.both_classes else CONSTANT_OF_ONE
    text = _(constant).format(b=short(everywhere)) if everywhere else _(ALL_ON)
    return f'{formula_html}<p class="sv-quiet">{text}</p>'


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{NO_BREAK}{short(abs(value))}"


def inspector(lab: Lab, solution: Solution | None, hidden: Collection[str] = ()) -> str:
    """Return the selected point as HTML: f, y f, ξ, α, its category, its KKT conditions, and an explanation.

    Where C is hidden, an α at its bound is C and no number. The distance, which only a linear kernel has, is hidden
    with the kernel.
    """
    at = next((i for i, p in enumerate(lab.points) if p.id == lab.selected), None)
    if solution is None:
        return '<div class="sv-inspector sv-quiet"></div>'
    if at is None:
        return f'<div class="sv-inspector sv-quiet">{_(INSPECT_NONE)}</div>'
    problem = solution.problem
    yf, y = zero_if_rounding(float(solution.margins[at]), solution.noise), float(problem.data.y[at])
    xi, alpha, bound = float(solution.xi[at]), float(solution.alpha[at]), float(problem.bounds[at])
    category = solution.categories[at]
    numbers = {"f": y * yf, "yf": yf, "xi": xi, "alpha": alpha}
    if problem.kernel.is_linear and solution.norm_w and KERNEL not in hidden:
        numbers["distance"] = yf / solution.norm_w
    C = bound_symbol(problem)
    in_words = {"alpha": C} if PRICE in hidden and solution.at_bound[at] else {}
    rows = "".join(
        f'<div data-value="{k}" title="{in_words.get(k, repr(v))}"><span>{link(_(INSPECT[k]), TERM[k])}</span>'
        f"<b>{in_words.get(k, short(v))}</b></div>"
        for k, v in numbers.items()
    )
    point = lab.points[at]
    place = f"({point.x / 1000:g},{NO_BREAK}{point.y / 1000:g})".replace("-", "−")
    labels_here = [p.label for p in lab.points if (p.x, p.y) == (point.x, point.y)]
    plus, minus = labels_here.count(1), labels_here.count(-1)
    twins = _(COINCIDENT_OF_BOTH if plus and minus else COINCIDENT).format(n=len(labels_here), plus=plus, minus=minus)
    upper = bound_with_value(C, None if PRICE in hidden else bound)
    kkt = written(KKT[category]).format(yf=short(yf), xi=short(xi), alpha=short(alpha), bound=upper)
    return (
        f'<div class="sv-inspector" data-category="{category.value}"><p><b>{place}</b> {"+1" if y > 0 else "−1"} · '
        f"{category_text(solution, category)}{f' · {twins}' if len(labels_here) > 1 else ''}</p>"
        f'<div class="sv-values">{rows}</div>'
        f"<p><span>{link(_(KKT_TITLE), 'kkt')}</span> {kkt}</p><p>{_why(solution, category)}</p></div>"
    )


def _why(solution: Solution, category: Category) -> str:
    if not solution.support.any():
        return _(WHY_ONE_CLASS)
    if solution.norm_w == 0:
        return _(WHY_CONSTANT)
    why = _(WHY[category]).format(C=bound_symbol(solution.problem))
    fixes = category is Category.MARGIN_FREE and solution.problem.bias
    return f"{why} {_(WHY_FREE_BIAS)}" if fixes else why
