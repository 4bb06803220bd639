"""Compare two SVMs on the same points: the kind of comparison, and the key figures of both in one table."""

from __future__ import annotations

from collections.abc import Callable, Collection
from html import escape
from pathlib import Path

import streamlit as st

from svmlab import Solution
from svmlab.generalisation import HeldOut
from svmlab.lab.bench import confusion_table, held_out_words
from svmlab.lab.bench.panel import FIGURE, OPENS_MATRIX, cells, figure_names
from svmlab.lab.bench.widget_state import is_echo, set_widget
from svmlab.lab.board.second_board import machine_name
from svmlab.lab.numbers import ROUNDING, short, zero_if_rounding
from svmlab.lab.session import compare, inbox
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.svm_settings import A, B
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.words import N_, _

NARROW = (Path(__file__).parent / "narrow.css").read_text(encoding="utf-8")
GHOST, SECOND = "ghost", "second"
KINDS = {GHOST: N_("Pinned fit"), SECOND: N_("Second board")}
COMPARE = N_("Compare with this fit")
COMPARE_HELP = N_(
    "A second board shows another classifier for the same points, beside this one. A pinned fit stays on the "
    "board as thin lines, and its key figures stay beside the new ones. Click again to end."
)
ACTIVE = N_("Controls change")
ACTIVE_HELP = N_(
    "The controls change the kernel, penalty parameter, hard margin and bias of this classifier. The saved "
    "picture, the selected point, the certificate and the code belong to it too. You can also click a board or "
    "its name."
)
PAIR_ACTIONS = {
    "swap": (N_("Swap"), N_("Exchanges the two classifiers.")),
    "alike": (N_("Make equal"), N_("Gives the other classifier the settings of the one that the controls change.")),
    "keep_a": (N_("Keep A"), N_("Returns to one board, with the classifier of A.")),
    "keep_b": (N_("Keep B"), N_("Returns to one board, with the classifier of B.")),
}
PAIR_OPERATIONS: dict[str, Callable[[Lab], Lab]] = {
    "swap": compare.swapped,
    "alike": compare.with_equal_settings,
    "keep_a": lambda lab: compare.keep_only(lab, A),
    "keep_b": lambda lab: compare.keep_only(lab, B),
}
DIFFERENCE = N_("B − A")
OTHER_SPACE = N_("The two boards have different feature spaces, so these lengths cannot be compared.")
NO_MACHINE = N_("no classifier (its board says why)")


def comparison_choice(session: Session, done: OnChange) -> None:
    """Show the choice between no comparison, a ghost and a second board."""

    def chosen() -> None:
        if not is_echo("compare"):
            start_comparison(session, st.session_state["compare"])
        done()

    if "pin" in session.link.hidden:
        return
    set_widget("compare", SECOND if session.lab.second else GHOST if session.boards.pinned else None)
    st.segmented_control(
        _(COMPARE),
        list(KINDS),
        format_func=lambda kind: _(KINDS[kind]),
        key="compare",
        help=_(COMPARE_HELP),
        on_change=chosen,
        disabled=not session.lab.points,
    )


def start_comparison(session: Session, kind: str | None) -> None:
    """Start this kind of comparison.

    The fit for comparison stays: the pinned fit becomes the second SVM, and the reverse.
    """
    lab, pin = session.lab, session.boards.pinned
    alone = compare.keep_only(lab, lab.active)
    session.boards.pinned = None
    if kind == SECOND:
        _load(session, compare.with_second(lab, pin or lab))
        if pin is not None:  # the controls still change the new SVM, which is A
            inbox.do(session, {"op": "active", "on": A})
    else:
        session.boards.pinned = (
            None if kind is None else compare.keep_only(compare.swapped(lab), lab.active) if lab.second else lab
        )
        _load(session, alone)


def _load(session: Session, lab: Lab) -> None:
    inbox.do(session, {"op": "load", "lab": lab})


def narrow_column() -> None:
    """Fit the column beside two boards to its width, whatever is open in it."""
    st.html(f"<style>{NARROW}</style>")


def active_control(session: Session, done: OnChange) -> None:
    """Show in a narrow column which SVM the controls change."""

    def chosen() -> None:
        if not is_echo("active") and st.session_state["active"] is not None:
            inbox.do(session, {"op": "active", "on": st.session_state["active"]})
        done()

    set_widget("active", session.lab.active)
    st.segmented_control(_(ACTIVE), [A, B], key="active", required=True, help=_(ACTIVE_HELP), on_change=chosen)


def pair_buttons(session: Session, done: OnChange) -> None:
    """Show the buttons for operations on both SVMs."""

    def callback(action: str) -> OnChange:
        def clicked() -> None:
            _load(session, PAIR_OPERATIONS[action](session.lab))
            done()

        return clicked

    if "pin" in session.link.hidden:
        return
    with st.container(key="deeds", horizontal=True, gap="small"):
        for action, (label, what) in PAIR_ACTIONS.items():
            st.button(_(label), key=action, help=_(what), on_click=callback(action), width="stretch")


def figures(
    lab: Lab,
    outcomes: tuple[Outcome | None, Outcome | None],
    held_out_results: tuple[HeldOut | None, HeldOut | None] = (None, None),
    hidden: Collection[str] = (),
) -> str:
    """Return the key figures of A and of B below each other, and their difference where it is meaningful.

    held_out_results: the results of A and B on test points, if they are wanted. hidden: what the link hides.
    """
    labs, shown = (lab, lab.second_lab or lab), figure_names(lab)
    a, b = (outcome.solution if outcome else None for outcome in outcomes)
    opens = {key: confusion_table.buttons(_(FIGURE[key][0])) for key in OPENS_MATRIX}
    heads = "".join(
        f"<th scope='col' data-figure='{key}'>{_(FIGURE[key][0])}{opens.get(key, '')}</th>" for key in shown
    )
    rows = [
        _row(shown, board, machine_name(each, hidden), _values(lab, solution, result, hidden))
        for board, each, solution, result in zip((A, B), labs, (a, b), held_out_results, strict=True)
    ]
    if a is not None and b is not None:
        rows.append(
            _row(shown, _(DIFFERENCE), "", differences(a, b, held_out_results if lab.unseen else None), "sv-difference")
        )
    return f"<table class='sv-pair'><thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _row(shown: list[str], board: str, of: str, values: list[tuple[str, str]], kind: str = "") -> str:
    cells_ = "".join(
        f"<td data-figure='{key}' title='{escape(exact, quote=True)}'>{value}</td>"
        for key, (value, exact) in zip(shown, values, strict=True)
    )
    return f"<tr class='{kind}'><th scope='row' title='{escape(of, quote=True)}'>{escape(board)}</th>{cells_}</tr>"


def _values(
    lab: Lab, solution: Solution | None, held_out_result: HeldOut | None, hidden: Collection[str]
) -> list[tuple[str, str]]:
    if solution is None:
        return [("–", _(NO_MACHINE))] * len(figure_names(lab))
    return [(value, exact) for _key, value, exact, *_rest in cells(solution, lab.unseen, held_out_result, hidden)]


def differences(
    a: Solution, b: Solution, held_out_results: tuple[HeldOut | None, HeldOut | None] | None = None
) -> list[tuple[str, str]]:
    """Return B minus A for each key figure, as it is shown and in full.

    There is no difference of lengths in two feature spaces, and none of duality gaps.

    held_out_results: the results of both on test points, if the test error is a figure too.
    """
    same = a.problem.kernel.key == b.problem.kernel.key
    values: dict[str, float] = {
        "support": int(b.support.sum()) - int(a.support.sum()),
        "errors": int(b.errors.sum()) - int(a.errors.sum()),
        "slack": _less(float(b.xi.sum()), float(a.xi.sum())),
    }
    if same and a.norm_w and b.norm_w:
        values["margin"] = _less(1 / b.norm_w, 1 / a.norm_w)
        values["width"] = 2 * values["margin"]
    why = "" if same else _(OTHER_SPACE)
    texts = {key: _signed(value) for key, value in values.items()} | {"gap": ("", "")}
    if held_out_results is not None:
        texts["unseen"] = held_out_words.difference(*held_out_results)
    shown = [key for key in FIGURE if key != "unseen" or held_out_results is not None]
    return [texts.get(key, ("", why)) for key in shown]


def _less(b: float, a: float) -> float:
    """Return the difference, or 0 if it is at most rounding."""
    return zero_if_rounding(b - a, ROUNDING * max(abs(a), abs(b)))


def _signed(value: float) -> tuple[str, str]:
    return f"{'+' if value > 0 else ''}{short(value)}", repr(value)
