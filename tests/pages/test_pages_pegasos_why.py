"""The steps on why Pegasos works, its other forms, the descents and the cost: what they say is what the engine has
done."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab import Gaussian, pegasos, solve
from svmlab.lab.lessons.pegasos import (
    LESSON,
    batch,
    cost,
    gradients,
    kernel,
    mean,
    one_draw,
    pushes,
    regret,
    stochastic,
    theta,
)
from svmlab.lab.lessons.pegasos.ball import path
from svmlab.lab.session import long_work
from svmlab.lab.session.state import Lab, Point, with_preset
from svmlab.lab.session.tab import PickValue
from svmlab.lab.teach import sheet
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Step
from svmlab.pegasos import run_kernel
from svmlab.pegasos.step_rule import Rule
from tests.lessons import stage_of
from tests.marks import unmarked

LAB = preset("overlapping", size=30, face="lambda", value=0.05, bias=False)()


def stage(of: Step, lab: Lab | None = None, shown: bool = True, draws: float = 0.0, **picks: PickValue) -> Stage:
    """A stage for a step, on its own board or another."""
    return replace(stage_of(LESSON, of.board() if lab is None else lab, shown, **picks), dials={"draws": draws})


# ---------------------------------------------------------------- why it works


def test_no_w_leaves_the_ball_and_the_first_step_reaches_it() -> None:
    s = stage(LESSON.step("ball"))
    norms = np.hypot(*path(s).after.T)
    X = np.hypot(*s.data.X.T).max()
    assert norms.max() <= X / s.lab.lam * (1 + 1e-12)
    assert norms[0] == pytest.approx(X / s.lab.lam)


def test_all_pushes_weigh_the_same_and_lead_to_w() -> None:
    for t in range(1, pushes.T + 1):
        s = stage(pushes.PUSHES)
        s = replace(s, dials={"pushes": float(t)})
        arrows = [np.array(i["pts"]).reshape(2, 2) for i in pushes.draw(s)["overlay"] if i["kind"] == "arrow"]
        *chain, w = arrows
        stretch = pushes.steps(s)
        assert len(chain) == stretch.violates[:t].sum()
        np.testing.assert_allclose(chain[-1][1], w[1], atol=3e-4)
        lengths = [np.hypot(*(b - a)) for a, b in chain]
        rows = stretch.drawn[:t, 0][stretch.violates[:t, 0]]
        shares = np.array(lengths) / np.hypot(*s.data.X[rows].T)
        np.testing.assert_allclose(shares, shares[0], rtol=2e-3)
        np.testing.assert_allclose(pushes.by_hand(stretch), stretch.after, atol=1e-12)


def test_the_loss_before_the_step_is_unbiased_and_the_one_after_it_is_not() -> None:
    s = stage(one_draw.DRAW)
    before, after = one_draw.means(s)
    assert before == 0
    assert after < -0.1
    assert one_draw.answer(s) == 1
    alone = stage(one_draw.DRAW, Lab(points=(Point(1, 1000, 0, 1),)))
    assert one_draw.answer(alone) == 0
    assert one_draw.verdict(alone).startswith("both")


def test_gradients_come_close_to_2X_and_never_beyond() -> None:
    s = stage(gradients.GRADIENTS)
    X = np.hypot(*s.data.X.T).max()
    assert 0.95 * 2 * X < gradients.lengths(s).max() <= 2 * X * (1 + 1e-12)
    run = pegasos(s.data, s.lab.lam, gradients.T)
    assert gradients.lengths(s).max() == pytest.approx(run.G[0, -1], rel=1e-12)


def test_where_one_place_has_both_labels_a_gradient_is_2X() -> None:
    (twins,) = [each for each in gradients.GRADIENTS.tries if each.label == "Both labels"]
    for draws in (0.0, 1.0, 2.0):
        assert gradients.lengths(stage(gradients.GRADIENTS, twins.board(), draws=draws)).max() == pytest.approx(2.0)


def test_F_at_the_mean_is_below_the_mean_of_F() -> None:
    s = stage(mean.MEAN)
    run = pegasos(s.data, s.lab.lam, mean.T)
    assert (run.average[0] <= mean.middle(s) + 1e-12).all()


# ---------------------------------------------------------------- forms, descents, cost


def test_the_kernel_run_goes_to_the_exact_solution_and_its_line_is_where_f_is_0() -> None:
    lab = with_preset(Lab(preset="moons", kernel="gaussian", face="lambda", value=0.02, size=30, bias=False))
    s = stage(kernel.KERNEL, lab)
    run = run_kernel(lab.data, Rule(lab.lam), 10_000, Gaussian(1.0))
    best = solve(lab.problem)
    assert run.average[0, -1] - best.objective * lab.lam < 0.02
    items = kernel.draw(s)["overlay"]
    lines = [np.array(i["pts"]).reshape(-1, 2) for i in items if i["style"] == "accent"]
    assert lines
    assert np.abs(run.decision(np.vstack(lines))).max() < 0.02
    bars = [i for i in items if i["style"] != "accent"]
    assert len(bars) == (run.averages[0, -1] != 0).sum()


def test_counts_and_w_agree_to_rounding() -> None:
    assert kernel.apart(stage(kernel.KERNEL, LAB)) < 1e-9


def test_the_printed_factor_leaves_a_gap_and_the_right_one_none() -> None:
    s = stage(theta.THETA)
    now = theta.compare(s)
    assert now.limit > 0.01
    assert now.gaps["printed"][-1] == pytest.approx(now.limit, rel=0.2)
    assert max(now.gaps[name][-1] for name in ("double", "theta", "w")) < 0.01 * now.limit * 2
    assert theta.answer(s) == 1


def test_the_loop_of_five_rounds_holds_four_fifths() -> None:
    s = stage(theta.THETA, regret.REGRET.board(), theta="loop")
    said = {reading.name: float(reading.exact) for reading in theta.THETA.numbers(s) if reading.exact != "5.0"}
    assert list(said.values()) == pytest.approx([4 / 5, 5 / 6])


def test_the_descents_reach_what_the_catalogue_says() -> None:
    s = stage(batch.BATCH)
    printed, repaired = batch.far(s)
    assert repaired[-1] < 0.001
    assert 0.1 < printed[-1] <= batch.band(s)
    ends = stochastic.far(stage(stochastic.STOCHASTIC))
    assert ends["printed"][-1] > 5 * ends["repaired"][-1]
    assert ends["as written"][-1] > 5 * ends["repaired"][-1]


def test_costs_are_counted_at_once_and_timed_on_request() -> None:
    s = stage(cost.COST)
    counted = cost.counted()
    assert cost.doubling(cost.COUNTED, counted["dual-qp"]) == pytest.approx(8, abs=0.5)
    assert cost.doubling(cost.COUNTED, counted["step"]) == pytest.approx(1)
    assert cost.doubling(cost.COUNTED, counted["kernel-step"]) == pytest.approx(2, abs=0.1)
    assert s.cache.entries == {}
    with pytest.raises(Working):
        cost.chart(replace(s, request_work=None, picks={**s.picks, "cost": "solve"}))


def test_a_result_that_comes_while_the_page_is_drawn_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = sheet.picture

    def late(of: Step, s: Stage, *rest: object) -> None:
        s.cache.get_or_compute(("waited",), lambda: at.session_state["lab"].job.wait(60))
        picture(of, s, *rest)

    monkeypatch.setattr(long_work, "WAIT_SECONDS", 0.0)
    monkeypatch.setattr(sheet, "picture", late)
    at = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)
    at.run().switch_page("pages/pegasos.py").run()
    at.session_state["lab"].open_steps["pegasos"] = "batch"
    at.run()
    at.button(key="batch_show").click().run()
    assert any("steps 1/r end at" in unmarked(said.value) for said in at.markdown)
