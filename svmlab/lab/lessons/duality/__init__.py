"""The lesson on duality: H1 to H13, one module for each step."""

from svmlab.lab.lessons.duality.classify import CLASSIFY
from svmlab.lab.lessons.duality.four_versions import VERSIONS
from svmlab.lab.lessons.duality.gap import GAP
from svmlab.lab.lessons.duality.hulls import HULLS
from svmlab.lab.lessons.duality.keep import KEEP
from svmlab.lab.lessons.duality.kkt import KKT
from svmlab.lab.lessons.duality.none import NONE
from svmlab.lab.lessons.duality.offset import OFFSET
from svmlab.lab.lessons.duality.parts import PARTS
from svmlab.lab.lessons.duality.programs import PROGRAMS
from svmlab.lab.lessons.duality.saddle import SADDLE
from svmlab.lab.lessons.duality.sum import SUM
from svmlab.lab.lessons.duality.weights import WEIGHTS
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "duality",
    N_(
        "The widest street can be looked for in two ways: by moving the line (**primal**), or by weighing the points "
        "(**dual**). Here you see what each of them finds, and why."
    ),
    (VERSIONS, SADDLE, PROGRAMS, GAP, KKT, PARTS, SUM, HULLS, OFFSET, CLASSIFY, KEEP, WEIGHTS, NONE),
)
