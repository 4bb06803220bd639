"""X2: values in place of classes: a tube around the line, felt from outside only."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import EPS, Array
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.regression import Tube
from svmlab.statements.beyond import Edges, OtherTasks
from svmlab.statements.opinion import need_exact
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

LEAST = 1e-6  # part of what a level line pays at most that is worth a relative difference
ROUGH = 1e-5  # of the value: a gap that is no round-off
UNSOLVED = N_(
    "With so many features the primal is not solved by itself: the exact line pays what the dual "
    "earns, and none can pay less."
)
NEAR = 1e-8  # of half the range of y: so far beyond its edge an interior point may leave one that is on it


def paid(tube: Tube, Phi: Array, w: Array, b: float, near: float = 0.0) -> float:
    """1/2 |w|^2 + C sum max(0, |y - f| - eps), no more than `near` beyond the edge being on it; Phi (m, D), w (D,)."""
    beyond = np.abs(tube.data.y - Phi @ w - b) - tube.eps
    return 0.5 * float(w @ w) + tube.C * float(beyond[beyond > near].sum())


def earned(tube: Tube, alpha: Array, star: Array) -> float:
    """y'(a - a*) - eps sum (a + a*) - 1/2 (a - a*)'K(a - a*), all (m,)."""
    beta = alpha - star
    gain = float((tube.data.y - tube.middle) @ beta) + tube.middle * float(beta.sum())
    return gain - tube.eps * float((alpha + star).sum()) - 0.5 * float(beta @ tube.gram @ beta)


def open_still(tube: Tube, Phi: Array, alpha: Array, star: Array, b: float) -> float:
    """How far f of these multipliers may be from the optimum's at any point: X sqrt(2 g), g their own gap with its
    round-off.
    """
    w = (alpha - star) @ Phi
    value = paid(tube, Phi, w, b)
    gap = max(0.0, value - earned(tube, alpha, star))
    size = float(np.abs(tube.data.y).max()) + float((np.abs(alpha - star) @ np.abs(tube.gram)).max())
    blur = EPS * tube.C * tube.data.m * size
    return float(np.sqrt(2.0 * (gap + blur) * np.diag(tube.gram).max())) if gap <= ROUGH * value + blur else 0.0


@statement(
    "X2",
    N_("A tube for values"),
    sentence=N_(
        "Support vector regression tells a value by a line with a tube of half height ε: a point inside "
        "is not felt, one outside pays its distance to the edge. Both programs have the same value."
    ),
    formula=(
        r"\min_{w,b} \tfrac12\|w\|^2 + C\sum_i(\xi_i + \xi_i^*) \quad\text{ s.t. }\quad -\varepsilon - "
        r"\xi_i^* \le y_i - f(x_i) \le \varepsilon + \xi_i"
    ),
    source=(
        Source(
            "B",
            N_("Extensions"),
            "incomplete",
            quote="Real-valued outputs (support vector regression)",
            flaw=N_(
                "It does not say what takes the place of labels and street; with the values as labels the "
                "program does not fit them."
            ),
            at=50,
        ),
    ),
    conditions=N_(
        "C is finite. On a board of two classes x₂ is the value to be told from x₁, no label is asked, "
        "and ε is half of what lets a level line hold all values."
    ),
    tolerance=1e-6,
    page="extensions",
    machine="tube",
    repair=N_(
        "A point pays the ε-insensitive loss max(0, |y − f| − ε) and has two multipliers, α for the "
        "upper edge and α* for the lower: inside both are 0, on an edge its own is from 0 to C, outside "
        "it is C, and the other is 0."
    ),
    witness=Witness(
        ((0.0, 0.0), (1.0, 1.0), (0.5, 0.5)),
        (1, 1, 1),
        N_("The values 0, 1/2 and 1 at 0, 1/2 and 1: w = 1/2 and b = 1/4; with the values as labels w = 0."),
        C=100.0,
        task="values",
        eps=0.25,
    ),
)
def tube(s: Situation, tol: float) -> Outcome:
    """Values and f of both programs and of the exact tube; residuals of the primal against the multipliers of the
    others.
    """
    now = s.other_tasks
    t, e, d = now.tube, now.fit, now.dual
    y, Phi, unit = t.data.y, now.Phi, t.unit
    p = now.primal or carried(now)
    scale = max(p.value, LEAST * t.C * t.data.m * unit)
    fits = [(e.alpha, e.alpha_star, e.b), (d.alpha, d.alpha_star, d.b)]
    gaps = [open_still(t, Phi, a, star, b) for a, star, b in fits]
    values = np.array(
        [
            p.value,
            paid(t, Phi, p.w, p.b, NEAR * unit),
            e.objective,
            d.value,
            *(earned(t, a, star) for a, star, _ in fits),
        ]
    )
    lo, hi = e.b_interval
    free = hi > lo
    f = [Phi @ p.w + (e.b if free else p.b), *((a - star) @ t.gram + (e.b if free else b) for a, star, b in fits)]
    off = max(float(np.abs(f[0] - other).max()) for other in f[1:]) / unit
    outside = max(max(lo - b, b - hi, 0.0) for b in (p.b, d.b)) / unit
    r = y - f[0]
    left = t.eps - np.stack([r, -r])
    broken = broken_by(left, np.stack([e.alpha, e.alpha_star]), t.C) / unit
    need_exact(max(off, outside, broken), tol, *(2 * gap / unit for gap in gaps))
    nothing = LEAST * t.data.m * min(t.C, unit / (float(np.diag(t.gram).max()) or 1.0))
    spent = [max(float((a + star).sum()), nothing) for a, star, _ in fits]
    balance = max(abs(float((a - star).sum())) / all_ for (a, star, _), all_ in zip(fits, spent, strict=True))
    both = float(np.minimum(e.alpha, e.alpha_star).max()) / (float((e.alpha + e.alpha_star).max()) or 1.0)
    spread = float(np.ptp(values)) / scale
    sides = (
        Side("primal", p.value, r"\tfrac12\|w\|^2 + C\sum(\xi + \xi^*)"),
        Side("dual", d.value, (r"y^\top(\alpha - \alpha^*) - \varepsilon\sum(\alpha + \alpha^*) - \tfrac12(\alpha - "
        r"\alpha^*)^\top K(\alpha - \alpha^*)")),
        Side("half height of the tube", t.eps, r"\varepsilon"),
        Side("norm of w", float(np.linalg.norm(p.w)), r"\|w\|"),
        Side("largest difference of f, three solvers, in half ranges of y", off),
        Side("most that a point is on the wrong side of its edge for its multiplier", broken),
        Side("support vectors", float(e.support.sum()), r"\alpha_i + \alpha_i^* > 0"),
        *((Side("sum of all multipliers with their signs", float(e.beta.sum()), r"\sum_i(\alpha_i - \alpha_i^*)"),) if t.bias else ()),
    )  # fmt: skip
    residual = max(off, outside, broken, spread, balance if t.bias else 0.0, both)
    return Outcome(
        printed=as_labels(now, tol, p.value, scale),
        repaired=reading(tol, residual, *sides),
        control=reading(
            0.0,
            1.0 - float(e.support.mean()),
            Side("share of points with multiplier 0", 1.0 - float(e.support.mean())),
            words=N_("The line feels every point."),
        ),
        note=join_phrases(_made(s, t), "" if now.primal else UNSOLVED),
    )


def broken_by(left: Array, a: Array, C: float) -> float:
    """Most that a point is beyond its edge with a multiplier below C, or short of it with one above 0; left, a (2,
    m).
    """
    beyond, short = np.where(a < C, -left, 0.0), np.where(a > 0, left, 0.0)
    return max(0.0, float(beyond.max()), float(short.max()))


def carried(now: OtherTasks) -> Edges:
    """The exact tube as a line of the primal, which pays no less than the least."""
    t, e = now.tube, now.fit
    w = e.beta @ now.Phi
    return Edges(w, e.b, e.alpha, e.alpha_star, paid(t, now.Phi, w, e.b))


def as_labels(now: OtherTasks, tol: float, least: float, scale: float) -> Reading | None:
    """The line of the program of classification with the values as labels, by what it pays in the tube's program."""
    try:
        t, w = now.tube, now.labelled
    except SolverFailed:
        return None
    theirs = min(paid(t, now.Phi, w, b) for b in offsets(t, now.Phi @ w))
    return reading(
        tol,
        (theirs - least) / max(theirs, scale),
        Side("least that a line pays", least),
        Side("what this line pays", theirs),
        Side("norm of its w", float(np.linalg.norm(w)), r"\|w\|"),
        words=N_(
            "The program of two classes with the values in the place of the labels gives the line; b is the "
            "best for it."
        ),
    )


def offsets(t: Tube, g: Array) -> Array:
    """Every b at which a point comes to an edge, where sum max(0, |y - g - b| - eps) is least; g (m,) is <w,
    phi(x)>.
    """
    kinks = t.data.y - g
    return np.unique(np.r_[kinks - t.eps, kinks + t.eps]) if t.bias else np.zeros(1)


def _made(s: Situation, t: Tube) -> str:
    if s.tube is not None:
        return ""
    return Phrase("Here x₂ is told from x₁, and ε = {eps:.4g}.", eps=t.eps)
