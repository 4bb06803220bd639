"""The lesson on the margin: what its steps measure, say and remember, on a stage."""

from dataclasses import replace

import numpy as np
import pytest

from svmlab import separate
from svmlab.lab.lessons.margin.exists import BAY, EXISTS
from svmlab.lab.lessons.margin.hand import HAND, my_best, optimum
from svmlab.lab.lessons.margin.perceptron import ORDERS, PERCEPTRON
from svmlab.lab.lessons.margin.places import AGAINST_IT, ON_THE_LINE, PLACES, another
from svmlab.lab.lessons.margin.scaling import SCALING, canonical
from svmlab.lab.lessons.margin.shake import SHAKE
from svmlab.lab.lessons.margin.slide import SLIDE
from svmlab.lab.lessons.margin.street import BOARD, widest
from svmlab.lab.lessons.margin.turn import TURN, peak
from svmlab.lab.session.state import Lab, with_preset
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Step, Table
from svmlab.plane.geometry import Line
from svmlab.statements.geometry import POSITIONS as NAMES
from svmlab.statements.geometry import positions_by_margin

STREET, OVERLAPPING = BOARD(), with_preset(Lab(size=30))


def on(lab: Lab = STREET, shown: bool = True, **more: object) -> Stage:
    return Stage(lab, shown, **{"picks": {"margins": "one"}} | more)  # type: ignore[arg-type]


def reading(step: Step, stage: Stage, name: str) -> float:
    return float(next(r.exact for r in step.numbers(stage) if r.name == name))


def test_with_s_the_functional_margin_grows_and_the_geometric_one_keeps_its_size():
    gamma = widest(on())
    for s in (0.5, 2.0, -1.0):
        stage = on(dials={"factor": s})
        assert reading(SCALING, stage, "s y f") == pytest.approx(s, rel=1e-9)
        assert reading(SCALING, stage, "geometric margin") == pytest.approx(np.sign(s) * gamma, rel=1e-9)
    lines = SCALING.draw(on(dials={"factor": 0.0}))["lines"]
    assert lines == {"zero": [], "plus": [], "minus": []}


def test_below_zero_the_margin_lines_change_sides_and_the_boundary_stays():
    before, after = (SCALING.draw(on(dials={"factor": s}))["lines"] for s in (1.0, -1.0))
    assert after["zero"] == before["zero"]
    assert (after["plus"], after["minus"]) == (before["minus"], before["plus"])


def test_the_canonical_scale_makes_the_smallest_functional_margin_1():
    assert canonical(on())["values"]["factor"] == pytest.approx(1.0, rel=1e-9)
    narrow = with_preset(Lab(preset="separable", size=24, seed=19, value=0.05))
    least = float(on(narrow).solution.margins.min())
    assert 0 < least < 0.9
    assert canonical(on(narrow))["values"]["factor"] == pytest.approx(1.0 / least)


@pytest.mark.parametrize("lab", [OVERLAPPING, PLACES.board()], ids=["overlapping", "all seven"])
def test_the_place_by_distances_is_that_of_the_functional_margin(lab):
    places = positions_by_margin(on(lab).solution.margins, 1e-6)
    for point, place in zip(lab.points, places, strict=True):
        stage = on(replace(lab, selected=point.id))
        assert PLACES.answer(stage) == place
        assert PLACES.choices[place].text.startswith(NAMES[place].replace("yf", "y f"))
    assert lab is OVERLAPPING or set(places) == set(range(7))


def test_on_the_lent_board_of_m12_the_positive_point_has_margin_0():
    stage = on(ON_THE_LINE())
    assert PLACES.answer(stage) == 3
    assert PLACES.verdict_text(stage) == "y f = 0: on the boundary."


def test_the_next_by_margin_goes_through_all_points():
    lab = PLACES.board()
    seen = set()
    for _point in lab.points:
        lab = replace(lab, selected=another(on(lab))["id"])
        seen.add(lab.selected)
    assert seen == {p.id for p in lab.points}


def test_before_it_is_shown_no_mark_gives_the_place_away():
    assert PLACES.draw(on(PLACES.board(), shown=False))["marks"] is None
    assert "marks" not in PLACES.draw(on(PLACES.board()))


def test_a_line_or_a_common_place_proves_the_answer():
    bay, street = on(BAY()), on()
    assert (EXISTS.answer(bay), EXISTS.answer(street)) == (1, 0)
    assert isinstance(EXISTS.chart(bay), Table)
    assert isinstance(EXISTS.chart(street), Chart)
    assert EXISTS.draw(bay)["witness"]["ids"]
    assert reading(EXISTS, street, "hulls come as close as") == pytest.approx(2 * widest(street), rel=1e-9)
    assert "overlay" not in EXISTS.draw(on(BAY(), shown=False))


def test_a_point_moved_across_ends_the_matter():
    across = EXISTS.tries[2].op
    assert callable(across)
    assert not separate(across(on())["lab"].data).separable


def test_the_best_line_of_ones_own_stays_on_record():
    notes: dict[str, object] = {}
    first = on(memory=notes)
    assert HAND.answer(first) == 3
    put = optimum(first)
    at = tuple(put["a"]), tuple(put["b"])
    assert HAND.answer(on(memory=notes, hand=at)) == 0
    away = on(memory=notes, hand=((0.0, 3.0), (0.1, -3.0)))
    assert HAND.answer(away) == 0
    assert reading(HAND, away, "your margin") < 0 < reading(HAND, away, "your best")
    assert (my_best(away)["a"], my_best(away)["b"]) == (put["a"], put["b"])


def test_the_classes_of_the_answer_have_words_of_their_own():
    line = optimum(on())
    a, b = np.array(line["a"]), np.array(line["b"])
    aside = (a - b)[::-1] * [1, -1] / np.hypot(*(a - b)) * widest(on())
    said = {}
    for part in (0.0, 0.05, 0.5, 3.0):
        stage = on(hand=(tuple(a + part * aside), tuple(b + part * aside)))
        assert reading(HAND, stage, "your margin") == pytest.approx((1 - part) * widest(on()), rel=1e-6)
        said[HAND.answer(stage)] = HAND.verdict_text(stage).split(":")[0]
    assert set(said) == {0, 1, 2, 3}
    assert len(set(said.values())) == 4


def test_an_untouched_line_has_most_points_on_their_own_sides():
    turned = replace(STREET, points=tuple(p._replace(label=-p.label) for p in STREET.points))
    for lab in (STREET, turned):
        hand = HAND.draw(on(lab))["hand"]
        assert (Line.through(hand["a"], hand["b"]).margins(lab.data.X, lab.data.y) > 0).mean() > 0.5


def test_the_peak_of_all_directions_is_the_solver_s():
    stage = on(dials={"angle": peak(on())})
    assert reading(TURN, stage, "margin there") == pytest.approx(widest(stage), rel=1e-9)
    for degrees in range(0, 360, 7):
        assert reading(TURN, on(dials={"angle": float(degrees)}), "margin there") <= widest(stage)


def test_the_film_shows_each_mistake_and_ends_on_a_line_that_separates():
    for order in range(ORDERS):
        stage = on(dials={"order": float(order)})
        *wrong, last = PERCEPTRON.draw(stage)["film"]["frames"]
        assert len(wrong) == reading(PERCEPTRON, stage, "mistakes") <= reading(PERCEPTRON, stage, "bound")
        assert all(each["ring"] for each in wrong)
        assert last["ring"] is None
        x0, y0, x1, y1 = last["items"][0]["pts"]
        assert (Line.through((x1, y1), (x0, y0)).margins(STREET.data.X, STREET.data.y) > 0).all()


def test_orders_go_round_and_there_is_no_film_before_it_is_shown():
    following = PERCEPTRON.tries[0].op
    assert callable(following)
    assert following(on(dials={"order": ORDERS - 1.0}))["values"] == {"order": 0.0}
    assert "film" not in PERCEPTRON.draw(on(shown=False))


def test_where_two_points_stand_alone_every_order_ends_on_the_widest_street():
    stage = on(board_of_points(((-1.0, 0.0, -1), (1.0, 0.0, 1)), hard=True)())
    assert PERCEPTRON.answer(stage) == 0
    assert "widest" in PERCEPTRON.verdict_text(stage)


def test_a_run_that_was_given_up_is_said_to_be():
    stage = on(board_of_points(((3.0, 3.0, 1), (3.0, 2.99, -1), (-3.0, -3.0, 1), (2.0, 1.98, -1)), hard=True)())
    assert PERCEPTRON.first_unmet_need(stage) is None
    assert "600" in PERCEPTRON.says(stage)  # type: ignore[operator]


def test_discs_and_arrows_are_as_long_as_they_say():
    stage = on(dials={"shake": 0.9})
    items = SHAKE.draw(stage)["overlay"]
    discs = [i["pts"][2] for i in items if i["kind"] == "disc"]
    arrows = [np.hypot(i["pts"][2] - i["pts"][0], i["pts"][3] - i["pts"][1]) for i in items if i["kind"] == "arrow"]
    assert discs == pytest.approx([widest(stage)] * 16, abs=1e-4)
    assert arrows == pytest.approx([0.9 * widest(stage)] * 16, abs=3e-4)


def test_just_above_the_margin_exactly_the_nearest_points_cross():
    below, above = (on(dials={"shake": part, "straight": 1.0}) for part in (0.99, 1.01))
    assert reading(SHAKE, below, "across") == 0
    assert reading(SHAKE, above, "across") == (above.solution.margins < 1.01).sum() == 3


def test_ones_own_line_is_told_how_much_it_stands():
    put = optimum(on())
    own = on(hand=(tuple(put["a"]), tuple(put["b"])))
    assert "Your own line" in SHAKE.says(own)  # type: ignore[operator]
    assert "Your own line" not in SHAKE.says(on(hand=((0.0, 3.0), (3.0, 0.0))))  # type: ignore[operator]


def test_far_away_the_distance_grows_and_with_its_sign_it_falls():
    stage = on(dials={"slide": 12.0})
    assert reading(SLIDE, stage, "smallest distance") > 9
    assert reading(SLIDE, stage, "with its sign") < -9
    middle = on(dials={"slide": 0.0})
    assert reading(SLIDE, middle, "smallest distance") == pytest.approx(widest(middle), rel=1e-9)
    assert [r.name for r in SLIDE.numbers(on(shown=False))] == ["smallest distance"]


@pytest.mark.parametrize(
    ("step", "key", "values"),
    [
        (SCALING, "factor", (-2, 0, 3, 1e12)),
        (TURN, "angle", (0, 217, 360)),
        (SHAKE, "shake", (0, 1.6)),
        (SHAKE, "seed", (-3, 2**31)),
        (SLIDE, "slide", (-12, 12)),
        (PERCEPTRON, "order", (-1, 1e9)),
    ],
    ids=lambda value: getattr(value, "key", None),
)
def test_the_dials_may_stand_anywhere(step, key, values):
    for value in values:
        stage = on(dials={key: float(value)})
        assert step.draw(stage)
        assert step.numbers(stage)
        assert step.chart(stage)


def test_all_points_lie_on_one_line_whose_slope_is_the_scale():
    for s in (1.0, 2.5, -1.0):
        stage = on(dials={"factor": s}, picks={"margins": "all"})
        figure = SCALING.chart(stage).figure
        for trace in figure.data:
            if trace.name in ("1", "-1"):
                far = np.array(trace.x)
                np.testing.assert_allclose(trace.y, s * far / widest(stage), atol=1e-9)
        assert "probability" in SCALING.says(stage)
        assert reading(SCALING, stage, "least s y f") == pytest.approx(float((s * stage.solution.margins).min()))


def test_a_machine_that_is_too_long_shrinks_until_one_touches():
    too_long, touching, _ = SCALING.tries
    loose = on(dials=too_long.op["values"])
    assert reading(SCALING, loose, "least s y f") == pytest.approx(3.0)
    back = on(dials=touching.op(loose)["values"])
    assert reading(SCALING, back, "least s y f") == pytest.approx(1.0)


def test_a_line_with_points_on_its_wrong_side_still_has_an_empty_strip():
    stage = on(hand=((0.0, -3.0), (0.3, 3.0)))
    margins = Line.through(*stage.hand).margins(stage.data.X, stage.data.y)
    assert margins.min() < 0
    strip = [item for item in HAND.draw(stage)["overlay"] if item["style"] == "faint dashed"]
    assert len(strip) == 2
    for item in strip:
        ends = np.reshape(item["pts"], (-1, 2))
        off = Line.through(*stage.hand).margins(ends, np.ones(2))
        np.testing.assert_allclose(np.abs(off), np.abs(margins).min(), atol=2e-3)


def test_a_point_on_the_line_is_right_or_wrong_by_its_label():
    plus, minus = (on(board()) for board in (ON_THE_LINE, AGAINST_IT))
    for stage in (plus, minus):
        assert abs(stage.solution.margins[2]) < 1e-9
        assert PLACES.answer(stage) == 3
