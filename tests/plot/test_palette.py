"""The palettes: colours that can be seen and read, the same on the board, the page and the charts."""

import itertools
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from svmlab.lab.charts import show
from svmlab.plot import palette as palettes
from tests.lab.charts.charts import PALETTES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("theme", PALETTES)
def test_what_a_colour_means_can_be_seen_and_its_ink_be_read(theme):
    palette = PALETTES[theme]
    for colour in (
        palette.text,
        palette.quiet,
        palette.accent,
        palette.other,
        palette.plus,
        palette.minus,
        palette.third,
        palette.fourth,
        *palette.series,
    ):
        ink = palette.ink(colour)
        assert palettes.contrast(colour, palette.paper) >= 3
        assert palettes.contrast(ink, palette.paper) >= 4.5
        assert ink == colour or palettes.contrast(colour, palette.paper) < 4.5


def test_a_dashed_line_of_the_board_is_seen_in_every_colour():
    board = (ROOT / "svmlab/lab/board/js/board.css").read_text(encoding="utf-8")
    share = float(re.search(r"\.overlay \.dashed \{.* opacity: ([\d.]+);", board)[1])
    for palette in (palettes.LIGHT, palettes.DARK):
        for colour in (palette.plus, palette.minus, palette.other):
            pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(palette.paper[1:]), strict=True)
            laid = bytes(round(share * own + (1 - share) * paper) for own, paper in pairs).hex()
            assert palettes.contrast(f"#{laid}", palette.paper) >= 3


def test_contrast_is_what_wcag_says():
    assert palettes.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert palettes.contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize(("theme", "projector"), itertools.product(["light", "dark"], [False, True]))
def test_a_page_chooses_by_its_theme_and_the_projector(monkeypatch, theme, projector):
    monkeypatch.setattr(show, "st", SimpleNamespace(context=SimpleNamespace(theme=SimpleNamespace(type=theme))))
    chosen = show.page_palette(projector)
    assert chosen.paper == {"light": palettes.LIGHT, "dark": palettes.DARK}[theme].paper
    assert chosen.type == (24 if projector else 16)


def test_colours_stand_in_the_palette_alone():
    for path in (ROOT / "svmlab").rglob("*.py"):
        colours = re.findall(r"#[0-9A-Fa-f]{6}\b|\brgba?\(", path.read_text(encoding="utf-8"))
        assert bool(colours) == (path.name == "palette.py"), path


def test_the_board_the_page_and_the_charts_have_the_same_colours():
    board = (ROOT / "svmlab/lab/board/js/board.css").read_text(encoding="utf-8")
    page = (ROOT / "svmlab/lab/frame/layout.css").read_text(encoding="utf-8")
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    light, dark = palettes.LIGHT, palettes.DARK
    for sign, label in (("plus", 1), ("minus", -1)):
        said = re.findall(rf"--{sign}-rgb: (\d+), (\d+), (\d+);", board)
        assert ["#{:02X}{:02X}{:02X}".format(*map(int, rgb)) for rgb in said] == [
            light.class_colour(label),
            dark.class_colour(label),
        ]
    for name, palette in (("light", light), ("dark", dark)):
        keys = ("backgroundColor", "textColor", "primaryColor")
        assert [theme[name][key] for key in keys] == [palette.paper, palette.text, palette.accent]
    for name in ("text", "accent", "plus", "minus"):
        said = re.search(rf"--sv-{name}: light-dark\((#\w+), (#\w+)\)", page).groups()
        assert [colour.upper() for colour in said] == [getattr(light, name), getattr(dark, name)]
    witness = [light.other, dark.other]
    assert [colour.upper() for colour in re.findall(r"--witness: (#\w+);", board)] == witness
    lines = re.search(r'data-line="accent"\] \{ border-color: light-dark\((#\w+), (#\w+)\)', page).groups()
    assert [colour.upper() for colour in lines] == [light.accent, dark.accent]
    lines = re.search(r'data-line="witness-line"\] \{ border-color: light-dark\((#\w+), (#\w+)\)', page).groups()
    assert [colour.upper() for colour in lines] == witness
