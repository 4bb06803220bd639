"""Deleting the points with multiplier 0: what it does to w in each form, and the two parts of w (S8, S9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from svmlab import Solution
from svmlab.lab.lessons.soft.carriers import Retrained, parts, retrained
from svmlab.lab.numbers import format_interval, short
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.lab import Lab
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, NONZERO_W, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Choice, Data, Measure, Op, Part, Pick, Step, Table, Try
from svmlab.lab.words import N_, _, bias, bias_interval

WIDE = 1e-9  # a longer interval of b counts as an interval
UNMOVED = 1e-6  # relative distance of two w that count as equal
POSITIVE = ("margin_free", "margin_full", "inside", "on_line", "wrong")  # the cases with a multiplier above 0
FORMS = {"same_lam": N_("same λ"), "same_price": N_("same C"), "adjusted": N_("λ m/m′")}
VIEWS = FORMS | {"parts": N_("parts of w")}


def without_deleted(stage: Stage) -> Retrained:
    """Return the SVMs that are trained on the support vectors alone."""
    return stage.cached("kept", lambda: retrained(stage.solution))


def draw(stage: Stage) -> Data:
    """Dim the deleted points and draw the boundary of the others, or w as an arrow with its two parts."""
    if not stage.shown or (stage.moving and not stage.lab.kernel_function.is_linear):
        return {}
    view = stage.pick("kept")
    if view == "parts":
        return {"overlay": _arrows(stage)}
    solution: Solution = getattr(without_deleted(stage), view)
    return {"focus": {"cats": list(POSITIVE)}, "overlay": boundary_strokes(stage, f"kept {view}", solution, "accent")}


def _arrows(stage: Stage) -> list[Data]:
    """Return w from the origin, and its two parts tip to tail, in a scale that fits the board.

    There are none for another kernel.
    """
    if not stage.lab.kernel_function.is_linear:
        return []
    slack, margin = parts(stage.solution)
    total = slack + margin
    scale = 0.6 * stage.lab.view / max(float(np.linalg.norm(v)) for v in (slack, margin, total))
    return [
        stroke(np.stack([0 * total, scale * slack]), "witness-line", "arrow"),
        stroke(np.stack([scale * slack, scale * total]), "accent dashed", "arrow"),
        stroke(np.stack([0 * total, scale * total]), "accent", "arrow"),
    ]


def answer(stage: Stage) -> int:
    """Return 0 if w is the same at the same lambda too, otherwise 1."""
    return 1 if without_deleted(stage).moved > UNMOVED else 0


def verdict(stage: Stage) -> str:
    """Return what happens to w, and why."""
    if stage.solution.support.all():
        return _("Yes, with the same C and with the same λ. Here every point has αᵢ > 0, so no point is deleted.")
    if not answer(stage):
        words = _(
            "Yes, with the same C and with the same λ. With the same λ, C grows to {C}, but this does not change "
            "w here."
        )
        return words.format(C=short(without_deleted(stage).same_lam.problem.C, 3))
    words = _("Yes with the same C, but no with the same λ. Then C grows to {C}, and ‖w‖ changes from {old} to {new}.")
    new = without_deleted(stage).same_lam
    return words.format(C=short(new.problem.C, 3), old=short(stage.solution.norm_w, 3), new=short(new.norm_w, 3))


def chart(stage: Stage) -> Table:
    """Return a table of the SVM before and after, or of the parts of w."""
    return Table(_parts(stage) if stage.pick("kept") == "parts" else _deleted(stage))


def _deleted(stage: Stage) -> str:
    without, chosen = without_deleted(stage), stage.pick("kept")
    rows = [table.named_row(_("all {m} points").format(m=stage.data.m), _row(stage.solution))]
    rows += [table.named_row(_(name), _row(getattr(without, form)), form == chosen) for form, name in FORMS.items()]
    return table.table(table.head("C", "‖w‖", "b", first=_("training")), rows)


def _row(solution: Solution) -> list[str]:
    lo, hi = solution.b_interval
    b = (
        table.words(" … ".join(format_interval(*bias_interval((lo, hi)), 3)), "")
        if hi - lo > WIDE
        else table.number(bias(solution.b))
    )
    return [table.number(solution.problem.C, 4), table.number(solution.norm_w, 4), b]


def _parts(stage: Stage) -> str:
    if not stage.lab.kernel_function.is_linear:
        return table.table(
            table.head("‖w‖", first="w"),
            [table.named_row(_("in feature space"), [table.number(stage.solution.norm_w)])],
        )
    slack, margin = parts(stage.solution)
    rows = (
        ("w", slack + margin, "accent"),
        (_("points with slack"), slack, "witness-line"),
        (_("on the margin line"), margin, "accent dashed"),
    )
    cells = (
        table.named_row(name, [table.swatch(style), *(table.number(float(x)) for x in (*v, np.hypot(*v)))])
        for name, v, style in rows
    )
    return table.table(table.head("", "w₁", "w₂", _("length"), first=_("part of w")), cells)


def says(stage: Stage) -> str:
    """Return what the rows are, and what to see."""
    if stage.pick("kept") == "parts":
        return _(
            "The first row is $w$, and the others are its two parts. One comes from the points with slack, and one "
            "from the points on their margin line. You see them as arrows on the board."
        )
    if stage.solution.support.all():
        return _("Each row is an SVM. Here every point is a support vector, so no point is deleted in any row.")
    words = _(
        "Each row is an SVM. The green line is the boundary of the highlighted one. With the same $\\lambda$, "
        "the mean has {left} and not {m} terms, so $C = 1/(\\lambda m')$ grows."
    )
    return words.format(left=int(stage.solution.support.sum()), m=stage.data.m)


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, what happens to b, and what the lecture notes state."""
    lo, hi = stage.solution.b_interval
    first, last = without_deleted(stage).same_price.b_interval
    widened = _("On this board, the interval of optimal $b$ becomes wider.")
    return [
        _(
            "**Proof.** At the same $C$, the multipliers of the remaining points still satisfy all KKT conditions, "
            "because a deleted point adds $0$ to $w$ and to $\\sum_i\\alpha_i y_i$. So they are optimal for the "
            "smaller training set, with the same $w$. At the same $\\lambda$, the constant is $C = 1/(\\lambda m')$, "
            "which is larger than before if a point was deleted."
        ),
        _(
            "**The bias.** $b$ is the same if a point with $0 < \\alpha_i < C$ determines it. Otherwise more values of "
            "$b$ can be optimal than before."
        )
        + (f" {widened}" if last - first > hi - lo + WIDE else ""),
        _(
            "**Lecture notes.** The Italian notes on SVM without bias (after Teorema 3) count all points with $\\xi_t "
            "> 0$ as support vectors. They add that not only points “a margine minimo” (of smallest margin) are "
            "support vectors. With slack, a point on its margin line does not have the smallest margin. If its "
            "$\\alpha_i$ is positive, it is a support vector as well. The same notes train on the support vectors "
            "alone. If you replace their $\\lambda$ by $\\lambda m/m'$, you get the same $w$."
        ),
    ]


def delete(form: str) -> Callable[[Stage], Op]:
    """Return the operation that deletes the points with alpha = 0 and keeps the constant `form`, "C" or "lambda"."""

    def op(stage: Stage) -> Op:
        lab = stage.lab
        points = tuple(p for p, on in zip(lab.points, stage.solution.support, strict=True) if on)
        limits = CONTROLS["value"]
        value = min(max(lab.C if form == "C" else lab.lam, limits.low), limits.high)
        left: Lab = replace(lab, points=points, face=form, value=value, selected=None)
        return {"op": "load", "lab": left}

    return op


SUPPORT = Step(
    key="support",
    title=N_("Deleting points with α = 0"),
    situation=N_(
        "Only support vectors ($\\alpha_i > 0$, with a ring) contribute to $w = \\sum_i\\alpha_i y_i x_i$. You "
        "delete the points with $\\alpha_i = 0$ and train again on the other $m'$ of $m$ points. You keep either "
        "$C$, or $\\lambda = \\frac{1}{Cm}$ in $\\frac\\lambda2\\|w\\|^2$ plus the mean slack (then over $m'$ "
        "points)."
    ),
    question=N_("Does $w$ stay the same if you delete all points with multiplier $\\alpha_i = 0$ and train again?"),
    choices=(
        Choice(
            N_("Yes, with the same C and with the same λ"),
            N_(
                "With the same C this is true. With the same λ, the mean runs over fewer points, so C grows and w "
                "changes."
            ),
        ),
        Choice(
            N_("Yes with the same C, but no with the same λ"),
            N_("With the same λ, C grows as soon as a point is deleted. However, w does not change on this board."),
        ),
        Choice(
            N_("No, neither with the same C nor with the same λ"),
            N_(
                "A deleted point adds nothing to w. With the same C, the KKT conditions of the other points still hold."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=24, noise=0.3, seed=2, value=0.1),
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED, NONZERO_W),
    deeper=True,
    draw=draw,
    rests_on_answer=lambda stage: answer(stage) == 1,
    numbers=(
        Measure("α = 0", lambda stage: str(int((~stage.solution.support).sum())), N_("the number of deleted points")),
        Measure("C", lambda stage: stage.solution.problem.C, N_("the factor of the total slack")),
        Measure("λ", lambda stage: stage.solution.problem.lam, N_("the constant 1/(C m)")),
    ),
    picks=(Pick("kept", N_("What stays the same"), tuple(VIEWS), "same_lam", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=(
        r"w=\sum_{\xi_i>0}\alpha_i y_i x_i+\sum_{y_i f(x_i)=1}\alpha_i y_i x_i, \quad "
        r"\lambda'=\lambda\,\tfrac{m}{m'}"
    ),
    more=more,
    tries=(
        Try(N_("Delete, same C"), delete("C")),
        Try(N_("Delete, same λ"), delete("lambda")),
        Try(N_("1 against 23"), board=preset("one_against_many", size=24, value=0.1)),
    ),
    shows=("S8", "S9"),
)
