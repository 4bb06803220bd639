"""SVMs for several classes: one-vs-rest, and the joint SVM of Crammer and Singer."""

from typing import TYPE_CHECKING

from svmlab.moved import old_names
from svmlab.multiclass.classes import Classes
from svmlab.multiclass.example_boards import BOARDS, make_classes
from svmlab.multiclass.joint import JointSolution
from svmlab.multiclass.one_vs_rest import MulticlassCategory, OneVsRestSolution
from svmlab.multiclass.problem import MulticlassProblem
from svmlab.multiclass.solve import certify, solve

__all__ = [
    "BOARDS",
    "Classes",
    "JointSolution",
    "OneVsRestSolution",
    "MulticlassProblem",
    "MulticlassCategory",
    "certify",
    "make_classes",
    "solve",
]

if not TYPE_CHECKING:  # a type checker would accept any name
    __getattr__ = old_names(__name__)
