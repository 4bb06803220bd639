"""Four ways to write it: the forms of the notes, each solved by itself as it is written (S2)."""

from __future__ import annotations

from collections.abc import Sequence

from svmlab.lab.lessons.soft.variants import FORMS as KEYS
from svmlab.lab.lessons.soft.variants import LARGE, Form, apart, forms
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, reading, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Data, Need, Part, Pick, Reading, Step, Table, Try, right, wrong
from svmlab.lab.words import N_, _

STYLES = ("accent", "witness-line", "accent dashed", "witness-line dashed")
WRITTEN = dict(
    zip(KEYS, ("½|w|² + C Σ ξ", "(a/2)|w|² + Σ ξ", "(λ/2)|w|² + (1/m) Σ ξ", "λ|w|² + (1/m) Σ ξ"), strict=True)
)
LETTER = dict(zip(KEYS, "Caλλ", strict=True))
VIEWS = {"matched": N_("matching constants"), "same": N_("the same number in all")}
SHORT = Need(
    lambda stage: stage.situation.Phi.size <= LARGE,
    N_("Four programs with so many numbers would take too long here."),
    {"kernel": "linear"},
)


def written(stage: Stage) -> tuple[Form, ...]:
    """The four forms, each solved. Raises Working until they are."""
    number = stage.lab.C if stage.pick("constants") == "same" else None
    problem = stage.lab.problem

    def make(report: Report) -> tuple[Form, ...]:
        return forms(problem, number, report)

    return stage.background_result(("soft", "forms", problem.key, number), make)


def draw(stage: Stage) -> Data:
    """The boundary of each form, the first on top."""
    if not stage.shown or stage.moving:
        return {}
    view, machines = stage.pick("constants"), zip(written(stage), STYLES, strict=True)
    drawn = [
        boundary_strokes(stage, f"form {f.key} {view}", f.machine(stage.lab.problem), style) for f, style in machines
    ]
    return {"overlay": [line for lines in reversed(drawn) for line in lines]}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The constants of the board."""
    return [reading("C", stage.lab.C), reading("λ", stage.lab.lam), reading("m", str(stage.data.m))]


def chart(stage: Stage) -> Table:
    """Each form with its constant, and what came out."""
    rows = (
        table.named_row(
            WRITTEN[form.key],
            [
                table.swatch(style),
                f'<td title="{form.constant!r}">{LETTER[form.key]} = {short(form.constant, 3)}</td>',
                table.number(form.norm, 4),
                table.number(form.found.b, 3, noise=1e-7) if stage.lab.bias else table.words("–", ""),
            ],
        )
        for form, style in zip(written(stage), STYLES, strict=True)
    )
    return Table(table.table(table.head("", _("constant"), "|w|", "b", first=_("minimise")), rows))


def says(stage: Stage) -> str:
    """What the view shows."""
    if stage.pick("constants") == "same":
        told = _("One number in all, and they part: the mean divides the slack by m = {m}, and a ½ is missing.")
        return told.format(m=stage.data.m)
    told = _("Each is the first one times a number. Solved one by one, their w differ by {apart} of its length.")
    return told.format(apart=short(apart(written(stage)), 1, ROUNDING))


def more(stage: Stage) -> Sequence[Part]:
    """Where they stand, who solved them, what is left open."""
    lo, hi = stage.solution.b_interval
    loose = _("b is not unique on this board, so each may take another one.")
    return [
        _(
            "C: Gambosi's English slides. λ/2: the Italian notes on SVM without bias and Pegasos. λ without the ½: the "
            "Italian notes on half-spaces and hinge. a: loss plus regulariser in Gambosi's slides."
        ),
        _("Each row was solved by cvxopt as it is written, with $w$, $b$ and $\\xi$ as variables."),
        *([loose] if stage.lab.bias and hi - lo > 1e-9 else []),
    ]


FORMS = Step(
    key="forms",
    title=N_("Four ways to write it"),
    question=N_(
        "The notes write the soft margin in four ways. With matching constants, how many different w come out?"
    ),
    choices=(
        right(N_("One")),
        wrong(
            N_("Two: sums and means differ"),
            N_("The mean divides the slack by m, and its constant is smaller to match."),
        ),
        wrong(N_("Four"), N_("Each looks different, but each is the first one times a number.")),
    ),
    verdict=lambda stage: _("One: multiples of one function."),
    board=preset("overlapping", size=24, noise=0.3, seed=2, value=0.1),
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED, SHORT),
    draw=draw,
    numbers=numbers,
    picks=(Pick("constants", N_("Constants"), tuple(VIEWS), "matched", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"C=\frac1a=\frac1{\lambda m}=\frac1{2\lambda' m}",
    more=more,
    tries=(
        Try(N_("C = 1"), set_machine(face="C", value=1.0)),
        Try(N_("m = 10"), board=preset("overlapping", size=10, noise=0.3, seed=2, value=0.1)),
        Try(N_("m = 60"), board=preset("overlapping", size=60, noise=0.3, seed=2, value=0.1)),
    ),
    shows=("S2",),
)
