"""K1: the feature map of a polynomial kernel."""

from __future__ import annotations

from itertools import product

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.kernels.features import monomial_features, ordered_product_features, weighted_features
from svmlab.kernels.standard import Polynomial
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

DEGREES = (1, 2, 3)
CONSTANTS = (0.0, 0.5, 1.0, 2.0)
PAIR = ((1.0, 0.0), (-1.0, 0.0))


def relative_difference(K: Array, other: Array) -> float:
    """Return the largest difference of two matrices, in units of the largest entry of the first."""
    return float(np.abs(K - other).max()) / max(float(np.abs(K).max()), 1e-300)


@statement(
    "K1",
    N_("The coordinates of a polynomial"),
    sentence=N_(
        "For c ≥ 0 the kernel (⟨x, z⟩ + c)ᵗ is an inner product of monomials, each with the root of its "
        "coefficient before it: √2 before x in (1 + x z)², √(2c) with any c."
    ),
    formula=(
        r"(\langle x,z\rangle+c)^t=\sum_{|a|\le t}\tbinom{t}{a}\,c^{\,t-|a|}\,x^az^a,\qquad "
        r"\phi_a(x)=\sqrt{\tbinom{t}{a}\,c^{\,t-|a|}}\;x^a"
    ),
    source=(
        Source(
            "B",
            N_("Example, the square of an inner product"),
            quote=r"defining the base functions as $\phi(\mathbf{x}) = (x_1^2, x_2^2, x_1x_2, x_1x_2)^T$.",
        ),
        Source(
            "B",
            N_("the square with a constant, its sum"),
            "misprint",
            quote=r"$\sum_{i=1}^{n} (\sqrt{2}cx_{1i})(\sqrt{2}cx_{2i}) + c^{2}$",
            flaw=N_("The root must reach over c: its product is 2c x z, and so the φ two lines below has it."),
            at=87,
        ),
        Source(
            "B",
            N_("the square with a constant"),
            "incomplete",
            quote=(
                r"The function $\kappa(\mathbf{x}_1,\mathbf{x}_2)=(\mathbf{x}_1\cdot\mathbf{x}_2+c)^2$ is a "
                r"kernel function."
            ),
            flaw=N_("Only for c ≥ 0: with c = −1 two points have the eigenvalue −4."),
            at=86,
        ),
        Source(
            "B",
            N_("Techniques for constructing kernels, the constant"),
            "misprint",
            quote=r"$\phi=(\phi_1,\ldots,\phi_n)$, with $\phi_i(\mathbf{x})=\frac{\sqrt{c}}{n}$",
            flaw=N_("The n squares add up to c/n: the root belongs over n as well."),
            at=92,
        ),
        Source(
            "D",
            N_("Polynomial kernel, the transformation"),
            "incomplete",
            quote=r"Dove $(1,x,x^2,\dots,x^n)= \phi(x)$ è la trasformazione non lineare",
            flaw=N_(
                "Without the roots of the binomial coefficients it is the φ of another kernel and another "
                "machine; the example below has them."
            ),
            at=75,
        ),
        Source(
            "D",
            N_("Polynomial kernel, example"),
            quote=r"$(1,\sqrt{ 2 }x_{1},x_{1}^2),(1,\sqrt{ 2 }x_{2},x_{2}^2)=$",
        ),
    ),
    conditions=N_("c ≥ 0 and a whole degree; any points."),
    tolerance=1e-9,
    page="kernels",
    machine="points",
    repair=N_(
        "Each monomial needs the root of its coefficient, √binom(n, k) before xᵏ on the line, and c must "
        "not be negative. Plain powers (1, x, .., xⁿ) span the same functions, but measure w otherwise: "
        "their widest street is another one."
    ),
    witness=Witness(
        PAIR,
        (1, -1),
        N_(
            "(1 + x z)² is 4, 0, 4 for these two points, the inner products of (1, x, x²) are 3, 1, 3; with "
            "c = −1 the kernel is 0, 4, 0."
        ),
    ),
)
def coordinates(s: Situation, tol: float) -> Outcome:
    """Compare kernel values with both lists of features, then with the printed formulas.

    One list holds all products in order, the other the different monomials with their weights.
    """
    s.need_points()
    X = s.X
    worst, terms = 0.0, 0
    for t, c in product(DEGREES, CONSTANTS):
        K = Polynomial(t, c, 1.0)(X, X)
        if float(np.abs(K).max()) == 0.0:
            continue
        for Phi in (weighted_features(X, t, c), ordered_product_features(X, t, c)):
            worst, terms = max(worst, relative_difference(K, Phi @ Phi.T)), terms + 1
    K = Polynomial(3, 2.0, 1.0)(X, X)
    value = float((weighted_features(X, 3, 2.0) @ weighted_features(X, 3, 2.0).T).max())
    return Outcome(
        printed=without_roots(X, tol),
        repaired=reading(
            tol,
            worst,
            Side("largest kernel value, t = 3, c = 2", float(K.max()), r"(\langle x,z\rangle+2)^3"),
            Side("largest inner product of the coordinates", value, r"\langle\phi(x),\phi(z)\rangle"),
            Side("lists of coordinates compared", float(terms)),
        ),
        control=with_c_before_root(X, tol),
    )


def without_roots(X: Array, tol: float) -> Reading:
    """Compare plain powers of the first coordinate with (1 + x z)^2.

    The least eigenvalue of (<x, z> - 1)^2 is part of the reading as well.
    """
    first_coordinate = X[:, :1]
    K, powers = Polynomial(2, 1.0, 1.0)(first_coordinate, first_coordinate), monomial_features(first_coordinate, 2)
    i, j = np.unravel_index(np.abs(K - powers @ powers.T).argmax(), K.shape)
    negative = Polynomial(2, -1.0, 1.0)(X, X)
    least = float(np.linalg.eigvalsh(negative)[0])
    return reading(
        tol,
        max(relative_difference(K, powers @ powers.T), -least / max(1.0, float(np.abs(negative).max()))),
        Side("kernel of the pair furthest apart", float(K[i, j]), "(1+xz)^2"),
        Side("inner product of its plain powers", float(powers[i] @ powers[j]), "1+xz+x^2z^2"),
        Side("least eigenvalue with c = −1", least),
        words=N_("The coordinates are (1, x, .., xⁿ), and c may be any number."),
    )


def with_c_before_root(X: Array, tol: float) -> Reading:
    """Return the reading of the printed sum, 2 c^2 x z in place of 2 c x z, at c = 2."""
    c, inner = 2.0, X @ X.T
    K, printed = Polynomial(2, c, 1.0)(X, X), inner**2 + 2.0 * c**2 * inner + c**2
    return reading(
        tol,
        relative_difference(K, printed),
        Side("largest kernel value, t = 2, c = 2", float(K.max())),
        Side("largest sum with √2 c before x", float(printed.max())),
        words=N_("√2 c may stand before x as well as √(2c)."),
    )
