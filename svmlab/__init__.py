"""svmlab solves support vector machines exactly, and returns each solution with its proof."""

import sys
from importlib import import_module
from types import ModuleType

from svmlab.binary.categories import Category
from svmlab.binary.kkt import Certificate
from svmlab.binary.path import Path, regularization_path
from svmlab.binary.problem import Problem
from svmlab.binary.separability import NotSeparable, Separation, separate
from svmlab.binary.solution import Solution, certify
from svmlab.binary.solve import solve
from svmlab.core.errors import BadInput, NotExact, SolverFailed, SvmError
from svmlab.core.version import __version__
from svmlab.data import DATASETS, Dataset, make_dataset
from svmlab.kernels.composed import Composed
from svmlab.kernels.standard import Gaussian, Linear, Polynomial, Sigmoid
from svmlab.moved import MOVED, OldNames
from svmlab.pegasos import KernelRun, PegasosRun, pegasos

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
    "__version__",
    "certify",
    "make_dataset",
    "pegasos",
    "regularization_path",
    "separate",
    "solve",
]

sys.meta_path.append(OldNames())


FOLDERS = (  # imported when they are first used, because a first fit does without them, and two need an extra
    "firstorder",
    "generalisation",
    "losses",
    "multiclass",
    "plane",
    "plot",
    "regression",
    "sklearn",
    "statements",
)


def __getattr__(name: str) -> ModuleType:
    """Return a folder of the package, or the module that had this name in an earlier release."""
    if name in FOLDERS or f"{__name__}.{name}" in MOVED:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
