"""Points of several classes, and one machine for each class against the rest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import BadInput, Dataset, Gaussian, Linear, NotSeparable, Polynomial, Problem, Sigmoid
from svmlab import solve as binary
from svmlab.data.labels import labels_of_numbers
from svmlab.multiclass import BOARDS, Classes, MulticlassCategory, MulticlassProblem, certify, make_classes, solve
from svmlab.multiclass.classes import has_tie, predict_largest
from svmlab.regression import Tube, Values
from svmlab.solvers import cvxopt_backend

BLOBS = make_classes("blobs")
SQUARE = np.stack(np.meshgrid(np.linspace(-4, 4, 81), np.linspace(-4, 4, 81)), -1).reshape(-1, 2)


def test_without_a_c_every_problem_has_c_1():
    tube = Tube(Values([[0, 0], [1, 1]], [0.0, 1.0]))
    assert MulticlassProblem(BLOBS).C == tube.C == Problem(Dataset([[0, 0], [1, 1]], [-1, 1])).C == 1


# points

BAD = [
    (([[0, 0], [1, 1]], [0, 9]), r"^y, row 1: label 9 does not fit"),
    (([[0, 0]], [10]), r"^y, row 0: label 10 does not fit. Use whole numbers from 1 to 9"),
    (([[0, 0], [1, 1]], [1, 1.5]), r"^y, row 1: label 1\.5 does not fit"),
    (([[0, 0], [1, 1]], [1, "a"]), r"^y, row 1: label 'a' does not fit"),
    (([[0, 0]] * 10, list("abcdefghij")), r"^y: the labels are 10 names"),
    (([[0, 0]], [math.nan]), r"^y, row 0"),
    (([[0, 0], [1, 1]], ["a", True]), r"^y must be a list"),
    (([[0, 0], [1, 1]], ["a", None]), r"^y, row 1: the label None is missing"),
    (([[0, 0]], [[1]]), r"^y must be one-dimensional"),
    (([[0, 0]], [1, 2]), r"^X has 1 rows and y has 2"),
    (([[0, math.inf]], [1]), r"^X, row 0"),
    (([[0, 0], [1, 1]], [1, 2], [7, 7]), r"^ids: rows 0 and 1 have the same id 7"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_bad_points_are_refused_by_field_and_row(arguments, words):
    with pytest.raises(BadInput, match=words):
        Classes(*arguments)


@pytest.mark.parametrize("method", ["one-vs-rest", "joint"])
def test_predictions_have_the_names_of_the_classes_and_a_score_counts_them(method):
    data = make_classes("blobs")
    named = Classes(data.X, np.array(["a", "b", "c"])[data.y - 1])
    one, other = (solve(MulticlassProblem(points), method) for points in (data, named))
    assert other.predict(data.X).tolist() == labels_of_numbers(one.predict(data.X), named.labels).tolist()
    assert (
        other.score(data.X, named.named_labels) == one.score(data.X, data.y) == (one.predict(data.X) == data.y).mean()
    )
    with pytest.raises(BadInput, match=r"labels, row 0: no class has the label 1. The labels are 'a', 'b', 'c'"):
        other.score(data.X, data.y)
    with pytest.raises(BadInput, match=r"3 rows.*one label for each"):
        one.score(data.X[:3], [1, 2])


def test_classes_are_those_with_a_point_in_order():
    data = Classes([[0, 0], [1, 1], [2, 2]], [7, 2, 7])
    assert data.classes == (2, 7)
    assert data.class_index.tolist() == [1, 0, 1]
    assert (data.m, data.d) == (3, 2)
    assert Classes([], []).classes == ()


def test_against_the_rest_points_and_names_stay():
    data = Classes([[0, 0], [1, 1], [2, 2]], [7, 2, 7], [5, 3, 9])
    rest = data.one_vs_rest(7)
    assert rest.y.tolist() == [1, -1, 1]
    assert rest.ids.tolist() == [5, 3, 9]
    assert rest.X.tolist() == data.X.tolist()
    with pytest.raises(BadInput, match=r"^k: class 1 has no point\. Choose one of 2, 7\."):
        data.one_vs_rest(1)


def test_arrays_cannot_be_changed():
    for array in (BLOBS.X, BLOBS.y, BLOBS.ids, BLOBS.class_index):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_keys_depend_on_every_part():
    one = Classes([[0, 0], [1, 1]], [1, 2])
    boards = (one, Classes(one.X, [1, 3]), Classes(one.X, one.y, [1, 0]), Classes(one.X[::-1], one.y))
    problems = (
        MulticlassProblem(one),
        MulticlassProblem(one, C=2),
        MulticlassProblem(one, bias=False),
        MulticlassProblem(one, Gaussian(1.0)),
        MulticlassProblem(boards[1]),
    )
    assert len({b.key for b in boards}) == len(boards)
    assert len({p.key for p in problems}) == len(problems)
    assert Classes(one.X, one.y).key == one.key


@pytest.mark.parametrize("C", [0, -1.0, math.nan, "1", None])
def test_a_c_that_is_no_positive_number_is_refused(C):
    with pytest.raises(BadInput, match=r"^C:"):
        MulticlassProblem(BLOBS, C=C)


def test_data_kernel_and_method_are_checked():
    with pytest.raises(BadInput, match=r"^data: expected Classes such as .*, got Dataset"):
        MulticlassProblem(Dataset([[0, 0]], [1]))
    with pytest.raises(BadInput, match=r"^kernel:"):
        MulticlassProblem(BLOBS, "linear")
    with pytest.raises(BadInput, match=r"^method: 'all' is unknown"):
        solve(MulticlassProblem(BLOBS), "all")
    with pytest.raises(BadInput, match=r"^There are no points yet"):
        solve(MulticlassProblem(Classes([], [])))


# boards


@pytest.mark.parametrize("name", BOARDS)
def test_boards_are_seeded_in_thousandths_and_within_the_edge(name):
    recipe, data = BOARDS[name], make_classes(name)
    assert data.classes == tuple(range(1, recipe.classes + 1))
    assert data.m == recipe.n * recipe.classes
    assert np.array_equal(data.X, np.round(data.X, 3))
    assert np.abs(data.X).max() <= 8
    assert make_classes(name, recipe.n, recipe.seed).key == data.key
    assert make_classes(name, seed=recipe.seed + 1).key != data.key
    assert make_classes(name, 5).m == 5 * recipe.classes


@pytest.mark.parametrize(
    ("arguments", "field"), [(("none",), "name"), (("row", 0), "n"), (("row", 1.5), "n"), (("row", 3, -1), "seed")]
)
def test_a_bad_board_is_refused(arguments, field):
    with pytest.raises(BadInput, match=rf"^{field}:"):
        make_classes(*arguments)


def test_rings_lie_round_each_other():
    data = make_classes("rings", 200)
    radius = np.linalg.norm(data.X, axis=1)
    assert radius[data.y == 1].max() < 1 < radius[data.y == 2].min()
    assert radius[data.y == 2].max() < 3 < radius[data.y == 3].min()


# one against the rest


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1.0), Sigmoid(0.5, -1.0)])
@pytest.mark.parametrize("bias", [True, False])
def test_each_svm_is_the_binary_svm_of_its_class(kernel, bias):
    several = solve(MulticlassProblem(BLOBS, kernel, 10.0, bias))
    f = several.decision(SQUARE)
    for k, name in enumerate(several.classes):
        own = binary(Problem(BLOBS.one_vs_rest(name), kernel, 10.0, bias))
        assert several.machine(name).alpha.tolist() == own.alpha.tolist()
        assert f[:, k].tolist() == own.decision(SQUARE).tolist()
    clear = several.tied(SQUARE)
    assert (several.predict(SQUARE) == f.argmax(1) + 1)[~clear].all()
    assert several.proven


@pytest.mark.parametrize("method", ["dual-qp", "primal-qp"])
def test_cvxopt_gives_the_same_svms(method):
    several = solve(MulticlassProblem(BLOBS, C=10.0))
    for name in several.classes:
        other = binary(several.problem.binary_problem(name), method)
        assert np.abs(other.decision(SQUARE) - several.machine(name).decision(SQUARE)).max() < 1e-6


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), Gaussian(1.0)])
def test_two_classes_are_one_svm_and_its_negative(kernel):
    rng = np.random.default_rng(3)
    data = Classes(np.round(rng.standard_normal((20, 2)), 3), rng.integers(4, 6, 20))
    several = solve(MulticlassProblem(data, kernel, 2.0))
    f = several.decision(SQUARE)
    assert np.abs(f[:, 0] + f[:, 1]).max() < 1e-9 * max(1.0, np.abs(f).max())
    assert set(several.count_positive(SQUARE)) <= {0, 1}  # 0 on the line itself


def test_the_yes_of_no_one_and_two_machines_share_the_square():
    """Three blobs of 12, deviation .6, C = 10: 3, 68 and 29 % (another draw: 3, 69, 28)."""
    u = np.linspace(-4, 4, 161)
    Z = np.stack(np.meshgrid(u, u), -1).reshape(-1, 2)
    shares = np.bincount(solve(MulticlassProblem(BLOBS, C=10.0)).count_positive(Z), minlength=4) / len(Z)
    assert np.round(100 * shares).tolist() == [3, 68, 29, 0]
    other = solve(MulticlassProblem(make_classes("blobs", seed=10), C=10.0))
    assert np.round(100 * np.bincount(other.count_positive(Z), minlength=4) / len(Z)).tolist() == [3, 69, 28, 0]


def test_where_nobody_says_yes_the_largest_f_decides():
    several = solve(MulticlassProblem(BLOBS, C=10.0))
    Z = SQUARE[several.count_positive(SQUARE) == 0]
    f = several.decision(Z)
    assert len(Z)
    assert f.max() <= 0
    assert (several.predict(Z) == f.argmax(1) + 1).all()


def test_the_middle_of_a_row_has_no_line():
    """|w| = .852, 0, 1.098; what rounding would make errors of argmax are ties, and the joint machine has neither."""
    problem = MulticlassProblem(make_classes("row"), C=10.0)
    several, joint = solve(problem), solve(problem, "joint")
    assert [s.norm_w for s in several.machines] == pytest.approx([0.8517, 0.0, 1.0982], abs=5e-5)
    assert several.machine(2).is_constant
    assert several.machine(2).b == pytest.approx(-1, abs=1e-12)
    counted = {v: several.categories.count(v) for v in MulticlassCategory}
    assert counted == {
        MulticlassCategory.CLEAR: 20,
        MulticlassCategory.LARGEST: 8,
        MulticlassCategory.TIE: 2,
        MulticlassCategory.WRONG: 0,
    }
    ties = [v is MulticlassCategory.TIE for v in several.categories]
    assert several.tied(problem.data.X).tolist() == ties
    assert (joint.predict(problem.data.X) == problem.data.y).all()
    assert not joint.tied(problem.data.X).any()
    assert joint.margins.min() > 0.1


def test_verdicts_and_ties_of_a_row_of_three_points():
    """f_1 = -1 - x, f_3 = x - 1 and f_2 = -1 wherever it is asked, for two points of three are not of its class."""
    several = solve(MulticlassProblem(Classes([[-2, 0], [0, 0], [2, 0]], [1, 2, 3]), C=10.0))
    assert several.decision(np.array([[-1.0, 0], [1.0, 0]])) == pytest.approx(np.array([[0, -1, -2], [-2, -1, 0]]))
    assert [v.value for v in several.categories] == ["clear", "tie", "clear"]
    assert several.predict(np.array([[0.0, 0.0]])).tolist() == [1]
    assert several.count_positive(np.array([[-2.0, 3.0], [-1.0, 0.0], [-1.0, 5.0], [1.0, 1.0]])).tolist() == [
        1,
        0,
        0,
        0,
    ]
    assert several.tied(np.array([[0.0, 0.0], [0.5, 0.0]])).tolist() == [True, False]


def test_of_those_that_tie_but_for_noise_the_first_is_given():
    f = np.array([[1.0, 1.0 + 1e-13, 0.0], [1.0, 1.0 + 1e-9, 0.0], [0.0, 1.0, 1.0 - 1e-13]])
    assert predict_largest(f, (2, 5, 7), 1e-12).tolist() == [2, 5, 5]
    assert has_tie(f, 1e-12).tolist() == [True, False, True]


def test_a_point_of_another_class_among_them_is_wrong():
    X = [*BLOBS.X.tolist(), [-2.0, -1.5]]
    several = solve(MulticlassProblem(Classes(X, [*BLOBS.y, 3]), C=1.0))
    assert several.categories[-1] is MulticlassCategory.WRONG
    assert several.categories[0] is MulticlassCategory.CLEAR


@pytest.mark.parametrize("C", [1.0, math.inf])
def test_one_class_and_one_point_are_answered(C):
    several = solve(MulticlassProblem(Classes([[0, 1], [2, 3]], [4, 4]), C=C))
    assert several.classes == (4,)
    assert several.decision(SQUARE).min() >= 1
    assert (several.predict(SQUARE) == 4).all()
    assert set(several.categories) == {MulticlassCategory.CLEAR}
    assert several.proven
    lonely = solve(MulticlassProblem(Classes([[0, 0], [3, 0], [0, 3]], [1, 2, 3]), C=C))
    assert set(lonely.categories) == {MulticlassCategory.CLEAR}


def test_the_hard_margin_says_which_class_has_none():
    with pytest.raises(NotSeparable, match=r"^Class 2 against the rest: No boundary") as caught:
        solve(MulticlassProblem(make_classes("row"), C=math.inf))
    assert not caught.value.separation.separable
    assert solve(MulticlassProblem(make_classes("rings"), Gaussian(1.0), math.inf)).proven


def test_a_start_changes_no_bit():
    problem = MulticlassProblem(BLOBS, Gaussian(1.0), 3.0)
    X = BLOBS.X.copy()
    X[5] += 0.5
    moved = MulticlassProblem(Classes(X[1:], BLOBS.y[1:], BLOBS.ids[1:]), Gaussian(1.0), 10.0)
    cold, warm = solve(moved), solve(moved, start=solve(problem))
    for one, other in zip(cold.machines, warm.machines, strict=True):
        assert (one.alpha.tolist(), one.b) == (other.alpha.tolist(), other.b)
    assert solve(moved, start=solve(problem, "joint")).machines[0].alpha.tolist() == cold.machines[0].alpha.tolist()


def test_the_certificate_is_that_of_the_worst_svm():
    several = solve(MulticlassProblem(BLOBS, Gaussian(1.0), 100.0))
    ratios = [max(abs(s.gap), s.certificate.complementarity) / s.floor for s in several.machines]
    worst = certify(several)
    assert worst.is_optimal()
    assert any(worst is s.certificate for s in several.machines)
    assert max(abs(worst.gap), worst.complementarity) / worst.floor >= max(ratios) * 0.999


# the programs that are printed


def test_programs_name_their_variables():
    problem = MulticlassProblem(Classes([[0, 0], [1, 2]], [2, 5]), C=3.0)
    primal, dual = problem.qp("primal"), problem.qp("dual")
    assert primal.variables == ("b2", "b5", "w2_1", "w2_2", "w5_1", "w5_2", "xi1", "xi2")
    assert dual.variables == ("alpha1_5", "alpha2_2")
    assert cvxopt_backend.solve_qp(primal).value == pytest.approx(-cvxopt_backend.solve_qp(dual).value, rel=1e-9)
    assert MulticlassProblem(problem.data, bias=False).qp("primal").variables[0] == "w2_1"


def test_programs_that_do_not_exist_are_refused():
    with pytest.raises(BadInput, match=r"^form:"):
        MulticlassProblem(BLOBS).qp("both")
    with pytest.raises(BadInput, match="feature map"):
        MulticlassProblem(BLOBS, Gaussian(1.0)).qp("primal")
    with pytest.raises(BadInput, match=r"^C: the joint SVM needs a finite C"):
        MulticlassProblem(BLOBS, C=math.inf).qp("dual")
    with pytest.raises(BadInput, match=r"^data: the programs need"):
        MulticlassProblem(Classes([[0, 0]], [1])).qp("dual")
