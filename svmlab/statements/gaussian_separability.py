"""K11: a Gaussian separates all distinct points, shown in decimals where double precision is not enough."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.separability import separate
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_
from svmlab.kernels.features import DefinitenessProof, prove_definite
from svmlab.kernels.standard import Gaussian
from svmlab.statements.gaussian_features import board_sigma, sigma_note
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

MAX_POINTS = 100  # largest number of points for which decimals are used
VISIBLE = 1e-7  # least eigenvalue that double precision gives to six digits


@dataclass(frozen=True, eq=False)
class DistinctPositions:
    """The distinct positions X (n, d) of a board, with their labels (n,), 0 where a position has both labels.

    proof: that K is positive definite there, in decimals.
    """

    X: Array
    labels: Array
    proof: DefinitenessProof

    @property
    def consistent(self) -> bool:
        """Return whether no position has both labels."""
        return bool(self.labels.all())


def distinct_positions(X: Array, y: Array, sigma: float) -> DistinctPositions:
    """Return the distinct positions of a board and the proof that a Gaussian separates them.

    Raises DoesNotApply for more than MAX_POINTS positions.
    """
    Z, at = np.unique(X, axis=0, return_inverse=True)
    if len(Z) > MAX_POINTS:
        raise DoesNotApply(
            "This check uses decimal numbers with {digits} digits, which takes long for so many points. Use at "
            "most {most} points.",
            digits=40,
            most=MAX_POINTS,
        )
    n = len(Z)
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, at.ravel(), y)
    np.maximum.at(high, at.ravel(), y)
    return DistinctPositions(Z, np.where(low == high, low, 0.0), prove_definite(Z, sigma))


@statement(
    "K11",
    N_("Separability with a Gaussian kernel"),
    sentence=N_(
        "With a Gaussian kernel of any width σ, every finite set of different points is separable, for every labelling."
    ),
    formula=r"x_i \ne x_j \;\Rightarrow\; \lambda_{\min}(K) > 0, \qquad \text{margin} \ge \sqrt{\lambda_{\min}/m}",
    source=(
        Source(
            "D",
            N_("Gaussian kernel"),
            "incomplete",
            (
                "Questo significa che, in linea di principio, possiamo separare qualsiasi dataset utilizzando un "
                "kernel gaussiano."
            ),
            N_(
                "Two points with different labels at the same position cannot be separated, whatever the kernel "
                "is. The notes claim separability for every data set."
            ),
            94,
        ),
    ),
    repair=N_(
        "With a Gaussian kernel, every finite set of points is separable if no two points with different "
        "labels have the same position."
    ),
    conditions=N_(
        "Both classes are present, and there are at most 100 different positions. The statement holds in "
        "exact arithmetic. In double precision, the margin of a wide Gaussian can be smaller than the "
        "rounding error."
    ),
    tolerance=1e-6,
    page="kernels",
    subject="points",
    witness=Witness(
        ((0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (-1.0, 0.0)),
        (1, -1, 1, -1),
        N_(
            "The position in the middle has points of both labels. Since f has only one value there, it "
            "misclassifies one of them."
        ),
        kernel=Gaussian(1.0),
    ),
)
def gaussian(s: Situation, tol: float) -> Outcome:
    """Compare the least eigenvalue of K in decimals with the certificate of separability and with the margin.

    The certificate and the margin are computed in double precision.
    """
    s.need_points()
    s.need_classes()
    kernel = Gaussian(board_sigma(s))
    positions = distinct_positions(s.X, s.y, kernel.sigma)
    separation = separate(s.problem.data, kernel, s.problem.bias)
    sides = [
        Side("smallest eigenvalue of K, in decimal arithmetic", positions.proof.least_eigenvalue, r"\lambda_{\min}"),
        Side("lower bound for the margin of every labelling", positions.proof.margin, r"\sqrt{\lambda_{\min}/m}"),
    ]
    agrees = separation.separable == positions.consistent
    residual = 0.0 if agrees else 1.0
    if positions.proof.least_eigenvalue > VISIBLE:
        double = float(np.linalg.eigvalsh(kernel(positions.X, positions.X))[0])
        sides.append(Side("smallest eigenvalue of K, in double precision", double))
        residual = max(residual, abs(double / positions.proof.least_eigenvalue - 1.0))
    if separation.weights is not None:
        v, K = separation.weights * s.y, kernel(s.X, s.X)
        distance = math.sqrt(max(float(v @ K @ v), 0.0))
        sides.append(Side("distance of the two convex combinations of the certificate", distance))
        residual = max(residual, distance)
    elif agrees:
        widest_margin, margin_error = margin(s, kernel, tol)
        if widest_margin:
            interpolation_margin = 1.0 / positions.proof.norm(positions.labels)
            sides += [
                Side("margin, by the exact method", widest_margin),
                Side("margin of the f with f(xᵢ) = yᵢ", interpolation_margin),
            ]
            residual = max(residual, 1.0 - widest_margin / interpolation_margin, margin_error)
    shortfall = 1.0 - float(np.abs(positions.labels).min())
    printed = reading(
        tol,
        shortfall,
        Side("positions with both labels", float((positions.labels == 0).sum())),
        Side("largest possible value of the smallest y f there", 1.0 - shortfall),
    )
    return Outcome(
        printed, reading(tol, residual, *sides), errors_at_left_out_positions(positions, kernel, tol), sigma_note(s)
    )


def margin(s: Situation, kernel: Gaussian, tol: float) -> tuple[float, float]:
    """Return the largest margin by the exact method, and how far the least y f is from 1.

    It is (0, 0) where double precision does not resolve the margin well enough.
    """
    with suppress(SolverFailed):
        solution = solve(Problem(s.problem.data, kernel, np.inf, s.problem.bias))
        if solution.noise < tol / 100:
            return 1.0 / solution.norm_w, abs(float(solution.margins.min()) - 1.0)
    return 0.0, 0.0


def errors_at_left_out_positions(positions: DistinctPositions, kernel: Gaussian, tol: float) -> Reading:
    """Return how many positions the f through all other positions misclassifies.

    This claim is false in general, although a Gaussian separates the points that it is given.
    """
    has_one_label = positions.labels != 0
    y = positions.labels[has_one_label]
    proof = (
        positions.proof
        if has_one_label.all()
        else prove_definite(positions.X[has_one_label], kernel.sigma)
        if has_one_label.any()
        else None
    )
    wrong = 0 if proof is None else int((y * proof.leave_one_out_values(y) <= 0).sum())
    return reading(
        tol,
        wrong / max(len(y), 1),
        Side("positions misclassified by the f of all other positions", float(wrong)),
        Side("positions", float(len(y))),
        words=N_("An f that separates the training points also classifies a new point correctly."),
    )
