"""The page Practice: tasks by their names, boards that are lent and given back, answers that are judged."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from streamlit.testing.v1 import AppTest

from svmlab.core.phrase import Phrase
from svmlab.lab.frame import PAGES
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.practice import answer_words, check_yourself, mixed, task_list, tasks
from svmlab.lab.practice.figure import points_svg, printed_svg
from svmlab.lab.practice.tasks import Entry, Variant
from svmlab.lab.session import link, share
from svmlab.lab.session.lab import Lab, Point
from svmlab.plot.palette import LIGHT
from svmlab.practice import (
    GOALS,
    LESSONS,
    QUESTION_TYPES,
    Board,
    BoardAnswer,
    Boundary,
    Hint,
    Numbers,
    Points,
    Question,
    QuestionType,
)
from svmlab.practice.conditions import Count
from svmlab.practice.draw import Draw
from svmlab.practice.question import Answer, WrongBoard, WrongPoints, in_order
from svmlab.statements import CATALOGUE
from tests import lessons as app_lessons
from tests.offences import each_of

MINE = Lab(points=(Point(1, 1000, 500, 1), Point(2, -1000, 0, -1), Point(3, 0, 1500, 1)))
STORED = re.compile(r"[a-z0-9_]{1,40}\.[a-z0-9-]{1,40}")  # a name in the progress, as store.js reads it


def opened(step: str | None = None) -> AppTest:
    at = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)
    at.query_params["s"] = share.encode(MINE)
    if step is not None:
        at.query_params["step"] = step
    return sound(at.switch_page("pages/practice.py").run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    return at


def said(at: AppTest) -> str:
    """All words on the page, without the links of the glossary."""
    return re.sub(r"\[([^\]]*)\]\(glossary#\w+\)", r"\1", "\n".join(each.value for each in at.markdown))


@each_of(tasks.entries(), name=lambda entry: entry.name)
def test_a_line_of_the_list_opens_its_task_under_names_that_links_and_browser_can_keep(entry: Entry) -> None:
    task = tasks.task_of(entry.task)
    assert task is not None
    if isinstance(task, Variant):
        for level in entry.levels:
            other = task.another(level)
            assert tasks.task_of(other.name) == other
            assert other.progress_key in entry.progress_keys
            assert link.STEP.fullmatch(f"{other.name[: other.name.rindex('-')]}-999999999")
    assert all(STORED.fullmatch(key) for key in entry.progress_keys)


@pytest.mark.parametrize(("drawn", "seed"), [(0, 0), (16, 16), (17, 18), (tasks.SEEDS - 2, tasks.SEEDS - 1)])
def test_another_question_has_another_seed(monkeypatch, drawn: int, seed: int) -> None:
    task = tasks.task_of("margin-width-2-17")
    assert isinstance(task, Variant)
    monkeypatch.setattr(tasks.secrets, "randbelow", lambda most: drawn)
    assert task.another().seed == seed


@pytest.mark.parametrize("name", ["", "no-such-1-2", "margin-width-9-2", "margin-width-2-", "margin-width"])
def test_another_name_is_no_task(name: str) -> None:
    assert tasks.task_of(name) is None


@each_of(GOALS)
def test_the_board_of_a_goal_is_the_same_in_the_app(key: str) -> None:
    goal = GOALS[key]
    for board in (goal.start, goal.witness):
        assert tasks.lab_of(board).problem.key == board.problem.key


@each_of(QUESTION_TYPES)
def test_every_kind_of_answer_has_a_page(key: str) -> None:
    kind = QUESTION_TYPES[key]
    variant = Variant(kind, kind.difficulties[-1], 3)
    assert (tasks.board_task_of(variant) is not None) == isinstance(variant.question.answer, BoardAnswer)


def test_the_list_is_filtered_and_an_unknown_task_opens_it():
    at = opened("no-such-task")
    (message,) = (each.value.replace("\\", "") for each in at.toast)
    assert message == "The link has 'step' = 'no-such-task', but there is no such task. Choose one of these."
    shown = [each.key for each in at.button if each.key.startswith("task_")]
    assert len(shown) == len(tasks.entries())
    at.session_state["lab"].lessons.picks["practice.lesson"] = "soft"
    sound(at.run())
    kept = [each.key for each in at.button if each.key.startswith("task_")]
    assert kept == [f"task_{entry.name}" for entry in tasks.entries() if entry.lesson == "soft"]
    assert not at.toast, "the message is shown once"
    assert task_list.STARS in [each.value for each in at.caption]
    at.session_state["lab"].lessons.picks["practice.kind"] = tasks.QUESTION
    sound(at.run())
    assert task_list.STARS not in [each.value for each in at.caption], "a question has no stars"


@pytest.mark.parametrize("page", ["glossary", "guide", "practice", "sources"])
def test_a_page_without_a_board_says_what_it_cannot_read_in_a_link(page):
    at = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)
    at.query_params["s"] = "*not* [a](board)"
    sound(at.switch_page(f"pages/{page}.py").run())
    (toast,) = at.toast
    assert "link" in toast.value
    assert "](" not in toast.value, "Markdown of the link is no Markdown of the page"
    assert at.session_state["lab"].history.note is None, "the board of the Lab need not repeat it"


def test_a_question_is_answered_wrongly_unreadably_and_right():
    variant = tasks.task_of("margin-width-2-17")
    answer = variant.question.answer
    assert isinstance(answer, Numbers)
    at = opened(variant.name)
    name, field = at.text_input[0].key, answer.fields[0]
    for text, expected in (
        ("about two", "is not part of a number"),
        (repr(field.mistakes[0].value), field.mistakes[0].why),
        (repr(field.value), "is right"),
    ):
        at.text_input(key=name).set_value(text)
        sound(next(each for each in at.button if each.label == "Check").click().run())
        assert expected in said(at)
    for _hint in variant.question.hints:
        sound(at.button(key="hint").click().run())
    sound(at.button(key="reveal").click().run())
    assert variant.question.solution[-1] in said(at)
    sound(at.button(key="another").click().run())
    other = tasks.task_of(at.session_state["lab"].lessons.open_steps["practice"])
    assert (other.kind, other.difficulty) == (variant.kind, variant.difficulty)
    assert other.seed != variant.seed


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Answer, Board | None], str]]:
    """A maker of question types that are offered during one test. It returns the name of a question."""

    def make(answer: Answer, board: Board | None = None) -> str:
        hints = (Hint("Look at the points."), Hint("See the step.", step="margin.turn"))
        question = Question(Phrase("There are {n} points.", n=3), "Which?", answer, hints, ("So.",), board)
        kind = QuestionType("made_up", "Made up", "margin", lambda _draw, _difficulty: question, (1,))
        monkeypatch.setitem(QUESTION_TYPES, "made_up", kind)
        monkeypatch.setitem(tasks.TYPES, "made-up", kind)
        return "made-up-1-5"

    tasks._question.cache_clear()
    yield make
    tasks._question.cache_clear()


TRIANGLE = Board(((-1, 0, -1), (1, 0, 1), (3, 1, 1)), C=math.inf)


def test_a_choice_is_judged_with_the_reason_of_a_wrong_one(made):
    at = opened(
        made(in_order("same", ("larger", "It grows only with C."), ("same", ""), ("smaller", "No point left.")), None)
    )
    check = next(each for each in at.button if each.label == "Check")
    assert "Choose one of the answers first." in said(sound(check.click().run()))
    for chosen, expected in ((0, "“larger” is not right. It grows only with C."), (1, "“same” is right.")):
        at.radio(key="choice_made-up-1-5").set_value(chosen)
        assert expected in said(sound(next(each for each in at.button if each.label == "Check").click().run()))


def test_points_are_chosen_by_their_numbers_beside_a_drawing_without_the_boundary(made):
    wrong = (WrongPoints(frozenset({2}), "The other class has one too."), WrongPoints(frozenset({1, 2, 3}), "Not all."))
    at = opened(made(Points(frozenset({1, 2}), wrong), TRIANGLE))
    drawn = next(each.value for each in at.markdown if "sv-points" in each.value)
    assert drawn.count('class="number"') == 3
    assert "point 3 at (3, 1), class +1" in drawn
    assert 'class="boundary"' not in drawn
    for chosen, expected in (
        ([2], "The other class has one too."),
        ([1, 3], "missing: 1"),
        ([1, 2], "exactly the right"),
    ):
        at.pills(key="points_made-up-1-5").set_value(chosen)
        assert expected in said(sound(next(each for each in at.button if each.label == "Check").click().run()))


def test_the_drawing_of_a_solution_has_the_boundary_and_both_margin_lines():
    drawn = points_svg(TRIANGLE, (Boundary(1, 0, 0, "C = 1"),))
    ends = re.findall(r'class="(boundary|margin)" d="M([-\d.]+) ([-\d.]+)L([-\d.]+) ([-\d.]+)"', drawn)
    assert [(kind, float(x), float(u)) for kind, x, _y, u, _v in ends] == [
        ("margin", 120, 120),
        ("boundary", 160, 160),
        ("margin", 200, 200),
    ], "40 units wide squares, and the origin in the middle of 8"
    assert all(min(float(y), float(v)) < 0 and max(float(y), float(v)) > 320 for _kind, _x, y, _u, v in ends)
    assert ">C = 1</text>" in drawn


def test_a_drawing_leaves_out_numbers_that_would_cover_something_unless_they_are_needed():
    distant, close = Board(((0, 0, 1), (2, 0, -1), (0, 2, 1))), Board(((0, 0, 1), (0.5, 0.25, -1), (3, 3, 1)))
    count = {board: points_svg(board, needs_numbers=False).count('class="number"') for board in (distant, close)}
    assert count == {distant: 3, close: 0}
    assert points_svg(close).count('class="number"') == 3


def test_a_printed_drawing_has_its_own_style_with_the_colours_of_the_classes():
    drawn = ElementTree.fromstring(printed_svg(TRIANGLE, (Boundary(1, 0, 0, "C = 1"),)))
    used = {each.get("class") for each in drawn.iter() if each.get("class") not in ("sv-points", "line0")} - {None}
    style = drawn.findtext("style")
    assert used == set(re.findall(r"\.([a-z]+)\{", style))
    assert f".plus{{fill:{LIGHT.plus}}}.minus{{fill:{LIGHT.minus}}}" in style
    scale = float(drawn.get("width")) / float(drawn.get("viewBox").split()[2])
    sizes = [float(size) * scale * 0.75 for size in re.findall(r"(?:font-size|font):(\d+)px", style)]
    assert min(sizes) >= 7, "type on paper has at least 7 points"


def test_a_question_whose_answer_is_a_board_is_played_on_its_board(made):
    three, start = Count("support", "exactly", 3), TRIANGLE
    wrong = (
        WrongBoard(start.without(3), Count("points", "at most", 2), "You deleted a point, so only two are left."),
        WrongBoard(start.with_points((4, 2, 1)), Count("points", "at least", 4), "You added a point."),
    )
    at = opened(
        made(BoardAnswer((three, Count("points", "exactly", 3)), start.moved({3: (0.5, 2)}), wrong, start), start)
    )
    session = at.session_state["lab"]
    assert session.boards.shown == "practice.made-up-1-5"
    assert "The task asks for exactly 3." in said(at)
    session.show_board(session.boards.shown, tasks.lab_of(start.without(3)))
    assert "You deleted a point, so only two are left." in said(sound(at.run()))
    session.show_board(session.boards.shown, tasks.lab_of(start.moved({3: (0.5, 3)})))
    assert "The board is a right answer." in said(sound(at.run()))


def test_a_goal_lends_its_board_judges_it_and_the_own_one_comes_back():
    at = opened("three-support-vectors")
    session, goal = at.session_state["lab"], GOALS["three-support-vectors"]
    assert session.boards.shown == "practice.three-support-vectors"
    assert session.lab.problem.key == goal.start.problem.key
    assert "The board has 2 support vectors. The task asks for exactly 3." in said(at)
    session.show_board(session.boards.shown, tasks.lab_of(goal.witness.moved({5: (5, -1)})))
    assert "You get a second star if you change at most 1." in said(sound(at.run()))
    session.show_board(session.boards.shown, tasks.lab_of(goal.witness))
    sound(at.run())
    assert "★★ **The goal is reached.** Changed points: 1." in said(at)
    sound(at.switch_page("pages/lab.py").run())
    assert session.boards.shown is None
    assert [p[1:] for p in session.lab.points] == [p[1:] for p in MINE.points]
    sound(at.switch_page("pages/practice.py").run())
    assert session.lab.problem.key == goal.witness.problem.key, "the board is as it was left"
    sound(at.button(key="next").click().run())
    names = list(GOALS)
    assert session.lessons.open_steps["practice"] == names[names.index(goal.key) + 1]
    sound(at.button(key="all_tasks").click().run())
    assert session.boards.shown is None


def test_a_solution_that_was_shown_is_not_praised():
    at = opened("double-margin")
    for _hint in range(2):
        sound(at.button(key="hint").click().run())
    sound(at.button(key="reveal").click().run())
    assert "This is the solution" in said(at)
    assert "★" not in said(at)
    sound(at.button(key="start_again").click().run())
    assert "The task asks for at least" in said(at)


@each_of(lesson for lesson in LESSONS if lesson != "own")
def test_a_lesson_draws_three_questions_with_an_answer_field_and_a_goal(lesson: str) -> None:
    names = check_yourself.draw_tasks(lesson, Draw("test", lesson))
    assert names == check_yourself.draw_tasks(lesson, Draw("test", lesson)), "the same draw gives the same tasks"
    *questions, goal = [tasks.task_of(name) for name in names]
    assert all(isinstance(each, Variant) and tasks.board_task_of(each) is None for each in questions)
    assert len({each.name for each in questions}) == 3
    assert len({each.kind.key for each in questions}) >= {"losses": 1, "pegasos": 1}.get(lesson, 2)
    assert goal.lesson == lesson
    others = check_yourself.draw_tasks(lesson, Draw("others", lesson), excluded=[goal.key])
    assert not {each.name for each in questions} & set(others)
    assert others[-1] != goal.key or sum(each.lesson == lesson for each in GOALS.values()) == 1


SAID_BY_QUESTION = {("leave_one_out", "free-vector")}  # terms that the question explains itself


@each_of(lesson for lesson in LESSONS if lesson != "own")
def test_the_questions_at_the_end_of_a_lesson_need_only_what_the_core_path_has_shown(lesson: str) -> None:
    pages = list(PAGES)
    before = [each for each in app_lessons.LESSONS if pages.index(each.page) <= pages.index(lesson)]
    core = [(each.page, step) for each in before for step in each.steps if not step.deeper]
    shown = {f"{page}.{step.key}" for page, step in core} | {name for _page, step in core for name in step.shows}
    terms = {term for _page, step in core for term in step.introduces}
    for seed in range(2):
        for name in check_yourself.draw_tasks(lesson, Draw("core", lesson, seed))[:3]:
            kind, question = tasks.task_of(name).kind, tasks.task_of(name).question
            assert set(kind.needs_of(tasks.task_of(name).difficulty)) <= shown, name
            marks = Marks(lesson)
            marks.markdown(f"{question.situation}\n{question.ask}")
            missing = {term for term in marks.linked_terms - terms if (kind.key, term) not in SAID_BY_QUESTION}
            assert not missing, f"{name}: the core path introduces no {missing}"


@each_of(QUESTION_TYPES)
def test_a_question_type_names_what_explains_it(key: str) -> None:
    kind = QUESTION_TYPES[key]
    steps = {f"{each.page}.{step.key}" for each in app_lessons.LESSONS for step in each.steps}
    for difficulty in kind.difficulties:
        needs = set(kind.needs_of(difficulty))
        opened_by_hints = {each.step or each.statement for each in kind.question(3, difficulty).hints} - {""}
        assert opened_by_hints <= needs <= steps | CATALOGUE.keys(), "needs= of the type names it"


def at_end_of_margin(**picks: str | int) -> AppTest:
    at = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)
    at.query_params.update({"step": "practice", "s": share.encode(MINE)} | {f"pick.{k}": v for k, v in picks.items()})
    return sound(at.switch_page("pages/margin.py").run())


SERIES = {"task1": "margin-width-2-17", "task2": "class-of-point-1-2", "task3": "three-support-vectors"}


def test_the_tasks_at_the_end_of_a_lesson_are_in_the_address_and_others_can_be_drawn():
    at = at_end_of_margin()
    session = at.session_state["lab"]
    series = check_yourself.CheckYourself(session, "margin").series
    names = [session.lessons.picks[f"margin.task{n}"] for n in (1, 2, 3, 4)]
    place = link.location_of(session)
    assert [place.picks[f"task{n}"] for n in (1, 2, 3, 4)] == names
    again = at_end_of_margin(**{f"task{n}": name for n, name in enumerate(names, start=1)})
    assert check_yourself.CheckYourself(again.session_state["lab"], "margin").series.tasks == series.tasks
    sound(at.button(key="others").click().run())
    assert not {session.lessons.picks[f"margin.task{n}"] for n in (1, 2, 3)} & set(names)
    session.lessons.open_steps["margin"] = "turn"
    assert not link.location_of(session).picks, "the link to a step names no tasks"


def test_a_goal_at_the_end_of_a_lesson_is_played_on_a_lent_board_and_the_own_one_comes_back():
    at = at_end_of_margin(**SERIES, open=3)
    session = at.session_state["lab"]
    assert session.boards.shown == "margin.practice"
    assert session.lab.problem.key == GOALS["three-support-vectors"].start.problem.key
    session.show_board(session.boards.shown, tasks.lab_of(GOALS["three-support-vectors"].witness))
    assert "★★ **The goal is reached.**" in said(sound(at.run()))
    sound(at.button_group(key="series_margin.practice").set_value(0).run())
    assert session.boards.shown is None
    assert [p[1:] for p in session.lab.points] == [p[1:] for p in MINE.points]
    sound(at.button_group(key="series_margin.practice").set_value(2).run())
    assert session.lab.problem.key == GOALS["three-support-vectors"].witness.problem.key, "the board is as it was left"
    session.lessons.open_steps["margin"] = "turn"
    sound(at.run())
    assert session.boards.shown != "margin.practice"


def test_at_the_end_all_answers_are_judged_together():
    at = at_end_of_margin(**SERIES, judge="end")
    right = tasks.task_of("margin-width-2-17").question.answer.fields[0].value
    at.text_input(key="number0_margin-width-2-17").set_value(repr(right))
    sound(next(each for each in at.button if each.label == "Save this answer").click().run())
    assert "Your answer is saved" in said(at)
    assert "is right" not in said(at)
    sound(at.button(key="next_task").click().run())
    sound(at.button_group(key="series_margin.practice").set_value(3).run())
    assert "Tasks with an answer: 1 of 3." in said(at)
    sound(at.button(key="judge").click().run())
    assert "**Right answers: 1 of 3.**" in said(at)
    sound(at.button(key="result1").click().run())
    assert "is right" in said(at), "now the verdict is shown, with the answer that was given"
    assert at.text_input(key="number0_margin-width-2-17").value == repr(right)


@pytest.mark.parametrize("when", [pytest.param("once", marks=pytest.mark.slow), "end"])
def test_the_answers_of_a_series_are_in_the_address_and_are_there_again_in_another_tab(when: str) -> None:
    asked = {"task1": "no-1-1", "task2": "margin-width-2-17", "task3": "three-support-vectors"} | {"judge": when}
    at = at_end_of_margin(**asked)
    field = "number0_margin-width-2-17"
    right = tasks.task_of("margin-width-2-17").question.answer.fields[0].value
    at.text_input(key=field).set_value(repr(right))
    sound(next(each for each in at.button if each.label in ("Check", "Save this answer")).click().run())
    place = link.location_of(at.session_state["lab"])
    assert place.picks["answer2"] == repr(right), "the number of the answer is that of its task"
    read, notes = link.parse_query(link.query_string(place))
    assert not notes
    again = at_end_of_margin(**{name: link.encode_pick(value) for name, value in read.picks.items()})
    assert again.text_input(key=field).value == repr(right)
    assert ("is right" in said(again)) == (when == "once")
    work = again.session_state["practice_work"]["margin-width-2-17"]
    assert work.is_recorded == (when == "once"), "a judged answer is kept once, not once for each reload"
    sound(again.button_group(key="series_margin.practice").set_value(2).run())
    expected = "**Right answers: 1 of 2.**" if when == "once" else "Tasks with an answer: 1 of 2."
    assert expected in said(again)


def test_an_answer_in_the_address_is_read_as_it_was_given_and_nothing_else_is():
    of_choice, of_points = (
        tasks.task_of("delete-points-1-1").question,
        tasks.task_of("circle-support-vectors-1-1").question,
    )
    of_number = tasks.task_of("slacks-for-a-line-1-1").question
    texts = ("3,5; or %", "√2/2", "")
    for question, given in ((of_choice, (1,)), (of_points, ([1, 3],)), (of_points, ([],)), (of_number, texts)):
        assert answer_words.read(question, answer_words.written(question, given)) == given
    assert answer_words.written(of_number, ("√" * 100,) * 3) is None, "no address holds it"
    for question in (of_choice, of_points, of_number):
        for word in ("99", "0", "1;1", "-1", "x", "1;2;3;4;5;6;7;8;9", "²", "", 3, True, None):
            given = answer_words.read(question, word)
            assert given is None or answer_words.written(question, given) == word


def _is_typed(key: str) -> bool:
    return tasks.board_task_of(tasks.task_of(key.removeprefix(f"{tasks.PAGE}.") + "-1")) is None


def test_the_kinds_that_the_browser_chooses_become_at_most_ten_questions_with_an_answer_field():
    every = [key for entry in tasks.entries() if entry.kind == tasks.QUESTION for key in entry.progress_keys]
    chosen = [tasks.task_of(name) for name in mixed.draw_questions(every)]
    typed = list(dict.fromkeys(key.rsplit("-", 1)[0] for key in every if _is_typed(key)))
    assert {each.progress_key.rsplit("-", 1)[0] for each in chosen} == set(typed[:10]), "the most urgent ten kinds"
    assert len(chosen) == 10
    of_two = [key for key in every if key.rsplit("-", 1)[0] in typed[:2]]
    assert len(mixed.draw_questions(of_two)) == len(of_two) > 2, "where there are few kinds, with every difficulty"
    assert all(tasks.board_task_of(each) is None for each in chosen)
    assert mixed.draw_questions(["practice.margin-width-9", "practice.no-1", "three-support-vectors", "x" * 300]) == ()


def test_a_mixed_practice_is_in_the_address_and_an_empty_one_is_the_list():
    at = opened("mixed")
    assert [each for each in at.button if each.key.startswith("task_")]
    session = at.session_state["lab"]
    mixed.series_of(session).begin(["margin-width-1-1", "margin-width-2-2"])
    session.lessons.open_steps["practice"] = "mixed"
    sound(at.run())
    assert at.text_input(key="number0_margin-width-1-1")
    assert link.location_of(session).picks == {"open": 1, "task1": "margin-width-1-1", "task2": "margin-width-2-2"}
    sound(at.button(key="next_task").click().run())
    assert at.text_input(key="number0_margin-width-2-2")
    sound(at.button(key="all_tasks").click().run())
    assert not link.location_of(session).picks


def test_the_result_of_a_lesson_leads_to_all_its_tasks():
    at = at_end_of_margin(**SERIES, open=4)
    sound(at.button(key="practise").click().run())
    sound(at.switch_page("pages/practice.py").run())  # as the browser does
    kept = [each.key for each in at.button if each.key.startswith("task_")]
    assert kept == [f"task_{entry.name}" for entry in tasks.entries() if entry.lesson == "margin"]
