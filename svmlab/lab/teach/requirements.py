"""The needs that steps share. In a step, list first the needs on which later ones rely."""

from __future__ import annotations

import numpy as np

from svmlab import Gaussian, Linear, separate
from svmlab.generalisation import Source
from svmlab.lab.session.point_source import find_source
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import EQUAL_CLASS_COSTS as EQUAL_CLASS_COSTS
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
    N_("Only one class is on the board, and a street needs points on both sides."),
    {},
)
LINEAR = Need(
    lambda stage: stage.lab.kernel_function.is_linear,
    N_("This step measures in the plane itself, so it needs a straight line: the linear kernel."),
    {"kernel": "linear"},
)
BIAS = Need(
    lambda stage: stage.lab.bias,
    N_("This step moves the line freely, so the machine needs its offset b."),
    {"bias": True},
)
NO_BIAS = Need(lambda stage: not stage.lab.bias, N_("This step is about a machine without offset."), {"bias": False})
HARD = Need(
    lambda stage: stage.lab.hard,
    N_("This step is about a street without points in it, so it needs the hard margin."),
    {"hard": True},
)
SOFT = Need(
    lambda stage: not stage.lab.hard, N_("This step is about slack, and the hard margin allows none."), {"hard": False}
)
PRODUCT = Need(
    lambda stage: stage.lab.kernel_function.psd,
    N_("This kernel is no inner product on these points, so its dual is not the dual of any street."),
    {"kernel": "linear"},
)
ROTATION_INVARIANT = Need(
    lambda stage: stage.lab.kernel_function.rotation_invariant,
    N_("This step turns the board, and this kernel tells one direction from another."),
    {"kernel": "linear"},
)
SEPARABLE = Need(_separable, N_("These classes cannot be separated, so there is no street without points in it."), {})
LINE_EXISTS = Need(
    lambda stage: stage.cached_for_points("line exists", lambda: separate(stage.data, Linear()).separable),
    N_("No line separates these classes, so there is no street without points in it."),
    {},
)
SOLVED = Need(
    lambda stage: stage.outcome.solution is not None,
    N_("The machine on the board has no solution on these points."),
    {"hard": False},
)
NONZERO_W = Need(
    lambda stage: stage.solution.norm_w > 0, N_("Here w = 0: f is the same everywhere, and there is no line."), {}
)
SOURCE = Need(
    lambda stage: find_source(stage.lab) is not None,
    N_("Where these points come from nobody knows, and so not what unseen ones would be like."),
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
        lambda stage: len(stage.lab.points) <= points, N_("With so many points nothing could be told apart here."), {}
    )
