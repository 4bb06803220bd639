"""The lesson on the margin: what its steps measure, say and remember, on a stage."""

from dataclasses import replace

import numpy as np
import pytest

from svmlab import separate
from svmlab.lab.lessons.margin.exists import BAY, EXISTS
from svmlab.lab.lessons.margin.flowers import BOARD, UNCENTRED, largest_margin
from svmlab.lab.lessons.margin.hand import HAND, centre, optimum
from svmlab.lab.lessons.margin.perceptron import MAX_MISTAKES, ORDERS, PERCEPTRON, trials
from svmlab.lab.lessons.margin.places import NEGATIVE_ON_BOUNDARY, PLACES, POSITIVE_ON_BOUNDARY, select_next
from svmlab.lab.lessons.margin.scaling import SCALING, canonical
from svmlab.lab.lessons.margin.shake import SHAKE, crossed, drawn_points
from svmlab.lab.lessons.margin.slide import SLIDE
from svmlab.lab.lessons.margin.turn import TURN, best_angle
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import boundary_line
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Step, Table
from svmlab.plane.geometry import Line
from svmlab.statements.geometry import POSITIONS as NAMES
from svmlab.statements.geometry import positions_by_margin

FLOWERS, OVERLAPPING = BOARD(), with_preset(Lab(size=30))


def on(lab: Lab = FLOWERS, shown: bool = True, **more: object) -> Stage:
    return Stage(lab, shown, **{"picks": {"margins": "one"}} | more)  # type: ignore[arg-type]


def reading(step: Step, stage: Stage, name: str) -> float:
    return float(next(r.exact for r in step.readings(stage) if r.name == name))


def test_with_s_the_functional_margin_grows_and_the_geometric_one_keeps_its_size():
    gamma = largest_margin(on())
    for s in (0.5, 2.0, -1.0):
        stage = on(dials={"factor": s})
        assert reading(SCALING, stage, "functional") == pytest.approx(s, rel=1e-9)
        assert reading(SCALING, stage, "geometric") == pytest.approx(np.sign(s) * gamma, rel=1e-9)
    lines = SCALING.draw(on(dials={"factor": 0.0}))["lines"]
    assert lines == {"zero": [], "plus": [], "minus": []}


def test_below_zero_the_margin_lines_change_sides_and_the_boundary_stays():
    before, after = (SCALING.draw(on(dials={"factor": s}))["lines"] for s in (1.0, -1.0))
    assert after["zero"] == before["zero"]
    assert (after["plus"], after["minus"]) == (before["minus"], before["plus"])


def test_the_canonical_scale_makes_the_smallest_functional_margin_1():
    assert canonical(on())["values"]["factor"] == pytest.approx(1.0, rel=1e-9)
    narrow = with_preset(Lab(preset="separable", size=24, seed=19, value=0.05))
    smallest_margin = float(on(narrow).solution.margins.min())
    assert 0 < smallest_margin < 0.9
    assert canonical(on(narrow))["values"]["factor"] == pytest.approx(1.0 / smallest_margin)


@pytest.mark.parametrize("lab", [OVERLAPPING, PLACES.board()], ids=["overlapping", "all seven"])
def test_the_place_by_distances_is_that_of_the_functional_margin(lab):
    places = positions_by_margin(on(lab).solution.margins, 1e-6)
    for point, place in zip(lab.points, places, strict=True):
        stage = on(replace(lab, selected=point.id))
        assert PLACES.answer(stage) == place
        assert PLACES.choices[place].text.replace("\u00a0", " ").startswith(NAMES[place].replace("yf", "y f"))
    assert lab is OVERLAPPING or set(places) == set(range(7))


def test_on_the_lent_board_of_m12_the_positive_point_has_margin_0():
    stage = on(POSITIVE_ON_BOUNDARY())
    assert PLACES.answer(stage) == 3
    assert (
        PLACES.verdict_text(stage)
        .replace("\u00a0", " ")
        .startswith("y f = 0, because x lies on the decision boundary.")
    )


def test_the_next_by_margin_goes_through_all_points():
    lab = PLACES.board()
    seen = set()
    for _point in lab.points:
        lab = replace(lab, selected=select_next(on(lab))["id"])
        seen.add(lab.selected)
    assert seen == {p.id for p in lab.points}


def test_before_it_is_shown_no_mark_gives_the_place_away():
    assert PLACES.draw(on(PLACES.board(), shown=False))["marks"] is None
    assert "marks" not in PLACES.draw(on(PLACES.board()))


def test_a_line_or_a_common_place_proves_the_answer():
    bay, flowers = on(BAY()), on()
    assert (EXISTS.answer(bay), EXISTS.answer(flowers)) == (1, 0)
    assert isinstance(EXISTS.chart(bay), Table)
    assert isinstance(EXISTS.chart(flowers), Chart)
    assert EXISTS.draw(bay)["witness"]["ids"]
    assert reading(EXISTS, flowers, "hulls apart by") == pytest.approx(2 * largest_margin(flowers), rel=1e-9)
    assert "overlay" not in EXISTS.draw(on(BAY(), shown=False))


def test_a_point_moved_across_ends_the_matter():
    across = EXISTS.tries[2].op
    assert callable(across)
    assert not separate(across(on())["lab"].data).separable


def test_the_answer_is_about_the_line_on_the_board_and_not_about_an_earlier_one():
    first = on()
    assert HAND.answer(first) == 3
    put = optimum(first)
    at = tuple(put["a"]), tuple(put["b"])
    assert HAND.answer(on(memory=first.memory, hand=at)) == 0
    away = on(memory=first.memory, hand=((0.0, 1.5), (0.1, -1.5)))
    assert reading(HAND, away, "margin of your line") < 0
    assert HAND.answer(away) == 3


def test_a_line_that_is_centred_keeps_its_direction_and_has_the_largest_margin_of_it():
    hand = ((1.2, 0.9), (-1.3, -0.3))
    put = centre(on(hand=hand))
    before, after = Line.through(*hand), Line.through(tuple(put["a"]), tuple(put["b"]))
    np.testing.assert_allclose(after.normal, before.normal, atol=1e-12)
    X, y = FLOWERS.data.X, FLOWERS.data.y
    margins = [after.shifted(t).margin(X, y) for t in np.linspace(-1, 1, 101)]
    assert after.margin(X, y) >= max(margins) - 1e-12
    assert after.margin(X, y) > before.margin(X, y)


def test_touching_both_classes_is_not_sufficient_for_the_largest_margin():
    lab = board_of_points([(1, 0, 1), (1, 3, 1), (-1, 0, -1), (-1, -1, -1)], hard=True)()
    put = centre(on(lab, hand=((0.0, np.cos(0.6)), (np.sin(0.6), 0.0))))  # its normal has the direction 0.6 rad
    margins = Line.through(tuple(put["a"]), tuple(put["b"])).margins(lab.data.X, lab.data.y)
    own, touching = abs(margins).min(), abs(abs(margins) - abs(margins).min()) < 1e-3
    assert set(lab.data.y[touching]) == {1, -1}
    assert own == pytest.approx(0.825, abs=2e-3)
    assert largest_margin(on(lab)) == pytest.approx(1.0, abs=2e-3)


def test_the_classes_of_the_answer_have_words_of_their_own():
    line = optimum(on())
    a, b = np.array(line["a"]), np.array(line["b"])
    shift = (a - b)[::-1] * [1, -1] / np.hypot(*(a - b)) * largest_margin(on())
    said = {}
    for part in (0.0, 0.05, 0.5, 3.0):
        stage = on(hand=(tuple(a + part * shift), tuple(b + part * shift)))
        assert reading(HAND, stage, "margin of your line") == pytest.approx((1 - part) * largest_margin(on()), rel=1e-6)
        said[HAND.answer(stage)] = HAND.verdict_text(stage).split(".")[0]
    assert set(said) == {0, 1, 2, 3}
    assert len(set(said.values())) == 4


def test_an_untouched_line_has_most_points_on_their_own_sides():
    turned = replace(FLOWERS, points=tuple(p._replace(label=-p.label) for p in FLOWERS.points))
    for lab in (FLOWERS, turned):
        hand = HAND.draw(on(lab))["hand"]
        assert (Line.through(hand["a"], hand["b"]).margins(lab.data.X, lab.data.y) > 0).mean() > 0.5


def test_the_peak_of_all_directions_is_the_solver_s():
    stage = on(dials={"angle": best_angle(on())})
    assert reading(TURN, stage, "margin") == pytest.approx(largest_margin(stage), rel=1e-9)
    for degrees in range(0, 360, 7):
        assert reading(TURN, on(dials={"angle": float(degrees)}), "margin") <= largest_margin(stage)


def test_the_film_shows_each_mistake_and_ends_on_a_line_that_separates():
    for order in range(ORDERS):
        stage = on(dials={"order": float(order)})
        *wrong, last = PERCEPTRON.draw(stage)["film"]["frames"]
        assert len(wrong) == reading(PERCEPTRON, stage, "mistakes") <= reading(PERCEPTRON, stage, "bound")
        assert all(each["ring"] for each in wrong)
        assert last["ring"] is None
        x0, y0, x1, y1 = last["items"][0]["pts"]
        assert (Line.through((x1, y1), (x0, y0)).margins(FLOWERS.data.X, FLOWERS.data.y) > 0).all()


def test_orders_go_round_and_there_is_no_film_before_it_is_shown():
    following = PERCEPTRON.tries[0].op
    assert callable(following)
    assert following(on(dials={"order": ORDERS - 1.0}))["values"] == {"order": 0.0}
    assert "film" not in PERCEPTRON.draw(on(shown=False))


def test_with_two_points_every_order_can_end_with_the_largest_margin():
    stage = on(board_of_points(((-1.0, 0.0, -1), (1.0, 0.0, 1)), hard=True)())
    assert PERCEPTRON.answer(stage) == 0
    assert "largest margin" in PERCEPTRON.verdict_text(stage)


def test_a_run_that_was_ended_is_no_result():
    narrow = board_of_points(((3.0, 3.0, 1), (3.0, 2.99, -1), (-3.0, -3.0, 1), (2.0, 1.98, -1)), hard=True)()
    stage = on(narrow)
    ended = [not trial.run.converged for trial in trials(stage)[0]]
    assert PERCEPTRON.first_unmet_need(stage) is None
    assert all(ended)
    assert f"{MAX_MISTAKES} mistakes is {ORDERS}" in PERCEPTRON.says_text(stage)
    assert str(MAX_MISTAKES) in PERCEPTRON.verdict_text(stage)
    assert "overlay" not in PERCEPTRON.draw(stage) or PERCEPTRON.draw(stage)["overlay"] == []
    assert [trace.name for trace in PERCEPTRON.chart(stage).figure.data][:2] == ["orders", "ended"]


def test_far_from_the_origin_the_perceptron_makes_more_mistakes_and_the_margin_is_the_same():
    centred, plain = on(), on(UNCENTRED())
    most = [max(trial.run.mistakes for trial in trials(stage)[0]) for stage in (centred, plain)]
    assert most[1] > 5 * most[0]
    assert trials(plain)[1] > 5 * trials(centred)[1]
    assert largest_margin(plain) == pytest.approx(largest_margin(centred), rel=1e-9)


def test_discs_and_arrows_are_as_long_as_they_say():
    stage = on(dials={"shake": 0.9})
    items = SHAKE.draw(stage)["overlay"]
    discs = [i["pts"][2] for i in items if i["kind"] == "disc"]
    arrows = [np.hypot(i["pts"][2] - i["pts"][0], i["pts"][3] - i["pts"][1]) for i in items if i["kind"] == "arrow"]
    assert discs == pytest.approx([largest_margin(stage)] * 18, abs=1e-4)
    assert arrows == pytest.approx([0.9 * largest_margin(stage)] * 18, abs=3e-4)


def test_just_above_the_margin_exactly_the_nearest_points_cross():
    below, above = (on(dials={"shake": part, "straight": 1.0}) for part in (0.99, 1.01))
    assert crossed(below, drawn_points(below)).sum() == 0
    assert crossed(above, drawn_points(above)).sum() == (above.solution.margins < 1.01).sum() == 3


def test_far_away_the_distance_grows_and_with_its_sign_it_falls():
    stage = on(dials={"slide": 6.0})
    assert reading(SLIDE, stage, "distance") > 5
    assert reading(SLIDE, stage, "with sign") < -5
    middle = on(dials={"slide": 0.0})
    assert reading(SLIDE, middle, "distance") == pytest.approx(largest_margin(middle), rel=1e-9)
    assert [r.name for r in SLIDE.readings(on(shown=False))] == ["distance"]


@pytest.mark.parametrize("t", [-6.0, -1.0, 2.4, 6.0])
def test_an_arrow_shows_in_which_direction_the_line_is_even_where_it_is_off_the_board(t):
    stage = on(dials={"slide": t})
    *line, arrow = SLIDE.draw(stage)["overlay"]
    assert arrow["kind"] == "arrow"
    x0, y0, x1, y1 = arrow["pts"]
    along = np.array([x1 - x0, y1 - y0]) @ boundary_line(stage).normal
    assert np.sign(along) == np.sign(t)
    assert max(abs(x1), abs(y1)) <= stage.lab.view
    assert bool(line) == (abs(t) < 3)


def test_the_line_far_away_is_beyond_all_points_wherever_they_are():
    rows = [(-3.9, -3.9, -1), (-3.6, -3.6, 1), (3.9, 3.9, 1), (-0.356, -0.356, 1), (1, 1, 1), (1, 2, 1)]
    for lab in (FLOWERS, board_of_points(rows, hard=True)(), with_preset(Lab(preset="separable", size=24, hard=True))):
        stage = on(lab)
        t = SLIDE.animation(stage)["to"]
        assert (boundary_line(stage).shifted(t).margins(stage.data.X, np.ones(stage.data.m)) < 0).all()
        assert SLIDE.rests_on_answer(replace(stage, dials={"slide": t}))


def test_a_selected_point_on_the_boundary_does_not_hide_that_one_margin_doubles():
    lab = board_of_points([(1, 1, 1), (-1, -1, -1), (0, 0, 1), (0, 0, -1)], selected=3)()
    stage = on(lab, dials={"factor": 2.0})
    assert stage.solution.margins[2] == pytest.approx(0, abs=1e-9)
    assert abs(reading(SCALING, stage, "functional")) > 1


@pytest.mark.parametrize(
    ("step", "key", "values"),
    [
        (SCALING, "factor", (-2, 0, 3, 1e12)),
        (TURN, "angle", (0, 217, 360)),
        (SHAKE, "shake", (0, 1.6)),
        (SHAKE, "directions", (-3, 2**31)),
        (SLIDE, "slide", (-12, 12)),
        (PERCEPTRON, "order", (-1, 1e9)),
    ],
    ids=lambda value: getattr(value, "key", None),
)
def test_the_dials_may_stand_anywhere(step, key, values):
    for value in values:
        stage = on(dials={key: float(value)})
        assert step.draw(stage)
        assert step.readings(stage)
        assert step.chart(stage)


def test_all_points_lie_on_one_line_whose_slope_is_the_scale():
    for s in (1.0, 2.5, -1.0):
        stage = on(dials={"factor": s}, picks={"margins": "all"})
        figure = SCALING.chart(stage).figure
        for trace in figure.data:
            if trace.name in ("1", "-1"):
                distances = np.array(trace.x)
                np.testing.assert_allclose(trace.y, s * distances / largest_margin(stage), atol=1e-9)


def test_the_canonical_scaling_is_reached_from_every_factor():
    stage = on(dials={"factor": 3.0})
    assert (canonical(stage)["values"]["factor"] * stage.solution.margins).min() == pytest.approx(1.0)


def test_a_line_with_points_on_its_wrong_side_still_has_an_empty_strip():
    stage = on(hand=((0.0, -1.5), (0.15, 1.5)))
    margins = Line.through(*stage.hand).margins(stage.data.X, stage.data.y)
    assert margins.min() < 0
    strip = [item for item in HAND.draw(stage)["overlay"] if item["style"] == "faint dashed"]
    assert len(strip) == 2
    for item in strip:
        ends = np.reshape(item["pts"], (-1, 2))
        off = Line.through(*stage.hand).margins(ends, np.ones(2))
        np.testing.assert_allclose(np.abs(off), np.abs(margins).min(), atol=2e-3)


def test_a_point_on_the_line_is_right_or_wrong_by_its_label():
    plus, minus = (on(board()) for board in (POSITIVE_ON_BOUNDARY, NEGATIVE_ON_BOUNDARY))
    for stage in (plus, minus):
        assert abs(stage.solution.margins[2]) < 1e-9
        assert PLACES.answer(stage) == 3
