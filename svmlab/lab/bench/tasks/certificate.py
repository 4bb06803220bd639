"""The certificate of a board of several classes or of values: objectives, residuals, and a second solver."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal

import numpy as np
import streamlit as st

from svmlab import Solution, regression, solve
from svmlab.binary.kkt import Certificate
from svmlab.core.arrays import Array
from svmlab.core.phrase import Phrase
from svmlab.lab.bench.tabs.certificate import METHOD
from svmlab.lab.board.board_message import UNPROVEN
from svmlab.lab.numbers import short
from svmlab.lab.session.cache import Solved
from svmlab.lab.session.tab import Session
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.words import N_, _, written
from svmlab.multiclass import OneVsRestSolution
from svmlab.regression import Fit

CONDITION = {
    "stationarity": N_("stationarity: w = Σ (αᵢ − αᵢ*) φ(xᵢ), and with a bias Σ αᵢ = Σ αᵢ*"),
    "primal": N_("primal feasibility: −ε − ξ* ≤ y − f ≤ ε + ξ"),
    "dual": N_("dual feasibility: 0 ≤ α, α* ≤ C, never both above 0"),
    "complementarity": N_("complementarity: α (ε + ξ − y + f) = 0, (C − α) ξ = 0, and so with *"),
}
FORMS = N_("primal {primal}, dual {dual}; the residual is the largest of all conditions")
FLOOR = N_("Rounding alone can cause residuals up to {floor}.")


def show(session: Session, solved: Solved) -> None:
    """Show objectives and residuals, and the agreement with a second solver."""
    worst = max(map(abs, gaps(solved)))
    if not solved.proven:
        st.warning(_(UNPROVEN).format(gap=short(worst, 2)))
    if isinstance(solved, OneVsRestSolution):
        st.html(of_classes(solved))
    else:
        st.markdown(of_values(solved))
    key = ("agreement", session.lab.task, session.lab.key)
    st.markdown(_(session.cache.get_or_compute(key, lambda: agreement(solved))))


def gaps(solved: Solved) -> Sequence[float]:
    """Return the relative duality gap of each SVM, or of the regression."""
    return [machine.gap for machine in solved.machines] if isinstance(solved, OneVsRestSolution) else [solved.gap]


def of_classes(machines: OneVsRestSolution) -> str:
    """Return one line of HTML for each SVM: both objectives, the gap, and the largest residual of its conditions."""
    slack = "" if machines.problem.hard else " + C Σ ξ"
    lines = [f"<p>{_(FORMS).format(primal=f'½ǁwǁ²{slack}', dual='Σ α − ½ α′Qα')}</p>"]
    for k, machine in zip(machines.classes, machines.machines, strict=True):
        certificate = machine.certificate
        worst = max(
            certificate.stationarity,
            certificate.primal_feasibility,
            abs(certificate.dual_feasibility),
            certificate.complementarity,
        )
        cells = (
            _cell(_("class"), str(k)),
            _cell(_("primal"), f"{machine.objective:.8g}", machine.objective),
            _cell(_("dual"), f"{machine.dual_objective:.8g}", machine.dual_objective),
            _cell(_("gap"), short(machine.gap, 2), machine.gap),
            _cell(_("residual"), f"{short(worst, 2)} {_holds(worst, certificate)}", worst),
        )
        lines.append(f'<div class="sv-values">{"".join(cells)}</div>')
    floor = _floor(max(machine.certificate.floor for machine in machines.machines))
    return f'<div class="sv-inspector">{"".join(lines)}<p>{floor}</p></div>'


def _cell(name: str, text: str, exact: float | None = None) -> str:
    title = "" if exact is None else f' title="{exact!r}"'
    return f"<div{title}><span>{escape(name)}</span><b>{escape(text)}</b></div>"


def of_values(fit: Fit) -> str:
    """Return both objectives and the gap, then each KKT condition with its residual."""
    certificate = fit.certificate
    objectives = [
        _row(_("objective"), _("value")),
        _row("---", "---"),
        _row(f"{_('primal')} ½ǁwǁ² + C Σ (ξ + ξ*)", f"{fit.objective:.12g}"),
        _row(f"{_('dual')} {written('y′β − ε Σ (α + α*) − ½ β′Kβ, β = α − α*')}", f"{fit.dual_objective:.12g}"),
        _row(_("gap, relative"), short(fit.gap, 2)),
    ]
    residuals = {
        "stationarity": certificate.stationarity,
        "primal": certificate.primal_feasibility,
        "dual": abs(certificate.dual_feasibility),
        "complementarity": certificate.complementarity,
    }
    lines = [_row(_("condition"), _("residual"), ""), _row("---", "---", "---")]
    lines += [_row(_(CONDITION[name]), short(v, 2), _holds(v, certificate)) for name, v in residuals.items()]
    return "\n".join([*objectives, "", *lines, "", _floor(certificate.floor)])


def agreement(solved: Solved) -> str:
    """Return how far f of cvxopt's dual differs from f of the exact solver at the points."""
    method: Literal["dual-qp"] = "dual-qp"
    try:
        pairs = (
            [(machine, solve(machine.problem, method)) for machine in solved.machines]
            if isinstance(solved, OneVsRestSolution)
            else [(solved, regression.solve(solved.problem, method))]
        )
    except Exception as error:
        return Phrase("{method}: {error}", method=METHOD[method], error=to_svm_error(error))
    difference = max(float(np.ptp(_f(exact) - _f(other))) for exact, other in pairs)
    return Phrase(
        "**{method}** agrees with f, up to b, to within {apart} on all points.",
        method=METHOD[method],
        apart=short(difference, 2),
    )


def _f(solved: Solution | Fit) -> Array:
    """Return f at the points, shape (m,), up to b, which need not be unique."""
    return (
        solved.problem.data.y - solved.residuals if isinstance(solved, Fit) else solved.problem.data.y * solved.margins
    )


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _holds(value: float, certificate: Certificate) -> str:
    return _("holds") if value <= certificate.floor else _("does not hold")


def _floor(floor: float) -> str:
    return _(FLOOR).format(floor=short(floor, 2))
