"""Points never seen: where they come from, what the board and the figures say of them, and the map of their errors."""

import json
import math
import re
from dataclasses import replace

import pytest

from svmlab import DATASETS, solve
from svmlab.data import fresh_points as draws
from svmlab.generalisation import error_map
from svmlab.generalisation.sources import blobs_with_flipped_labels
from svmlab.kernels.standard import KERNELS
from svmlab.lab.bench import compare as bench
from svmlab.lab.bench import held_out_words, panel
from svmlab.lab.bench.tabs import errors
from svmlab.lab.bench.tabs import errors as tab
from svmlab.lab.board import board_data, drag_socket
from svmlab.lab.board.board_picture import Additions
from svmlab.lab.session import compare, held_out, inbox, link, share
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.point_source import with_sample
from svmlab.lab.session.state import History, apply
from svmlab.lab.session.tab import Session
from svmlab.plot.palette import DARK, LIGHT
from tests.pages.test_pages_app import sound, start

MOONS = with_preset(replace(Lab(), preset="moons", size=30, noise=0.3, kernel="gaussian", unseen=True))
OWN = replace(MOONS, points=tuple(p._replace(x=p.x + 11) for p in MOONS.points))
HARD = with_preset(replace(Lab(), size=30, noise=0.4, hard=True, unseen=True))
PAIR = Additions(second=True)


def moved(lab, n):
    """The first n points a little aside."""
    return replace(lab, points=(*(p._replace(x=p.x + 50) for p in lab.points[:n]), *lab.points[n:]))


def asked(lab, **more):
    points = [[p.id, p.x / 1000, p.y / 1000, p.label] for p in lab.points]
    return json.dumps({"share": share.encode(lab), "ops": [{"op": "points", "points": points}]} | more)


def on_board(lab, page="lab"):
    """What the page's board shows, as it goes over the wire."""
    session = Session(History(lab, before_drag=lab, touched=True), page=page)
    return json.loads(json.dumps(board_data(session, added=Additions(test_points=True))))


# ---------------------------------------------------------------- the switch


def test_the_switch_is_off_at_first_one_step_of_undo_and_part_of_the_link():
    assert Lab().unseen is CONTROLS["unseen"].default is False
    on = apply(History(Lab()), {"op": "set", "values": {"unseen": True}})
    assert on.present.unseen
    assert share.decode(share.encode(on.present)).unseen
    assert not apply(on, {"op": "undo"}).present.unseen


# ---------------------------------------------------------------- where they come from


@pytest.mark.parametrize("name", DATASETS)
def test_a_sample_of_a_population_has_others_and_a_board_without_one_has_none(name):
    lab = with_preset(replace(Lab(), preset=name, noise=0.2))
    test_set = held_out.test_points(lab)
    if DATASETS[name].population:
        assert test_set.X.tolist() == draws(name, held_out.N_TEST_POINTS, 0.2).X.tolist()
    else:
        assert test_set is None


def test_moving_some_points_keeps_the_population_and_a_link_too():
    for n in (1, 15):
        assert held_out.test_points(moved(MOONS, n)) is held_out.test_points(MOONS)
        assert held_out.test_points(share.decode(share.encode(moved(MOONS, n)))) is held_out.test_points(MOONS)
    assert held_out.test_points(moved(MOONS, 16)) is None


def test_points_of_one_s_own_have_none():
    more = tuple(Point(1000 + i, 10 * i, 0, 1) for i in range(len(MOONS.points) + 1))
    assert held_out.test_points(replace(MOONS, points=(*MOONS.points, *more[1:]))) is not None
    assert held_out.test_points(replace(MOONS, points=(*MOONS.points, *more))) is None
    assert held_out.test_points(replace(MOONS, points=())) is None
    turned = tuple(p._replace(label=-p.label) for p in MOONS.points)
    assert held_out.test_points(replace(MOONS, points=turned)) is None


# ---------------------------------------------------------------- the board


def test_fresh_points_lie_on_the_board_and_those_that_go_wrong_are_told_apart():
    drawn = on_board(MOONS)["overlay"]
    solution, other = solve(MOONS.problem), held_out.test_points(MOONS)
    wrong = other.y * solution.decision(other.X) <= 0
    assert 0 < wrong.sum() < 200
    missed = [item for item in drawn if item["style"].endswith("missed")]
    assert {(item["kind"], item["style"].split()[1]) for item in drawn} == {("dots", "plus"), ("boxes", "minus")}
    assert sum(len(item["pts"]) for item in drawn) == 2 * held_out.N_TEST_POINTS
    assert sum(len(item["pts"]) for item in missed) == 2 * wrong.sum()
    assert missed[0]["pts"] == other.X[wrong & (other.y > 0)].ravel().tolist()


def test_own_points_that_go_wrong_without_their_fold_are_ringed():
    data = on_board(OWN)
    estimate = held_out.compute_held_out(OWN, solve(OWN.problem))
    assert data["overlay"] == []
    assert data["witness"] == {"ids": OWN.data.ids[estimate.errors].tolist(), "at": None, "segments": []}
    assert data["witness"]["ids"]


@pytest.mark.parametrize("lab", [MOONS, OWN, HARD, replace(MOONS, points=()), replace(MOONS, points=MOONS.points[:1])])
@pytest.mark.parametrize("on", [True, False])
def test_a_drag_shows_what_the_page_shows(lab, on):
    lab = replace(moved(lab, 3), unseen=on)
    data = on_board(lab)
    drawn = json.loads(drag_socket.draw(asked(lab), None)[0])
    assert drawn == {name: data[name] for name in drawn}
    assert ("overlay" in drawn) == on


def test_an_unsolvable_board_keeps_its_proof():
    data = on_board(HARD)
    assert data["overlay"] == []
    assert data["witness"]["segments"]


def test_a_second_board_shows_its_own_errors_live_too():
    two = compare.with_second(MOONS, replace(MOONS, kernel="linear"))
    session = Session(History(two, before_drag=two, touched=True))
    page, drawn = board_data(session, added=PAIR), json.loads(drag_socket.draw(asked(two, second=True), None)[0])
    assert drawn["second"]["overlay"] == json.loads(json.dumps(page["second"]["overlay"]))
    assert drawn["second"]["overlay"] != drawn["overlay"]


def test_a_lesson_draws_what_it_says():
    session = Session(History(MOONS), page="margin")
    assert "overlay" not in json.loads(drag_socket.draw(asked(MOONS), None, session)[0])
    assert "overlay" not in board_data(session)


# ---------------------------------------------------------------- figures and words


def test_the_error_stands_beside_the_training_error_with_how_many_and_how_sure():
    solution = solve(MOONS.problem)
    estimate = held_out.compute_held_out(MOONS, solution)
    html = panel.figures(MOONS, solution, None, (estimate, None))
    assert re.findall(r'data-figure="(\w+)"', html) == ["margin", "support", "errors", "unseen", "slack", "gap"]
    cells = {key: (value, exact, below) for key, value, exact, _where, below in panel.cells(solution, True, estimate)}
    wrong = int(estimate.errors.sum())
    assert cells["unseen"][0] == held_out_words.percent(wrong / 400)
    assert f"{wrong} of 400" in cells["unseen"][1]
    assert held_out_words.percent(estimate.error.standard_error, 2) in cells["unseen"][1]
    assert "test points" in cells["unseen"][2]
    share_ = int(cells["errors"][0]) / 30
    assert cells["errors"][2] == f"{held_out_words.percent(share_)} of 30"
    off = panel.figures(replace(MOONS, unseen=False), solution)
    assert "unseen" not in off
    assert 'data-figure="width"' in off


def test_words_say_which_points_they_are_and_why():
    def said(lab):
        outcome = Session(History(lab)).solve(lab) if lab.points else None
        return held_out_words.explanation(lab, held_out.compute_held_out(lab, outcome.solution if outcome else None))

    assert "of “Moons”, whose distribution is known" in said(MOONS)
    assert "The distribution of your points is not known" in said(OWN)
    assert "with 5 <a" in said(OWN)
    lattice = with_preset(replace(Lab(), preset="lattice", unseen=True))
    assert "“Lattice” has no distribution" in said(lattice)
    assert "fewer than two points" in said(replace(MOONS, points=MOONS.points[:1]))
    assert said(HARD) == said(replace(MOONS, unseen=False)) == ""


@pytest.mark.parametrize(
    ("eta", "source"), [(0.3, "two round blobs, 30\u202f% of their labels flipped"), (0.0, "two round blobs")]
)
def test_a_draw_of_the_lesson_s_blobs_is_told_as_such(eta, source):
    lab = with_sample(Lab(unseen=True), blobs_with_flipped_labels(eta), 30, 2)
    opened = share.decode(share.encode(lab))
    plain = re.sub(
        "<[^>]*>", "", held_out_words.explanation(opened, held_out.compute_held_out(opened, solve(opened.problem)))
    )
    assert f"400 test points of {source}, whose distribution is known" in plain


def test_without_an_svm_or_points_the_figure_is_a_dash():
    solution = solve(replace(MOONS, points=MOONS.points[:1]).problem)
    assert held_out_words.cell(held_out.compute_held_out(replace(MOONS, points=MOONS.points[:1]), solution))[1] == "–"


def test_two_svms_are_compared_on_the_same_points():
    two = compare.with_second(MOONS, replace(MOONS, kernel="linear"))
    outcomes = tuple(Session(History(two)).solve(lab) for lab in (two, two.second_lab))
    estimates = tuple(
        held_out.compute_held_out(lab, o.solution) for lab, o in zip((two, two.second_lab), outcomes, strict=True)
    )
    table = bench.figures(two, outcomes, estimates)
    exact = dict(
        zip(bench.figure_names(two), bench.differences(*(o.solution for o in outcomes), estimates), strict=True)
    )
    assert float(exact["unseen"][1]) == estimates[1].error.value - estimates[0].error.value
    assert table.count("data-figure='unseen'") == 4
    assert "unseen" not in bench.figures(replace(two, unseen=False), outcomes)


def test_what_was_held_out_is_kept_for_the_svm():
    session = Session(History(MOONS))
    estimates = [held_out.cached_held_out(session.cache, MOONS, session.outcome.solution) for _ in range(2)]
    assert estimates[0] is estimates[1]
    assert held_out.cached_held_out(session.cache, replace(MOONS, unseen=False), session.outcome.solution) is None


# ---------------------------------------------------------------- the map


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("face", ["C", "lambda"])
def test_a_place_of_the_map_sets_what_it_shows(kernel, face):
    lab = replace(MOONS, kernel=kernel, face=face, hard=True)
    compared = errors.compared_classifiers(lab)
    costs = compared.C_values(lab.data.m)
    assert costs == sorted(costs)
    for i, j in ((0, 0), (len(compared.values) - 1, len(costs) - 1)):
        after = apply(History(lab), {"op": "set", "values": compared.settings(i, j)}).present
        assert pytest.approx(costs[j]) == after.problem.C
        assert after.kernel_function == compared.kernels[i]
    slid = [p for p in lab.kernel_function.parameters if p.slider]
    assert (len(compared.values) > 1) == bool(
        slid or any(getattr(p, "whole", False) for p in lab.kernel_function.parameters)
    )


def test_the_map_depends_on_points_kernel_and_bias_and_not_on_where_the_board_stands():
    def key(lab):
        return errors.map_key(lab, errors.compared_classifiers(lab))

    for same in ({"value": 7.0}, {"sigma": 0.3}, {"hard": True}, {"view": 6.0}, {"unseen": False}):
        assert key(replace(MOONS, **same)) == key(MOONS)
    for other in ({"kernel": "linear"}, {"bias": False}, {"face": "lambda"}, {"points": OWN.points}):
        assert key(replace(MOONS, **other)) != key(MOONS)
    curved = replace(MOONS, kernel="polynomial")
    assert key(replace(curved, degree=5)) == key(curved) != key(replace(curved, coef0=0.5))


@pytest.mark.parametrize("hard", [False, True])
def test_the_map_keeps_the_costs_of_the_classes(hard):
    costly = replace(OWN, cost_plus=20.0, hard=hard)
    compared = errors.compared_classifiers(costly)
    assert errors.map_key(costly, compared) != errors.map_key(OWN, errors.compared_classifiers(OWN))
    few = replace(
        compared,
        regularisation_values=compared.regularisation_values[5:6],
        values=compared.values[3:4],
        kernels=compared.kernels[3:4],
    )
    grid_errors = errors.map_computation(costly, few)(lambda _done: None)
    after = apply(History(costly), {"op": "set", "values": few.settings(0, 0)}).present
    there = held_out.compute_held_out(after, solve(after.problem))
    assert grid_errors.error[0, 0] == there.error.value
    even = errors.map_computation(OWN, few)(lambda _done: None)
    assert grid_errors.train[0, 0] != even.train[0, 0]


def small(lab):
    """A map of four machines, as the tab draws it."""
    compared = errors.compared_classifiers(lab)
    few = replace(
        compared,
        regularisation_values=compared.regularisation_values[5:8:2],
        values=compared.values[2:5:2],
        kernels=compared.kernels[2:5:2] or compared.kernels,
    )
    few = few if compared.parameter else replace(few, values=compared.values)
    return few, error_map(lab.problem, few.kernels, few.C_values(lab.data.m), held_out.test_points(lab))


@pytest.mark.parametrize("lab", [MOONS, replace(MOONS, kernel="polynomial", hard=True), replace(OWN, kernel="linear")])
@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_map_marks_the_least_place_and_the_present_one_and_tells_values(lab, palette):
    compared, grid_errors = small(lab)
    session = Session(History(lab))
    figure = tab.figure(lab, compared, grid_errors, tab.current_error(session, lab), palette)
    traces = {trace.name: trace for trace in figure.data}
    places = traces["places"]
    assert list(places.customdata) == list(range(grid_errors.error.size))
    i, j = grid_errors.best_cell
    cell_text = places.text[i * len(compared.regularisation_values) + j]
    assert held_out_words.percent(grid_errors.error[i, j]) in cell_text
    assert tab.settings_text(compared, i, j) in cell_text
    smallest = next(trace for name, trace in traces.items() if name.startswith("smallest"))
    assert smallest.x[0] == pytest.approx(math.log10(compared.regularisation_values[j]))
    current = next(trace for name, trace in traces.items() if name.startswith("board"))
    low, high = figure.layout.xaxis.range
    assert current.x[0] == (high if lab.hard else pytest.approx(min(max(math.log10(lab.value), low), high)))


def test_the_map_shows_balanced_errors_where_a_link_says_so_and_names_the_constant_classifier():
    rare = replace(OWN, points=tuple(p._replace(label=1 if i % 15 else -1) for i, p in enumerate(OWN.points)))
    compared, grid_errors = small(rare)
    session = Session(History(rare), page="lab")
    assert not tab.is_balanced(session)
    link.restore(session, "pick.balanced=true")
    assert tab.is_balanced(session)
    assert "pick.balanced=true" in link.query_string(link.location_of(session))
    plain = tab.explanation(rare, compared, grid_errors, tab.current_error(session, rare))
    balanced = tab.explanation(rare, compared, grid_errors.balanced, tab.current_error(session, rare, True), True)
    assert plain[0].startswith("**Smallest test error:** 6.67\u202f%")
    assert "larger class has a test error of 6.67\u202f%. No classifier of the map is better." in plain[1]
    assert balanced[0].startswith("**Smallest balanced error:** 50\u202f%")
    assert balanced[1].startswith("**Every constant classifier** has a balanced error of 50\u202f%.")
    assert not any("constant" in line for line in tab.explanation(MOONS, *small(MOONS), None))
    drawn = tab.figure(rare, compared, grid_errors.balanced, tab.current_error(session, rare, True), LIGHT, True)
    assert any("balanced error 50" in text for text in next(t for t in drawn.data if t.name == "places").text)


def test_words_beside_the_map_say_where_it_is_least_and_what_is_chosen():
    compared, grid_errors = small(MOONS)
    session = Session(History(MOONS))
    said = tab.explanation(MOONS, compared, grid_errors, tab.current_error(session, MOONS))
    assert tab.settings_text(compared, *grid_errors.best_cell) in said[0]
    assert "same 400 test points" in said[1]
    assert "the smallest of 4 errors" in said[-1]
    tied = tab.explanation(MOONS, compared, replace(grid_errors, error=0 * grid_errors.error), None)
    assert "4 of the 4 classifiers have it" in tied[0]
    compared, grid_errors = small(replace(OWN, kernel="linear"))
    assert "no width and no degree" in tab.explanation(OWN, compared, grid_errors, None)[1]
    assert tab.COUNTED[False] not in tab.explanation(OWN, compared, grid_errors, None)
    for hard in (False, True):
        assert tab.COUNTED[False] in tab.explanation(
            replace(OWN, cost_plus=3.0, hard=hard), compared, grid_errors, None
        )


def test_the_switch_on_the_page_and_the_map_behind_its_tab():
    at = start(share.encode(replace(MOONS, unseen=False)))
    assert "400 test points" not in str([block.proto for block in at.get("html")])
    sound(at.toggle(key="unseen").set_value(True).run())
    assert at.session_state["lab"].lab.unseen
    assert "400 test points" in str([block.proto for block in at.get("html")])
    sound(at.segmented_control(key="tab").set_value("errors").run())
    at.session_state["lab"].job.wait(60)
    sound(at.run())
    assert at.get("plotly_chart")
    assert any("Smallest test error" in block.value for block in at.markdown)
    inbox.do(at.session_state["lab"], {"op": "delete", "ids": [p.id for p in MOONS.points[1:]]})
    sound(at.run())
    assert not at.get("plotly_chart")
    sound(at.toggle(key="unseen").set_value(False).run())
    assert not at.session_state["lab"].lab.unseen


def test_while_points_move_the_map_of_the_old_ones_is_not_shown():
    at = start(share.encode(MOONS))
    sound(at.segmented_control(key="tab").set_value("errors").run())
    at.session_state["lab"].job.wait(60)
    sound(at.run())
    assert at.get("plotly_chart")
    session = at.session_state["lab"]
    point = session.lab.points[0]
    move = {"op": "move", "id": point.id, "x": 1.0, "y": 1.0}
    inbox.do(session, move | {"live": True})
    sound(at.run())
    assert not at.get("plotly_chart")
    inbox.do(session, {"op": "undo"})
    sound(at.run())
    assert at.get("plotly_chart"), "kept for the points"


def test_a_scrubbed_price_leaves_the_map():
    at = start(share.encode(MOONS))
    sound(at.segmented_control(key="tab").set_value("errors").run())
    at.session_state["lab"].job.wait(60)
    sound(at.run())
    inbox.do(at.session_state["lab"], {"op": "set", "values": {"value": 30.0}, "live": True})
    sound(at.run())
    assert at.get("plotly_chart")
