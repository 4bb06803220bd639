"""A card as Markdown and HTML: the statement, its quotations with the degree of each source, and its readings."""

from __future__ import annotations

import re
from html import escape

from svmlab import SvmError
from svmlab.core.phrase import Phrase
from svmlab.lab import words
from svmlab.lab.cards import statement_map
from svmlab.lab.cards.statement_map import Steps
from svmlab.lab.glossary import letters
from svmlab.lab.glossary.extensions import OF_A_TUBE
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.numbers import short
from svmlab.lab.words import N_, _
from svmlab.statements import Degree, Reading, Side, Source, Statement, Verdict
from svmlab.statements.notes import NOTES

SIGN: dict[Degree, str] = {"right": "✓", "hedged": "?", "misprint": "≈", "incomplete": "+", "false": "✗"}
LESS, GREATER = r"\lt ", r"\gt "
BAR = "&#124;"  # "|" in Markdown, where it would end a table cell
WORD: dict[Degree, str] = {
    "right": N_("correct"),
    "hedged": N_("cautious"),
    "misprint": N_("misprint"),
    "incomplete": N_("incomplete"),
    "false": N_("false"),
}


def badge(source: Source, named: bool = True) -> str:
    """Return the note (if `named`) and its degree as a sign and a word, as HTML."""
    text = _(WORD[source.degree])
    if named:
        text = _("{notes}: {degree}").format(notes=_(NOTES[source.notes].short), degree=text)
    return f'<span class="sv-degree" data-degree="{source.degree}">{SIGN[source.degree]} {text}</span>'


def quoted(source: Source, marks: Marks) -> str:
    """Return the line with its place and its flaw, as Markdown with some HTML, or nothing if there is no quotation."""
    if not source.quote:
        return ""
    place = _("{notes}, {position}:").format(notes=_(NOTES[source.notes].short), position=_(source.place))
    return f'<div class="sv-quote"><span class="sv-place">{place}</span>\n\n{quote_and_flaw(source, marks)}\n\n</div>'


def quote_and_flaw(source: Source, marks: Marks) -> str:
    """Return only the line and its flaw."""
    language = NOTES[source.notes].language
    return (
        f"<blockquote "
        f'lang="{language}">\n\n{_typeset(source.quote)}\n\n</blockquote>\n\n{marks.markdown(_(source.flaw))}'
    )


def _typeset(quote: str) -> str:
    """Return the quotation as Markdown: formulas in display style, and their "<" and ">" safe from HTML."""
    pieces = quote.split("$")
    pieces[1::2] = [rf"\displaystyle {f.replace('<', LESS).replace('>', GREATER)}" for f in pieces[1::2]]
    return "$".join(pieces)


BADGE = {
    "holds": N_("✓ holds here"),
    "fails": N_("✗ fails here"),
    "idle": N_("does not apply here"),
    "error": N_("could not be checked here"),
}
CONTROL = {"holds": N_("✓ holds here by chance"), "refuted": N_("✗ fails here, as expected")}
PRINTED, CORRECTED = N_("As printed in the notes"), N_("Corrected")
VARIANT = N_("A false variant, for comparison")
STANDS = {"right": PRINTED, "project": N_("As stated")}  # the name of the reading if there is no repair
INTENDED = N_("As intended in the notes")
SEPARATOR = re.compile(r"(\\q?quad)")
SHORT = 28  # the most letters of a formula on one line beside a board in projector mode
VALUES_OF_B = (  # the names of sides that are a b, beside those with the formula "b"
    "smallest b from {who}",
    "largest b from {who}",
    "smallest optimal b",
    "largest optimal b",
    "mean over the points with 0 < α < C",
    "mean over all support vectors",
)
IN_THE_NOTES, IN_THE_LITERATURE = N_("What the lecture notes state"), N_("Where the literature states it")
UNQUOTED = ("literature", "project")  # sources that are no lecture notes
REPAIR = N_("**Corrected:** {repair}")


NO_STEPS: Steps = {}


def card_markdown(
    statement: Statement, verdict: Verdict | SvmError | None, is_current: bool = True, steps: Steps = NO_STEPS
) -> str:
    """Return the whole card: the true statement, its result on this board, what each note states, and the rest.

    The rest is folded away. verdict: None leaves the result out. steps: the steps that show each statement.
    """
    marks = Marks(statement.page)
    lines = [
        f'<div class="sv-head{"" if is_current else " sv-stale"}"><span class="sv-id">{statement.id}</span>'
        f"<h3>{escape(_(statement.title))}</h3>"
        f"{_badge_of(verdict)}</div>",
        marks.markdown(_(statement.sentence)),
        f"$$\n{_breaking(words.tex(statement.formula))}\n$$",
        *_result(statement, verdict, marks),
        f'<h4 class="sv-part">{escape(_(IN_THE_LITERATURE if _beside_the_notes(statement) else IN_THE_NOTES))}</h4>',
        f'<div class="sv-degrees">{"".join(map(badge, statement.source))}</div>',
        *(quoted(source, marks) for source in statement.source if source.flaw),
        *_comparisons(verdict, marks),
    ]
    if statement.witness is not None:
        template = (
            _("You can open a board on which the claim of the notes fails. {words}")
            if statement.repair
            else _("You can open a board on which the false variant fails. {words}")
        )
        lines.append(f'<p class="sv-quiet">{escape(template.format(words=_(statement.witness.words)))}</p>')
    lines.append(statement_map.ways(statement.id, steps))
    return "\n\n".join(filter(None, [*lines, _folded(statement, verdict, marks)]))


def _beside_the_notes(statement: Statement) -> bool:
    """Return whether a statement stands in the literature and in none of the notes."""
    sources = {source.notes for source in statement.source}
    return "literature" in sources and sources <= set(UNQUOTED)


def _badge_of(verdict: Verdict | SvmError | None) -> str:
    if verdict is None:
        return ""
    outcome = outcome_of(verdict)
    return f'<span class="sv-badge" data-tone="{outcome}">{_(BADGE[outcome])}</span>'


def outcome_of(verdict: Verdict | SvmError) -> str:
    """Return the result of a check, one of BADGE."""
    if isinstance(verdict, SvmError):
        return "error"
    if not verdict.applies:
        return "idle"
    return "holds" if verdict.holds else "fails"


def _result(statement: Statement, verdict: Verdict | SvmError | None, marks: Marks) -> list[str]:
    """Return the true statement with its result and its numbers on this board, or why there is none."""
    if isinstance(verdict, Verdict) and verdict.reading is not None:
        name = CORRECTED if verdict.repaired else _standing(statement)
        claim = (statement.repair or "") if verdict.repaired else verdict.reading.words
        return [*_framed([_row(_(name), claim, verdict.reading, marks)]), _numbers(verdict.reading)]
    repair = [marks.markdown(_(REPAIR).format(repair=_(statement.repair)))] if statement.repair else []
    if verdict is None:
        return repair
    why = words.message_of(verdict) if isinstance(verdict, SvmError) else _(verdict.why)
    return [*repair, f'<p class="sv-quiet">{escape(why)}</p>']


def _comparisons(verdict: Verdict | SvmError | None, marks: Marks) -> list[str]:
    """Return the statement as printed, if it was corrected, and a false variant: claim, residual, and verdict."""
    if not isinstance(verdict, Verdict):
        return []
    rows = []
    if verdict.repaired is not None and verdict.printed is not None:
        rows += [_row(_(PRINTED), verdict.printed.words, verdict.printed, marks)]
    if verdict.control is not None:
        rows += [_row(_(VARIANT), verdict.control.words, verdict.control, marks, control=True)]
    return _framed(rows)


def _framed(rows: list[str]) -> list[str]:
    return ['<div class="sv-rows">', *rows, "</div>"] if rows else []


def _standing(statement: Statement) -> str:
    own = all(source.notes in UNQUOTED for source in statement.source)
    return STANDS.get("project" if own else statement.worst_degree, INTENDED)


def _row(name: str, claim: str, reading: Reading, marks: Marks, control: bool = False) -> str:
    verdict = "holds" if reading.holds else "refuted" if control else "fails"
    badge_text = _(CONTROL[verdict] if control else BADGE[verdict])
    allowed = short(reading.tolerance, 2)
    residual_text = _("difference {difference}, allowed {allowed}").format(
        difference=short(reading.residual, 2), allowed=allowed
    )
    return (
        f'<div class="sv-row" data-holds="{str(reading.holds).lower()}"><div>\n\n**{name}** '
        f"{marks.markdown(_(claim))}\n\n</div>"
        f'<div><span class="sv-badge" data-tone="{verdict}">{badge_text}</span>'
        f'<span class="sv-off" title="{reading.residual!r}">{residual_text}</span></div></div>'
    )


def _numbers(reading: Reading | None) -> str:
    if reading is None:
        return ""
    rows = [
        (
            f"{_(s.name).replace('|', BAR)}{f' ${_tabled(words.tex(s.formula))}$' if s.formula else ''}",
            short(value, 6 if abs(value) > 1e-6 else 2),
            value,
        )
        for s, value in ((side, _value(side)) for side in reading.sides)
    ]
    return "\n".join(
        ["| | |", "|:--|--:|", *(f'| {name} | <span title="{exact!r}">{value}</span> |' for name, value, exact in rows)]
    )


def _value(side: Side) -> float:
    """Return the number of a side, which may be a b, in the notation of the session."""
    template = side.name.template if isinstance(side.name, Phrase) else side.name
    return words.bias(side.value) if side.formula == "b" or template in VALUES_OF_B else side.value


def _tabled(formula: str) -> str:
    """Return LaTeX without the character that ends a table cell."""
    return formula.replace(r"\|", r"\Vert ").replace("|", r"\vert ")


def _breaking(formula: str) -> str:
    """Return LaTeX that may break between its parts if the type is large. A short part does not break inside."""
    parts = SEPARATOR.split(formula)
    if r"\begin" in formula or any(part.count("{") != part.count("}") for part in parts):
        return formula
    return "".join(rf"{part}\allowbreak " if i % 2 else _whole(part) for i, part in enumerate(parts))


def _whole(part: str) -> str:
    letters = re.sub(r"\\[A-Za-z]+", "x", re.sub(r"[{}^_ ]", "", part))
    return f"{{{part}}}" if len(letters) <= SHORT else part


def _folded(statement: Statement, verdict: Verdict | SvmError | None, marks: Marks) -> str:
    """Return the folded part: conditions, a note, the correct lines, numbers of the other readings, and letters."""
    paragraphs = [_("Conditions: {conditions}").format(conditions=_(statement.conditions))]
    if isinstance(verdict, Verdict):
        paragraphs.append(_(verdict.note))
    paragraphs += statement_map.reasons(statement.id)
    parts = [marks.markdown(paragraph) for paragraph in paragraphs if paragraph]
    parts += [quoted(source, marks) or _unquoted(source) for source in statement.source if not source.flaw]
    if isinstance(verdict, Verdict) and verdict.applies:
        other_readings = (
            (_(PRINTED), verdict.printed if verdict.repaired else None),
            (_(VARIANT), verdict.control),
        )
        parts += [f"**{name}**\n\n{_numbers(reading)}" for name, reading in other_readings if reading is not None]
    parts.append(letters.letters_line(statement.formula, own=OF_A_TUBE if statement.subject == "tube" else {}))
    more = _("Conditions, sources and numbers")
    body = "\n\n".join(filter(None, parts))
    return f'<details class="sv-more"><summary>{more}</summary>\n\n{body}\n\n</details>'


def _unquoted(source: Source) -> str:
    return _("Source: {source}.").format(source=_(source.place))
