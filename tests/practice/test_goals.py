"""Every goal: not reached at its start or on an empty board, reached by its witness, and the same after a link."""

from __future__ import annotations

import json
import math
import pkgutil
import random
import re
from dataclasses import replace

import numpy as np
import pytest
from cvxopt import matrix, solvers

from svmlab import BadInput, Dataset, Problem
from svmlab.lab.session import link
from svmlab.practice import GOALS, LESSONS, Board, Goal, goal_from_json, goal_from_link, goals
from svmlab.practice.conditions import CONDITIONS, COUNTS, QUANTITIES, Count, Keep, Unique, Value
from svmlab.practice.goal import HIDEABLE
from tests.offences import each_of
from tests.practice.test_question_types import check_hints, check_words

ALL = list(GOALS.values())
EXAMPLE = GOALS["double-margin"]


def check_goal(goal: Goal) -> None:
    assert re.fullmatch(r"[a-z0-9-]{3,40}", goal.key)
    assert goal.lesson in LESSONS[:-1]
    assert not goal.judge(goal.start.problem).is_solved, "the start is a solution"
    assert not goal.judge(Board().problem).is_solved, "an empty board is a solution"
    assert goal.witness is not None, "the witness is missing"
    progress = goal.judge(goal.witness.problem)
    assert progress.is_solved, [str(finding.sentence) for finding in progress.findings if not finding.met]
    assert progress.stars == (1 if goal.fewest is None else 2), f"the witness has {progress.changes} changes"
    assert goal.fewest != 0 or goal.witness.points == goal.start.points


def check_words_of_goal(goal: Goal) -> None:
    boards = (goal.start, Board(), goal.witness)
    said = [finding.sentence for board in boards for finding in goal.judge(board.problem).findings]
    for text in (goal.title, goal.situation, *(hint.words for hint in goal.hints), *said):
        check_words(text)
    assert goal.sentence.endswith(".")
    assert "{" not in goal.sentence
    check_hints(goal.hints)


@each_of([goal for goal in ALL if goal.is_quick], name=lambda goal: goal.key)
def test_a_goal_is_reached_by_its_witness_and_not_before_and_its_words_can_be_read(goal: Goal) -> None:
    check_goal(goal)
    check_words_of_goal(goal)


@pytest.mark.slow
@pytest.mark.parametrize("goal", [goal for goal in ALL if not goal.is_quick], ids=lambda goal: goal.key)
def test_so_is_a_goal_that_takes_longer_to_judge(goal: Goal) -> None:
    check_goal(goal)
    check_words_of_goal(goal)


@each_of(ALL, name=lambda goal: goal.key)
def test_a_goal_travels_in_a_link(goal: Goal) -> None:
    arrived = goal_from_link(goal.to_link())
    assert arrived.as_json == goal.as_json
    assert arrived.start == goal.start
    assert arrived.sentence == goal.sentence
    assert goal_from_json(json.loads(json.dumps(goal.as_json))).conditions == goal.conditions


def test_each_module_of_goals_has_one() -> None:
    of_modules = {m.name: vars(getattr(goals, m.name)).values() for m in pkgutil.iter_modules(goals.__path__)}
    ids_by_module = {
        name: [id(e) for e in entries] + [id(e) for each in entries if isinstance(each, tuple) for e in each]
        for name, entries in of_modules.items()
    }
    assert [name for name, ids in ids_by_module.items() if not {id(goal) for goal in ALL} & set(ids)] == []


def test_what_a_goal_hides_a_link_can_hide() -> None:
    assert HIDEABLE == link.HIDEABLE


def test_each_kind_of_condition_says_what_it_asks_and_how_the_board_stands() -> None:
    used = {condition.kind for goal in ALL for condition in goal.conditions}
    assert used <= set(CONDITIONS)
    for of in COUNTS:
        for relation in ("exactly", "at least", "at most"):
            for n in (0, 1, 2):
                goal = replace(EXAMPLE, conditions=(Count(of, relation, n),))
                check_words(goal.sentence)
                for finding in goal.judge(EXAMPLE.start.problem).findings:
                    assert finding.met or f"asks for {relation} {n}" in finding.sentence
    for of in QUANTITIES:
        goal = replace(EXAMPLE, conditions=(Value(of, "at least", 1000),))
        check_words(goal.sentence)
        assert "asks for at least 1000" in goal.judge(EXAMPLE.start.problem).findings[0].sentence


def test_moving_adding_deleting_and_another_class_are_counted() -> None:
    start = EXAMPLE.start
    board = start.moved({1: (0, 3)}).without(2, 3).with_points((1, 1, 1))
    other = replace(board, points=(*board.points[:-1], (1, 1, -1)))
    assert EXAMPLE.judge(board.problem).changes == 4
    assert EXAMPLE.judge(other.problem).changes == 4
    assert EXAMPLE.judge(start.problem).changes == 0
    flipped = replace(start, points=((*start.points[0][:2], 1), *start.points[1:]))
    assert EXAMPLE.judge(flipped.problem).changes == 1


def test_settings_that_must_stay_are_compared() -> None:
    kept = replace(EXAMPLE, conditions=(Count("points", "at least", 1), Keep(("C", "bias"))))
    start = EXAMPLE.start
    assert kept.judge(start.problem).is_solved
    assert not kept.judge(replace(start, C=10).problem).is_solved
    assert not kept.judge(replace(start, bias=False).problem).is_solved
    costly = Problem(start.problem.data, C=math.inf, costs=(2, 1))
    assert kept.judge(costly).is_solved  # the hard margin has no slack whose cost could differ
    soft = replace(EXAMPLE, start=replace(start, C=1), conditions=kept.conditions)
    assert not soft.judge(Problem(start.problem.data, C=1, costs=(2, 1))).is_solved


def test_a_solution_of_many_alphas_or_biases_is_recognised() -> None:
    square = Board(((1, 1, 1), (1, -1, 1), (-1, 1, -1), (-1, -1, -1)), C=math.inf)
    wide = Board(((1, 0, 1), (-1, 0, -1)), C=0.1)
    for board, condition in ((square, Unique("alpha", False)), (wide, Unique("b", False))):
        assert replace(EXAMPLE, conditions=(condition,)).judge(board.problem).is_solved
        assert not replace(EXAMPLE, conditions=(replace(condition, wanted=True),)).judge(board.problem).is_solved


def _random_case(rng: random.Random) -> tuple[Problem, Count | Value]:
    m = rng.randrange(4, 13)
    rows = [(rng.randrange(-40, 41) / 10, rng.randrange(-40, 41) / 10) for _ in range(m)]
    y = [1, -1, *(rng.choice((1, -1)) for _ in range(m - 2))]
    problem = Problem(Dataset(rows, y), C=rng.choice((0.1, 1.0, 10.0)))
    if rng.random() < 0.7:
        of = rng.choice(("support", "at_bound", "errors", "violations", "inside", "points", "plus"))
        return problem, Count(of, rng.choice(("exactly", "at least", "at most")), rng.randrange(m + 1))
    return problem, Value(rng.choice(("width", "norm", "slack", "objective")), "at least", rng.randrange(1, 40) / 4)


def _second_way(problem: Problem, condition: Count | Value) -> bool | None:
    """Judge by the primal program, solved by cvxopt. None where its numbers are too close to a threshold."""
    data, C = problem.data, problem.C
    rows = data.y[:, None] * np.hstack([data.X, np.ones((data.m, 1))])
    P = np.diag([1.0, 1.0, 0.0, *np.zeros(data.m)])
    q = np.r_[np.zeros(3), np.full(data.m, C)]
    eye = np.eye(data.m)
    G = -np.block([[rows, eye], [np.zeros((data.m, 3)), eye]])
    h = np.r_[-np.ones(data.m), np.zeros(data.m)]
    optimum = solvers.qp(*map(matrix, (P, q, G, h)), options={"show_progress": False, "abstol": 1e-10, "reltol": 1e-10})
    w, yf = np.array(optimum["x"]).ravel()[:2], rows @ np.array(optimum["x"]).ravel()[:3]
    alpha = np.array(optimum["z"]).ravel()[: data.m]
    at_one = np.abs(yf - 1) < 1e-5
    doubtful = at_one & ((alpha < 1e-4 * C) | (alpha > (1 - 1e-4) * C)) | (np.abs(yf) < 1e-5)
    if optimum["status"] != "optimal" or doubtful.any():
        return None
    xi, norm = np.where(at_one, 0, np.maximum(0, 1 - yf)), float(np.linalg.norm(w))
    values = {
        "support": (alpha > 1e-5 * C).sum(), "at_bound": (alpha > (1 - 1e-5) * C).sum(), "errors": (yf <= 0).sum(),
        "violations": (xi > 0).sum(), "inside": ((xi > 0) & (yf > 0)).sum(), "points": data.m,
        "plus": (data.y > 0).sum(), "width": 2 / norm if norm > 1e-6 else -1, "norm": norm, "slack": xi.sum(),
        "objective": norm**2 / 2 + C * xi.sum(),
    }  # fmt: skip
    value, wanted = float(values[condition.of]), condition.n if isinstance(condition, Count) else condition.value
    if isinstance(condition, Value) and abs(value - wanted) < 1e-4:
        return None
    return {"exactly": value == wanted, "at least": value >= wanted, "at most": value <= wanted}[condition.relation]


@pytest.mark.parametrize("n", [30, pytest.param(1000, marks=pytest.mark.slow)])
def test_random_goals_are_judged_alike_by_a_second_way(n: int) -> None:
    rng, judged = random.Random(5), 0
    for _ in range(n):
        problem, condition = _random_case(rng)
        expected = _second_way(problem, condition)
        if expected is not None:
            judged += 1
            goal = replace(EXAMPLE, conditions=(condition,))
            assert goal.judge(problem).is_solved == expected, (problem.data.to_csv(), problem.C, condition)
    assert judged > 0.7 * n


@pytest.mark.parametrize("n", [100, pytest.param(5000, marks=pytest.mark.slow)])
def test_a_damaged_link_is_answered_with_a_message(n: int) -> None:
    rng, links = random.Random(7), [goal.to_link() for goal in ALL]
    signs = "ABCabc019-_=. é\0"
    for _ in range(n):
        text = list(rng.choice(links))
        for _change in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text))
            text[at : at + rng.choice((0, 1, 5))] = rng.choice(signs)
        try:
            assert goal_from_link("".join(text)).sentence
        except BadInput as error:
            assert str(error)  # noqa: PT017


def _mutated(rng: random.Random, value: object) -> object:
    """The value with one part of it replaced by something that may not fit."""
    odd = [
        None,
        True,
        -1,
        1e300,
        math.nan,
        "",
        "x" * 1000,
        "support",
        [],
        {},
        [[]],
        {"kind": "count"},
        10**30,
        [1, 2, 3],
    ]
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(sorted(value))
        return {**value, key: _mutated(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        return [*value[:at], _mutated(rng, value[at]), *value[at + 1 :]]
    return rng.choice(odd)


@pytest.mark.parametrize("n", [150, pytest.param(5000, marks=pytest.mark.slow)])
def test_a_goal_with_parts_that_do_not_fit_is_answered_with_a_message(n: int) -> None:
    rng, accepted = random.Random(11), 0
    for _ in range(n):
        changed = _mutated(rng, rng.choice(ALL).as_json)
        try:
            goal = goal_from_json(changed)
        except BadInput as error:
            assert str(error)  # noqa: PT017
        else:
            accepted += 1
            assert goal.sentence
    assert accepted < n / 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "another version"),
        ({"conditions": []}, "1 to 12 conditions"),
        ({"conditions": [{"kind": "keep"}]}, "at least one that describes the board"),
        ({"conditions": [{"kind": "count", "of": "machines", "relation": "exactly", "n": 3}]}, "machines.*is unknown"),
        ({"conditions": [{"kind": "count", "of": "support", "relation": "exactly"}]}, "not complete"),
        ({"title": "a\nb"}, "title.*in one line"),
        ({"start": {"points": [[9, 0, 1]]}}, "off the board"),
        ({"start": {"points": [[1, 0, 0]]}}, "not 1 or -1"),
        ({"hide": ["everything"]}, "not a control"),
        ({"extra": 1}, "'extra' is unknown"),
        ({"level": 9}, "not 1, 2 or 3"),
        ({"lesson": "cooking"}, "not a lesson"),
    ],
)
def test_a_message_names_what_does_not_fit(change: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        goal_from_json(EXAMPLE.as_json | change)
