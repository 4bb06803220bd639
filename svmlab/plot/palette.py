"""Colours by their meaning and font sizes, in each theme, on a desk and on a projector: the only hex codes in Python.

The style sheets of the board and the page and the configuration repeat some of them, and a test compares.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from svmlab.core.arrays import Array, Index

CLEAR = "rgba(0,0,0,0)"
SYMBOLS = {1: "circle", 3: "triangle-up", 4: "diamond"}  # the symbols of the classes; the second class has a square


def class_symbol(label: float) -> str:
    """Return plotly's name for the symbol of a class: 1 and -1 if there are two, else 1 to 4."""
    return SYMBOLS.get(int(label), "square")


@dataclass(frozen=True)
class Palette:
    """The colours and sizes of a chart.

    quiet: axes and lines in the background. other: a second line, the witness. series: lines without a meaning of
    their own. small, type: font sizes in px of ticks, and of titles and labels. stroke, height_scale: factors for the
    width of lines and marks, and for the height of charts.
    """

    paper: str
    text: str
    quiet: str
    accent: str
    other: str
    plus: str
    minus: str
    third: str
    fourth: str
    series: tuple[str, ...] = ("#2380C2", "#D55E00", "#009E73", "#A8862B")
    grid: str = "rgba(127,127,127,0.22)"
    zero: str = "rgba(127,127,127,0.55)"
    small: int = 14
    type: int = 16
    stroke: float = 1.0
    height_scale: float = 1.0

    def class_colour(self, label: float) -> str:
        """Return the colour of a class: 1 and -1 if there are two, else 1 to 4."""
        return {1: self.plus, 3: self.third, 4: self.fourth}.get(int(label), self.minus)

    def classes(self, labels: Array | Index) -> Any:
        """Return the colour of each label (k,)."""
        return np.array([self.class_colour(label) for label in labels])

    def ink(self, colour: str) -> str:
        """Return the colour for words: the colour itself if it is readable on paper.

        Otherwise it is mixed with the colour of the text, as much as necessary.
        """
        return _ink(colour, self.paper, self.text)

    def pen(self, colour: str, width: float = 2.5, dash: str = "solid") -> dict[str, Any]:
        """Return a line, or the outline of a mark, as plotly describes it."""
        style = {"color": colour, "width": width * self.stroke}
        return style if dash == "solid" else style | {"dash": dash}


READABLE = 4.5  # the contrast of text with its background that WCAG's level AA requires


def contrast(one: str, other: str) -> float:
    """Return WCAG's contrast ratio of two colours "#RRGGBB", from 1 to 21."""
    low, high = sorted(_luminance(_rgb(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


@cache
def _ink(colour: str, paper: str, text: str) -> str:
    inks = (mixed(colour, text, float(share)) for share in np.linspace(0, 1, 51))
    return next(ink for ink in inks if contrast(ink, paper) >= READABLE)


def _luminance(rgb: Array) -> float:
    share = rgb / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def _rgb(colour: str) -> Array:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def mixed(colour: str, other: str, share: float) -> str:
    """Return the colour "#RRGGBB" that is (1 - share) of one colour and `share` of another."""
    rgb = (1 - share) * _rgb(colour) + share * _rgb(other)
    return "#{:02X}{:02X}{:02X}".format(*np.rint(rgb).astype(int))


def faded(colour: str, share: float) -> str:
    """Return a colour "#RRGGBB" with the opacity `share`."""
    red, green, blue = _rgb(colour)
    return f"rgba({red:g},{green:g},{blue:g},{share:g})"


LIGHT = Palette(
    paper="#FFFFFF",
    text="#262626",
    quiet="#6F6F6F",
    accent="#0B6E69",
    other="#C8307F",
    plus="#0072B2",
    minus="#D55E00",
    third="#225522",
    fourth="#771166",
)
DARK = Palette(
    paper="#14161A",
    text="#ECECEA",
    quiet="#A6A6A6",
    accent="#4FB8AF",
    other="#E59CC8",
    plus="#56B4E9",
    minus="#E69F00",
    third="#A6F5A0",
    fourth="#D94FB0",
)


def dark_to_light_colours() -> dict[str, str]:
    """Return the light colour for every colour of a dark page, both as "r,g,b", for saved or printed pictures."""
    names = ("paper", "text", "quiet", "accent", "other", "plus", "minus", "third", "fourth")
    return {_listed(getattr(DARK, name)): _listed(getattr(LIGHT, name)) for name in names}


def _listed(colour: str) -> str:
    return ",".join(f"{part:g}" for part in _rgb(colour))


PROJECTOR = replace(LIGHT, small=24, type=24, stroke=1.5, height_scale=1.25)
PROJECTOR_DARK = replace(DARK, small=24, type=24, stroke=1.5, height_scale=1.25)
