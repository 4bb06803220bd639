"""The plans in docs/ last 90 minutes, and every stop opens what it names."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab import frame, plan
from svmlab.lab.plan.plan import Plan, Stop, read_plan, text_of_plan
from svmlab.lab.practice.tasks import task_of
from svmlab.lab.session import link
from svmlab.practice import GOALS
from tests.corpus.opening import LESSON_OF

ROOT = Path(__file__).parents[2]
PATHS = {frame.url_path(name): name for name in frame.PAGES}
FILES = sorted((ROOT / "docs/plans").glob("*.md"))
PLANS = {path.stem: read_plan(path.read_text(encoding="utf-8"), PATHS) for path in FILES}


def named(stop: Stop) -> str:
    """What the page of a stop is called: its step, or its task."""
    place, notes = link.parse_query(stop.query, stop.page)
    assert notes == []
    if stop.page == "practice":
        assert task_of(place.step) is GOALS[place.step]
        return f"Task: {GOALS[place.step].title}".lower()
    if stop.page not in LESSON_OF:
        return stop.title.lower()
    return str(next(step.title for step in LESSON_OF[stop.page].steps if step.key == place.step)).lower()


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_lasts_90_minutes_asks_and_ends_in_a_task(name):
    made = PLANS[name]
    assert made.minutes == 90
    assert all(stop.minutes and stop.notes for stop in made.stops)
    assert made.stops[-1].page == "practice"
    assert sum("Ask:" in stop.notes or "Aloud" in stop.notes for stop in made.stops) >= len(made.stops) - 1
    assert [stop.title.lower() for stop in made.stops] == [named(stop) for stop in made.stops]
    assert text_of_plan(made) == (ROOT / f"docs/plans/{name}.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_walked_without_a_message_of_error(name):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.switch_page("pages/lab.py").run()
    made: Plan = PLANS[name]
    app.session_state[plan.KEPT].change(made)
    for at, stop in enumerate(made.stops):
        app.session_state[plan.WANTED] = at
        app.run()
        assert not app.exception, (stop.title, app.exception[0].value)
        assert [each.value for each in app.error] == [], stop.title
        session, own = app.session_state["lab"], app.session_state[plan.KEPT]
        assert (own.at, session.page) == (at, PATHS[stop.page])
        assert session.history.note is None, (stop.title, session.history.note)
        if stop.page in LESSON_OF:
            assert session.heading == stop.title
            assert not session.lessons.answers[session.step].shown
