"""What a person watches while C goes up: multipliers, norm, slack, support vectors and errors along the path (S1, S11,
S13).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.binary.path import Path
from svmlab.core.arrays import Array, Index, frozen
from svmlab.core.errors import BadInput
from svmlab.solvers.bias import bias_interval, middle_bias

TINY = 1e-9


@dataclass(frozen=True, eq=False)
class PathSamples:
    """The path at the rising C (k,): every breakpoint within the span, and points between them.

    alpha, margins: (k, m); norm_w, slack: (k,). breaks (j,): the breakpoints. support (j + 1,): support vectors between
    them, from the first C to the last. turns (e,), errors (e + 1,): where the number of points with y f < 0 changes,
    exactly.
    """

    C: Array
    alpha: Array
    margins: Array
    norm_w: Array
    slack: Array
    breaks: Array
    support: Index
    error_changes: Array
    errors: Index


def sample_path(path: Path, lo: float, hi: float, samples: int = 181) -> PathSamples:
    """The path from C = lo to hi, `samples` of them evenly in log C. Raises BadInput for a kernel without feature
    space.
    """
    problem = path.problem
    if not problem.kernel.psd:
        raise BadInput(
            "The {kernel} kernel has no feature space, and so w has no length to follow.", kernel=problem.kernel.title
        )
    breaks = path.C[np.searchsorted(path.C, lo, "right") : np.searchsorted(path.C, hi)]
    C = np.union1d(np.geomspace(lo, hi, samples), breaks)
    alpha = np.stack([path.alpha(c) for c in C])
    norm_w, margins = _machines(path, alpha)
    ends = np.r_[lo, breaks, hi]
    middles = np.sqrt(ends[:-1] * ends[1:])
    support = np.array([(path.alpha(c) > TINY * c).sum() for c in middles])
    turns, errors = _crossings(C, margins)
    slack = np.maximum(0.0, 1.0 - margins).sum(1)
    return PathSamples(
        frozen(C),
        frozen(alpha),
        frozen(margins),
        frozen(norm_w),
        frozen(slack),
        frozen(breaks),
        frozen(support, np.intp),
        frozen(turns),
        frozen(errors, np.intp),
    )


def _machines(path: Path, alpha: Array) -> tuple[Array, Array]:
    """|w| (k,) and y f (k, m) of each row of alpha."""
    data, bias = path.problem.data, path.problem.bias
    signed = alpha * data.y
    if path.problem.kernel.is_linear:
        X = data.X - data.X.mean(0) if bias else data.X
        W = signed @ X
        g, norm = W @ X.T, np.linalg.norm(W, axis=1)
    else:
        g = signed @ path.problem.gram
        norm = np.sqrt(np.maximum(0.0, (signed * g).sum(1)))
    if bias:
        one = np.ones(data.m)
        g = g + np.array([middle_bias(*bias_interval(row, data.y, one, False)) for row in g])[:, None]
    return norm, data.y * g


def _crossings(C: Array, margins: Array) -> tuple[Array, Array]:
    """Where y f changes its sign: it is linear between neighbouring C. And the number below 0 before, between and
    after.
    """
    wrong = margins < -TINY
    rows, points = np.nonzero(wrong[1:] != wrong[:-1])
    a, b = margins[rows, points], margins[rows + 1, points]
    at = C[rows] + (C[rows + 1] - C[rows]) * np.clip(a / np.where(a == b, 1.0, a - b), 0.0, 1.0)
    order = np.argsort(at, kind="stable")
    change = np.where(wrong[rows + 1, points], 1, -1)[order]
    return at[order], np.r_[wrong[0].sum(), wrong[0].sum() + np.cumsum(change)]
