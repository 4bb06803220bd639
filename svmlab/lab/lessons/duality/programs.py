"""Primal and dual with their matrices, solved side by side (H1, H2, H3)."""

from __future__ import annotations

import numpy as np
import streamlit as st

from svmlab import Problem, SvmError
from svmlab.arrays import Array
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.duality import common, words
from svmlab.lab.lessons.duality.matrices_chart import Words, heat
from svmlab.lab.numbers import settled, short
from svmlab.lab.teach.pick import head, number, pick, row, table
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.statements import DoesNotApply
from svmlab.statements.opinion import Dual, Primal

W = words.PROGRAMS
NARROW = 4  # entries of a primal row that are printed as numbers


def answers(stage: Stage) -> tuple[Primal | None, Dual] | None:
    """What cvxopt says of the two printed programs, the primal only where w is finite; None where it gave up."""
    found, problem = common.situation(stage), stage.lab.problem
    finite = problem.kernel.feature_dim(problem.data.d) is not None
    try:
        if problem.hard:
            return found.hard_primal if finite else None, found.hard_dual
        return found.soft_primal if finite else None, found.soft_dual
    except (DoesNotApply, SvmError):
        return None


def second(stage: Stage) -> tuple[Array, float] | None:
    """W, in the coordinates of the Situation, and b of the second solver: of its primal, or of its dual where w is infinite."""
    pair = answers(stage)
    if pair is None:
        return None
    primal, dual = pair
    if primal is not None:
        return primal.w, primal.b
    return (dual.alpha * stage.lab.data.y) @ common.situation(stage).Phi, dual.b


def rows(problem: Problem) -> Array | None:
    """The printed rows y_i [1, phi(x_i)], shape (m, n), or None where w has no finite form."""
    if problem.kernel.feature_dim(problem.data.d) is None:
        return None
    A = problem.qp("primal").A[: problem.data.m]
    return A if problem.hard else A[:, : A.shape[1] - problem.data.m]


def answer(stage: Stage) -> int | None:
    return 0 if stage.lab.hard and stage.lab.bias and stage.lab.machine.straight else None


def reveal(stage: Stage) -> str:
    if common.obstacle(stage):
        return ""
    problem = stage.lab.problem
    m, A = problem.data.m, rows(problem)
    if A is None:
        return str(W["reveal_none"].format(m=m))
    extra = 0 if problem.hard else m
    return str(W["reveal"].format(unknowns=A.shape[1] + extra, rows=m + extra, m=m))


def show(stage: Stage) -> None:
    if common.obstacle(stage):
        return
    lab = stage.lab
    common.formula(W["formula"], C="" if lab.hard else W["C"], BALANCE=W["balance"] if lab.bias else "")
    found = answers(stage)
    if found is None:
        st.info(words.SECOND)
        return
    problem = stage.lab.problem
    A = rows(problem)
    if A is not None and problem.hard and A.shape[1] <= NARROW:
        common.formula(W["P"], DIAGONAL=", ".join(f"{v:g}" for v in np.diag(problem.qp("primal").P)))
    if problem.data.m <= common.FEW and (A is None or A.shape[1] <= NARROW):
        if not problem.hard:
            st.markdown(W["slacks"])
        pick(matrices(stage, A, *found), "duality_programs", common.select(stage))
    else:
        names = problem.qp("primal").variables[: A.shape[1]] if A is not None else ()
        Q, alpha, labels = problem.qp("dual").P, found[1].alpha, Words(**W["map"])
        chart(heat(A, names, Q, alpha, common.row_of(stage), labels, stage.palette), "duality_heat")
        st.caption(W["map_says"])
    _solved(stage, *found)


def matrices(stage: Stage, A: Array | None, primal: Primal | None, dual: Dual) -> str:
    """Both programs over the same rows: A of the primal, Q and the unknowns of the dual; below them u and the equation."""
    problem = stage.lab.problem
    qp, at, m = problem.qp("dual"), common.row_of(stage), problem.data.m
    digits = 3 if m <= 5 else 2
    names: tuple[str, ...] = ()
    u: Array = np.zeros(0)
    if A is None or primal is None:
        A = np.zeros((m, 0))
    else:
        names = problem.qp("primal").variables[: A.shape[1]]
        u = np.r_[primal.b, primal.w] if problem.bias else primal.w

    def kind(j: int) -> str:
        return ("edge " if j == 0 and names else "") + ("column" if j == at else "")

    tops = float(np.abs(A).max(initial=0.0)) or 1.0, float(np.abs(qp.P).max()) or 1.0
    body = []
    for i, id_ in enumerate(problem.data.ids):
        cells = [number(float(v), digits, share=float(v) / tops[0]) for v in A[i]]
        cells += [number(float(v), digits, kind(j), float(v) / tops[1]) for j, v in enumerate(qp.P[i])]
        cells.append(number(settled(float(dual.alpha[i])), 3, "edge unknown"))
        body.append(row(int(id_), str(i + 1), float(problem.data.y[i]), cells, stage.lab.selected))
    foot = [
        f"<tr><th>{W['unknowns'] if names else ''}</th>" + "".join(number(settled(float(v)), 3, "unknown") for v in u)
    ]
    labels = qp.E[0] if problem.bias else np.zeros(0)
    foot += [number(float(v), 3, kind(j)) for j, v in enumerate(labels)]
    foot += [f'<td class="edge">{W["equation"] if problem.bias else ""}</td></tr>']
    above = [(1, ""), (len(names), W["primal"] if problem.bias else W["primal_origin"]), (m, W["dual"]), (1, "")]
    heading = head(*(_subscript(n) for n in names), *(str(j + 1) for j in range(m)), "α", over=above)
    return table("", heading, body, ["".join(foot)])


def _subscript(name: str) -> str:
    return f"w<sub>{name[1:]}</sub>" if name.startswith("w") else name


def _solved(stage: Stage, primal: Primal | None, dual: Dual) -> None:
    """Both programs and the exact method in one table, and what the multipliers of one are in the other."""
    exact, problem = common.solved(stage), stage.lab.problem
    Phi, y = common.situation(stage).Phi, problem.data.y
    found = {} if primal is None else {"primal": (primal.value, primal.w, primal.b)}
    found |= {
        "dual": (dual.value, (dual.alpha * y) @ Phi, dual.b),
        "exact": (exact.objective, (exact.alpha * y) @ Phi, exact.b),
    }
    lines = ["| " + " | ".join(W["answers_head"]) + " |", "|---|---|---|---|"]
    for name, (value, w, b) in found.items():
        finite = problem.kernel.feature_dim(problem.data.d) == len(w) <= NARROW
        normal = common.vector(w) if finite else W["norm"].format(norm=short(float(np.linalg.norm(w))))
        offset = short(settled(b)) if problem.bias else "–"
        lines.append(f"| {W['answers_rows'][name]} | {short(value, 8)} | {normal} | {offset} |")
    st.markdown("\n".join(lines))
    if primal is None:
        return
    apart = float(np.abs(primal.alpha - dual.alpha).max())
    if apart <= 1e-5 * float(dual.alpha.max()):
        st.markdown(W["cross"].format(b=W["cross_b"] if problem.bias else "", apart=short(apart, 2)))
    elif exact.alpha_unique is False:
        st.markdown(W["not_unique"])


STEP = Step(
    "programs",
    W["title"],
    W["question"],
    W["choices"],
    answer=answer,
    reveal=reveal,
    numbers=lambda stage: common.remark(common.obstacle(stage)),
    show=show,
    tries=(
        Try(words.BOARDS["four"], common.four),
        Try(words.BOARDS["eight"], common.EIGHT),
        Try(words.BOARDS["sixty"], common.SIXTY),
        Try(words.BOARDS["gaussian"], common.setting(kernel="gaussian", hard=True)),
    ),
)
