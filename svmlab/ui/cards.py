"""Statements as cards: what is said, where it stands, and how it fares on the board right now."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import streamlit as st

from svmlab import Gaussian, Polynomial, Sigmoid
from svmlab.statements import CATALOGUE, Situation, Statement, Verdict, Witness
from svmlab.statements.statement import Reading
from svmlab.ui.numbers import short
from svmlab.ui.session import Session
from svmlab.ui.state import Lab, Point, fit
from svmlab.ui.words import cards as words

Done = Callable[[], None]


def verdict(session: Session, key: str) -> Verdict:
    """The verdict on the present board, checked once."""
    problem = session.lab.problem
    outcome = session.outcome
    situation = session.cache.once(
        ("situation", problem.key), lambda: Situation(problem, outcome.solution if outcome else None)
    )
    found: Verdict = session.cache.once(("verdict", key, problem.key), lambda: CATALOGUE[key].check(situation))
    return found


def show(session: Session, ids: Iterable[str], done: Done, lessons: bool = False) -> None:
    """A card for each statement; `lessons` adds the way to the page that shows it."""
    for key in ids:
        statement = CATALOGUE[key]
        with st.container(border=True, key=f"card_{key}"):
            st.markdown(face(statement, verdict(session, key)))
            left, right = st.columns(2)
            if statement.witness is not None:
                left.button(
                    words.WITNESS,
                    key=f"witness_{key}",
                    help=words.WITNESS_HELP.format(words=statement.witness.words),
                    on_click=_open(session, statement.witness, done),
                )
            if lessons and statement.page in words.PAGES:
                right.page_link(f"pages/{statement.page}.py", label=words.LESSON)


def face(statement: Statement, found: Verdict) -> str:
    """The card's text."""
    badge = words.IDLE if not found.applies else words.HOLDS if found.holds else words.FAILS
    sources = "; ".join(f"{s.notes}, {s.place}" for s in statement.source)
    lines = [
        words.HEAD.format(id=statement.id, title=statement.title, badge=badge),
        statement.sentence,
        f"$${statement.formula}$$",
    ]
    if not found.applies:
        lines.append(found.why)
    if found.note:
        lines.append(f"*{found.note}*")
    if found.applies and found.reading is not None:
        lines.append(_numbers(found.reading, found.tolerance))
    if statement.repair is not None:
        if found.printed is not None and found.repaired is not None:
            lines.append(words.PRINTED[found.printed.holds] + f" {found.printed.words}")
        lines.append(words.REPAIR.format(repair=statement.repair))
    if found.control is not None:
        lines.append(words.CONTROL.format(words=found.control.words))
    lines.append(words.CONDITIONS.format(conditions=statement.conditions))
    lines.append(words.SOURCE.format(sources=sources, verdict=words.VERDICTS[statement.verdict]))
    return "\n\n".join(lines)


def _numbers(reading: Reading, tolerance: float) -> str:
    rows = [f"| {s.name}{f' ${s.formula}$' if s.formula else ''} | {short(s.value, 8)} |" for s in reading.sides]
    rows.append(
        f"| {words.RESIDUAL} | {words.TOLERANCE.format(residual=short(reading.residual, 2), tolerance=short(tolerance, 2))} |"
    )
    return "\n".join([words.SIDES.format(kind=reading.words or "&nbsp;"), *rows])


def _open(session: Session, witness: Witness, done: Done) -> Done:
    def clicked() -> None:
        session.do({"op": "load", "lab": board_of(session.lab, witness)})
        done()

    return clicked


def board_of(lab: Lab, witness: Witness) -> Lab:
    """The witness as a Lab, looked at as one looks now."""
    points = tuple(
        Point(i, round(1000 * float(x)), round(1000 * float(y)), int(label))
        for i, ((x, y), label) in enumerate(zip(witness.X, witness.y, strict=True), start=1)
    )
    kernel, values = witness.kernel, {}
    if isinstance(kernel, Polynomial | Sigmoid):
        values = {"coef0": kernel.coef0, "scale": kernel.scale}
        if isinstance(kernel, Polynomial):
            values["degree"] = kernel.degree
    elif isinstance(kernel, Gaussian):
        values = {"sigma": kernel.sigma}
    hard = math.isinf(witness.C)
    return Lab(
        points=points,
        preset=lab.preset,
        kernel=kernel.name,
        face="C",
        value=lab.value if hard and lab.face == "C" else 1.0 if hard else witness.C,
        hard=hard,
        bias=witness.bias,
        view=fit(points),
        label=lab.label,
        projector=lab.projector,
        **values,
    )
