"""Who carries w: its two parts, and what deleting the points with multiplier 0 does to it in each form (S8, S9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from svmlab import Solution
from svmlab.lab.lessons.soft.carriers import Kept, kept, parts
from svmlab.lab.numbers import format_interval
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.state import Lab
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, reading, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, NONZERO_W, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Choice, Data, Op, Part, Pick, Reading, Step, Table, Try
from svmlab.lab.words import N_, _

WIDE = 1e-9  # an interval of b that is longer is one
PULLING = ("margin_free", "margin_full", "inside", "on_line", "wrong")  # the places of points with a multiplier above 0
FORMS = {"same_lam": N_("λ kept"), "same_price": N_("C kept"), "adjusted": N_("λ m/m′")}
VIEWS = FORMS | {"parts": N_("the parts of w")}


def without_idle(stage: Stage) -> Kept:
    """The machines of the support vectors alone."""
    return stage.cached("kept", lambda: kept(stage.solution))


def draw(stage: Stage) -> Data:
    """The points that are deleted dimmed, with the boundary of the others; or w as an arrow, and its two parts."""
    if not stage.shown or (stage.moving and not stage.lab.kernel_function.is_linear):
        return {}
    view = stage.pick("kept")
    if view == "parts":
        return {"overlay": _arrows(stage)}
    machine: Solution = getattr(without_idle(stage), view)
    return {"focus": {"cats": list(PULLING)}, "overlay": boundary_strokes(stage, f"kept {view}", machine, "accent")}


def _arrows(stage: Stage) -> list[Data]:
    """W from the origin, and its two parts tip to tail, in a scale that fits the board; none for another kernel."""
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


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many carry w, and both constants."""
    solution = stage.solution
    return [
        reading("α = 0", str(int((~solution.support).sum()))),
        reading("α > 0", str(int(solution.support.sum()))),
        reading("C", solution.problem.C),
        reading("λ", solution.problem.lam),
    ]


def answer(stage: Stage) -> int:
    """Yes in every form where w is the same at the same lambda, too."""
    return 1 if without_idle(stage).moved > 1e-6 else 0


def verdict(stage: Stage) -> str:
    """What happens, and why nothing does where nothing does."""
    if stage.solution.support.all():
        return _("Yes: every point is a support vector, so there is none to delete.")
    if not answer(stage):
        return _("Yes, in every form: a higher price of slack changes nothing any more.")
    return _("At the same C yes, at the same λ no.")


def chart(stage: Stage) -> Table:
    """The machine before and after, or the parts of w."""
    return Table(_parts(stage) if stage.pick("kept") == "parts" else _deleted(stage))


def _deleted(stage: Stage) -> str:
    without, picked = without_idle(stage), stage.pick("kept")
    names = {"same_price": _("C kept"), "same_lam": _("λ kept"), "adjusted": _("λ m/m′")}
    rows = [table.named_row(_("all {m} points").format(m=stage.data.m), _row(stage.solution))]
    rows += [table.named_row(names[form], _row(getattr(without, form)), form == picked) for form in names]
    return table.table(table.head("C", "|w|", "b", first=_("α = 0 deleted")), rows)


def _row(solution: Solution) -> list[str]:
    lo, hi = solution.b_interval
    b = table.words(" … ".join(format_interval(lo, hi, 3)), "") if hi - lo > WIDE else table.number(solution.b)
    return [table.number(solution.problem.C, 4), table.number(solution.norm_w, 4), b]


def _parts(stage: Stage) -> str:
    if not stage.lab.kernel_function.is_linear:
        return table.table(
            table.head("|w|", first=_("w")),
            [table.named_row(_("in feature space"), [table.number(stage.solution.norm_w)])],
        )
    slack, margin = parts(stage.solution)
    rows = (
        (_("w"), slack + margin, "accent"),
        (_("points with slack"), slack, "witness-line"),
        (_("margin line"), margin, "accent dashed"),
    )
    cells = (
        table.named_row(name, [table.swatch(style), *(table.number(float(x)) for x in (*v, np.hypot(*v)))])
        for name, v, style in rows
    )
    return table.table(table.head("", "w₁", "w₂", _("length"), first=_("part of w")), cells)


def says(stage: Stage) -> str:
    """What the view shows."""
    if stage.pick("kept") == "parts":
        return _(
            "The support vectors are of two kinds, and w needs both: the points with slack and those on "
            "their margin line."
        )
    if stage.solution.support.all():
        return _("Every point carries a part of w here, so in no form is there anything to change.")
    told = _("At the same λ the mean is over {kept} points, not {m}, and the price C = 1/(λ m′) rises, unless λ grows.")
    return told.format(kept=int(stage.solution.support.sum()), m=stage.data.m)


def more(stage: Stage) -> Sequence[Part]:
    """B, and the errata."""
    lo, hi = stage.solution.b_interval
    first, last = without_idle(stage).same_price.b_interval
    widened = _("On this board the interval of b has widened: a deleted point had held it.")
    return [
        _(
            "w stays at the same C; b can only gain freedom, where no vector with $0 < \\alpha_i < C$ is "
            "left to fix it."
        ),
        *([widened] if last - first > hi - lo + WIDE else []),
        _(
            "The Italian notes on SVM without bias (after Teorema 3) read as if only points with slack "
            "carried w. Those on "
            "the margin line belong to them. There, too, deleting is said as in the separable case: in the λ form it "
            "needs the larger λ."
        ),
    ]


def delete(form: str) -> Callable[[Stage], Op]:
    """The board without its points of alpha = 0; `form` says what is kept: "C", or "lambda"."""

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
    title=N_("Who carries w"),
    question=N_("Delete every point with α = 0. Does w stay as it is?"),
    choices=(
        Choice(
            N_("Yes, in every form"), N_("The λ form takes a mean. Over fewer points it makes slack dearer for each.")
        ),
        Choice(
            N_("Yes at the same C, but not at the same λ"),
            N_("The price does rise at the same λ; here w does not answer to it."),
        ),
        Choice(
            N_("No, in no form"), N_("At the same C a point with α = 0 has no part in w, nor in the conditions on it.")
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=24, noise=0.3, seed=2, value=0.1),
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED, NONZERO_W),
    draw=draw,
    numbers=numbers,
    picks=(Pick("kept", N_("What is kept"), tuple(VIEWS), "same_lam", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"w=\sum_{\xi>0}\alpha_i y_i x_i+\sum_{y f=1}\alpha_i y_i x_i, \quad \lambda'=\lambda\,\tfrac{m}{m'}",
    more=more,
    tries=(
        Try(N_("Delete, C kept"), delete("C")),
        Try(N_("Delete, λ kept"), delete("lambda")),
        Try(N_("One vs many"), board=preset("one_against_many", size=24, value=0.1)),
    ),
    shows=("S8", "S9"),
)
