"""The lesson on losses and descent: L1 to L5 and L8 to L15, one module for each step."""

from svmlab.lab.lessons.losses.balls import BALLS
from svmlab.lab.lessons.losses.curves import CURVES
from svmlab.lab.lessons.losses.down import DOWN
from svmlab.lab.lessons.losses.errors import ERRORS
from svmlab.lab.lessons.losses.far import FAR
from svmlab.lab.lessons.losses.kink import KINK
from svmlab.lab.lessons.losses.recipe import RECIPE
from svmlab.lab.lessons.losses.restless import RESTLESS
from svmlab.lab.lessons.losses.valleys import VALLEYS
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "losses",
    N_("What a machine minimises in place of its errors, and how it gets down there."),
    (
        ERRORS,
        CURVES,
        FAR,
        VALLEYS,
        DOWN,
        KINK,
        BALLS,
        RECIPE,
        RESTLESS,
    ),
)
