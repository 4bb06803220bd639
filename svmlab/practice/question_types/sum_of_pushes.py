"""The iterate of Pegasos as 1/(λt) times the sum of the pushes y x of all steps with a margin violation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type

Vector = tuple[int, int]
STEPS = 4  # of the run whose points are given one by one


@question_type(
    N_("Pegasos iterate as a sum of pushes"),
    lesson="pegasos",
    needs={1: ("pegasos.pushes",), 2: ("pegasos.pushes",), 3: ("pegasos.step", "pegasos.pushes")},
)
def sum_of_pushes(draw: Draw, difficulty: int) -> Question:
    """Return the question for w with known violations (1), for the counts of pushes (2), or for w from the run (3)."""
    lam = Fraction(draw.one_of((1, 2, 5)), 10)
    return _counts(draw, lam) if difficulty == 2 else _iterate(draw, lam, names_violations=difficulty == 1)


def _iterate(draw: Draw, lam: Fraction, names_violations: bool) -> Question:
    X = [(draw.whole(-3, 3), draw.whole(-3, 3)) for _ in range(STEPS)]
    y = [draw.sign() for _ in range(STEPS)]
    draw.need((0, 0) not in X)
    pushes = [(label * p, label * q) for (p, q), label in zip(X, y, strict=True)]
    margins = _run(pushes, lam)
    violating = [s for s, margin in enumerate(margins, start=1) if margin < 1]
    draw.need(1 not in margins and 2 <= len(violating) < STEPS)
    given: dict[str, object] = {"lam": float(lam)}
    for s in range(1, STEPS + 1):
        given |= {f"p{s}": X[s - 1][0], f"q{s}": X[s - 1][1], f"y{s}": y[s - 1]}
    violations: Phrase | str = ""
    if names_violations:
        violations = Phrase(
            " The inequality $y\\langle w_s, x\\rangle < 1$ holds in exactly these steps: {steps}.",
            steps=", ".join(map(str, violating)),
        )
    w = [sum(pushes[s - 1][j] for s in violating) / (lam * STEPS) for j in (0, 1)]
    draw.need(0 not in w)
    return Question(
        Phrase(
            "Pegasos with $\\lambda = {lam}$ starts at $w_1 = (0, 0)$. Step $s$ has the learning rate "
            "$\\eta_s = 1/(\\lambda s)$. There is no bias and no projection. The drawn points are $({p1}, {q1})$ with "
            "$y = {y1}$ in step 1, $({p2}, {q2})$ with $y = {y2}$ in step 2, $({p3}, {q3})$ with $y = {y3}$ in step 3, "
            "and $({p4}, {q4})$ with $y = {y4}$ in step 4.{violations}",
            violations=violations,
            **given,
        ),
        N_("Which vector is the iterate w₅ after these four steps?"),
        Numbers(
            tuple(
                Number(
                    Phrase("component {i} of the iterate", i=j + 1),
                    float(w[j]),
                    _mistakes([x[j] for x in X], [push[j] for push in pushes], violating, lam),
                )
                for j in (0, 1)
            )
        ),
        _hints(N_("Which coefficient does each push $y x$ have in $w$ after step 4? It is the same for all pushes.")),
        (
            Phrase(
                "In this order, $y\\langle w_s, x\\rangle$ is ${margins}$. It is below 1 in these steps: {steps}.",
                margins=",\\; ".join(map(str, margins)),
                steps=", ".join(map(str, violating)),
            ),
            Phrase(
                "The sum of their pushes $y x$ is $({a}, {b})$, and each push has the coefficient "
                "$1/(4\\lambda) = {coefficient}$.",
                a=sum(pushes[s - 1][0] for s in violating),
                b=sum(pushes[s - 1][1] for s in violating),
                coefficient=1 / (lam * STEPS),
            ),
            Phrase("$w_5 = ({a}, {b})$", a=w[0], b=w[1]),
        ),
    )


def _run(pushes: Sequence[Vector], lam: Fraction) -> list[Fraction]:
    """Return y⟨w, x⟩ of each step, before its update."""
    total, margins = [0, 0], []
    for s, push in enumerate(pushes, start=1):
        inner = total[0] * push[0] + total[1] * push[1]
        margins.append(inner / (lam * (s - 1)) if s > 1 else Fraction(0))
        if margins[-1] < 1:
            total = [total[0] + push[0], total[1] + push[1]]
    return margins


def _mistakes(x: list[int], pushes: list[int], violating: list[int], lam: Fraction) -> tuple[Mistake, ...]:
    """Return the known mistakes for one component, of which the lists have the values in all steps."""
    total = sum(pushes[s - 1] for s in violating)
    return (
        Mistake(
            float(sum(pushes) / (lam * STEPS)),
            N_("You added a push in every step. A step with y⟨w, x⟩ above 1 adds none."),
        ),
        Mistake(
            float(sum(pushes[s - 1] / (lam * s) for s in violating)),
            N_("You added each push with its first coefficient 1/(λs). Later steps shrink it to 1/(4λ)."),
        ),
        Mistake(
            float(total / (lam * len(violating))),
            N_("You divided by the number of pushes. The steps without a push also shrink w, so divide by all 4."),
        ),
        Mistake(total / STEPS, N_("The factor 1/λ is missing. Each push has the coefficient 1/(4λ).")),
        Mistake(
            float(sum(x[s - 1] for s in violating) / (lam * STEPS)),
            N_("You added the points x. The push of a step is y x, so the label counts, too."),
        ),
    )


def _counts(draw: Draw, lam: Fraction) -> Question:
    t = draw.whole(5, 10)
    X = [(draw.whole(-3, 3, excluded=(0,)), draw.whole(-3, 3, excluded=(0,))) for _ in range(2)]
    y = [draw.sign() for _ in range(2)]
    u, v = ((label * p, label * q) for (p, q), label in zip(X, y, strict=True))
    draw.need(u[0] * v[1] != u[1] * v[0])
    order = [draw.one_of((u, v)) for _ in range(t)]
    margins = _run(order, lam)
    a, b = (sum(push == each and m < 1 for push, m in zip(order, margins, strict=True)) for each in (u, v))
    draw.need(1 not in margins and min(a, b) >= 1 and a != b and a + b < t)
    w = [(a * u[j] + b * v[j]) / (lam * t) for j in (0, 1)]
    given: dict[str, object] = {f"w{j + 1}": w[j] for j in (0, 1)}
    for i in (1, 2):
        given |= {f"p{i}": X[i - 1][0], f"q{i}": X[i - 1][1], f"y{i}": y[i - 1]}
    return Question(
        Phrase(
            "Pegasos with $\\lambda = {lam}$ starts at $w_1 = (0, 0)$. Step $s$ has the learning rate "
            "$\\eta_s = 1/(\\lambda s)$. There is no bias and no projection. The training points are "
            "$x_1 = ({p1}, {q1})$ with $y_1 = {y1}$ and $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$. After $t = {t}$ steps, "
            "$w = ({w1}, {w2})$. A step adds a push $y_i x_i$ only if the drawn point has "
            "$y_i\\langle w, x_i\\rangle < 1$.",
            lam=float(lam),
            t=t,
            **given,
        ),
        N_("How many of the steps added a push of x₁, and how many added a push of x₂?"),
        Numbers(
            tuple(
                Number(
                    Phrase("steps with a push of $x_{i}$", i=i),
                    n,
                    (
                        Mistake(
                            t - other,
                            N_("You assumed that every step adds a push. A step with y⟨w, x⟩ above 1 adds none."),
                        ),
                        Mistake(
                            float(n / lam), N_("The factor λ is missing. Each push has the coefficient 1/(λt) in w.")
                        ),
                        Mistake(
                            float(Fraction(n, t)),
                            N_("You used the coefficient 1/λ. After t steps, each push has the coefficient 1/(λt)."),
                        ),
                        Mistake(
                            other, N_("This is the number for the other point. Check which push has which factor.")
                        ),
                    ),
                    whole=True,
                )
                for i, n, other in ((1, a, b), (2, b, a))
            )
        ),
        _hints(
            N_("Write $\\lambda t\\, w$ as a sum of the pushes $y_1 x_1$ and $y_2 x_2$. Their factors are the counts.")
        ),
        (
            Phrase("$\\lambda t\\, w = ({a}, {b})$", a=lam * t * w[0], b=lam * t * w[1]),
            Phrase(
                "The pushes are $y_1 x_1 = ({u1}, {u2})$ and $y_2 x_2 = ({v1}, {v2})$.",
                u1=u[0],
                u2=u[1],
                v1=v[0],
                v2=v[1],
            ),
            Phrase("$\\lambda t\\, w = {a} \\cdot y_1 x_1 + {b} \\cdot y_2 x_2$", a=a, b=b),
        ),
    )


def _hints(idea: str) -> tuple[Hint, ...]:
    return (
        Hint(idea),
        Hint(N_("The step on w as a sum of pushes shows the coefficient."), step="pegasos.pushes"),
    )
