"""K4 and K12: which functions are kernels."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.kernels.standard import Sigmoid
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

TRIED = ((1.0, 0.0), (1.0, -1.0), (0.1, 1.0))  # c1 and c2 of tanh(c1 <x, z> + c2)
SIGNS = (*TRIED, (2.0, 0.5), (-0.5, 1.0))
MIXTURES = 6
SMALL = 1e-12  # relative to the largest eigenvalue: what rounding makes of 0


def least_eigenpair(K: Array) -> tuple[float, Array]:
    """Return the least eigenvalue of a symmetric matrix (m, m), and a unit eigenvector (m,) for it."""
    values, vectors = np.linalg.eigh(K)
    return float(values[0]), vectors[:, 0]


def quadratic_form_of(K: Array, v: Array) -> float:
    """Return v'Kv, summed term by term without rounding of the sum."""
    return math.fsum(
        a * b * k for a, row in zip(v.tolist(), K.tolist(), strict=True) for b, k in zip(v.tolist(), row, strict=True)
    )


def with_minus_sign(value: float) -> str:
    """Return a short number with a real minus sign."""
    return f"{value:g}".replace("-", "−")


def skew(X: Array) -> Array:
    """Return the matrix (m, m) of x'Az with A = [[1, 1], [-1, 1]] in the first two coordinates.

    It is no inner product, although x'Ax = |x|^2.
    """
    A = np.eye(X.shape[1])
    if len(A) > 1:
        A[0, 1], A[1, 0] = 1.0, -1.0
    return X @ A @ X.T


@statement(
    "K4",
    N_("The test of a kernel"),
    sentence=N_(
        "k is an inner product of features exactly where it is symmetric and every matrix of its values, "
        "on whatever points, has a'Ka ≥ 0 for all a: then a'Ka is the squared length of a mixture of "
        "features."
    ),
    formula=r"k(x, z) = k(z, x), \qquad a^\top K a = \Bigl\|\sum_i a_i\,\phi(x_i)\Bigr\|^2 \ge 0",
    source=(
        Source(
            "B",
            N_("Verifying a given function is a kernel"),
            "incomplete",
            quote=(
                r"the Gram matrix $\mathbf{K}$ such that $k_{ij} = \kappa(\mathbf{x}_i, \mathbf{x}_j)$ is "
                r"semidefinite positive, that is $\mathbf{v}^T \mathbf{K} \mathbf{v} \ge 0$ for all vectors v"
            ),
            flaw=N_("By this formula alone k need not be symmetric, and an inner product is."),
            at=82,
        ),
        Source(
            "B",
            N_("Verifying a given function is a kernel"),
            "misprint",
            quote=r"function $\kappa: \mathbb{R}^n \times \mathbb{R}^n \mapsto \mathbb{R}^n$",
            flaw=N_("A kernel has one number as its value."),
            at=82,
        ),
    ),
    conditions=N_("Points are those of the board: they can refute that a function is a kernel, and never prove it."),
    tolerance=1e-8,
    page="kernels",
    machine="points",
    repair=N_("And symmetric: k(x, z) = k(z, x). Some books mean that by positive semidefinite, some do not."),
    witness=Witness(
        ((1.0, 0.0), (0.0, 1.0)),
        (1, -1),
        N_("x'Az with A = [[1, 1], [−1, 1]] has a'Ka = |a|², yet it is 1 one way round and −1 the other."),
    ),
)
def definiteness(s: Situation, tol: float) -> Outcome:
    """Compare the eigenvalues of K and v'Kv from kernel values with the same quantities from features.

    From features the eigenvalues are squared singular values, and v'Kv is the squared length of a combination. The
    values of x'Az are compared in both orders of x and z.
    """
    K, Phi, unit = s.problem.gram, s.Phi, s.max_norm**2
    values = np.linalg.eigvalsh(K)
    squares = np.zeros(s.m)
    lengths = np.linalg.svd(Phi, compute_uv=False)
    squares[s.m - min(Phi.shape) :] = np.sort(lengths) ** 2
    V = np.random.Generator(np.random.Philox(s.m)).standard_normal((MIXTURES, s.m)) / math.sqrt(s.m)
    quadratic_forms = np.array([quadratic_form_of(K, v) for v in V])
    squared_lengths = ((V @ Phi) ** 2).sum(1)
    asymmetry = float(np.abs(K - K.T).max())
    worst = max(
        float(np.abs(values - squares).max()),
        float(np.abs(quadratic_forms - squared_lengths).max()),
        -float(values[0]),
        asymmetry,
    )
    skew_values = skew(s.X)
    least_skew, skew_asymmetry = (
        float(np.linalg.eigvalsh(0.5 * (skew_values + skew_values.T))[0]),
        float(np.abs(skew_values - skew_values.T).max()),
    )
    passes = least_skew >= -SMALL * max(float(np.abs(skew_values).max()), 1e-300)
    return Outcome(
        printed=reading(
            tol,
            skew_asymmetry / max(float(np.abs(skew_values).max()), 1e-300) if passes else 0.0,
            Side("least of a'Ka over unit a, for x'Az", least_skew, r"A = \begin{pmatrix}1 & 1\\-1 & 1\end{pmatrix}"),
            Side("largest difference of k(x, z) and k(z, x)", skew_asymmetry),
            words=N_("By a'Ka ≥ 0 alone, for x'Az with A = [[1, 1], [−1, 1]]."),
        ),
        repaired=reading(
            tol,
            worst / (unit * s.m),
            Side("least eigenvalue of K", float(values[0]) if abs(values[0]) > SMALL * values[-1] else 0.0),
            Side("least square of a length, from the features", float(squares[0])),
            Side(
                "largest difference of a'Ka to the mixture's squared length",
                float(np.abs(quadratic_forms - squared_lengths).max()),
            ),
            Side("largest difference of k(x, z) and k(z, x)", asymmetry),
        ),
    )


def sigmoid_counterexample(c1: float, c2: float, ray: Array) -> tuple[Array, Array, float]:
    """Return points on a line through the origin, weights v and v'Kv < 0 in closed form, for a sigmoid with c1 != 0.

    The kernel is tanh(c1 <x, z> + c2):

        c2 < 0: the origin alone, tanh(c2). c1 < 0: 0 and h, tanh(c2 + c1 h^2) - tanh(c2).
        c2 = 0: h and 4 h, det K = tanh(t) tanh(16 t) - tanh(4 t)^2 < 0, t = c1 h^2.
        c2 > 0: -h, 0, h with v = (1, -2, 1): 4 (sinh 2c2 / (cosh 2c2 + cosh 2t) - tanh c2).

    ray (d,) has length 1, and the points are at |c1| h^2 = 1/4. For c2 = 0 the value is the least over unit v.
    """
    h, t = 0.5 / math.sqrt(abs(c1)), math.copysign(0.25, c1)
    if c2 < 0:
        return np.zeros((1, len(ray))), np.ones(1), math.tanh(c2)
    if c1 < 0:
        return np.outer([0.0, h], ray), np.array([1.0, -1.0]), math.tanh(c2 + t) - math.tanh(c2)
    if c2 > 0:
        value = 4 * (math.sinh(2 * c2) / (math.cosh(2 * c2) + math.cosh(2 * t)) - math.tanh(c2))
        return np.outer([-h, 0.0, h], ray), np.array([1.0, -2.0, 1.0]), value
    K_11, K_22, K_12 = math.tanh(t), math.tanh(16 * t), math.tanh(4 * t)
    least = 0.5 * (K_11 + K_22) - math.hypot(0.5 * (K_22 - K_11), K_12)
    v = np.array([K_12, least - K_11])
    return np.outer([h, 4 * h], ray), v / np.linalg.norm(v), least


@statement(
    "K12",
    N_("The sigmoid is no kernel"),
    sentence=N_(
        "tanh(c₁⟨x, z⟩ + c₂) is an inner product of features for no c₁ ≠ 0: three points on a line "
        "through the origin are enough to refute it, and where c₂ < 0 the origin alone."
    ),
    formula=(
        r"\tanh t\,\tanh 16t < \tanh^2 4t, \qquad \tanh(c_2 + t) + \tanh(c_2 - t) < 2\tanh c_2 \;\text{ for } "
        r"c_2 > 0"
    ),
    source=(
        Source(
            "B",
            N_("Relevant kernel functions"),
            "false",
            quote=(
                r"Sigmoidal kernel $\kappa(\mathbf{x}_1, \mathbf{x}_2) = \tanh\left(c_1\mathbf{x}_1 \cdot "
                r"\mathbf{x}_2 + c_2\right)$"
            ),
            flaw=N_("For every c₁ ≠ 0, whatever c₂ is, three points or fewer give a negative eigenvalue."),
            at=97,
        ),
    ),
    conditions=N_("Any points: printed is tried on those of the board, repaired on them and up to three more."),
    tolerance=1e-9,
    page="kernels",
    machine="points",
    repair=N_(
        "It can be put where a kernel stands, and something comes out; but no choice of c₁ ≠ 0 and c₂ "
        "makes it a kernel."
    ),
    witness=Witness(
        ((0.5, 0.0), (2.0, 0.0)),
        (1, -1),
        N_(
            "These two have the eigenvalue −0.228 with tanh⟨x, z⟩; with offset −1 a single point at the "
            "origin has k = −0.762."
        ),
    ),
)
def sigmoid(s: Situation, tol: float) -> Outcome:
    """Compare least eigenvalues with v'Kv in kernel values, and with closed forms on up to three more points."""
    s.need_points()
    least_and_largest = []
    for c1, c2 in TRIED:
        K = Sigmoid(c1, c2)(s.X, s.X)
        least_and_largest.append((least_eigenpair(K)[0], max(float(np.abs(K).max()), 1e-300)))
    longest = s.X[np.linalg.norm(s.X, axis=1).argmax()]
    ray = longest / np.linalg.norm(longest) if longest.any() else np.eye(s.X.shape[1])[0]
    worst, sides = 0.0, list[Side]()
    for c1, c2 in SIGNS:
        k = Sigmoid(c1, c2)
        points, v, closed_form = sigmoid_counterexample(c1, c2, ray)
        K, together = k(points, points), np.vstack([s.X, points])
        value, eigenvector = least_eigenpair(K)
        quadratic_form, least_together = quadratic_form_of(K, v), least_eigenpair(k(together, together))[0]
        difference = max(
            abs(quadratic_form - closed_form),
            abs(value - quadratic_form_of(K, eigenvector)),
            value - quadratic_form / float(v @ v),
            least_together - value,
        )
        worst = max(worst, difference, 1.0 if closed_form >= 0 else 0.0)
        sides.append(
            Side(
                Phrase("a'Ka of the few points, c₁ = {c1}, c₂ = {c2}", c1=with_minus_sign(c1), c2=with_minus_sign(c2)),
                quadratic_form,
            )
        )
    return Outcome(
        printed=reading(
            tol,
            max(max(0.0, -value / size) for value, size in least_and_largest),
            *(
                Side(
                    Phrase(
                        "least eigenvalue on this board, c₁ = {c1}, c₂ = {c2}",
                        c1=with_minus_sign(c1),
                        c2=with_minus_sign(c2),
                    ),
                    value,
                )
                for (c1, c2), (value, _size) in zip(TRIED, least_and_largest, strict=True)
            ),
            words=N_("On the points of this board, as a kernel."),
        ),
        repaired=reading(tol, worst, *sides),
    )
