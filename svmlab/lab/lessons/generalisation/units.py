"""Recall and precision on a rare class, with class costs, in other units, and after a rotation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from svmlab import Dataset, Solution
from svmlab.generalisation import Confusion
from svmlab.lab.bench import confusion_table
from svmlab.lab.lessons.generalisation.changes import (
    CHANGES,
    FIVE,
    PRICE,
    TURN,
    TURNED,
    UNITS,
    Changed,
    balanced,
    boundary,
    changed,
    confusion_after,
    rarer,
)
from svmlab.lab.numbers import short
from svmlab.lab.session.lab import Lab
from svmlab.lab.teach import table
from svmlab.lab.teach.overlay import set_dials, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, ROTATION_INVARIANT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Choice, Data, Op, Part, Pick, Reading, Step, Table, Try, dial, reading
from svmlab.lab.teach.tumours import standardised, tumours, with_tumours
from svmlab.lab.words import N_, _

LIMITS = (0.1, 10.0)  # of the factor
# Of so many tumours one is taken: malignant and benign ones for training, and malignant ones of the others as test
# points, so that they are about as rare there. All other benign ones are test points.
MALIGNANT, BENIGN, TEST = 21, 6, 6
DIAL = {UNITS: UNITS, PRICE: PRICE, TURN: "rotation"}  # the name of the slider of each change
OPTIONS = {UNITS: N_("x₂ in other units"), PRICE: N_("C of the rare class"), TURN: N_("rotation")}
SAYS = {
    UNITS: N_(
        "You see the new boundary (green) on the old shading. The **confusion matrix** counts true and predicted "
        "classes, before → after. The SVM depends on the units, so standardise the measurements first."
    ),
    PRICE: N_(
        "You see the new boundary (green) on the old shading. The **confusion matrix** counts true and predicted "
        "classes, before → after. A larger $C$ for the rare class usually raises recall and lowers precision."
    ),
    TURN: N_(
        "You see the new boundary (green) on the old shading. The **confusion matrix** counts true and predicted "
        "classes, before → after. A rotation keeps all distances, so every prediction stays the same."
    ),
}
FORMULAS = {
    UNITS: r"\langle A x, A z\rangle = x_1 z_1 + s^2\, x_2 z_2 \quad\text{for } x_2 \text{ times } s",
    PRICE: r"\min\ \tfrac12\,\|w\|^2 + \sum_i C_i\, \xi_i",
    TURN: r"\langle A x, A z\rangle = \langle x, z\rangle \quad\text{for a rotation } A",
}


@cache
def split() -> tuple[Dataset, Dataset]:
    """Return the rare tumours of the board, and the test tumours."""
    y = standardised()[1]
    malignant, benign = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
    training = np.r_[malignant[::MALIGNANT], benign[::BENIGN]]
    others = np.setdiff1d(malignant, training)[::TEST], np.setdiff1d(benign, training)
    return tumours(training), tumours(np.concatenate(others))


def board() -> Lab:
    """Return the board of 11 malignant and 60 benign tumours."""
    return with_tumours(Lab(value=0.1), split()[0])


def test_points(stage: Stage) -> Dataset | None:
    """Return the test tumours if most of the points are the tumours of the board, otherwise None."""

    def common() -> int:
        return len({point[1:] for point in board().points} & {point[1:] for point in stage.lab.points})

    return split()[1] if 2 * stage.cached_for_points("common tumours", common) > len(stage.lab.points) else None


def balanced_factor(stage: Stage) -> float:
    """Return the factor of C for the rare class with which both classes cost the same, within the slider."""
    return float(np.clip(balanced(stage.data), *LIMITS))


def amount(stage: Stage, change: str) -> float:
    """Return how much is changed: a factor, or degrees."""
    return stage.dial(DIAL[change], TURNED if change == TURN else FIVE)


def solved(stage: Stage, change: str, by: float) -> tuple[Changed, Solution | None]:
    """Return the changed problem and its solution."""
    posed = changed(stage.lab.problem, change, by)
    return posed, stage.cache.outcome(posed.problem).solution


def before(stage: Stage, data: Dataset) -> Confusion:
    """Return the confusion matrix of the SVM on the board."""
    return confusion_after(stage.solution, np.eye(2), data, rarer(stage.data))


def after(stage: Stage, data: Dataset, change: str, by: float) -> Confusion | None:
    """Return the confusion matrix after a change, or None if the changed problem has no solution."""
    posed, solution = solved(stage, change, by)
    return None if solution is None else confusion_after(solution, posed.A, data, rarer(stage.data))


def recall(matrix: Confusion) -> float:
    """Return the recall of the rare class, nan without points of it."""
    value = matrix.recalls[0].value
    return math.nan if value is None else value


def precision(matrix: Confusion) -> float:
    """Return the precision of the rare class, nan if no point is assigned to it."""
    value = matrix.precisions[0].value
    return math.nan if value is None else value


def recalls(stage: Stage) -> dict[str, float]:
    """Return the recall after each of the three changes of the question."""
    by = {UNITS: FIVE, PRICE: FIVE, TURN: TURNED}

    def measure() -> dict[str, float]:
        matrices = {change: after(stage, stage.data, change, by[change]) for change in CHANGES}
        return {change: math.nan if matrix is None else recall(matrix) for change, matrix in matrices.items()}

    return stage.cached("recalls", measure)


def answer(stage: Stage) -> int:
    """Return the one change that raises the recall on the rare class, or the last: none, or more than one."""
    earlier = recall(before(stage, stage.data))
    raised = [i for i, value in enumerate(recalls(stage).values()) if value > earlier]
    return raised[0] if len(raised) == 1 else len(CHANGES)


def verdict(stage: Stage) -> str:
    """Return the answer with the recalls."""
    words = (
        _(
            "Multiplying all values of x₂ by 5. The recall rises from {recall} to {units}, and with the other changes "
            "it does not rise."
        ),
        _(
            "Multiplying C by 5 for the rare class. Its recall rises from {recall} to {cost}, because its slack costs "
            "more."
        ),
        _("Rotating all points by 30°. The recall rises from {recall} to {turn}."),
        _("None of these changes, or more than one. The recall {recall} becomes {units}, {cost} and {turn}."),
    )[answer(stage)]
    after_change = recalls(stage)
    return words.format(
        recall=fraction(recall(before(stage, stage.data))),
        units=fraction(after_change[UNITS]),
        cost=fraction(after_change[PRICE]),
        turn=fraction(after_change[TURN]),
    )


def fraction(value: float) -> str:
    """Return a fraction with three digits, or a dash if it is undefined."""
    return "–" if math.isnan(value) else short(value, 3)


def situation(stage: Stage) -> str:
    """Return what the points are, and what recall and precision are."""
    matrix = before(stage, stage.data)
    terms = _(
        "**Recall** is the fraction of the rare class that the SVM finds, here {found} of {positives}. **Precision** "
        "is the fraction of correct ones among all points that it assigns to the rare class, here {found} of "
        "{predicted}."
    ).format(found=int(matrix.counts[0, 0]), positives=int(matrix.sizes[0]), predicted=int(matrix.predicted[0]))
    if test_points(stage) is None:
        return terms
    points = _("Each point is a breast tumour, rarely malignant (+1), mostly benign (−1).")
    return f"{points} {terms}"


def draw(stage: Stage) -> Data:
    """Return the boundary of the changed SVM over the board, the slider of the change, and the table."""
    if not stage.shown:
        return {}
    change = stage.pick("change")
    posed, solution = solved(stage, change, amount(stage, change))
    lines = () if solution is None else boundary(solution, posed.A, stage.lab.view)
    strokes = [stroke(line, "accent") for line in lines]
    return {"overlay": strokes, "sliders": [_slider(stage, change)], "table": markup(stage)}


def _slider(stage: Stage, change: str) -> Data:
    value = amount(stage, change)
    if change == TURN:
        return dial(DIAL[TURN], _("Angle of the rotation"), _("angle"), value, 0, 90, 1, "°")
    title = _("Factor of all values of x₂, on a logarithmic scale")
    if change == PRICE:
        title = _("Factor of C for the rare class, on a logarithmic scale")
    return dial(DIAL[change], title, "x₂ ×" if change == UNITS else "C ×", value, -1, 1, 0.02) | {"linear": False}


def play(stage: Stage) -> Data:
    """Return the animation of the change, which grows from none."""
    change = stage.pick("change")
    first = 0 if change == TURN else 1
    return {"key": DIAL[change], "op": "dial", "from": first, "to": amount(stage, change), "ms": 2500}


def rests_on_answer(stage: Stage) -> bool:
    """Return whether the change on the board raises the recall, if exactly one of the three does so."""
    change = stage.pick("change")
    matrix = after(stage, stage.data, change, amount(stage, change))
    return matrix is not None and recall(matrix) > recall(before(stage, stage.data))


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return recall and precision on the training points, before and after the change."""
    first, change = before(stage, stage.data), stage.pick("change")
    second = after(stage, stage.data, change, amount(stage, change)) if stage.shown else None
    words = (
        (recall, _("recall"), _("Fraction of the training points of the rare class that are classified correctly")),
        (precision, _("precision"), _("Fraction of the rare class among the training points assigned to it")),
    )
    return [
        reading(name, fraction(ratio(first)) + (f" → {fraction(ratio(second))}" if second else ""), definition)
        for ratio, name, definition in words
    ]


def markup(stage: Stage) -> str:
    """Return the confusion matrices before and after the change, on the training points and on the test points."""
    change = stage.pick("change")
    by, test = amount(stage, change), test_points(stage)
    sets = [(_("training points"), stage.data)] + ([] if test is None else [(_("test points"), test)])
    pairs = [(before(stage, data), after(stage, data, change, by)) for _name, data in sets]

    return "".join(
        confusion_table.table([matrix for matrix in pair if matrix is not None], name, all_ratios=False)
        for (name, _data), pair in zip(sets, pairs, strict=True)
    )


def balance(stage: Stage) -> Op:
    """Return the operation that sets the balanced factor."""
    return {**set_dials(price=balanced_factor(stage)), "picks": {"change": PRICE}}


def says(stage: Stage) -> str:
    """Return how the table is read, and what the change does."""
    change = stage.pick("change")
    return _(SAYS[change])


def more(stage: Stage) -> Sequence[Part]:
    """Return the data, the terms, what each change does, and recall and precision along the factor of C."""
    matrix, factor = before(stage, stage.data), balanced_factor(stage)
    test, rows = test_points(stage), []
    sets = [stage.data] if test is None else [stage.data, test]
    for by in sorted({0.5, 1.0, 2.0, 5.0, 10.0, factor}):
        cells = []
        for data in sets:
            other = after(stage, data, PRICE, by)
            values = (math.nan, math.nan) if other is None else (recall(other), precision(other))
            cells += [table.words(fraction(value), "") for value in values]
        name = f"C × {short(by, 3)}" + (_(", balanced") if by == factor == balanced(stage.data) else "")
        rows.append(table.named_row(name, cells, strong=by == factor == balanced(stage.data)))
    over = [(1, ""), (2, _("training points")), *([] if test is None else [(2, _("test points"))])]
    head = table.head(*[_("recall"), _("precision")] * len(sets), over=over, first=_("factor of C for the rare class"))
    parts: list[Part] = [Table(table.table(head, rows))]
    if test is not None:
        parts.append(
            _(
                "**The data.** The training points are every 21st malignant and every 6th benign tumour of the data "
                "set. The test points are all other benign tumours and every 6th of the other malignant ones. So {few} "
                "of {m} test points are malignant. In the whole data set, 212 of 569 tumours are malignant. $x_1$ is "
                "(radius − 14)/3.5, and $x_2$ is (texture − 19)/4.3."
            ).format(few=int((test.y > 0).sum()), m=test.m)
        )
    return [
        *parts,
        _(
            "**Why the error rate is not enough.** A classifier that never predicts the rare class has the training "
            "error {error}, but its recall is 0. In a medical test, recall is also called *sensitivity*, and precision "
            "is the *positive predictive value*. If no point is assigned to the rare class, precision is undefined (–)."
        ).format(error=short(matrix.sizes[0] / stage.data.m, 3)),
        _(
            "**Class costs.** The SVM minimises $\\frac12\\|w\\|^2 + \\sum_i C_i\\xi_i$, where $C_i$ is larger for the "
            "rare class. The factor 5 has the same effect as five copies of each of its points. With the balanced "
            "factor, the sum of all $C_i$ is the same for both classes. Which error is worse is not a question of "
            "mathematics, so you have to choose the factor."
        ),
        _(
            "**Units.** In this data set, the area of a tumour takes values from 143 to 2501, and the smoothness from "
            "0.05 to 0.16. To have the same influence on $f$, smoothness needs a weight about 20 000 times as large, "
            "which makes $\\|w\\|^2$ large. To **standardise** a measurement, subtract its mean and divide by its "
            "standard deviation. Take both "
            "from the training points, and use the same two numbers for test points."
        ),
        _(
            "**Rotation.** Linear and Gaussian kernels depend only on inner products or distances, and a rotation "
            "keeps both. So the solution has the same $\\alpha$, and every point gets the same prediction."
        ),
    ]


UNITS_STEP = Step(
    key="rare",
    former_key="units",
    title=N_("Precision and recall"),
    situation=situation,
    question=N_("Which change of the training problem raises the recall on the rare class?"),
    choices=(
        Choice(
            N_("Multiplying all values of x₂ by 5"),
            N_(
                "x₂ then has more influence on distances and f. However, this does not make errors of the rare class "
                "cost more."
            ),
        ),
        Choice(
            N_("Multiplying C by 5 for the rare class"),
            N_(
                "Slack of the rare class then costs more. However, the predictions can stay the same, or another "
                "change raises the recall as well."
            ),
        ),
        Choice(
            N_("Rotating all points by 30°"),
            N_(
                "A rotation changes all coordinates. However, distances and inner products stay the same, and so do "
                "all predictions."
            ),
        ),
        Choice(
            N_("None of these changes, or more than one"),
            N_(
                "Many changes leave all predictions as they are. However, exactly one of the three raises the recall "
                "here."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=board,
    introduces=("class-costs", "standardisation"),
    needs=(BOTH_CLASSES, SOFT, ROTATION_INVARIANT, SOLVED),
    shows=(),
    draw=draw,
    play=play,
    rests_on_answer=rests_on_answer,
    numbers=numbers,
    picks=(Pick("change", N_("Change"), CHANGES, PRICE, lambda change: _(OPTIONS[change])),),
    chart=lambda stage: Table(markup(stage), follows_drag=True),
    says=says,
    formula=lambda stage: FORMULAS[stage.pick("change")],
    more=more,
    tries=(
        Try(N_("Balanced"), op=balance),
        Try("C = 1", set_machine(face="C", value=1.0)),
        Try(N_("Gaussian"), set_machine(kernel="gaussian", sigma=1.0)),
    ),
)
