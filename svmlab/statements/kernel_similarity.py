"""K14: a kernel as a measure of similarity: which points determine f at a position."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import EPS, Array
from svmlab.core.phrase import N_
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

FRESH = 8  # positions that are no training points, drawn from the bounding box of the points


def positions(s: Situation) -> Array:
    """Return the points of the board and FRESH more in their bounding box, (m + FRESH, d)."""
    rng = np.random.Generator(np.random.Philox(s.m))
    low, high = s.X.min(0), s.X.max(0)
    return np.vstack([s.X, low + (high - low) * rng.random((FRESH, s.X.shape[1]))])


def feature_vectors(s: Situation, U: Array, K: Array) -> Array:
    """Return phi(u) for each row u of U (n, d), shape (n, D).

    It comes from the feature map. Where that is not finite, it is the projection on the span of the points, which is
    enough because w lies in the span.
    """
    kernel = s.problem.kernel
    if kernel.feature_dim(U.shape[1]) is not None:
        return kernel.feature_map(U)
    return np.linalg.lstsq(s.Phi, K, rcond=None)[0].T


def largest_rise(K: Array, distances: Array) -> float:
    """Return the most by which k (m, n) rises from one point to the next one farther away along `distances` (m, n)."""
    order = np.argsort(distances, axis=0, kind="stable")
    sorted_K, steps = np.take_along_axis(K, order, 0), np.diff(np.take_along_axis(distances, order, 0), axis=0)
    rises = np.where(steps > 1e-9 * float(distances.max() or 1.0), np.diff(sorted_K, axis=0), 0.0)
    return float(np.maximum(rises, 0.0).max(initial=0.0))


@statement(
    "K14",
    N_("The kernel as a similarity"),
    sentence=N_(
        "At a point u, f(u) is b plus one term αᵢ yᵢ k(xᵢ, u) for each support vector. The kernel value "
        "k(x, u) depends on the distance of φ(x) and φ(u), and on their norms. With a Gaussian kernel all "
        "norms are 1, so k is larger for points at a smaller distance on the board."
    ),
    formula=(
        r"f(u) = \sum_i \alpha_i y_i\,k(x_i, u) + b, \qquad k(x, u) = \tfrac12\bigl(\|\phi(x)\|^2 + "
        r"\|\phi(u)\|^2 - \|\phi(x) - \phi(u)\|^2\bigr)"
    ),
    source=(
        Source(
            "B",
            N_("Kernels: Formally Defined"),
            "hedged",
            quote=(
                r"Kernel $\kappa(\mathbf{x}_1,\mathbf{x}_2)$ takes two inputs and gives their similarity in "
                r"$\mathcal F$ space"
            ),
            flaw=N_(
                "A kernel value also depends on the norms of φ(x) and φ(u). In general, it orders points by "
                "their distance in feature space only if all norms are equal. The slides omit this condition."
            ),
            at=80,
        ),
        Source(
            "D",
            N_("Kernel Gaussiano"),
            quote="Punti vicini avranno un peso maggiore, mentre punti lontani avranno un peso minore.",
        ),
    ),
    conditions=N_(
        "The kernel has a feature space. The comparison with distances on the board needs a Gaussian kernel."
    ),
    tolerance=1e-6,
    page="kernels",
    subject="board",
    witness=Witness(
        ((1.0, 0.0), (3.0, 0.0), (-1.0, 0.0)),
        (1, 1, -1),
        N_(
            "For the first point, the linear kernel has the value 3 with the second point, and the value 1 with itself."
        ),
    ),
)
def similarity(s: Situation, tol: float) -> Outcome:
    """Compare the terms of the exact multipliers at many positions with the w of the primal program.

    k is compared with lengths and distances of features.
    """
    s.need_classes()
    s.need_small()
    kernel, exact, U = s.problem.kernel, s.board_solution, positions(s)
    K = kernel(s.X, U)
    program = s.hard_primal if s.problem.hard else s.soft_primal
    terms = (exact.alpha * s.y)[:, None] * K
    sums, by_w = terms.sum(0), feature_vectors(s, U, K) @ program.w
    unit = max(1.0, s.max_norm * float(np.linalg.norm(program.w)))
    # the rounding error of the sums
    tol = s.tolerance_above_noise(tol, (s.m + s.Phi.shape[1]) * EPS * float(np.abs(terms).sum(0).max()) / unit)
    low_b, high_b = exact.b_interval
    b_difference = max(low_b - program.b, program.b - high_b, 0.0)
    square = (s.Phi**2).sum(1)
    squared_distances = ((s.Phi[:, None] - s.Phi[None]) ** 2).sum(2)
    by_features = 0.5 * (square[:, None] + square[None] - squared_distances)
    k_difference = float(np.abs(by_features - K[:, : s.m]).max()) / s.max_norm**2
    distances = np.linalg.norm(s.X[:, None] - U[None], axis=2)
    by_distance = kernel.rotation_invariant and kernel.translation_invariant
    worst = max(float(np.abs(sums - by_w).max()) / unit, b_difference / unit, k_difference)
    rise = largest_rise(K, distances)
    return Outcome(
        reading(
            tol,
            max(worst, rise) if by_distance else worst,
            Side("positions u", float(len(U))),
            Side("largest sum of terms, exact multipliers", float(np.abs(sums).max()), r"\sum_i\alpha_i y_i k(x_i, u)"),
            Side("largest difference from the w of the primal program", float(np.abs(sums - by_w).max())),
            Side("b of the primal program", program.b, "b"),
            Side("largest relative difference of k from lengths and distances", k_difference),
        ),
        control=reading(
            tol,
            rise / s.max_norm**2,
            Side("largest increase of k towards a more distant point", rise),
            words=N_("For every kernel, the nearer of two points has the larger kernel value."),
        ),
    )
