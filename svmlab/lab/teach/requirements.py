"""The needs that steps share. In a step, list first the needs on which later ones rely."""

from __future__ import annotations

import numpy as np

from svmlab import Gaussian, Linear, separate
from svmlab.generalisation import Source
from svmlab.lab.session.point_source import find_source
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Need
from svmlab.lab.words import N_


def sigma_of(stage: Stage) -> float:
    """Return the kernel width sigma of the Gaussian on the board."""
    return float(getattr(stage.lab.kernel_function, "sigma", 1.0))


def _gaussian(stage: Stage) -> bool:
    X = stage.data.X
    return np.array_equal(stage.lab.kernel_function(X, X), Gaussian(sigma_of(stage))(X, X))


GAUSSIAN = Need(_gaussian, N_("This step is about the Gaussian kernel."), {"kernel": "gaussian"})


def _separable(stage: Stage) -> bool:
    """Return whether some line (or, with the board's kernel, some f) separates the classes."""
    if stage.lab.hard:
        return stage.outcome.solution is not None
    return stage.situation.separation.separable


BOTH_CLASSES = Need(
    lambda stage: stage.data.both_classes,
    N_("There is only one class on the board, and this step needs both."),
    {},
)
LINEAR = Need(
    lambda stage: stage.lab.kernel_function.is_linear,
    N_("This step measures distances in the plane, so it needs a straight line and the linear kernel."),
    {"kernel": "linear"},
)
BIAS = Need(
    lambda stage: stage.lab.bias,
    N_("This step moves the line freely, so the SVM needs a bias."),
    {"bias": True},
)
NO_BIAS = Need(lambda stage: not stage.lab.bias, N_("This step is about an SVM without a bias."), {"bias": False})
HARD = Need(
    lambda stage: stage.lab.hard,
    N_("In this step no point lies between the margin lines, so it needs the hard margin."),
    {"hard": True},
)
SOFT = Need(
    lambda stage: not stage.lab.hard,
    N_("This step is about slack, which the hard margin does not allow."),
    {"hard": False},
)
PRODUCT = Need(
    lambda stage: stage.lab.kernel_function.psd,
    N_("This step needs a positive semidefinite kernel. The function on the board is not known to be one."),
    {"kernel": "linear"},
)
ROTATION_INVARIANT = Need(
    lambda stage: stage.lab.kernel_function.rotation_invariant,
    N_("This step turns the board, so it needs a kernel whose values do not change under a rotation."),
    {"kernel": "linear"},
)
SEPARABLE = Need(_separable, N_("These classes cannot be separated, so there is no hard margin."), {})
LINE_EXISTS = Need(
    lambda stage: stage.cached_for_points("line exists", lambda: separate(stage.data, Linear()).separable),
    N_("No line separates these classes, so there is no hard margin."),
    {},
)
SOLVED = Need(
    lambda stage: stage.outcome.solution is not None,
    N_("The SVM on the board has no solution on these points."),
    {"hard": False},
)
NONZERO_W = Need(
    lambda stage: stage.solution.norm_w > 0,
    N_("On this board w = 0, so f is constant and there is no decision boundary."),
    {},
)
SOURCE = Need(
    lambda stage: find_source(stage.lab) is not None,
    N_("The distribution of these points is unknown, so the app cannot draw new ones."),
    {},
)


def source_of(stage: Stage) -> Source:
    """Return the source of the points on a board that meets SOURCE."""
    sample = find_source(stage.lab)
    assert sample is not None
    return sample.source


def at_most(points: int) -> Need:
    """Return the need for at most this many points, so that they can be distinguished in the picture."""
    return Need(
        lambda stage: len(stage.lab.points) <= points,
        N_("There are too many points on the board to distinguish them in the picture."),
        {},
    )
