"""The multipliers of two, three or four points, by hand."""

from __future__ import annotations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hard_margin import HardMargin, hard_margin
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, distinct, question_type

LARGEST_DENOMINATOR = 40


@question_type(N_("Multipliers α by hand"), lesson="duality", needs=("duality.programs", "duality.sum"), version=2)
def alpha_by_hand(draw: Draw, difficulty: int) -> Question:
    """Return the question for two points (1), three support vectors (2), or three of four points (3)."""
    y = draw.sign()
    labels = (y, -y, -y, draw.sign())[: difficulty + 1]
    rows = tuple((draw.whole(-4, 4), draw.whole(-4, 4), label) for label in labels)
    draw.need(len({row[:2] for row in rows}) == len(rows))
    solution = hard_margin(rows)
    draw.need(solution is not None)
    assert solution is not None
    draw.need(solution.margin_points_are_support_vectors and solution.support == frozenset((1, 2, 3)[: len(rows)]))
    draw.need(solution.squared_norm.denominator <= LARGEST_DENOMINATOR)
    draw.need(all(a.denominator <= LARGEST_DENOMINATOR and a <= 20 for a in solution.alpha))
    names = {
        f"{name}{i}": value
        for i, row in enumerate(rows, start=1)
        for name, value in zip(("p", "q", "y"), row, strict=True)
    }
    return Question(
        Phrase(_SITUATIONS[len(rows)], **names),
        Phrase(
            "How large are the multipliers $\\alpha_1, \\ldots, \\alpha_{n}$ at the maximum of the dual?", n=len(rows)
        )
        if len(rows) > 2
        else N_("How large are the multipliers $\\alpha_1$ and $\\alpha_2$ at the maximum of the dual?"),
        Numbers(tuple(_field(solution, i) for i in range(len(rows)))),
        (
            Hint(
                N_(
                    "The conditions $w = \\sum_i \\alpha_i y_i x_i$ and $\\sum_i \\alpha_i y_i = 0$ are linear in α. "
                    "Which $w$ has the largest margin?"
                )
            ),
            Hint(N_("The step on w and the support vectors shows the sum with its α."), step="duality.sum"),
        ),
        _lines(solution),
    )


_SITUATIONS: dict[int, str] = {
    2: N_(
        "The training points are $x_1 = ({p1}, {q1})$ with $y_1 = {y1}$ and $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$. "
        "The dual problem of the hard-margin SVM is to maximise $\\sum_i \\alpha_i - \\tfrac12 \\|\\sum_i \\alpha_i "
        "y_i x_i\\|^2$ subject to $\\alpha_i \\ge 0$ and $\\sum_i \\alpha_i y_i = 0$."
    ),
    3: N_(
        "The training points are $x_1 = ({p1}, {q1})$ with $y_1 = {y1}$, $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$, and "
        "$x_3 = ({p3}, {q3})$ with $y_3 = {y3}$. The dual problem of the hard-margin SVM is to maximise "
        "$\\sum_i \\alpha_i - \\tfrac12 \\|\\sum_i \\alpha_i y_i x_i\\|^2$ subject to $\\alpha_i \\ge 0$ and "
        "$\\sum_i \\alpha_i y_i = 0$."
    ),
    4: N_(
        "The training points are $x_1 = ({p1}, {q1})$ with $y_1 = {y1}$, $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$, "
        "$x_3 = ({p3}, {q3})$ with $y_3 = {y3}$, and $x_4 = ({p4}, {q4})$ with $y_4 = {y4}$. The dual problem of the "
        "hard-margin SVM is to maximise $\\sum_i \\alpha_i - \\tfrac12 \\|\\sum_i \\alpha_i y_i x_i\\|^2$ subject to "
        "$\\alpha_i \\ge 0$ and $\\sum_i \\alpha_i y_i = 0$."
    ),
}


def _field(solution: HardMargin, i: int) -> Number:
    alpha, label = solution.alpha[i], solution.rows[i][2]
    total = solution.squared_norm / 2  # of the multipliers of each class
    own = sum(row[2] == label and a > 0 for row, a in zip(solution.rows, solution.alpha, strict=True))
    candidates: tuple[Mistake, ...]
    if alpha == 0:
        candidates = (
            Mistake(
                float(total),
                N_("This point lies beyond its margin line, so it is not a support vector and its α is 0."),
            ),
            Mistake(
                float(total / 2),
                N_("This point lies beyond its margin line. Complementary slackness then requires α = 0."),
            ),
        )
    else:
        candidates = (
            Mistake(
                -float(alpha),
                N_("A multiplier is never negative. The label yᵢ carries the sign in w = Σ αᵢ yᵢ xᵢ."),
            ),
            Mistake(
                float(2 * alpha),
                N_("This is twice the right value. The sum of all multipliers is ‖w‖², and each class has half of it."),
            ),
            Mistake(
                float(alpha / 2),
                N_("This is half of the right value. The sum of all multipliers is ‖w‖², so each class has ‖w‖²/2."),
            ),
            Mistake(
                float(alpha / total),
                N_("This is the coefficient of the point in the convex combination. Multiply it by ‖w‖²/2 to get α."),
            ),
            Mistake(0.0, N_("This point lies on its margin line and is a support vector here, so its α is positive.")),
        )
        if own == 2:
            candidates += (
                Mistake(
                    float(total - alpha),
                    N_(
                        "This is the α of the other support vector of the class. The one that is nearer to the "
                        "opposite support vector has the larger α."
                    ),
                ),
                Mistake(
                    float(total / 2),
                    N_("The two multipliers of this class are not equal. Their ratio follows from the direction of w."),
                ),
                Mistake(
                    float(total),
                    N_("Two support vectors of this class share ‖w‖²/2. You gave all of it to one point."),
                ),
            )
        elif len(solution.support) == 3:
            candidates += (
                Mistake(
                    float(2 * total / 3),
                    N_("The multipliers are not all equal, because Σ αᵢ yᵢ must be 0 with one point against two."),
                ),
            )
    return Number(f"$\\alpha_{i + 1}$", float(alpha), distinct(float(alpha), *candidates))


def _lines(solution: HardMargin) -> tuple[str, ...]:
    lines: list[str] = [
        Phrase(
            "The hard-margin SVM has $w = ({w1}, {w2})$ with $\\|w\\|^2 = {squared}$.",
            w1=solution.w[0],
            w2=solution.w[1],
            squared=solution.squared_norm,
        ),
        Phrase(
            "The multipliers of each class have the sum $\\|w\\|^2/2 = {half}$.",
            half=solution.squared_norm / 2,
        ),
    ]
    if len(solution.rows) == 4:
        lines.append(
            Phrase(
                "The point $x_4$ has $y f = {margin}$, which is above 1, so $\\alpha_4 = 0$.",
                margin=solution.margins[3],
            )
        )
    if len(solution.support) == 3:
        lines.append(
            Phrase(
                "The equations $w = \\sum_i \\alpha_i y_i x_i$ and $\\sum_i \\alpha_i y_i = 0$ yield $\\alpha_1 = "
                "{a}$, $\\alpha_2 = {c}$ and $\\alpha_3 = {d}$.",
                a=solution.alpha[0],
                c=solution.alpha[1],
                d=solution.alpha[2],
            )
        )
    else:
        lines.append(Phrase("Both multipliers are $\\alpha_1 = \\alpha_2 = {a}$.", a=solution.alpha[0]))
    return tuple(lines)
