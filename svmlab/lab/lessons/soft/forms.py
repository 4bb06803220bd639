"""Four forms of the objective in the lecture notes, each solved by itself (S2)."""

from __future__ import annotations

from collections.abc import Sequence

from svmlab.lab.lessons.soft.variants import FORMS as KEYS
from svmlab.lab.lessons.soft.variants import LARGE, Form, forms, largest_difference
from svmlab.lab.lessons.soft.walk import SMALL_C, play_C
from svmlab.lab.numbers import short
from svmlab.lab.session.worker import Report
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Measure, Need, Part, Pick, Step, Table, Try, right, wrong
from svmlab.lab.words import N_, _, bias

STYLES = ("accent", "witness-line", "accent dashed", "witness-line dashed")
OBJECTIVES = dict(
    zip(KEYS, ("½‖w‖² + C Σ ξ", "(a/2)‖w‖² + Σ ξ", "(λ/2)‖w‖² + (1/m) Σ ξ", "μ‖w‖² + (1/m) Σ ξ"), strict=True)
)
LETTER = dict(zip(KEYS, "Caλμ", strict=True))
VIEWS = {"matched": N_("matching constants"), "same": N_("one number for all")}
SAME = 1e-6  # relative difference up to which two minimisers of the solver count as one
SHORT = Need(
    lambda stage: stage.situation.Phi.size <= LARGE,
    N_("To solve four quadratic programs with so many numbers would take too long."),
    {"kernel": "linear"},
)


def solved_forms(stage: Stage) -> tuple[Form, ...]:
    """Return the four forms, each solved. Raises Working until they are."""
    number = stage.lab.C if stage.pick("constants") == "same" else None
    problem = stage.lab.problem

    def make(report: Report) -> tuple[Form, ...]:
        return forms(problem, number, report)

    return stage.background_result(("soft", "forms", problem.key, number), make)


def different(solved: Sequence[Form]) -> int:
    """Return the number of different minimisers."""
    kept: list[Form] = []
    for form in solved:
        if all(largest_difference((form, other)) > SAME for other in kept):
            kept.append(form)
    return len(kept)


def draw(stage: Stage) -> Data:
    """Return the boundary of each form, the first on top."""
    if not stage.shown or stage.moving:
        return {}
    view, styled = stage.pick("constants"), zip(solved_forms(stage), STYLES, strict=True)
    drawn = [
        boundary_strokes(stage, f"form {f.key} {view}", f.machine(stage.lab.problem), style) for f, style in styled
    ]
    return {"overlay": [line for lines in reversed(drawn) for line in lines]}


def chart(stage: Stage) -> Table:
    """Return a table of the forms with their constants and their solutions."""
    rows = (
        table.named_row(
            OBJECTIVES[form.key],
            [
                table.swatch(style),
                f'<td title="{form.constant!r}">{LETTER[form.key]} = {short(form.constant, 3)}</td>',
                table.number(form.norm, 4),
                table.number(bias(form.solution.b), 3, noise=1e-7) if stage.lab.bias else table.words("–", ""),
            ],
        )
        for form, style in zip(solved_forms(stage), STYLES, strict=True)
    )
    return Table(table.table(table.head("", _("constant"), "‖w‖", "b", first=_("minimise")), rows))


def verdict(stage: Stage) -> str:
    """Return the answer with the norm of the minimiser."""
    words = _(
        "One. Each objective is a positive multiple of the first one, so w is the same, with "
        "‖w‖\u00a0=\u00a0{norm} here."
    )
    return words.format(norm=short(stage.solution.norm_w, 3))


def says(stage: Stage) -> str:
    """Return what the rows are, and what to see."""
    if stage.pick("constants") == "matched":
        return _(
            "Each row is one form, solved separately. The four lines coincide, so you see only the top one on "
            "the board. The reason is that the objectives differ only by positive factors."
        )
    words = _(
        "Here all constants are {number}, and the forms have {n} different minimisers. The mean divides the "
        "slack by the number $m$ = {m} of points, and the last form has no $\\frac12$."
    )
    number, n = short(stage.lab.C), different(solved_forms(stage))
    return words.format(number=number, n=n, m=stage.data.m)


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, how the forms are solved, and which lecture notes state them."""
    lo, hi = stage.solution.b_interval
    return [
        _(
            "**Proof.** With $\\lambda = \\frac{1}{Cm}$, the third objective is the first one divided by $Cm$. With $a "
            "= \\frac1C$, the second one is the first one divided by $C$. With $\\mu = \\frac\\lambda2$, the fourth "
            "one is the third one. A positive factor changes the minimum value, but not the minimiser."
        ),
        _(
            "**How it is computed.** A solver for quadratic programs minimises each form as it is written, with $w$, "
            "$b$ and $\\xi$ as variables. "
        )
        + (_("The bias $b$ is not unique on this board, so each form can have another one.") if hi - lo > 1e-9 else ""),
        _(
            "**Lecture notes.** Gambosi's slides use $C$, and also $a$ (which they call $\\alpha$) for loss plus "
            "regulariser. The Italian notes on Pegasos and on SVM without bias use $\\frac\\lambda2$. The Italian "
            "notes on half-spaces use $\\lambda$ without $\\frac12$, which is called $\\mu$ here, because it is a "
            "different number."
        ),
    ]


FORMS = Step(
    key="forms",
    title=N_("Soft margin with C or with λ"),
    situation=N_(
        "The lecture notes write the objective in four forms. Two use the total slack: $\\frac12\\|w\\|^2 + "
        "C\\sum_i\\xi_i$ and $\\frac a2\\|w\\|^2 + \\sum_i\\xi_i$. Two use the mean over the $m$ points: "
        "$\\frac\\lambda2\\|w\\|^2 + \\frac1m\\sum_i\\xi_i$ and $\\mu\\|w\\|^2 + \\frac1m\\sum_i\\xi_i$."
    ),
    question=N_(
        "How many different minimisers $w$ do the four forms have if the constants match, so $C = \\frac1a = "
        "\\frac{1}{\\lambda m} = \\frac{1}{2\\mu m}$?"
    ),
    choices=(
        right(N_("One")),
        wrong(
            N_("Two, one for the sums and one for the means"),
            N_(
                "The mean divides the slack of the second form by m. However, λ\u00a0=\u00a0a/m, so its norm "
                "term is divided by m too."
            ),
        ),
        wrong(
            N_("Four, one for each form"),
            N_("The four minimum values can differ. However, a positive factor does not move the minimiser."),
        ),
    ),
    verdict=verdict,
    board=preset("overlapping", size=24, noise=0.3, seed=2, value=0.1),
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED, SHORT),
    introduces=("lambda",),
    draw=draw,
    play=lambda stage: play_C(stage, SMALL_C),
    rests_on_answer=lambda stage: different(solved_forms(stage)) == 1,
    numbers=(
        Measure("C", lambda stage: stage.lab.C, N_("the factor of the total slack")),
        Measure("λ", lambda stage: stage.lab.lam, N_("the constant 1/(C m)")),
        Measure("m", lambda stage: str(stage.data.m), N_("the number of points")),
    ),
    picks=(Pick("constants", N_("Constants"), tuple(VIEWS), "matched", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"C=\frac1a=\frac1{\lambda m}=\frac1{2\mu m}",
    more=more,
    tries=(
        Try(N_("C = 1"), set_machine(face="C", value=1.0)),
        Try(N_("10 points"), board=preset("overlapping", size=10, noise=0.3, seed=2, value=0.1)),
        Try(N_("60 points"), board=preset("overlapping", size=60, noise=0.3, seed=2, value=0.1)),
    ),
    shows=("S2", "T4"),
)
