"""A board that needs too much work is not waited for: the page says so, and solves it anyway where that is asked."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab.core.errors import TooMuchWork
from svmlab.lab.board import drag_socket
from svmlab.lab.session import cache, inbox, share
from svmlab.lab.session.cache import solve_task_within_limit, solve_within_limit, solve_without_limit
from svmlab.lab.session.lab import Lab, Point

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.filterwarnings("ignore::svmlab.NotExact")  # rounding leaves the answer of HARD unproven


def random_board(m, **settings):
    rng = np.random.default_rng(0)
    places = zip(rng.integers(-4000, 4000, (m, 2)).tolist(), rng.choice([1, -1], m).tolist(), strict=True)
    points = tuple(Point(i + 1, x, y, label) for i, ((x, y), label) in enumerate(places))
    return replace(Lab(), points=points, **settings)


HARD = random_board(60, kernel="polynomial", degree=5, value=1e6)
# 300 random points, which need 3.6e9 operations and then have no solution that can be trusted.
HOPELESS = random_board(300, kernel="polynomial", degree=8, value=1e6)


def test_a_board_that_would_keep_the_server_busy_is_given_up():
    outcome = solve_within_limit(HOPELESS.problem, None)
    assert isinstance(outcome.error, TooMuchWork)
    assert str(outcome.error) == cache.TOO_MUCH.format(n=cache.MAX_OPERATIONS / 1e6)


@pytest.mark.parametrize("kernel", ["linear", "gaussian", "sigmoid"])
def test_random_boards_of_300_points_with_other_kernels_are_solved_at_once(kernel):
    assert not isinstance(
        solve_within_limit(random_board(300, kernel=kernel, value=1e3).problem, None).error, TooMuchWork
    )


def test_without_the_limit_the_same_board_is_solved_and_its_work_is_told(monkeypatch):
    monkeypatch.setattr(cache, "MAX_OPERATIONS", 1000.0)
    work_reports = []
    assert isinstance(solve_within_limit(HARD.problem, None).error, TooMuchWork)
    solved = solve_without_limit(HARD, work_reports.append)
    assert solved.solution is not None
    assert sum(work_reports) > cache.MAX_OPERATIONS


@pytest.mark.parametrize("task", ["classes", "values"])
def test_the_other_tasks_are_bounded_too(task, monkeypatch):
    lab = replace(HARD, task=task, points=tuple(p._replace(label=1) for p in HARD.points))
    lab = lab if task == "values" else replace(lab, points=tuple(p._replace(label=p.id % 3 + 1) for p in lab.points))
    monkeypatch.setattr(cache, "MAX_OPERATIONS", 1000.0)
    assert isinstance(solve_task_within_limit(lab, None).error, TooMuchWork)
    assert not isinstance(solve_without_limit(lab, lambda operations: None).error, TooMuchWork)


def test_a_picture_of_a_drag_is_bounded_too():
    request = f'{{"share": "{share.encode(HOPELESS)}", "ops": []}}'
    assert cache.TOO_MUCH.split("{n")[0] in drag_socket.draw(request, None)[0].replace("\\u201c", "“")


@pytest.mark.parametrize("page", ["lab", "home", "statements"])
def test_the_page_offers_to_solve_it_anyway_and_then_shows_the_solution(page, monkeypatch):
    monkeypatch.setattr(cache, "MAX_OPERATIONS", 1000.0)
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page(f"pages/{page}.py").run()
    assert "anyway" not in [button.key for button in at.button], "most boards are solved at once"
    session = at.session_state["lab"]
    inbox.do(session, {"op": "load", "lab": HARD})
    at.run()
    assert isinstance(session.outcome.error, TooMuchWork)
    at.button(key="anyway").click().run()
    if session.job is not None:
        assert session.job.wait(60)
        if session.outcome.solution is None:  # no browser asks for the progress here
            session.cache.store_outcome(HARD, session.job.result)
            at.run()
    assert session.outcome.solution is not None
    assert "anyway" not in [button.key for button in at.button]
    assert not at.exception


def test_a_cache_keeps_its_newest_results_wherever_they_were_computed():
    results, outcome = cache.Cache(), cache.Result(None, None)
    boards = [random_board(m) for m in range(1, cache.KEEP + 4)]
    for board in boards:
        results.store_outcome(board, outcome)
    assert [results.known_outcome(board) for board in boards] == [None] * 3 + [outcome] * cache.KEEP
