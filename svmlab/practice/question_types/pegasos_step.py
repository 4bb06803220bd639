"""A subgradient of the hinge loss, and one step of Pegasos."""

from __future__ import annotations

from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type


@question_type(
    N_("Hinge subgradient and Pegasos step"),
    lesson="pegasos",
    needs={1: ("losses.kink",), 2: ("pegasos.step",), 3: ("pegasos.step",)},
)
def pegasos_step(draw: Draw, difficulty: int) -> Question:
    """Return the question for the subgradient alone (1), a step with a violation (2), or one where it is open (3)."""
    w = (draw.whole(-3, 3), draw.whole(-3, 3))
    x = (draw.whole(-4, 4, excluded=(0,)), draw.whole(-4, 4, excluded=(0,)))
    y = draw.sign()
    margin = y * (w[0] * x[0] + w[1] * x[1])
    draw.need(w[0] * w[1] != 0 and margin != 1)
    given = {"w1": w[0], "w2": w[1], "x1": x[0], "x2": x[1], "y": y}
    if difficulty == 1:
        draw.need(margin < 1)
        return _subgradient(given, w, x, y, margin)
    violated = margin < 1
    draw.need(violated or difficulty == 3)
    t, scaled = draw.whole(2, 5), draw.one_of((1, 2, 5))
    lam = Fraction(scaled, 10)
    eta = 1 / (lam * t)
    new = [(1 - eta * lam) * w[i] + (eta * y * x[i] if violated else 0) for i in (0, 1)]
    return Question(
        Phrase(
            "Pegasos minimises $\\tfrac{{\\lambda}}{{2}}\\|w\\|^2 + \\tfrac1m\\sum_i \\max(0, 1 - y_i\\langle w, "
            "x_i\\rangle)$ without a bias, with $\\lambda = {lam}$. At step $t = {t}$ the learning rate is "
            "$\\eta_t = 1/(\\lambda t)$ and the iterate is $w_t = ({w1}, {w2})$. The drawn point is $x = ({x1}, {x2})$ "
            "with $y = {y}$.",
            lam=float(lam),
            t=t,
            **given,
        ),
        N_("Which vector is the next iterate before any projection?"),
        Numbers(
            tuple(
                Number(
                    Phrase("component {i} of the next iterate", i=i + 1),
                    float(new[i]),
                    _step_mistakes(w[i], y * x[i], eta, lam, violated),
                )
                for i in (0, 1)
            )
        ),
        (
            Hint(N_("First compute $y\\langle w_t, x\\rangle$. The point enters the update only if it is below 1.")),
            Hint(N_("The step on the Pegasos update shows both cases."), step="pegasos.step"),
        ),
        (
            Phrase(
                "$y\\langle w_t, x\\rangle = {margin}$, $\\eta_t = {eta}$ and $1 - \\eta_t\\lambda = {shrink}$",
                margin=margin,
                eta=eta,
                shrink=1 - eta * lam,
            ),
            Phrase("$w_{{t+1}} = ({a}, {b})$", a=new[0], b=new[1]),
        ),
    )


def _step_mistakes(w: int, yx: int, eta: Fraction, lam: Fraction, violated: bool) -> tuple[Mistake, ...]:
    shrunk = (1 - eta * lam) * w
    if violated:
        return (
            Mistake(float(w + eta * yx), N_("The regulariser is missing. It multiplies w by 1 − ηλ.")),
            Mistake(
                float(shrunk - eta * yx),
                N_("The sign of the update is wrong. A step goes against the subgradient −y x."),
            ),
            Mistake(float(shrunk), N_("The point violates the margin, because y⟨w, x⟩ is below 1, so η y x is added.")),
        )
    return (
        Mistake(
            float(shrunk + eta * yx),
            N_("The hinge loss of this point is 0, because y⟨w, x⟩ is above 1. The step only multiplies w by 1 − ηλ."),
        ),
        Mistake(float(w), N_("The hinge loss is 0 here, but the regulariser still multiplies w by 1 − ηλ.")),
    )


def _subgradient(given: dict[str, int], w: tuple[int, int], x: tuple[int, int], y: int, margin: int) -> Question:
    return Question(
        Phrase(
            "The hinge loss of the point $x = ({x1}, {x2})$ with $y = {y}$ is $\\max(0, 1 - y\\langle w, x\\rangle)$. "
            "The current weight vector is $w = ({w1}, {w2})$.",
            **given,
        ),
        N_("Which vector is the gradient of this hinge loss with respect to w?"),
        Numbers(
            tuple(
                Number(
                    Phrase("component {i} of the gradient", i=i + 1),
                    -y * x[i],
                    (
                        Mistake(y * x[i], N_("This is the descent direction. The gradient of 1 − y⟨w, x⟩ is −y x.")),
                        Mistake(0, N_("The gradient is 0 only where y⟨w, x⟩ is above 1. Here it is below 1.")),
                    ),
                )
                for i in (0, 1)
            )
        ),
        (
            Hint(
                N_("Is $y\\langle w, x\\rangle$ above 1? If it is below, differentiate $1 - y\\langle w, x\\rangle$.")
            ),
            Hint(N_("The step on subgradients of the hinge loss shows both sides of the kink."), step="losses.kink"),
        ),
        (
            Phrase("$y\\langle w, x\\rangle = {margin}$ is below 1, so the loss is positive.", margin=margin),
            Phrase("The gradient is $-y\\,x = ({a}, {b})$.", a=-y * x[0], b=-y * x[1]),
        ),
    )
