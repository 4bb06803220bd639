"""The value of the dual objective at a feasible α, and the duality gap to the primal objective at the same w."""

from __future__ import annotations

from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type

Vector = tuple[Fraction, Fraction]


@question_type(N_("Dual value and duality gap"), lesson="duality", needs=("duality.programs", "duality.gap"))
def dual_value_and_gap(draw: Draw, difficulty: int) -> Question:
    """Return the question for the dual value of two points (1), of three (2), or for the duality gap too (3)."""
    sign = draw.sign()
    alpha: tuple[Fraction, ...]
    y: tuple[int, ...]
    if difficulty == 1:
        a = Fraction(draw.whole(1, 4), 4)
        alpha, y = (a, a), (sign, -sign)
    else:
        first, second = Fraction(draw.whole(1, 4), 4), Fraction(draw.whole(1, 4), 4)
        alpha, y = (first, second, first + second), (sign, sign, -sign)
    X = [(draw.whole(-3, 3), draw.whole(-3, 3)) for _ in y]
    draw.need(len(set(X)) == len(X))
    rows = list(zip(alpha, y, X, strict=True))
    w = (sum((a * t * x[0] for a, t, x in rows), Fraction()), sum((a * t * x[1] for a, t, x in rows), Fraction()))
    squared, total = w[0] ** 2 + w[1] ** 2, sum(alpha, Fraction())
    dual = total - squared / 2
    draw.need(squared > 0)
    given: dict[str, object] = {}
    for i, (a, t, x) in enumerate(rows, start=1):
        given |= {f"alpha{i}": float(a), f"y{i}": t, f"p{i}": x[0], f"q{i}": x[1]}
    points: str = N_(
        "The training points are $x_1 = ({p1}, {q1})$ with $y_1 = {y1}$ and $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$. "
        "A feasible α of the dual problem of the linear hard-margin SVM is $\\alpha = ({alpha1:g}, {alpha2:g})$."
    )
    if difficulty > 1:
        points = N_(
            "The training points are $x_1 = ({p1}, {q1})$ with $y_1 = {y1}$, $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$, "
            "and $x_3 = ({p3}, {q3})$ with $y_3 = {y3}$. A feasible α of the dual problem of the linear "
            "hard-margin SVM is $\\alpha = ({alpha1:g}, {alpha2:g}, {alpha3:g})$."
        )
    dual_number = Number(
        N_("dual value"),
        float(dual),
        (
            Mistake(float(total - squared), N_("The factor 1/2 before ‖w‖² is missing.")),
            Mistake(
                float(total + squared / 2), N_("You added ½‖w‖². It is subtracted from the sum of the multipliers.")
            ),
            Mistake(float(squared / 2), N_("This is ½‖w‖². The dual objective starts with the sum of all α.")),
        ),
    )
    lines: list[str] = [
        Phrase(
            "$w = \\sum_i \\alpha_i y_i x_i = ({w1:g}, {w2:g})$, so $\\|w\\|^2 = {squared:.6g}$.",
            w1=float(w[0]),
            w2=float(w[1]),
            squared=float(squared),
        ),
        Phrase(
            "The dual value is ${total:g} - \\tfrac12 \\cdot {squared:.6g} = {dual:.6g}$.",
            total=float(total),
            squared=float(squared),
            dual=float(dual),
        ),
    ]
    fields: tuple[Number, ...] = (dual_number,)
    ask: str = N_("What is the value of the dual objective $\\sum_i\\alpha_i - \\tfrac12\\|w\\|^2$ at this α?")
    if difficulty == 3:
        C, b = draw.whole(2, 3), draw.whole(-2, 2)
        margins = [t * (w[0] * x[0] + w[1] * x[1] + b) for _a, t, x in rows]
        slack = sum((max(Fraction(), 1 - margin) for margin in margins), Fraction())
        primal = squared / 2 + C * slack
        gap = primal - dual
        draw.need(slack > 0 and gap > 0)
        given |= {"C": C, "b": b}
        points = N_(
            "The training points are $x_1 = ({p1}, {q1})$ with $y_1 = {y1}$, $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$, "
            "and $x_3 = ({p3}, {q3})$ with $y_3 = {y3}$. A feasible α of the dual problem of the linear "
            "soft-margin SVM is $\\alpha = ({alpha1:g}, {alpha2:g}, {alpha3:g})$. The bias is $b = {b}$, and $C = {C}$."
        )
        ask = N_(
            "What is the dual objective $\\sum_i\\alpha_i - \\tfrac12\\|w\\|^2$ at this α, and what is the duality gap "
            "to the primal objective $\\tfrac12\\|w\\|^2 + C\\sum_i\\xi_i$ with $w = \\sum_i\\alpha_i y_i x_i$ "
            "and this b?"
        )
        fields += (
            Number(
                N_("duality gap"),
                float(gap),
                (
                    Mistake(float(primal), N_("This is the primal value. Subtract the dual value from it.")),
                    Mistake(float(squared / 2 - dual), N_("The penalty of the slacks is missing in the primal value.")),
                    Mistake(float(squared / 2 + slack - dual), N_("The sum of the slacks must be multiplied by C.")),
                    Mistake(-float(gap), N_("The gap is primal minus dual. It is never negative.")),
                ),
            ),
        )
        lines.append(
            Phrase(
                "The slacks have the sum ${slack:.6g}$, so the primal value is ${primal:.6g}$ and the gap ${gap:.6g}$.",
                slack=float(slack),
                primal=float(primal),
                gap=float(gap),
            )
        )
    return Question(
        Phrase(points, **given),
        ask,
        Numbers(fields),
        (
            Hint(N_("First compute the vector $w = \\sum_i \\alpha_i y_i x_i$ and its squared norm.")),
            Hint(N_("The step on the duality gap compares both objectives."), step="duality.gap"),
        ),
        tuple(lines),
    )
