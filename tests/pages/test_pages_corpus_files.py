"""Files, certificates and programs that an earlier version saved are still read and run; `record_files` describes
them."""

import json
from dataclasses import replace

import pytest

import svmlab
from svmlab import Dataset, Problem, solve
from svmlab.lab.session import files, share
from svmlab.lab.session.controls import BINARY
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.operations import accept, open_file
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from svmlab.lab.session.table import unit_that_keeps
from tests.corpus.record_files import BOARDS, HERE, PROGRAMS, certificate, printed, rows, settings

SAVED = sorted(path.parent.name for path in HERE.glob("*/points.csv"))
SCRIPTS = sorted(str(path.relative_to(HERE)) for path in HERE.glob("*/with_*.py.txt"))
CERTIFICATES = sorted(path.parent.name for path in HERE.glob("*/certificate.json"))
OPENED = json.loads((HERE / "opened" / "recorded.json").read_text(encoding="utf-8"))
NEAR = {"svmlab": 1e-7, "sklearn": 2e-3}  # how far a printed number may be off, relative where it is above 1


def recorded(name):
    return json.loads((HERE / name / "recorded.json").read_text(encoding="utf-8"))


def board(name):
    return share.decode(recorded(name)["link"])


def test_there_are_files_of_every_board_kernel_and_program():
    assert set(SAVED) == set(BOARDS)
    assert {board(name).kernel for name in SAVED} >= {"linear", "polynomial", "gaussian", "sigmoid", "composed"}
    assert len(SAVED) >= 32
    assert len(SCRIPTS) >= 62
    assert len(CERTIFICATES) >= 20


@pytest.mark.parametrize("name", SAVED)
def test_a_link_is_the_board_that_was_recorded(name):
    lab, expected = board(name), recorded(name)
    assert (rows(lab.points), settings(lab)) == (expected["points"], expected["settings"])


@pytest.mark.parametrize("ending", ["csv", "json"])
@pytest.mark.parametrize("name", SAVED)
def test_a_saved_file_is_the_board_that_was_recorded(name, ending):
    lab, content = board(name), (HERE / name / f"points.{ending}").read_bytes()
    session = Session(History(replace(lab, points=())))
    open_file(session, f"points.{ending}", content)
    assert rows(session.lab.points) == recorded(name)["points"]
    assert replace(session.lab, points=lab.points, view=lab.view) == lab
    assert files.to_thousandths(files.read_points(f"points.{ending}", content, lab.task))[1], (
        "not to the last thousandth"
    )


@pytest.mark.parametrize("name", OPENED)
def test_a_file_of_another_form_is_the_board_that_was_recorded(name):
    expected, content = OPENED[name], (HERE / "opened" / name).read_bytes()
    session = Session(History(Lab(task=expected["task"])))
    open_file(session, name, content)
    assert (session.draft is None) == (expected["factor"] == 1)
    if session.draft is not None:
        assert 1 / unit_that_keeps(session.draft) == expected["factor"]
        accept(session)
    else:
        assert files.to_thousandths(files.read_points(name, content, expected["task"]))[1] == expected["exact"]
    assert rows(session.lab.points) == expected["points"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_program_of_the_code_tab_prints_the_numbers_that_were_recorded(script):
    name, file = script.split("/")
    library = next(each for each in PROGRAMS if each in file)
    wanted = recorded(name)[library]
    printed_numbers = printed((HERE / script).read_text(encoding="utf-8"))
    assert printed_numbers == [pytest.approx(number, rel=NEAR[library], abs=NEAR[library]) for number in wanted]
    assert wanted or "has no kernel machine without bias" in (HERE / script).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CERTIFICATES)
def test_a_certificate_is_checked_by_its_own_program_and_solved_again_alike(name, tmp_path, monkeypatch, capsys):
    text = (HERE / name / "certificate.json").read_text(encoding="utf-8")
    (tmp_path / "certificate.json").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    read = json.loads(text)
    exec("\n".join(read["check"]), variables := {})
    assert capsys.readouterr().out.count("holds") == len(read["residuals"]) == 5
    assert variables["primal"] == pytest.approx(read["objective"], rel=1e-9)
    assert variables["dual"] == pytest.approx(read["dual_objective"], rel=1e-9)

    kernel = eval(read["kernel"], vars(svmlab).copy())  # public names alone
    points = Dataset(read["X"], read["y"])
    costs = tuple(read.get("costs", (1.0, 1.0)))
    solution = solve(Problem(points, kernel, float(read["C"]), read["bias"], costs, read.get("v")))
    largest = max(read["alpha"])
    assert solution.alpha.tolist() == pytest.approx(read["alpha"], abs=1e-7 * largest)
    interval = [float(end) for end in read["b_interval"]]
    assert [solution.b, *solution.b_interval] == pytest.approx([read["b"], *interval], abs=1e-7)
    assert solution.objective == pytest.approx(read["objective"], rel=1e-7)
    assert (solution.alpha_unique, solution.proven) == (read["alpha_unique"], read["optimal"])

    read["alpha"][read["alpha"].index(largest)] += 1e-3 * max(largest, 1.0)
    (tmp_path / "certificate.json").write_text(json.dumps(read), encoding="utf-8")
    exec("\n".join(read["check"]), {})
    assert "DOES NOT HOLD" in capsys.readouterr().out


@pytest.mark.parametrize("name", [name for name in SAVED if board(name).task == BINARY])
def test_what_is_saved_now_has_everything_that_was_recorded(name):
    before = json.loads((HERE / name / "certificate.json").read_text(encoding="utf-8"))
    assert before.keys() <= json.loads(certificate(board(name))).keys()
