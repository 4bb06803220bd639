"""Key figures and the point inspector: numbers in, one quiet block of HTML out."""

from __future__ import annotations

from html import escape

from svmlab import Category, Solution
from svmlab.lab import text
from svmlab.lab.numbers import settled, short
from svmlab.lab.session.state import Lab


def figures(lab: Lab, solution: Solution | None, pinned: tuple[Lab, Solution] | None = None) -> str:
    """One row: margin, width, support vectors, errors, sum of the slacks, gap.

    Exact values on hover; a pinned fit adds its values below.
    """
    if solution is None:
        return f'<div class="sv-figures sv-quiet">{text.NO_FIGURES}</div>'
    shown = _cells(solution)
    ghosts = [""] * len(shown)
    if pinned is not None:
        ghosts = [f'<em title="{escape(exact, quote=True)}">{value}</em>' for _, value, exact, *_ in _cells(pinned[1])]
        ghosts[0] = ghosts[0].replace("<em ", f"<em data-pinned='{text.PINNED}' ", 1)
    cells = "".join(_cell(*cell) + ghost + "</div>" for cell, ghost in zip(shown, ghosts, strict=True))
    return f'<div class="sv-figures">{cells}</div>'


def _cells(solution: Solution) -> list[tuple[str, str, str, str, str]]:
    """(key, value, exact value, where, what stands below)."""
    norm = solution.norm_w
    margin = 1 / norm if norm else float("nan")
    wrong = sum(c is Category.WRONG for c in solution.categories)
    on_line = sum(c is Category.ON_LINE for c in solution.categories)
    split = text.SUPPORT.format(free=int(solution.free.sum()), full=int(solution.at_bound.sum()))
    split = text.SUPPORT_HARD if solution.problem.hard else split
    space = "" if solution.problem.kernel.straight else text.IN_FEATURE_SPACE
    slack, gap = float(solution.xi.sum()), solution.gap
    return [
        ("margin", short(margin), repr(margin), space, ""),
        ("width", short(2 * margin), repr(2 * margin), space, ""),
        ("support", str(int(solution.support.sum())), split, "", split),
        ("errors", str(wrong), f"{wrong} wrong, {on_line} on the boundary", "", ""),
        ("slack", short(slack), repr(slack), "", ""),
        ("gap", short(gap, 2, solution.floor), repr(gap), "", "" if solution.proven else text.NOT_PROVEN),
    ]


def _cell(key: str, value: str, exact: str, space: str, below: str) -> str:
    """A figure, its element still open."""
    name, explain = text.FIGURES[key]
    title = escape(f"{explain.format(space=space)} {exact}", quote=True)
    under = below or space.strip()
    return (
        f'<div class="sv-figure" data-figure="{key}" title="{title}"><span>{name}</span><b>{value}</b>'
        f"<small>{under or '&nbsp;'}</small>"
    )


def formula(lab: Lab, solution: Solution | None) -> str:
    """The function f written out (w and b, or b and the number of terms), and the price of slack in its other form."""
    if solution is None:
        return ""
    noise = solution.noise
    b = _signed(settled(solution.b, noise)) if solution.problem.bias else ""
    if solution.problem.kernel.straight and solution.w is not None:
        w1, w2 = (float(v) for v in solution.w) if solution.norm_w else (0.0, 0.0)
        words = text.FORMULA_LINEAR.format(w1=short(w1, noise=noise), w2=_signed(settled(w2, noise)), b=b)
        exact = f"w = ({w1!r}, {w2!r}), b = {solution.b!r}"
    elif solution.clipped is not None:
        words = text.FORMULA_CLIPPED.format(b=b)
        exact = f"b = {solution.b!r}"
    else:
        words = text.FORMULA_KERNEL.format(b=b, n=int(solution.support.sum()))
        exact = f"b = {solution.b!r}"
    other = text.FACE_C.format(lam=short(lab.lam)) if lab.face == "C" else text.FACE_LAMBDA.format(C=short(lab.C))
    return f'<div class="sv-formula"><span title="{escape(exact, quote=True)}">{words}</span><span>{other}</span></div>'


def plain(solution: Solution | None) -> str:
    """The machine in one line: margin, support vectors, errors."""
    if solution is None:
        return text.NO_FIGURES
    found = {key: value for key, value, *_ in _cells(solution)}
    return " · ".join(f"{text.FIGURES[key][0]} {found[key]}" for key in ("margin", "support", "errors"))


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'} {short(abs(value))}"


def inspector(lab: Lab, solution: Solution | None) -> str:
    """The selected point: f, yf, xi, alpha, its category, its line of the KKT conditions, and why."""
    at = next((i for i, p in enumerate(lab.points) if p.id == lab.selected), None)
    if at is None or solution is None:
        return f'<div class="sv-inspector sv-quiet">{text.INSPECT_NONE}</div>'
    yf, y = settled(float(solution.margins[at]), solution.noise), float(solution.problem.data.y[at])
    xi, alpha, C = float(solution.xi[at]), float(solution.alpha[at]), solution.problem.C
    category = solution.categories[at].value
    numbers = {"f": y * yf, "yf": yf, "xi": xi, "alpha": alpha}
    if solution.problem.kernel.straight and solution.norm_w:
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
        f"<p><span>{text.KKT_TITLE}</span> {kkt}</p><p>{_why(solution, category)}</p></div>"
    )


def _why(solution: Solution, category: str) -> str:
    if not solution.support.any():
        return text.WHY_ONE_CLASS
    return text.WHY[category] + (text.WHY_FREE_BIAS if category == "margin_free" and solution.problem.bias else "")
