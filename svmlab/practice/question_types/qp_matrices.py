"""The matrices that a solver of quadratic programs needs for the primal and the dual problem of an SVM."""

from __future__ import annotations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type
from svmlab.practice.tex import term

SIGN = N_("The sign is wrong. The solver minimises, and its constraints have the form Gz ≤ h.")


@question_type(
    N_("Matrices for a QP solver"),
    lesson="duality",
    needs={1: ("duality.primal",), 2: ("duality.programs",), 3: ("duality.programs", "soft.places")},
    version=2,
)
def qp_matrices(draw: Draw, difficulty: int) -> Question:
    """Return the question for a row of G in the primal (1), for P and q in the dual (2), or for G and h there (3)."""
    return _primal(draw) if difficulty == 1 else _dual(draw, soft=difficulty == 3)


def _primal(draw: Draw) -> Question:
    x1, x2, y = draw.whole(-6, 6, excluded=(-1, 0, 1)), draw.whole(-6, 6, excluded=(-1, 0, 1)), draw.sign()
    row = (-y * x1, -y * x2, -y)
    without_label = N_("The label is missing. The constraint is y (⟨w, x⟩ + b) ≥ 1.")
    numbers = [
        Number(
            f"$G_{{{j}}}$",
            value,
            (
                Mistake(-value, SIGN if y > 0 else without_label),
                Mistake(-y, N_("The coordinate is missing. The coefficient is −y times the coordinate of the point."))
                if j < 3
                else Mistake(0, N_("The bias b stands in the constraint, so its coefficient is not 0.")),
            ),
        )
        for j, value in enumerate(row, start=1)
    ]
    numbers.append(
        Number(
            "$h$",
            -1,
            (Mistake(1, SIGN), Mistake(0, N_("The right side of y f(x) ≥ 1 is 1 and not 0."))),
        )
    )
    return Question(
        Phrase(
            "A solver minimises $\\tfrac12 z^T\\!Pz + q^T\\!z$ subject to $Gz \\le h$. You use it for the primal "
            "problem of the linear hard-margin SVM with $z = (w_1, w_2, b)$. One training point is $x = ({x1}, {x2})$ "
            "with $y = {y}$. Its constraint is $y\\,f(x) \\ge 1$, and you do not rescale it.",
            x1=x1,
            x2=x2,
            y=y,
        ),
        N_("Which numbers stand in the row (G₁, G₂, G₃) and in h for this point?"),
        Numbers(tuple(numbers)),
        (
            Hint(N_("Write the constraint with w₁, w₂ and b, and multiply it by −1 to get the sign ≤.")),
            Hint(N_("The step on the primal problem states all constraints."), step="duality.primal"),
        ),
        (
            Phrase(
                "The constraint is ${f} \\ge 1$.",
                f=f"{term(x1, 'w_1', first=True)} {term(x2, 'w_2')} + b"
                if y > 0
                else f"-({term(x1, 'w_1', first=True)} {term(x2, 'w_2')} + b)",
            ),
            Phrase(
                "Multiplied by −1 it reads ${sum} \\le -1$.",
                sum=f"{term(row[0], 'w_1', first=True)} {term(row[1], 'w_2')} {term(row[2], 'b')}",
            ),
        ),
    )


def _dual(draw: Draw, soft: bool) -> Question:
    p1, q1, p2, q2 = (draw.whole(-4, 4, excluded=(0,)) for _ in range(4))
    y1, y2 = draw.sign(), draw.sign()
    inner, square = p1 * p2 + q1 * q2, p1 * p1 + q1 * q1
    draw.need(inner != 0 and (p1, q1) != (p2, q2) and (soft or y1 != y2 or draw.sign() > 0))
    mixed = y1 * y2 * inner
    draw.need(abs(mixed) not in (1, square))
    fields = [
        Number(
            "$P_{12}$",
            mixed,
            (
                Mistake(
                    -mixed,
                    N_("The labels are missing. The entry is y₁ y₂ ⟨x₁, x₂⟩.")
                    if y1 != y2
                    else N_("The sign is wrong. The product of two equal labels is 1."),
                ),
                Mistake(mixed / 2, N_("The factor 1/2 stands before the matrix P already.")),
                Mistake(2 * mixed, N_("The entry is not doubled, because P₁₂ and P₂₁ are two entries.")),
            ),
        ),
        Number(
            "$q_1$",
            -1,
            (
                Mistake(1, N_("The dual objective is maximised. The solver minimises, so every sign changes.")),
                Mistake(0, N_("The dual objective contains the sum of all αᵢ.")),
            ),
        ),
    ]
    if soft:
        C = draw.whole(2, 20)
        fields += [
            Number(
                "$h_1$",
                0,
                (
                    Mistake(-C, N_("The first constraint says that α₁ is not negative, so C is not part of it.")),
                    Mistake(1, N_("The first constraint says that α₁ is not negative, so its right side is 0.")),
                ),
            ),
            Number(
                "$h_2$",
                C,
                (
                    Mistake(-C, N_("The sign is wrong. The constraint α₁ ≤ C has the form Gz ≤ h already.")),
                    Mistake(1 / C, N_("The bound is C itself. With C in the primal objective nothing is inverted.")),
                ),
            ),
        ]
        situation = Phrase(
            "A solver minimises $\\tfrac12 z^T\\!Pz + q^T\\!z$ subject to $Gz \\le h$ and $Az = 0$. You use it for the "
            "dual of the linear soft-margin SVM with $C = {C}$, where $z = \\alpha$. The first two rows of $Gz \\le h$ "
            "state $-\\alpha_1 \\le h_1$ and $\\alpha_1 \\le h_2$. Together they mean "
            "$0 \\le \\alpha_1 \\le C$. Two of the training points are $x_1 = ({p1}, {q1})$ with "
            "$y_1 = {y1}$ and $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$.",
            C=C,
            p1=p1,
            q1=q1,
            y1=y1,
            p2=p2,
            q2=q2,
            y2=y2,
        )
        ask = N_("Which numbers are P₁₂, q₁, h₁ and h₂?")
        last: str = Phrase("The constraints read $-\\alpha_1 \\le 0$ and $\\alpha_1 \\le {C}$.", C=C)
    else:
        fields.insert(
            0,
            Number(
                "$P_{11}$",
                square,
                (
                    Mistake(-square, N_("A diagonal entry has the factor y₁² = 1, so it is not negative.")),
                    Mistake(square / 2, N_("The factor 1/2 stands before the matrix P already.")),
                    Mistake(square**0.5, N_("The entry is the squared norm ⟨x₁, x₁⟩, not the norm.")),
                ),
            ),
        )
        situation = Phrase(
            "A solver minimises $\\tfrac12 z^T\\!Pz + q^T\\!z$ subject to $Gz \\le h$ and $Az = 0$. You use it for the "
            "dual of the linear hard-margin SVM, where $z = \\alpha$. Two of the training points are "
            "$x_1 = ({p1}, {q1})$ with $y_1 = {y1}$ and $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$.",
            p1=p1,
            q1=q1,
            y1=y1,
            p2=p2,
            q2=q2,
            y2=y2,
        )
        ask = N_("Which numbers are P₁₁, P₁₂ and q₁?")
        last = Phrase("$P_{{11}} = y_1^2\\,\\langle x_1, x_1\\rangle = {square}$", square=square)
    return Question(
        situation,
        ask,
        Numbers(tuple(fields)),
        (
            Hint(N_("Change the sign of the dual objective, because it is maximised. Then read off both parts.")),
            Hint(N_("The step on the dual problem states the objective."), step="duality.programs"),
        ),
        (
            N_(
                "The solver minimises $\\tfrac12\\sum_{i,j}\\alpha_i\\alpha_j y_i y_j\\langle x_i, x_j\\rangle "
                "- \\sum_i\\alpha_i$, so $q_1 = -1$."
            ),
            Phrase(
                "$P_{{12}} = y_1 y_2\\,\\langle x_1, x_2\\rangle = {product} = {mixed}$",
                product=f"{y1 * y2}\\cdot{inner}" if inner > 0 else f"{y1 * y2}\\cdot({inner})",
                mixed=mixed,
            ),
            last,
        ),
    )
