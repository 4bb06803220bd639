"""The lesson on the soft margin: S1 to S17, one module for each step."""

from svmlab.lab.lessons.soft.biases import BIASES
from svmlab.lab.lessons.soft.forms import FORMS
from svmlab.lab.lessons.soft.hard import HARD
from svmlab.lab.lessons.soft.multipliers import MULTIPLIERS
from svmlab.lab.lessons.soft.objective import OBJECTIVE
from svmlab.lab.lessons.soft.offset import OFFSET
from svmlab.lab.lessons.soft.places import PLACES
from svmlab.lab.lessons.soft.price import PRICE
from svmlab.lab.lessons.soft.slack import SLACK
from svmlab.lab.lessons.soft.support import SUPPORT
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "soft",
    N_("Points may fall short of their margin line, at a price. The slider under the board moves that price, C."),
    (PRICE, SLACK, PLACES, MULTIPLIERS, SUPPORT, OFFSET, OBJECTIVE, FORMS, BIASES, HARD),
)
