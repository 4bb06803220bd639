"""Whether w and b of a soft margin are unique, with the bias outside or inside the norm."""

from __future__ import annotations

from fractions import Fraction

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.phrase import N_, Phrase
from svmlab.data import Dataset
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, in_order, question_type

ROUNDING = 1e-9  # of the ends of the interval of all optimal b
SHORTEST = 0.1  # interval of b

BOTH = N_("Both w and b are unique.")
ONLY_W = N_("The weight w is unique, but b is not.")
NEITHER = N_("Neither w nor b is unique.")
HINTS = (
    Hint(N_("A strictly convex objective has one minimiser. In which of its variables is this one strictly convex?")),
    Hint(N_("The statement on strong convexity explains why w is unique."), statement="S4"),
)


@question_type(N_("Uniqueness of w and b"), lesson="soft", needs=("S4", "soft.offset"))
def unique_solution(draw: Draw, difficulty: int) -> Question:
    """Return the question for two points (1), for three or four and either regulariser (2), or for all b (3)."""
    if difficulty == 3:
        return _interval(draw)
    positions = draw.several_of(range(-6, 7), draw.whole(3, 4) if difficulty == 2 else 2)
    low, high = min(positions), max(positions)
    rows = [(x, -1 if x == low or (x != high and draw.sign() < 0) else 1) for x in positions]
    C = draw.one_of((0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2))
    is_penalised = difficulty == 2 and draw.whole(0, 2) == 0
    wants_interval = draw.sign() > 0
    solution = solve(Problem(Dataset([(x, 0.0) for x, _y in rows], [y for _x, y in rows]), C=C))
    lower, upper = solution.b_interval
    length = upper - lower
    draw.need(solution.norm_w > 1e-3 and (length < ROUNDING or length > SHORTEST))
    draw.need(wants_interval == (length > SHORTEST) or is_penalised)
    right = BOTH if is_penalised or length < ROUNDING else ONLY_W
    if is_penalised:
        why_only_w = N_("Here the objective contains b²/2, so it is strictly convex in b too.")
        reason: str = N_(
            "The objective contains $\\tfrac12 w^2 + \\tfrac12 b^2$, so it is strictly convex in $w$ and $b$."
        )
    elif right == BOTH:
        why_only_w = N_(
            "Here a point lies exactly on its margin line, and every change of b alone makes the objective larger."
        )
        reason = Phrase(
            "The only optimal $b$ is ${b:.4g}$, because every change of it increases the objective.",
            b=round((lower + upper) / 2, 9) + 0.0,
        )
    else:
        why_only_w = ""
        reason = Phrase(
            "Every $b$ from ${least:.4g}$ to ${most:.4g}$ gives the same sum of slacks.",
            least=round(lower, 9) + 0.0,
            most=round(upper, 9) + 0.0,
        )
    listed = ", ".join(f"{x} ({'+' if y > 0 else '−'})".replace("-", "−") for x, y in rows)
    return Question(
        Phrase(
            "The training points are numbers with their labels: {listed}. A soft-margin SVM $f(x) = wx + b$ minimises "
            "${objective} + C\\sum_i \\max(0, 1 - y_i f(x_i))$ with $C = {C}$.",
            listed=listed,
            objective="\\tfrac12 w^2 + \\tfrac12 b^2" if is_penalised else "\\tfrac12 w^2",
            C=C,
        ),
        N_("Are w and b of the minimiser unique?"),
        in_order(
            right,
            (
                BOTH,
                N_("The objective is strictly convex in w only. You can move b here without changing the objective."),
            ),
            (ONLY_W, why_only_w),
            (NEITHER, N_("The term w²/2 is strictly convex, so two minimisers cannot have different w.")),
        ),
        HINTS,
        (N_("The term $\\tfrac12 w^2$ is strictly convex, so $w$ is unique."), reason),
    )


def _interval(draw: Draw) -> Question:
    p, q = draw.whole(-5, 5), draw.whole(-5, 5)
    draw.need(p != q)
    C = draw.one_of([Fraction(n, 100) for n in (1, 2, 4, 5, 10, 20, 25, 40)])
    gap = q - p
    # both points have slack while C gap² < 2, and then both multipliers are C
    draw.need(Fraction(1, 10) < C * gap**2 < Fraction(18, 10))
    w = C * gap
    low, high = -1 - w * p, 1 - w * q
    draw.need(low != 0 and high != 0)
    hard = Fraction(2, gap)
    return Question(
        Phrase(
            "There are two training points on a line, $x_1 = {p}$ with $y_1 = -1$ and $x_2 = {q}$ with $y_2 = 1$. A "
            "soft-margin SVM $f(x) = wx + b$ minimises $\\tfrac12 w^2 + C(\\xi_1 + \\xi_2)$ with $C = {C}$.",
            p=p,
            q=q,
            C=float(C),
        ),
        N_("Which w is optimal, and what are the smallest and the largest optimal b?"),
        Numbers(
            (
                Number(
                    "$w$",
                    float(w),
                    (
                        Mistake(float(hard), N_("This is the hard margin. Its multipliers are larger than this C.")),
                        Mistake(float(-w), N_("The sign is wrong. The function must be larger at the positive point.")),
                        Mistake(float(2 * w), N_("The sum is w = Σ αᵢ yᵢ xᵢ with α₁ = α₂ = C, without a factor 2.")),
                    ),
                ),
                Number(N_("smallest b"), float(low), _of_b(low, high)),
                Number(N_("largest b"), float(high), _of_b(high, low)),
            )
        ),
        (
            Hint(N_("While both points have slack, both multipliers are C. For which b do both points have slack?")),
            HINTS[1],
        ),
        (
            Phrase("Both multipliers are $C$, so $w = C(x_2 - x_1) = {w:.4g}$.", w=float(w)),
            Phrase("Point 1 has no slack below $b = -1 - w x_1 = {low:.4g}$.", low=float(low)),
            Phrase("Point 2 has no slack above $b = 1 - w x_2 = {high:.4g}$.", high=float(high)),
            N_("Between these values, the sum of both slacks does not depend on $b$."),
        ),
    )


def _of_b(end: Fraction, other: Fraction) -> tuple[Mistake, ...]:
    middle = (end + other) / 2
    return (
        Mistake(
            float(middle), N_("This b is halfway between the two ends. It is optimal, but it is not the only one.")
        ),
        Mistake(float(other), N_("This is the other end of the interval.")),
    )
