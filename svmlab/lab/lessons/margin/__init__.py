"""The lesson on the margin: M1 to M13, one module for each step."""

from svmlab.lab.lessons.margin.exists import EXISTS
from svmlab.lab.lessons.margin.hand import HAND
from svmlab.lab.lessons.margin.perceptron import PERCEPTRON
from svmlab.lab.lessons.margin.places import PLACES
from svmlab.lab.lessons.margin.scaling import SCALING
from svmlab.lab.lessons.margin.shake import SHAKE
from svmlab.lab.lessons.margin.slide import SLIDE
from svmlab.lab.lessons.margin.turn import TURN
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "margin",
    N_("How wide is the street between the classes, and what does its width say about w? Eight small experiments."),
    (SCALING, PLACES, EXISTS, HAND, TURN, PERCEPTRON, SHAKE, SLIDE),
)
