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
from svmlab.lab.session.state import Lab
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_


def without_bias(lab: Lab) -> Lab:
    """Return the lab without a bias, because Pegasos has none."""
    return replace(lab, bias=False)


LESSON = Lesson(
    "pegasos",
    N_(
        "Pegasos looks at **one point at a time**, drawn at random, and still finds the soft-margin line. "
        "It has no bias, so the board shows the machine without one, and w* is its exact solution."
    ),
    (
        STEP,
        CONVERGENCE,
        CHANCE,
        RATES,
        RETURNED,
        CERTIFICATE,
        REGRET,
        COMPARATOR,
        BALL,
        PUSHES,
        DRAW,
        GRADIENTS,
        MEAN,
        KERNEL,
        THETA,
        BATCH,
        STOCHASTIC,
        COST,
    ),
    lab_to_draw=without_bias,
)
