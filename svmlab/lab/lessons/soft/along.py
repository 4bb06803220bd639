"""What changes along the path as C grows: multipliers, norm, slack, support vectors and errors (S1, S11, S13)."""

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
    """The path at increasing C (k,): every breakpoint in the range, and values between them.

    alpha, margins: (k, m); norm_w, slack: (k,). breaks (j,): the breakpoints. support (j + 1,): the numbers of support
    vectors between them, from the first C to the last. error_changes (e,), errors (e + 1,): the C at which the number
    of points with y f < 0 changes, exactly, and these numbers.
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
    """Return the path from C = lo to hi, at `samples` values evenly spaced in log C and at the breakpoints.

    Raises BadInput for a kernel without a feature space.
    """
    problem = path.problem
    if not problem.kernel.psd:
        raise BadInput(
            "The {kernel} kernel has no feature space, and so w has no length to follow.", kernel=problem.kernel.title
        )
    breaks = path.C[np.searchsorted(path.C, lo, "right") : np.searchsorted(path.C, hi)]
    C = np.union1d(np.geomspace(lo, hi, samples), breaks)
    alpha = np.stack([path.alpha(c) for c in C])
    norm_w, margins = _norms_and_margins(path, alpha)
    ends = np.r_[lo, breaks, hi]
    middles = np.sqrt(ends[:-1] * ends[1:])
    support = np.array([(path.alpha(c) > TINY * c).sum() for c in middles])
    error_changes, errors = _error_changes(C, margins)
    slack = np.maximum(0.0, 1.0 - margins).sum(1)
    return PathSamples(
        frozen(C),
        frozen(alpha),
        frozen(margins),
        frozen(norm_w),
        frozen(slack),
        frozen(breaks),
        frozen(support, np.intp),
        frozen(error_changes),
        frozen(errors, np.intp),
    )


def _norms_and_margins(path: Path, alpha: Array) -> tuple[Array, Array]:
    """Return |w| (k,) and y f (k, m) for each row of alpha."""
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
        ones = np.ones(data.m)
        g = g + np.array([middle_bias(*bias_interval(row, data.y, ones, False)) for row in g])[:, None]
    return norm, data.y * g


def _error_changes(C: Array, margins: Array) -> tuple[Array, Array]:
    """Return the C at which some y f changes its sign, and the number of errors (y f <= 0) before, between and after.

    y f is linear between neighbouring C.
    """
    wrong = margins <= TINY
    rows, points = np.nonzero(wrong[1:] != wrong[:-1])
    a, b = margins[rows, points], margins[rows + 1, points]
    crossings = C[rows] + (C[rows + 1] - C[rows]) * np.clip(a / np.where(a == b, 1.0, a - b), 0.0, 1.0)
    order = np.argsort(crossings, kind="stable")
    change = np.where(wrong[rows + 1, points], 1, -1)[order]
    return crossings[order], np.r_[wrong[0].sum(), wrong[0].sum() + np.cumsum(change)]
