"""The first lesson, for readers who have not met a support vector machine: five steps, and the symbols at the end."""

from svmlab.lab.lessons.start.holders import HOLDERS
from svmlab.lab.lessons.start.lines import LINES
from svmlab.lab.lessons.start.overlap import OVERLAP
from svmlab.lab.lessons.start.points import POINTS
from svmlab.lab.lessons.start.symbols import SYMBOLS
from svmlab.lab.lessons.start.widest import WIDEST
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "start",
    N_(
        "After this lesson you can explain in your own words what a **support vector machine** does. Its five "
        "steps need no formulas, and a last page shows the same in symbols."
    ),
    (POINTS, LINES, WIDEST, HOLDERS, OVERLAP),
    minutes=5,
    end=SYMBOLS,
)
