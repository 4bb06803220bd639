"""The lesson on generalisation: G0 to G9, one module for each step."""

from svmlab.lab.lessons.generalisation.leave import LEAVE
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "generalisation",
    N_("What the points on the board promise for points that nobody has seen."),
    (LEAVE,),
)
