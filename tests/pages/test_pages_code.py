"""The programs of the Code tab are run, and give what the board shows."""

from dataclasses import replace

import numpy as np
import pytest

from svmlab import Problem, solve
from svmlab.lab.bench.tabs.code import with_sklearn, with_svmlab
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.teach.boards import board_of_points

LABS = {
    "costs": Lab(size=20, noise=0.4, cost_plus=3.0, cost_minus=0.25),
    "costs, no bias": Lab(size=20, noise=0.4, bias=False, cost_plus=3.0),
    "hard, costs": Lab(preset="separable", size=20, hard=True, cost_plus=3.0),
    "linear": Lab(size=20),
    "no bias": Lab(size=20, bias=False),
    "lambda": Lab(size=20, face="lambda", value=0.02),
    "hard": Lab(preset="separable", size=20, hard=True),
    "hard, no bias": Lab(preset="four_corners", hard=True, bias=False),
    "polynomial": Lab(preset="circles", size=20, kernel="polynomial", degree=2, scale=0.5, coef0=1.0),
    "gaussian": Lab(preset="moons", size=20, kernel="gaussian", sigma=0.7, value=5.0),
}


def run(program: str) -> dict:
    space: dict = {}
    exec(compile(program, "program", "exec"), space)
    return space


@pytest.mark.parametrize("name", LABS)
def test_the_svmlab_program_gives_the_solution_of_the_board(name: str) -> None:
    lab = with_preset(LABS[name])
    expected = solve(lab.problem)
    solution = run(with_svmlab(lab))["solution"]
    np.testing.assert_array_equal(solution.alpha, expected.alpha)
    assert solution.b == expected.b


@pytest.mark.parametrize("name", LABS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_scikit_learn_program_gives_the_same_svm(name: str) -> None:
    lab = with_preset(LABS[name])
    expected = solve(lab.problem)
    model = run(with_sklearn(lab))["model"]
    f = model.decision_function(lab.data.X)
    np.testing.assert_allclose(f, expected.margins * lab.data.y, atol=2e-3)


@pytest.mark.parametrize("hard", [False, True])
def test_the_svmlab_program_runs_where_w_is_0(hard: bool) -> None:
    lab = board_of_points([(0, 0, 1), (1, 0, 1)], hard=hard)()
    assert run(with_svmlab(lab))["solution"].norm_w == 0


def test_a_kernel_without_bias_says_that_scikit_learn_has_none() -> None:
    lab = with_preset(replace(LABS["gaussian"], bias=False))
    assert "model" not in run(with_sklearn(lab))
    assert isinstance(Problem(lab.data, lab.kernel_function, lab.C, lab.bias), Problem)


def test_many_points_do_not_push_the_program_out_of_sight() -> None:
    lab = with_preset(Lab(size=300))
    for program in (with_svmlab(lab), with_sklearn(lab)):
        assert len(program.splitlines()) < 15
        assert run(
            "\n".join(
                program.splitlines()[: 2 + program.splitlines().index("y = " + repr([p.label for p in lab.points]))]
            )
        )
