"""What stands behind a board of several classes or of values: its numbers, its certificate, programs that are run, and
files."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab import SolverFailed
from svmlab.lab.bench import tasks
from svmlab.lab.bench.tasks import certificate
from svmlab.lab.bench.tasks.code import with_sklearn, with_svmlab
from svmlab.lab.bench.tasks.inspector import NONE, WHY, inspector
from svmlab.lab.board import classes_picture, drag_socket, tube_picture
from svmlab.lab.numbers import short
from svmlab.lab.session import cache, files, inbox
from svmlab.lab.session.controls import BINARY, CLASSES, VALUES
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.operations import accept, open_file
from svmlab.lab.session.state import History, apply
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.open_lesson import OpenLesson as Standpoint
from svmlab.lab.teach.step import Choice, Lesson, Step
from svmlab.multiclass import MulticlassCategory
from svmlab.regression import TubeCategory
from tests.pages.test_pages_live import asked, moved
from tests.pages.test_pages_tasks import BLOBS, BOARDS, SLOPE, every, of_classes

ROW = of_classes("row")
ASKS = {"key": "any", "title": "", "question": "", "choices": (Choice(""),), "answer": lambda stage: 0, "shows": ()}
MORE = BOARDS | {
    "row": ROW,
    "lambda": replace(BLOBS, face="lambda", value=0.02),
    "hard": replace(BLOBS, hard=True),
    "no bias": replace(BLOBS, bias=False),
    "polynomial": replace(BLOBS, kernel="polynomial", degree=2, scale=0.5, coef0=1.0),
    "values, no bias": replace(SLOPE, bias=False),
    "values, lambda": replace(SLOPE, face="lambda", value=0.02, eps=0.1),
}


def solved(lab):
    solution = cache.solve_task_within_limit(lab, None).solution
    assert solution is not None
    return solution


def inspector_text(lab, at):
    return inspector(replace(lab, selected=lab.points[at].id), solved(lab))


def values(html):
    return dict(re.findall(r'data-value="([^"]+)" title="([^"]+)"', html))


def test_a_slack_runs_from_its_point_straight_to_the_edge_of_the_tube():
    lab = replace(SLOPE, eps=0.2)
    fit, rows = solved(lab), {p.id: p for p in lab.points}
    drawn = tube_picture.slack(lab, fit)
    assert 0 < len(drawn) < len(rows)
    for id, x, y, x_of_edge, edge in drawn:
        f = float(fit.decision([[x]])[0])
        assert (x, y, x_of_edge) == (rows[id].x / 1000, rows[id].y / 1000, x)
        assert edge == pytest.approx(f + math.copysign(0.2, y - f), abs=1e-4)


# the selected point


@pytest.mark.parametrize("name", [n for n, lab in MORE.items() if lab.task == CLASSES])
def test_every_f_of_a_point_its_class_and_where_it_stands_are_said(name):
    lab = MORE[name]
    machines = solved(lab)
    f, given = machines.decision(machines.problem.data.X), machines.predict(machines.problem.data.X)
    for at in range(0, len(lab.points), 5):
        html = inspector_text(lab, at)
        np.testing.assert_allclose([float(v) for v in values(html).values()], f[at], atol=max(machines.noise, 1e-9))
        assert f"class {lab.points[at].label}, predicted class {given[at]}" in html
        assert classes_picture.DESCRIPTION[machines.categories[at]] in html


def test_the_classes_of_a_row_stand_in_three_ways():
    categories = {classes_picture.key(c) for c in solved(ROW).categories}
    assert {classes_picture.key(s) for s in (MulticlassCategory.CLEAR, MulticlassCategory.LARGEST)} <= categories
    for at, standing in enumerate(solved(ROW).categories):
        assert f'data-category="{classes_picture.key(standing)}"' in inspector_text(ROW, at)


@pytest.mark.parametrize("eps", [0.0, 0.2, 0.4, 3.0])
@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_every_number_of_a_value_is_that_of_the_fit(eps, kernel):
    lab = replace(SLOPE, eps=eps, kernel=kernel)
    fit = solved(lab)
    for at, place in enumerate(fit.categories):
        html = inspector_text(lab, at)
        numbers = {name: float(v) for name, v in values(html).items()}
        assert numbers["y"] == fit.problem.data.y[at]
        assert numbers["f"] == pytest.approx(fit.decision(fit.problem.data.X[at : at + 1])[0], abs=1e-9)
        assert numbers["y"] - numbers["f"] == pytest.approx(numbers["r"], abs=1e-12)
        assert (numbers["alpha"], numbers["star"]) == (fit.alpha[at], fit.alpha_star[at])
        assert (numbers["xi"], numbers["xi_star"]) == (fit.xi[at], fit.xi_star[at])
        assert tube_picture.DESCRIPTION[place].replace("<", "&lt;").replace(">", "&gt;") in html
        assert WHY[place] in html


def test_the_condition_of_a_point_below_speaks_of_its_own_multiplier():
    fit = solved(SLOPE)
    for at, (place, side) in enumerate(zip(fit.categories, fit.sides, strict=True)):
        if place is TubeCategory.OUTSIDE:
            slack = short(float((fit.xi + fit.xi_star)[at]))
            said = f"ξ = {slack}" if side > 0 else f"ξ* = {slack}"
            assert said in inspector_text(SLOPE, at)
            assert ("above f" if side > 0 else "below f") in inspector_text(SLOPE, at)
    assert {-1, 1} <= {int(s) for s, p in zip(fit.sides, fit.categories, strict=True) if p is TubeCategory.OUTSIDE}


def test_the_message_says_that_f_is_constant_only_where_w_is_0():
    # Within a tube that holds all values w = 0 is optimal, and b is free.
    wide = tube_picture.message(solved(replace(SLOPE, eps=3.0)))
    assert wide is not None
    assert "w = 0" in wide
    assert "b is not unique" in wide
    assert tube_picture.message(solved(replace(SLOPE, eps=0.2))) is None


@every
def test_without_a_selected_point_it_says_so(lab):
    assert NONE in inspector(replace(lab, selected=None), solved(lab))


# the certificate


@pytest.mark.parametrize("name", MORE)
def test_the_certificate_has_both_objectives_and_they_meet(name):
    solution = solved(MORE[name])
    machines = solution.machines if MORE[name].task == CLASSES else [solution]
    text = certificate.of_classes(solution) if MORE[name].task == CLASSES else certificate.of_values(solution)
    for machine in machines:
        assert f"{machine.objective:.{8 if MORE[name].task == CLASSES else 12}g}" in text
        assert abs(machine.gap) <= 1e-9
    assert "does not hold" not in text
    assert text.count("holds") == (len(machines) if MORE[name].task == CLASSES else 4)


def test_what_is_no_optimum_does_not_hold():
    fit = solved(SLOPE)
    bent = replace(fit, alpha=fit.alpha * 0.9)
    assert "does not hold" in certificate.of_values(bent)
    machines = solved(BLOBS)
    one = replace(machines.machines[0], alpha=machines.machines[0].alpha * 0.9)
    assert "does not hold" in certificate.of_classes(replace(machines, machines=(one, *machines.machines[1:])))


@pytest.mark.parametrize("name", ["blobs", "rings", "values", "curve"])
def test_a_second_solver_agrees(name):
    said = certificate.agreement(solved(BOARDS[name]))
    apart = re.search(r"within (\S+) on", said)
    assert apart
    assert "10⁻" in apart[1] or float(apart[1]) < 1e-3


def test_a_second_solver_that_fails_leaves_the_certificate(monkeypatch):
    def broken(*_, **__):
        raise SolverFailed("no end")

    monkeypatch.setattr(certificate, "solve", broken)
    assert "no end" in certificate.agreement(solved(BLOBS))


# the programs


def run(program):
    space = {}
    exec(compile(program, "program", "exec"), space)
    return space


@pytest.mark.parametrize("name", MORE)
def test_the_svmlab_program_gives_the_svms_of_the_board(name):
    expected, space = solved(MORE[name]), run(with_svmlab(MORE[name]))
    pairs = (
        zip(space["solution"].machines, expected.machines, strict=True)
        if MORE[name].task == CLASSES
        else [(space["fit"], expected)]
    )
    for made, wanted in pairs:
        np.testing.assert_array_equal(made.alpha, wanted.alpha)
        assert (made.b, made.gap) == (wanted.b, wanted.gap)


@pytest.mark.parametrize("name", MORE)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_scikit_learn_program_gives_the_same_f(name):
    lab = MORE[name]
    expected, data = solved(lab), files.points_to_save(lab)
    model = run(with_sklearn(lab))["model"]
    f = model.decision_function(data.X) if lab.task == CLASSES else model.predict(data.X)
    np.testing.assert_allclose(f, expected.decision(data.X), atol=2e-3)


@pytest.mark.parametrize("name", ["rings", "curve"])
def test_a_kernel_without_bias_says_that_scikit_learn_has_none(name):
    assert "model" not in run(with_sklearn(replace(BOARDS[name], bias=False)))


# files


@every
@pytest.mark.parametrize("ending", ["csv", "json"])
def test_what_is_saved_of_a_board_opens_on_it_again_and_is_undone(lab, ending):
    data = files.points_to_save(lab)
    text = data.to_csv() if ending == "csv" else data.to_json()
    cleared = apply(History(lab), {"op": "points", "points": []})
    session = Session(History(lab))
    session.show_board("extensions.rest", replace(cleared.present, label=1))
    open_file(session, f"points.{ending}", text.encode())
    assert [p[1:] for p in session.lab.points] == [p[1:] for p in lab.points]
    assert (session.lab.task, session.lab.eps, session.lab.kernel) == (lab.task, lab.eps, lab.kernel)
    assert session.boards.own.present == lab
    inbox.do(session, {"op": "undo"})
    assert session.lab.points == ()


def test_names_and_classes_beyond_the_board():
    session = Session(History(BLOBS))
    open_file(session, "iris.csv", "x1,x2,label\n0,0,setosa\n1,0,virginica\n2,0,versicolor\n")
    assert [p.label for p in session.lab.points] == [1, 3, 2]
    before = session.lab.points
    open_file(session, "far.csv", "x1,x2,label\n0,0,1\n1,0,5\n")
    assert session.lab.points == before
    assert session.draft is not None
    accept(session)
    assert [p.label for p in session.lab.points] == [1, 2]
    assert session.lab.axes is not None
    assert session.lab.axes.classes == ("1", "5")


def test_values_beyond_the_board_are_offered_scaled():
    session = Session(History(SLOPE))
    open_file(session, "high.csv", "x1,y\n0,10\n1,20\n2,35\n")
    assert session.draft is not None
    accept(session)
    assert session.lab.task == VALUES
    assert [(p.x, p.y) for p in session.lab.points] == [(0, 1000), (100, 2000), (200, 3500)]


def test_a_point_that_two_share_is_said():
    twice = replace(SLOPE, points=(*SLOPE.points, Point(99, *SLOPE.points[0][1:])))
    assert "2 points here" in inspector_text(twice, 0)


# a drag


@pytest.mark.parametrize(
    "lab", [BLOBS, BOARDS["rings"], BOARDS["curve"], with_preset(Lab(size=20))], ids=["blobs", "rings", "curve", "two"]
)
def test_what_is_solved_for_the_picture_is_not_solved_again_for_the_step(lab, monkeypatch):
    def again(*_):
        raise AssertionError("solved twice")

    step = Step(**ASKS, board=Lab, draw=lambda stage: {"seen": _seen(stage)})
    session = Session(History(lab), page="small")
    session.lessons.step_overlay = Standpoint(session, Lesson("small", "", (step,))).step_overlay(step)
    monkeypatch.setattr(cache, "solve_within_limit", again)
    monkeypatch.setattr(cache, "solve_task_within_limit", again)
    drawn = json.loads(drag_socket.draw(asked(moved(lab, 3, 10, 20)), None, session)[0])
    assert drawn["seen"] > 0
    assert drawn["message"] is None or drawn["message"]["tone"] == "info"


def _seen(stage):
    """The sum of all multipliers."""
    if stage.lab.task == BINARY:
        return float(stage.solution.alpha.sum())
    if stage.lab.task == CLASSES:
        return float(sum(machine.alpha.sum() for machine in stage.machines.machines))
    return float((stage.fit.alpha + stage.fit.alpha_star).sum())


@pytest.mark.parametrize("part", tasks.PARTS)
def test_none_of_it_is_a_fragment(part, monkeypatch):
    """It stands in a popover at the sheet's foot. Of a run that is broken off a fragment within is sent, its parents
    are not: a white page."""

    def fragment(*_args, **_kwargs):
        raise AssertionError("a fragment")

    page = AppTest.from_function(behind, args=(part,))
    monkeypatch.setattr("streamlit.fragment", fragment)
    page.run()
    assert not page.exception
    assert page.button_group


def behind(part):
    import streamlit as st

    from svmlab.lab.bench import tasks
    from svmlab.lab.session.state import History
    from svmlab.lab.session.tab import Session
    from tests.pages.test_pages_tasks import BLOBS

    st.session_state.setdefault("behind_part", part)
    tasks.show(Session(History(BLOBS)), lambda: None)
