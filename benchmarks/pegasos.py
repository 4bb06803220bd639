"""How fast Pegasos is, beside scikit-learn's averaged SGDClassifier with the same number of updates.

    OPENBLAS_NUM_THREADS=1 python benchmarks/pegasos.py [repeats]

Prints a table in Markdown. The two are timed in turn; both are given hinge, lam and no intercept. Ours also watches F,
the regret and the gradient at some 70 checkpoints on the way. Needs requirements-dev.txt.
"""

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier

sys.path.insert(0, str(Path(__file__).parents[1]))
from svmlab import Dataset, Gaussian, Linear, Problem, make_dataset, pegasos, solve
from svmlab.pegasos import objective, replay

M = 100
BOARDS = [("overlapping", 0.1), ("overlapping", 0.01), ("moons", 0.01), ("lattice", 0.1)]
SIZES = [(1, 10**6), (50, 10**5)]


def ours(data: Dataset, lam: float, runs: int, T: int) -> float:
    return float(pegasos(data, lam, T, runs).average[:, -1].mean())


def theirs(data: Dataset, lam: float, runs: int, T: int) -> float:
    values = []
    for r in range(runs):
        model = SGDClassifier(
            loss="hinge", alpha=lam, fit_intercept=False, average=True, max_iter=T // data.m, tol=None, random_state=r
        )
        model.fit(data.X, data.y)
        values.append(float(objective(data, lam, model.coef_[0])))
    return float(np.mean(values))


def clocked(work: Callable[[], float]) -> tuple[float, float]:
    start = time.perf_counter()
    value = work()
    return time.perf_counter() - start, value


def main(repeats: int) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    print("| board, lambda | runs x T | svmlab | scikit-learn | ratio | gap of F, svmlab | gap, scikit-learn |")
    print("|---|---|---|---|---|---|---|")
    for name, lam in BOARDS:
        data = make_dataset(name, M)
        best = lam * solve(Problem.from_lambda(data, Linear(), lam, bias=False)).objective
        for runs, T in SIZES:
            steps = T // data.m * data.m
            pairs = [
                (clocked(lambda: ours(data, lam, runs, steps)), clocked(lambda: theirs(data, lam, runs, steps)))  # noqa: B023
                for _ in range(repeats)
            ]
            a, b = median(p[0][0] for p in pairs), median(p[1][0] for p in pairs)
            gaps = pairs[0][0][1] - best, pairs[0][1][1] - best
            print(
                f"| {name}, {lam:g} | {runs} x {steps:,} | {a:.3f} s | {b:.3f} s | {b / a:.1f} "
                f"| {gaps[0]:.1e} | {gaps[1]:.1e} |",
                flush=True,
            )
    data = make_dataset("overlapping", M)
    run = pegasos(data, 0.05, 10**6)
    far = median(clocked(lambda: float(replay(run, 0, 999_800, 10**6).t[0]))[0] for _ in range(repeats))
    kernel = median(clocked(lambda: pegasos(data, 0.05, 10**5, kernel=Gaussian(1.0)).X)[0] for _ in range(repeats))
    print(f"\n200 steps replayed before t = 1,000,000: {far:.3f} s. Gaussian kernel, T = 100,000: {kernel:.3f} s.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
