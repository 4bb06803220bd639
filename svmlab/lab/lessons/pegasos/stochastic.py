"""Stochastic descent as the slides print it, and as it is repaired: Pegasos (L7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from svmlab.core.arrays import Array
from svmlab.firstorder.subgradient import Descent, sgd
from svmlab.firstorder.subgradient import Reading as Form
from svmlab.lab.lessons.pegasos.batch import ROUNDS
from svmlab.lab.lessons.pegasos.distance_chart import distances
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, OTHER_DRAWS, line_of, optimum_without_bias, seed, when_shown
from svmlab.lab.numbers import short
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Part, Reading, Step, Table, Try
from svmlab.lab.words import N_, _
from svmlab.pegasos import Progress

FORMS: tuple[Form, ...] = ("printed", "as written", "repaired")
STYLES: dict[Form, str] = {"printed": "minus dashed", "repaired": "accent"}


def runs(stage: Stage) -> Mapping[Form, Descent]:
    """The three, with the same draws. Raises Working until they are there."""
    data, lam, steps, draws = stage.data, stage.lab.lam, int(stage.pick("rounds")), seed(stage)

    def make(report: Progress) -> Mapping[Form, Descent]:
        def part(i: int) -> Progress:
            return lambda done: report((i + done) / len(FORMS))

        return {form: sgd(data, lam, steps, form, seed=draws, on_progress=part(i)) for i, form in enumerate(FORMS)}

    return stage.background_result(("sgd", data.key, lam, steps, draws), make)


def far(stage: Stage) -> Mapping[Form, Array]:
    """How far the average of each is from w* at the checkpoints, (k,) each."""
    w = optimum_without_bias(stage).w
    return {form: np.hypot(*(run.averages[0] - w).T) for form, run in runs(stage).items()}


def answer(stage: Stage) -> int:
    """Whether the printed line ends three times as far off as the repaired one."""
    ends = far(stage)
    return int(float(ends["printed"][-1]) > 3 * float(ends["repaired"][-1]))


def verdict(stage: Stage) -> str:
    """Both distances."""
    ends = {form: short(float(values[-1]), 2) for form, values in far(stage).items()}
    words = (
        _("no: its average is **{printed}** from w*, that of the repaired line {repaired}.")
        if answer(stage)
        else _("yes, as near: **{printed}** from w*, the repaired line {repaired}.")
    )
    return words.format(printed=ends["printed"], repaired=ends["repaired"])


def draw(stage: Stage) -> Data:
    """Where the printed and the repaired line have got to, over the board of w*."""
    if not stage.shown:
        return {}
    data, lam, draws = stage.data, stage.lab.lam, seed(stage)
    items: list[Data] = []
    short_runs = stage.cached(
        f"sgd lines {draws}", lambda: {form: sgd(data, lam, 300, form, seed=draws) for form in STYLES}
    )
    for form, style in STYLES.items():
        items += line_of(short_runs[form].averages[0, -1], stage.lab.view, style)
    return {"overlay": items}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The distances in the end."""
    ends = far(stage)
    names = (_("distance, printed"), _("without C m"), _("repaired"))
    return [reading(name, float(ends[form][-1])) for name, form in zip(names, FORMS, strict=True)]


def chart(stage: Stage) -> Chart:
    """The distances along the rounds."""
    ends = far(stage)
    lines = {
        _("printed"): (ends["printed"], "dash"),
        _("without C m"): (ends["as written"], "dot"),
        _("repaired"): (ends["repaired"], "solid"),
    }
    return Chart(distances(runs(stage)["repaired"].t, lines, stage.palette))


def more(stage: Stage) -> Sequence[Part]:
    """The lines that are compared."""
    rows = (
        (_("as printed"), _("w − w/r + x/r on a violation, else w")),
        (_("with label and shrinking"), _("w − w/r + y x/r")),
        (_("and with the weight"), _("w − w/r + C m y x/r")),
    )
    return [
        Table(
            table.table(table.head(_("one round")), [table.named_row(name, [table.words(line)]) for name, line in rows])
        ),
        _(
            "Three slips in one printed line: no label, no shrinking in between, no weight. With label and "
            "shrinking it minimises $C = 1/m$; the factor $C m = 1/\\lambda$ "
            "makes it the $C$ that is asked for. The printed step is constant; here all use $1/r$. "
            "On the board, after 300 rounds: accent the repaired line, dashed in the colour of class −1 the "
            "printed one, solid $w^*$."
        ),
    ]


STOCHASTIC = Step(
    key="stochastic",
    title=N_("Stochastic"),
    question=N_(
        "Gambosi's slides: on a violation **shrink and add x**, otherwise **leave w alone**. Does that reach $w^*$?"
    ),
    choices=(
        Choice(
            N_("Yes, it comes as near as the repaired line"),
            N_("It may, where class +1 alone decides; the label is missing."),
        ),
        Choice(N_("No, it ends up elsewhere"), N_("Three slips do harm in general; these points happen to hide them.")),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=16, face="lambda", value=0.1, bias=False),
    needs=IN_THE_PLANE,
    draw=draw,
    numbers=when_shown(numbers),
    picks=(ROUNDS,),
    chart=chart,
    says=N_("No label, no shrinking in between, no weight: three slips in one line. Repaired, it is Pegasos."),
    formula=r"w \leftarrow w - \tfrac1r w + \tfrac1r\, C m\, y_i x_i\,[\,i \in L\,]",
    more=more,
    tries=(
        Try(N_("λ = 1"), set_machine(face="lambda", value=1.0)),
        Try(N_("Separable"), board=preset("separable", size=12, face="lambda", value=0.05, bias=False)),
        OTHER_DRAWS,
    ),
    shows=("L7",),
)
