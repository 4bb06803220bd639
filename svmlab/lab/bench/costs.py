"""The costs of slack in each class: two fields, and a button that balances classes of unequal size."""

from __future__ import annotations

from functools import partial

import streamlit as st

from svmlab.binary.problem import EQUAL_COSTS, balanced_costs
from svmlab.lab.bench.number_field import number_field, show_refusals
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.numbers import short
from svmlab.lab.session import compare, inbox
from svmlab.lab.session.controls import CONTROLS, COSTS
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.words import N_, _

LABEL = dict(zip(COSTS, (N_("Cost of class +1"), N_("Cost of class −1")), strict=True))
TITLE = N_("Class costs")
WHAT = N_("Class costs, in units of C:")
HELP = dict.fromkeys(
    COSTS,
    N_(
        "The slack of a point of this class has the penalty Cᵢ ξᵢ, where Cᵢ is C times this cost. So αᵢ ≤ Cᵢ. Now "
        "Cᵢ = {C}."
    ),
)
BALANCE = N_("Balance")
WEIGH = N_(
    "Sets the costs to m/(2 m₊) and m/(2 m₋), so that both classes have the same total weight. Click again for 1 and 1."
)
ALIKE = N_("The classes have equally many points, so balanced costs are 1 and 1.")
IDLE = N_("The hard margin allows no slack, so class costs have no effect. Turn it off to choose them.")


def show(session: Session, done: OnChange) -> None:
    """Show a button that opens the costs. If they differ, the resulting C of each class is shown beside f."""
    lab = session.lab.active_lab
    with st.popover(_(TITLE), disabled=lab.hard, help=_(IDLE) if lab.hard else None, key="costs"):
        st.markdown(Marks("lab").markdown(_(WHAT)) + r" $C\sum_i v_i\xi_i$")
        columns = st.columns(2)
        for column, name, cost in zip(columns, COSTS, (lab.cost_plus, lab.cost_minus), strict=True):
            help_text = Marks("lab").markdown(_(HELP[name]).format(C=short(lab.C * cost)))
            take = partial(_take, session, name)
            with column:
                number_field(name, _(LABEL[name]), CONTROLS[name], cost, take, done, disabled=lab.hard, help=help_text)
        show_refusals(LABEL)

        def clicked() -> None:
            with session.showing_errors():
                balance(session)
            done()

        st.button(_(BALANCE), key="balance", width="stretch", disabled=lab.hard, help=_(WEIGH), on_click=clicked)


def balance(session: Session) -> None:
    """Set the costs that give both classes the same total weight, or 1 and 1 if these are set already.

    Raises BadInput if there is only one class.
    """
    lab = session.lab.active_lab
    balanced = balanced_costs(lab.data)
    _set(session, dict(zip(COSTS, EQUAL_COSTS if lab.costs == balanced else balanced, strict=True)))
    if balanced == EQUAL_COSTS:
        session.note(ALIKE)


def _take(session: Session, name: str, value: float) -> None:
    _set(session, {name: value})


def _set(session: Session, costs: dict[str, float]) -> None:
    inbox.do(session, {"op": "set", "values": compare.active_setting_names(session.lab, costs)})
