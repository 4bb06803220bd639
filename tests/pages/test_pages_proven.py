"""An answer that is not proven is marked wherever the app shows it."""

from dataclasses import replace
from pathlib import Path

from streamlit.testing.v1 import AppTest

from svmlab import solve
from svmlab.lab.bench import panel
from svmlab.lab.board import board_message
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.state import initial_history

ROOT = Path(__file__).parents[2]
UNPROVEN = board_message.UNPROVEN.split("{")[0]


def beside_the_optimum(problem):
    solution = solve(problem)
    return replace(solution, alpha=solution.alpha * (1 + 1e-6))


def test_board_and_figures_mark_what_is_not_proven_and_nothing_else():
    history = initial_history()
    proven, beside = solve(history.present.problem), beside_the_optimum(history.present.problem)
    assert board_message.message(history, Outcome(proven, None)) is None
    assert UNPROVEN in board_message.message(history, Outcome(beside, None))["text"]
    assert panel.NOT_PROVEN not in panel.figures(history.present, proven)
    assert panel.NOT_PROVEN in panel.figures(history.present, beside)


def test_the_certificate_marks_it():
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page("pages/lab.py").run()
    problem = at.session_state["lab"].lab.problem
    at.session_state["lab"].cache.entries["outcome", problem.key] = Outcome(beside_the_optimum(problem), None)
    at.segmented_control(key="tab").set_value("certificate").run()
    assert not at.exception
    assert any(UNPROVEN in warning.value for warning in at.warning)
