"""svmlab against scikit-learn's SVC (libsvm) where nobody chose the setting: random sizes, dimensions, kernels, prices,
labels.

    python benchmarks/corners.py [--settings 302] [--seed 2026] [--only NUMBER ...] [--top 5000]

Of each setting both are timed in turn, in processor time, and the least of some runs counts. SVC has tol=1e-6. Prints a
table by kernel and kind of labels, and every loss. A setting can be tried alone by its number.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from sklearn.svm import SVC

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem, SvmError, solve

KINDS = ("two blobs", "random labels", "few of one class", "shell", "four corners", "a tenth turned")
STEPS = 3_000_000  # of libsvm, which has no end at large C otherwise
PATIENCE = 0.3  # seconds after which a setting is not repeated


@dataclass(frozen=True, eq=False)
class Setting:
    """A problem, and how SVC calls its kernel."""

    number: int
    kind: str
    name: str
    problem: Problem
    svc: dict[str, object]

    def __str__(self) -> str:
        data = self.problem.data
        width = f", sigma {self.problem.kernel.sigma:.3g}" if self.name == "Gaussian" else ""
        return f"{self.number}: {self.kind}, {self.name}{width}, m = {data.m}, d = {data.d}, C = {self.problem.C:.3g}"


def labels(kind: str, X: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Labels of a kind; blobs and few ones move their points along the first coordinate."""
    m, d = X.shape
    if kind == "two blobs":
        y = rng.choice([-1.0, 1.0], m)
        X[:, 0] += y * rng.choice([0.5, 1.0, 2.0, 4.0])
    elif kind == "few of one class":
        y = np.where(rng.random(m) < rng.choice([0.02, 0.05, 0.1]), 1.0, -1.0)
        X[y > 0, 0] += rng.choice([0.0, 1.0, 3.0])
    elif kind == "shell":
        y = np.sign((X**2).sum(1) - np.median((X**2).sum(1)))
    elif kind == "four corners":
        y = np.sign(X[:, 0] * X[:, -1])
    elif kind == "a tenth turned":
        y = np.sign(X @ rng.normal(size=d)) * np.where(rng.random(m) < 0.1, -1.0, 1.0)
    else:
        y = rng.choice([-1.0, 1.0], m)
    y[y == 0] = 1.0
    y[0] = -y[1:].mean() if (y[1:] == y[1]).all() else y[0]
    return y


def setting(number: int, seed: int, top: int) -> Setting:
    """The setting of a number, the same for the same seed."""
    rng = np.random.default_rng([seed, number])
    m, d = (round(np.exp(rng.uniform(np.log(low), np.log(high)))) for low, high in ((20, top), (1, 100)))
    kind, name, C = (
        rng.choice(KINDS),
        rng.choice(["linear", "polynomial", "Gaussian", "Gaussian"]),
        10 ** rng.uniform(-2, 3),
    )
    X = rng.normal(size=(m, d))
    y = labels(kind, X, rng)
    if name == "linear":
        kernel, svc = Linear(), {"kernel": "linear"}
    elif name == "polynomial":
        degree = int(rng.integers(2, 4))
        kernel, svc = Polynomial(degree, 1.0, 1 / d), {"kernel": "poly", "degree": degree, "gamma": 1 / d, "coef0": 1.0}
    else:
        sigma = float(np.sqrt(d) * 10 ** rng.uniform(-1, 1))
        kernel, svc = Gaussian(sigma), {"kernel": "rbf", "gamma": 0.5 / sigma**2}
    return Setting(number, str(kind), str(name), Problem(Dataset(X, y), kernel, C), svc)


def seconds(*runs: Callable[[], object]) -> list[float]:
    """The least processor time of each, in turn."""
    least, begun = [np.inf] * len(runs), time.process_time()
    for repeat in range(8):
        for i, run in enumerate(runs):
            start = time.process_time()
            run()
            least[i] = min(least[i], time.process_time() - start)
        if repeat and time.process_time() - begun > PATIENCE:
            break
    return least


def tried(one: Setting) -> tuple[float, float, float, str]:
    """SVC's time over ours, both in seconds, and what is to be said: the status where it is not exact, or not
    proven.
    """
    X, y, kernel, C = np.array(one.problem.data.X), np.array(one.problem.data.y), one.problem.kernel, one.problem.C
    machine = SVC(C=C, tol=1e-6, cache_size=500, max_iter=STEPS, **one.svc)
    said = ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            solution = solve(one.problem)
            said = "" if solution.status.startswith("exact") else str(solution.status)
            said += "" if solution.proven else ", not proven"
        except SvmError as error:
            said = str(error)
        own, other = seconds(lambda: attempt(X, y, kernel, C), lambda: machine.fit(X, y))
    return other / own, own, other, said


def attempt(X, y, kernel, C) -> None:
    with suppress(SvmError):
        solve(Problem(Dataset(X, y), kernel, C))


def table(found: Iterable[tuple[Setting, float]]) -> None:
    """By kernel and by kind of labels: how many, quartiles, the worst, and how many below 1 and below 1/2."""
    found = list(found)
    groups = {name: [r for s, r in found if s.name == name] for name in ("linear", "polynomial", "Gaussian")}
    groups |= {kind: [r for s, r in found if s.kind == kind] for kind in KINDS}
    print(
        "\n| settings | | SVC / svmlab, median | quartiles | worst | below 1 | below 1/2 "
        "|\n|---|---|---|---|---|---|---|"
    )
    for name, ratios in (groups | {"all": [r for _, r in found]}).items():
        if ratios:
            low, middle, high = np.quantile(ratios, [0.25, 0.5, 0.75])
            below = [sum(r < bound for r in ratios) for bound in (1, 0.5)]
            print(
                f"| {name} | {len(ratios)} | {middle:.2f} | {low:.2f} .. {high:.2f} | {min(ratios):.2f} | "
                f"{below[0]} | {below[1]} |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", type=int, default=302)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--top", type=int, default=5000, help="largest number of points")
    parser.add_argument("--only", type=int, nargs="+", help="numbers of single settings")
    args = parser.parse_args()
    for name in ("linear", "polynomial", "Gaussian"):  # the compiler's time, and the loading of what it made
        solve(warm(name))
    found = []
    for number in args.only or range(args.settings):
        one = setting(number, args.seed, args.top)
        ratio, own, other, said = tried(one)
        found.append((one, ratio))
        if ratio < 1 or said or args.only:
            print(
                f"- {ratio:.2f} ({own * 1e3:.1f} ms, SVC {other * 1e3:.1f} ms) {one}{'; ' if said else ''}{said}",
                flush=True,
            )
    table(found)


def warm(name: str) -> Problem:
    """A problem of 600 points of a kernel."""
    return next(s.problem for k in range(1000) if (s := setting(k, 7, 900)).name == name and s.problem.data.m > 500)


if __name__ == "__main__":
    main()
