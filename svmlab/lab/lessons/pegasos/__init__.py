"""The lesson on Pegasos: P1 to P13, L6, L7, X3."""

from __future__ import annotations

from svmlab.lab.lessons.pegasos import convergence as pegasos_convergence
from svmlab.lab.lessons.pegasos import cost as pegasos_cost
from svmlab.lab.lessons.pegasos import descent as pegasos_descent
from svmlab.lab.lessons.pegasos import kernel as pegasos_kernel
from svmlab.lab.lessons.pegasos import regret as pegasos_regret
from svmlab.lab.lessons.pegasos import step as pegasos_step
from svmlab.lab.lessons.pegasos import why as pegasos_why
from svmlab.lab.lessons.pegasos import words
from svmlab.lab.lessons.pegasos.common import without_bias
from svmlab.lab.teach.step import Lesson

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
