"""Stochastic descent without the label, without shrinking in every step and without the factor 1/lambda (L7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.firstorder.subgradient import Descent, sgd
from svmlab.firstorder.subgradient import Reading as Form
from svmlab.lab.lessons.pegasos.batch import ROUNDS
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, OTHER_DRAWS, line_of, optimum_without_bias, seed
from svmlab.lab.numbers import short
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Part, Step, Table, Try
from svmlab.lab.words import N_, _
from svmlab.pegasos import Progress
from svmlab.plot.lines import FLOOR, Line, curves
from svmlab.plot.palette import Palette

FACTOR = 3.0  # more than so many times as far from w* as Pegasos counts as not converging
FORMS: tuple[Form, ...] = ("printed", "as written", "repaired")
STYLES: Mapping[Form, str] = {"printed": "witness-line dashed", "repaired": "accent"}


def runs(stage: Stage) -> Mapping[Form, Descent]:
    """Return a run of each form, with the same draws. Raises Working until all are known."""
    data, lam, T, draws = stage.data, stage.lab.lam, int(stage.pick("rounds")), seed(stage)

    def make(report: Progress) -> Mapping[Form, Descent]:
        def part(i: int) -> Progress:
            return lambda done: report((i + done) / len(FORMS))

        return {form: sgd(data, lam, T, form, seed=draws, on_progress=part(i)) for i, form in enumerate(FORMS)}

    return stage.background_result(("sgd", data.key, lam, T, draws), make)


def distances(stage: Stage) -> Mapping[Form, Array]:
    """Return the distances of the average iterates from w* at the checkpoints, (k,) each."""
    w = optimum_without_bias(stage).w
    return {form: np.asarray(np.hypot(*(run.averages[0] - w).T)) for form, run in runs(stage).items()}


def last_distance(form: Form) -> Measure:
    """Return the reading of the last distance of a form."""
    names: Mapping[Form, tuple[str, str]] = {
        "printed": (N_("distance: slides"), N_("distance of the average from w*, with the update of the slides")),
        "as written": (N_("without 1/λ"), N_("the same distance with label and shrinking, but without the factor 1/λ")),
        "repaired": ("Pegasos", N_("the same distance with Pegasos")),
    }
    name, definition = names[form]
    return Measure(name, lambda stage: float(distances(stage)[form][-1]), definition, after_show=True)


def answer(stage: Stage) -> int:
    """Return whether the update of the slides ends more than FACTOR times as far from w* as Pegasos."""
    ends = distances(stage)
    return int(float(ends["printed"][-1]) > FACTOR * float(ends["repaired"][-1]))


def verdict(stage: Stage) -> str:
    """Return both distances."""
    ends = {form: short(float(values[-1]), 2) for form, values in distances(stage).items()}
    words = (
        _(
            "No, more than 3 times as far as with Pegasos. The distances from w* are {slides} (slides) and "
            "{pegasos} (Pegasos)."
        )
        if answer(stage)
        else _(
            "Yes, at most 3 times as far as with Pegasos. The distances from w* are {slides} (slides) and "
            "{pegasos} (Pegasos)."
        )
    )
    return words.format(slides=ends["printed"], pegasos=ends["repaired"])


def draw(stage: Stage) -> Data:
    """Return, after Show, the lines of the average iterates with the update of the slides and with Pegasos."""
    if not stage.shown:
        return {}
    items: list[Data] = []
    for form, style in STYLES.items():
        items += line_of(runs(stage)[form].averages[0, -1], stage.lab.view, style)
    return {"overlay": items}


def chart(stage: Stage) -> Chart:
    """Return the distances over the steps."""
    return Chart(over_steps(runs(stage)["repaired"].t, distances(stage), stage.palette))


def over_steps(t: Index, distances: Mapping[Form, Array], palette: Palette) -> go.Figure:
    """Draw the distances (k,) of each form at the steps t (k,) on logarithmic axes."""
    x = np.asarray(t, dtype=float)
    looks: tuple[tuple[Form, str, str, str], ...] = (
        ("printed", _("slides"), palette.other, "dash"),
        ("as written", _("without 1/λ"), palette.quiet, "dot"),
        ("repaired", _("Pegasos"), palette.accent, "solid"),
    )
    lines = [Line(name, x, np.maximum(distances[form], FLOOR), colour, dash) for form, name, colour, dash in looks]
    return curves(lines, _("step t"), "‖w̄ − w*‖", palette, height=160)


def more(stage: Stage) -> Sequence[Part]:
    """Return the three updates, what each part is for, and what the slides state."""
    rows = (
        (_("slides"), _("w − w/t + x/t if y⟨w, x⟩ < 1, otherwise w")),
        (_("without 1/λ"), _("w − w/t + y x/t if y⟨w, x⟩ < 1, otherwise w − w/t")),
        (_("Pegasos"), _("w − w/t + y x/(λt) if y⟨w, x⟩ < 1, otherwise w − w/t")),
    )
    return [
        Table(
            table.table(table.head(_("new w")), [table.named_row(name, [table.words(update)]) for name, update in rows])
        ),
        _(
            "**The three parts.** If you omit the label $y$, points of class −1 push $w$ to the wrong side. If you "
            "shrink $w$ only after a margin violation, the gradient of the regulariser is missing in the other steps. "
            "If you omit only the factor $1/\\lambda$, you minimise $\\frac12\\|w\\|^2$ + mean hinge loss, which is "
            "$F$ with $\\lambda = "
            "1$."
        ),
        _(
            "**Lecture notes.** Gambosi's slides write $t_i$ for the label, and state “$\\mathbf{w}^{(r+1)} = "
            "\\mathbf{w}^{(r)} - \\alpha \\mathbf{w}^{(r)} + \\alpha_i \\phi(\\mathbf{x}_i)$” for a margin violation "
            "and “$\\mathbf{w}^{(r+1)} = \\mathbf{w}^{(r)}$” otherwise. Their step size is constant. Here all three "
            "updates use $1/t$."
        ),
    ]


STOCHASTIC = Step(
    key="stochastic",
    title=N_("The SGD update"),
    situation=N_(
        "Gambosi's slides state this update for stochastic gradient descent (SGD). If the drawn point $(x, y)$ "
        "has $y\\langle w, x\\rangle < 1$, then $w$ becomes $(1 - \\frac1t)\\,w + \\frac1t\\,x$ in step $t$. "
        "Otherwise $w$ does not change. In Pegasos, the last term is $\\frac{1}{\\lambda t}\\,y x$, and "
        "**every** step multiplies $w$ by $1 - \\frac1t$."
    ),
    question=N_(
        "Does the average iterate still come close to $w^*$ if the update omits the label $y$, the factor "
        "$1/\\lambda$, and the shrinking without a margin violation?"
    ),
    choices=(
        Choice(
            N_("Yes, at most 3 times as far as with Pegasos"),
            N_(
                "The update looks almost the same. However, the label, the factor 1/λ and a part of the shrinking are "
                "missing."
            ),
        ),
        Choice(
            N_("No, more than 3 times as far as with Pegasos"),
            N_("In general the missing parts lead to another w. On this board, they make little difference."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=16, face="lambda", value=0.1, bias=False),
    needs=IN_THE_PLANE,
    deeper=True,
    draw=draw,
    rests_on_answer=lambda stage: stage.shown and answer(stage) == 1,
    numbers=tuple(last_distance(form) for form in FORMS),
    picks=(ROUNDS,),
    chart=chart,
    says=N_(
        "The curves are the distances of the average iterate from $w^*$. The dotted one omits only "
        "$1/\\lambda$. The boundary of the slides' update is dashed pink on the board, and the one of Pegasos "
        "is green."
    ),
    formula=(
        r"w_{t+1} = (1 - \tfrac1t)\,w_t + \tfrac{1}{\lambda t}\,v_t, \;\; "
        r"v_t = y\,x \text{ if } y\langle w_t, x\rangle < 1, \text{ else } 0"
    ),
    more=more,
    tries=(
        Try(
            N_("One class"),
            board=board_of_points(((0.6, 0.2, 1), (0.3, 0.5, 1), (0.5, 0.4, 1)), face="lambda", value=1.0, bias=False),
        ),
        Try(N_("Separable"), board=preset("separable", size=12, face="lambda", value=0.05, bias=False)),
        OTHER_DRAWS,
    ),
    shows=("L7",),
)
