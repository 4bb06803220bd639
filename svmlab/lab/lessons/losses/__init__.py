"""The lesson on losses and descent: L1 to L5 and L8 to L15, one module for each step."""

from svmlab.lab.lessons.losses.down import DOWN
from svmlab.lab.lessons.losses.valleys import VALLEYS
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "losses",
    N_("What a machine minimises in place of its errors, and how it gets down there."),
    (VALLEYS, DOWN),
)
