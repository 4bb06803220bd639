"""The lesson on the soft margin: S1 to S17."""

from svmlab.lab.lessons.soft import words
from svmlab.lab.lessons.soft.forms import BIASES, FORMS
from svmlab.lab.lessons.soft.objective import OBJECTIVE
from svmlab.lab.lessons.soft.path import HARD, MULTIPLIERS, PRICE
from svmlab.lab.lessons.soft.points import PLACES, SLACK
from svmlab.lab.lessons.soft.vectors import OFFSET, SUPPORT
from svmlab.lab.teach.step import Lesson

LESSON = Lesson(
    "soft", words.INTRO, (PRICE, SLACK, PLACES, MULTIPLIERS, SUPPORT, OFFSET, OBJECTIVE, FORMS, BIASES, HARD)
)
