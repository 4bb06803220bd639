"""Make a goal of your own: the board of the Lab, conditions, words and what is hidden, as a link or a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from svmlab import SvmError
from svmlab.core.phrase import Phrase
from svmlab.lab import frame
from svmlab.lab.board.hidden_parts import hides_classifier
from svmlab.lab.frame.share import HIDDEN, address_of
from svmlab.lab.practice import own_goal
from svmlab.lab.practice.figure import points_svg
from svmlab.lab.practice.parts import Head, mark, usual_notation
from svmlab.lab.practice.tasks import DIFFICULTIES
from svmlab.lab.session.link import MAKE_GOAL, Location
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _, message_of
from svmlab.practice import Board, Goal, goal_from_text, weaknesses
from svmlab.practice.conditions import (
    COUNT_RELATIONS,
    COUNTS,
    QUANTITIES,
    QUANTITY_RELATIONS,
    SETTINGS,
    Attempt,
    ChangeLimit,
    Condition,
    Count,
    Fails,
    Keep,
    Ratio,
    Separable,
    Unique,
    Value,
)
from svmlab.practice.goal import HIDEABLE, MAX_CONDITIONS, MAX_TITLE, MAX_WORDS
from svmlab.statements import CATALOGUE

STEP = MAKE_GOAL
TITLE = N_("Make your own goal")
INTRO = N_(
    "Other people start with your board from the Lab and change it until your conditions hold. Choose these "
    "conditions, and share the goal as a link or a file."
)
NO_CONDITION = N_("The goal is not complete. Add a condition that the board of other people must meet.")
REFUSED = N_("This goal cannot be opened")
IS_HIDDEN = N_("The link of your board hides its classifier, which a goal would show. Open the Lab without this link.")
AIM = N_("Make a board on which {clause}.")
WHETHER: tuple[Condition, ...] = (
    *(Separable(by, wanted) for by in ("line", "kernel") for wanted in (True, False)),
    *(Unique(what, wanted) for what in ("alpha", "b") for wanted in (True, False)),
)
WORDS_OF_RELATION = {
    **{name: Phrase(words, n="n") for name, (words, _holds) in COUNT_RELATIONS.items()},
    **{name: Phrase(words, value="x") for name, (words, _holds) in QUANTITY_RELATIONS.items()},
}
DRAFT = "own_goal"  # where the tab keeps the goal that is being made


@dataclass
class Draft:
    """What is chosen for the goal beside its start."""

    title: str = ""
    situation: str = ""
    level: int = 1
    conditions: tuple[Condition, ...] = (Keep(),)
    hide: tuple[str, ...] = ()

    def goal(self, start: Board) -> Goal:
        """Return the goal. Raises BadInput if a part of it does not fit."""
        words = " ".join(self.situation.split())
        return Goal("own", self.title.strip(), "own", self.level, start, self.conditions, words, hide=self.hide)


def show(session: Session, show_list: Callable[[], None]) -> None:
    """Show the form, the conditions that are chosen, and the goal as link and file. show_list: opens the list."""
    frame.keep_link(session)
    draft: Draft = st.session_state.setdefault(DRAFT, Draft())
    with st.container(key="make_goal", gap="small"), usual_notation():
        Head(TITLE, "", show_list).show()
        st.markdown(_(INTRO))
        if hides_classifier(session.link.hidden):
            st.info(_(IS_HIDDEN))
            return
        try:
            start = own_goal.board_of(session.boards.own.present.active_lab)
        except SvmError as error:
            st.error(message_of(error))
            return
        left, right = st.columns([2, 3], gap="medium")
        with left:
            _show_start(start)
        with right:
            _show_words(draft)
            _show_conditions(draft, start)
            _show_new_condition(draft, start)
        _show_goal(session, draft, start)
        _show_upload(session)


def show_refusal(session: Session, error: SvmError, show_list: Callable[[], None]) -> None:
    """Show why the goal of the address cannot be opened, with the way back to the list."""
    frame.keep_link(session)
    with st.container(key="make_goal", gap="small"):
        Head(REFUSED, "", show_list).show()
        st.error(message_of(error))


# ---------------------------------------------------------------- the parts of the goal


def _show_start(start: Board) -> None:
    if start.points:
        st.markdown(points_svg(start, needs_numbers=False), unsafe_allow_html=True)
    else:
        st.caption(_("Your board in the Lab has no points, so the goal starts with an empty board."))
    st.button(_("Change the board in the Lab"), key="own_to_lab", on_click=frame.turn_to, args=("lab",))


def _show_words(draft: Draft) -> None:
    for key, value in (("own_title", draft.title), ("own_words", draft.situation), ("own_hide", list(draft.hide))):
        st.session_state.setdefault(key, value)  # another page has removed it
    draft.title = st.text_input(_("Title"), key="own_title", max_chars=MAX_TITLE)
    draft.situation = st.text_area(_("Your text before the goal"), key="own_words", max_chars=MAX_WORDS, height=90)
    left, right = st.columns(2)
    with left:
        st.session_state.setdefault("own_level", draft.level)
        draft.level = st.selectbox(
            _("Difficulty"), list(DIFFICULTIES), key="own_level", format_func=lambda level: _(DIFFICULTIES[level])
        )
    with right:
        hide = st.multiselect(
            _("Controls that are hidden"),
            HIDEABLE,
            key="own_hide",
            format_func=lambda name: _(HIDDEN[name]),
            placeholder=_("None is hidden"),
        )
        draft.hide = tuple(hide)


def _show_conditions(draft: Draft, start: Board) -> None:
    """Show each chosen condition, whether the start meets it, and a button that removes it."""
    st.markdown(_("**Conditions**"))
    attempt = Attempt(start, start.problem)
    with st.container(key="own_conditions", gap=None):
        for i, condition in enumerate(draft.conditions):
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                finding = condition.check(attempt)
                says = "" if condition.is_rule else f" {mark(finding.met)} {_(finding.sentence)}"
                st.markdown(f"{_sentence(condition)}{says}")
                st.button(
                    _("Remove"),
                    icon=":material/close:",
                    key=f"own_remove{i}",
                    type="tertiary",
                    on_click=_keep_only,
                    args=(draft, draft.conditions[:i] + draft.conditions[i + 1 :]),
                )


def _sentence(condition: Condition) -> str:
    return _(condition.clause) if condition.is_rule else _(AIM).format(clause=_(condition.clause))


def _keep_only(draft: Draft, conditions: tuple[Condition, ...]) -> None:
    draft.conditions = conditions


# ---------------------------------------------------------------- a new condition


def _show_new_condition(draft: Draft, start: Board) -> None:
    """Show the fields of a further condition, and the button that adds it."""
    with st.container(key="own_new", gap="small", border=True):
        kind = st.selectbox(_("New condition"), list(KINDS), key="own_kind", format_func=lambda name: _(KINDS[name][0]))
        try:
            condition = KINDS[kind][1](start)
        except SvmError as error:
            st.error(message_of(error))
            return
        st.markdown(_sentence(condition))
        st.button(
            _("Add"),
            icon=":material/add:",
            key="own_add",
            disabled=condition in draft.conditions or len(draft.conditions) >= MAX_CONDITIONS,
            on_click=_keep_only,
            args=(draft, (*draft.conditions, condition)),
        )


def _count(start: Board) -> Condition:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        of = st.selectbox(
            _("What is counted"), list(COUNTS), key="own_count", format_func=lambda n: _(COUNTS[n].several)
        )
        relation = _relation(COUNT_RELATIONS, "own_count_relation")
        present = COUNTS[of].count(Attempt(start, start.problem)) or 0
        n = st.number_input(_("Number n"), 0, 300, present, 1, key=f"own_n_{of}_{present}", width=120)
    return Count(of, relation, n)


def _value(start: Board) -> Condition:
    of, relation = _quantity()
    solution = start.solution
    present = QUANTITIES[of].value(solution) if solution else 1.0
    usual = round(present, 3) if abs(present) < 1e6 else 1.0
    return Value(
        of, relation, st.number_input(_("Value x"), -1e6, 1e6, usual, 0.1, key=f"own_x_{of}_{usual}", width=160)
    )


def _ratio(_start: Board) -> Condition:
    of, relation = _quantity()
    times = st.number_input(
        _("x (a multiple of the value at the start)"), 0.0, 1e6, 2.0, 0.1, key="own_times", width=240
    )
    return Ratio(of, relation, times)


def _quantity() -> tuple[str, str]:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        of = st.selectbox(
            _("Quantity"), list(QUANTITIES), key="own_quantity", format_func=lambda n: _(QUANTITIES[n].name)
        )
        return of, _relation(QUANTITY_RELATIONS, "own_value_relation")


def _relation(relations: dict[str, tuple[str, Callable[..., bool]]], key: str) -> str:
    return st.selectbox(
        _("Relation"), list(relations), key=key, format_func=lambda n: _(WORDS_OF_RELATION[n]), width=160
    )


def _whether(_start: Board) -> Condition:
    return st.selectbox(_("Property"), WHETHER, key="own_whether", format_func=lambda each: _(each.clause))


def _fails(_start: Board) -> Condition:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        id_ = st.selectbox(
            _("Statement"), list(CATALOGUE), key="own_statement", format_func=lambda n: f"{n}: {_(CATALOGUE[n].title)}"
        )
        titles = {"printed": N_("as the lecture notes print it"), "control": N_("as a similar statement that is false")}
        reading = st.selectbox(
            _("Reading"), list(titles), key="own_reading", format_func=lambda name: _(titles[name]), width=240
        )
    return Fails(id_, reading)  # type: ignore[arg-type]


def _changes(_start: Board) -> Condition:
    labels = {"changed": N_("Moved points"), "added": N_("Added points"), "deleted": N_("Deleted points")}
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        most = {
            name: st.number_input(_(label), 0, 300, int(name == "changed"), 1, key=f"own_{name}", width=150)
            for name, label in labels.items()
        }
    return ChangeLimit(**most)


def _keep(_start: Board) -> Condition:
    names = st.multiselect(
        _("Settings that cannot be changed"),
        list(SETTINGS),
        ["kernel", "C", "bias"],
        key="own_keep",
        format_func=lambda n: _(SETTINGS[n][0]),
    )
    return Keep(tuple(names))


KINDS: dict[str, tuple[str, Callable[[Board], Condition]]] = {
    "count": (N_("The number of points of one sort"), _count),
    "value": (N_("A quantity of the trained SVM"), _value),
    "ratio": (N_("A quantity compared with its value at the start"), _ratio),
    "whether": (N_("Whether the classes are separable, or α or b unique"), _whether),
    "fails": (N_("A statement that fails"), _fails),
    "changes": (N_("How many points may be changed"), _changes),
    "keep": (N_("Which settings cannot be changed"), _keep),
}


# ---------------------------------------------------------------- the goal


def _show_goal(session: Session, draft: Draft, start: Board) -> None:
    """Show the goal in words, what makes it too easy, and how it is shared."""
    if all(each.is_rule for each in draft.conditions):
        st.info(_(NO_CONDITION))
        return
    try:
        goal = draft.goal(start)
    except SvmError as error:
        st.info(message_of(error))
        return
    st.markdown(f"**{_(goal.aim)}** {_(goal.rules)}")
    for sentence in weaknesses(goal):
        st.warning(_(sentence))
    link = goal.to_link()
    st.code(address_of(Location(step=own_goal.step_of(link), goal=link)), language=None, wrap_lines=True)
    with st.container(horizontal=True, gap="small"):
        st.button(_("Open this goal"), key="own_open", type="primary", on_click=_open, args=(session, goal))
        st.download_button(
            _("Save as a file"),
            goal.to_text(),
            "goal.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
            key="own_save",
        )


def _open(session: Session, goal: Goal) -> None:
    with session.showing_errors():
        own_goal.open_goal(session, goal)


def _show_upload(session: Session) -> None:
    """Show the field for a goal that was saved as a file."""
    file = st.file_uploader(_("Open a goal from a file"), "json", key="own_file", max_upload_size=1)
    if file is None:
        return
    try:
        goal = goal_from_text(file.getvalue().decode("utf-8", "replace"))
    except SvmError as error:
        st.error(message_of(error))
        return
    st.button(
        _("Open “{title}”").format(title=own_goal.as_written(goal.title) or _(own_goal.UNTITLED)),
        key="own_open_file",
        on_click=_open,
        args=(session, goal),
    )
