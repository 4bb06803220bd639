"""P14 and P15: the regret against every u, and what a bound on the mean says of one run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import Linear, Problem, make_dataset, pegasos, solve
from svmlab.statements import CATALOGUE, Situation, online_regret
from svmlab.statements.pegasos_bounds import markov, share_within
from svmlab.statements.walk import PegasosRuns


def situation() -> Situation:
    return Situation(Problem(make_dataset("overlapping", 24, 0.4, seed=1), C=0.2, bias=False))


@pytest.mark.parametrize("id", ["P14", "P15"])
def test_the_control_fails_on_its_board_where_the_statement_holds(id: str) -> None:
    verdict = CATALOGUE[id].check(Situation(CATALOGUE[id].witness.problem))
    assert verdict.holds
    assert not verdict.control.holds
    assert verdict.control.residual > 1e-2


def test_the_telescoped_sum_is_attained_where_the_losses_are_straight() -> None:
    """Below the kink the hinge is straight, so the inequality of each step is an equality for every u there."""
    k = PegasosRuns(make_dataset("overlapping", 12), 50.0)  # w stays so short that every point pushes
    run = online_regret.descend(k, online_regret.HINGE)
    U = 1e-3 * np.random.default_rng(0).standard_normal((5, 2))
    np.testing.assert_allclose(
        online_regret.mean_regret(k, run, U), online_regret.telescoped_sum(k, run, U), atol=1e-12
    )


def test_losses_that_come_to_do_harm_are_the_worst_of_each_step() -> None:
    k = situation().pegasos_runs
    run = online_regret.descend(k, online_regret.HINGE)
    Z = k.data.y[:, None] * k.data.X
    for w, i in zip(run.w[:-1], run.rows, strict=True):
        assert (Z @ w)[i] == (Z @ w).min()


def test_a_slope_is_that_of_its_loss() -> None:
    at, h = np.array([-3.0, -0.4, 0.2, 2.5]), 1e-6
    for loss in (online_regret.HINGE, online_regret.LOGISTIC):
        np.testing.assert_allclose(loss.slope(at), (loss.of(at + h) - loss.of(at - h)) / (2 * h), atol=1e-8)
    assert np.isfinite(online_regret.LOGISTIC.slope(np.array([-1e4, 1e4]))).all()


WRONG_STEPS = {
    "steps that are too long": lambda w: 1.5 * w,
    "a w that never learns": lambda w: 0.0 * w,
}


@pytest.mark.parametrize("change", WRONG_STEPS.values(), ids=WRONG_STEPS)
def test_other_steps_break_the_regret(change, monkeypatch: pytest.MonkeyPatch) -> None:
    right = online_regret.descend

    def wrong(k: PegasosRuns, loss: online_regret.Loss, order=None) -> online_regret.Descent:
        run = right(k, loss, order)
        w = change(run.w)
        Z = k.data.y[:, None] * k.data.X
        yf = (Z[run.rows] * w[:-1]).sum(1)
        return replace(run, w=w, losses=loss.of(yf) + 0.5 * k.lam * (w[:-1] ** 2).sum(1))

    assert CATALOGUE["P14"].check(situation()).holds
    monkeypatch.setattr(online_regret, "descend", wrong)
    verdict = CATALOGUE["P14"].check(situation())
    assert verdict.residual > 1e3 * verdict.tolerance


def test_a_run_of_pegasos_without_updates_does_not_converge_in_probability() -> None:
    s = situation()
    assert CATALOGUE["P15"].check(s).holds
    vars(s.pegasos_runs)["long_runs"] = replace(
        s.pegasos_runs.long_runs, average=np.ones_like(s.pegasos_runs.long_runs.average)
    )  # F(0) = 1
    verdict = CATALOGUE["P15"].check(s)
    assert verdict.residual > 1e3 * verdict.tolerance


def test_a_wrong_w_is_no_neighbour() -> None:
    s = situation()
    k = s.pegasos_runs
    vars(k).update(w=k.w + 0.3 * k.unit)
    assert CATALOGUE["P15"].check(s).residual > 1e-2


def test_the_share_of_fifty_runs_within_a_twentieth_by_the_numbers() -> None:
    data, lam = make_dataset("overlapping", 60), 0.1
    minimum = lam * solve(Problem.from_lambda(data, Linear(), lam, bias=False)).objective
    run = pegasos(data, lam, 10_000, 50)
    share = share_within(run, minimum, 0.05)
    assert 0.5 < np.interp(117, run.t, share) < 0.85
    assert share[run.t >= 1000].min() == 1.0
    gaps = (run.average - minimum).mean(0)
    assert (markov(gaps, 0.05) <= share + 1e-12).all()
    assert (markov(run.bound, 0.05) <= markov(gaps, 0.05)).all()
