"""A smoke run in Firefox and in WebKit: what is tried in depth in Chromium works there too."""

from contextlib import ExitStack
from urllib.parse import parse_qs, urlsplit

import pytest

from svmlab import Dataset, Problem, solve
from svmlab.lab.numbers import short
from svmlab.lab.session import share
from tests.conftest import missing
from tests.engines import CONTROL, installed, until
from tests.eyes import AT_REST, READ_DOTS, Dot

BOARD = """[...document.querySelectorAll("*")].map((e) => e.shadowRoot?.querySelector(".svmlab-board[data-rev]")).find(Boolean)"""
STATE = f"""() => {{
  const root = {BOARD}, app = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;
  const cells = [...document.querySelectorAll(".sv-figure")];
  return root && {{
    url: location.href,
    dots: ({READ_DOTS})(root),
    zero: root.querySelector(".lines .zero").getAttribute("d"),
    figures: Object.fromEntries(cells.map((c) => [c.dataset.figure, c.querySelector("b").textContent])),
    failed: document.querySelectorAll("[data-testid=stException]").length,
  }};
}}"""
PLACE = f"""(x, y) => {{
  const root = {BOARD}, b = root.querySelector("svg.plane").getBoundingClientRect(), {{ view }} = root.board.m;
  return [b.left + (x + view) / (2 * view) * b.width, b.top + (view - y) / (2 * view) * b.height];
}}"""
BUTTON = """(words) => {
  const b = [...document.querySelectorAll("button")].find((each) => each.textContent === words)?.getBoundingClientRect();
  return b && [b.left + b.width / 2, b.top + b.height / 2];
}"""
TERM = """() => getComputedStyle(document.querySelector("a[href^='glossary#']")).textDecorationStyle"""
VERDICT = """() => {
  const said = document.querySelector(".st-key-verdict")?.textContent, chart = document.querySelector(".js-plotly-plot svg");
  return said && chart && said;
}"""


@pytest.fixture(params=["firefox", "webkit"])
def engine(request, tmp_path):
    make, programs = installed(request.param)
    if not all(programs):
        missing(f"{request.param} is not installed")
    with ExitStack() as owned:
        yield make(owned, tmp_path, *programs)


class Page:
    """The board in an engine: what is there, and what one does."""

    def __init__(self, engine, base):
        self.engine, self.base = engine, base

    def open(self, where):
        self.engine.go(self.base + where)
        return self.settled()

    def settled(self, frames=12):
        until(
            lambda: self.engine.call(f"(frames) => {BOARD} && ({AT_REST})({BOARD}, frames)", frames),
            "the board at rest",
        )
        return self.engine.call(STATE)

    def mouse(self, *places, **how):
        self.engine.mouse(*(self.engine.call(PLACE, *place) for place in places), **how)

    def press(self, words):
        self.engine.mouse(until(lambda: self.engine.call(BUTTON, words), f"the button {words}"))


def machine(state):
    """What svmlab computes from the points that the page shows."""
    dots = [Dot(*row) for row in state["dots"]]
    solution = solve(Problem(Dataset([(d.x, d.y) for d in dots], [d.label for d in dots])))
    return {"margin": short(1 / solution.norm_w), "support": str(int(solution.support.sum()))}


def test_the_lab_and_a_lesson_work_in_another_browser(engine, app):
    page = Page(engine, app.url)
    before = page.open("/lab")
    page.mouse((-3, 3))
    placed = page.settled()
    assert len(placed["dots"]) == len(before["dots"]) + 1
    assert placed["dots"][-1][1:4] == [1, pytest.approx(-3, abs=0.02), pytest.approx(3, abs=0.02)]

    page.mouse((-3, 3), (-2.5, 1), (-2, 0), up=False)
    until(lambda: engine.call(STATE)["zero"] != placed["zero"], "a line that follows the drag")
    page.engine.mouse(engine.call(PLACE, -2, -1), down=False)
    dragged = page.settled()
    assert dragged["dots"][-1][2:4] == [pytest.approx(-2, abs=0.02), pytest.approx(-1, abs=0.02)]
    for state in (before, placed, dragged):
        assert state["figures"].items() >= machine(state).items()
    assert [lab.points[-1].y / 1000 for lab in links(placed, dragged)] == [
        placed["dots"][-1][3],
        dragged["dots"][-1][3],
    ]

    engine.chord(CONTROL, "z")
    undone = page.settled()
    assert undone["dots"] == placed["dots"]
    assert (undone["zero"], undone["figures"]) == (placed["zero"], placed["figures"])
    again = page.open(undone["url"].removeprefix(app.url))
    assert [row[1:] for row in again["dots"]] == [row[1:] for row in undone["dots"]]
    assert (again["zero"], again["figures"]) == (undone["zero"], undone["figures"])

    page.open("/margin?step=scaling")
    page.press("Show")
    said = until(lambda: engine.call(VERDICT), "the verdict and its chart")
    shown = page.settled()
    assert "shown=1" in shown["url"]
    assert engine.call(TERM) == "dotted", "a term is told from a link"
    page.open(shown["url"].removeprefix(app.url))
    assert until(lambda: engine.call(VERDICT), "the verdict again") == said
    assert not engine.complaints


def links(*states):
    return [share.decode(parse_qs(urlsplit(state["url"]).query)["s"][0]) for state in states]
