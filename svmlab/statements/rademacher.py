"""T15 and T16: the Rademacher complexity of linear functions, and the margin bound that it gives."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.losses import LOSSES
from svmlab.statements.generalisation_bounds import board_generator
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

MAX_POINTS = 10  # points for which all signs are tried, that is 1024 vectors of signs
FUNCTIONS = 40  # functions of the class that is compared
SAMPLES = 200
RHO = 0.5
DELTA = 0.05  # the bound may fail for at most this part of the samples


def all_signs(k: int) -> Array:
    """Return all vectors of k signs in rows, shape (2^k, k)."""
    return np.where((np.arange(2**k)[:, None] >> np.arange(k)) & 1, -1.0, 1.0)


def few_rows(s: Situation) -> Array:
    """Return the numbers of at most MAX_POINTS points of the board."""
    return np.sort(board_generator(s.problem.data).permutation(s.m)[:MAX_POINTS])


@statement(
    "T15",
    N_("Rademacher complexity of linear maps"),
    sentence=N_(
        "Take all functions ⟨w, φ(x)⟩ with ‖w‖ at most B. Their empirical Rademacher complexity on m points is at most "
        "√(X²B²/m), where X is the largest norm of a point. The dimension does not occur in this bound."
    ),
    formula=(
        r"\mathbb{E}_\sigma \sup_{\|w\| \le B} \frac1m \sum_i \sigma_i \langle w, \phi(x_i)\rangle = \frac{B}{m}\, "
        r"\mathbb{E}_\sigma \Bigl\|\sum_i \sigma_i \phi(x_i)\Bigr\| \;\le\; \frac{B}{m}\sqrt{\sum_i k(x_i, x_i)} "
        r"\;\le\; \sqrt{\frac{X^2 B^2}{m}}"
    ),
    source=(
        Source("literature", N_("Shalev-Shwartz and Ben-David, Understanding Machine Learning (2014), Lemma 26.10")),
        Source(
            "literature",
            N_(
                "Mohri, Rostamizadeh and Talwalkar, Foundations of Machine Learning (2nd ed. 2018), Theorems 5.10 and "
                "6.12"
            ),
        ),
    ),
    conditions=N_(
        "The kernel is positive semidefinite, and B is 1/√λ. All signs of at most ten points of the board are tried. "
        "The bound is attained if the images of the points are orthogonal and equally long."
    ),
    tolerance=1e-6,
    page="generalisation",
    subject="points",
    witness=Witness(
        ((1.0, 0.0), (0.0, 1.0)),
        (1, -1),
        N_("Both points have the norm 1 and are orthogonal, so the complexity equals its bound."),
    ),
)
def complexity(s: Situation, tol: float) -> Outcome:
    """Average over all signs with feature vectors, and compare with kernel values and with an explicit best w.

    The mean of the squares is exactly the sum of k(x_i, x_i), and the mean itself is at least that root over sqrt 2.
    """
    _ = s.Phi
    rows = few_rows(s)
    Phi, k = s.Phi[rows], len(rows)
    diagonal = s.problem.kernel.diag(s.X[rows])
    signs = all_signs(k)
    sums = signs @ Phi
    lengths = np.linalg.norm(sums, axis=1)
    trace, X = float(diagonal.sum()), math.sqrt(float(diagonal.max()))
    B = 1.0 / math.sqrt(s.soft_problem.lam)
    by_kernel = np.einsum("ni,ij,nj->n", signs, s.problem.gram[np.ix_(rows, rows)], signs)
    best = B * sums / np.where(lengths > 0, lengths, 1.0)[:, None]
    reached = float((best * sums).sum(1).mean()) / k
    value, middle, bound = B * float(lengths.mean()) / k, B * math.sqrt(trace) / k, math.sqrt(X * X * B * B / k)
    unit = bound or 1.0
    square = k * X * X or 1.0
    return Outcome(
        reading(
            tol,
            max(
                (value - middle) / unit,
                (middle - bound) / unit,
                (middle / math.sqrt(2.0) - value) / unit,
                abs(reached - value) / unit,
                abs(float((lengths**2).mean()) - trace) / square,
                float(np.abs(by_kernel - lengths**2).max()) / (k * square),
                abs(B * B - s.soft_problem.C * s.m) / (B * B),
            ),
            Side("Rademacher complexity, all signs", value),
            Side("the same with the best w for each vector of signs", reached),
            Side("its bound by the kernel values", middle),
            Side("its bound by the largest norm", bound, r"\sqrt{X^2 B^2 / m}"),
        ),
        control=reading(
            tol,
            (value - bound / math.sqrt(k)) / unit,
            Side("Rademacher complexity, all signs", value),
            Side("the smaller bound", bound / math.sqrt(k)),
            words=N_("The complexity is at most XB/m, without the root of m."),
        ),
    )


def ramp(t: Array, rho: float) -> Array:
    """Return min(1, max(0, 1 - t/rho)), the difference of the hinge loss and the perceptron loss of t/rho."""
    return LOSSES["hinge"].value(t / rho) - LOSSES["perceptron"].value(t / rho)


def class_complexity(A: Array) -> float:
    """Return the mean over all signs of the largest sum_i sigma_i A_ji / k, for a finite class A (n, k)."""
    k = A.shape[1]
    return float((all_signs(k) @ A.T).max(1).mean()) / k


@statement(
    "T16",
    N_("The margin bound by contraction"),
    sentence=N_(
        "A loss with slope at most 1/ρ multiplies the Rademacher complexity by at most 1/ρ. So the true error is at "
        "most the proportion of training points with a margin below ρ, plus 2XB/(ρ√m), plus a term that depends on δ."
    ),
    formula=(
        r"L(f) \;\le\; \frac1m \#\{i : y_i f(x_i) < \rho\} + \frac{2}{\rho} \sqrt{\frac{X^2 B^2}{m}} + "
        r"\sqrt{\frac{\ln(1/\delta)}{2m}} \quad \text{for all } \|w\| \le B"
    ),
    source=(
        Source(
            "literature",
            N_(
                "Mohri, Rostamizadeh and Talwalkar, Foundations of Machine Learning (2nd ed. 2018), Lemma 5.7, Theorem "
                "5.8 and Corollary 5.11"
            ),
        ),
        Source("literature", N_("Shalev-Shwartz and Ben-David, Understanding Machine Learning (2014), Lemma 26.9")),
    ),
    conditions=N_(
        "The bound holds with probability 1 − δ. The true error is L, and δ is 0.05. The check takes ρ = ½ and forty "
        "functions. It tries all signs of at most ten points, and 200 samples with the board as the distribution."
    ),
    tolerance=1e-6,
    page="generalisation",
    subject="points",
    witness=Witness(
        ((1.0, 0.0), (0.5, 1.0), (-1.0, 0.5), (-0.5, -1.0)),
        (1, 1, -1, -1),
        N_("For margins between 0 and ρ the loss is a line with the slope −1/ρ, so the factor is exactly 1/ρ = 2."),
    ),
)
def contraction(s: Situation, tol: float) -> Outcome:
    """Compare complexities before and after the loss, on margins that reach beyond its slope and on margins within.

    The mean of the largest excess of the loss over the sample's is compared with 2 X B / (rho sqrt m).
    """
    rng = board_generator(s.problem.data)
    rows = few_rows(s)
    W = rng.standard_normal((FUNCTIONS, s.Phi.shape[1]))
    W /= np.linalg.norm(W, axis=1, keepdims=True) * s.max_norm
    B = 1.0 / s.max_norm
    margins = (W @ s.Phi.T) * s.y
    A = margins[:, rows]
    before, after = class_complexity(A), class_complexity(ramp(A, RHO))
    within = 0.5 * RHO * (1.0 + 0.9 * A / (float(np.abs(A).max()) or 1.0))
    before_within, after_within = class_complexity(within), class_complexity(ramp(within, RHO))
    loss = ramp(margins, RHO)
    by_hand = np.clip(1.0 - margins / RHO, 0.0, 1.0)
    counts = rng.multinomial(s.m, np.full(s.m, 1.0 / s.m), size=SAMPLES)
    excess = float((loss.mean(1) - counts @ loss.T / s.m).max(1).mean())
    X = math.sqrt(float(s.problem.kernel.diag(s.X).max()))
    allowed = 2.0 * X * B / (RHO * math.sqrt(s.m))
    in_sample = counts @ (margins < RHO).T / s.m + allowed + math.sqrt(math.log(1.0 / DELTA) / (2 * s.m))
    broken = float(((margins <= 0).mean(1) > in_sample).any(1).mean())
    order = max(
        float(((margins <= 0) - loss).max()),
        float((loss - (margins < RHO)).max()),
    )
    return Outcome(
        reading(
            tol,
            max(
                after - before / RHO,
                abs(after_within - before_within / RHO),
                excess - allowed if allowed < 1.0 else excess - 1.0,
                float(np.abs(loss - by_hand).max()),
                order,
                broken - DELTA,
                abs(X * B - 1.0) if X else 0.0,
            ),
            Side("Rademacher complexity of the margins", before),
            Side("Rademacher complexity of their losses", after),
            Side("complexity of margins between 0 and ρ", before_within),
            Side("complexity of their losses", after_within),
            Side("mean of the largest excess over 200 samples", excess),
            Side("its bound", allowed, r"\frac{2}{\rho}\sqrt{X^2 B^2/m}"),
            Side("proportion of samples for which the bound fails", broken),
        ),
        control=reading(
            tol,
            after_within - before_within,
            Side("complexity of margins between 0 and ρ", before_within),
            Side("complexity of their losses", after_within),
            words=N_("The loss does not increase the complexity, whatever ρ is."),
        ),
    )
