"""What is said to the answers of somebody who prepares for an examination, and how rarely questions degenerate."""

from __future__ import annotations

import re

import pytest

from svmlab.practice import QUESTION_TYPES, Choice, Numbers
from tests.offences import each_of

VERDICTS = [  # the type, the seed, what is answered, and what is said to it (with ~ before it: what is not said)
    ("place_a_point", 2053, ("3½",), "3.5 is right"),
    ("class_of_point", 2028, ("-50", "-1"), "sign of the right f(u), which is positive"),
    ("perceptron_mistakes", 2033, ("2", "-2", "-1"), "You stopped after the first pass"),
    ("perceptron_mistakes", 2033, ("2", "-2", "-1"), "~first point also"),
    ("perceptron_mistakes", 2033, ("5", "2", "-4"), "~sign of the update"),
    ("perceptron_mistakes", 2033, ("5", "2", "4"), "sign of the update is wrong"),
    ("perceptron_mistakes", 2033, ("4", "-2", "-4"), "first point also"),
    ("perceptron_mistakes", 2033, ("4", "0", "-4"), "~only at the start"),
    ("perceptron_mistakes", 2033, ("4", "0", "0"), "only at the start"),
    ("place_a_point", 2032, ("1/8",), "You set y f = ξ − 1"),
    ("place_a_point", 2032, ("9/8",), "measured from the boundary"),
    ("slacks_for_a_line", 2046, ("6.5", "1", "6"), "You computed max(0, 1 − f(x))"),
    ("slacks_for_a_line", 2046, ("0", "1", "0"), "You computed max(0, 1"),
    ("leave_one_out", 2056, ("2", "1"), "error: 1 is not right. This is a number of points"),
    ("xor_in_feature_space", 2054, ("1/5", "10"), "The factor √2 of the product feature is missing"),
    ("degree_two_features", 2053, ("0.2", "-0.6", "1.8", "√10"), "The factor √2 before x is missing"),
    ("alpha_by_hand", 2040, ("1", "1/26", "25/26"), "coefficient of the point in the convex combination"),
    ("line_by_hand", 2034, ("1", "1", "1"), "The direction is right, but the length is not"),
    ("distance_from_origin", 2031, ("5/4",), "You divided by |w₁| + |w₂|"),
    ("circle_support_vectors", 2027, {3, 6, 7}, "one support vector is missing"),
    ("best_removal", 2042, {5}, "The α of this point is 0"),
]


@each_of(VERDICTS, name=lambda case: f"{case[0]} {case[2]}")
def test_what_is_said_to_an_answer(key: str, seed: int, given: tuple[str, ...] | set[int], said: str) -> None:
    says = " ".join(QUESTION_TYPES[key].question(seed, 2).answer.judge(given).sentences)
    assert (said.lstrip("~") in says) == (not said.startswith("~")), says


@pytest.mark.parametrize(
    ("key", "difficulty"),
    [
        ("leave_one_out", 2),
        ("leave_one_out", 3),
        ("tube_points", 2),
        ("kkt_box", 2),
        ("kkt_box", 3),
        ("qp_matrices", 2),
    ],
)
def test_two_numbers_that_are_asked_for_are_rarely_equal(key: str, difficulty: int) -> None:
    equal = 0
    for seed in range(60):
        answer = QUESTION_TYPES[key].question(seed, difficulty).answer
        assert isinstance(answer, Numbers)
        equal += len({abs(field.value) for field in answer.fields}) < len(answer.fields)
    assert equal <= 6


def test_a_choice_has_no_two_pairs_with_the_same_gram_matrix() -> None:
    for seed in range(40):
        answer = QUESTION_TYPES["kernel_or_not"].question(seed, 2).answer
        assert isinstance(answer, Choice)
        pairs = [
            [int(n.replace("−", "-")) for n in re.findall("−?[0-9]+", option.words)]
            for option in answer.options
            if option.why
        ]
        assert len({(min(x * x, z * z), x * z, max(x * x, z * z)) for x, z in pairs}) == 3


def test_the_two_boundaries_of_small_and_large_c_differ() -> None:
    for seed in (2047, *range(4)):
        question = QUESTION_TYPES["small_and_large_c"].question(seed, 2)
        first, second = re.findall(r"x_1 = ([-\d.]+)", question.solution[0])
        assert first != second


def test_numbers_stay_small_enough_for_pen_and_paper() -> None:
    for seed in range(40):
        answer = QUESTION_TYPES["gram_matrix"].question(seed, 2).answer
        assert isinstance(answer, Numbers)
        assert max(abs(field.value) for field in answer.fields) <= 200
