"""The slack variables of three points for a given line."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type
from svmlab.practice.tex import signed


@question_type(N_("Slack variables for a given line"), lesson="soft", needs=("soft.slack",), version=2)
def slacks_for_a_line(draw: Draw, difficulty: int) -> Question:
    """Return the question for whole numbers (1), halves (2), or for the objective value of the line at a C too (3)."""
    divisor = 1 if difficulty == 1 else 2
    w1, w2 = draw.whole(-4, 4, excluded=(0,)) / divisor, draw.whole(-4, 4, excluded=(0,)) / divisor
    b = draw.whole(-4, 4, excluded=(0,)) / divisor
    norm = math.hypot(w1, w2)
    given: dict[str, object] = {"w1": _number(w1), "w2": _number(w2), "b": _number(b)}
    numbers: list[Number] = []
    lines: list[str] = []
    slacks: list[float] = []
    for i in (1, 2, 3):
        x1, x2, y = draw.whole(-4, 4), draw.whole(-4, 4), draw.sign()
        margin = y * (w1 * x1 + w2 * x2 + b)
        slack = max(0.0, 1 - margin)
        draw.need(abs(margin) <= 9 and margin != 1)
        given |= {f"p{i}": x1, f"q{i}": x2, f"y{i}": y}
        slacks.append(slack)
        numbers.append(Number(f"$\\xi_{i}$", slack, _mistakes(y, margin, slack, norm)))
        lines.append(
            Phrase(
                "$y_{i} f(x_{i}) = {margin}$, so $\\xi_{i} = \\max(0, 1 {minus}) = {slack}$.",
                i=i,
                margin=_number(margin),
                minus=signed(_number(-margin)),
                slack=_number(slack),
            )
        )
    draw.need(any(slack == 0 for slack in slacks) and any(slack > 0 for slack in slacks))
    ask: str = N_("How large are the slacks ξ₁, ξ₂ and ξ₃ of the three points for this line?")
    if difficulty == 3:
        C = draw.one_of((0.5, 2, 3, 10))
        total = sum(slacks)
        half = (w1 * w1 + w2 * w2) / 2
        given["C"] = _number(C)
        ask = Phrase(
            "How large are the slacks ξ₁, ξ₂ and ξ₃, and the objective $\\tfrac12\\|w\\|^2 + C\\sum_i \\xi_i$ for "
            "$C = {C}$?",
            C=_number(C),
        )
        numbers.append(
            Number(
                N_("objective"),
                half + C * total,
                (
                    Mistake(2 * half + C * total, N_("The factor 1/2 before ‖w‖² is missing.")),
                    Mistake(half + total, N_("The sum of the slacks is multiplied by C.")),
                    Mistake(norm / 2 + C * total, N_("The objective has the squared norm of w.")),
                ),
            )
        )
        lines.append(
            Phrase(
                "$\\tfrac12\\|w\\|^2 = {half}$ and $C\\sum_i\\xi_i = {penalty}$.",
                half=_number(half),
                penalty=_number(C * total),
            )
        )
    return Question(
        Phrase(
            "The line $f(x) = \\langle w, x\\rangle + b = 0$ has $w = ({w1}, {w2})$ and $b = {b}$. The training points "
            "are $x_1 = ({p1}, {q1})$ with $y_1 = {y1}$, $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$, and "
            "$x_3 = ({p3}, {q3})$ with $y_3 = {y3}$.",
            **given,
        ),
        ask,
        Numbers(tuple(numbers)),
        (
            Hint(N_("Compute the functional margin $y_i f(x_i)$ of each point. By how much is it below 1?")),
            Hint(N_("The step on slack and hinge loss explains the formula."), step="soft.slack"),
        ),
        tuple(lines),
    )


def _mistakes(y: int, margin: float, slack: float, norm: float) -> tuple[Mistake, ...]:
    """Return the known mistakes for one point that give another number than the right one."""
    turned = Mistake(
        max(0.0, 1 + margin),  # what the other label yields
        N_("You computed max(0, 1 − f(x)). The label is y = −1, and the slack is max(0, 1 − y f(x)).")
        if y < 0
        else N_("You computed max(0, 1 + f(x)). The label is y = 1, and the slack is max(0, 1 − y f(x))."),
    )
    if slack == 0:
        return (
            Mistake(1 - margin, N_("A slack is never negative. This point is beyond its margin line, so ξ = 0.")),
            turned,
            Mistake(
                margin,
                N_("This is the functional margin y f(x). The slack is the amount by which y f is below 1, or 0."),
            ),
        )
    candidates = (
        Mistake(slack / norm, N_("This is the distance ξ/‖w‖. The slack ξ itself is in units of f.")),
        turned,
        Mistake(
            -margin, N_("You measured from the boundary. The slack is measured from the margin line of the class.")
        ),
        Mistake(0.0, N_("This point violates the margin, because y f(x) is below 1, so its slack is positive.")),
    )
    usable: list[Mistake] = []
    for mistake in candidates:
        if all(abs(mistake.value - other) > 0.02 for other in (slack, *(each.value for each in usable))):
            usable.append(mistake)
    return tuple(usable)


def _number(value: float) -> int | float:
    """Return a whole number as an int, so that it is written without a point."""
    return int(value) if value == int(value) else value
