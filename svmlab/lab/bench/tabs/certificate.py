"""The certificate: both objective values, every KKT residual with its rounding floor, and a second solver's opinion."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from svmlab import Solution, certify, solve
from svmlab.binary.report import program, report
from svmlab.core.phrase import Phrase
from svmlab.lab import words
from svmlab.lab.bench.panel import NO_FIGURES
from svmlab.lab.board.board_message import CLIPPED, UNPROVEN
from svmlab.lab.board.caption import file_name
from svmlab.lab.frame.share import address_of
from svmlab.lab.numbers import bound_symbol, short
from svmlab.lab.session import link
from svmlab.lab.session.tab import Session
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.words import N_, _

CONDITION = {
    "stationarity": N_("stationarity: w = Σ αᵢ yᵢ φ(xᵢ), and with a bias Σ αᵢ yᵢ = 0"),
    "primal": N_("primal feasibility: y f ≥ 1 − ξ, ξ ≥ 0"),
    "dual": N_("dual feasibility: 0 ≤ α ≤ {C}"),
    "complementarity": N_("complementarity: α (y f − 1 + ξ) = 0, ({C} − α) ξ = 0"),
}
METHOD = {"dual-qp": N_("cvxopt on the dual"), "primal-qp": N_("cvxopt on the primal")}


def show(session: Session, done: Callable[[], None]) -> None:
    """Show objectives, residuals and agreement, or why there is no solution."""
    lab = session.lab.active_lab
    outcome = session.solve(lab) if lab.points else None
    if outcome is None or outcome.solution is None:
        st.caption(words.message_of(outcome.error) if outcome and outcome.error else _(NO_FIGURES))
        return
    solution = outcome.solution
    if not solution.proven:
        st.warning(_(UNPROVEN).format(gap=short(solution.gap, 2)))
    if solution.clipped_eigenvalue is not None:
        st.info(
            _(CLIPPED).format(kernel=_(solution.problem.kernel.subject), value=short(solution.clipped_eigenvalue, 3))
        )
    left, right = st.columns(2, gap="large")
    left.markdown(residuals(solution))
    right.markdown(objectives(solution))
    agreed = session.cache.get_or_compute(("agreement", solution.problem.key), lambda: agreement(solution))
    right.markdown("\n\n".join(map(_, agreed)))
    right.caption(_("How it was solved: {status}.").format(status=_(solution.status)))
    with left:
        _file(session, solution)


def _file(session: Session, solution: Solution) -> None:
    """Offer the certificate as a file, and the program that checks it without svmlab."""
    name, address = f"{file_name(session.lab, 'certificate')}.json", address_of(link.location_of(session))
    saved, checked = st.columns(2)
    saved.download_button(
        _("Save the certificate"),
        lambda: report(solution, address),
        name,
        "application/json",
        width="stretch",
        on_click="ignore",
        help=_("Points, α, b, both objectives and every residual as JSON, with all digits."),
    )
    with checked.popover(_("Check it yourself"), width="stretch"):
        st.caption(_("This program needs only numpy. It is also in the file, under check."))
        st.code(program(solution, name), language="python", wrap_lines=True)


def residuals(solution: Solution) -> str:
    """Return the KKT conditions as a table: condition, residual, and whether rounding explains it."""
    certificate = certify(solution)
    rows = {
        "stationarity": certificate.stationarity,
        "primal": certificate.primal_feasibility,
        "dual": abs(certificate.dual_feasibility),
        "complementarity": certificate.complementarity,
    }
    lines = ["| " + _("condition") + " | " + _("residual") + " | |", "|---|---|---|"]
    for name, value in rows.items():
        mark = _("holds") if value <= certificate.floor else _("does not hold")
        lines.append(f"| {_(CONDITION[name]).format(C=bound_symbol(solution.problem))} | {short(value, 2)} | {mark} |")
    floor = _("Residuals are in units of f. On these points, rounding alone can cause residuals up to {floor}.")
    return "\n".join([*lines, "", floor.format(floor=short(certificate.floor, 2))])


def objectives(solution: Solution) -> str:
    """Return the primal and dual objective values and their gap as a table."""
    slack = "C Σ ξ" if solution.problem.has_equal_costs else "Σ Cᵢ ξᵢ"
    return "\n".join(
        [
            "| " + _("objective") + " | " + _("value") + " |",
            "|---|---|",
            "| " + _("primal") + f" ½ǁwǁ² + {slack} | {solution.objective:.12g} |",
            "| " + _("dual") + f" Σ α − ½ α′Qα | {solution.dual_objective:.12g} |",
            "| " + _("gap, relative") + f" | {short(solution.gap, 2)} |",
        ]
    )


def agreement(solution: Solution) -> list[str]:
    """Return how far f of cvxopt's dual is from f of the exact solver, and also of its primal in finite dimensions."""
    lines: list[str] = []
    opinions = {}
    for method in ("dual-qp", "primal-qp"):
        if method == "primal-qp" and solution.problem.kernel.feature_dim(solution.problem.data.d) is None:
            lines.append(N_("The primal problem needs a finite feature map, and this kernel has none."))
            continue
        try:
            other = solve(solution.problem, method)
        except Exception as error:
            lines.append(Phrase("{method}: {error}", method=METHOD[method], error=to_svm_error(error)))
            continue
        opinions[method] = other
        # f is compared up to its mean, that is without b, because b need not be unique.
        f, g = (s.margins * s.problem.data.y for s in (solution, other))
        difference = float(np.abs((f - f.mean()) - (g - g.mean())).max())
        lines.append(
            Phrase(
                "**{method}** agrees with f to within {apart} on all points (its own gap: {gap}).",
                method=METHOD[method],
                apart=short(difference, 2),
                gap=short(other.gap, 2),
            )
        )
    if len(opinions) == 2:
        a, b = opinions["dual-qp"], opinions["primal-qp"]
        difference = abs(a.objective - b.objective) / max(a.objective, 1e-300)
        lines.append(
            Phrase(
                "**Two independent solvers agree**: the relative difference between the objective values of dual and "
                "primal is {apart}.",
                apart=short(difference, 2),
            )
        )
    return lines
