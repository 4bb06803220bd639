"""G1: few carry all, so few say something of points that were not seen: the compression bound, with the board as the
distribution.
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
from svmlab.statements.opinion import decision_uncertainty, need_exact, relative_gap
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.unseen import chance
from svmlab.statements.vectors import solve_rows

DELTA = 0.05
DRAWS = 20
LARGEST = 100  # points of a draw

LATTICE = tuple((float(i), float(j)) for i in (-3, -1, 1, 3) for j in (-3, -1, 1, 3))


@dataclass(frozen=True, eq=False)
class Draws:
    """Samples of n points from the board, with putting back. er, left, N, bound, gap (k,): of the machine of each."""

    n: int
    er: Array
    left: Array
    N: Array
    bound: Array
    gap: Array

    def broken(self, bound: Array | float) -> float:
        """The share of draws whose error is above a bound."""
        return float(np.mean(self.er > bound))


def sampled(s: Situation) -> Draws:
    """DRAWS samples as large as the board, LARGEST at most; the error of a machine is its share of the whole board."""
    data, rng, n = s.problem.data, chance(s.problem.data), min(s.m, LARGEST)
    rows = []
    for _ in range(DRAWS):
        sample = rng.integers(0, s.m, n)
        machine = solve(replace(s.soft_problem, data=Dataset(data.X[sample], data.y[sample])))
        t = s.y * machine.decision(s.X)
        left = float(np.mean(~machine.support & (t[sample] <= 0)))
        N = int(machine.support.sum())
        rows.append((float(np.mean(t <= 0)), left, N, compression_bound(N, n, DELTA, left), relative_gap(machine)))
    return Draws(n, *np.array(rows, dtype=float).T)


def counted_chance(m: int, delta: float = DELTA) -> float:
    """How likely a break is at most: for each N all choices of N points, of which each is right on m - N fresh ones
    with (1 - bound)^(m - N).
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
    formula=r"\mathrm{er} \;\le\; \widetilde{\mathrm{er}} + \sqrt{\frac{1}{m}\left(N + (N+1)\ln m + \ln\frac{1}{\delta}\right)}",
    source=(
        Source(
            "A",
            N_("compression bound"),
            quote=r"$\text{er}(h^*) \leq \tilde{\text{er}}(h^*) + \sqrt{\frac{1}{m} \left(N + (N + 1) \ln m + \ln \frac{1}{\delta} \right)}$",
        ),
        Source("A", N_("compression bound"), quote=("Questo maggiorante vale immutato anche nel caso in cui l'algoritmo SVM venga eseguito in uno "
        "spazio di kernel.")),
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
        N_("Each of 16 places carries both labels, so every machine is wrong about half of the points. "
        "Without its N the bound would promise less."),
    ),
)  # fmt: skip
def carried(s: Situation, tol: float) -> Outcome:
    """What carries, solved alone; where the points stand, by a second solver; the share of draws that break the bound;
    the same counted over all choices.
    """
    e, d, K = s.soft_solution, s.soft_dual, s.problem.gram
    rows = np.flatnonzero(e.support)
    rest = solve_rows(s.soft_problem, rows)
    own, other = (e.alpha * s.y) @ K, (d.alpha * s.y) @ K
    alone = (rest.alpha * s.y[rows]) @ K[rows]
    unit = max(1.0, float(np.sqrt(np.diag(K).max())) * e.norm_w)
    kept, apart = (float(np.abs(f - own).max()) / unit for f in (alone, other))
    t = s.y * (other + d.b)
    short = max(1.0 - float(t[~e.support].min(initial=1.0)), float(np.abs(t[e.free] - 1.0).max(initial=0.0))) / unit
    gaps = (
        decision_uncertainty(s.soft_problem, e.alpha),
        decision_uncertainty(rest.problem, rest.alpha),
        decision_uncertainty(s.soft_problem, d.alpha),
    )
    need_exact(kept, tol, gaps[0] / unit, gaps[1] / unit)
    need_exact(max(apart, short), tol, 2 * gaps[0] / unit, 2 * gaps[2] / unit)
    found = sampled(s)
    N, n = len(rows), found.n
    likely = counted_chance(n)
    bound = compression_bound(N, s.m, DELTA)
    off = max(
        kept,
        apart,
        short,
        float(found.gap.max()),
        float(found.left.max()),
        found.broken(found.bound) - DELTA,
        likely - DELTA,
    )
    sides = (
        Side("support vectors", float(N), "N"),
        Side("points", float(s.m), "m"),
        Side("largest change of f where they are solved alone, in margin units", kept),
        Side("wrong and no support vector, share", float(found.left.max()), r"\widetilde{\mathrm{er}}"),
        Side("bound for the board as a sample", bound),
        Side(Phrase("mean error of {k} samples, on the whole board", k=DRAWS), float(found.er.mean()), r"\mathrm{er}"),
        Side("their mean bound", float(found.bound.mean())),
        Side("share that breaks it", found.broken(found.bound)),
        Side("chance of that at most, counted", likely),
    )
    return Outcome(reading(tol, off, *sides), control=without_n(found), note=silent(N, s.m, bound))


def without_n(found: Draws) -> Reading:
    """The bound with 0 in the place of N."""
    bound = compression_bound(0, found.n, DELTA)
    return reading(
        0.0,
        found.broken(bound) - DELTA,
        Side("bound with N = 0", bound),
        Side("share of samples that break it", found.broken(bound)),
        words=N_("The bound holds with 0 in the place of N."),
    )


def silent(N: int, m: int, bound: float) -> str:
    """From where on a bound that says nothing here would."""
    if bound < 1:
        return ""
    return Phrase(
        "Here the bound is above 1 and says nothing; {N} support vectors have to be among {n} points or more.",
        N=N,
        n=fewest_points(N),
    )
