"""The glossary: every term has its parts and its places, texts say it, formulas and figures have no letter without
one."""

import re
from collections import Counter

import pytest
from streamlit.testing.v1 import AppTest

from svmlab.core.phrase import Phrase
from svmlab.kernels.base import Parameter, TextParameter
from svmlab.kernels.standard import KERNELS
from svmlab.lab import frame
from svmlab.lab.bench import glossary_page, panel, widgets
from svmlab.lab.frame import glossary_popups
from svmlab.lab.glossary import TERMS, THEMES
from svmlab.lab.glossary.letters import letters
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.glossary.term import plain
from svmlab.lab.lessons import titles
from svmlab.lab.session.controls import PARAMETERS
from svmlab.statements import CATALOGUE
from tests.lessons import LESSONS
from tests.marks import unmarked
from tests.offences import each_of
from tests.pages.test_pages_words import ROOT, files, literal, marked

OWN = ROOT / "svmlab" / "lab" / "glossary"
MOST = 220  # characters that fit a tip
WHERE = "the terms are in svmlab/lab/glossary/, a file for each subject"
UNUSED = (
    "The term {key} is marked where a text says {word}, and no text says it. Write it in the text that the term "
    "explains, or delete it in svmlab/lab/glossary/."
)


def texts() -> str:
    """Every marked word but the glossary's own, and of statements what they are filled with."""
    calls = (call for path in files() if OWN not in path.parents for _name, call in marked(path))
    return "\n".join(filter(None, (literal(call.args[0]) for call in calls)))


@each_of(TERMS.values(), lambda term: term.key)
def test_a_term_has_all_its_parts_and_names_what_there_is(term):
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", term.key)
    assert isinstance(term.definition, Phrase)
    assert all(isinstance(words, Phrase) for words in (term.name, term.forms, term.synonyms) if words)
    assert term.definition.endswith((".", ".)"))
    assert len(term.definition) <= MOST
    assert not re.search(r"[$`_]", term.definition)
    assert term.forms or term.signs or term.letters, "nothing leads there"
    assert set(term.see) <= set(TERMS) - {term.key}
    assert len(term.see) >= 1
    assert set(term.where_to_see) <= set(titles()) | set(CATALOGUE)
    assert set(term.pages) <= set(frame.PAGES)
    assert not re.search(r"[\\{}_^](?![−+])", plain(term.formula).replace("∈ {", "").replace("}", ""))
    assert not term.letters or term.symbol


def test_no_word_and_no_sign_means_two_things_on_one_page():
    signs = [sign for term in TERMS.values() for sign in term.signs]
    seen = [letter for term in TERMS.values() for letter in term.letters]
    for page in frame.PAGES:
        here = [term for term in TERMS.values() if page in (term.pages or (page,))]
        forms = [form for term in here for form in term.forms.split("|") if form] + signs
        assert sorted(forms) == sorted(set(forms)), page
    for texts_of_terms in (seen, [str(term.name) for term in TERMS.values()]):
        twice = sorted(text for text, count in Counter(texts_of_terms).items() if count > 1)
        assert not twice, f"{twice} belong to several terms. A letter and a name belong to one; {WHERE}."
    assert len(TERMS) == len({term.key for term in TERMS.values()})
    assert sum(len(theme.TERMS) for theme in THEMES) == len(TERMS)


def test_every_form_and_sign_is_found_in_some_text():
    said = texts()
    words = [
        (term.key, word, flags)
        for term in TERMS.values()
        for each, flags in ((term.forms.split("|"), re.IGNORECASE), (term.signs, 0))
        for word in filter(None, each)
    ]
    assert [
        UNUSED.format(key=key, word=word)
        for key, word, flags in words
        if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said, flags)
    ] == []


def test_a_form_that_means_something_else_elsewhere_is_marked_on_its_own_pages_only():
    assert Marks("margin").markdown("pushed by a push") == "pushed by a push"
    assert Marks("pegasos").markdown("pushed by a push") == "pushed by a [push](glossary#push)"


def test_one_word_is_one_thing_on_one_page_and_another_on_the_next():
    assert Marks("kernels").markdown("the sigmoid") == "the [sigmoid](glossary#sigmoid)"
    assert Marks("losses").markdown("the sigmoid") == "the [sigmoid](glossary#sigmoid-loss)"
    assert Marks("losses").markdown("one recipe") == "one recipe"


def test_a_term_is_marked_once_and_never_within_what_is_closed():
    said = Marks("soft").markdown("**Slack** ξᵢ, the slack: $\\xi_i$, `C`, [C](x), <b title='C'>λ</b>, w* and w.")
    assert said == (
        "**[Slack](glossary#slack)** ξᵢ, the slack: $\\xi_i$, `C`, [C](x), <b title='C'>[λ](glossary#lambda)</b>, "
        "[w*](glossary#optimum) and [w](glossary#normal)."
    )
    assert unmarked(said).startswith("**Slack** ξᵢ, the slack")
    assert Marks("soft").html("y f < 1") == '<a href="glossary#functional-margin" title="">y f</a> &lt; 1'
    assert Marks("soft", {"slack"}).markdown("slack") == "slack"


def test_the_letters_of_formulas_that_stay_without_a_term_are_the_local_ones():
    """A step or statement may name an u or a c of its own; what comes back in several has a term."""
    local = {
        "a",
        "c",
        "d",
        "e",
        "g",
        "h",
        "i",
        "j",
        "n",
        "r",
        "s",
        "t",
        "u",
        "z",
        "A",
        "B",
        "D",
        "E",
        "H",
        "I",
        "L",
        "O",
        "P",
        "S",
    }
    stepped = [step.formula for lesson in LESSONS for step in lesson.steps if isinstance(step.formula, str)]
    known = {letter for term in TERMS.values() for letter in term.letters}
    for tex in [statement.formula for statement in CATALOGUE.values()] + stepped:
        bare = re.sub(
            r"\\(?:text|operatorname|mathrm|begin|end)\{[^{}]*\}|[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\?\w+)", " ", tex
        )
        formula_letters = set(re.findall(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])", re.sub(r"\\[A-Za-z]+", " ", bare)))
        missing = ", ".join(sorted(formula_letters - known - local))
        assert not missing, f"No term explains the letter {missing} of {tex}. Add it to `letters` of a term; {WHERE}."
    assert [term.key for term in letters(r"w = \bar w - w^* + \frac{v_t}{\lambda} + w_{t+1}")] == [
        *("normal", "average", "optimum", "push", "lambda", "steps")
    ]
    assert [term.key for term in letters(r"R, R(w), R_1(w), R_2")] == [
        *("radius", "regulariser", "normal", "sum-of-sizes", "half-square")
    ]
    assert [term.key for term in letters(r"\mathbb E[w]")] == ["unbiased", "normal"]
    assert [term.key for term in letters(r"\mathbb 1[w]")] == ["normal"], "the indicator is no expectation"


def test_every_symbol_of_figures_and_controls_has_a_term():
    assert set(panel.TERM) == set(panel.FIGURE) | set(panel.INSPECT)
    assert set(panel.TERM.values()) <= set(TERMS)
    signs = {sign for term in TERMS.values() for sign in (*term.signs, *term.symbol.split(", "), *term.letters)}
    symbols = {p.symbol.split()[-1] for p in PARAMETERS.values() if isinstance(p, Parameter)} | {"C", "λ", "b"}
    missing = sorted(symbols - signs)
    assert not missing, f"No term has the sign or symbol {', '.join(missing)}. Add it to `signs` of a term; {WHERE}."
    words = {form for term in TERMS.values() for form in term.forms.split("|")}
    missing = sorted({p.symbol for p in PARAMETERS.values() if isinstance(p, TextParameter)} - words)
    assert not missing, f"No term has the form {', '.join(missing)}. Add it to `forms` of a term; {WHERE}."
    assert {symbol for name in ("C", "lambda") for symbol in [widgets.LABEL[name]]} <= signs
    # the letters of the Gaussian stand in an exponent alone
    missing = sorted(name for name, kernel in KERNELS.items() if name != "gaussian" and not letters(kernel().formula))
    assert not missing, (
        f"No letter in the formula of {', '.join(missing)} has a term, and letters in an exponent do not count. Write "
        rf"\exp(...) for an exponent, or add a letter to `letters` of a term; {WHERE}."
    )


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        (r"\frac{\lambda}{2}\|w\|^2 + \frac1m\sum_i\xi_i", "(λ/2)‖w‖² + (1/m) Σᵢ ξᵢ"),
        (r"\min \frac12\|w\|^2,\quad y_i f(x_i) \ge 1", "min ½‖w‖², yᵢ f(xᵢ) ≥ 1"),
        (r"w_{t+1} = \frac{1}{\lambda t}\sum_{s \le t} v_s", "wₜ₊₁ = (1/(λt)) Σₛ≤ₜ vₛ"),
        (r"\gamma^* = \frac{1}{\|w^*\|}", "γ* = 1/‖w*‖"),
        (r"y_i \in \{-1,+1\}", "yᵢ ∈ {−1,+1}"),
        ("", ""),
    ],
)
def test_a_formula_in_one_line(tex, said):
    assert plain(tex) == said


@pytest.mark.parametrize("tex", [r"\oint x", r"x_{Z}", r"x^{q}"])
def test_a_formula_that_has_no_line_says_so(tex):
    with pytest.raises(ValueError, match="plain: "):
        plain(tex)


def start(page: str = "glossary") -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    return at.switch_page(f"pages/{page}.py").run()


def test_the_page_has_every_term_symbols_first_and_a_search():
    at = start()
    assert not at.exception
    shown = [m.value.split("\n")[0][4:] for m in at.markdown if m.value.startswith("### ")]
    assert len(shown) == len(TERMS)
    symbols = [" · " in name for name in shown]
    assert symbols == sorted(symbols, reverse=True)
    at.text_input(key="glossary_search").set_value("ξ").run()
    assert [m.value.split("\n")[0] for m in at.markdown if m.value.startswith("### ")] == ["### slack · ξ"]
    at.text_input(key="glossary_search").set_value("zzz").run()
    assert any("No term matches" in m.value for m in at.markdown)


def test_a_search_finds_words_anywhere_and_symbols_as_they_are():
    matching_keys = lambda asked: [term.key for term in glossary_page.ordered() if glossary_page.matches(term, asked)]
    assert matching_keys("") == [term.key for term in glossary_page.ordered()]
    assert matching_keys("C") == ["price"]
    assert "kkt" in matching_keys("karush")
    assert matching_keys("complementary active") == ["complementary-slackness"]


@pytest.mark.parametrize(
    ("synonym", "key"),
    [("RBF", "gaussian"), ("one-vs-all", "one-against-the-rest"), ("price of slack", "price"), ("SGD", "stochastic")],
)
def test_a_search_finds_a_synonym_that_no_text_marks(synonym, key):
    assert synonym in TERMS[key].synonyms
    assert key in [term.key for term in glossary_page.ordered() if glossary_page.matches(term, synonym)]
    assert all(f"glossary#{key}" not in Marks(page).markdown(f"a {synonym}") for page in frame.PAGES)


@pytest.mark.parametrize(
    ("target", "page", "what"),
    [
        ({"page": "soft", "step": "slack"}, "soft", lambda s: s["lab"].lessons.open_steps["soft"] == "slack"),
        ({"page": "statements", "mark": "S3"}, "statements", lambda s: s["statements_search"] == "S3"),
        ({"page": "nowhere"}, "glossary", lambda s: True),
        ({"page": "soft", "step": "../x"}, "soft", lambda s: s["lab"].lessons.open_steps["soft"] != "../x"),
        ("what", "glossary", lambda s: True),
    ],
)
def test_a_way_leads_to_a_step_or_a_statement_and_nonsense_nowhere(target, page, what):
    at = start()
    at.session_state[glossary_popups.GOING] = target
    at.run()
    assert not at.exception
    assert at.session_state["lab"].page == page
    assert what(at.session_state)
