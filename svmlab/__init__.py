"""svmlab: support vector machines solved exactly, with the proof beside the answer."""

from svmlab.binary.categories import Category
from svmlab.binary.kkt import Certificate
from svmlab.binary.path import Path, regularization_path
from svmlab.binary.problem import Problem
from svmlab.binary.separability import NotSeparable, Separation, separate
from svmlab.binary.solution import Solution, certify
from svmlab.binary.solve import solve
from svmlab.core.errors import BadInput, NotExact, SolverFailed, SvmError
from svmlab.data import DATASETS, Dataset, make_dataset
from svmlab.kernels.composed import Composed
from svmlab.kernels.standard import Gaussian, Linear, Polynomial, Sigmoid
from svmlab.pegasos import KernelRun, PegasosRun, pegasos

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
