"""The lesson on several classes and on values: X1 and X2, one module for each step."""

from svmlab.lab.lessons.extensions.curve import CURVE
from svmlab.lab.lessons.extensions.edge import EDGE
from svmlab.lab.lessons.extensions.eps import EPS
from svmlab.lab.lessons.extensions.middle import MIDDLE
from svmlab.lab.lessons.extensions.nobody import NOBODY
from svmlab.lab.lessons.extensions.rest import REST
from svmlab.lab.lessons.extensions.tube import TUBE
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "extensions",
    N_("More than two classes, and values in place of classes."),
    (
        REST,
        NOBODY,
        MIDDLE,
        TUBE,
        EDGE,
        EPS,
        CURVE,
    ),
)
