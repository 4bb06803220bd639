"""The board as a short program to paste, with svmlab and with scikit-learn."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from svmlab.binary.problem import EQUAL_COSTS
from svmlab.lab.bench.panel import NO_FIGURES
from svmlab.lab.notation import USUAL, Notation
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _, current_notation

HARD = N_("a hard margin is a very large C there")
NO_BIAS = N_("scikit-learn has no kernel SVM without bias.")


def show(session: Session, done: Callable[[], None]) -> None:
    """Show two programs side by side. The points are on one long line, which can be scrolled."""
    lab = session.lab.active_lab
    if not lab.points:
        st.caption(_(NO_FIGURES))
        return
    left, right = st.columns(2, gap="medium")
    left.caption("svmlab")
    left.code(with_svmlab(lab, current_notation()), language="python")
    right.caption("scikit-learn")
    right.code(with_sklearn(lab, current_notation()), language="python")


def with_svmlab(lab: Lab, notation: Notation = USUAL) -> str:
    """Return a program that solves the problem of the board with this package, and prints b in a notation."""
    kernel = lab.kernel_function.key
    name = kernel.split("(")[0]
    C = "math.inf" if lab.hard else repr(lab.C)
    costs = "" if lab.costs == EQUAL_COSTS else f", costs={lab.costs}"
    b = f"{negative(notation)}solution.b"
    return f"""{"import math" + chr(10) if lab.hard else ""}from svmlab import Dataset, {name}, Problem, certify, solve

X = {_points(lab)}
{notation.label} = {_labels(lab)}

solution = solve(Problem(Dataset(X, {notation.label}), {kernel}, C={C}, bias={lab.bias}{costs}))
print("b", {b}, "margin", 1 / solution.norm_w if solution.norm_w else "undefined, because w = 0")
print("alpha", solution.alpha)
print(certify(solution))
"""


def with_sklearn(lab: Lab, notation: Notation = USUAL) -> str:
    """Return a program for the same SVM with scikit-learn.

    The hard margin is a large C there, and without bias the program needs the liblinear solver.
    """
    C = "1e10" if lab.hard else repr(lab.C)
    note = f"  # {_(HARD)}" if lab.hard else ""
    if not lab.bias:
        return _sklearn_without_bias(lab, C, note, notation)
    return f"""import numpy as np
from sklearn.svm import SVC

X = {_points(lab)}
{notation.label} = {_labels(lab)}

C = {C}{note}
model = SVC({lab.kernel_function.sklearn}, C=C{_weights(lab)}, tol=1e-8).fit(X, {notation.label})
print("b", {negative(notation)}model.intercept_[0])
print("alpha", np.abs(model.dual_coef_[0]), "of points", model.support_)
"""


def negative(notation: Notation) -> str:
    """Return the sign before the b of a program, which always computes f = <w, x> + b."""
    return "-" if notation.minus_b else ""


def _sklearn_without_bias(lab: Lab, C: str, note: str, notation: Notation) -> str:
    if not lab.kernel_function.is_linear:
        return f"# {_(NO_BIAS)}\n"
    fit = f".fit(X, {notation.label})"
    return f"""from sklearn.svm import LinearSVC

X = {_points(lab)}
{notation.label} = {_labels(lab)}

C = {C}{note}
model = LinearSVC(C=C{_weights(lab)}, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=1_000_000){fit}
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
