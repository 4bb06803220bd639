"""The lesson on the margin: M1 to M12, one module for each step."""

from svmlab.ui.lessons.margin.exists import EXISTS
from svmlab.ui.lessons.margin.hand import HAND
from svmlab.ui.lessons.margin.perceptron import PERCEPTRON
from svmlab.ui.lessons.margin.places import PLACES
from svmlab.ui.lessons.margin.scaling import SCALING
from svmlab.ui.lessons.margin.shake import SHAKE
from svmlab.ui.lessons.margin.slide import SLIDE
from svmlab.ui.lessons.margin.turn import TURN
from svmlab.ui.step import Lesson
from svmlab.ui.words.margin import INTRO

LESSON = Lesson("margin", INTRO, (SCALING, PLACES, EXISTS, HAND, TURN, PERCEPTRON, SHAKE, SLIDE))
