"""svmlab beside libsvm, liblinear, cvxopt and the solvers of qpsolvers, on four measured data sets: print the tables.

    python benchmarks/comparison.py [--rounds 5] [--larger]

Each case is solved by all, one after the other, in each of several rounds. A ratio of processor times is taken within a
round, and the median over the rounds is printed, so that other work on the machine falls on all alike. What took longer
than a second is not repeated. Each gets the standardised points and builds what it needs: svmlab its problem, the
solvers of quadratic programs their Gram matrix. svmlab has solved each case once before, so its loops are loaded.

error: how much larger the primal objective 1/2 |w|^2 + C sum max(0, 1 - y f) of what was returned is than the optimum,
relative to it; for svmlab the relative gap to its dual objective, which its error cannot exceed. f: the largest
difference from the exact f at a training point. states: points whose multiplier has another state than the exact one,
of 0, between 0 and C, and C, for each of the four problems (linear and Gaussian, each with C = 1 and 100). qpsolvers is
not one of svmlab's dependencies. Where it is not installed, its rows are missing (python -m pip install qpsolvers
clarabel osqp).

--larger: processor times on random points of overlapping classes, 5,000 to 20,000 of them, each once.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import cvxopt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from svmlab import Dataset, Gaussian, Linear, Problem, Solution, solve

try:
    import qpsolvers
except ImportError:
    qpsolvers = None

LARGER = [
    *((Linear(), m, 50) for m in (5000, 20_000)),
    *((Gaussian(gamma=0.1), m, 10) for m in (5000, 10_000)),
]
LONG = 1.0  # s: what takes longer is not repeated
ZERO = 1e-6  # a multiplier within this part of C of 0 or C counts as 0 or C, for the solvers that reach neither


@dataclass
class Answer:
    """f at the training points (m,), |w|^2, and the multipliers (m,), or None where the method does not have them."""

    f: np.ndarray
    squared_norm: float
    alpha: np.ndarray | None


def data_sets():
    """Yield the name, the standardised points and the signs of four data sets, from 100 to 1,797 points."""
    iris, wine, cancer, digits = load_iris(), load_wine(), load_breast_cancer(), load_digits()
    rows = iris.target > 0
    yield "iris, 2 species", iris.data[rows], iris.target[rows] == 2
    yield "wine, 2 against the rest", wine.data, wine.target == 1
    yield "breast cancer", cancer.data, cancer.target == 0
    yield "digits, 8 against the rest", digits.data, digits.target == 8


def svmlab(X, y, kernel, C):
    solution = solve(Problem(Dataset(X, y), kernel, C))
    return lambda: Answer(solution.decision(X), solution.norm_w**2, solution.alpha)


def libsvm(tol):
    def run(X, y, kernel, C):
        name = {"kernel": "linear"} if kernel.is_linear else {"kernel": "rbf", "gamma": kernel.gamma}
        model = SVC(C=C, tol=tol, **name).fit(X, y)

        def answer():
            alpha = np.zeros(len(y))
            alpha[model.support_] = np.abs(model.dual_coef_[0])
            v = alpha * y
            return Answer(model.decision_function(X), float(v @ kernel(X, X) @ v), alpha)

        return answer

    return run


def liblinear(X, y, kernel, C):
    model = LinearSVC(C=C, loss="hinge", max_iter=10_000, random_state=0).fit(X, y)
    w = model.coef_[0]
    return lambda: Answer(model.decision_function(X), float(w @ w), None)


def _dual(X, y, kernel, C):
    m = len(y)
    return np.outer(y, y) * kernel(X, X), -np.ones(m), np.zeros(m), np.full(m, float(C))


def _answer_of(alpha, K, y, C):
    """Return the answer of multipliers from a quadratic program: b is the mean over the free ones, as is usual."""
    g = K @ (alpha * y)
    free = (alpha > ZERO * C) & (alpha < (1 - ZERO) * C)
    b = float((y - g)[free].mean()) if free.any() else 0.0
    return Answer(g + b, float((alpha * y) @ g), alpha)


def cvxopt_dual(X, y, kernel, C):
    P, q, lo, hi = _dual(X, y, kernel, C)
    m, matrix = len(y), cvxopt.matrix
    G = matrix(np.vstack([-np.eye(m), np.eye(m)]))
    found = cvxopt.solvers.qp(
        matrix(P),
        matrix(q),
        G,
        matrix(np.r_[lo, hi]),
        matrix(y[None, :]),
        matrix(0.0),
        options={"show_progress": False},
    )
    alpha = np.array(found["x"]).ravel()
    return lambda: _answer_of(alpha, P * np.outer(y, y), y, C)


def of_qpsolvers(name):
    def run(X, y, kernel, C):
        P, q, lo, hi = _dual(X, y, kernel, C)
        alpha = qpsolvers.solve_qp(P, q, A=y[None, :], b=np.zeros(1), lb=lo, ub=hi, solver=name)
        return None if alpha is None else lambda: _answer_of(alpha, P * np.outer(y, y), y, C)

    return run


def methods(kernel) -> dict[str, Callable]:
    """Return the methods that solve a problem with this kernel, svmlab first."""
    found = {"svmlab": svmlab, "libsvm, tol 1e-3": libsvm(1e-3), "libsvm, tol 1e-10": libsvm(1e-10)}
    if kernel.is_linear:
        found["liblinear"] = liblinear
    found["cvxopt"] = cvxopt_dual
    if qpsolvers is not None:
        found |= {f"qpsolvers, {name}": of_qpsolvers(name) for name in ("clarabel", "osqp")}
    return found


def _states(alpha, C, zero):
    return np.where(alpha <= zero * C, -1, np.where(alpha >= (1 - zero) * C, 1, 0))


def measured(X, y, kernel, C, rounds):
    """Yield for each method its name, ratio of times, error, largest difference of f, and wrong states (or None)."""
    runs = methods(kernel)
    seconds = {name: [] for name in runs}
    answers = {}
    exact: Solution = solve(Problem(Dataset(X, y), kernel, C))
    for _ in range(rounds):
        for name, run in runs.items():
            if max(seconds[name], default=0.0) < LONG:
                start = time.process_time()
                answers[name] = run(X, y, kernel, C)
                seconds[name].append(time.process_time() - start)
    f = exact.decision(X)
    for name, finish in answers.items():
        ratio = statistics.median(other / own for other, own in zip(seconds[name], seconds["svmlab"], strict=False))
        if finish is None:
            yield name, ratio, math.inf, math.inf, None
            continue
        answer = finish()
        value = 0.5 * answer.squared_norm + C * float(np.maximum(0.0, 1 - y * answer.f).sum())
        states = None
        if answer.alpha is not None:
            zero = 0.0 if name == "svmlab" or name.startswith("libsvm") else ZERO
            states = int((_states(answer.alpha, C, zero) != exact.states).sum())
        bound = value if name != "svmlab" else exact.dual_objective
        yield name, ratio, abs(bound / exact.objective - 1), float(np.abs(answer.f - f).max()), states


def summary(rows) -> None:
    """Print a line for each method, from its rows of all problems of one data set."""
    print(
        "| method | time / svmlab | from .. to | largest error | largest f | wrong states |\n|---|---|---|---|---|---|"
    )
    for name in dict.fromkeys(row[0] for row in rows):
        own = [row[1:] for row in rows if row[0] == name]
        times, errors, differences, states = zip(*own, strict=True)
        wrong = "-" if states[0] is None else " + ".join(map(str, states))
        middle, largest = statistics.median(times), f"{max(errors):.0e} | {max(differences):.0e}"
        print(f"| {name} | {middle:.2f} | {min(times):.2f} .. {max(times):.2f} | {largest} | {wrong} |", flush=True)


def larger() -> None:
    """Print the processor times on larger sets, where the others have their strength."""
    rng = np.random.default_rng(0)
    print("| kernel | points | columns | support vectors | free | svmlab, s | libsvm, s | liblinear, s |")
    print("|---|---|---|---|---|---|---|---|")
    for kernel, m, d in LARGER:
        X = rng.normal(size=(m, d))
        bent = 0.0 if kernel.is_linear else 0.5 * X[:, 1] ** 2
        y = np.where(X[:, 0] + bent - 0.3 + 0.5 * rng.normal(size=m) > 0, 1.0, -1.0)
        exact = solve(Problem(Dataset(X, y), kernel, 1.0))
        cells = []
        for run in (svmlab, libsvm(1e-3), liblinear) if kernel.is_linear else (svmlab, libsvm(1e-3)):
            start = time.process_time()
            run(X, y, kernel, 1.0)
            cells.append(f"{time.process_time() - start:.2f}")
        title = "linear" if kernel.is_linear else "Gaussian"
        cells = [title, m, d, int(exact.support.sum()), int(exact.free.sum()), *cells, *["-"] * (3 - len(cells))]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--larger", action="store_true")
    options = parser.parse_args()
    rounds = options.rounds
    warnings.filterwarnings("ignore")
    if options.larger:
        larger()
        return
    for name, X, plus in data_sets():
        X = StandardScaler().fit_transform(X)
        X, y = X[:, X.std(0) > 0], np.where(plus, 1.0, -1.0)
        print(f"\n### {name}: {len(y)} points, {X.shape[1]} columns\n")
        kernels = Linear(), Gaussian(gamma=1 / X.shape[1])
        summary([row for kernel in kernels for C in (1.0, 100.0) for row in measured(X, y, kernel, C, rounds)])


if __name__ == "__main__":
    main()
