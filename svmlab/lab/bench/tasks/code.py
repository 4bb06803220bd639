"""A board of several classes or of values as a short program to paste, with svmlab and with scikit-learn."""

from __future__ import annotations

import streamlit as st

from svmlab.lab.bench.tabs.code import HARD, NO_BIAS, negative
from svmlab.lab.notation import USUAL, Notation
from svmlab.lab.session.cache import Solved
from svmlab.lab.session.controls import CLASSES
from svmlab.lab.session.files import points_to_save
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.tab import Session
from svmlab.lab.words import _, current_notation

TOLERANCE = "tol=1e-8"
LINEAR = f"fit_intercept=False, {TOLERANCE}, max_iter=1_000_000"


def show(session: Session, solved: Solved) -> None:
    """Show one program below the other. The points are on one long line, which can be scrolled."""
    st.caption("svmlab")
    st.code(with_svmlab(session.lab, current_notation()), language="python")
    st.caption("scikit-learn")
    st.code(with_sklearn(session.lab, current_notation()), language="python")


def with_svmlab(lab: Lab, notation: Notation = USUAL) -> str:
    """Return a program that solves the problem of the board with this package, and prints b in a notation."""
    kernel = lab.kernel_function.key
    name = kernel.split("(")[0]
    C = "math.inf" if lab.hard else repr(lab.C)
    head = f"{'import math' + chr(10) if lab.hard else ''}from svmlab import {name}\n"
    if lab.task == CLASSES:
        return f"""{head}from svmlab.multiclass import Classes, MulticlassProblem, solve

{_points(lab, notation)}

solution = solve(MulticlassProblem(Classes(X, {notation.label}), {kernel}, C={C}, bias={lab.bias}))
for k, classifier in zip(solution.classes, solution.machines):
    print("class", k, "b", {negative(notation)}classifier.b, "|w|", classifier.norm_w, "gap", classifier.gap)
print("predicted", solution.predict(X))
print(solution.certificate)
"""
    return f"""{head}from svmlab.regression import Tube, Values, certify, solve

{_points(lab, notation)}

fit = solve(Tube(Values(X, {notation.label}), {kernel}, C={C}, eps={lab.eps!r}, bias={lab.bias}))
print("b", {negative(notation)}fit.b, "|w|", fit.norm_w, "gap", fit.gap)
print("alpha - alpha*", fit.beta)
print(certify(fit))
"""


def with_sklearn(lab: Lab, notation: Notation = USUAL) -> str:
    """Return a program for the same problem with scikit-learn if it can solve it.

    Without bias it can only with a linear kernel.
    """
    C = "1e10" if lab.hard else repr(lab.C)
    note = f"  # {_(HARD)}" if lab.hard else ""
    kernel, straight = lab.kernel_function.sklearn, lab.kernel_function.is_linear
    if not lab.bias and not straight:
        return f"# {_(NO_BIAS)}\n"
    if lab.task == CLASSES:
        name, arguments = (
            ("SVC", f"{kernel}, C=C, {TOLERANCE}") if lab.bias else ("LinearSVC", f'C=C, loss="hinge", {LINEAR}')
        )
        return f"""from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import {name}

{_points(lab, notation)}

C = {C}{note}
model = OneVsRestClassifier({name}({arguments})).fit(X, {notation.label})
print("f", model.decision_function(X))
print("given", model.predict(X))
"""
    name, arguments = ("SVR", f"{kernel}, C=C, {TOLERANCE}") if lab.bias else ("LinearSVR", f"C=C, {LINEAR}")
    return f"""from sklearn.svm import {name}

{_points(lab, notation)}

C = {C}{note}
model = {name}({arguments}, epsilon={lab.eps!r}).fit(X, {notation.label})
print("f", model.predict(X))
"""


def _points(lab: Lab, notation: Notation) -> str:
    """Return X and y on one line each, so that the page shows only their beginning and the program stays in sight."""
    data = points_to_save(lab)
    X = ", ".join("[" + ", ".join(f"{v:g}" for v in row) + "]" for row in data.X.tolist())
    return f"X = [{X}]\n{notation.label} = [{', '.join(f'{v:g}' for v in data.y.tolist())}]"
