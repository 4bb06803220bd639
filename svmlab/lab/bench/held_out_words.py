"""The error on test points in words: its key figure, and which points these are and why."""

from __future__ import annotations

from svmlab.data import DATASETS
from svmlab.generalisation import HeldOut, PresetSource, Source
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.numbers import short
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.point_source import find_source
from svmlab.lab.words import N_, _

Cell = tuple[str, str, str, str, str]  # a key figure: its key, value, exact value, space, and the text below it
PERCENT = "{share}\u202f%"
NONE = N_("There is no classifier, or there are too few points for cross-validation.")
DRAWN = N_(
    "Test error on {n} test points of {source}, whose distribution is known. They are drawn faintly on the board, "
    "and misclassified ones less faintly."
)
OWN = N_(
    "The distribution of your points is not known, so the test error is estimated by cross-validation with {parts} "
    "folds. A ring marks a point that is misclassified when its fold is left out."
)
ALONE = N_(
    "The preset “{board}” has no distribution, so the test error is estimated by cross-validation with {parts} "
    "folds. A ring marks a point that is misclassified when its fold is left out."
)
FEW = N_("With fewer than two points there is no cross-validation.")


def percent(share: float, digits: int = 3) -> str:
    """Return a fraction as a percentage: 4.5 %."""
    return PERCENT.format(share=short(100 * share, digits))


def cell(held_out: HeldOut | None) -> Cell:
    """Return the key figure of the error on test points."""
    if held_out is None:
        return "unseen", "–", _(NONE), "", ""
    share, error, n = held_out.error.value, held_out.error.standard_error, held_out.data.m
    wrong = int(held_out.errors.sum())
    exact = _("{wrong} of {n}, standard error {error}.").format(wrong=wrong, n=n, error=percent(error, 2))
    below = _("{parts} folds").format(parts=held_out.folds) if held_out.folds else _("{n} test points").format(n=n)
    return "unseen", percent(share), exact, "", below


def difference(a: HeldOut | None, b: HeldOut | None) -> tuple[str, str]:
    """Return B minus A in percent, and in full."""
    if a is None or b is None:
        return "", ""
    value = b.error.value - a.error.value
    return ("+" if value > 0 else "") + percent(value), repr(value)


def explanation(lab: Lab, held_out: HeldOut | None) -> str:
    """Return as HTML which points these are and why, or nothing if they are not wanted or there is no solution."""
    if not lab.unseen or (held_out is None and len(lab.points) > 1):
        return ""
    sample = find_source(lab)
    if held_out is None:
        words = _(FEW)
    elif sample is not None:
        words = _(DRAWN).format(n=held_out.data.m, source=_named(sample.source))
    else:
        words = _(ALONE if _is_unchanged_preset(lab) else OWN).format(
            board=_(DATASETS[lab.preset].title), parts=held_out.folds
        )
    return f'<p class="sv-quiet sv-unseen">{Marks("lab").html(words)}</p>'


def _named(source: Source) -> str:
    if isinstance(source, PresetSource):
        return f"“{_(DATASETS[source.name].title)}”"
    eta = source.blobs.eta
    return (
        _("two round blobs, {share} of their labels flipped").format(share=percent(eta))
        if eta
        else _("two round blobs")
    )


def _is_unchanged_preset(lab: Lab) -> bool:
    """Return whether the board is an unchanged preset that is not drawn from a distribution."""
    return not DATASETS[lab.preset].population and lab.is_preset
