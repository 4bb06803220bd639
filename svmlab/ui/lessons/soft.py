"""The lesson on the soft margin: S1 to S17."""

from svmlab.ui.lessons.soft_carriers import OFFSET, SUPPORT
from svmlab.ui.lessons.soft_forms import BIASES, FORMS
from svmlab.ui.lessons.soft_objective import OBJECTIVE
from svmlab.ui.lessons.soft_path import HARD, MULTIPLIERS, PRICE
from svmlab.ui.lessons.soft_points import PLACES, SLACK
from svmlab.ui.step import Lesson
from svmlab.ui.words import soft as words

LESSON = Lesson(
    "soft", words.INTRO, (PRICE, SLACK, PLACES, MULTIPLIERS, SUPPORT, OFFSET, OBJECTIVE, FORMS, BIASES, HARD)
)
