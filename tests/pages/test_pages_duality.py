"""The lesson on duality: what its steps draw, count and say is what was computed."""

from dataclasses import replace

import numpy as np
import pytest

from svmlab import Linear, Problem, certify, solve
from svmlab.data import DATASETS
from svmlab.lab.lessons.duality import (
    LESSON,
    classify,
    gap,
    hulls,
    keep,
    kkt,
    none,
    offset,
    parts,
    primal,
    programs,
    saddle,
    weights,
)
from svmlab.lab.lessons.duality import sum as pieces
from svmlab.lab.lessons.duality.boards import EIGHT, FOUR, NARROW, SIXTY, TWELVE
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.session.state import History, apply
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Table
from svmlab.plane.geometry import reduced_hull


def stage(lab, shown=True, dials=None, **picks):
    chosen = {pick.name: pick.default for step in LESSON.steps for pick in step.picks}
    return Stage(lab, shown=shown, dials=dials or {}, picks=chosen | picks)


def after(lab, op):
    return apply(History(lab), op).present


def readings(step, lesson_stage):
    return {reading.name: reading.text for reading in step.readings(lesson_stage)}


def ends(item):
    return np.reshape(item["pts"], (-1, 2))


@pytest.mark.parametrize("step", LESSON.steps, ids=lambda step: step.key)
def test_nothing_is_revealed_before_it_is_shown(step):
    asked = stage(step.board(), shown=False)
    assert list(step.readings(asked)) == []
    assert "film" not in step.drawn(asked)


# ---------------------------------------------------------------- the primal problem, the dual problem


def turned(angle, lab=EIGHT, **picks):
    return stage(lab(), dials={"turned": angle}, **picks)


def test_the_line_at_angle_0_is_the_optimal_one_and_its_arrow_is_w():
    solution = solve(EIGHT().problem)
    *lines, arrow = primal.draw(turned(0.0))["overlay"]
    a, b = ends(arrow)
    np.testing.assert_allclose(b - a, solution.w, atol=1e-3)
    for item, f in zip(lines, (0, 1, -1), strict=True):
        np.testing.assert_allclose(solution.decision(ends(item)), f, atol=1e-3)


def test_a_turned_line_has_a_smaller_margin_and_a_longer_w():
    board = turned(30.0)
    line, margin = primal.turned_line(board)
    assert 0 < margin < 1 / board.solution.norm_w
    assert margin == pytest.approx(line.margin(board.data.X, board.data.y))
    a, b = ends(primal.draw(board)["overlay"][-1])
    assert np.hypot(*(b - a)) == pytest.approx(1 / margin, abs=1e-3)
    assert len(primal.draw(turned(90.0))["overlay"]) == 1
    assert readings(primal.PRIMAL, turned(90.0))["margin"] == readings(primal.PRIMAL, turned(90.0))["‖w‖"] == "none"


@pytest.mark.parametrize("lab", [primal.FLOWERS, EIGHT, FOUR, TWELVE], ids=["flowers", "eight", "four", "twelve"])
def test_the_verdict_on_the_primal_problem_has_two_reciprocal_numbers(lab):
    said = exact(primal.PRIMAL, turned(0.0, lab))
    assert said["margin"] == pytest.approx(said["largest margin"])
    assert said["‖w‖"] * said["largest margin"] == pytest.approx(1.0)
    assert said["largest margin"] == pytest.approx(primal.directions(turned(0.0, lab)).margin.max())


def test_only_the_flowers_are_called_flowers():
    assert "iris" in primal.situation(stage(primal.FLOWERS()))
    assert "iris" not in primal.situation(stage(EIGHT()))


def test_the_primal_problem_needs_a_bias():
    unmet = primal.PRIMAL.first_unmet_need(stage(replace(EIGHT(), bias=False)))
    assert unmet is not None
    assert unmet.settings == {"bias": True}


def test_four_forms_have_one_line_and_one_margin():
    forms = primal.forms(stage(EIGHT()))
    assert [form.name for form in forms] == list(primal.FORMS)
    lines = np.array([np.r_[form.w, form.b] / np.linalg.norm(form.w) for form in forms])
    assert np.ptp(lines, axis=0).max() < 1e-7
    assert np.ptp([form.margin for form in forms]) < 1e-6
    assert primal.more(stage(EIGHT()))[-1].markup.count("<tr") == 5


def test_the_matrices_are_the_printed_ones_and_the_selection_marks_row_and_column():
    lab = replace(FOUR(), selected=3)
    problem = lab.problem
    for program, printed, columns in (("primal", problem.qp("primal").A, 0), ("dual", problem.qp("dual").P, 5)):
        table = programs.chart(stage(lab, program=program))
        assert isinstance(table, Table)
        for value in printed.ravel():
            assert f'title="{float(value)!r}"' in table.markup
        assert table.markup.count('aria-selected="true"') == 1
        assert table.markup.count("column") == columns
    np.testing.assert_allclose(programs.required_cvxopt_solutions(stage(lab))[1].alpha, [0.5, 0.5, 1, 0], atol=1e-9)


def test_the_board_shows_the_variables_of_the_chosen_problem():
    (arrow,) = programs.draw(stage(FOUR(), program="primal"))["overlay"]
    np.testing.assert_allclose(np.diff(ends(arrow), axis=0)[0], stage(FOUR()).solution.w, atol=1e-3)
    circles = programs.draw(stage(FOUR(), program="dual"))["overlay"]
    assert len(circles) == 4
    radius = [circle["pts"][2] for circle in circles]  # alpha = (1/2, 1/2, 1, 0)
    assert radius[3] < radius[0] == radius[1] < radius[2]


def test_many_points_make_a_map_whose_marks_select_their_point():
    lesson_stage = stage(SIXTY(), program="dual")
    chart = programs.chart(lesson_stage)
    assert isinstance(chart, Chart)
    np.testing.assert_array_equal(chart.figure.data[0].z, lesson_stage.lab.problem.qp("dual").P)
    assert chart.on_click(4) == {"op": "select", "id": lesson_stage.lab.points[4].id}


def test_the_programs_say_whether_their_multipliers_are_the_same():
    several = stage(preset("lattice", hard=True)())
    largest = float(programs.required_cvxopt_solutions(several)[1].alpha.max())
    assert programs.difference(several) > programs.SAME * largest
    few = stage(board_of_points(((1, 1, 1), (1, -1, 1), (-1, 1, -1), (-1, -1, -1)), hard=True)(), program="dual")
    assert few.solution.alpha_unique is False
    same = programs.difference(few) <= programs.SAME * float(programs.required_cvxopt_solutions(few)[1].alpha.max())
    assert programs.says(few) == (programs.SAYS["dual"] if same else programs.SEVERAL_ALPHA)
    assert programs.says(stage(FOUR(), program="dual")) == programs.SAYS["dual"]
    assert programs.says(several) == programs.MANY_POINTS


# ---------------------------------------------------------------- the duality gap, the KKT conditions


def test_the_film_of_the_ascent_ends_on_the_boundary():
    lesson_stage = stage(TWELVE())
    film = gap.draw(lesson_stage)["film"]
    assert len(film["frames"]) == gap.run(lesson_stage).steps + 1
    assert film["at"] == gap.run(lesson_stage).steps
    np.testing.assert_allclose(lesson_stage.solution.decision(ends(film["frames"][-1]["items"][0])), 0, atol=2e-2)
    assert film["frames"][0]["items"] == []


def test_the_verdict_on_the_gap_says_how_far_it_has_closed():
    assert "less than 10⁻⁶ P" in gap.verdict(stage(NARROW()))
    long = stage(preset("moons", size=24, value=100.0)())
    assert gap.relative_gap(gap.run(long)) > gap.CLOSED
    assert "After 200 steps, P − D is still" in gap.verdict(long)


def test_the_kkt_table_holds_in_every_row_and_begins_with_the_support_vectors():
    board = stage(TWELVE())
    table = kkt.chart(board).markup
    assert table.count('class="good"') == 12
    assert "bad" not in table
    assert (table.count("on margin line"), table.count("beyond margin line")) == (3, 9)
    assert board.solution.support[kkt.rows_in_order(board)[:3]].all()


def test_the_segments_lead_from_the_margin_lines_to_the_points_beyond_them():
    for lab in (TWELVE(), after(TWELVE(), {"op": "set", "values": {"hard": False, "face": "C", "value": 0.1}})):
        board = stage(lab)
        segments = [ends(item) for item in kkt.draw(board)["overlay"]]
        assert len(segments) == (board.solution.margins > 1 + 1e-9).sum()
        for start, point in segments:
            assert abs(board.solution.decision(start[None, :])[0]) == pytest.approx(1.0, abs=2e-3)
            i = int(np.hypot(*(board.data.X - point).T).argmin())
            assert np.hypot(*(point - start)) == pytest.approx(
                (board.solution.margins[i] - 1) / board.solution.norm_w, abs=2e-3
            )
            assert board.solution.alpha[i] == 0
    curved = stage(after(TWELVE(), {"op": "set", "values": {"kernel": "gaussian", "hard": True, "sigma": 2.0}}))
    assert {item["kind"] for item in kkt.draw(curved)["overlay"]} == {"disc"}


def test_with_slack_the_points_at_C_come_first():
    lab = after(TWELVE(), {"op": "set", "values": {"hard": False, "face": "C", "value": 0.1}})
    lesson_stage = stage(lab)
    assert kkt.KKT.first_unmet_need(lesson_stage) is None
    assert lesson_stage.solution.at_bound[kkt.rows_in_order(lesson_stage)[0]]
    assert "ξ" in kkt.chart(lesson_stage).markup


@pytest.mark.parametrize("name", DATASETS)
def test_the_conditions_hold_wherever_there_is_an_svm(name):
    for machine in ({}, {"hard": True}, {"kernel": "gaussian", "hard": True}, {"bias": False}):
        lesson_stage = stage(with_preset(replace(Lab(), preset=name, size=16, **machine)))
        if kkt.KKT.first_unmet_need(lesson_stage) is None:
            assert kkt.residuals(lesson_stage).hold(kkt.TOLERANCE)


# ---------------------------------------------------------------- w, b, f


def test_the_film_of_w_has_an_arrow_for_each_support_vector_and_ends_at_w():
    lesson_stage = stage(EIGHT())
    film = pieces.draw(lesson_stage)["film"]
    solution = lesson_stage.solution
    assert len(film["frames"]) == 3 + 2
    a, b = ends(film["frames"][-1]["items"][-1])
    np.testing.assert_array_equal(a, 0)
    factor = b[0] / solution.w[0]
    np.testing.assert_allclose(b, factor * solution.w, atol=1e-3)
    assert np.log2(factor) == pytest.approx(round(np.log2(factor)), abs=1e-3)
    assert [f["ring"] for f in film["frames"][1:-1]] == [int(i) for i in lesson_stage.data.ids[solution.support]]


def test_the_classes_weigh_the_same_with_a_bias_alone():
    figure = pieces.chart(stage(EIGHT())).figure
    plus, minus = (t.y for t in figure.data)
    assert plus[0] == pytest.approx(minus[0])
    assert plus[1] != pytest.approx(minus[1])
    through = pieces.chart(stage(board_of_points(((1, 1, 1), (2, 2, -1), (2, 1, 1), (3, 3, -1)), hard=True)())).figure
    assert "no line separates" in [a.text for a in through.layout.annotations]


def test_the_film_of_b_shows_the_boundary_of_each_point_and_ends_at_a_free_support_vector():
    board = stage(TWELVE())
    solution, data = board.solution, board.data
    film = offset.draw(board)["film"]
    assert len(film["frames"]) == 12
    for i, picture in zip(offset.order(board), film["frames"], strict=True):
        b = data.y[i] - data.X[i] @ solution.w
        for item in picture["items"]:
            np.testing.assert_allclose(ends(item) @ solution.w + b, 0, atol=1e-3)
        assert picture["ring"] == data.ids[i]
        assert ("optimal" in picture["caption"]) == (abs(b - solution.b) < 1e-9)
    np.testing.assert_allclose(solution.decision(ends(film["frames"][-1]["items"][0])), 0, atol=1e-3)
    assert film["at"] == 11
    assert solution.free[offset.row(board)]


def test_a_selected_point_opens_its_picture_and_gives_its_b():
    board = stage(replace(TWELVE(), selected=4))
    shown = readings(offset.OFFSET, board)
    assert shown["point"] == "4"
    assert float(exact(offset.OFFSET, board)["bᵢ"]) == pytest.approx(
        board.data.y[3] - board.data.X[3] @ board.solution.w
    )
    assert shown["bᵢ"] != shown["optimal b"]
    assert offset.order(board)[offset.draw(board)["film"]["at"]] == 3
    selected = after(TWELVE(), offset.farthest(stage(TWELVE())))
    errors = offset.errors(stage(selected))
    assert errors[offset.row(stage(selected))] == errors.max()


@pytest.mark.parametrize(
    "values", [{"hard": False, "face": "C", "value": 0.1}, {"kernel": "gaussian", "sigma": 2.0, "hard": True}]
)
def test_each_free_support_vector_gives_the_optimal_b(values):
    board = stage(after(TWELVE(), {"op": "set", "values": values}))
    assert offset.errors(board)[board.solution.free].max() < 1e-9
    assert offset.errors(board).max() > 0.1
    assert ("instead of" in offset.more(board)[1]) == bool(board.solution.at_bound.any())
    b = dict(zip(board.data.ids.tolist(), board.solution.b - offset.biases(board.solution), strict=True))
    for picture in offset.draw(board)["film"]["frames"]:  # the new boundary is where f is b less the b of the point
        for item in picture["items"]:
            np.testing.assert_allclose(board.solution.decision(ends(item)), b[picture["ring"]], atol=2e-2)


@pytest.mark.parametrize("x", [classify.START, (2.0, -2.5)])
def test_f_is_the_sum_of_its_table_and_the_other_solver_agrees(x):
    for lab in (TWELVE(), after(TWELVE(), {"op": "set", "values": {"kernel": "gaussian", "hard": True}})):
        board = stage(lab, dials={"newx1": x[0], "newx2": x[1]})
        shown = readings(classify.CLASSIFY, board)
        assert classify.expansion(board).value == pytest.approx(float(board.solution.decision(np.array([x]))[0]))
        assert shown["f(x)"] == shown["with all terms"]
        n = int(board.solution.support.sum())
        assert classify.chart(board).markup.count("data-id") == n
        film = classify.draw(board)["film"]
        assert [len(picture["items"]) for picture in film["frames"]] == list(range(n + 1))
        assert film["frames"][-1]["caption"].endswith(f"The sum is now {shown['f(x)']}.")


def test_a_board_of_support_vectors_alone_does_not_suit_the_question_of_the_new_point():
    few = stage(after(TWELVE(), {"op": "set", "values": {"hard": False, "face": "C", "value": 0.001}}))
    assert few.solution.support.all()
    assert classify.CLASSIFY.first_unmet_need(few) is keep.OTHERS


def test_the_first_new_point_is_nearest_to_a_point_that_is_no_support_vector():
    board = stage(TWELVE())
    nearest = int(np.hypot(*(board.data.X - classify.START).T).argmin())
    assert not board.solution.support[nearest]


# ---------------------------------------------------------------- who is needed


def test_the_line_stays_until_a_support_vector_goes():
    whole = stage(TWELVE())
    n = keep.others(whole)
    assert n == 9
    for away in range(n + 1):
        assert keep.change_of_f(stage(TWELVE(), dials={"away": float(away)})) < 1e-9
    further = stage(TWELVE(), dials={"away": float(n + 1)})
    assert keep.change_of_f(further) > 0.1
    assert 1 / keep.trained_again(further).norm_w > 1.2 / whole.solution.norm_w
    drawn = keep.draw(further)
    assert sum(drawn["marks"]["wrong"]) == n + 1
    assert drawn["lines"]["zero"] != drawn["pin"]["zero"]


@pytest.mark.parametrize("name", ["separable", "collinear", "lattice", "idle_margin", "one_against_many"])
@pytest.mark.parametrize("bias", [True, False])
def test_no_support_vector_goes_among_the_others(name, bias):
    lesson_stage = stage(with_preset(replace(Lab(), preset=name, size=10, hard=True, bias=bias)))
    if keep.KEEP.first_unmet_need(lesson_stage) is None:
        n = keep.others(lesson_stage)
        assert not lesson_stage.solution.support[keep.rows(lesson_stage)[:n]].any()
        np.testing.assert_allclose(keep.curve(lesson_stage)[: n + 1], 1 / lesson_stage.solution.norm_w, rtol=1e-9)


@pytest.mark.parametrize("mix", [0.0, 0.3, 1.0])
def test_every_mixture_of_corners_is_optimal(mix):
    lesson_stage = stage(weights.FIVE(), dials={"mix": mix})
    alpha, problem = weights.mixture(lesson_stage), lesson_stage.lab.problem
    np.testing.assert_allclose((alpha * problem.data.y) @ problem.data.X, lesson_stage.solution.w, atol=1e-9)
    assert float(alpha @ problem.data.y) == pytest.approx(0, abs=1e-12)
    assert (alpha >= 0).all()
    assert readings(weights.WEIGHTS, lesson_stage)["‖w‖"] == "1"
    assert certify(replace(lesson_stage.solution, alpha=alpha)).is_optimal(1e-6)


def test_a_mixture_fills_the_points_and_the_table_names_the_points_that_are_always_0():
    ends_ = [weights.draw(stage(weights.FIVE(), dials={"mix": t}))["marks"]["fill"] for t in (0.0, 1.0)]
    assert ends_[0] != ends_[1]
    idle = stage(preset("idle_margin", hard=True)())
    assert "only one" in weights.says(idle)
    assert "sliders" not in weights.draw(idle)
    assert weights.WEIGHTS.animation(idle) is None
    assert "0 in every optimal" in weights.more(idle)[2].markup


def test_the_contradiction_makes_the_dual_a_straight_line():
    lab = with_preset(Lab(preset="xor", size=8, hard=True))
    lesson_stage = stage(lab, dials={"along": 7.0})
    assert none.curvature(lesson_stage) == 0
    v, rows = none.certificate(lesson_stage)
    assert float(v.sum()) == pytest.approx(2.0)
    reading_texts = readings(none.NONE, lesson_stage)
    assert (reading_texts["D(α)"], reading_texts["quadratic term"]) == ("14", "0")
    fill = np.array(none.draw(lesson_stage)["marks"]["fill"])
    assert set(np.flatnonzero(fill)) == set(rows)
    stopped = none.chart(stage(lab, ceiling="1")).figure
    assert max(stopped.data[0].x) == pytest.approx(1 / float(v.max()))


def test_the_dual_on_separable_points_has_its_top_at_alpha():
    problem = Problem(TWELVE().data, Linear(), np.inf)
    solution = solve(problem)
    signed = solution.alpha * problem.data.y
    assert float(solution.alpha.sum()) == pytest.approx(float(signed @ problem.gram @ signed))


# ---------------------------------------------------------------- the saddle, the parts of the gap, the hulls


def exact(step, lesson_stage):
    return {reading.name: float(reading.exact) for reading in step.readings(lesson_stage)}


@pytest.mark.parametrize("lab", [saddle.SIX, EIGHT, TWELVE, NARROW], ids=["six", "eight", "twelve", "narrow"])
def test_the_surface_is_the_same_on_every_board(lab):
    unit = stage(lab()).solution.norm_w ** 2
    for t, s in ((0.4, 1.0), (1.0, 0.3), (1.7, 1.2), (0.0, 2.0)):
        lesson_stage = stage(lab(), dials={"stretch": t, "load": s})
        assert saddle.value(lesson_stage) == pytest.approx(unit * (t * t / 2 - s * (t - 1)), rel=1e-6, abs=1e-6)
        assert saddle.smallest_over_w_and_b(lesson_stage) == pytest.approx(unit * (s - s * s / 2), rel=1e-6, abs=1e-9)


def test_what_the_weights_answer_is_infinite_exactly_where_a_point_lies_inside():
    for t in (0.0, 0.5, 0.99, 1.0, 1.5):
        lesson_stage = stage(saddle.SIX(), dials={"stretch": t})
        rings = [item for item in saddle.draw(lesson_stage)["overlay"] if item["kind"] == "disc"]
        inside = int((t * lesson_stage.solution.margins < 1 - 1e-9).sum())
        assert len(rings) == inside
        assert np.isinf(saddle.largest_over_alpha(lesson_stage)) == bool(inside)
    assert readings(saddle.SADDLE, stage(saddle.SIX(), dials={"stretch": 0.5}))["max over α"] == "∞"


def test_neither_can_better_the_saddle_alone():
    here = saddle.value(stage(saddle.SIX()))
    for other in (0.0, 0.7, 1.3, 2.0):
        assert saddle.value(stage(saddle.SIX(), dials={"stretch": other})) > here - 1e-9
        assert saddle.value(stage(saddle.SIX(), dials={"load": other})) < here + 1e-9


@pytest.mark.parametrize("off", parts.VARIES)
@pytest.mark.parametrize("bias", [True, False])
def test_the_parts_add_up_to_the_gap_and_vanish_together(off, bias):
    lab = replace(parts.PARTS.board(), bias=bias)
    gaps = []
    for t in parts.GRID:
        each = parts.residuals_at(stage(lab, off=off), float(t))
        assert each.gap == pytest.approx(each.sum, abs=1e-9 * each.primal)
        assert min(each.stationarity, each.slackness, each.ceiling) >= -1e-12
        assert abs(each.balance) < 1e-9
        gaps.append(each.gap)
    assert gaps[0] == pytest.approx(0.0, abs=1e-8)
    assert min(gaps[1:]) > 1e-3
    one_only = parts.residuals_at(stage(lab, off="weights"), 1.0)
    assert one_only.primal == pytest.approx(parts.residuals_at(stage(lab, off="weights"), 0.0).primal)


def test_the_parts_chart_stacks_the_parts_and_rings_the_gap():
    lesson_stage = stage(parts.PARTS.board())
    figure = parts.chart(lesson_stage).figure
    *bars, ring = [trace for trace in figure.data if trace.name]
    np.testing.assert_allclose(sum(np.array(bar.y) for bar in bars), ring.y, atol=1e-8)
    assert len(bars) == 3


OVERLAPPING = hulls.HULLS.tries[1].board


def test_the_circles_around_the_points_grow_with_their_residuals_and_vanish_at_the_optimum():
    board = stage(parts.PARTS.board())
    alone = parts.residuals_at(board, 0.5)
    assert float(parts.point_residuals(board, 0.5).sum()) == pytest.approx(alone.slackness + alone.ceiling)
    at_optimum = stage(parts.PARTS.board(), dials={"away": 0.0})
    assert not [item for item in parts.draw(at_optimum)["overlay"] if item["kind"] == "disc"]
    circles = [item["pts"] for item in parts.draw(board)["overlay"] if item["kind"] == "disc"]
    residual = parts.point_residuals(board, 0.5)
    assert len(circles) == (residual > 1e-6 * residual.max()).sum()
    radius = {(x, y): r for x, y, r in circles}
    largest = board.data.X[residual.argmax()]
    assert max(radius, key=radius.get) == pytest.approx(tuple(largest), abs=1e-3)


@pytest.mark.parametrize("C", [0.05, 0.3, 1.0, 100.0])
def test_p_and_q_are_the_nearest_points_of_the_reduced_hulls(C):
    board = stage(replace(OVERLAPPING(), value=C))
    bound, data, (p, q) = hulls.upper_bound(board), board.data, hulls.ends(board)
    u = (p - q) / np.hypot(*(p - q))
    plus, minus = (reduced_hull(data.X[data.y == s], bound) for s in (1, -1))
    assert float((plus @ u).min() - (minus @ u).max()) == pytest.approx(np.hypot(*(p - q)), abs=1e-6)
    np.testing.assert_allclose(u, board.solution.w / board.solution.norm_w, atol=1e-6)
    shown = exact(hulls.HULLS, board)
    assert shown["‖p − q‖"] == pytest.approx(shown["‖w‖/S"], rel=1e-6)


def test_in_the_hard_margin_the_hulls_are_whole_and_as_far_apart_as_the_margin_is_wide():
    board = stage(TWELVE())
    assert hulls.upper_bound(board) == 1.0
    p, q = hulls.ends(board)
    assert np.hypot(*(p - q)) == pytest.approx(2 / board.solution.norm_w)
    middle = 0.5 * (p + q)
    np.testing.assert_allclose(board.solution.decision(middle[None]), 0, atol=1e-9)
    assert "width" in hulls.verdict(board)


def test_from_the_class_means_to_the_optimum_the_weights_stay_convex_and_p_and_q_come_nearer():
    board, distances = stage(TWELVE()), []
    for t in np.linspace(0.0, 1.0, 11):
        at = stage(TWELVE(), dials={"optimal": float(t)})
        v = hulls.combination(at)
        assert v.min() >= 0
        assert v[at.data.y > 0].sum() == pytest.approx(1)
        assert v[at.data.y < 0].sum() == pytest.approx(1)
        distances.append(hulls.distance(at))
    assert (np.diff(distances) < 0).all()
    means = [board.data.X[board.data.y == s].mean(0) for s in (1, -1)]
    np.testing.assert_allclose(hulls.ends(stage(TWELVE(), dials={"optimal": 0.0})), means)


def test_a_bound_that_reduces_nothing_is_not_said_to_reduce_the_hulls():
    verdicts = [
        hulls.verdict(stage(after(TWELVE(), {"op": "set", "values": {"hard": False, "face": "C", "value": C}})))
        for C in (0.1, 100.0)
    ]
    assert ["does not reduce" in verdict for verdict in verdicts] == [False, True]


def test_the_multiplier_of_the_lemma_runs_off_and_is_gone_at_0():
    marks = {}
    for name, eps in pieces.LEMMA.items():
        lesson_stage = stage(EIGHT(), lemma=name)
        figure = pieces.chart(lesson_stage).figure
        if eps is not None:
            marks[eps] = [trace.y[0] for trace in figure.data if trace.name == "now"]
            assert "linear" in pieces.says(lesson_stage)
    assert marks[0.0] == []
    assert [marks[eps][0] for eps in (0.1, 0.01, 1e-4)] == pytest.approx([0.5 / np.sqrt(0.1), 5.0, 50.0])
