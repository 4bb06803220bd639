"""The notation of formulas: what is rewritten, what stays, and that the shown form, w and b give the same f."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Formatter

import numpy as np
import pytest

from svmlab import BadInput, solve
from svmlab.lab import notation as rules
from svmlab.lab import words
from svmlab.lab.bench.panel import formula
from svmlab.lab.bench.tabs.code import with_sklearn, with_svmlab
from svmlab.lab.board.board_message import message
from svmlab.lab.board.payload import sliders
from svmlab.lab.cards.card_markdown import VALUES_OF_B
from svmlab.lab.frame.nav import SIGNS
from svmlab.lab.glossary import TERMS
from svmlab.lab.notation import LABELS, MINUS_B, PARAMETERS, USUAL, Notation
from svmlab.lab.session import inbox
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.link import Location, parse_query, query_string
from svmlab.lab.session.state import History, initial_history
from svmlab.lab.session.tab import Session
from svmlab.statements import CATALOGUE

PACKAGE = Path(words.__file__).parents[1]
MINUS, LABEL_T = Notation(minus_b=True), Notation(label="t")
ALL = [Notation(minus, label, first) for minus in (False, True) for label in LABELS for first in PARAMETERS]
# Where b is more than a name: with a value, a formula or a sign of its own. Such a part must be given by hand.
RISKY = re.compile(
    r"(?<![A-Za-z0-9\\{])b(?:_\w|ᵢ)?\$?\s*(?:=(?!\s*(?:0\b|\{|%|b_i|$))|[+−-]|\\leftarrow|←)"
    r"|(?:\bplus|\badds? .{0,40}to|replaces|sign of|equal to) (?<!respect to )\$?b(?![A-Za-z'])|\$?\bb\$? plus"
)
CODE = re.compile(
    r"print\(|solution\.b|fit\.b|classifier\.b|report\[|json\.load|^c = |form\(a,b,c\)|\^2b\^2|shape \{shape\}"
)


def strings() -> Iterator[str]:
    """Every text of the app and of the statements, without docstrings, and without lines of lecture notes."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name == "notation.py" or not path.is_relative_to(PACKAGE / "lab") | path.is_relative_to(
            PACKAGE / "statements"
        ):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        quotes = {
            id(word.value)
            for n in ast.walk(tree)
            if isinstance(n, ast.Call)
            for word in n.keywords
            if word.arg == "quote"
        }
        docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in quotes | docs:
                yield node.value


@cache
def long_strings() -> tuple[str, ...]:
    return tuple(sorted({text for text in strings() if len(text) > 1}))


@pytest.mark.parametrize(
    ("notation", "usual", "written"),
    [
        (MINUS, r"$f(x) = \langle w, x\rangle + b$", r"$f(x) = \langle w, x\rangle - b$"),
        (MINUS, r"$f_k(x)=\langle w_k,x\rangle+b_k$ and b = {b}", r"$f_k(x)=\langle w_k,x\rangle-b_k$ and b = {b}"),
        (MINUS, "f(x) = ⟨w, x⟩ + b = 0", "f(x) = ⟨w, x⟩ − b = 0"),
        (MINUS, r"$\frac12(\|w\|^2 + b^2)$, <b>1 + bold</b>", r"$\frac12(\|w\|^2 + b^2)$, <b>1 + bold</b>"),
        (MINUS, "Gruber: “$w^T x + b$” is + b", "Gruber: “$w^T x + b$” is − b"),
        (MINUS, r"$b = y_i - \langle w, x_i\rangle$", r"$b = \langle w, x_i\rangle - y_i$"),
        (MINUS, "adds $y x$ to $w$ and $y$ to $b$.", "adds $y x$ to $w$ and subtracts $y$ from $b$."),
        (LABEL_T, "y f(x) ≥ 1 at step t, wₜ₊₁ = wₜ, yᵢ", "t f(x) ≥ 1 at step τ, w_(τ+1) = w_τ, tᵢ"),
        (
            LABEL_T,
            r"$y_if(x_i)$, $\frac1t w_{t+1}$, {t}, %{y:.3g}",
            r"$t_if(x_i)$, $\frac1\tau w_{\tau+1}$, {t}, %{y:.3g}",
        ),
        (LABEL_T, r"$\text{type y} \hat y$ “$y_i$” `y`", r"$\text{type y} \hat t$ “$y_i$” `y`"),
        (LABEL_T, r"$\mu = ({x}, {y})$ and $w_{t}$", r"$\mu = ({x}, {y})$ and $w_{\tau}$"),
        (LABEL_T, r"$1/(\lambda t)x$, $tv$", r"$1/(\lambda \tau)x$, $\tau v$"),
        (Notation(True, "t"), "y(⟨w, x⟩ + b) ≥ 1", "t(⟨w, x⟩ − b) ≥ 1"),
    ],
)
def test_words_and_formulas_are_rewritten_and_quotations_code_and_values_stay(
    notation: Notation, usual: str, written: str
) -> None:
    assert notation.text(usual) == written


FORMULAS = [s.formula for s in CATALOGUE.values()] + [t.formula for t in TERMS.values() if t.formula]


def test_a_formula_is_rewritten_as_between_dollar_signs() -> None:
    for tex in FORMULAS:
        for notation in ALL:
            alone = replace(notation, first="C").tex(tex)
            assert notation.text(f"${tex}$") == f"${alone}$"
            assert alone.count("{") == tex.count("{")


def test_with_lambda_first_a_formula_that_introduces_C_is_written_with_lambda() -> None:
    lambda_first = Notation(first="lambda")
    named = {s.id: s.formula for s in CATALOGUE.values()} | {t.key: t.formula for t in TERMS.values() if t.formula}
    changed = {name for name, tex in named.items() if lambda_first.tex(tex) != tex}
    assert changed == {"S1", "S16", "X2", "primal", "soft-margin", "price", "regression"}
    assert all(lambda_first.tex(named[name]).replace(rules.C_BY_LAMBDA, "C") == named[name] for name in changed)
    assert lambda_first.tex(r"\tfrac12\|w\|^2 + C\sum_i\xi_i") == r"\tfrac12\|w\|^2 + \frac{1}{\lambda m}\sum_i\xi_i"


def test_with_lambda_first_the_slider_of_C_also_shows_lambda(written_in) -> None:
    lab = with_preset(Lab(size=20))
    assert "inverse" not in sliders(lab)[0]
    written_in(Notation(first="lambda"))
    assert sliders(lab)[0]["inverse"] == {"label": "λ", "of": 20}
    assert all("inverse" not in each for each in sliders(replace(lab, face="lambda")))


def test_the_usual_notation_changes_nothing() -> None:
    assert [USUAL.text(text) for text in long_strings()] == list(long_strings())


def test_b_changes_its_sign_wherever_it_is_a_term() -> None:
    """No "+ b" is left outside quotations. What is neither signed nor given by hand stands where no sign matters."""
    left, unknown = [], []
    for text in long_strings():
        plain = re.sub(r"</?b>", "", re.sub(rules.QUOTED, "", text))
        if re.search(r"\+\s*b(?![A-Za-z²]|\s*\^)", re.sub(r"</?b>", "", re.sub(rules.QUOTED, "", MINUS.text(text)))):
            left.extend([] if re.search(r"[-−]\s*b(?![A-Za-z])", plain) else [text])
        rest = rules.BY_HAND.sub(lambda match: "" if match[0] in MINUS_B else match[0], plain)
        if (match := RISKY.search(re.sub(r"[+−-]\s*b(?![A-Za-z²])", "", rest))) and not CODE.search(text):
            if any(part.startswith(text) for part in MINUS_B):
                continue  # the beginning of a formula whose end depends on the kernel
            unknown.append((match[0], text))
    assert left == []
    assert not unknown, unknown


def test_values_that_are_filled_in_keep_their_names() -> None:
    for text in long_strings():
        try:
            names = [name for _text, name, _spec, _how in Formatter().parse(text)]
        except ValueError:  # TeX, and no template
            continue
        if (
            text.startswith("$$")
            or re.search(r"[_^]\{(?!\{)", text)
            or not all(name is None or name.isidentifier() for name in names)
        ):
            continue
        assert [name for _text, name, _spec, _how in Formatter().parse(Notation(True, "t").text(text))] == names, text


def test_each_part_given_by_hand_is_in_a_text_and_comes_back() -> None:
    joined = [r"b=y_i-\sum_j\alpha_jy_j\,\langle x_j,x_i\rangle", r"b=y_i-\sum_j\alpha_jy_j\,k(x_j,x_i)"]
    for part in MINUS_B:
        assert part in joined or any(part in text for text in long_strings()), part
    for part in rules.LABEL_T:
        assert any(part.replace("− b", "+ b") in text for text in long_strings()), part
    assert [name for name in VALUES_OF_B if not any(name == text for text in long_strings())] == []


def test_no_label_keeps_its_letter() -> None:
    letter = re.compile(r"(?<![A-Za-z\\{'’-])y(?![A-Za-z'’}:-])")
    for text in long_strings():
        if (
            not re.search(r"[ $(]y(?:_i)?[ $),.]|y f|yᵢ", text)
            or CODE.search(text)
            or re.search(r"yaxis|^\W*y\W*$", text)
        ):
            continue
        changed = rules.STAYS.sub("", LABEL_T.text(text))
        assert not letter.search(changed), text


def test_the_name_in_a_link_comes_back_and_the_usual_one_has_none() -> None:
    assert USUAL.as_word == ""
    assert {Notation.of_word(each.as_word) for each in ALL} == set(ALL)
    for bad in ("plus-b", "t,minus-b", "y", "minus-b,", "minus-b,minus-b"):
        with pytest.raises(ValueError, match=re.escape(bad)):
            Notation.of_word(bad)
    with pytest.raises(BadInput, match="label is y or t"):
        Notation(label="z")
    with pytest.raises(BadInput, match="first parameter"):
        Notation(first="nu")


def test_an_address_carries_the_notation_unless_it_is_the_usual_one() -> None:
    assert "notation" not in query_string(Location(step="turn"))
    for notation in ALL:
        assert parse_query(query_string(Location(notation=notation))) == (Location(notation=notation), [])
    assert parse_query("notation=plus-b")[1] != []


def test_the_notation_belongs_to_the_session_and_undo_leaves_it() -> None:
    session = Session(initial_history())
    past, C = session.history.past, session.lab.C
    inbox.do(session, {"op": "notation", "minus_b": True, "label": "t", "first": "C"})
    assert session.history.past == past
    inbox.do(session, {"op": "notation", "minus_b": True, "label": "t", "first": "lambda"})
    assert session.view.notation == Notation(True, "t", "lambda")
    assert (session.lab.face, session.lab.C) == ("lambda", pytest.approx(C)), "the same SVM, by the other parameter"
    inbox.do(session, {"op": "undo"})
    assert session.view.notation.minus_b
    assert session.lab.face == "C"
    inbox.do(session, {"op": "notation", "minus_b": False, "label": "z", "first": "C"})
    assert "label is y or t" in (session.history.note or "")
    assert session.view.notation.label == "t", "a bad one changes nothing"
    words.set_translations(words.ENGLISH)


@pytest.fixture
def written_in():
    yield lambda notation: words.set_translations(words.in_notation(words.ENGLISH, notation))
    words.set_translations(words.ENGLISH)


@pytest.mark.parametrize("seed", range(8))
def test_the_shown_w_b_and_form_give_the_same_f_in_every_notation(seed: int, written_in) -> None:
    rng = np.random.default_rng(seed)
    lab = with_preset(
        Lab(preset=("overlapping", "moons")[seed % 2], size=24, seed=seed, value=float(rng.uniform(0.1, 5)))
    )
    solution = solve(lab.problem)
    places = rng.uniform(-3, 3, (5, 2))
    for notation in ALL:
        written_in(notation)
        shown = formula(lab, solution)
        w1, w2, b = map(
            float, re.findall(r"-?[\d.]+(?:e-?\d+)?", re.search(r"w = (.*?)\"", shown)[1].replace("w = ", ""))
        )
        sign = 1.0 if "+ b" in SIGNS[notation.minus_b] else -1.0
        f = places @ np.array([w1, w2]) + sign * b
        assert np.allclose(f, solution.decision(places), rtol=0, atol=1e-9 * (1 + np.abs(f).max()))
        spelled = re.search(r">f\(x\) = (.*?)</span>", shown)[1]
        assert spelled == re.search(r">f\(x\) = (.*?)</span>", formula(lab, solution))[1]


@pytest.mark.parametrize("bias", [0.7, 0.0, -2.0])
def test_values_and_intervals_of_b_change_their_sign(bias: float) -> None:
    assert MINUS.bias(bias) == -bias
    assert repr(MINUS.bias(0.0)) == "0.0", "not -0.0"
    assert USUAL.bias(bias) == bias
    assert MINUS.bias_interval((-1.0, 3.0)) == (-3.0, 1.0)
    assert np.array_equal(MINUS.bias(np.array([1.0, -2.0])), [-1.0, 2.0])


def test_the_program_of_the_code_tab_names_the_labels_and_prints_b_in_the_notation(capsys) -> None:
    lab = with_preset(Lab(size=12))
    b = solve(lab.problem).b
    for notation in ALL:
        program = with_svmlab(lab, notation)
        assert f"\n{notation.label} = [" in program
        exec(program, {})
        printed = float(capsys.readouterr().out.split()[1])
        assert printed == notation.bias(b)
        assert f"fit(X, {notation.label})" in with_sklearn(lab, notation)


def test_the_message_about_an_interval_of_b_has_its_ends_in_the_notation(written_in) -> None:
    session = Session(History(Lab(points=(Point(1, 2000, 0, 1), Point(2, -1000, 0, -1)), value=0.1)))
    for notation, ends in ((USUAL, "from −0.7 to 0.4"), (MINUS, "from −0.4 to 0.7")):
        written_in(notation)
        said = message(session.history, session.outcome)
        assert said is not None
        assert ends in str(said)
