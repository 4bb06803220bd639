"""The proof beside the answer: both objective values, every residual with its floor, and a second solver's opinion."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from svmlab import Solution, certify, solve
from svmlab.lab import text
from svmlab.lab.numbers import short
from svmlab.lab.session.mishap import told
from svmlab.lab.session.tab import Session


def show(session: Session, done: Callable[[], None]) -> None:
    """Objectives, residuals and agreement; what cannot be solved says why."""
    outcome = session.outcome
    if outcome is None or outcome.solution is None:
        st.caption(str(outcome.error) if outcome else text.NO_FIGURES)
        return
    solution = outcome.solution
    if not solution.proven:
        st.warning(text.UNPROVEN.format(gap=short(solution.gap, 2)))
    if solution.clipped is not None:
        st.info(text.CLIPPED.format(kernel=solution.problem.kernel.subject, value=short(solution.clipped, 3)))
    left, right = st.columns(2, gap="large")
    left.markdown(residuals(solution))
    right.markdown(objectives(solution))
    agreed = session.cache.once(("agreement", solution.problem.key), lambda: agreement(solution))
    right.markdown(agreed)
    right.caption(text.STATUS.format(status=solution.status))


def residuals(solution: Solution) -> str:
    """The KKT conditions as a table: condition, residual, whether round-off explains it."""
    found = certify(solution)
    rows = {
        "stationarity": found.stationarity,
        "primal": found.primal_feasibility,
        "dual": abs(found.dual_feasibility),
        "complementarity": found.complementarity,
    }
    lines = [text.RESIDUAL_HEAD, "|---|---|---|"]
    for name, value in rows.items():
        mark = text.HOLDS if value <= found.floor else text.FAILS
        lines.append(f"| {text.RESIDUALS[name]} | {short(value, 2)} | {mark} |")
    return "\n".join([*lines, "", text.FLOOR.format(floor=short(found.floor, 2))])


def objectives(solution: Solution) -> str:
    """Primal and dual value and their gap."""
    return "\n".join(
        [
            text.OBJECTIVE_HEAD,
            "|---|---|",
            f"| {text.OBJECTIVE['primal']} | {solution.objective:.12g} |",
            f"| {text.OBJECTIVE['dual']} | {solution.dual_objective:.12g} |",
            f"| {text.OBJECTIVE['gap']} | {short(solution.gap, 2)} |",
        ]
    )


def agreement(solution: Solution) -> str:
    """How far cvxopt's dual, and its primal where the feature space is finite, stand from the exact solver, in f."""
    lines = []
    opinions = {}
    for method in ("dual-qp", "primal-qp"):
        if method == "primal-qp" and solution.problem.kernel.feature_dim(solution.problem.data.d) is None:
            lines.append(text.NO_PRIMAL)
            continue
        try:
            other = solve(solution.problem, method)
        except Exception as error:
            lines.append(f"{text.METHODS[method]}: {told(error)}")
            continue
        opinions[method] = other
        # Compared without b, which need not be unique: f up to its mean.
        f, g = (s.margins * s.problem.data.y for s in (solution, other))
        apart = float(np.abs((f - f.mean()) - (g - g.mean())).max())
        lines.append(text.AGREE.format(method=text.METHODS[method], apart=short(apart, 2), gap=short(other.gap, 2)))
    if len(opinions) == 2:
        a, b = opinions["dual-qp"], opinions["primal-qp"]
        apart = abs(a.objective - b.objective) / max(a.objective, 1e-300)
        lines.append(text.TWO_AGREE.format(apart=short(apart, 2)))
    return "\n\n".join(lines)
