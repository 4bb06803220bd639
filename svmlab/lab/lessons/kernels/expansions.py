"""What the step on the series computes on its board: the machine with N terms, on random features, and their errors."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from svmlab import Dataset, Linear, Problem, pegasos, solve
from svmlab.core.arrays import Array
from svmlab.kernels.features import RandomFeatures, gaussian_features, gaussian_grid, random_features
from svmlab.lab.teach.requirements import sigma_of
from svmlab.lab.teach.stage import Stage

FEATURES = 10.0 * 2.0 ** np.arange(9)  # random ones, of which the chart tells
DRAWS, T = 8, 3000  # sets of random features, and steps of Pegasos on one of them
FINE = 96  # places of a grid over the board along either axis
SHOWN = 30  # terms on the board at first


def reach(stage: Stage) -> float:
    """The distance of the farthest point from the origin."""
    return float(np.hypot(*stage.data.X.T).max())


def point(stage: Stage) -> int:
    """The row of the selected point, or of the farthest."""
    return int(np.hypot(*stage.data.X.T).argmax()) if stage.selected_row is None else stage.selected_row


def distance(stage: Stage) -> float:
    """How far that point is from the origin."""
    return float(np.hypot(*stage.data.X[point(stage)]))


def last(stage: Stage) -> int:
    """N, the last term."""
    return round(stage.dial("terms", SHOWN))


def count(stage: Stage) -> int:
    """D, the number of random features."""
    return round(stage.dial("waves", 160.0))


def drawn(stage: Stage) -> RandomFeatures:
    """The random features on the board."""
    return random_features(2, count(stage), sigma_of(stage))


class Machine(NamedTuple):
    """A machine with coordinates written down: f at the points (m,), and on a grid over the board (n, n)."""

    f: Array
    grid: Array


def with_terms(stage: Stage) -> Machine:
    """The exact machine whose coordinates end with the N-th term."""
    lab, N = stage.lab, last(stage)

    def make() -> Machine:
        Phi = gaussian_features(lab.data.X, N, sigma_of(stage))
        w = solve(Problem(Dataset(Phi, lab.data.y), Linear(), lab.C, bias=False)).w
        assert w is not None
        at = np.linspace(-lab.view, lab.view, FINE)
        return Machine(Phi @ w, gaussian_grid(w, N, at, at, sigma_of(stage)))

    return stage.cached(f"terms {N} {lab.view}", make)


def on_features(stage: Stage) -> Machine:
    """Linear Pegasos on the random features, the average of its steps."""
    lab, features = stage.lab, drawn(stage)

    def make() -> Machine:
        Phi = features(lab.data.X)
        w = pegasos(Dataset(Phi, lab.data.y), lab.lam, T).averages[0, -1]
        at = np.linspace(-lab.view, lab.view, FINE)
        return Machine(Phi @ w, features.grid(w, at, at))

    return stage.cached(f"waves {features.D} {lab.view}", make)


def kernel_form(stage: Stage) -> Array:
    """The same steps with the same draws in kernel values: the coefficients (m,) of its average."""
    lab = stage.lab
    return stage.cached(
        "kernel form", lambda: pegasos(lab.data, lab.lam, T, kernel=lab.kernel_function).averages[0, -1]
    )


def off(stage: Stage, features: RandomFeatures) -> float:
    """The largest error of the kernel over pairs of points."""
    Phi = features(stage.data.X)
    return float(np.abs(Phi @ Phi.T - stage.lab.problem.gram).max())


def all_errors(stage: Stage) -> Array:
    """The same for each number in FEATURES and several draws, (k, DRAWS): more features begin with the fewer ones."""
    found = np.empty((len(FEATURES), DRAWS))
    for j in range(DRAWS):
        every = random_features(2, int(FEATURES[-1]), sigma_of(stage), seed=j + 1)(stage.data.X)
        every *= math.sqrt(every.shape[1] / 2.0)  # the cosines
        total, before = np.zeros_like(stage.lab.problem.gram), 0
        for i, D in enumerate(FEATURES.astype(int).tolist()):
            total += every[:, before:D] @ every[:, before:D].T
            found[i, j], before = np.abs(2.0 / D * total - stage.lab.problem.gram).max(), D
    return found
