"""Statements as cards: what is said, where it stands, and how it fares on the board right now."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from html import escape

import streamlit as st

from svmlab import SvmError
from svmlab.lab import frame
from svmlab.lab.cards import checks, words
from svmlab.lab.numbers import short
from svmlab.lab.session import mishap
from svmlab.lab.session.state import Lab, Point, fit
from svmlab.lab.session.tab import Done, Session
from svmlab.statements import CATALOGUE, Statement, Verdict, Witness
from svmlab.statements.statement import Reading


def show(session: Session, ids: Iterable[str], done: Done, lessons: bool = False) -> None:
    """A card for each statement; `lessons` adds the way to the page that shows it.

    While checks go on, the last answers stay (dimmed), so that no card moves; without any, cards wait for all of them.
    """
    ids = list(ids)
    answer = checks.check(session, ids)
    with st.container(key="checks_state"):
        going = answer.job is not None and answer.job.running
        st.fragment(_state, run_every=0.3 if going else None)(session, ids, answer)
    pages = frame.pages() if lessons else {}
    for key in ids:
        if key not in answer.found:
            continue
        statement = CATALOGUE[key]
        with st.container(border=True, key=f"card_{key}"), mishap.caught():
            st.markdown(face(statement, answer.found[key], answer.fresh), unsafe_allow_html=True)
            page = pages.get(statement.page)
            if statement.witness is None and page is None:
                continue
            with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                if statement.witness is not None:
                    st.button(
                        words.WITNESS if statement.repair else words.WITNESS_CONTROL,
                        key=f"witness_{key}",
                        help=words.WITNESS_HELP.format(words=statement.witness.words),
                        on_click=_open(session, statement.witness, done),
                    )
                if page is not None:
                    st.page_link(page, label=words.LESSON.format(page=page.title))


def _state(session: Session, ids: list[str], answer: checks.Answer) -> None:
    """One line above the cards: what came out, or how far the work is."""
    job = answer.job
    if job is None:
        st.caption(tally([answer.found[key] for key in ids], len(session.lab.points)))
    elif job.running:
        st.progress(job.fraction, words.RUNNING.format(done=f"{job.fraction:.0%}"))
        st.button(words.CANCEL, key="checks_cancel", on_click=job.cancel)
    else:
        if job.finished and not session.seen(job):
            st.rerun()  # once: the cards appear, and this fragment stops asking
        st.caption(str(job.error or words.CANCELLED))
        st.button(words.AGAIN, key="checks_again", on_click=answer.again)


def tally(found: Iterable[Verdict | SvmError], m: int) -> str:
    """How many hold, fail, do not apply, and ended in an error."""
    counts = Counter(_tone(v) for v in found)
    said = ", ".join(part.format(n=counts[tone]) for tone, part in words.TALLY.items() if counts[tone])
    return words.CHECKED.format(m=m, said=said) if counts else words.NONE


def face(statement: Statement, found: Verdict | SvmError, fresh: bool = True) -> str:
    """The card: head, sentence, formula, numbers; what is quiet folded away. Markdown with a little HTML."""
    tone = _tone(found)
    repaired = f'<span class="sv-chip">{words.REPAIRED}</span>' if statement.repair else ""
    lines = [
        f'<div class="sv-head{"" if fresh else " sv-stale"}"><span class="sv-id">{statement.id}</span>'
        f"<strong>{escape(statement.title)}</strong>{repaired}"
        f'<span class="sv-badge" data-tone="{tone}">{words.BADGES[tone]}</span></div>',
        statement.sentence,
        f"$$\n{statement.formula}\n$$",
    ]
    if isinstance(found, SvmError):
        lines += [f'<p class="sv-quiet">{escape(str(found))}</p>']
    elif not found.applies:
        lines += [f'<p class="sv-quiet">{escape(found.why)}</p>']
        lines += [words.REPAIR.format(repair=statement.repair)] if statement.repair else []
    elif found.repaired is not None and found.printed is not None:
        lines += [
            '<div class="sv-two"><div>',
            _heading(words.AS_PRINTED, found.printed),
            found.printed.words or "&nbsp;",
            _numbers(found.printed, found.tolerance),
            "</div><div>",
            _heading(words.AS_REPAIRED, found.repaired),
            str(statement.repair),
            _numbers(found.repaired, found.tolerance),
            "</div></div>",
        ]
    else:
        lines += [words.REPAIR.format(repair=statement.repair)] if statement.repair else []
        lines += [_numbers(found.reading, found.tolerance)] if found.reading is not None else []
    return "\n\n".join([*lines, _quiet(statement, found)])


def _tone(found: Verdict | Reading | SvmError) -> str:
    if isinstance(found, SvmError):
        return "error"
    if isinstance(found, Verdict) and not found.applies:
        return "idle"
    return "holds" if found.holds else "fails"


def _heading(name: str, reading: Reading) -> str:
    tone = _tone(reading)
    badge = words.BADGES[tone]
    return f'<div class="sv-head"><span>{name}</span><span class="sv-badge" data-tone="{tone}">{badge}</span></div>'


def _numbers(reading: Reading, tolerance: float) -> str:
    rows = [
        (
            f"{s.name}{f' ${_tabled(s.formula)}$' if s.formula else ''}",
            short(s.value, 6 if abs(s.value) > 1e-6 else 2),
            s.value,
        )
        for s in reading.sides
    ]
    off = words.TOLERANCE.format(tolerance=short(tolerance, 2))
    rows.append((f'<span class="sv-quiet">{off}</span>', short(reading.residual, 2), reading.residual))
    return "\n".join(
        ["| | |", "|:--|--:|", *(f'| {name} | <span title="{exact!r}">{value}</span> |' for name, value, exact in rows)]
    )


def _tabled(formula: str) -> str:
    """LaTeX without the character that ends a table's cell."""
    return formula.replace(r"\|", r"\Vert ").replace("|", r"\vert ")


def _quiet(statement: Statement, found: Verdict | SvmError) -> str:
    """Conditions, on what it was checked, the control, and the places in the notes."""
    said = [words.CONDITIONS.format(conditions=statement.conditions)]
    if isinstance(found, Verdict):
        said.append(found.note)
        if found.control is not None:
            said.append(words.CONTROL[found.control.holds].format(words=found.control.words))
    said.append(words.SOURCE.format(sources="; ".join(f"{s.notes}, {s.place}" for s in statement.source)))
    body = "".join(f"<p>{escape(line)}</p>" for line in said if line)
    return f'<details class="sv-more"><summary>{words.MORE}</summary>{body}</details>'


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
    kernel, hard = witness.kernel, math.isinf(witness.C)
    board = Lab(
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
    )
    return replace(board, **{p.name: getattr(kernel, p.name) for p in kernel.parameters})
