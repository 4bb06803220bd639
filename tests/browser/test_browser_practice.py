"""The page Practice in a browser: a goal that is reached by dragging, a question by keyboard, and both kept."""

from __future__ import annotations

import re

import pytest

from svmlab.lab.practice import tasks
from svmlab.practice import GOALS, QUESTION_TYPES
from tests.browser.test_browser_accessible import MODES, serious, turned
from tests.browser.translated import forgotten


@pytest.fixture
def board(new_board):
    return new_board().open("/practice?step=three-support-vectors")


def test_a_goal_is_judged_while_one_drags_and_a_question_by_keyboard_and_both_are_kept(board):
    page, judged = board.page, board.page.locator(".st-key-judged")
    judged.get_by_text("The board has 2 support vectors.").wait_for()
    board.grab(3, 2).pull(1.5, 2)
    judged.get_by_text("The goal is reached.").wait_for()  # before the point is dropped
    board.drop()
    judged.get_by_text("★★").wait_for()
    board.settle()
    page.get_by_role("button", name="All tasks").click()
    task_button = page.locator(".st-key-task_three-support-vectors button")
    task_button.wait_for()
    board.until(lambda: "solved" in task_button.evaluate("b => getComputedStyle(b, '::after').content"), "the mark")
    page.locator(".st-key-task_margin-width button").focus()
    page.keyboard.press("Enter")
    page.locator(".st-key-answer input").wait_for()
    board.until(lambda: "step=margin-width-1-" in page.url, "the seed in the address")
    name = page.url.partition("step=")[2].partition("&")[0]
    page.locator(".st-key-answer input").focus()
    page.keyboard.type(repr(tasks.task_of(name).question.answer.fields[0].value).replace(".", ","))
    page.keyboard.press("Enter")
    page.locator(".st-key-verdict").get_by_text("is right.").wait_for()
    page.get_by_role("button", name="All tasks").click()
    task_button = page.locator(".st-key-task_margin-width button")
    board.until(lambda: "1 of 3" in task_button.evaluate("b => getComputedStyle(b, '::after').content"), "one part")
    page.get_by_text("Solved", exact=True).click()
    task_button.wait_for(state="hidden")
    assert page.locator(".st-key-task_three-support-vectors").is_visible()
    assert page.locator(".st-key-tasks_question").is_hidden()
    page.get_by_text("Tried", exact=True).click()
    task_button.wait_for()
    assert page.locator(".st-key-task_three-support-vectors").is_hidden()


def test_an_answer_is_kept_even_if_one_leaves_before_the_script_that_keeps_it_has_come(new_board):
    board, routes = new_board(), []
    board.page.route("**/svmlab.kept-*/main.js", lambda route: routes.append(route))
    board.open("/practice?step=three-support-vectors").grab(3, 2).pull(1.5, 2).drop()
    board.page.locator(".st-key-judged").get_by_text("★★").wait_for()
    board.until(lambda: routes, "the request for the script")
    board.page.get_by_role("button", name="All tasks").click()
    task_button = board.page.locator(".st-key-task_three-support-vectors button")
    task_button.wait_for()
    for route in routes:
        route.continue_()
    board.until(lambda: "solved" in task_button.evaluate("b => getComputedStyle(b, '::after').content"), "the mark")


def test_the_points_of_a_question_are_drawn_and_chosen_by_their_numbers(new_board):
    page = new_board().open("/practice?step=circle-support-vectors-1-3").page
    drawing, points = page.locator("svg.sv-points"), tasks.task_of("circle-support-vectors-1-3").question
    drawing.wait_for()
    assert drawing.bounding_box()["width"] > 250
    assert drawing.locator(".number").all_text_contents() == [str(n) for n in points.board.ids]
    for number in points.answer.right:
        page.locator(".st-key-answer").get_by_role("button", name=str(number), exact=True).click()
    page.get_by_role("button", name="Check").click()
    page.locator(".st-key-verdict").get_by_text("exactly the right points").wait_for()


def test_the_end_of_a_lesson_fits_on_one_screen_by_keyboard_with_and_without_a_board(new_board):
    names = ("circle-support-vectors-3-5", "kkt-box-3-5", "alpha-after-move-2-2", "three-support-vectors")
    picks = "&".join(f"pick.task{n}={name}" for n, name in enumerate(names, start=1))
    board = new_board().open(f"/margin?step=practice&{picks}")
    page, key = board.page, board.page.keyboard
    page.locator(".st-key-hint button").click()
    page.get_by_text("Hint 2 of 2").click()
    page.locator(".st-key-reveal button").wait_for()
    cut = "e => e.scrollHeight > e.clientHeight"
    assert not page.locator(".st-key-checked").evaluate(cut)
    assert page.locator(".sv-points").bounding_box()["x"] > page.locator(".st-key-answer").bounding_box()["x"] + 300
    page.locator(".st-key-series").get_by_role("radio").first.focus()
    for _task in names:
        key.press("ArrowRight")
    key.press("Space")
    page.locator(".st-key-result").wait_for()
    page.locator(".st-key-result").get_by_role("button", name="Exactly three support vectors").press("Enter")
    page.locator(".st-key-judged").get_by_text("The board has 2 support vectors.").wait_for()
    board.settle()
    board.grab(3, 2).pull(1.5, 2)
    page.locator(".st-key-judged").get_by_text("The goal is reached.").wait_for()  # before the point is dropped
    board.drop()
    assert not page.locator(".st-key-checked").evaluate(cut)
    page.locator(".st-key-back button").click()
    page.locator(".st-key-foot").get_by_text("Next: Check yourself").wait_for()


def test_a_mixed_practice_asks_ten_questions_and_a_wrong_answer_comes_back(new_board):
    board = new_board().open("/practice")
    page, stored = board.page, "() => JSON.parse(localStorage.getItem('svmlab.progress')).entries"
    version = str(QUESTION_TYPES["margin_width"].version)
    entries = {"practice.margin-width-1": {"right": True, "version": version, "at": 1, "box": 1, "last": 1}}
    page.evaluate("e => localStorage.setItem('svmlab.progress', JSON.stringify({version: 1, entries: e}))", entries)
    page.get_by_role("button", name="Ten mixed questions").click()
    page.locator(".st-key-series").get_by_role("radio").nth(9).wait_for()
    board.until(lambda: "margin-width-1-" in page.url, "the kind that comes back")
    names = re.findall(r"pick\.task(\d+)=margin-width-1-\d+", page.url)
    page.locator(".st-key-series").get_by_role("radio").nth(int(names[0]) - 1).click()
    field = page.locator("[class*=st-key-number0_margin-width-1-] input")
    last = 1
    for typed, box in (("1000000", 1), ("", 1)):
        field.fill(
            typed or repr(tasks.task_of(re.search(r"margin-width-1-\d+", page.url)[0]).question.answer.fields[0].value)
        )
        field.press("Enter")
        page.locator(".st-key-verdict").get_by_text("is right." if not typed else "is not right").wait_for()
        board.until(lambda last=last: page.evaluate(stored)["practice.margin-width-1"]["last"] > last, "the answer")
        last = page.evaluate(stored)["practice.margin-width-1"]["last"]
        assert page.evaluate(stored)["practice.margin-width-1"]["box"] == box, "a correction moves no box"
    answered = page.evaluate(stored)
    page.reload()
    page.locator(".st-key-verdict").get_by_text("is right.").wait_for()
    board.until(field.input_value, "the answer in its field")
    assert page.evaluate(stored) == answered, "a reload is no further answer"


@pytest.mark.sweep
@pytest.mark.parametrize("task", ["slacks-for-a-line-3-17", "only-the-kernel-separates"])
def test_a_task_with_all_its_hints_is_accessible_in_every_mode_and_a_goal_fits_on_one_screen(new_board, task):
    board = new_board().open(f"/practice?step={task}")
    for _hint in range(2):
        board.page.locator(".st-key-hint button").click()
        board.settle(frames=12)
    board.page.locator(".st-key-reveal button").wait_for()
    faults = [f"{mode}: {each}" for mode in MODES for each in serious(turned(board, mode))]
    assert "\n".join(faults) == ""
    turned(board, "light")
    if task in GOALS:
        assert board.page.locator(".st-key-sheet").evaluate("e => e.scrollHeight <= e.clientHeight")
        foot = board.page.locator(".st-key-foot").bounding_box()
        assert foot["y"] + foot["height"] <= 800


@pytest.mark.sweep
@pytest.mark.parametrize("task", ["", "slacks-for-a-line-3-17", "only-the-kernel-separates"])
def test_no_word_of_a_task_is_left_out(bracketed, new_board, task):
    page = new_board(base=bracketed.url).page
    page.goto(f"{bracketed.url}/practice{f'?step={task}' if task else ''}")
    page.locator(".st-key-tasks button" if not task else ".st-key-hint button").first.wait_for()
    for _hint in range(2 if task else 0):
        page.locator(".st-key-hint button").click()
        page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    assert forgotten(page) == ""


SERIES = "pick.task1=circle-support-vectors-3-5&pick.task2=kkt-box-3-5&pick.task3=three-support-vectors"


@pytest.mark.sweep
@pytest.mark.parametrize("place", ["/margin?step=practice", "/practice?step=mixed"])
@pytest.mark.parametrize("at", [1, 3, 4])
def test_tasks_in_a_row_are_accessible_in_every_mode_and_no_word_is_left_out(bracketed, new_board, place, at):
    board = new_board().open(f"{place}&{SERIES}&pick.open={at}&pick.judge=end")
    board.page.locator(".st-key-series").wait_for()
    assert "\n".join(f"{mode}: {each}" for mode in MODES for each in serious(turned(board, mode))) == ""
    page = new_board(base=bracketed.url).page
    page.goto(f"{bracketed.url}{place}&{SERIES}&pick.open={at}")
    page.locator(".st-key-series").wait_for()
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    assert forgotten(page) == ""
