"""The lesson on Pegasos: P1 to P15, L6, L7, X3."""

from __future__ import annotations

from dataclasses import replace

from svmlab.lab.lessons.pegasos.ball import BALL
from svmlab.lab.lessons.pegasos.batch import BATCH
from svmlab.lab.lessons.pegasos.certificate import CERTIFICATE
from svmlab.lab.lessons.pegasos.chance import CHANCE
from svmlab.lab.lessons.pegasos.comparator import COMPARATOR
from svmlab.lab.lessons.pegasos.convergence import CONVERGENCE
from svmlab.lab.lessons.pegasos.cost import COST
from svmlab.lab.lessons.pegasos.gradients import GRADIENTS
from svmlab.lab.lessons.pegasos.kernel import KERNEL
from svmlab.lab.lessons.pegasos.mean import MEAN
from svmlab.lab.lessons.pegasos.one_draw import DRAW
from svmlab.lab.lessons.pegasos.pushes import PUSHES
from svmlab.lab.lessons.pegasos.rates import RATES
from svmlab.lab.lessons.pegasos.regret import REGRET
from svmlab.lab.lessons.pegasos.returned import RETURNED
from svmlab.lab.lessons.pegasos.step import STEP
from svmlab.lab.lessons.pegasos.stochastic import STOCHASTIC
from svmlab.lab.lessons.pegasos.theta import THETA
from svmlab.lab.session.lab import Lab
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_


def without_bias(lab: Lab) -> Lab:
    """Return the lab without a bias, because Pegasos has none."""
    return replace(lab, bias=False)


LESSON = Lesson(
    "pegasos",
    N_(
        "After this lesson you can explain how Pegasos trains an SVM with one random point in each step, and how fast "
        "it converges. It builds on the lessons Soft margin and Losses."
    ),
    (
        STEP,
        DRAW,
        PUSHES,
        BATCH,
        CONVERGENCE,
        RETURNED,
        COST,
        BALL,
        GRADIENTS,
        REGRET,
        COMPARATOR,
        MEAN,
        CHANCE,
        RATES,
        CERTIFICATE,
        KERNEL,
        THETA,
        STOCHASTIC,
    ),
    lab_to_draw=without_bias,
    minutes=15,
    summary=(
        N_(
            "**Update.** In step $t$, Pegasos draws one point $(x, y)$ at random. It sets $w_{t+1} = (1 - "
            "\\frac1t)\\,w_t + \\frac{1}{\\lambda t}\\,v_t$, with $v_t = y\\,x$ if $y\\langle w_t, x\\rangle < 1$, "
            "and $v_t = 0$ otherwise."
        ),
        N_(
            "**One point is enough.** For a fixed $w$, the expected loss of the drawn point is $F(w) = "
            "\\frac\\lambda2\\|w\\|^2 + \\frac1m\\sum_i \\max(0, 1 - y_i\\langle w, x_i\\rangle)$. The expected "
            "subgradient is a subgradient of $F$."
        ),
        N_(
            "**Sum of the pushes.** $w_{t+1} = \\frac{1}{\\lambda t}\\sum_{s\\le t} v_s$. Early and late steps have "
            "the same weight."
        ),
        N_(
            "**Convergence.** For the average iterate, $\\mathbb{E}\\,F(\\bar w) - F(w^*) \\le 2X^2(1 + \\ln "
            "T)/(\\lambda T)$ with $X = \\max_i\\|x_i\\|$. With a constant step size, $w$ need not converge to $w^*$."
        ),
        N_(
            "**Cost.** A step of Pegasos needs time $O(d)$, whatever the number $m$ of points. A step on all points "
            "needs $O(md)$, and a dense quadratic program $O(m^3)$."
        ),
    ),
)
