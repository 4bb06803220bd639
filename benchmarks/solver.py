"""svmlab against scikit-learn's SVC (libsvm) and cvxopt, side by side in one run.

    python benchmarks/solver.py [--sizes 20 60 100 300 1000 2000 5000] [--repeats 5] [--cvxopt 300] [--limit 20]

Each case is solved by every solver in turn, again and again; a case's ratio is the median of the others' times over
ours, and a row of the table shows median, quartiles and worst of the cases' ratios. Checking the input, building the
Problem and solving it are counted on our side. `gap` is the relative duality gap that each one reached, with the best
b.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from functools import partial

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cvxopt
import numpy as np
from sklearn.svm import SVC

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset, solve
from svmlab.core.errors import SvmError
from svmlab.solvers.bias import bias_interval, middle_bias

warnings.filterwarnings("ignore")
BOARDS = ("separable", "overlapping", "moons", "spirals")
COSTS = (0.1, 1.0, 10.0, 1000.0)
KERNELS = {
    "linear": [Linear()],
    "polynomial": [Polynomial(3)],
    "Gaussian": [Gaussian(s) for s in (0.3, 1.0, 4.0)],
}


def svc(kernel, C: float, max_iter: int) -> SVC:
    own = {
        "linear": {"kernel": "linear"},
        "polynomial": {"kernel": "poly", "degree": 3, "gamma": 1.0, "coef0": 1.0},
        "gaussian": {"kernel": "rbf", "gamma": 0.5 / getattr(kernel, "sigma", 1.0) ** 2},
    }[kernel.name]
    return SVC(C=C, tol=1e-6, cache_size=500, max_iter=max_iter, **own)


def dual(X, y, kernel, C: float, sparse: bool) -> np.ndarray:
    """The dual as the notes print it, given to cvxopt with a dense or a sparse G, scaled to C = 1."""
    m = len(y)
    Q = C * np.outer(y, y) * kernel(X, X)
    G, h = np.vstack([-np.eye(m), np.eye(m)]), np.r_[np.zeros(m), np.ones(m)]
    options = {"show_progress": False, "abstol": 1e-9, "reltol": 1e-9, "feastol": 1e-9}
    M = cvxopt.matrix
    G = cvxopt.sparse([M(G)]) if sparse else M(G)
    out = cvxopt.solvers.qp(M(Q), M(-np.ones(m)), G, M(h), M(y[None, :]), M(0.0), options=options)
    return C * np.array(out["x"]).ravel()


def gap(X, y, kernel, C: float, alpha: np.ndarray) -> float:
    """Relative duality gap of alpha, clipped to the box, with the b that is best for it."""
    alpha = np.clip(alpha, 0, C)
    g = np.zeros(len(y))
    for i in range(0, len(y), 500):
        g += (alpha * y)[i : i + 500] @ kernel(X[i : i + 500], X)
    quadratic = float((alpha * y) @ g)
    b = middle_bias(*bias_interval(g, y, np.ones(len(y)), False))
    primal = 0.5 * quadratic + C * float(np.maximum(0, 1 - y * (g + b)).sum())
    return abs(primal - (alpha.sum() - 0.5 * quadratic)) / max(primal, 1e-300)


def timed(run) -> tuple[float, object]:
    start = time.perf_counter()
    out = run()
    return time.perf_counter() - start, out


def ratios(runs: dict, repeats: int, limit: float) -> dict[str, tuple[float, object]]:
    """Median seconds and last answer of each, one after the other, `repeats` times or until `limit` seconds are
    spent.
    """
    seconds, answers = {name: [] for name in runs}, {}
    begun = time.perf_counter()
    for k in range(repeats):
        for name, run in runs.items():
            t, answers[name] = timed(run)
            seconds[name].append(t)
        if k and time.perf_counter() - begun > limit:
            break
    return {name: (float(np.median(t)), answers[name]) for name, t in seconds.items()}


def row(label: str, m: int, values: list[float], extra: str = "") -> str:
    q = np.quantile(values, [0.25, 0.5, 0.75])
    return f"| {label} | {m} | {q[1]:.2f} | {q[0]:.2f} .. {q[2]:.2f} | {min(values):.2f} |{extra}"


def cold(sizes: list[int], repeats: int, with_cvxopt: int, limit: float, chosen: list[str]) -> None:
    print(
        "\n| cold | m | SVC / svmlab, median | quartiles | worst | svmlab ms | gap svmlab | gap SVC | "
        "dense cvxopt | sparse |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for label, kernels in ((name, KERNELS[name]) for name in chosen):
        for m in sizes:
            against, ours, own_gap, other_gap, qp = [], [], [], [], {"dense": [], "sparse": []}
            for board in BOARDS:
                data = make_dataset(board, m)
                X, y = np.array(data.X), np.array(data.y)
                for kernel in kernels:
                    for C in COSTS:
                        runs = {
                            "svmlab": lambda X=X, y=y, k=kernel, C=C: solve(Problem(Dataset(X, y), k, C)),
                            "svc": lambda X=X, y=y, k=kernel, C=C: svc(k, C, 3_000_000).fit(X, y),
                        }
                        if m <= with_cvxopt:
                            for name in qp:
                                runs[name] = lambda X=X, y=y, k=kernel, C=C, sparse=name == "sparse": attempt(
                                    lambda: dual(X, y, k, C, sparse)
                                )
                        out = ratios(runs, repeats, limit)
                        own = out["svmlab"][0]
                        against.append(out["svc"][0] / own)
                        ours.append(own * 1e3)
                        own_gap.append(gap(X, y, kernel, C, out["svmlab"][1].alpha))
                        machine = out["svc"][1]
                        alpha = np.zeros(m)
                        alpha[machine.support_] = np.abs(machine.dual_coef_[0])
                        other_gap.append(gap(X, y, kernel, C, alpha))
                        for name in qp:
                            if name in out:
                                qp[name].append(out[name][0] / own)
            extra = (
                f" {np.median(ours):.2f} | {max(own_gap):.0e} | {np.median(other_gap):.0e}, worst "
                f"{max(other_gap):.0e} |"
            )
            extra += "".join(f" {np.median(v):.1f} |" if v else " - |" for v in qp.values())
            print(row(label, m, against, extra), flush=True)


def attempt(run):
    try:
        return run()
    except (SvmError, ValueError, ArithmeticError):
        return None


def edit(X, y, kernel, C: float, start):
    return solve(Problem(Dataset(X, y), kernel, C), start=start)


def warm(sizes: list[int], edits: int) -> None:
    """A walk of `edits` small changes, each solved from the one before; the ratio of a board is that of the medians."""
    print("\n| warm | m | SVC / svmlab, median | quartiles | worst | svmlab ms, median | p95 |")
    print("|---|---|---|---|---|---|---|")
    rng = np.random.default_rng(0)
    for what in ("one point moved", "C step of 10 %"):
        for m in [m for m in sizes if m <= 1000]:
            against, ours = [], []
            for board in BOARDS:
                data = make_dataset(board, m)
                y = np.array(data.y)
                for kernel in (k for group in KERNELS.values() for k in group):
                    for C in COSTS:
                        X, now, D = np.array(data.X), solve(Problem(data, kernel, C)), C
                        own, other = [], []
                        for step in range(edits):
                            if what.startswith("C"):
                                D = C if step % 2 else 1.1 * C
                            else:
                                X = X.copy()
                                X[rng.integers(m)] += rng.uniform(-0.1, 0.1, 2)
                            t, now = timed(partial(edit, X, y, kernel, D, now))
                            own.append(t)
                            other.append(timed(partial(svc(kernel, D, 3_000_000).fit, X, y))[0])
                            if sum(other) > 3:
                                break
                        against.append(np.median(other) / np.median(own))
                        ours += [1e3 * t for t in own]
            extra = f" {np.median(ours):.2f} | {np.quantile(ours, 0.95):.2f} |"
            print(row(what, m, against, extra), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 60, 100, 300, 1000, 2000, 5000])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cvxopt", type=int, default=300, help="largest m at which cvxopt takes part")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds after which a case is not repeated")
    parser.add_argument("--kernels", nargs="+", choices=list(KERNELS), default=list(KERNELS))
    parser.add_argument("--cold", action="store_true", help="cold solves only")
    args = parser.parse_args()
    if not args.cold:
        warm(args.sizes, 2 * args.repeats + 1)
    cold(args.sizes, args.repeats, args.cvxopt, args.limit, args.kernels)


if __name__ == "__main__":
    main()
