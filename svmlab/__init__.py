"""svmlab: support vector machines solved exactly, with the proof beside the answer."""

from svmlab.categories import Category
from svmlab.certificate import Certificate
from svmlab.composed import Composed
from svmlab.data import DATASETS, Dataset, make_dataset
from svmlab.errors import BadInput, NotExact, SolverFailed, SvmError
from svmlab.kernels import Gaussian, Linear, Polynomial, Sigmoid
from svmlab.path import Path, regularization_path
from svmlab.pegasos import KernelRun, PegasosRun, pegasos
from svmlab.problem import Problem
from svmlab.separation import NotSeparable, Separation, separate
from svmlab.solution import Solution, certify
from svmlab.solve import solve

__version__ = "0.1.0"

__all__ = [
    "DATASETS",
    "BadInput",
    "Category",
    "Certificate",
    "Composed",
    "Dataset",
    "Gaussian",
    "KernelRun",
    "Linear",
    "NotExact",
    "NotSeparable",
    "Path",
    "PegasosRun",
    "Polynomial",
    "Problem",
    "Separation",
    "Sigmoid",
    "Solution",
    "SolverFailed",
    "SvmError",
    "certify",
    "make_dataset",
    "pegasos",
    "regularization_path",
    "separate",
    "solve",
]
