"""K1 to K3: the feature map of a polynomial kernel, the number of its features, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.kernels.features import (
    features_cost,
    gram_ranks,
    kernel_cost,
    monomial_count,
    monomial_features,
    ordered_product_count,
    ordered_product_features,
    ordered_products,
    weighted_features,
)
from svmlab.kernels.standard import Polynomial
from svmlab.statements.multiplication_counts import Counter
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
    N_("Features of a polynomial kernel"),
    sentence=N_(
        "For c ≥ 0 and an integer degree t ≥ 1, the kernel (⟨x, z⟩ + c)ᵗ is an inner product of monomials. "
        "Each monomial has the square root of its coefficient as a factor. For example, the factor of x is "
        "√2 for (1 + x z)², and √(2c) for (x z + c)²."
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
            flaw=N_(
                "The factor of x is √(2c), because the product of two such features is 2c x z. The slides print √2 "
                "c in this sum, and √(2c) in the φ two lines later."
            ),
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
            flaw=N_(
                "This function is a kernel for c ≥ 0. For c = −1, the Gram matrix of two points can have the "
                "eigenvalue −4. The slides omit the condition."
            ),
            at=86,
        ),
        Source(
            "B",
            N_("Techniques for constructing kernels, the constant"),
            "false",
            quote=r"$\phi=(\phi_1,\ldots,\phi_n)$, with $\phi_i(\mathbf{x})=\frac{\sqrt{c}}{n}$",
            flaw=N_(
                "The squares of the n features must add up to c, so each feature is √(c/n). The slides print √c/n, "
                "and these squares add up to c/n."
            ),
            at=92,
        ),
        Source(
            "D",
            N_("Polynomial kernel, the transformation"),
            "incomplete",
            quote=r"Dove $(1,x,x^2,\dots,x^n)= \phi(x)$ è la trasformazione non lineare",
            flaw=N_(
                "Each power xᵏ needs the square root of its binomial coefficient as a factor. Without these "
                "factors, (1, x, x², …, xⁿ) with n ≥ 2 is the feature map of another kernel. The notes omit the "
                "factors here, and have them in the example that follows."
            ),
            at=75,
        ),
        Source(
            "D",
            N_("Polynomial kernel, example"),
            quote=r"$(1,\sqrt{ 2 }x_{1},x_{1}^2),(1,\sqrt{ 2 }x_{2},x_{2}^2)=$",
        ),
    ),
    conditions=N_("c ≥ 0, and the degree is an integer t ≥ 1. The points are arbitrary."),
    tolerance=1e-9,
    page="kernels",
    subject="points",
    repair=N_(
        "Each monomial needs the square root of its coefficient as a factor, which is √binom(n, k) for xᵏ "
        "on the line. The constant c must not be negative, and as a kernel it has n features √(c/n). The "
        "plain powers (1, x, …, xⁿ) span the same functions, but with another norm of w, so their SVM can "
        "have another boundary."
    ),
    witness=Witness(
        PAIR,
        (1, -1),
        N_(
            "For these two points (1 + x z)² is 4, 0, 4, but the inner products of (1, x, x²) are 3, 1, 3. "
            "With c = −1 the kernel is 0, 4, 0."
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
            Side("largest inner product of the features", value, r"\langle\phi(x),\phi(z)\rangle"),
            Side("feature maps compared", float(terms)),
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
    smallest_eigenvalue = float(np.linalg.eigvalsh(negative)[0])
    return reading(
        tol,
        max(relative_difference(K, powers @ powers.T), -smallest_eigenvalue / max(1.0, float(np.abs(negative).max()))),
        Side("kernel value of the two points that are farthest apart", float(K[i, j]), "(1+xz)^2"),
        Side("inner product of their plain powers", float(powers[i] @ powers[j]), "1+xz+x^2z^2"),
        Side("smallest eigenvalue with c = −1", smallest_eigenvalue),
        words=N_("The features are (1, x, …, xⁿ), and c can be any number."),
    )


def with_c_before_root(X: Array, tol: float) -> Reading:
    """Return the reading of the printed sum, 2 c^2 x z in place of 2 c x z, at c = 2."""
    c, inner = 2.0, X @ X.T
    K, printed = Polynomial(2, c, 1.0)(X, X), inner**2 + 2.0 * c**2 * inner + c**2
    return reading(
        tol,
        relative_difference(K, printed),
        Side("largest kernel value, t = 2, c = 2", float(K.max())),
        Side("largest value with √2 c as the factor of x", float(printed.max())),
        words=N_("The factor of x can be √2 c as well as √(2c)."),
    )


SHAPES = ((1, 2), (2, 2), (2, 3), (3, 2))  # pairs (d, t) for which ranks are computed
CLOUD = 60  # number of points from which ranks are computed
VISIBLE = 1e-10  # relative to the largest eigenvalue: a smaller eigenvalue counts as 0
POWERS = (1, 2, 3, 5, 8)
FEW = 8  # points whose kernel values are multiplied out
SIX = ((0.0, 0.0), (2.0, 0.0), (0.0, 2.0), (1.0, 1.0), (-1.0, 2.0), (2.0, -1.0), (-2.0, -1.0))


def rank(K: Array) -> int:
    """Return the number of eigenvalues of a Gram matrix that are above rounding."""
    values = np.linalg.eigvalsh(K)
    return int((values > VISIBLE * values[-1]).sum())


def random_points(d: int) -> Array:
    """Return random points (CLOUD, d), rounded to thousandths."""
    return np.asarray(np.round(np.random.Generator(np.random.Philox(2)).normal(0.0, 1.5, (CLOUD, d)), 3))


@statement(
    "K2",
    N_("Dimension of a polynomial feature space"),
    sentence=N_(
        "A polynomial kernel of degree t with c > 0 has 1 + d + … + dᵗ products as features, if repeated "
        "products are counted. Of these, binom(d + t, t) are different monomials. The rank of every Gram "
        "matrix of the kernel is at most this number."
    ),
    formula=(
        r"\sum_{i=0}^{t}d^i=\frac{d^{t+1}-1}{d-1}\;(d>1),\qquad "
        r"\max\operatorname{rank}K=\binom{d+t}{t},\quad c=0:\;\binom{d+t-1}{t}"
    ),
    source=(
        Source(
            "B",
            N_("the square with a constant, its dimension"),
            "incomplete",
            quote=r"This implies a mapping from a d-dimensional to a $(d+1)^2$ -dimensional space.",
            flaw=N_(
                "The φ in the slides has d² + d + 1 entries, and (d + 2)(d + 1)/2 of them are different. The "
                "slides print (d + 1)², which counts every multiple of a coordinate twice."
            ),
            at=88,
        ),
        Source(
            "B",
            N_("degree t"),
            "incomplete",
            quote=r"$m = \sum_{i=0}^{t} d^{i} = \frac{d^{t+1} - 1}{d - 1}$",
            flaw=N_(
                "For d = 1 the quotient is 0/0, and the sum is t + 1. The sum counts a product once for each order of "
                "its factors. The slides mention neither fact."
            ),
            at=89,
        ),
        Source(
            "D",
            N_("Polynomial kernel, several dimensions"),
            "hedged",
            quote=r"$d_{2}=\exp \ in \ d_{1}\in n$ ??????",
            flaw=N_(
                "For a fixed degree n, the dimension is binom(d + n, n), which grows like a power of d. The "
                "notes suggest exponential growth, with question marks."
            ),
            at=83,
        ),
    ),
    conditions=N_("c > 0, except where c = 0 is stated. The degree is an integer t ≥ 1."),
    tolerance=1e-9,
    page="kernels",
    subject="points",
    repair=N_(
        "For degree 2 in the plane, there are 9 products of the entries of (x₁, x₂, √c) with each other. "
        "The φ of the slides has 7 entries, and 6 of them are different: 1, x₁, x₂, x₁², x₁x₂, x₂². The "
        "rank of a Gram matrix is at most binom(d + t, t), the number of different monomials."
    ),
    witness=Witness(
        SIX,
        (1, 1, 1, -1, 1, -1, -1),
        N_(
            "Seven points that do not lie on a conic have a Gram matrix of degree 2 with rank 6. The rank is "
            "neither 9 nor 7."
        ),
    ),
)
def dimension(s: Situation, tol: float) -> Outcome:
    """Compare ranks by eigenvalues with the formula and with the number of sorted products, on random points.

    The rank on the board is not larger.
    """
    s.need_points()
    X = s.X
    difference, sides = 0.0, list[Side]()
    for d, t in SHAPES:
        P = random_points(d)
        for c in (1.0, 0.0):
            gram_rank = rank(Polynomial(t, c, 1.0)(P, P))
            words = ordered_products(d, t, c > 0)
            different = len({tuple(sorted(word)) for word in words})
            distinct_counts = (monomial_count(d, t, c > 0), different, float(gram_ranks(P, t, c > 0)[-1]))
            ordered_counts = (len(words), ordered_product_features(P, t, c).shape[1])
            difference = max(
                difference,
                *(abs(gram_rank - n) for n in distinct_counts),
                *(abs(ordered_product_count(d, t, c > 0) - n) for n in ordered_counts),
            )
            sides.append(Side(Phrase("rank, d = {d}, t = {t}, c = {c:g}", d=d, t=t, c=c), float(gram_rank)))
    d = X.shape[1]
    board_rank, most = rank(Polynomial(2, 1.0, 1.0)(X, X)), monomial_count(d, 2)
    sides += [
        Side("rank on this board, t = 2, c = 1", float(board_rank)),
        Side("upper bound for this rank", float(most), r"\tbinom{d+2}{2}"),
    ]
    ordered_counts = ordered_product_features(X, 2, 1.0).shape[1]
    return Outcome(
        printed=reading(
            tol,
            abs((d + 1) ** 2 - ordered_counts),
            Side("entries of the φ of degree 2", float(ordered_counts), "d^2+d+1"),
            Side("dimension in the slides", float((d + 1) ** 2), "(d+1)^2"),
            words=N_("The φ of degree 2 has (d + 1)² entries."),
        ),
        repaired=reading(tol, max(difference, board_rank - most), *sides),
        control=reading(
            tol,
            float(ordered_product_count(2, 2) - rank(Polynomial(2, 1.0, 1.0)(random_points(2), random_points(2)))),
            Side("products in the plane, t = 2", float(ordered_product_count(2, 2))),
            words=N_("With enough points, the rank is the number of products, repeated ones included."),
        ),
    )


def kernel_by_hand(times: Counter, x: Sequence[float], z: Sequence[float], t: int, c: float) -> float:
    """Return (<x, z> + c)^t, with the power computed by squaring.

    After the first binary digit of t, every digit costs a square, and every digit 1 another factor.
    """
    base = times.inner(x, z) + c
    value = base
    for digit in f"{t:b}"[1:]:
        value = times(value, value)
        if digit == "1":
            value = times(value, base)
    return value


def values_and_counts(X: Array, t: int) -> tuple[Array, Array, int, int]:
    """Return kernel values (m, m) of degree t and inner products of features.

    The last two values are the numbers of multiplications of one of each.
    """
    kernel, features = Counter(), Counter()
    rows, Phi = X.tolist(), weighted_features(X, t, 1.0).tolist()
    K = [[kernel_by_hand(kernel, x, z, t, 1.0) for z in rows] for x in rows]
    G = [[features.inner(p, q) for q in Phi] for p in Phi]
    pairs = len(rows) ** 2
    return np.array(K), np.array(G), kernel.count // pairs, features.count // pairs


@statement(
    "K3",
    N_("Cost of a kernel value"),
    sentence=N_(
        "A value of a polynomial kernel of degree t needs d multiplications for ⟨x, z⟩ and O(log t) for "
        "the power. An inner product of its features needs one multiplication for each feature. For a "
        "fixed t, these are O(dᵗ)."
    ),
    formula=r"d+\lfloor\log_2t\rfloor+(\text{ones of }t)-1\;\le\;d+2\log_2t,\qquad \binom{d+t}{t}",
    source=(
        Source(
            "B",
            N_("Example, the square of an inner product"),
            quote=(
                r"computing $\kappa(\mathbf{x}_1, \mathbf{x}_2)$ requires time O(d), while deriving it from "
                r"$\phi(\mathbf{x}_1)^T \phi(\mathbf{x}_2)$ requires $O(d^2)$ steps"
            ),
        ),
        Source(
            "B",
            N_("degree t"),
            quote=r"even if the space has dimension $O(d^t)$, evaluating the kernel function requires just time O(d).",
        ),
        Source(
            "D",
            N_("Two problems, the computational one"),
            quote=r"il primo termine costa $O(d)$ e il secondo costa $O(d_2)$",
        ),
    ),
    conditions=N_(
        "The degree t is fixed while the dimension d grows. The features of both points are already computed."
    ),
    tolerance=1e-9,
    page="kernels",
    subject="points",
    witness=Witness(
        SIX, (1, 1, 1, -1, 1, -1, -1), N_("Degree 2 needs one multiplication more than d, for the square.")
    ),
)
def cost(s: Situation, tol: float) -> Outcome:
    """Compare the counted multiplications with the formulas, and both values with each other.

    The points are those of the board and points in twelve dimensions.
    """
    s.need_points()
    X = s.X[:FEW]
    high_dimensional = random_points(12)[:3]
    difference, sides = 0.0, list[Side]()
    for P in (X, high_dimensional):
        d = P.shape[1]
        for t in POWERS if P is X else (2, 3):
            K, G, by_kernel, by_features = values_and_counts(P, t)
            formulas = (kernel_cost(d, t), features_cost(d, t))
            difference = max(
                difference, relative_difference(K, G), abs(by_kernel - formulas[0]), abs(by_features - formulas[1])
            )
            difference = max(difference, by_kernel - d - 2.0 * np.log2(t))
            if t in (2, 3):
                shape = {"d": d, "t": t}
                sides.append(
                    Side(Phrase("multiplications for a kernel value, d = {d}, t = {t}", **shape), float(by_kernel))
                )
                sides.append(
                    Side(Phrase("multiplications for the features, d = {d}, t = {t}", **shape), float(by_features))
                )
    d = X.shape[1]
    multiplications = values_and_counts(X, 2)[2]
    return Outcome(
        reading(tol, difference, *sides),
        control=reading(
            tol,
            float(multiplications - d),
            Side("multiplications, t = 2", float(multiplications)),
            Side("dimensions", float(d), "d"),
            words=N_("A kernel value needs d multiplications, whatever the degree is."),
        ),
    )
