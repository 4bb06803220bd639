"""The two descents of note B, as printed and as repaired (L6, L7)."""

import numpy as np
import pytest

from svmlab import BadInput, Dataset, Linear, Problem, make_dataset, pegasos, solve
from svmlab.firstorder.subgradient import Descent, batch_descent, sgd
from svmlab.pegasos import draws

LAM = 0.1


@pytest.fixture(scope="module")
def data() -> Dataset:
    return make_dataset("overlapping", 24, 0.3, seed=3)


def optimum(data: Dataset, C: float) -> np.ndarray:
    return solve(Problem(data, Linear(), C, bias=False)).w


def gaps(run: Descent, name: str = "average") -> np.ndarray:
    best = run.lam * solve(Problem.from_lambda(run.data, Linear(), run.lam, bias=False)).objective
    return (getattr(run, name) - best).mean(0)


def test_the_batch_step_is_the_line_of_B(data: Dataset) -> None:
    eta = 0.01
    run = batch_descent(data, LAM, 30, C=1.0, eta=eta)
    w = np.zeros(2)
    for t in range(1, 31):
        if t in run.t:
            np.testing.assert_allclose(run.iterates[0, np.searchsorted(run.t, t)], w, rtol=1e-10, atol=1e-12)
        inside = [i for i in range(data.m) if data.y[i] * (w @ data.X[i]) < 1]
        w = w - eta * w + eta * sum((data.y[i] * data.X[i] for i in inside), np.zeros(2))


def test_L6_with_1_over_r_the_batch_reaches_the_optimum(data: Dataset) -> None:
    run = batch_descent(data, LAM, 20_000)
    assert gaps(run)[-1] < 1e-3
    assert gaps(run, "last")[-1] < 1e-4
    np.testing.assert_allclose(run.iterates[0, -1], optimum(data, 1 / (LAM * data.m)), atol=0.01)
    assert run.target_lam == pytest.approx(LAM)


def test_L6_with_a_constant_step_it_ends_in_a_band_that_the_step_sets(data: Dataset) -> None:
    bands = []
    for eta in (0.2, 0.02):
        run = batch_descent(data, LAM, 20_000, eta=eta)
        late = gaps(run, "last")[run.t > 2000]
        assert late.min() > 0
        bands.append(late.mean())
    assert bands[0] > 3 * bands[1]
    assert bands[1] > 10 * gaps(batch_descent(data, LAM, 20_000), "last")[-1]


def test_L6_B_has_C_equal_to_1_whatever_lambda_is(data: Dataset) -> None:
    run = batch_descent(data, LAM, 20_000, C=1.0)
    assert run.target_lam == pytest.approx(1 / data.m)
    np.testing.assert_allclose(run.iterates[0, -1], optimum(data, 1.0), atol=0.02)


@pytest.mark.parametrize(
    ("reading", "shrinks", "signed"), [("printed", False, False), ("signed", False, True), ("as written", True, True)]
)
def test_the_stochastic_step_is_the_line_of_B(data: Dataset, reading: str, shrinks: bool, signed: bool) -> None:
    eta = 0.05
    run = sgd(data, LAM, 40, reading, eta=eta, seed=5)
    w = np.zeros(2)
    for t, i in enumerate(draws(data.m, 5, 0, 0, 40), 1):
        if t in run.t:
            np.testing.assert_allclose(run.iterates[0, np.searchsorted(run.t, t)], w, rtol=1e-10, atol=1e-12)
        if data.y[i] * (w @ data.X[i]) < 1:
            w = w - eta * w + eta * (data.y[i] if signed else 1) * data.X[i]
        elif shrinks:
            w = w - eta * w


def test_L7_as_repaired_it_is_pegasos(data: Dataset) -> None:
    run, same = sgd(data, LAM, 3000, runs=3, seed=2), pegasos(data, LAM, 3000, runs=3, seed=2)
    np.testing.assert_array_equal(run.t, same.t)
    np.testing.assert_allclose(run.iterates, same.iterates, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(run.average, same.average, rtol=1e-8)


def test_L7_as_written_with_shrinking_it_solves_C_1_over_m(data: Dataset) -> None:
    run = sgd(data, LAM, 20_000, "as written", runs=5)
    assert run.target_lam == 1.0
    np.testing.assert_allclose(run.averages[:, -1].mean(0), optimum(data, 1 / data.m), atol=0.01)
    assert np.linalg.norm(optimum(data, 1 / data.m) - optimum(data, 1.0)) > 0.1


def test_L7_with_the_term_times_m_it_solves_C_1(data: Dataset) -> None:
    run = sgd(data, 1 / data.m, 20_000, C=1.0, runs=5)
    assert run.target_lam == pytest.approx(1 / data.m)
    assert gaps(run)[-1] < 1e-3
    assert gaps(sgd(data, 1 / data.m, 20_000, "as written", runs=5))[-1] > 0.02


@pytest.mark.one_in(4)
@pytest.mark.parametrize("reading", ["printed", "signed"])
@pytest.mark.parametrize("eta", [None, 0.05])
@pytest.mark.parametrize("lam", [0.1, 1 / 24, 1.0])
def test_L7_as_printed_it_reaches_none_of_the_optima(
    data: Dataset, reading: str, eta: float | None, lam: float
) -> None:
    printed = sgd(data, lam, 10_000, reading, eta=eta, runs=5)
    repaired = sgd(data, lam, 10_000, runs=5)
    assert printed.target_lam is None
    assert gaps(printed)[-1] > 5 * gaps(repaired)[-1]
    assert gaps(printed)[-1] > 0.5 * gaps(printed)[np.searchsorted(printed.t, 1000)]


def test_progress_may_stop_the_run(data: Dataset) -> None:
    fractions: list[float] = []

    def on_progress(fraction: float) -> None:
        fractions.append(fraction)
        if fraction > 0.5:
            raise KeyboardInterrupt

    for run in (batch_descent, sgd):
        fractions.clear()
        with pytest.raises(KeyboardInterrupt):
            run(data, LAM, 9000, on_progress=on_progress)
        assert fractions == sorted(fractions)
        assert fractions[-1] < 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"lam": 0.0}, "lam"),
        ({"T": 0}, "T"),
        ({"C": 0.0}, "C"),
        ({"eta": 2.0}, "eta"),
        ({"reading": "x"}, "reading"),
        ({"reading": "signed", "C": 1.0}, "C"),
    ],
)
def test_bad_arguments_are_named(data: Dataset, change: dict, field: str) -> None:
    with pytest.raises(BadInput, match=f"^{field}"):
        sgd(**({"data": data, "lam": LAM, "T": 10} | change))
