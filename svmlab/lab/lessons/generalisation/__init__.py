"""The lesson on generalisation: G0 to G9, one module for each step."""

from svmlab.lab.lessons.generalisation.ball import BALL
from svmlab.lab.lessons.generalisation.carry import CARRY
from svmlab.lab.lessons.generalisation.enough import ENOUGH
from svmlab.lab.lessons.generalisation.fewer import FEWER
from svmlab.lab.lessons.generalisation.forbid import FORBID
from svmlab.lab.lessons.generalisation.four import FOUR
from svmlab.lab.lessons.generalisation.leave import LEAVE
from svmlab.lab.lessons.generalisation.units import UNITS_STEP
from svmlab.lab.lessons.generalisation.unseen import UNSEEN
from svmlab.lab.lessons.generalisation.width import WIDTH_STEP
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "generalisation",
    N_("What the points on the board promise for points that nobody has seen."),
    (
        UNSEEN,
        ENOUGH,
        CARRY,
        FEWER,
        FOUR,
        FORBID,
        BALL,
        WIDTH_STEP,
        LEAVE,
        UNITS_STEP,
    ),
)
