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
    ball,
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
from svmlab.lab.lessons.pegasos.drawn_run import steps_of_run
from svmlab.lab.numbers import short
from svmlab.lab.session import long_work
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.session.lesson_state import PickValue
from svmlab.lab.teach import sheet
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Step
from svmlab.pegasos import objective, run_kernel
from svmlab.pegasos.step_rule import Rule
from tests.lessons import stage_of
from tests.marks import unmarked

LAB = preset("overlapping", size=30, face="lambda", value=0.05, bias=False)()


def stage(of: Step, lab: Lab | None = None, shown: bool = True, draws: float = 0.0, **picks: PickValue) -> Stage:
    """A stage for a step, on its own board or another."""
    return replace(stage_of(LESSON, of.board() if lab is None else lab, shown, **picks), dials={"draws": draws})


# ---------------------------------------------------------------- why it works


def test_no_iterate_leaves_the_ball_and_the_first_step_reaches_it() -> None:
    s = stage(ball.BALL)
    norms = np.hypot(*ball.iterates(s).T)
    X = np.hypot(*s.data.X.T).max()
    assert ball.radius(s) == pytest.approx(X / s.lab.lam)
    assert norms.max() <= ball.radius(s) * (1 + 1e-12)
    assert (norms[0], norms[1]) == (0, pytest.approx(ball.radius(s)))
    other_draws = stage(ball.BALL, draws=1.0)
    assert np.hypot(*ball.iterates(other_draws).T).max() < ball.radius(s)
    assert [ball.rests_on_answer(each) for each in (s, other_draws)] == [True, False]
    assert ball.norm_of_minimiser(s) <= ball.bound_of_minimiser(s)


def test_all_pushes_have_the_same_coefficient_and_lead_to_w() -> None:
    for t in range(1, pushes.T + 1):
        s = replace(stage(pushes.PUSHES), dials={"pushes": float(t)})
        *chain, w = [np.array(i["pts"]).reshape(2, 2) for i in pushes.draw(s)["overlay"] if i["kind"] == "arrow"]
        steps = steps_of_run(s, pushes.T)
        assert len(chain) == steps.violates[:t].sum()
        np.testing.assert_allclose(chain[-1][1], w[1], atol=3e-4)
        lengths = [np.hypot(*(end - start)) for start, end in chain]
        rows = steps.drawn[:t, 0][steps.violates[:t, 0]]
        coefficients = np.array(lengths) / np.hypot(*s.data.X[rows].T)
        np.testing.assert_allclose(coefficients, pushes.scale_of(s) * pushes.coefficient(s), rtol=2e-3)
        np.testing.assert_allclose(pushes.by_updates(s), steps.after, atol=1e-12)


def test_the_mean_gradient_of_all_points_is_the_gradient_of_F() -> None:
    for w in ((0.4, -0.8), (0.0, 0.0), (-2.0, 1.0)):
        s = replace(stage(one_draw.DRAW), dials={"unbiased1": w[0], "unbiased2": w[1]})
        ends = np.array(w) + 1e-6 * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
        values = objective(s.data, s.lab.lam, ends)
        measured = (values[::2] - values[1::2]) / 2e-6
        np.testing.assert_allclose(one_draw.gradients(s).mean(0), measured, atol=1e-7)
        assert one_draw.error_of_mean(s, one_draw.N) < 0.2 * one_draw.error_of_mean(s, 1)


def test_the_draws_of_other_steps_do_not_change_the_mean_of_the_draws() -> None:
    one, two = stage(one_draw.DRAW), stage(one_draw.DRAW, draws=3.0)
    assert one_draw.error_of_mean(one, 10) == one_draw.error_of_mean(two, 10)
    assert one_draw.DRAW.verdict_text(one) == one_draw.DRAW.verdict_text(two)


def test_after_the_step_the_loss_of_the_drawn_point_is_too_small_on_the_board() -> None:
    s = stage(one_draw.DRAW)
    after = next(part for part in one_draw.DRAW.more_parts(s) if "After the step" in part)
    data, lam, w, t = s.data, s.lab.lam, np.array(one_draw.position(s)), 2
    differences = []
    for x, y in zip(data.X, data.y, strict=True):
        next_w = (1 - 1 / t) * w + (y * (w @ x) < 1) * y * x / (lam * t)
        loss = max(0.0, 1 - y * (next_w @ x)) + lam / 2 * (next_w @ next_w)
        differences.append(loss - float(objective(data, lam, next_w)))
    assert f"is {short(float(np.mean(differences)), 3)}." in after
    assert np.mean(differences) < 0


def test_gradients_come_close_to_2X_and_never_beyond() -> None:
    s = stage(gradients.GRADIENTS)
    X = np.hypot(*s.data.X.T).max()
    assert 0.95 * 2 * X < gradients.lengths(s).max() <= 2 * X * (1 + 1e-12)
    run = pegasos(s.data, s.lab.lam, gradients.T)
    assert gradients.lengths(s).max() == pytest.approx(run.G[0, -1], rel=1e-12)
    arrows = [np.array(i["pts"]).reshape(2, 2) for i in gradients.draw(s)["overlay"] if i["kind"] == "arrow"]
    assert np.hypot(*(arrows[-1][1] - arrows[-1][0])) == pytest.approx(gradients.lengths(s).max(), rel=1e-3)


def test_where_one_position_has_both_labels_a_gradient_is_2X() -> None:
    (twins,) = [each for each in gradients.GRADIENTS.tries if each.label == "Both labels"]
    s = stage(gradients.GRADIENTS, twins.board())
    assert gradients.lengths(s)[gradients.row(s)] == pytest.approx(2.0)


def test_F_at_the_average_is_at_most_the_mean_of_F() -> None:
    s = stage(mean.MEAN)
    w = mean.iterates(s)
    for t in range(1, mean.T + 1):
        assert mean.gap_of_average(s, t) == pytest.approx(float(mean.gaps(s, w[:t].mean(0)[None])[0]), abs=1e-12)
        assert mean.mean_gap(s, t) == pytest.approx(float(mean.gaps(s, w[:t]).mean()), abs=1e-12)
        assert mean.gap_of_average(s, t) <= mean.mean_gap(s, t) + 1e-12


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


def test_counts_and_w_agree_up_to_rounding() -> None:
    assert kernel.difference(stage(kernel.KERNEL, LAB)) < 1e-9


def test_the_factor_of_the_notes_leaves_a_gap_and_the_corrected_one_none() -> None:
    s = stage(theta.THETA)
    forms = theta.compared(s)
    assert forms.limit > 0.01
    assert forms.gaps["notes"][-1] == pytest.approx(forms.limit, rel=0.2)
    assert max(forms.gaps[name][-1] for name in ("corrected", "t", "t - 1")) < 0.01 * forms.limit * 2
    assert theta.answer(s) == 1


def test_where_both_objectives_have_one_minimiser_the_answer_is_yes() -> None:
    (separable,) = [each for each in theta.THETA.tries if each.label == "Separable"]
    s = stage(theta.THETA, separable.board())
    assert theta.answer(s) == 0
    np.testing.assert_allclose(theta.compared(s).minimiser, theta.optimum_without_bias(s).w, atol=1e-7)


def test_a_loop_of_five_rounds_computes_four_fifths_and_not_five_sixths() -> None:
    norms = theta.loop_norms(stage(theta.THETA, regret.REGRET.board()))
    assert norms[-2:].tolist() == pytest.approx([4 / 5, 5 / 6])


def test_the_constant_step_size_stays_away_and_the_decreasing_one_converges() -> None:
    s = stage(batch.BATCH)
    assert batch.distances(s, batch.decreasing(s))[-1] < 0.001
    assert 0.1 < batch.distances(s, batch.constant(s))[-1] <= batch.largest_late_distance(s)
    assert batch.stays_away(s)


def test_the_constant_step_size_converges_where_F_is_smooth_at_the_minimiser() -> None:
    smooth = replace(batch.BATCH.board(), value=10.0)
    s = stage(batch.BATCH, smooth)
    margins = s.data.y * (s.data.X @ batch.minimiser(s))
    assert np.abs(margins - 1).min() > 0.01
    assert batch.largest_late_distance(s) < 1e-9
    assert not batch.stays_away(s)


def test_the_update_of_the_slides_ends_far_away_except_with_one_class() -> None:
    ends = stochastic.distances(stage(stochastic.STOCHASTIC))
    assert ends["printed"][-1] > 5 * ends["repaired"][-1]
    assert ends["as written"][-1] > 5 * ends["repaired"][-1]
    (one_class,) = [each for each in stochastic.STOCHASTIC.tries if each.label == "One class"]
    assert stochastic.answer(stage(stochastic.STOCHASTIC, one_class.board())) == 0


def test_costs_are_counted_at_once_and_timed_on_request() -> None:
    s = stage(cost.COST)
    counted = cost.counted()
    assert cost.doubling(cost.COUNTED, counted["dual-qp"]) == pytest.approx(8, abs=0.5)
    assert cost.doubling(cost.COUNTED, counted["step"]) == pytest.approx(1)
    assert cost.doubling(cost.COUNTED, counted["kernel-step"]) == pytest.approx(2, abs=0.1)
    assert s.cache.entries == {}
    doubled = [cost.draw(replace(s, dials={"points": m}))["overlay"] for m in (40.0, 80.0)]
    assert [len(each) for each in doubled] == [0, 40]
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
    at.session_state["lab"].lessons.open_steps["pegasos"] = "batch"
    at.run()
    at.button(key="batch_show").click().run()
    assert any("With 1/(λt) it ends" in unmarked(said.value) for said in at.markdown)


def test_w_is_said_to_jump_only_where_it_does_not_shrink() -> None:
    """With eta = 0.05, 300 steps leave a distance that is above rounding and still shrinks."""
    slow = stage(batch.BATCH, replace(batch.BATCH.board(), value=10.0))
    slow = replace(slow, picks={**slow.picks, "eta": 0.05, "rounds": 300})
    assert batch.largest_late_distance(slow) > 1e-6
    assert batch.shrinks(slow)
    assert "jumping" not in batch.verdict(slow)
    assert "does not jump" in batch.says(slow)
    assert not batch.shrinks(stage(batch.BATCH))


def test_the_path_of_w_is_said_to_leave_only_a_smaller_circle() -> None:
    for lam, leaves in ((1.0, True), (10.0, False)):
        s = stage(ball.BALL, replace(ball.BALL.board(), value=lam))
        assert (ball.radius(s) > ball.bound_of_minimiser(s)) is leaves
        assert ("can leave the dashed pink one" in ball.says(s)) is leaves
