"""2,000 stored problems have their stored answers on every processor; tests/corpus/answers.py says how precisely."""

import copy
import warnings
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Dataset, NotExact, SvmError, solve
from tests.corpus import answers, problems
from tests.corpus.answers import BINARY, NUMBERS, disagreements

ENTRIES = list(answers.stored())
EVERY = 8  # of the boards of two classes: which of them are solved in several ways


def test_every_stored_problem_has_its_stored_answer():
    bad = [
        f"{entry['name']}: {'; '.join(sentences)}"
        for _, entry in ENTRIES
        if (sentences := disagreements(entry, answers.answer(entry["problem"])))
    ]
    counts = dict(Counter(message.split("/")[0] for message in bad))
    assert not bad, "\n".join([f"{len(bad)} of {len(ENTRIES)} answers differ: {counts}", *bad])


def test_the_stored_problems_are_of_every_family_and_nearly_all_are_compared_closely():
    assert Counter(family for family, _ in ENTRIES) == {name: count for name, (_, count) in problems.FAMILIES.items()}
    assert len({entry["name"] for _, entry in ENTRIES}) == len(ENTRIES) == 2000
    assert sum(not entry["may_differ"] for _, entry in ENTRIES) >= 1990
    assert sum(entry["rounding"] <= 1e-6 for _, entry in ENTRIES) >= 1960
    errors = Counter(entry["answer"].get("error") for _, entry in ENTRIES)
    assert errors["NotSeparable"] >= 40
    assert errors["SolverFailed"] >= 5


def test_every_stored_answer_that_is_not_proven_has_its_warning():
    unproven = [entry for _, entry in ENTRIES if entry["answer"].get("proven") is False]
    assert unproven
    assert [entry["name"] for entry in unproven if not entry["answer"].get("inexact")] == []


@pytest.mark.parametrize("part", NUMBERS)
def test_a_number_that_moves_by_more_than_its_rounding_is_seen(part):
    for _, entry in ENTRIES[::20]:
        if "error" in entry["answer"] or part in entry["may_differ"]:
            continue
        within, outside = (_moved(entry, part, times) for times in (0.4, 3.0))
        assert not disagreements(entry, within), entry["name"]
        assert [sentence.split()[0] for sentence in disagreements(entry, outside)] == [part], entry["name"]


def test_another_category_proof_uniqueness_or_error_is_seen():
    for _, entry in ENTRIES[::20]:
        answer = entry["answer"]
        if entry["may_differ"]:
            continue
        assert disagreements(entry, {"error": "BadInput"}), entry["name"]
        if "error" in answer:
            continue
        for part in ("proven", "alpha_unique"):
            assert disagreements(entry, answer | {part: "another"}), (entry["name"], part)
        for row in range(len(answer["categories"])):
            categories = [*answer["categories"]]
            categories[row] = "another"
            assert disagreements(entry, answer | {"categories": categories}), (entry["name"], row)


def test_a_repeated_a_warm_and_a_reordered_solution_are_equal_to_the_bit():
    boards = [entry for _, entry in ENTRIES if entry["problem"]["task"] == BINARY][::EVERY]
    rng, bad, tried = np.random.default_rng(0), [], 0
    for entry in boards:
        problem = answers.problem(entry["problem"])
        first = _solved(problem)
        if first is None:
            continue
        tried += 1
        order = rng.permutation(problem.data.m)
        weights = None if problem.weights is None else problem.weights[order]
        data = Dataset(problem.data.X[order], problem.data.y[order])
        warm_start = _solved(replace(problem, C=1000.0 if problem.hard else problem.C * rng.choice([0.5, 1.1, 10.0])))
        others = {
            "repeated": (_solved(problem), slice(None)),
            "warm": (_solved(problem, warm_start), slice(None)),
            "reordered": (_solved(replace(problem, data=data, weights=weights)), order),
        }
        for kind, (other, rows) in others.items():
            if other is None or not _equal(first, other, rows):
                bad.append((entry["name"], kind))
    assert tried >= 180
    assert not bad


def _solved(problem, start=None):
    """The solution, None where there is none that is exact."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotExact)
        try:
            return solve(problem, start=start)
        except (SvmError, NotExact):
            return None


def _equal(one, other, rows) -> bool:
    return (
        np.array_equal(one.alpha[rows], other.alpha)
        and np.array_equal(one.states[rows], other.states)
        and (one.b, one.b_interval, one.alpha_unique) == (other.b, other.b_interval, other.alpha_unique)
    )


def _moved(entry, part, times):
    """The stored answer with one number, the first that is finite, moved by so many roundings."""
    answer = copy.deepcopy(entry["answer"])
    alone = not isinstance(answer["objective"], list)
    machine = answer if alone else {name: answer[name][0] for name in NUMBERS}
    unit = answers.unit(machine, part)
    value = np.array(machine[part], dtype=float)
    finite = np.isfinite(value)
    place = np.unravel_index(int(finite.argmax()), value.shape) if value.ndim else ()
    if not finite.any():
        value[...] = 0.0
    value[place] += times * entry["rounding"] * unit
    moved = value.tolist() if value.ndim else float(value)
    if alone:
        return answer | {part: moved}
    return answer | {part: [moved, *answer[part][1:]]}
