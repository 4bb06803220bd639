"""The Gaussian on the board, for the steps that are about it."""

from __future__ import annotations

import numpy as np

from svmlab import Gaussian
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Need
from svmlab.lab.words import N_


def width(stage: Stage) -> float:
    """Sigma of the Gaussian on the board."""
    return float(getattr(stage.lab.machine, "sigma", 1.0))


def _gaussian(stage: Stage) -> bool:
    X = stage.data.X
    return np.array_equal(stage.lab.machine(X, X), Gaussian(width(stage))(X, X))


GAUSSIAN = Need(_gaussian, N_("This step is about the Gaussian kernel."), {"kernel": "gaussian"})
