"""What a link hides is revealed nowhere: by no tab, caption, file name, figure, message or number, and by no slider."""

import base64
import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab.bench import panel
from svmlab.lab.bench.tabs import TABS, reveals_hidden
from svmlab.lab.bench.tasks.inspector import inspector as inspector_of_task
from svmlab.lab.board import board_data
from svmlab.lab.board.board_message import message
from svmlab.lab.board.board_picture import Additions
from svmlab.lab.board.caption import caption
from svmlab.lab.board.hidden_parts import without_hidden
from svmlab.lab.session import compare, inbox, link, share
from svmlab.lab.session.cache import Cache, Outcome
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.tab import LinkState, Session
from svmlab.lab.teach.boards import board_of_points
from tests.corpus.hiding import APP, _parts
from tests.corpus.opening import LESSON_OF, opened

BOTH = ("kernel", "price")
MIXED = [(-2, 1.5, 1), (-1, 2, 1), (2, -1.5, -1), (1, -2, -1), (0.75, -0.5, 1), (-0.25, 0.125, -1)]
GAUSSIAN = board_of_points(MIXED, kernel="gaussian", sigma=0.7654, value=0.1234)()
LINEAR = board_of_points(MIXED, value=0.1234)()
REVEALING = ("aussian", "inear", "0.7654", "0.1234", "σ", "λ", "1.351", "feature space")
PAIR = Additions(second=True)


def session_of(lab: Lab, hide: str = "kernel,price") -> Session:
    return opened(f"/lab?hide={hide}&s={share.encode(lab)}").session


def revealed(text: str) -> list[str]:
    return [word for word in REVEALING if re.search(rf"(?<![\d.]){re.escape(word)}(?!\d)", text)]


@pytest.mark.parametrize("lab", [GAUSSIAN, LINEAR, replace(GAUSSIAN, hard=True), replace(LINEAR, face="lambda")])
def test_the_figures_and_every_selected_point_reveal_neither_kernel_nor_C(lab):
    session = session_of(lab)
    for point in session.lab.points:
        shown = replace(session.lab, selected=point.id)
        solution = session.solve(shown).solution
        if solution is None:
            continue
        words = panel.figures(shown, solution, hidden=BOTH) + panel.formula(shown, solution, BOTH)
        assert not revealed(words + panel.inspector(shown, solution, BOTH))


def test_without_hiding_the_same_figures_do_reveal_them():
    session = session_of(GAUSSIAN)
    lab = replace(session.lab, selected=5)
    solution = session.solve(lab).solution
    assert {"λ", "0.1234"} <= set(revealed(panel.formula(lab, solution) + panel.inspector(lab, solution)))


def test_the_data_of_the_board_reveal_neither_of_them():
    data = board_data(session_of(GAUSSIAN)) | {"share": "", "address": ""}
    assert data["sliders"] == []
    assert not revealed(json.dumps(data, ensure_ascii=False))
    assert data["caption"]["name"] == "svmlab"
    assert revealed(json.dumps(board_data(session_of(GAUSSIAN, "bias")), ensure_ascii=False))


def test_two_boards_reveal_neither_of_them():
    pair = compare.with_second(GAUSSIAN, replace(LINEAR, value=0.7654))
    data = board_data(session_of(pair), added=PAIR)
    assert data["sliders"] == data["second"]["sliders"] == []
    assert not revealed(json.dumps(data, ensure_ascii=False))


def test_an_alpha_at_its_bound_is_shown_as_C():
    marks = {"state": ["full", "none", "free"], "bound": "C", "values": [["1", "0", "0.1234", ""], ["2", "0", "0", ""]]}
    marks["values"].append(["1", "0", "0.05", ""])
    shown = without_hidden({"marks": marks}, ("price",))["marks"]["values"]
    assert [row[2] for row in shown] == ["C", "0", "0.05"]
    assert without_hidden({"marks": marks}, ("kernel",))["marks"] is marks


@pytest.mark.parametrize(
    ("hidden", "kept"),
    [
        ((), TABS),
        (("data",), TABS),
        (("kernel",), ["points"]),
        (("price",), ["points"]),
        (("bias",), ["points", "errors"]),
    ],
)
def test_a_tab_that_would_reveal_something_is_left_out(hidden, kept):
    session = session_of(GAUSSIAN)
    session.link = LinkState(hidden=hidden)
    assert [tab for tab in TABS if not reveals_hidden(session, tab) and tab != "boards"] == [
        tab for tab in kept if tab != "boards"
    ]


def test_the_open_code_tab_is_closed_by_a_link_that_hides_the_kernel():
    for query, there in (("", True), ("&hide=price", False)):
        at = AppTest.from_file(str(APP), default_timeout=60)
        for name, value in (("s", share.encode(GAUSSIAN)), ("tab", "code"), *([("hide", "price")] if query else [])):
            at.query_params[name] = value
        at = at.switch_page("pages/lab.py").run()
        assert not at.exception
        assert bool(at.code) == there


def test_the_caption_says_what_is_not_hidden():
    solution = Cache().outcome(GAUSSIAN.problem).solution
    assert caption(GAUSSIAN, solution).name == "svmlab-gaussian-sigma-0.7654-C-0.1234"
    assert caption(GAUSSIAN, solution, hidden=("kernel",)).name == "svmlab-C-0.1234"
    assert caption(GAUSSIAN, solution, hidden=("price",)).name == "svmlab-gaussian-sigma-0.7654"
    assert caption(replace(GAUSSIAN, hard=True), None, hidden=("price",)).name == "svmlab-gaussian-sigma-0.7654"


@pytest.mark.parametrize("page", ["extensions"])
def test_a_point_of_another_task_does_not_reveal_C(page):
    n_revealed = 0
    for step in LESSON_OF[page].steps:
        lab = replace(step.board(), value=0.1234)
        outcome = Cache().task_outcome(lab)
        if lab.task == "binary" or outcome.solution is None:
            continue
        for point in lab.points:
            selected = replace(lab, selected=point.id)
            n_revealed += "0.1234" in revealed(inspector_of_task(selected, outcome.solution))
            assert "0.1234" not in revealed(inspector_of_task(selected, outcome.solution, ("price",)))
    assert n_revealed


def sliders_in_lesson(link_: str) -> list[str]:
    path, _mark, query = link_.partition("?")
    at = AppTest.from_file(str(APP), default_timeout=60)
    for part in query.split("&"):
        at.query_params[part.split("=")[0]] = part.split("=")[1]
    at = at.switch_page(f"pages{path}.py").run()
    return [part for part in _parts(at._tree) if part.startswith("slider ")]


@pytest.mark.parametrize(
    ("where", "hide", "gone"),
    [
        ("/soft?step=walk&shown=1", "price", "slider value"),
        ("/kernels?step=series&shown=1", "kernel", "slider sigma"),
        ("/kernels?step=similarity&shown=1", "kernel", "slider sigma"),
        ("/losses?step=down&shown=1", "price", "slider value"),
    ],
)
def test_a_lesson_hides_also_the_sliders_that_a_step_draws(where, hide, gone):
    assert gone in sliders_in_lesson(where)
    assert gone not in sliders_in_lesson(f"{where}&hide={hide}")


def numbers_in(value: Any) -> Iterator[float]:
    """Every number of a picture, of plotly's packed tables too."""
    if isinstance(value, dict) and "bdata" in value:
        yield from np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).astype(float).tolist()
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from () if key in PRIVATE else numbers_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, int | float):
        yield float(value)
    elif isinstance(value, str):
        yield from (float(each) for each in re.findall(r"(?<![\w.])\d+\.\d+", value))


def elements(node: Any) -> Iterator[Any]:
    for child in getattr(node, "children", {}).values():
        yield child
        yield from elements(child)


def numbers_of_page(at: AppTest) -> Iterator[tuple[str, float]]:
    """Every number that a page shows, in words and pictures, with the kind of its element."""
    for each in elements(at._tree):
        proto = getattr(each, "proto", None)
        known = getattr(proto, "spec", None) or getattr(proto, "bytes", None)
        content = [each.value] if each.type in ("markdown", "caption", "html") else json.loads(known) if known else []
        yield from ((each.type, number) for number in numbers_in(content))


PRIVATE = (
    "share",
    "address",
    "began",
    "history",
    "template",
)  # what the address bar holds, and the colours of all charts
SECRET = 0.1237  # a C that no text and no picture has by chance
OWN = {
    "linear": board_of_points(MIXED, value=SECRET)(),
    "gaussian": board_of_points(MIXED, kernel="gaussian", sigma=0.7653, value=SECRET)(),
}


def secrets(lab: Lab) -> tuple[float, ...]:
    return SECRET, 1 / (SECRET * len(lab.points)), lab.sigma


def shown_numbers(path: str, lab: Lab, query: dict[str, str]) -> list[tuple[str, float]]:
    """The numbers that a page shows when the visitor has this board."""
    at = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in ({"s": share.encode(lab)} | query).items():
        at.query_params[name] = value
    at = at.switch_page(f"pages/{path}.py").run()
    session = at.session_state["lab"]
    while session.job is not None and session.job.running:
        session.job.wait(60)
        at.run()
    assert not at.exception, at.exception[0].value
    return list(numbers_of_page(at))


def parameter_numbers(path: str, lab: Lab, **query: str) -> list[tuple[str, float]]:
    """The numbers of a page that are C, λ or σ of the visitor's board, to four digits or more.

    A number that is also there with another C and σ does not come from them: it equals one of them by chance.
    """
    close = {each for value in secrets(lab)[: 2 + (lab.kernel == "gaussian")] for each in (value, math.log10(value))}
    hits = [
        (kind, n)
        for kind, n in shown_numbers(path, lab, query)
        if any(abs(n - each) < 5e-5 * abs(each) for each in close)
    ]
    by_chance = shown_numbers(path, replace(lab, value=2 * lab.value, sigma=2 * lab.sigma), query) if hits else []
    return [hit for hit in hits if hit not in by_chance]


TELLING = ("duality.sum", "soft.objective", "losses.balls", "pegasos.convergence", "pegasos.kernel", "extensions.edge")


def how_often(name: str) -> tuple[pytest.MarkDecorator, ...]:
    """How often a step is tried."""
    return () if name in TELLING[:2] else (pytest.mark.slow if name in TELLING[2:4] else pytest.mark.sweep,)


@pytest.mark.parametrize(
    ("page", "step"),
    [
        pytest.param(page, step.key, marks=how_often(f"{page}.{step.key}"))
        for page, lesson in LESSON_OF.items()
        for step in lesson.steps
    ],
)
def test_no_step_of_a_lesson_tells_the_hidden_C_or_kernel_of_the_visitors_board(page, step):
    for lab in OWN.values():
        for shown in ({}, {"shown": "1"}):
            assert parameter_numbers(page, lab, step=step, hide="kernel,price", exam="1", **shown) == []
    if f"{page}.{step}" in TELLING:
        assert any(parameter_numbers(page, lab, step=step, shown="1") for lab in OWN.values()), (
            "without hiding it is told"
        )


def test_a_step_says_why_there_is_no_answer_and_lends_a_board_that_has_one():
    at = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in {"step": "objective", "shown": "1", "hide": "price", "s": share.encode(OWN["linear"])}.items():
        at.query_params[name] = value
    at = at.switch_page("pages/soft.py").run()
    assert "The link hides settings of this board" in at.info[0].value
    at.button("objective_lend").click()
    at.run()
    assert not at.info
    assert any("**Here:**" in each.value or "**Always:**" in each.value for each in at.markdown)


def test_no_statement_is_checked_on_a_board_with_hidden_settings():
    assert any(parameter_numbers("statements", OWN["linear"], lesson="pegasos"))
    assert parameter_numbers("statements", OWN["linear"], lesson="pegasos", hide="price", exam="1") == []
    at = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in {"hide": "kernel", "s": share.encode(OWN["gaussian"])}.items():
        at.query_params[name] = value
    at = at.switch_page("pages/statements.py").run()
    assert any("no statement is checked" in each.value for each in at.caption)
    assert not any("data-tone" in each.value for each in at.markdown)
    at.button("show_all").click()
    at.run()
    assert not any("no statement is checked" in each.value for each in at.caption)


def test_an_unknown_name_is_ignored_by_itself():
    there, notes = link.parse_query("hide=price,code&lock=points,lines")
    assert (there.hide, there.lock) == (("price",), ("points",))
    assert len(notes) == 2
    assert "code" in notes[0]
    assert "lines" in notes[1]
    assert link.parse_query("hide=code")[0].hide == ()


def page_at(**query: str) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in query.items():
        at.query_params[name] = value
    return at.switch_page("pages/lab.py").run()


def test_a_page_with_hidden_parts_says_so_and_offers_to_show_all():
    at = page_at(hide="kernel,price")
    assert "Prepared view" in [each.value for each in at.markdown]
    assert "kernel" not in [each.key for each in at.selectbox]
    at.button("show_all").click()
    at.run()
    assert "kernel" in [each.key for each in at.selectbox]
    assert "hide=" not in inbox.wire_data(at.session_state["lab"])["address"]
    assert "Prepared view" not in [each.value for each in at.markdown]


@pytest.mark.parametrize(
    "query", [{"hide": "kernel", "exam": ""}, {"exam": "1", "hide": "kernel"}, {}, {"lock": "points"}]
)
def test_an_exam_and_a_page_with_nothing_hidden_say_nothing(query):
    at = page_at(**query)
    assert "Prepared view" not in [each.value for each in at.markdown]
    assert "show_all" not in [each.key for each in at.button]
    assert ("exam=1" in inbox.wire_data(at.session_state["lab"])["address"]) == ("exam" in query)


def test_a_message_does_not_name_a_hidden_kernel():
    lab = board_of_points(MIXED, kernel="sigmoid", scale=2.0, coef0=0.0)()
    session = session_of(lab)
    history = replace(session.history, present=lab)
    outcome: Outcome = session.solve(lab)
    assert "tanh is" in str(message(history, outcome))
    assert "The kernel is" in str(message(history, outcome, BOTH))
