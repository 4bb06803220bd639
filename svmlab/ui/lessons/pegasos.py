"""The lesson on Pegasos: P1 to P13, L6, L7, X3."""

from __future__ import annotations

from svmlab.ui.lessons import (
    pegasos_convergence,
    pegasos_cost,
    pegasos_descent,
    pegasos_kernel,
    pegasos_regret,
    pegasos_step,
    pegasos_why,
)
from svmlab.ui.lessons.pegasos_common import without_bias
from svmlab.ui.step import Lesson
from svmlab.ui.words import pegasos as words

LESSON = Lesson(
    "pegasos",
    words.INTRO,
    (
        pegasos_step.STEP,
        pegasos_convergence.STEP,
        pegasos_regret.STEP,
        pegasos_why.STEP,
        pegasos_kernel.STEP,
        pegasos_descent.STEP,
        pegasos_cost.STEP,
    ),
    machine=without_bias,
)
