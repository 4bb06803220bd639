"""Key figures and the point inspector: numbers in, one quiet block of HTML out."""

from __future__ import annotations

from html import escape

from svmlab import Category, Linear, Solution
from svmlab.ui import text
from svmlab.ui.numbers import short
from svmlab.ui.state import Lab


def figures(lab: Lab, solution: Solution | None) -> str:
    """One row: the price of slack in its other form, margin, width, support vectors, errors, sum of the slacks, gap; exact values on hover."""
    if solution is None:
        return f'<div class="sv-figures sv-quiet">{text.NO_FIGURES}</div>'
    norm = solution.norm_w
    margin = 1 / norm if norm else float("nan")
    wrong = sum(c is Category.WRONG for c in solution.categories)
    on_line = sum(c is Category.ON_LINE for c in solution.categories)
    split = text.SUPPORT.format(free=int(solution.free.sum()), full=int(solution.at_bound.sum()))
    space = "" if isinstance(solution.problem.kernel, Linear) else text.IN_FEATURE_SPACE
    slack, gap = float(solution.xi.sum()), solution.gap
    other, price = ("lambda", lab.lam) if lab.face == "C" else ("C", lab.C)
    cells = [
        _cell(other, short(price), repr(price)),
        _cell("margin", short(margin), repr(margin), space),
        _cell("width", short(2 * margin), repr(2 * margin), space),
        _cell(
            "support",
            str(int(solution.support.sum())),
            text.SUPPORT_HARD if solution.problem.hard else split,
            "",
            split,
        ),
        _cell("errors", str(wrong), f"{wrong} wrong, {on_line} on the boundary"),
        _cell("slack", short(slack), repr(slack)),
        _cell("gap", short(gap, 2), repr(gap)),
    ]
    return f'<div class="sv-figures">{"".join(cells)}</div>'


def _cell(key: str, value: str, exact: str, space: str = "", below: str = "") -> str:
    name, explain = text.FIGURES[key]
    title = escape(f"{explain.format(space=space)} {exact}", quote=True)
    under = below or space.strip()
    return (
        f'<div class="sv-figure" data-figure="{key}" title="{title}"><span>{name}</span><b>{value}</b>'
        f"<small>{under or '&nbsp;'}</small></div>"
    )


def inspector(lab: Lab, solution: Solution | None) -> str:
    """The selected point: f, yf, xi, alpha, its category, its line of the KKT conditions, and why."""
    at = next((i for i, p in enumerate(lab.points) if p.id == lab.selected), None)
    if at is None or solution is None:
        return f'<div class="sv-inspector sv-quiet">{text.INSPECT_NONE}</div>'
    yf, y = float(solution.margins[at]), float(solution.problem.data.y[at])
    xi, alpha, C = float(solution.xi[at]), float(solution.alpha[at]), solution.problem.C
    category = solution.categories[at].value
    numbers = {"f": y * yf, "yf": yf, "xi": xi, "alpha": alpha}
    if isinstance(solution.problem.kernel, Linear) and solution.norm_w:
        numbers["distance"] = yf / solution.norm_w
    rows = "".join(
        f'<div data-value="{k}" title="{v!r}"><span>{text.INSPECT[k]}</span><b>{short(v)}</b></div>'
        for k, v in numbers.items()
    )
    point = lab.points[at]
    where = f"({point.x / 1000:g}, {point.y / 1000:g})".replace("-", "−")
    kkt = text.KKT[category].format(yf=short(yf), xi=short(xi), alpha=short(alpha), C=short(C))
    return (
        f'<div class="sv-inspector" data-category="{category}"><p><b>{where}</b> {"+1" if y > 0 else "−1"} · '
        f'{text.CATEGORIES[category]}</p><div class="sv-values">{rows}</div>'
        f"<p><span>{text.KKT_TITLE}</span> {kkt}</p><p>{text.WHY[category]}</p></div>"
    )
