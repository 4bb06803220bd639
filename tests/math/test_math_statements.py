"""The statements of the notes: each holds wherever it applies, each repaired one fails as printed on its witness."""

from __future__ import annotations

import importlib
import math
import pkgutil
import types
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from svmlab import DATASETS, Dataset, Gaussian, Linear, Polynomial, Problem, Sigmoid, make_dataset, statements
from svmlab import kernels as registry
from svmlab.statements import CATALOGUE, Situation, Verdict, entries, opinion

KERNELS = (Linear(), Polynomial(2), Gaussian(1.0))
IDS = [id for id in CATALOGUE if id[0] in "MHS"]
REPAIRED = [id for id in IDS if CATALOGUE[id].repair]
SAMPLED = ("P5", "X3")  # judged in standard errors, and by an exponent of growth
WHOLE = "MHSP"  # letters of which every number is there
CONTROLS = ["M1", "M8", "H10", "S16"]  # statements that hold, with a neighbouring claim that fails on their witness


def page(problem: Problem) -> dict[str, Verdict]:
    """Every check on one board."""
    situation = Situation(problem)
    return {id: entry.check(situation) for id, entry in CATALOGUE.items()}


def complaints(verdicts: dict[str, Verdict]) -> list[str]:
    """What is wrong with the answers: a statement that applies and does not hold, or one that does not say why."""
    out = []
    for id, v in verdicts.items():
        if v.applies:
            if not v.holds:
                out.append(f"{id} does not hold: {v.residual:.2e} > {v.tolerance:g}")
            if any(math.isnan(side.value) for side in v.sides):
                out.append(f"{id} shows nan")
        elif not (v.why.endswith(".") and " " in v.why):
            out.append(f"{id} does not say why: {v.why!r}")
    return out


def random_board(seed: int) -> Problem:
    """Clouds, lattices, lines, duplicates, opposite twins, one class, two points; any kernel, C and bias."""
    rng = np.random.default_rng(seed)
    m, d = int(rng.integers(2, 15)), 2 if rng.random() < 0.8 else int(rng.integers(1, 4))
    X = rng.standard_normal((m, d)) * rng.choice([0.3, 1.0, 3.0])
    y = np.where(rng.random(m) < 0.5, 1.0, -1.0)
    kind = seed % 10
    if kind == 1:  # lattice, many ties
        X = rng.integers(-2, 3, (m, d)).astype(float)
    elif kind == 2:  # all on one line
        X = np.outer(rng.integers(-4, 5, m), rng.standard_normal(d)) + rng.standard_normal(d)
    elif kind == 3:  # duplicates
        X = X[rng.integers(0, max(1, m // 2), m)]
    elif kind == 4:  # opposite twins
        X, y = np.vstack([X, X[:2]]), np.r_[y, -y[:2]]
    elif kind == 5:
        X, y = X[:2], np.array([1.0, -1.0])
    elif kind == 6:
        y = np.full(m, y[0])
    elif kind in (7, 8):  # separable
        w = rng.standard_normal(d)
        y = np.where(X @ w > 0, 1.0, -1.0)
        X = X + 0.5 * np.outer(y, w / np.linalg.norm(w))
    C = math.inf if rng.random() < 0.15 else float(10 ** rng.uniform(-2, 3))
    kernel = (Linear(), Linear(), Polynomial(2), Gaussian(float(rng.choice([0.5, 1.0, 2.0]))))[rng.integers(4)]
    return Problem(Dataset(np.round(X, 3), y), kernel, C, bool(rng.random() < 0.6))


def test_every_statement_is_in_the_catalogue():
    for found in pkgutil.iter_modules(statements.__path__):
        module = importlib.import_module(f"{statements.__name__}.{found.name}")
        missing = [entry.id for entry in entries(module) if CATALOGUE.get(entry.id) is not entry]
        assert not missing, f"{missing} of {module.__name__}: write the module's name into THEMES"


@pytest.mark.parametrize("letter", WHOLE)
def test_the_numbers_of_a_letter_have_no_gap(letter):
    numbers = [int(id[1:]) for id in CATALOGUE if id[0] == letter]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 12


def test_a_number_given_twice_is_refused():
    twin = replace(CATALOGUE["M1"], title="Another one")
    module = types.ModuleType("theme")
    module.twin = twin
    with pytest.raises(ValueError, match="M1"):
        statements._catalogue((*statements.THEMES, module))


def test_a_repaired_statement_has_a_board_that_refutes_the_print():
    assert [id for id, entry in CATALOGUE.items() if entry.repair and entry.witness is None] == ["H5"]


@pytest.mark.parametrize("id", CATALOGUE)
def test_an_entry_says_everything_a_reader_needs(id):
    entry = CATALOGUE[id]
    assert entry.sentence.endswith(".")
    assert entry.conditions.endswith(".")
    assert len(entry.title) <= 40
    assert entry.formula.count("{") == entry.formula.count("}")
    assert entry.source
    assert {source.notes for source in entry.source} <= {"A", "B", "C", "D", "E", "project"}
    assert all(source.place for source in entry.source)
    assert (entry.verdict == "repaired") == (entry.repair is not None)
    assert 0 <= entry.tolerance <= 1e-5 or id in SAMPLED
    with pytest.raises(FrozenInstanceError):
        entry.title = "x"


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
@pytest.mark.parametrize("name", DATASETS)
def test_on_every_preset_whatever_applies_holds(name, kernel, bias):
    for C in (0.01, 1.0, 1000.0):
        assert complaints(page(Problem(make_dataset(name, 16), kernel, C, bias))) == []


@pytest.mark.parametrize("name", registry.KERNELS)
def test_with_every_kernel_whatever_applies_holds(name):
    for C in (1.0, math.inf):
        for bias in (True, False):
            assert complaints(page(Problem(make_dataset("moons", 16, 0.1), registry.KERNELS[name](), C, bias))) == []


@pytest.mark.parametrize("name", DATASETS)
def test_on_every_preset_whatever_applies_holds_where_the_board_asks_for_the_hard_margin(name):
    for noise in (0.0, 0.4):
        assert complaints(page(Problem(make_dataset(name, 12, noise, seed=3), Linear(), math.inf))) == []


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_on_random_and_degenerate_boards_whatever_applies_holds(first):
    for seed in range(first, first + 20):
        assert (seed, complaints(page(random_board(seed)))) == (seed, [])


@pytest.mark.parametrize("id", [id for id in REPAIRED if id != "H5"])
def test_the_printed_reading_fails_on_its_witness_and_the_repaired_one_holds(id):
    verdict = CATALOGUE[id].check(Situation(CATALOGUE[id].witness.problem))
    assert verdict.applies, verdict.why
    assert verdict.printed is not None
    assert not verdict.printed.holds
    assert verdict.printed.residual > 1e-2
    assert verdict.repaired is not None
    assert verdict.repaired.holds
    assert verdict.witness is CATALOGUE[id].witness


def test_the_lemma_without_a_condition_has_a_counterexample_that_is_no_board():
    verdict = CATALOGUE["H5"].check(Situation(Problem(make_dataset("separable", 12))))
    assert CATALOGUE["H5"].witness is None
    assert verdict.control is not None
    assert not verdict.control.holds
    assert verdict.control.residual == 1.0


@pytest.mark.parametrize("id", CONTROLS)
def test_the_control_fails_where_the_statement_holds(id):
    witness = CATALOGUE[id].witness
    problem = witness.problem if witness else Problem(make_dataset("overlapping", 16))
    verdict = CATALOGUE[id].check(Situation(problem))
    assert verdict.holds
    assert not verdict.control.holds


@pytest.mark.parametrize("id", ["S4", "S13", "S14"])
def test_a_stronger_claim_fails_on_any_board(id):
    verdict = CATALOGUE[id].check(Situation(Problem(make_dataset("overlapping", 16))))
    assert verdict.holds
    assert not verdict.control.holds


@pytest.mark.parametrize("id", [id for id, entry in CATALOGUE.items() if entry.witness])
def test_a_witness_fits_the_board(id):
    X = np.array(CATALOGUE[id].witness.X)
    assert np.abs(X).max() <= 8
    np.testing.assert_array_equal(np.round(X, 3), X)
    assert CATALOGUE[id].witness.words.endswith(".")


def test_every_statement_applies_somewhere():
    boards = [
        Problem(make_dataset("overlapping", 16)),
        Problem(make_dataset("separable", 16)),
        Problem(make_dataset("xor", 16)),
    ]
    pages = [page(board) for board in boards]
    assert [id for id in IDS if not any(verdicts[id].applies for verdicts in pages)] == []


@pytest.mark.parametrize(
    "problem",
    [
        Problem(Dataset([], [])),
        Problem(Dataset([[1.0, 2.0]], [1])),
        Problem(Dataset([[0.0, 0.0], [0.0, 0.0]], [1, -1])),
        Problem(Dataset([[0.0, 0.0], [0.0, 0.0]], [1, -1]), C=math.inf),
        Problem(Dataset([[0.0, 0.0], [0.0, 0.0]], [1, 1]), bias=False),
        Problem(Dataset([[1.0, 1.0], [2.0, 1.0]], [1, 1]), C=math.inf),
        Problem(make_dataset("xor", 12), Sigmoid()),
        Problem(make_dataset("xor", 12), Polynomial(2, -1.0)),
        Problem(make_dataset("circles", 12), Polynomial(5), 100.0),
        Problem(make_dataset("moons", 12), Gaussian(0.05), math.inf),
        Problem(make_dataset("moons", 12), Gaussian(30.0), 1e3),
    ],
    ids=[
        "none",
        "one",
        "twins",
        "hard twins",
        "origin",
        "hard one class",
        "sigmoid",
        "indefinite",
        "quintic",
        "narrow",
        "wide",
    ],
)
def test_boards_with_little_to_say_get_reasons_not_errors(problem):
    assert complaints(page(problem)) == []


def test_a_reason_says_what_to_change():
    one = page(Problem(Dataset([[1.0, 1.0], [2.0, 1.0]], [1, 1])))
    assert "Add a point of the other class" in one["H3"].why
    assert one["H3"].holds is None
    assert math.isnan(one["H3"].residual)
    mixed = page(Problem(Dataset([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], [1, -1, 1])))
    assert "another kernel" in mixed["M6"].why
    assert "Switch the bias on" in page(Problem(make_dataset("separable", 8), bias=False))["M11"].why
    assert "Gaussian" in page(Problem(make_dataset("separable", 8), Gaussian()))["H1"].why


def test_a_verdict_says_which_machine_was_checked():
    verdicts = page(Problem(make_dataset("separable", 8), C=math.inf))
    assert "C = 1" in verdicts["S1"].note
    assert verdicts["H1"].note == ""
    assert "hard margin" in page(Problem(make_dataset("separable", 8)))["M6"].note


def test_a_page_of_checks_solves_each_thing_once(monkeypatch):
    seen: list[tuple[str, float, bool]] = []
    dual = opinion.dual
    monkeypatch.setattr(opinion, "dual", lambda p: seen.append((p.data.key, p.C, p.bias)) or dual(p))
    page(Problem(make_dataset("separable", 12)))
    assert len(seen) == len(set(seen)) == 2


def test_a_board_with_very_many_features_leaves_the_dear_checks_out():
    situation = Situation(Problem(make_dataset("overlapping", 300), Gaussian(0.5)))
    assert "at most 150 points" in CATALOGUE["S2"].check(situation).why
    assert "at most 150 points" in CATALOGUE["S16"].check(situation).why


def test_a_margin_that_floats_cannot_show_is_no_failure():
    verdict = CATALOGUE["M10"].check(Situation(random_board(1232)))
    assert not verdict.applies
    assert "narrow" in verdict.why
