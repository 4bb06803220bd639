"""T5: what the inequality of Cauchy and Schwarz says about a kernel, and the distance that a kernel measures."""

from __future__ import annotations

import numpy as np

from svmlab.core.phrase import N_
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

MAX_POINTS = 60  # points among which all triangles are tried


@statement(
    "T5",
    N_("Cauchy–Schwarz and the kernel distance"),
    sentence=N_(
        "For every kernel, k(x, z)² is at most k(x, x) k(z, z). The distance of two points in feature space needs only "
        "three kernel values, and it satisfies the triangle inequality."
    ),
    formula=(r"k(x, z)^2 \le k(x, x)\, k(z, z), \qquad \|\phi(x) - \phi(z)\|^2 = k(x, x) + k(z, z) - 2\, k(x, z)"),
    source=(
        Source(
            "literature",
            N_(
                "Mohri, Rostamizadeh and Talwalkar, Foundations of Machine Learning (2nd ed. 2018), Lemma 6.7 "
                "(Cauchy–Schwarz inequality for positive semidefinite kernels)"
            ),
        ),
        Source(
            "literature",
            N_("Shawe-Taylor and Cristianini, Kernel Methods for Pattern Analysis (2004), section 5.1"),
        ),
    ),
    conditions=N_(
        "The kernel is positive semidefinite. The check compares all pairs of points, and all triangles of the first "
        "60."
    ),
    tolerance=1e-6,
    page="kernels",
    subject="points",
    witness=Witness(
        ((1.0, 0.0), (2.0, 0.0), (-1.0, 1.0)),
        (1, 1, -1),
        N_(
            "The images of (1, 0) and (2, 0) are parallel, so both sides are equal. The kernel value 2 is above k(x, "
            "x)."
        ),
    ),
)
def kernel_distance(s: Situation, tol: float) -> Outcome:
    """Compare distances by kernel values with distances of the feature vectors, and the values with their bound."""
    Phi, K = s.Phi, s.problem.gram
    diagonal = s.problem.kernel.diag(s.X)
    unit = float(diagonal.max()) or 1.0
    bound = np.sqrt(np.outer(diagonal, diagonal))
    by_kernel = diagonal[:, None] + diagonal - 2.0 * K
    differences = Phi[:, None, :MAX_POINTS] - Phi[None, :, :MAX_POINTS]
    by_features = (differences**2).sum(-1)
    for j in range(MAX_POINTS, Phi.shape[1]):
        by_features += (Phi[:, None, j] - Phi[None, :, j]) ** 2
    d = np.sqrt(np.maximum(0.0, by_kernel[:MAX_POINTS, :MAX_POINTS]))
    detour = float((d[:, None, :] - d[:, :, None] - d[None, :, :]).max())
    farthest_pair = np.unravel_index(int(by_kernel.argmax()), K.shape)
    largest_ratio = float((np.abs(K) / np.where(bound > 0, bound, 1.0))[~np.eye(s.m, dtype=bool)].max(initial=0.0))
    smaller = np.minimum.outer(diagonal, diagonal)
    return Outcome(
        reading(
            tol,
            max(
                float((np.abs(K) - bound).max()) / unit,
                float(np.abs(by_kernel - by_features).max()) / unit,
                float(np.abs(K - Phi @ Phi.T).max()) / unit,
                detour / unit**0.5,
            ),
            Side("largest ratio of |k(x, z)| to its bound, different points", largest_ratio),
            Side("largest squared distance, by kernel values", float(by_kernel[farthest_pair])),
            Side("the same squared distance, by feature vectors", float(by_features[farthest_pair])),
            Side("largest excess of a side of a triangle over the other two", max(detour, 0.0)),
        ),
        control=reading(
            tol,
            float((np.abs(K) - smaller).max()) / unit,
            Side(
                "largest excess of |k(x, z)| over the smaller of k(x, x) and k(z, z)",
                float((np.abs(K) - smaller).max()),
            ),
            words=N_("|k(x, z)| is at most the smaller of k(x, x) and k(z, z)."),
        ),
    )
