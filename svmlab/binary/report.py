"""A solution as a file that anybody can check: the problem, the multipliers, and every residual of the certificate.

The file contains the program that checks it, which needs numpy alone.
"""

from __future__ import annotations

import json
import math
from typing import Any

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.validate import validated
from svmlab.core.version import __version__

PROBLEM = "min 1/2 |w|^2 + C sum_i xi_i  subject to  y_i (<w, phi(x_i)> + b) >= 1 - xi_i,  xi_i >= 0"
RESIDUALS = ("stationarity", "primal_feasibility", "dual_feasibility", "complementarity", "gap")


@validated
def report(solution: Solution, address: str = "") -> str:
    """Return the certificate of a solution as JSON with one entry per line; equal solutions give equal reports.

    Every number is written to its last bit. costs: the costs of class +1 and class -1, where they are not 1. v_i is the
    cost of y_i, or is listed in v where points have weights. Infinite numbers are written as "inf" and "-inf". address:
    a link to the board. c: the coefficients of f where they are not y alpha, because the negative eigenvalues of the
    kernel were set to 0.
    """
    problem, certificate = solution.problem, solution.certificate
    stated = PROBLEM if problem.bias else PROBLEM.replace(" + b)", ")")
    entries: dict[str, Any] = {
        "svmlab": __version__,
        "problem": stated if problem.has_equal_costs else stated.replace("sum_i", "sum_i v_i"),
        "address": address,
        "kernel": problem.kernel.key,
        "K": _numpy(problem),
        "C": problem.C,
        "lambda": problem.lam,
        **_costs(problem),
        "bias": problem.bias,
        "m": problem.data.m,
        "X": problem.data.X.tolist(),
        "y": [int(label) for label in problem.data.y],
        "alpha": solution.alpha.tolist(),
        "alpha_unique": solution.alpha_unique,
        "b": solution.b,
        "b_interval": list(solution.b_interval),
        "norm_w": solution.norm_w,
        "objective": solution.objective,
        "dual_objective": solution.dual_objective,
        "residuals": {name: getattr(certificate, name) + 0.0 for name in RESIDUALS},
        "floor": certificate.floor,
        "optimal": certificate.is_optimal(),
        "solved": str(solution.status),
        "check": program(solution).splitlines(),
    }
    if solution.evaluation.coefficients is not None:
        entries |= {"c": solution.coefficients.tolist(), "clipped": solution.clipped_eigenvalue}
    lines = (f" {json.dumps(name)}: {json.dumps(_finite(value), allow_nan=False)}" for name, value in entries.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


@validated
def program(solution: Solution, file: str = "certificate.json") -> str:
    """Return a program in numpy that reads the report from `file` and computes every residual again.

    It uses alpha, b and the points alone.
    """
    problem, hard = solution.problem, solution.problem.hard
    coefficients = "y * alpha" if solution.evaluation.coefficients is None else 'np.array(report["c"])'
    return f"""import json
import numpy as np

with open("{file}", encoding="utf-8") as file:
    report = json.load(file)
X, y, alpha = (np.array(report[name], dtype=float) for name in ("X", "y", "alpha"))
C, b, c = {_bounds(problem)}, report["b"], {coefficients}
A = B = X
K = {_numpy(problem)}
margins = y * (c @ K + b)
xi = {"np.zeros(len(y))  # the hard margin" if hard else "np.maximum(0, 1 - margins)"}
primal = c @ K @ c / 2{"" if hard else " + C * xi.sum()" if problem.has_equal_costs else " + (C * xi).sum()"}
dual = alpha.sum() - c @ K @ c / 2
kappa = abs(K.diagonal()).max()
residuals = {{
    "stationarity": {"abs(y @ alpha) / (alpha.sum() or 1)" if problem.bias else 0},
    "primal_feasibility": max(0, (1 - margins - xi).max()),
    "dual_feasibility": max(0, (-alpha).max(), (alpha - C).max()) / (alpha.max() or 1),
    "complementarity": abs(kappa * alpha - np.clip(kappa * alpha - (margins - 1), 0, kappa * C)).max(),
    "gap": (primal - dual) / (max(primal, abs(dual)) or 1),
}}
for name, value in residuals.items():
    print(f"{{name:20}}{{value:10.1e}}  ", "holds" if abs(value) <= report["floor"] else "DOES NOT HOLD")
"""


def _costs(problem: Problem) -> dict[str, list[float]]:
    if problem.has_equal_costs:
        return {}
    return {"costs": list(problem.costs)} if problem.weights is None else {"v": problem.v.tolist()}


def _bounds(problem: Problem) -> str:
    times = ' * np.where(y > 0, *report["costs"])' if problem.weights is None else ' * np.array(report["v"])'
    return 'float(report["C"])' + ("" if problem.has_equal_costs else times)


def _numpy(problem: Problem) -> str:
    return problem.kernel.numpy.format(**vars(problem.kernel))


def _finite(value: Any) -> Any:
    """Return the value with infinite and undefined numbers replaced by strings, because JSON has no such numbers."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
