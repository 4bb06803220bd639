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
    N_("Positive semidefinite kernels"),
    sentence=N_(
        "A function k is an inner product of features if and only if it is symmetric and every Gram matrix "
        "K has aᵀKa ≥ 0 for all vectors a. A Gram matrix contains the values of k for finitely many "
        "points. The number aᵀKa is the squared norm of Σᵢ aᵢ φ(xᵢ)."
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
            flaw=N_(
                "A kernel must also be symmetric, because an inner product is symmetric. The condition vᵀKv ≥ 0 in "
                "the slides does not imply this."
            ),
            at=82,
        ),
        Source(
            "B",
            N_("Verifying a given function is a kernel"),
            "misprint",
            quote=r"function $\kappa: \mathbb{R}^n \times \mathbb{R}^n \mapsto \mathbb{R}^n$",
            flaw=N_("The value of a kernel is a real number. The slides print ℝⁿ instead of ℝ."),
            at=82,
        ),
    ),
    conditions=N_(
        "The points are those of the board. They can refute that a function is a kernel, but they cannot prove it."
    ),
    tolerance=1e-8,
    page="kernels",
    subject="points",
    repair=N_(
        "The function must also be symmetric, so that k(x, z) = k(z, x). Some books include this in "
        "“positive semidefinite”, and some do not."
    ),
    witness=Witness(
        ((1.0, 0.0), (0.0, 1.0)),
        (1, -1),
        N_(
            "For xᵀAz with A = [[1, 1], [−1, 1]] and these two points, aᵀKa = ‖a‖² ≥ 0. However, k(x, z) = 1 "
            "and k(z, x) = −1."
        ),
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
            Side("smallest aᵀKa with ‖a‖ = 1, for xᵀAz", least_skew, r"A = \begin{pmatrix}1 & 1\\-1 & 1\end{pmatrix}"),
            Side("largest difference between k(x, z) and k(z, x)", skew_asymmetry),
            words=N_(
                "A function with aᵀKa ≥ 0 for all points is a kernel. This is tested with xᵀAz and A = [[1, 1], "
                "[−1, 1]]."
            ),
        ),
        repaired=reading(
            tol,
            worst / (unit * s.m),
            Side("smallest eigenvalue of K", float(values[0]) if abs(values[0]) > SMALL * values[-1] else 0.0),
            Side("smallest squared norm, from the features", float(squares[0])),
            Side(
                "largest difference between aᵀKa and ‖Σᵢ aᵢ φ(xᵢ)‖²",
                float(np.abs(quadratic_forms - squared_lengths).max()),
            ),
            Side("largest difference between k(x, z) and k(z, x)", asymmetry),
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
    smallest_eigenvalue = 0.5 * (K_11 + K_22) - math.hypot(0.5 * (K_22 - K_11), K_12)
    v = np.array([K_12, smallest_eigenvalue - K_11])
    return np.outer([h, 4 * h], ray), v / np.linalg.norm(v), smallest_eigenvalue


@statement(
    "K12",
    N_("The sigmoid function is not a kernel"),
    sentence=N_(
        "For c₁ ≠ 0, tanh(c₁⟨x, z⟩ + c₂) is not an inner product of features. Three suitable points on a "
        "line through the origin refute it. If c₂ < 0, the origin alone refutes it, because its kernel "
        "value with itself is negative."
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
            flaw=N_(
                "For all c₁ ≠ 0 and c₂, at most three points are enough for a Gram matrix with a negative "
                "eigenvalue. The slides list the function as a kernel."
            ),
            at=97,
        ),
    ),
    conditions=N_(
        "The points are arbitrary. The claim of the slides is tested on the points of the board. The "
        "corrected statement is tested on them and at most three more points."
    ),
    tolerance=1e-9,
    page="kernels",
    subject="points",
    repair=N_(
        "The sigmoid function can be used instead of a kernel, but for c₁ ≠ 0 it is not a kernel, whatever c₂ is."
    ),
    witness=Witness(
        ((0.5, 0.0), (2.0, 0.0)),
        (1, -1),
        N_(
            "With tanh⟨x, z⟩, the Gram matrix of these two points has the eigenvalue −0.228. With c₂ = −1, the "
            "origin has the kernel value −0.762 with itself."
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
                Phrase(
                    "aᵀKa for at most three points, c₁ = {c1}, c₂ = {c2}",
                    c1=with_minus_sign(c1),
                    c2=with_minus_sign(c2),
                ),
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
                        "smallest eigenvalue on this board, c₁ = {c1}, c₂ = {c2}",
                        c1=with_minus_sign(c1),
                        c2=with_minus_sign(c2),
                    ),
                    value,
                )
                for (c1, c2), (value, _size) in zip(TRIED, least_and_largest, strict=True)
            ),
            words=N_("On the points of this board, the sigmoid function is a kernel."),
        ),
        repaired=reading(tol, worst, *sides),
    )
