"""The certificate as a file: it says everything, always the same, and can be checked without svmlab."""

import ast
import json
import math

import pytest

from svmlab import Dataset, Gaussian, Polynomial, Problem, Sigmoid, make_dataset, solve
from svmlab.binary.report import RESIDUALS, program, report

XOR = make_dataset("xor", 40)
PROBLEMS = {
    "costs": Problem(make_dataset("overlapping", 50), C=0.7, costs=(3.0, 0.5)),
    "hard, costs": Problem(make_dataset("separable", 30), C=math.inf, costs=(3.0, 0.5)),
    "soft": Problem(make_dataset("overlapping", 50), C=0.7),
    "Gaussian": Problem(XOR, Gaussian(0.5), C=10.0),
    "hard": Problem(make_dataset("separable", 30), C=math.inf),
    "no bias": Problem(XOR, Polynomial(3, 1.0, 0.5), C=1.0, bias=False),
    "clipped": Problem(XOR, Sigmoid(0.5, 1.0), C=1.0),
    "one class": Problem(Dataset([[1, 0], [2, 1]], [1, 1])),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_program_in_a_report_finds_its_residuals_with_numpy_alone(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    solution = solve(PROBLEMS[name])
    (tmp_path / "certificate.json").write_text(report(solution), encoding="utf-8")
    read = json.loads(report(solution))
    source = "\n".join(read["check"])
    assert {a.name for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Import) for a in n.names} == {
        "json",
        "numpy",
    }
    exec(source, namespace := {})
    assert namespace["residuals"].keys() == read["residuals"].keys() == set(RESIDUALS)
    for each, value in namespace["residuals"].items():
        assert value == pytest.approx(read["residuals"][each], abs=read["floor"]), each
    assert namespace["primal"] == pytest.approx(read["objective"], rel=1e-9)
    assert namespace["dual"] == pytest.approx(read["dual_objective"], rel=1e-9)
    assert read["optimal"]
    assert "NOT" not in capsys.readouterr().out

    read["alpha"][int(solution.alpha.argmax())] += 1e-3
    (tmp_path / "certificate.json").write_text(json.dumps(read), encoding="utf-8")
    exec(source, {})
    assert "DOES NOT HOLD" in capsys.readouterr().out


def test_a_report_is_the_solution_to_the_last_bit_and_always_the_same():
    problem = PROBLEMS["Gaussian"]
    solution = solve(problem)
    read = json.loads(report(solution, "http://host/lab?s=1"))
    assert read["alpha"] == solution.alpha.tolist()
    assert (read["b"], read["C"], read["kernel"]) == (solution.b, 10.0, "Gaussian(sigma=0.5)")
    assert (read["X"], read["address"]) == (problem.data.X.tolist(), "http://host/lab?s=1")
    assert report(solve(problem)) == report(solution)
    hard = json.loads(report(solve(PROBLEMS["hard"])))
    assert (hard["C"], hard["lambda"]) == ("inf", 0.0)
    assert json.loads(report(solve(PROBLEMS["one class"])))["b_interval"] == [1.0, "inf"]
    assert 'open("b.json"' in program(solution, "b.json")
