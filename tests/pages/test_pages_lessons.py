"""What every step of every lesson keeps to, whoever wrote it: found by themselves, so that a new one is tested too."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from svmlab.data import DATASETS
from svmlab.lab.session import inbox, share
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.controls import CONTROLS, EDGE
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.session.link import Location as Address
from svmlab.lab.session.link import parse_query, query_string
from svmlab.lab.session.state import History, initial_history
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.open_lesson import OpenLesson
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Lesson, Space, Step, Table
from svmlab.plot.palette import LIGHT, PROJECTOR_DARK, Palette
from svmlab.statements import CATALOGUE
from tests.lessons import LESSONS, DoneAtOnce, stage_of
from tests.offences import each_of
from tests.shown import steps_showing, table

PLAIN = with_preset(Lab(size=40, seed=3))  # points of one's own, that overlap
DUST = re.compile("10⁻(¹[³⁴⁵⁶⁷⁸⁹]|[²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹])")  # smaller than what rounding leaves
STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.steps]
# What fits at 1280x720, projected.
TITLE, QUESTION, ASKED, CHOICE, VERDICT, WHY, SAYS, TRIES, INTRO = 31, 165, 420, 90, 115, 140, 200, 40, 330
TWO_THINGS = {"away", "factor", "turned"}  # dials whose names links have said for long


def name_of_step(pair: tuple[Lesson, Step]) -> str:
    lesson, step = pair
    return f"{lesson.page}-{step.key}"


every_step_of_all = pytest.mark.parametrize(("lesson", "step"), STEPS, ids=map(name_of_step, STEPS))
of_every_step = each_of(STEPS, name_of_step)  # in one test


def plain(words: str) -> str:
    """Words as they are seen: no marks of markdown, a formula by its letters."""
    words = re.sub(r"\$([^$]*)\$", lambda tex: re.sub(r"\\[a-zA-Z]+|[{}\\^_ ]", "", tex[1]) + "x", words)
    return words.replace("**", "").replace("*", "")


KEPT: dict[tuple[str, str], Stage] = {}


def own(lesson: Lesson, step: Step) -> Stage:
    """A step on its own board; what takes long is worked out once for all that look at it."""
    name = lesson.page, step.key
    if name not in KEPT:
        KEPT[name] = stage_of(lesson, step.board())
    return replace(KEPT[name], memory={})


@cache
def boards() -> tuple[tuple[Lab, Cache], ...]:
    """All presets with a few machines, and 50 random boards, each with what steps keep of it, as in a session.

    The first have unlike presets and machines, as long work is done on the first only.
    """
    machines = ({}, {"hard": True}, {"kernel": "gaussian"}, {"value": 0.05, "bias": False})
    some = [
        with_preset(replace(Lab(), preset=name, size=16, **machines[(i + k) % len(machines)]))
        for k in range(len(machines))
        for i, name in enumerate(DATASETS)
    ]
    rng = np.random.Generator(np.random.Philox(7))
    for i in range(50):
        m = int(rng.integers(2, 14))
        X, y = rng.normal(0, 1.6, (m, 2)), rng.choice([-1, 1], m)
        rows = [(float(a), float(b), int(s)) for (a, b), s in zip(X.clip(-7, 7), y, strict=True)]
        some.append(board_of_points(rows, **machines[i % len(machines)])())
    return tuple((lab, Cache()) for lab in some)


FEW = slice(0, None, 23)  # of all machines and presets some, and a few random boards


@of_every_step
def test_words_fit_the_smallest_projector(lesson: Lesson, step: Step) -> None:
    stage = own(lesson, step)
    says = step.says_text(stage)
    limits = [("title", step.title, TITLE), ("question", step.question, QUESTION), ("says", says, SAYS)]
    limits += [(f"why of {c.text!r}", c.why, WHY) for c in step.choices]
    limits += [(f"choice {c.text!r}", c.text, CHOICE) for c in step.choices]
    limits += [("situation and question", step.situation_text(stage) + step.question, ASKED)]
    limits += [("verdict", step.verdict_text(stage), VERDICT), ("tries", "".join(t.label for t in step.tries), TRIES)]
    limits += [("intro", lesson.intro, INTRO)]
    long = [f"{name}: {len(plain(words))} > {limit}" for name, words, limit in limits if len(plain(words)) > limit]
    assert not long
    assert len(step.tries) <= 3
    assert len(step.readings(stage)) <= 4


@pytest.mark.one_in(3)
@every_step_of_all
def test_the_board_answers_the_question_after_show(lesson: Lesson, step: Step) -> None:
    """The picture after the answer is another one than before, and it is the state that the step calls its answer."""
    if step.rests_on_answer is None:
        return
    session = Session(initial_history())
    session.lessons.open_steps[lesson.page] = step.key
    place = OpenLesson(session, lesson)
    place.prepare_board()
    before = replace(place.stage(step), shown=False, request_work=DoneAtOnce())
    pictures = [(session.lab, step.drawn(before))]
    play = step.animation(replace(before, shown=True)) or {}
    if "key" in play and not play.get("back"):  # what a hand on the slider does
        inbox.do(session, {"op": play.get("op", "set"), "values": {play["key"]: play["to"]}})
    after = replace(place.stage(step), shown=True, request_work=DoneAtOnce())
    assert step.rests_on_answer(after), "the board does not rest on the answer"
    pictures.append((session.lab, step.drawn(after)))
    assert repr(pictures[0]) != repr(pictures[1]), "nothing on the board differs from before"


@of_every_step
def test_a_step_brings_a_board_on_which_all_of_it_can_be_shown(lesson: Lesson, step: Step) -> None:
    for shown in (False, True):
        stage = replace(own(lesson, step), shown=shown)
        assert step.first_unmet_need(stage) is None
        assert isinstance(step.drawn(stage), dict)
        step.readings(stage)
    assert 0 <= step.answer(stage) < len(step.choices)
    step.more_parts(stage)


@each_of(STEPS[::3], name_of_step)
def test_every_chart_of_a_step_is_drawn(lesson: Lesson, step: Step) -> None:
    """Of every third step here; below of all of them, in the palette that has nothing in common with this one."""
    draw_all(step, own(lesson, step), LIGHT)


def draw_all(step: Step, stage: Stage, palette: Palette) -> None:
    """Whatever can be picked beside the chart of a step is drawn."""
    choices = [{pick.name: option} for pick in step.picks for option in pick.options]
    for chosen in choices or [{}]:
        part = step.chart(replace(stage, palette=palette, picks={**stage.picks, **chosen}))
        assert isinstance(part, Chart | Space | Table)


@pytest.mark.sweep
@every_step_of_all
def test_a_step_is_drawn_in_the_dark_before_a_class_too(lesson: Lesson, step: Step) -> None:
    """In the palette that has nothing in common with the one above, every chart of every step."""
    draw_all(step, own(lesson, step), PROJECTOR_DARK)


@of_every_step
def test_a_step_says_what_a_wrong_choice_overlooks(lesson: Lesson, step: Step) -> None:
    right = step.answer(own(lesson, step))
    assert len(step.choices) >= 2
    assert [c.text for i, c in enumerate(step.choices) if i != right and not c.why] == []


@of_every_step
def test_the_answer_and_the_verdict_agree_on_some_boards(lesson: Lesson, step: Step) -> None:
    answer_and_verdict_agree(lesson, step, FEW)


@pytest.mark.slow
@every_step_of_all
def test_the_answer_and_the_verdict_agree_on_every_board(lesson: Lesson, step: Step) -> None:
    answer_and_verdict_agree(lesson, step, slice(None))


def answer_and_verdict_agree(lesson: Lesson, step: Step, some: slice) -> None:
    """The answer is one of the choices, no verdict is said of two answers, and that of a theorem is always the same."""
    said, answers = dict[str, int](), set[int]()
    ask = DoneAtOnce(most=3)  # long work on so many boards, what needs none on all of them
    for lab, kept in boards()[some]:
        stage = replace(stage_of(lesson, lab, ask=ask), cache=kept)
        if step.first_unmet_need(stage) is not None:
            continue
        try:
            right, verdict = step.answer(stage), step.verdict_text(stage)
        except Working:
            continue
        assert 0 <= right < len(step.choices)
        assert verdict
        if not re.search(r"\d", verdict):  # a number may tell the answers apart
            assert said.setdefault(verdict, right) == right, f"{verdict!r} is said of two answers"
        with suppress(Working):
            step.drawn(stage)
            texts = [step.says_text(stage), *(reading.text for reading in step.readings(stage))]
            assert [words for words in texts if DUST.search(words)] == [], "rounding is no number"
        answers.add(right)
    assert not step.is_theorem or len(answers) <= 1, "a theorem does not depend on the board"


@of_every_step
def test_what_can_be_tried_works(lesson: Lesson, step: Step) -> None:
    for each in step.tries:
        session = Session(initial_history())
        session.lessons.open_steps[lesson.page] = step.key
        place = OpenLesson(session, lesson)
        place.prepare_board()
        if each.board is not None:
            session.show_board(place.step_name(step), each.board())
        else:
            op = each.op(place.stage(step)) if callable(each.op) else each.op
            assert op is not None
            if op["op"] == "pick":
                assert set(op["values"]) <= {pick.name for s in lesson.steps for pick in s.picks}
            else:
                inbox.do(session, op, strict=True)
        assert session.history.note is None
        assert step.first_unmet_need(place.stage(step)) is None, (
            f"{each.label!r} leaves a board without what the step needs"
        )


@of_every_step
def test_a_link_gives_every_board_of_a_step_back(lesson: Lesson, step: Step) -> None:
    for board in (step.board, *(each.board for each in step.tries if each.board)):
        assert share.encode(share.decode(share.encode(board()))) == share.encode(board())


@of_every_step
def test_what_moves_is_on_the_board(lesson: Lesson, step: Step) -> None:
    stage = own(lesson, step)
    play = step.animation(stage)
    if play is None:
        return
    drawn = step.drawn(stage)
    if play.get("film"):
        assert drawn["film"]["frames"]
    elif play.get("space"):
        assert drawn["space"] == step.chart(stage).as_json
    elif "point" in play:
        assert play["point"] in [point.id for point in stage.lab.points]
        assert max(map(abs, play["from"])) <= EDGE / 1000
    else:
        keys = [slider["key"] for slider in drawn.get("sliders", [])]
        assert play["key"] in keys or (play["key"] in CONTROLS and "sliders" not in drawn)


@of_every_step
def test_the_address_can_say_every_dial(lesson: Lesson, step: Step) -> None:
    stage = own(lesson, step)
    dials = {slider["key"]: 0.5 for slider in step.drawn(stage).get("sliders", []) if slider.get("op") == "dial"}
    for each in step.tries:
        op = each.op(stage) if callable(each.op) else each.op
        dials |= op["values"] if op and op["op"] == "dial" else {}
    said, notes = parse_query(query_string(Address(dials=dials)))
    assert (said.dials, notes) == (dials, [])


def test_a_dial_is_one_thing_wherever_it_stands() -> None:
    """A session keeps one value for each name: where two steps mean different things by it, one turns the other's."""
    meant: dict[str, set[str]] = {}
    for lesson, step in STEPS:
        for slider in step.drawn(own(lesson, step)).get("sliders", []):
            if slider.get("op") == "dial":
                meant.setdefault(slider["key"], set()).add(slider["title"])
    assert {key for key, titles in meant.items() if len(titles) > 1} == TWO_THINGS


def test_steps_are_named_once_and_show_every_statement_of_their_lesson() -> None:
    for lesson in LESSONS:
        keys = [step.key for step in lesson.steps]
        assert len(set(keys)) == len(keys)
        assert all(re.fullmatch(r"[a-z0-9-]{1,40}", key) for key in keys)
        shown = {i for step in lesson.steps for i in step.shows}
        assert shown <= set(CATALOGUE)
        assert set(lesson.statement_ids) <= shown, f"{lesson.page}: no step shows these"


def test_the_table_of_statements_and_steps_is_the_one_in_docs_and_has_no_gap() -> None:
    built = {lesson.page for lesson in LESSONS}
    own = [id for id, entry in CATALOGUE.items() if entry.page in built]
    assert [id for id in own if not any(step.tries for _, step in steps_showing(id))] == []
    written = (Path(__file__).parents[2] / "docs" / "statements.md").read_text(encoding="utf-8")
    assert written == table(), "write it again: python -m tests.shown > docs/statements.md"


@of_every_step
def test_who_has_placed_nothing_yet_gets_the_board_of_the_step(lesson: Lesson, step: Step) -> None:
    session = Session(initial_history())
    session.lessons.open_steps[lesson.page] = step.key
    place = OpenLesson(session, lesson)
    place.prepare_board()
    assert session.lab == step.board()
    session.show_board(None)
    inbox.do(session, {"op": "delete", "ids": [1]})
    assert not place.has_initial_points


@of_every_step
def test_a_board_is_lent_where_the_own_one_does_not_suit_and_comes_back(lesson: Lesson, step: Step) -> None:
    session = Session(History(PLAIN))
    mine = session.lab
    session.lessons.open_steps[lesson.page] = step.key
    place = OpenLesson(session, lesson)
    suits = place.unmet_need_of_own(step) is None
    place.prepare_board()
    assert step.first_unmet_need(place.stage(step)) is None
    assert session.boards.shown == (None if suits else place.step_name(step))
    if not suits:
        inbox.do(session, {"op": "clear"})
        assert step.first_unmet_need(place.stage(step)) is not None
        session.lessons.open_steps[lesson.page] = "check"
        place.prepare_board()
        assert session.boards.shown == (place.step_name(lesson.steps[-1]) if lesson.end else None)
        session.show_board(None)  # as every other page does
        assert session.lab == mine


def test_a_suggestion_sets_the_number_that_its_label_says():
    number = re.compile(r"= (−?\d+(?:\.\d+)?)(?![\d½])")
    checked = 0
    for lesson in LESSONS:
        for step in lesson.steps:
            for suggestion in step.tries:
                match = number.search(suggestion.label)
                if match and isinstance(suggestion.op, dict) and suggestion.op["op"] in ("set", "dial"):
                    checked += 1
                    assert float(match[1].replace("−", "-")) in suggestion.op["values"].values(), suggestion.label
    assert checked > 30
