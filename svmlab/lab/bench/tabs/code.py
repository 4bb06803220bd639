"""The board as a short program to paste, with svmlab and with scikit-learn."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from svmlab.binary.problem import EQUAL_COSTS
from svmlab.lab.bench.panel import NO_FIGURES
from svmlab.lab.session.state import Lab
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _

HARD = N_("a hard margin is a very large C there")
NO_BIAS = N_("scikit-learn has no kernel machine without bias.")


def show(session: Session, done: Callable[[], None]) -> None:
    """Show two programs side by side. The points are on one long line, which can be scrolled."""
    lab = session.lab.active_lab
    if not lab.points:
        st.caption(_(NO_FIGURES))
        return
    left, right = st.columns(2, gap="medium")
    left.caption("svmlab")
    left.code(with_svmlab(lab), language="python")
    right.caption("scikit-learn")
    right.code(with_sklearn(lab), language="python")


def with_svmlab(lab: Lab) -> str:
    """Return a program that solves the problem of the board with this package."""
    kernel = lab.kernel_function.key
    name = kernel.split("(")[0]
    C = "math.inf" if lab.hard else repr(lab.C)
    costs = "" if lab.costs == EQUAL_COSTS else f", costs={lab.costs}"
    return f"""{"import math" + chr(10) if lab.hard else ""}from svmlab import Dataset, {name}, Problem, certify, solve

X = {_points(lab)}
y = {_labels(lab)}

solution = solve(Problem(Dataset(X, y), {kernel}, C={C}, bias={lab.bias}{costs}))
print("b", solution.b, "margin", 1 / solution.norm_w if solution.norm_w else "undefined, because w = 0")
print("alpha", solution.alpha)
print(certify(solution))
"""


def with_sklearn(lab: Lab) -> str:
    """Return a program for the same SVM with scikit-learn.

    The hard margin is a large C there, and without bias the program needs the liblinear solver.
    """
    C = "1e10" if lab.hard else repr(lab.C)
    note = f"  # {_(HARD)}" if lab.hard else ""
    if not lab.bias:
        return _sklearn_without_bias(lab, C, note)
    return f"""import numpy as np
from sklearn.svm import SVC

X = {_points(lab)}
y = {_labels(lab)}

C = {C}{note}
model = SVC({lab.kernel_function.sklearn}, C=C{_weights(lab)}, tol=1e-8).fit(X, y)
print("b", model.intercept_[0])
print("alpha", np.abs(model.dual_coef_[0]), "of points", model.support_)
"""


def _sklearn_without_bias(lab: Lab, C: str, note: str) -> str:
    if not lab.kernel_function.is_linear:
        return f"# {_(NO_BIAS)}\n"
    return f"""from sklearn.svm import LinearSVC

X = {_points(lab)}
y = {_labels(lab)}

C = {C}{note}
model = LinearSVC(C=C{_weights(lab)}, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=1_000_000).fit(X, y)
print("w", model.coef_[0])
"""


def _weights(lab: Lab) -> str:
    """Return the class costs as scikit-learn takes them."""
    plus, minus = lab.costs
    return "" if lab.costs == EQUAL_COSTS else f", class_weight={{1: {plus}, -1: {minus}}}"


def _points(lab: Lab) -> str:
    """Return the points on one line, so that the page shows only their beginning and the program stays in sight."""
    return "[" + ", ".join(f"[{p.x / 1000:g}, {p.y / 1000:g}]" for p in lab.points) + "]"


def _labels(lab: Lab) -> str:
    return "[" + ", ".join(str(p.label) for p in lab.points) + "]"
