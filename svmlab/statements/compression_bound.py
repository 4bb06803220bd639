"""G1: the compression bound, with the board as the distribution.

A solution with few support vectors has a small true error with high probability.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.data import Dataset
from svmlab.generalisation import compression_bound, fewest_points
from svmlab.statements.generalisation_gap import board_generator
from svmlab.statements.opinion import decision_uncertainty, need_exact, relative_gap
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.support_vectors import solve_rows

# The bound holds with probability at least 1 - DELTA, and DRAWS samples of at most LARGEST points test it.
DELTA = 0.05
DRAWS = 20
LARGEST = 100

LATTICE = tuple((float(i), float(j)) for i in (-3, -1, 1, 3) for j in (-3, -1, 1, 3))


@dataclass(frozen=True, eq=False)
class SampledSolutions:
    """Samples of n points from the board, with replacement, and the solution of each.

    er, left, N, bound, gap (k,): the error on the board, the share of the sample that is misclassified although it is
    no support vector, the number of support vectors, the compression bound, and the relative gap of each solution.
    """

    n: int
    er: Array
    left: Array
    N: Array
    bound: Array
    gap: Array

    def broken(self, bound: Array | float) -> float:
        """Return the share of samples whose error is above a bound."""
        return float(np.mean(self.er > bound))


def sample_solutions(s: Situation) -> SampledSolutions:
    """Return DRAWS samples as large as the board, at most LARGEST; the error is the share of the whole board."""
    data, rng, n = s.problem.data, board_generator(s.problem.data), min(s.m, LARGEST)
    rows = []
    for _ in range(DRAWS):
        sample = rng.integers(0, s.m, n)
        solution = solve(replace(s.soft_problem, data=Dataset(data.X[sample], data.y[sample])))
        yf = s.y * solution.decision(s.X)
        share_left = float(np.mean(~solution.support & (yf[sample] <= 0)))
        N = int(solution.support.sum())
        rows.append(
            (float(np.mean(yf <= 0)), share_left, N, compression_bound(N, n, DELTA, share_left), relative_gap(solution))
        )
    return SampledSolutions(n, *np.array(rows, dtype=float).T)


def counted_probability(m: int, delta: float = DELTA) -> float:
    """Return an upper bound for the probability that the error is above the compression bound.

    For each N it sums over all choices of N points. Each choice classifies m - N other points correctly with
    probability at most (1 - bound)^(m - N).
    """
    total = 0.0
    for N in range(m):
        bound = compression_bound(N, m, delta)
        if bound < 1:
            choices = math.lgamma(m + 1) - math.lgamma(N + 1) - math.lgamma(m - N + 1)
            total += math.exp(choices + (m - N) * math.log1p(-bound))
    return total


@statement(
    "G1",
    N_("Few carry all"),
    sentence=N_(
        "N support vectors carry the machine, so the others are as good as unseen: but for a share δ of "
        "all samples its error is at most the share of others that are wrong, which is 0, and a root "
        "that grows with N."
    ),
    formula=(
        r"\mathrm{er} \;\le\; \widetilde{\mathrm{er}} + \sqrt{\frac{1}{m}\left(N + (N+1)\ln m + "
        r"\ln\frac{1}{\delta}\right)}"
    ),
    source=(
        Source(
            "A",
            N_("compression bound"),
            quote=(
                r"$\text{er}(h^*) \leq \tilde{\text{er}}(h^*) + \sqrt{\frac{1}{m} \left(N + (N + 1) \ln m + \ln "
                r"\frac{1}{\delta} \right)}$"
            ),
        ),
        Source(
            "A",
            N_("compression bound"),
            quote=(
                "Questo maggiorante vale immutato anche nel caso in cui l'algoritmo SVM venga eseguito in uno "
                "spazio di kernel."
            ),
        ),
    ),
    conditions=N_(
        "C is fixed before the sample is seen, δ = .05. The board is the distribution: twenty samples as "
        "large as it, of 100 points at most, are drawn from it with putting back, and each machine is "
        "tried on all of it. From 1 on the bound says nothing."
    ),
    tolerance=1e-6,
    page="generalisation",
    machine="soft",
    witness=Witness(
        LATTICE + LATTICE,
        (1,) * 16 + (-1,) * 16,
        N_(
            "Each of 16 places carries both labels, so every machine is wrong about half of the points. "
            "Without its N the bound would promise less."
        ),
    ),
)
def carried(s: Situation, tol: float) -> Outcome:
    """Solve the support vectors alone, and compare the margins with a second solver.

    The share of samples whose error is above the bound is counted, and the probability of this is summed over all
    choices.
    """
    e, d, K = s.soft_solution, s.soft_dual, s.problem.gram
    rows = np.flatnonzero(e.support)
    rest = solve_rows(s.soft_problem, rows)
    by_exact, by_cvxopt = (e.alpha * s.y) @ K, (d.alpha * s.y) @ K
    by_support = (rest.alpha * s.y[rows]) @ K[rows]
    unit = max(1.0, float(np.sqrt(np.diag(K).max())) * e.norm_w)
    support_change, solver_difference = (float(np.abs(f - by_exact).max()) / unit for f in (by_support, by_cvxopt))
    yf = s.y * (by_cvxopt + d.b)
    margin_error = (
        max(1.0 - float(yf[~e.support].min(initial=1.0)), float(np.abs(yf[e.free] - 1.0).max(initial=0.0))) / unit
    )
    gaps = (
        decision_uncertainty(s.soft_problem, e.alpha),
        decision_uncertainty(rest.problem, rest.alpha),
        decision_uncertainty(s.soft_problem, d.alpha),
    )
    need_exact(support_change, tol, gaps[0] / unit, gaps[1] / unit)
    need_exact(max(solver_difference, margin_error), tol, 2 * gaps[0] / unit, 2 * gaps[2] / unit)
    samples = sample_solutions(s)
    N, n = len(rows), samples.n
    probability = counted_probability(n)
    bound = compression_bound(N, s.m, DELTA)
    difference = max(
        support_change,
        solver_difference,
        margin_error,
        float(samples.gap.max()),
        float(samples.left.max()),
        samples.broken(samples.bound) - DELTA,
        probability - DELTA,
    )
    sides = (
        Side("support vectors", float(N), "N"),
        Side("points", float(s.m), "m"),
        Side("largest change of f where they are solved alone, in margin units", support_change),
        Side("wrong and no support vector, share", float(samples.left.max()), r"\widetilde{\mathrm{er}}"),
        Side("bound for the board as a sample", bound),
        Side(
            Phrase("mean error of {k} samples, on the whole board", k=DRAWS), float(samples.er.mean()), r"\mathrm{er}"
        ),
        Side("their mean bound", float(samples.bound.mean())),
        Side("share that breaks it", samples.broken(samples.bound)),
        Side("chance of that at most, counted", probability),
    )
    return Outcome(reading(tol, difference, *sides), control=without_n(samples), note=vacuous_bound_note(N, s.m, bound))


def without_n(samples: SampledSolutions) -> Reading:
    """Return the reading of the bound with 0 in place of N."""
    bound = compression_bound(0, samples.n, DELTA)
    return reading(
        0.0,
        samples.broken(bound) - DELTA,
        Side("bound with N = 0", bound),
        Side("share of samples that break it", samples.broken(bound)),
        words=N_("The bound holds with 0 in the place of N."),
    )


def vacuous_bound_note(N: int, m: int, bound: float) -> str:
    """Return the remark from how many points on the bound would be below 1, where it is not."""
    if bound < 1:
        return ""
    return Phrase(
        "Here the bound is above 1 and says nothing; {N} support vectors have to be among {n} points or more.",
        N=N,
        n=fewest_points(N),
    )
