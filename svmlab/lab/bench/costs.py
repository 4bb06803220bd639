"""What a slack costs in each class: two fields, and a button that makes up for classes of unequal size."""

from __future__ import annotations

import streamlit as st

from svmlab.lab.bench.field import number, refusals
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.numbers import short
from svmlab.lab.session import compare
from svmlab.lab.session.controls import CONTROLS, COSTS
from svmlab.lab.session.tab import Done, Session
from svmlab.lab.words import N_, _
from svmlab.problem import EVEN, balanced

LABEL = dict(zip(COSTS, (N_("Cost of class +1"), N_("Cost of class −1")), strict=True))
COST = N_(
    "How dear slack is in this class, in units of C: its points pay Cᵢ ξᵢ, and Cᵢ is their largest α. Now Cᵢ = {C}."
)
BALANCE = N_("Balance")
WEIGH = N_("Both classes cost the same in sum, however many points they have: m/(2 m₊) and m/(2 m₋). Again: 1 and 1.")
ALIKE = N_("The classes have equally many points: balanced costs are 1 and 1.")
IDLE = N_("The hard margin allows no slack, so it has no cost. Turn it off to choose one.")


def show(session: Session, done: Done) -> None:
    """The row below the price of slack."""
    lab = session.lab.shown
    *fields, right = st.columns([1, 1, 1], vertical_alignment="bottom")
    for column, name, cost in zip(fields, COSTS, (lab.cost_plus, lab.cost_minus), strict=True):
        said = _(IDLE) if lab.hard else Marks("lab").markdown(_(COST).format(C=short(lab.C * cost)))

        def take(value: float, name: str = name) -> None:
            _set(session, {name: value})

        with column:
            number(name, _(LABEL[name]), CONTROLS[name], cost, take, done, disabled=lab.hard, help=said)

    def clicked() -> None:
        with session.guarded():
            balance(session)
        done()

    help_ = _(IDLE if lab.hard else WEIGH)
    right.button(_(BALANCE), key="balance", width="stretch", disabled=lab.hard, help=help_, on_click=clicked)
    refusals(LABEL)


def balance(session: Session) -> None:
    """The costs with which both classes weigh the same; where these are set already, 1 and 1. Raises BadInput for one class."""
    lab = session.lab.shown
    fair = balanced(lab.data)
    _set(session, dict(zip(COSTS, EVEN if lab.costs == fair else fair, strict=True)))
    if fair == EVEN:
        session.note(ALIKE)


def _set(session: Session, costs: dict[str, float]) -> None:
    session.do({"op": "set", "values": compare.named(session.lab, costs)})
