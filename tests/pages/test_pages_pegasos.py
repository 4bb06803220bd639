"""The lesson on Pegasos, run by Streamlit's own test driver on boards of every kind."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab import Gaussian, Linear, Problem, pegasos, solve
from svmlab.lab.board import board_of
from svmlab.lab.lessons.pegasos import LESSON, words
from svmlab.lab.lessons.pegasos import common as pegasos_common
from svmlab.lab.lessons.pegasos import descent as pegasos_descent
from svmlab.lab.lessons.pegasos import kernel as pegasos_kernel
from svmlab.lab.lessons.pegasos import regret as pegasos_regret
from svmlab.lab.lessons.pegasos import step as pegasos_step
from svmlab.lab.lessons.pegasos.common import asked, kept, without_bias
from svmlab.lab.session import longwork, longwork_words, share
from svmlab.lab.session.state import History, Lab, Point, begin, with_preset
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.step import Stage
from svmlab.pegasos import objective, run_kernel
from svmlab.pegasos.rule import Rule

ROOT = Path(__file__).parents[2]
SEVERAL = tuple(
    Point(i, round(2000 * math.cos(i) + 700 * (i % 2)), round(2500 * math.sin(2 * i)), 1 if i % 2 else -1)
    for i in range(1, 121)
)
BOARDS = {
    "none": Lab(),
    "one": Lab(points=(Point(1, 1000, 0, 1),)),
    "one class": Lab(points=(Point(1, 1000, 0, 1), Point(2, 0, 1000, 1))),
    "origin": Lab(points=(Point(1, 0, 0, 1), Point(2, 0, 0, -1))),
    "preset": begin().present,
    "120": Lab(points=SEVERAL, face="lambda", value=0.05),
    "gaussian": with_preset(Lab(preset="moons", kernel="gaussian", size=30)),
    "sigmoid": with_preset(Lab(preset="moons", kernel="sigmoid", size=30)),
    "hard": with_preset(Lab(preset="separable", hard=True, size=30)),
    "large C": with_preset(Lab(value=1e6, size=20)),
    "large lambda": with_preset(Lab(face="lambda", value=1e6, size=20)),
}
KEYS = [step.key for step in LESSON.steps]


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Work is waited for, however slow the machine."""
    monkeypatch.setattr(longwork, "PATIENCE", 60.0)


def start(lab: Lab) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params["s"] = share.encode(lab)
    return sound(sound(at.run()).switch_page("pages/pegasos.py").run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    return at


def go(at: AppTest, step: int) -> AppTest:
    return sound(at.segmented_control(key="pegasos_step").set_value(step).run())


def session(at: AppTest) -> Session:
    found: Session = at.session_state["lab"]
    return found


def said(at: AppTest) -> str:
    return "\n".join(e.value for kind in (at.markdown, at.info, at.caption, at.warning) for e in kind)


def checked(at: AppTest) -> AppTest:
    """The page once its checks are done."""
    work = at.session_state["lab"].aside["checks"].job
    if work is not None:
        work.wait(60)
    return at.run()


@pytest.mark.parametrize("name", BOARDS)
def test_every_step_opens_and_answers_on_every_board(name):
    at = start(BOARDS[name])
    for i, step in enumerate(LESSON.steps):
        go(at, i)
        assert at.subheader[0].value == step.title
        if not BOARDS[name].points:
            assert at.info
            continue
        if i % 2:
            sound(at.button(key=f"{step.key}_show").click().run())
        else:
            sound(at.radio(key=f"pegasos_{step.key}_choice").set_value(i % len(step.choices)).run())
        assert session(at).lessons[f"pegasos.{step.key}"]["shown"]


@pytest.mark.parametrize("name", ["preset", "hard", "gaussian"])
def test_the_statements_are_checked_at_the_end(name):
    at = go(start(BOARDS[name]), len(LESSON.steps))
    assert {"P1", "P13", "L6", "L7", "X3"} <= set(LESSON.checked)
    assert all(f'">{id}<' in said(checked(at)) for id in LESSON.checked)


@pytest.mark.parametrize("step", [i for i, s in enumerate(LESSON.steps) if s.tries])
def test_every_prompt_sets_up_a_board_on_which_the_step_runs(step):
    key = LESSON.steps[step].key
    for i in range(len(LESSON.steps[step].tries)):
        at = go(start(BOARDS["hard"]), step)
        before = session(at).lab
        sound(at.button(key=f"{key}_show").click().run())
        sound(at.button(key=f"{key}_try{i}").click().run())
        assert session(at).lab != before
        assert not session(at).lab.hard
        assert words.HARD not in said(at)
        session(at).do({"op": "undo"})
        assert session(at).lab.points == before.points
        assert session(at).lab.settings == before.settings


@pytest.mark.parametrize("name", ["hard", "gaussian"])
def test_where_pegasos_cannot_run_it_says_why_and_a_button_makes_it_run(name):
    at = go(start(BOARDS[name]), 1)
    sound(at.button(key="convergence_show").click().run())
    assert at.info[0].value.startswith(words.HARD[:20] if name == "hard" else words.KERNEL[:20])
    sound(at.button(key="pegasos_linear").click().run())
    assert (session(at).lab.kernel, session(at).lab.hard) == ("linear", False)
    assert not at.info


def test_a_kernel_that_is_none_is_refused_in_a_sentence():
    at = go(start(BOARDS["sigmoid"]), KEYS.index("kernel"))
    sound(at.button(key="kernel_show").click().run())
    assert at.info[0].value == words.INDEFINITE.format(kernel="sigmoid")
    sound(at.button(key="pegasos_gaussian").click().run())
    assert session(at).lab.kernel == "gaussian"


def test_choices_stay_and_change_the_run():
    at = go(start(BOARDS["preset"]), 1)
    sound(at.button(key="convergence_show").click().run())
    sound(at.select_slider(key="pegasos_T").set_value(1000).run())
    sound(at.select_slider(key="pegasos_runs").set_value(5).run())
    sound(at.select_slider(key="pegasos_eps").set_value(0.1).run())
    lab = session(at).lab
    run = pegasos(lab.data, lab.lam, 1000, 5)
    best = lab.lam * solve(Problem.from_lambda(lab.data, Linear(), lab.lam, bias=False)).objective
    gaps = run.average.mean(0) - best
    assert f"{gaps[-1]:.3g}" in said(at)
    first = run.t[np.flatnonzero(gaps > 0.1)[-1] + 1]
    assert f"**{first}** steps for the average" in said(at)
    go(go(at, 0), 1)
    assert at.select_slider(key="pegasos_T").value == 1000
    sound(at.button(key="pegasos_again").click().run())
    assert f"{pegasos(lab.data, lab.lam, 1000, 5, seed=1).average[:, -1].mean() - best:.3g}" in said(at)


def test_the_slider_can_be_put_on_lambda_without_changing_the_machine():
    at = go(start(BOARDS["preset"]), 1)
    sound(at.button(key="convergence_show").click().run())
    lam = session(at).lab.lam
    sound(at.button(key="pegasos_face").click().run())
    assert session(at).lab.face == "lambda"
    assert session(at).lab.lam == pytest.approx(lam, rel=1e-12)


def test_measuring_the_cost_shows_slopes():
    at = go(start(BOARDS["preset"]), KEYS.index("cost"))
    sound(at.button(key="cost_show").click().run())
    assert "slope" not in said(at)
    sound(at.select_slider(key="pegasos_sizes").set_value(200).run())
    sound(at.button(key="pegasos_measure").click().run())
    assert words.COST_LONG["dual-qp"] in said(at)
    assert "ms at 200" in said(at)


# ---------------------------------------------------------------- what is drawn


def stage(lab: Lab, key: str, shown: bool = True) -> Stage:
    step = LESSON.steps[KEYS.index(key)]
    s = Stage(Session(History(lab)), "pegasos", step, lambda: None)
    s.memory["shown"] = shown
    return s


LAB = with_preset(Lab(face="lambda", value=0.05, size=30))


def test_the_film_is_the_formula_with_the_numbers_of_the_run():
    s = stage(LAB, "step")
    film = pegasos_step.film(s)["film"]
    w = np.zeros(2)
    stretch = pegasos_step.stretch(s)
    for t, (frame, row) in enumerate(zip(film["frames"], stretch.drawn[:, 0], strict=True), 1):
        x, y = LAB.data.X[row], LAB.data.y[row]
        violates = y * (w @ x) < 1
        after = (1 - 1 / t) * w + violates * y * x / (LAB.lam * t)
        assert frame["ring"] == LAB.points[row].id
        assert f"<b>t = {t}</b>" in frame["caption"]
        assert (words.STEP["pushed"] in frame["caption"]) == violates
        arrows = [np.array(item["pts"][2:]) for item in frame["items"] if item["kind"] == "arrow"]
        size = np.hypot(*arrows[-1]) / (np.hypot(*after) or 1)
        np.testing.assert_allclose(arrows[0], size * w, atol=2e-4)
        np.testing.assert_allclose(arrows[-1], size * after, atol=2e-4)
        assert max(np.abs(a).max() for a in arrows) <= LAB.view
        w = after
    assert not stretch.violates[film["at"], 0], "it opens at a step without a push"
    assert {len(frame["items"]) for frame in film["frames"]} == {5}


@pytest.mark.parametrize("first", [100, 10_000])
def test_a_film_may_start_late(first):
    s = stage(LAB, "step")
    kept(s)["start"] = first
    frames = pegasos_step.film(s)["film"]["frames"]
    assert f"<b>t = {first:,}</b>".replace(",", " ") in frames[0]["caption"]
    assert len(frames) == pegasos_step.FRAMES


def test_nothing_is_shown_before_the_answer():
    for step in LESSON.steps:
        drawn = step.draw(stage(LAB, step.key, shown=False))
        assert not drawn.get("overlay")
        assert "film" not in drawn


def test_the_averaged_line_is_drawn_where_the_run_has_it():
    s = stage(LAB, "convergence")
    (line,) = LESSON.steps[1].draw(s)["overlay"]
    w = asked(s, 10_000, 20).result.run.averages[0, -1]
    for x in np.array(line["pts"]).reshape(2, 2):
        assert abs(w @ x) < 1e-3 * np.hypot(*w)


def test_regret_is_that_of_the_draws_and_the_print_fails_on_one_point():
    s = stage(LAB, "regret")
    assert pegasos_regret.answer(s) in (0, 1)
    op = pegasos_regret.counterexample(s)
    s.session.do(op)
    assert (s.lab.lam, len(s.lab.points)) == (1.0, 1)
    assert pegasos_regret.answer(s) == 1
    left = pegasos_regret.left_side(s)
    np.testing.assert_allclose(left[:, 0], 0.5, atol=1e-12)


def test_the_kernel_run_goes_to_the_exact_solution_and_its_line_is_where_f_is_0():
    lab = with_preset(Lab(preset="moons", kernel="gaussian", face="lambda", value=0.02, size=30))
    s = stage(lab, "kernel")
    run = run_kernel(lab.data, Rule(lab.lam), 10_000, Gaussian(1.0))
    best = solve(without_bias(lab).problem)
    assert run.average[0, -1] - best.objective * lab.lam < 0.02
    items = LESSON.steps[KEYS.index("kernel")].draw(s)["overlay"]
    lines = [np.array(i["pts"]).reshape(-1, 2) for i in items if i["style"] == "accent"]
    assert lines
    f = run.decision(np.vstack(lines))
    assert np.abs(f).max() < 0.02
    bars = [i for i in items if i["style"] != "accent"]
    assert len(bars) == (run.averages[0, -1] != 0).sum()


def test_the_descents_reach_what_the_catalogue_says():
    far = pegasos_descent.distances(stage(LAB, "descent"))
    assert far["batch"] < 0.02
    assert far["sgd_printed"] > 5 * far["sgd"]
    assert far["batch_printed"] > far["batch"]
    assert pegasos_descent.answer(stage(LAB, "descent")) == 1


def test_counts_and_w_agree_to_rounding():
    assert pegasos_kernel._apart(stage(LAB, "kernel")) < 1e-9


def test_the_board_shows_the_machine_without_bias():
    lab = begin().present
    data = board_of(Session(History(lab)), LESSON.machine(lab))
    best = solve(Problem(lab.data, Linear(), 1.0, bias=False))
    ends = np.array(data["lines"]["zero"][0]).reshape(-1, 2)
    assert np.abs(best.decision(ends)).max() < 1e-3
    assert float(objective(lab.data, lab.lam, best.w)) == pytest.approx(best.objective * lab.lam, rel=1e-9)


def test_long_work_is_shown_with_progress_can_be_cancelled_and_asked_for_again(monkeypatch):
    monkeypatch.setattr(longwork, "PATIENCE", 0.0)
    go_on = threading.Event()

    def slow(*args, on_progress, **rest):
        while not go_on.wait(0.01):
            on_progress(0.25)
        return pegasos(*args, **rest)

    monkeypatch.setattr(pegasos_common, "pegasos", slow)
    at = go(start(BOARDS["preset"]), 1)
    sound(at.button(key="convergence_show").click().run())
    assert at.get("progress")
    first = session(at).job
    sound(at.button(key="work_cancel").click().run())
    assert first.wait(30)
    sound(at.run())
    assert longwork_words.CANCELLED in said(at)
    go_on.set()
    monkeypatch.setattr(longwork, "PATIENCE", 60.0)
    sound(at.button(key="work_again").click().run())
    assert session(at).job is not first
    assert "F(w*) =" in said(at)


def test_asking_for_something_else_calls_the_work_off_and_what_is_done_is_kept():
    s = Session(History(LAB))
    done = longwork.ask(s, ("a",), lambda report: 1)
    assert longwork.ask(s, ("b",), lambda report: 2).result == 2
    assert longwork.ask(s, ("a",), lambda report: 3) is done
