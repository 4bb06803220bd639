"""The Gaussian on the board, for the steps that are about it."""

from __future__ import annotations

import numpy as np

from svmlab import Gaussian
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Need
from svmlab.lab.words import N_


def sigma_of(stage: Stage) -> float:
    """Sigma of the Gaussian on the board."""
    return float(getattr(stage.lab.kernel_function, "sigma", 1.0))


def _gaussian(stage: Stage) -> bool:
    X = stage.data.X
    return np.array_equal(stage.lab.kernel_function(X, X), Gaussian(sigma_of(stage))(X, X))


GAUSSIAN = Need(_gaussian, N_("This step is about the Gaussian kernel."), {"kernel": "gaussian"})
