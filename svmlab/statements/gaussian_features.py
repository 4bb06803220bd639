"""K6 and K7: the infinitely many features of a Gaussian."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.phrase import N_, Phrase
from svmlab.kernels.features import (
    gaussian_factors,
    gaussian_powers,
    gaussian_remainder,
    gaussian_squares,
    gaussian_terms_needed,
    random_deviation,
    random_features,
)
from svmlab.kernels.standard import Gaussian
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

FEW, RANDOM = 6, 20_000  # points between which random features are tried, and how many of these there are
ERRORS, SPREAD = 6.0, 0.03  # allowed: standard errors of the mean, and relative error of the standard deviation
MAX_POSITIONS = 24  # positions, and points, for which features are multiplied out
LEFT = 1e-12  # of k(x, x) = 1, the largest allowed remainder after the last term


def board_sigma(s: Situation) -> float:
    """Return sigma of the kernel on the board, or 1 where it has none.

    Raises DoesNotApply without points.
    """
    s.need_points()
    return float(getattr(s.problem.kernel, "sigma", 1.0))


def sigma_note(s: Situation) -> str:
    """Return the remark which Gaussian was used where the board's kernel has no sigma."""
    return (
        "" if hasattr(s.problem.kernel, "sigma") else N_("The kernel on the board has no σ, so the check uses σ = 1.")
    )


def evenly_spaced(n: int) -> Index:
    """Return at most MAX_POSITIONS of n rows, evenly spaced, with the first and the last row."""
    return np.unique(np.linspace(0, n - 1, min(n, MAX_POSITIONS)).round().astype(np.intp))


@statement(
    "K6",
    N_("Gaussian kernel from the linear kernel"),
    sentence=N_(
        "The Gaussian kernel is exp(⟨x, z⟩/σ²), multiplied by f(x) and f(z) with f(x) = exp(−‖x‖²/(2σ²)). "
        "So it is a kernel by the rules for building kernels."
    ),
    formula=(
        r"e^{-\|x-z\|^2/(2\sigma^2)} = e^{-\|x\|^2/(2\sigma^2)}\; e^{\langle x, z\rangle/\sigma^2}\; "
        r"e^{-\|z\|^2/(2\sigma^2)}"
    ),
    source=(
        Source(
            "B",
            N_("the Gaussian kernel is one, step 1"),
            quote=(
                r"$\kappa(\mathbf{x}_1, \mathbf{x}_2) = e^{-\frac{\mathbf{x}_1^T \mathbf{x}_1}{2\sigma^2}} "
                r"e^{-\frac{\mathbf{x}_2^T \mathbf{x}_2}{2\sigma^2}} e^{\frac{\mathbf{x}_1^T \mathbf{x}_2}{\sigma^2}}$"
            ),
        ),
        Source(
            "B",
            N_("the Gaussian kernel is one, step 5"),
            "misprint",
            quote=(
                r"$e^{-\frac{\mathbf{x}_1^T\mathbf{x}_1}{\sigma^2}}e^{-\frac{\mathbf{x}_1^T\mathbf{x}_1}{2"
                r"\sigma^2}}e^{\frac{\mathbf{x}_1^T\mathbf{x}_1}{\sigma^2}}$ "
                r"is a kernel function"
            ),
            flaw=N_(
                "The factors must depend on both points, as in step 1. The slides print only the first point in "
                "all three factors, and one exponent lacks its 2."
            ),
            at=95,
        ),
    ),
    conditions=N_("σ > 0, and the points are arbitrary."),
    tolerance=1e-9,
    page="kernels",
    subject="points",
    repair=N_(
        "As in step 1, one outer factor belongs to each point, with 2σ² in its denominator. The factor "
        "between them contains the inner product of both points."
    ),
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0)),
        (1, -1),
        N_("The kernel value of this point with itself is 1. The product in the slides is 0.607."),
        Gaussian(1.0),
    ),
)
def three_factors(s: Situation, tol: float) -> Outcome:
    """Compare three logarithms from inner products with the squared distance, and their product with the kernel.

    The difference of the exponents is relative to the largest logarithm, because rounding is relative to it. The least
    eigenvalue of the product is computed too.
    """
    sigma = board_sigma(s)
    f = gaussian_factors(s.X, s.X, sigma)
    exponent = f.own[:, None] + f.both + f.other
    by_distance = -0.5 * ((s.X[:, None] - s.X) ** 2).sum(-1) / sigma**2
    K, product = Gaussian(sigma)(s.X, s.X), np.exp(exponent)
    largest_exponent = float(np.abs(f.own).max())
    size = max(1.0, largest_exponent)
    exponent_difference, product_difference = (
        float(np.abs(exponent - by_distance).max()) / size,
        float(np.abs(product - K).max()) / size,
    )
    smallest_eigenvalue = float(np.linalg.eigvalsh(0.5 * (product + product.T))[0])
    printed = np.exp(3.0 * f.own + np.diag(f.both))  # all three factors taken at the first point
    return Outcome(
        printed=reading(
            tol,
            float(np.abs(printed[:, None] - K).max()),
            Side("smallest value of a point with itself, product in the slides", float(printed.min())),
            Side("value of a point with itself, Gaussian kernel", float(np.diag(K).min()), "k(x, x)"),
        ),
        repaired=reading(
            tol,
            max(exponent_difference, product_difference, -smallest_eigenvalue / (s.m * size)),
            Side("largest exponent", largest_exponent, r"\|x\|^2/(2\sigma^2)"),
            Side("largest difference of the exponents, relative", exponent_difference),
            Side("largest difference between product and kernel", product_difference),
            Side("smallest eigenvalue of the product", smallest_eigenvalue),
        ),
        control=without_outer_factors(tol, f.both, K),
        note=sigma_note(s),
    )


def without_outer_factors(tol: float, both: Array, K: Array) -> Reading:
    """Return the reading of the exponential of the linear kernel alone."""
    product = np.exp(np.minimum(both, 700.0))
    return reading(
        tol,
        float(np.abs(product - K).max()),
        Side("largest value without the outer factors", float(product.max())),
        Side("largest value of the Gaussian kernel", float(K.max())),
        words=N_("The Gaussian kernel is exp(⟨x, z⟩/σ²) without the two outer factors."),
    )


@statement(
    "K7",
    N_("Features of the Gaussian kernel"),
    sentence=N_(
        "On the line, the Gaussian kernel is an inner product of infinitely many features φₙ. The squares "
        "φₙ(x)² add up to 1 for every x. They are largest for n near x²/σ². If x²/σ² is large, the partial "
        "sum up to this n leaves a remainder of about 1/2, so many more terms are needed. D random cosines as features "
        "give the kernel value k on average, with the standard deviation √((1 − k² + k⁴/2)/D)."
    ),
    formula=(
        r"e^{-(x-z)^2/(2\sigma^2)} = \sum_{n=0}^{\infty} \phi_n(x)\,\phi_n(z), \qquad \phi_n(x) = "
        r"e^{-x^2/(2\sigma^2)}\,\frac{(x/\sigma)^n}{\sqrt{n!}}"
    ),
    source=(
        Source(
            "D",
            N_("Kernel Gaussiano"),
            quote="Teoricamente, il kernel gaussiano effettua un mapping a infinite dimensioni.",
        ),
        Source(
            "D",
            N_("Kernel Gaussiano, the exponential as a series"),
            "misprint",
            quote=r"$=\exp\left( -\frac{x^2+x'^2}{2} \right)=\sum_{n=0}^{\infty} \frac{(xx')^2}{n!}$",
            flaw=N_(
                "The series contains (xx′)ⁿ, and it is a factor of the Gaussian. The notes print the power 2, "
                "and an equals sign instead of a product."
            ),
            at=97,
        ),
        Source(
            "D",
            N_("Kernel Gaussiano, the two vectors"),
            "false",
            quote=(
                r"$\left[ {\frac{x^n}{n!}} \exp\left( - \frac{x^{2}}{2} \right) \right] \cdot \left[ "
                r"{\frac{x'^n}{n!}} \exp\left( - \frac{x'^{2}}{2} \right) \right]$"
            ),
            flaw=N_(
                "Each feature has √(n!) in its denominator, because the product of two features needs n!. The "
                "notes print n!, which yields the features of another kernel."
            ),
            at=98,
        ),
    ),
    conditions=N_(
        "σ > 0, and the points are arbitrary. In the plane, a feature is a product of one feature for each axis."
    ),
    tolerance=1e-9,
    page="kernels",
    subject="points",
    repair=N_("The denominator of each feature is √(n!) instead of n!, and the series contains (x x′)ⁿ."),
    witness=Witness(
        ((3.0, 0.0), (1.0, 0.0)),
        (1, -1),
        N_(
            "With n! in the denominators, a point at distance 3 from the origin has the similarity 0.0083 to "
            "itself. At distance 1 it is 0.8386. Both must be 1."
        ),
        Gaussian(1.0),
    ),
)
def infinite(s: Situation, tol: float) -> Outcome:
    """Compare the features multiplied out with the Gaussian.

    It is compared between the numbers that are coordinates of points, and between points.
    """
    sigma = board_sigma(s)
    x = np.unique(s.X)
    x = x[evenly_spaced(len(x))]
    largest = float(np.abs(x).max())
    N = gaussian_terms_needed(largest, LEFT, sigma)
    Phi = gaussian_powers(x, N, sigma)
    line_error = float(np.abs(Phi @ Phi.T - Gaussian(sigma)(x[:, None], x[:, None])).max())
    points = s.X[evenly_spaced(s.m)]
    products = np.ones((len(points), len(points)))
    for column in points.T:
        coordinate = gaussian_powers(column, N, sigma)
        products *= coordinate @ coordinate.T
    point_error = float(np.abs(products - Gaussian(sigma)(points, points)).max())
    middle = min(math.floor((largest / sigma) ** 2), N)
    squares = gaussian_squares(largest, N, sigma)
    remainder = gaussian_remainder(largest, middle, sigma)
    sum_error = abs(remainder - (1.0 - float(squares[: middle + 1].sum())))
    random_error = float(np.max([error_of_random_features(points[:FEW], width) for width in (sigma, 1.5 * sigma)]))
    mean, expected_mean = float(squares @ np.arange(N + 1)), (largest / sigma) ** 2
    return Outcome(
        printed=printed(tol, x, sigma, N),
        repaired=reading(
            tol,
            float(
                np.max(  # unlike max(), it passes a nan on
                    [
                        line_error,
                        point_error,
                        sum_error,
                        abs(mean - expected_mean) / max(1.0, expected_mean),
                        tol * random_error,
                    ]
                )
            ),
            Side("largest absolute value of x/σ", largest / sigma, r"|x|/\sigma"),
            Side("last term of the sum", float(N), "N"),
            Side("largest error on the line", line_error),
            Side("sum of squared features at this x", float(squares.sum()), r"\sum_n \phi_n(x)^2"),
            Side("mean of n, weighted by the squared features", mean, r"\sum_n n\,\phi_n(x)^2"),
            Side("square of this value", expected_mean, r"x^2/\sigma^2"),
            Side("remainder after n = x²/σ²", remainder),
            Side("largest error between the points", point_error),
            Side(Phrase("error of {D} random features, divided by the allowed error", D=RANDOM), random_error),
        ),
        control=reading(
            tol,
            remainder,
            Side("last term of the sum", float(middle), "N"),
            Side("remainder", remainder),
            words=N_("The partial sum up to n = x²/σ² equals the kernel value."),
        ),
        note=sigma_note(s),
    )


def error_of_random_features(points: Array, sigma: float) -> float:
    """Return how far random features are from the Gaussian, 1 if they are as far off as is allowed.

    Each cosine by itself is an estimate of the kernel value. The mean of all is compared with the Gaussian, in standard
    errors, and the standard deviation of one with its formula.
    """
    K = Gaussian(sigma)(points, points)
    Phi = random_features(points.shape[1], RANDOM, sigma)(points)
    estimates = RANDOM * Phi[:, None] * Phi[None]
    expected = random_deviation(np.clip(K, 0.0, 1.0), 1)
    mean_error = float((np.abs(Phi @ Phi.T - K) / expected).max()) * math.sqrt(RANDOM)
    spread_error = float(np.abs(estimates.std(-1) / expected - 1.0).max())
    return float(np.max([mean_error / ERRORS, spread_error / SPREAD]))


def printed(tol: float, x: Array, sigma: float, N: int) -> Reading:
    """Return the reading with x^n/n! in both feature vectors, for the numbers x, and for 1 and 3 with sigma = 1."""

    def vectors(x: Array, sigma: float, N: int) -> Array:
        factorials = np.array([math.lgamma(n + 1.0) for n in range(N + 1)])
        return gaussian_powers(x, N, sigma) * np.exp(-0.5 * factorials)

    Phi, of_1_and_3 = vectors(x, sigma, N), vectors(np.array([1.0, 3.0]), 1.0, 60)
    values = [
        Side(
            Phrase("value of {x} with itself, features in the notes", x=f"{at:g}"),
            float(row @ row),
            f"k({at:g}, {at:g})",
        )
        for at, row in zip((1.0, 3.0), of_1_and_3, strict=True)
    ]
    return reading(tol, float(np.abs(Phi @ Phi.T - Gaussian(sigma)(x[:, None], x[:, None])).max()), *values)
