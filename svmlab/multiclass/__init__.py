"""SVMs for several classes: one-vs-rest, and the joint SVM of Crammer and Singer."""

from svmlab.multiclass.classes import Classes
from svmlab.multiclass.example_boards import BOARDS, make_classes
from svmlab.multiclass.joint import Joint
from svmlab.multiclass.one_vs_rest import Machines, Standing
from svmlab.multiclass.problem import Several
from svmlab.multiclass.solve import certify, solve

__all__ = [
    "BOARDS",
    "Classes",
    "Joint",
    "Machines",
    "Several",
    "Standing",
    "certify",
    "make_classes",
    "solve",
]
