"""Every chart of every lesson in every palette: its colours, its type, its arrays, and labels that can be read."""

import importlib
import inspect
import itertools
import json
import math
import pkgutil
import re
import tomllib
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from svmlab import Linear, Problem, make_dataset, pegasos, regularization_path, solve
from svmlab.lab import lessons
from svmlab.lab.charts import palette as palettes
from svmlab.lab.charts import show
from svmlab.lab.charts.frame import FONT
from svmlab.lab.lessons.duality import charts as duality
from svmlab.lab.lessons.duality import matrices_chart, versions_chart
from svmlab.lab.lessons.duality import words as dual_words
from svmlab.lab.lessons.duality.ascent import ascent
from svmlab.lab.lessons.duality.versions import turn
from svmlab.lab.lessons.margin import directions_chart, orders_chart, places_chart, scaling_chart, slide_chart
from svmlab.lab.lessons.margin import words as margin_words
from svmlab.lab.lessons.pegasos import (
    convergence_chart,
    cost_chart,
    counts_chart,
    identities_chart,
    readings_chart,
    regret_chart,
)
from svmlab.lab.lessons.pegasos import words as run_words
from svmlab.lab.lessons.pegasos.measured import Costs
from svmlab.lab.lessons.soft import objective_chart, path_chart, points_chart
from svmlab.lab.lessons.soft import words as soft_words
from svmlab.lab.lessons.soft.along import along
from svmlab.lab.lessons.soft.carriers import own_offsets
from svmlab.lab.lessons.soft.plane import landscape, section
from svmlab.pegasos import hindsight
from tests.figures.boxes import PAGE, Box, apart, boxes

ROOT = Path(__file__).parents[2]
PALETTES = {
    "light": palettes.LIGHT,
    "dark": palettes.DARK,
    "projector": palettes.PROJECTOR,
    "projector, dark": palettes.PROJECTOR_DARK,
}
T = np.unique(np.round(np.geomspace(1, 1e4, 40))).astype(float)
GAP = 30.0 * np.log(T + 1) / T


@cache
def hard():
    return solve(Problem(make_dataset("separable", 8, 0.1, 26), Linear(), math.inf))


@cache
def soft():
    problem = Problem(make_dataset("overlapping", 40))
    return solve(problem), along(regularization_path(problem), 1e-3, 1e3)


@cache
def run():
    data = make_dataset("moons", 30)
    best = solve(Problem.from_lambda(data, Linear(), 0.05, bias=False))
    return pegasos(data, 0.05, 500, runs=6), best


def a_gap(palette):
    labels = duality.GapWords(**dual_words.GAP["chart"])
    return duality.gap(ascent(hard().problem), hard().objective, 3, labels, palette)


def a_strip_of_b(palette):
    data, labels = hard().problem.data, duality.DotWords(**dual_words.OFFSET["chart"])
    return duality.dots(np.linspace(-1, 1, 8), data.y, data.ids, hard().free, 0.25, 3, labels, palette)


def some_multipliers(palette):
    data, rows = hard().problem.data, np.arange(4)
    alphas = [(f"corner {k} of 3: w = (1, 0)", hard().alpha) for k in (1, 2, 3)]
    labels = duality.BarWords(dual_words.WEIGHTS["axis"], dual_words.POINT)
    return duality.bars(alphas, data.y, data.ids, rows, 2, labels, palette)


def a_ray(palette):
    return duality.ray(2.0, 2.0, duality.RayWords(top=dual_words.NONE["top"], **dual_words.NONE["chart"]), palette)


def some_matrices(palette):
    problem, labels = hard().problem, matrices_chart.Words(**dual_words.PROGRAMS["map"])
    A, Q = problem.qp("primal"), problem.qp("dual").P
    return matrices_chart.heat(A.A, A.variables, Q, hard().alpha, 2, labels, palette)


def a_turn(palette):
    labels = versions_chart.Words(**dual_words.VERSIONS["chart"])
    return versions_chart.turning(turn(hard().problem.data, True, hard().w), 1 / hard().norm_w, labels, palette)


def a_plane_of_w(palette):
    labels, found = versions_chart.Words(**dual_words.VERSIONS["chart"]), turn(hard().problem.data, True, hard().w)
    return versions_chart.plane_of_w(found, np.asarray(hard().w), False, labels, palette)


def some_directions(palette):
    angle, labels = np.arange(0.0, 361.0), directions_chart.Words(**margin_words.TURN_CHART)
    margin = np.cos(np.radians(angle)) - 0.5
    return directions_chart.directions(angle, margin, (90.0, -0.5), (0.0, 0.5), labels, palette)


def some_orders(palette):
    labels = orders_chart.Words(**(margin_words.PERCEPTRON_CHART | {"bound": "bound 37.4"}))
    return orders_chart.orders(np.array([2, 5]), np.array([0.4, 0.9]), 37.4, 1, labels, palette)


def some_places(palette):
    yf, y, ids = np.array([2.0, -0.5, 1.0, 1.0]), np.array([1, -1, 1, -1]), np.arange(4)
    return places_chart.places(yf, y, ids, 1, places_chart.Words(**margin_words.PLACES_CHART), palette)


def a_scaling(palette):
    labels = scaling_chart.Words(**margin_words.SCALING_CHART)
    return scaling_chart.scaling(0.25, 0.7, 1.0, (-2.0, 3.0), labels, palette)


def a_slide(palette):
    t, labels = np.linspace(-2, 2, 5), slide_chart.Words(**margin_words.SLIDE_CHART)
    return slide_chart.slide(t, np.abs(t), np.abs(t) - 0.01, (1.0, 1.0, -1.0), labels, palette)


def a_convergence(palette):
    labels = convergence_chart.Words(**run_words.CONVERGENCE_CHART)
    return convergence_chart.convergence(run()[0], 0.05 * run()[1].objective, labels, palette)


def two_rates(palette):
    labels, best = convergence_chart.Pair(**run_words.RATES_CHART), run()[1]
    return convergence_chart.two_rates(run()[0], 0.05 * best.objective, best.w, labels, palette)


def some_costs(palette):
    m = np.array([50, 100, 200])
    seconds = np.array([[0.01, 0.08, 0.64], [0.01, 0.02, 0.3], [0.01, 0.02, 0.31]])
    found = Costs(m, ("dual-qp", "exact", "pegasos"), seconds, m, np.ones(3), 0.1, 0.01)
    return cost_chart.costs(found, run_words.COST_NAMES, run_words.COST["x"], run_words.COST["y"], palette)


def some_counts(palette):
    labels, ids, y = counts_chart.Words(**run_words.COUNTS_CHART), np.arange(3), np.array([1.0, -1.0, 1.0])
    share = np.array([0.2, -0.9, 0.1])
    return counts_chart.counts(ids, y, np.array([2, -9, 1]), share, 1.1 * share, 1, labels, palette)


def a_ratio(palette):
    return identities_chart.ratio(T, np.full(len(T), 0.98), run_words.WHY_NAMES["P3"], "t", "", palette)


def two_ways(palette):
    w = np.stack([GAP, 0.9 * GAP], 1)
    return identities_chart.two_ways(T, w, w, run_words.WHY_NAMES["P2"], "t", "", palette)


def some_samples(palette):
    before = np.random.default_rng(0).standard_normal(1000)
    names = run_words.WHY_NAMES["P5"]
    return identities_chart.sampled(before, before + 0.01, (1.0, 1.0), names, run_words.WHY["n"], "", palette)


def a_jensen(palette):
    return identities_chart.jensen(T, GAP, 1.1 * GAP, run_words.WHY_NAMES["P8"], "t", run_words.WHY["gap"], palette)


def some_readings(palette):
    gaps = {name: share * GAP for name, share in (("w", 1.0), ("theta", 0.9), ("double", 0.6), ("mixed", 1.5))}
    x, y = run_words.CONVERGENCE_CHART["x"], run_words.INDEX["y"]
    return readings_chart.readings(T, gaps, 0.05, run_words.READINGS, x, y, palette)


def some_descents(palette):
    gaps = {name: (T, (1 + 0.1 * k) * GAP) for k, name in enumerate(run_words.DESCENT_CHART)}
    x, y = run_words.DESCENT["x"], run_words.CONVERGENCE_CHART["y"]
    return readings_chart.descents(gaps, run_words.DESCENT_CHART, x, y, palette)


def a_regret(palette):
    runs, best = run()
    labels = regret_chart.Words(**run_words.REGRET_CHART)
    return regret_chart.regret(runs, runs.regret - hindsight(runs, best.w), 1, labels, palette)


def a_plane(palette):
    solution, found = soft()
    labels, way = (
        objective_chart.PlaneWords(*soft_words.OBJECTIVE["plane"]),
        (found.alpha * solution.problem.data.y) @ solution.problem.data.X,
    )
    ground, least = landscape(solution.problem, 1.3 * solution.norm_w), solution.objective - 0.5 * solution.norm_w**2
    return objective_chart.plane(ground, 1.0, solution.w, least, way, 0.97 * solution.w, False, labels, palette)


def a_section(palette):
    found = section(soft()[0].problem, soft()[0].w, 0.4, 1.0)
    return objective_chart.section(found, soft_words.OBJECTIVE["section"], soft_words.OBJECTIVE["t"], palette)


def a_trade(palette):
    return path_chart.trade(soft()[1], 1.0, path_chart.TradeWords(*soft_words.PRICE["chart"]), palette)


def all_multipliers(palette):
    data, (x, y) = soft()[0].problem.data, soft_words.MULTIPLIERS["axes"]["shares"]
    return path_chart.multipliers(soft()[1], data, 1.0, 3, x, y, True, palette)


def a_threshold(palette):
    x, *names = soft_words.HARD["chart"]
    return path_chart.threshold(soft()[1], 2.0, 1.0, x, tuple(names), palette)


def a_hinge(palette):
    solution = soft()[0]
    words = soft_words.SLACK["chart"]
    return points_chart.hinge(solution.problem.data, solution.margins, solution.xi, 3, words, palette)


def some_offsets(palette):
    solution, each = soft()[0], own_offsets(soft()[0])
    data, mean, words = solution.problem.data, float(each.each.mean()), soft_words.OFFSET["chart"]
    return points_chart.offsets(data, each.rows, each.each, each.free, (-1.0, 1.0), mean, 3, words, palette)


SHOWN = {
    "duality.charts.bars": some_multipliers,
    "duality.charts.dots": a_strip_of_b,
    "duality.charts.gap": a_gap,
    "duality.charts.ray": a_ray,
    "duality.matrices_chart.heat": some_matrices,
    "duality.versions_chart.plane_of_w": a_plane_of_w,
    "duality.versions_chart.turning": a_turn,
    "margin.directions_chart.directions": some_directions,
    "margin.orders_chart.orders": some_orders,
    "margin.places_chart.places": some_places,
    "margin.scaling_chart.scaling": a_scaling,
    "margin.slide_chart.slide": a_slide,
    "pegasos.convergence_chart.convergence": a_convergence,
    "pegasos.convergence_chart.two_rates": two_rates,
    "pegasos.cost_chart.costs": some_costs,
    "pegasos.counts_chart.counts": some_counts,
    "pegasos.identities_chart.jensen": a_jensen,
    "pegasos.identities_chart.ratio": a_ratio,
    "pegasos.identities_chart.sampled": some_samples,
    "pegasos.identities_chart.two_ways": two_ways,
    "pegasos.readings_chart.descents": some_descents,
    "pegasos.readings_chart.readings": some_readings,
    "pegasos.regret_chart.regret": a_regret,
    "soft.objective_chart.plane": a_plane,
    "soft.objective_chart.section": a_section,
    "soft.path_chart.multipliers": all_multipliers,
    "soft.path_chart.threshold": a_threshold,
    "soft.path_chart.trade": a_trade,
    "soft.points_chart.hinge": a_hinge,
    "soft.points_chart.offsets": some_offsets,
}


def builders():
    """Every function of a lesson that makes a figure, by its name."""
    prefix = lessons.__name__ + "."
    found = {}
    for module in pkgutil.walk_packages(lessons.__path__, prefix):
        for name, function in inspect.getmembers(importlib.import_module(module.name), inspect.isfunction):
            own = function.__module__ == module.name and not name.startswith("_")
            if own and str(inspect.signature(function).return_annotation).endswith("Figure"):
                found[f"{module.name.removeprefix(prefix)}.{name}"] = function
    return found


def walk(tree, key=""):
    """Every value of a figure with the key that it stands under, those in lists too."""
    yield key, tree
    for name, value in tree.items() if isinstance(tree, dict) else ((key, v) for v in tree if isinstance(tree, list)):
        if isinstance(value, dict | list):
            yield from walk(value, name)
        else:
            yield name, value


def test_every_chart_of_a_lesson_is_among_those_shown_and_is_given_its_palette():
    found = builders()
    assert set(found) == set(SHOWN)
    for function in found.values():
        *_, last = inspect.signature(function).parameters.values()
        assert last.name == "palette"
        assert last.default is inspect.Parameter.empty


@pytest.fixture(scope="module", params=[(name, theme) for name in SHOWN for theme in PALETTES], ids=": ".join)
def drawn(request):
    name, theme = request.param
    return PALETTES[theme], SHOWN[name](PALETTES[theme])


def test_a_chart_has_the_colours_of_its_palette_alone(drawn):
    palette, figure = drawn
    values = walk(json.loads(figure.to_json()))
    found = {v for key, v in values if key.endswith(("color", "colorscale")) and isinstance(v, str)}
    own = {v for v in (*vars(palette).values(), *palette.series) if isinstance(v, str)}
    pale = {palettes.faded(v, 0.2) for v in own if v.startswith("#")}
    assert found <= own | pale | {palettes.CLEAR}
    assert len(found & own) >= 4


def test_a_chart_has_the_type_of_its_palette(drawn):
    palette, figure = drawn
    fonts = [v for key, v in walk(json.loads(figure.to_json())) if key.endswith("font") and isinstance(v, dict)]
    assert {font["size"] for font in fonts if "size" in font} == {palette.small, palette.type}
    assert {font["family"] for font in fonts if "family" in font} == {FONT}


@pytest.mark.parametrize("page", [PAGE, 1.25 * PAGE])
def test_labels_stand_apart_and_inside(drawn, page):
    words = boxes(drawn[1], page)
    assert apart(words)
    high = drawn[1].layout.height
    assert all(box.left >= 0 and box.right <= page and box.low >= 0 and box.high <= high for box in words)


def test_a_chart_is_sent_as_arrays(drawn):
    for trace in drawn[1].data:
        assert all(isinstance(trace[key], np.ndarray | None) for key in ("x", "y", "z", "customdata") if key in trace)


def test_boxes_that_overlap_are_found():
    words = [Box("a", 0, 10, 0, 10), Box("b", 11, 20, 0, 10), Box("c", 5, 15, 8, 18)]
    assert apart(words[:2])
    assert not apart(words)


@pytest.mark.parametrize(("theme", "projector"), itertools.product(["light", "dark"], [False, True]))
def test_a_page_chooses_by_its_theme_and_the_projector(monkeypatch, theme, projector):
    monkeypatch.setattr(show, "st", SimpleNamespace(context=SimpleNamespace(theme=SimpleNamespace(type=theme))))
    chosen = show.for_page(projector)
    assert chosen.paper == {"light": palettes.LIGHT, "dark": palettes.DARK}[theme].paper
    assert chosen.type == (24 if projector else 16)


def test_colours_stand_in_the_palette_alone():
    for path in (ROOT / "svmlab").rglob("*.py"):
        found = re.findall(r"#[0-9A-Fa-f]{6}\b|\brgba?\(", path.read_text(encoding="utf-8"))
        assert bool(found) == (path.name == "palette.py"), path


def test_the_board_the_page_and_the_charts_have_the_same_colours():
    board = (ROOT / "svmlab/lab/board/js/board.css").read_text(encoding="utf-8")
    page = (ROOT / "svmlab/lab/frame/layout.css").read_text(encoding="utf-8")
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    light, dark = palettes.LIGHT, palettes.DARK
    for sign, label in (("plus", 1), ("minus", -1)):
        said = re.findall(rf"--{sign}-rgb: (\d+), (\d+), (\d+);", board)
        assert ["#{:02X}{:02X}{:02X}".format(*map(int, rgb)) for rgb in said] == [light.of(label), dark.of(label)]
    for name, palette in (("light", light), ("dark", dark)):
        keys = ("backgroundColor", "textColor", "primaryColor")
        assert [theme[name][key] for key in keys] == [palette.paper, palette.text, palette.accent]
    assert re.search(r"--witness: (#\w+);", board)[1].upper() == light.other
    lines = re.search(r'data-line="accent"\] \{ border-color: light-dark\((#\w+), (#\w+)\)', page).groups()
    assert [colour.upper() for colour in lines] == [light.accent, dark.accent]
    assert re.search(r'data-line="witness-line"\] \{ border-color: (#\w+);', page)[1].upper() == light.other
