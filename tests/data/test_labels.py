"""What classes are called: read from any two values, remembered, given back, and written to files."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest

from svmlab import BadInput, Dataset, Gaussian, Problem, make_dataset, solve
from svmlab.core.arrays import digest
from svmlab.data import dataset, point_set
from svmlab.generalisation import Embedding, held_out, moved_into_disc, rounded_to_board, solve_without
from svmlab.kernels.features import Lift

BOARD = make_dataset("overlapping", 40, 0.3)
PAIRS = [
    (0, 1),
    (False, True),
    ("no", "yes"),
    (1, 2),
    (-3, 0),
    (0.25, 0.5),
    ("benign", "malignant, spread"),
    ("a\n", "b"),
]


def named(pair) -> list:
    return [pair[int(sign > 0)] for sign in BOARD.y]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("kind", [list, np.array, lambda labels: np.array(labels, dtype=object)])
def test_two_values_are_minus_and_plus_in_sorted_order_and_come_back(pair, kind):
    data = Dataset(BOARD.X, kind(named(pair)))
    assert data.y.tolist() == BOARD.y.tolist()
    assert data.labels == pair
    assert type(data.labels[0]) is type(pair[0])
    assert data.named_labels.tolist() == named(pair)
    solution = solve(Problem(data, Gaussian()))
    same = solve(Problem(BOARD, Gaussian()))
    assert solution.alpha.tobytes() == same.alpha.tobytes()
    predicted = solution.predict(BOARD.X)
    assert predicted.dtype == np.array(pair).dtype
    assert predicted.tolist() == [pair[int(f > 0)] for f in same.decision(BOARD.X)]
    assert solution.score(BOARD.X, named(pair)) == same.score(BOARD.X, BOARD.y) == np.mean(same.margins > 0)
    assert solution.score(BOARD.X, predicted) == 1.0


@pytest.mark.parametrize("y", [[1, -1], [1.0, -1.0], np.array([1, -1], dtype=np.int8), np.array([1, -1], dtype=object)])
def test_signs_are_themselves(y):
    data = Dataset([[0, 0], [1, 1]], y)
    assert (data.labels, data.y.tolist()) == ((-1, 1), [1, -1])
    assert data.key == Dataset([[0, 0], [1, 1]], [1, -1]).key == "b4dcdda1681c07dae2b11466b9f58840"


@pytest.mark.parametrize(
    ("y", "labels", "signs"),
    [
        ([0, 0], (0, 1), [-1, -1]),
        ([1, 1], (-1, 1), [1, 1]),
        ([-1, -1], (-1, 1), [-1, -1]),
        ([True, True], (False, True), [1, 1]),
        ([False, False], (False, True), [-1, -1]),
    ],
)
def test_one_class_alone_is_known_where_its_label_says_which(y, labels, signs):
    data = Dataset([[0, 0], [1, 1]], y)
    assert (data.labels, data.y.tolist()) == (labels, signs)


def test_labels_may_be_said_in_another_order_and_for_one_class():
    data = Dataset(BOARD.X, named(("yes", "no")), labels=["yes", "no"])
    assert data.y.tolist() == BOARD.y.tolist()
    assert data.labels == ("yes", "no")
    assert Dataset([[0, 0]], ["yes"], labels=("no", "yes")).y.tolist() == [1]
    assert Dataset([], [], labels=("no", "yes")).labels == ("no", "yes")
    lonely = solve(Problem(Dataset([[0, 0]], ["no"], labels=("no", "yes"))))
    assert lonely.predict([[5, 5]]).tolist() == ["no"]


@pytest.mark.parametrize(
    ("y", "labels", "fragments"),
    [
        (["a", "b", "c"], None, ["y, row 2", "'c'", "neither 'a' nor 'b'", "svmlab.multiclass"]),
        ([1, -1, 0], None, ["y, row 2", "neither -1 nor 1"]),
        ([1, 0, -1], None, ["y, row 1", "0", "neither -1 nor 1"]),
        (["a", "a", "a"], None, ["'a'", "labels=(minus, plus)"]),
        (["a", None, "b"], None, ["y, row 1", "missing"]),
        ([1.0, float("nan"), 0.0], None, ["y, row 1", "nan", "missing"]),
        ([1 + 0j, -1, 1], None, ["y must be a list of labels"]),
        ([["a"], ["b"], ["a"]], None, ["one-dimensional", "(3, 1)"]),
        (["a", "b", "a"], ("a", "a"), ["labels", "two different values"]),
        (["a", "b", "a"], 3, ["labels", "3", "two different values"]),
        (["a", "b", "a"], ("a", "c"), ["y, row 1", "neither 'a' nor 'c'"]),
        ([{}, 1, 2], None, ["y must be a list of labels"]),
    ],
)
def test_labels_that_are_not_two_are_refused_by_row_and_rule(y, labels, fragments):
    with pytest.raises(BadInput) as caught:
        Dataset(BOARD.X[:3], y, labels=labels)
    assert [f for f in fragments if f not in str(caught.value)] == []


def test_a_score_needs_labels_of_its_own_one_for_each_row():
    solution = solve(Problem(Dataset(BOARD.X, named(("no", "yes")))))
    for Z, labels, fragment in [
        (BOARD.X[:2], ["no"], "2 rows, and there are 1 labels"),
        (BOARD.X[:0], [], "at least one row"),
        (BOARD.X[:2], [1, -1], "neither 'no' nor 'yes'"),
    ]:
        with pytest.raises(BadInput, match=fragment):
            solution.score(Z, labels)


def test_the_key_knows_the_labels_and_copies_keep_them():
    data = Dataset(BOARD.X, named(("no", "yes")))
    assert len({BOARD.key, data.key, Dataset(BOARD.X, named((0, 1))).key}) == 3
    assert Dataset(data.X, data.named_labels).key == data.key
    for again in (pickle.loads(pickle.dumps(data)), copy.deepcopy(data)):
        assert again.labels == ("no", "yes")
        assert again.key == data.key
    assert "labels=('no', 'yes')" in repr(data)
    assert "labels" not in repr(BOARD)


def test_a_key_is_not_seen_before_it_knows_the_labels(monkeypatch):
    data, seen = Dataset(BOARD.X, named(("no", "yes"))), []

    def watched(*parts):
        seen.append("key" in vars(data))  # what another thread would read
        return digest(*parts)

    for module in (dataset, point_set):
        monkeypatch.setattr(module, "digest", watched)
    assert len(data.key) == 32
    assert set(seen) == {False}


@pytest.mark.parametrize(
    "pair", [(0, 1), (False, True), (1, 2), (0.5, 3.5), ("no", "yes"), ("benign", 'so-called "bad", spread')]
)
def test_files_bring_back_what_classes_are_called(pair):
    data = Dataset(BOARD.X, named(pair))
    for again in (Dataset.from_csv(data.to_csv()), Dataset.from_json(data.to_json())):
        assert again.key == data.key
        assert [type(label) for label in again.labels] == [type(label) for label in pair]


@pytest.mark.parametrize("pair", [("yes", "no"), (2, 1), ("1", "2"), (" a", "b"), ("", "b"), (1, -1)])
def test_where_a_file_would_not_say_which_is_which_it_has_the_signs(pair):
    data = Dataset(BOARD.X, named(pair), labels=pair)
    for again in (Dataset.from_csv(data.to_csv()), Dataset.from_json(data.to_json())):
        assert again.key == BOARD.key


def test_a_file_of_one_class_or_of_signs_is_written_as_ever():
    lonely = Dataset([[0, 0.5]], ["no"], labels=("no", "yes"))
    assert lonely.to_csv() == "x1,x2,label\n0.0,0.5,-1\n"
    assert json.loads(lonely.to_json()) == {"X": [[0.0, 0.5]], "y": [-1]}
    assert Dataset([[0, 0.5]], [1]).to_csv() == "x1,x2,label\n0.0,0.5,1\n"


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(["no", "yes"] * 3),
        pd.Series(["no", "yes"] * 3, dtype="category"),
        pd.Series(["no", "yes"] * 3, dtype="string", index=list("uvwxyz")),
    ],
)
def test_frames_and_series_are_taken(y):
    frame = pd.DataFrame(BOARD.X[:6], columns=["width", "height"], index=list("abcdef"))
    weights = pd.Series(range(1, 7), index=list("fedcba"))
    solution = solve(Problem(Dataset(frame, y), weights=weights))
    same = solve(Problem(Dataset(BOARD.X[:6], list(y)), weights=range(1, 7)))
    assert solution.problem.key == same.problem.key
    assert solution.predict(frame).tolist() == same.predict(BOARD.X[:6]).tolist()
    assert solution.score(frame, y) == same.score(BOARD.X[:6], list(y))
    assert Dataset(frame.astype("Float64"), y).key == same.problem.data.key
    assert Dataset(frame, pd.Series([0, 1] * 3, dtype="Int64")).labels == (0, 1)
    assert Dataset(frame, pd.Series([False, True] * 3, dtype="boolean")).labels == (False, True)


@pytest.mark.parametrize(
    ("column", "y", "fragments"),
    [
        (["a", "b"], ["no", "yes"], ["X, column 'third'", "'a' is not a number", "leave the column out"]),
        (pd.array([1.0, None], dtype="Float64"), ["no", "yes"], ["X, column 'third'", "<NA>"]),
        ([1.0, float("nan")], ["no", "yes"], ["X, row 1", "nan"]),
        ([1.0, 2.0], pd.array([1, None], dtype="Int64"), ["y, row 1", "missing"]),
        ([1.0, 2.0], pd.DataFrame({"y": [0, 1]}), ["y must be one-dimensional", "(2, 1)"]),
    ],
)
def test_what_a_frame_holds_beside_numbers_is_refused_by_column(column, y, fragments):
    frame = pd.DataFrame(BOARD.X[:2], columns=["width", "height"]).assign(third=column)
    with pytest.raises(BadInput) as caught:
        Dataset(frame, y)
    assert [f for f in fragments if f not in str(caught.value)] == []


def test_points_that_are_moved_left_out_or_lifted_keep_what_they_are_called():
    data = Dataset(BOARD.X, named(("no", "yes")), ids=np.arange(40) + 7)
    rows = np.arange(40) % 2 == 0
    kept = data.kept(rows)
    assert (kept.X.tolist(), kept.ids.tolist()) == (data.X[rows].tolist(), data.ids[rows].tolist())
    assert kept.named_labels.tolist() == data.named_labels[rows].tolist()
    lonely = data.kept(data.y > 0)
    assert (lonely.labels, set(lonely.y)) == (("no", "yes"), {1.0})
    without_some = solve_without(Problem(data), rows).problem.data
    assert without_some.key == data.kept(~rows).key
    places = [
        data.moved(3 * data.X),
        moved_into_disc(data),
        rounded_to_board(data),
        Embedding(3).lift(data, 0),
        Lift("square").raised(data),
    ]
    for moved in places:
        assert moved.labels == ("no", "yes")
        assert moved.named_labels.tolist() == data.named_labels.tolist()
        assert moved.ids.tolist() == data.ids.tolist()
    assert places[0].X.tolist() == (3 * data.X).tolist()
    for call, fragment in [
        (lambda: data.moved(data.X[:3]), "3 rows and y has 40 labels"),
        (lambda: data.kept(rows[:3]), r"rows: shape \(3,\) is not \(40,\)"),
    ]:
        with pytest.raises(BadInput, match=fragment):
            call()


def test_fresh_points_are_judged_by_what_they_are_called():
    solution = solve(Problem(Dataset(BOARD.X, named(("no", "yes")))))
    unseen = make_dataset("overlapping", 30, 0.3, seed=5)
    names = [("no", "yes")[int(sign > 0)] for sign in unseen.y]
    wrong = held_out(solution, unseen).errors.tolist()
    for labels in (("no", "yes"), ("yes", "no")):
        assert held_out(solution, Dataset(unseen.X, names, labels=labels)).errors.tolist() == wrong


@pytest.mark.parametrize(
    "y", [[-1, 1], [1, 0], [2, 1], [0.5, -3], [True, False], ["yes", "no"], [7, 7], ["a", "a"], [1, 1], [1, 2, 3]]
)
def test_a_file_and_an_array_have_one_rule_and_one_message(y):
    rows = "".join(f"{i},{label}\n" for i, label in enumerate(y))
    outcomes = []
    for make in (lambda: Dataset(np.arange(float(len(y)))[:, None], y), lambda: Dataset.from_csv("x1,label\n" + rows)):
        try:
            data = make()
            outcomes.append((data.y.tolist(), data.labels))
        except BadInput as error:
            # What stands before the colon names the row of the array or of the file.
            outcomes.append(str(error).split(":", 1)[1])
    assert outcomes[0] == outcomes[1]
