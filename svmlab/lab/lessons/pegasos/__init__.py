"""The lesson on Pegasos: P1 to P13, L6, L7, X3."""

from __future__ import annotations

from svmlab.lab.lessons.pegasos import convergence, cost, descent, kernel, regret, step, why, words
from svmlab.lab.lessons.pegasos.common import without_bias
from svmlab.lab.teach.step import Lesson

LESSON = Lesson(
    "pegasos",
    words.INTRO,
    (
        step.STEP,
        convergence.STEP,
        regret.STEP,
        why.STEP,
        kernel.STEP,
        descent.STEP,
        cost.STEP,
    ),
    machine=without_bias,
)
