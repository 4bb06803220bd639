"""The held-out error of every SVM with this kernel: where the board is in the map, and where the error is smallest.

A click in the map sets the board to that SVM.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from svmlab import Problem
from svmlab.binary.problem import EQUAL_COSTS
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.generalisation import ErrorMap, Estimate, balanced_error, error_map
from svmlab.kernels.base import Kernel, Parameter
from svmlab.lab.bench.held_out_words import FEW, percent
from svmlab.lab.bench.panel import NO_FIGURES
from svmlab.lab.bench.widget_state import is_echo, set_widget
from svmlab.lab.charts.error_map import Scale, Spot, error_curve, heat_map
from svmlab.lab.charts.show import page_palette, show_chart
from svmlab.lab.frame import work_progress
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.numbers import short
from svmlab.lab.session import compare, held_out, inbox, long_work
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.session.worker import LongWork
from svmlab.lab.words import N_, _
from svmlab.plot.frame import Figure
from svmlab.plot.palette import Palette

# The ends as decimal logarithms, the same as those of the sliders. C grows from the first to the last value.
REGULARISATION_RANGES = {"C": (-3.0, 3.0), "lambda": (1.0, -5.0)}
STEPS = 13  # values of C or lambda
WIDTHS = 11  # values of a kernel width


@dataclass(frozen=True)
class ComparedClassifiers:
    """The values of C or lambda (n,) and of one kernel parameter (k,), which is (nan,) if the kernel has none to map.

    `regularisation` says whether it is C or lambda. C grows along its values, and f becomes smoother along `values`.
    """

    regularisation: str
    regularisation_values: tuple[float, ...]
    parameter: Parameter | None
    values: tuple[float, ...]
    kernels: tuple[Kernel, ...]

    @property
    def logarithmic(self) -> bool:
        """Return whether the values are on a logarithmic scale."""
        return self.parameter is not None and self.parameter.slider is not None

    def C_values(self, m: int) -> list[float]:
        """Return the values of C, for m points."""
        return [value if self.regularisation == "C" else 1.0 / (value * m) for value in self.regularisation_values]

    def settings(self, i: int, j: int) -> dict[str, Any]:
        """Return the settings of the SVM in row i and column j. With a finite C there is no hard margin."""
        chosen: dict[str, Any] = {"value": self.regularisation_values[j], "hard": False}
        if self.parameter is not None:
            value = self.values[i]
            chosen[self.parameter.name] = int(value) if self.parameter.whole else value
        return chosen


def compared_classifiers(lab: Lab) -> ComparedClassifiers:
    """Return the SVMs to compare with the Lab's own. Bias, kernel and all other parameters are those of the Lab."""
    first, last = REGULARISATION_RANGES[lab.face]
    numbers = [p for p in lab.kernel_function.parameters if isinstance(p, Parameter)]
    parameter = next((p for p in numbers if p.slider or p.whole), None)
    kernels: tuple[Kernel, ...] = (lab.kernel_function,)
    values: tuple[float, ...] = (math.nan,)
    if parameter is not None:
        if parameter.slider is not None:
            values = _powers(parameter.slider.low, parameter.slider.high, WIDTHS)
        else:
            values = tuple(float(v) for v in range(int(parameter.high), int(parameter.low) - 1, -1))
        kernels = tuple(replace(lab.kernel_function, **{parameter.name: value}) for value in values)
    return ComparedClassifiers(lab.face, _powers(first, last, STEPS), parameter, values, kernels)


def map_key(lab: Lab, compared: ComparedClassifiers) -> tuple[Any, ...]:
    """Return a key of everything on which the map depends: points, kernel, C or lambda, bias, costs and test points.

    The position of the board within the map is not part of it.
    """
    fresh = held_out.test_points(lab)
    kernel, soft = compared.kernels[0].key, _soft(lab)
    return ("error map", lab.data.key, kernel, lab.face, lab.bias, soft.costs, fresh.key if fresh else None)


def map_computation(lab: Lab, compared: ComparedClassifiers) -> Callable[[Callable[[float], None]], ErrorMap]:
    """Return the function that computes the map, for a worker."""
    problem: Problem = _soft(lab).problem
    fresh: Dataset | None = held_out.test_points(lab)
    costs = compared.C_values(lab.data.m)
    return LongWork(lambda report: error_map(problem, compared.kernels, costs, fresh, report))


def _soft(lab: Lab) -> Lab:
    """Return the board without a hard margin, so that the class costs apply."""
    return replace(lab, hard=False)


def _powers(first: float, last: float, n: int) -> tuple[float, ...]:
    """Return n powers of ten, each rounded to three digits, so that it can be read and typed."""
    return tuple(float(f"{10.0**e:.3g}") for e in np.linspace(first, last, n))


MOVING = N_("The points are moving. The map is computed again when you release them.")
NOTHING = N_("No classifier could be computed for these points, so there is no error to show.")
BALANCED = "balanced"  # the name of the switch in a link
SWITCH = N_("Balanced error")
SWITCH_HELP = N_(
    "The balanced error is the mean of the error rates of the two classes. A rare class then counts as much as a "
    "common one. Every constant classifier has a balanced error of 50 %."
)
FRESH = N_("Every classifier is tested on the same {n} test points.")
FOLDED = N_("Every classifier is tested by cross-validation with {parts} folds.")
PLACES = N_(
    "The stronger the grey of a cell, the larger is its error, up to {most}. **Click** a cell to set it on the board."
)
CURVE = N_(
    "This kernel has no width and no degree, so only the penalty parameter changes. The band shows one standard error. "
    "**Click** the line to set a value on the board."
)
SMALLEST_ERROR_TEXT = {  # by whether the error is balanced, as are the others
    False: N_("**Smallest test error:** {error} ± {spread} (standard error) at {where}."),
    True: N_("**Smallest balanced error:** {error} ± {spread} (standard error) at {where}."),
}
TIED = {  # by whether there is a map
    True: N_("{n} of the {count} classifiers have it (dotted line). The marked one has the smallest C."),
    False: N_("{n} of the {count} classifiers have it (open circles). The marked one has the smallest C."),
}
NOW = {
    False: N_("**On the board:** test error {error} ± {spread}, training error {train}."),
    True: N_("**On the board:** balanced error {error} ± {spread}, in training {train}."),
}
CONSTANT = {
    False: N_(
        "**A constant classifier** that always predicts the larger class has a test error of {error}. No classifier of "
        "the map is better."
    ),
    True: N_("**Every constant classifier** has a balanced error of {error}. No classifier of the map is better."),
}
AS_GOOD = N_(
    "Inside the solid line, errors are at most one standard error above the smallest. These points are too "
    "few to distinguish such classifiers."
)
COUNTED = {
    False: N_("The class costs apply in training. Here every error counts once."),
    True: N_("The class costs apply in training. Here both classes count equally."),
}
HOVER = {
    False: N_("test error {error} ± {spread}<br>training error {train}"),
    True: N_("balanced error {error} ± {spread}<br>in training {train}"),
}
AXIS = {False: N_("error in %"), True: N_("balanced error in %")}
CHOSEN = N_("This is the smallest of {count} errors on the same points, so it is usually a little too optimistic.")


def show(session: Session, done: OnChange) -> None:
    """Show the map on the left and its explanation on the right, with the same height while the map is computed."""
    with st.container(key="errors"):
        _show(session, done)


def _show(session: Session, done: OnChange) -> None:
    lab = session.lab.active_lab
    if len(lab.points) < 2:
        st.caption(_(FEW if lab.points else NO_FIGURES))
        return
    before_drag = session.history.before_drag
    if before_drag is not None and before_drag.points != session.lab.points:
        st.caption(_(MOVING))
        return
    compared = compared_classifiers(lab)
    job = long_work.request_work(session, map_key(lab, compared), map_computation(lab, compared))

    def draw(both: ErrorMap) -> None:
        if both.best_cell is None:
            st.caption(_(NOTHING))
            return
        balanced = is_balanced(session)
        errors = both.balanced if balanced and both.balanced is not None else both
        current = current_error(session, lab, balanced)
        left, right = st.columns([1.5, 1], gap="medium")
        with left:

            def picked(place: int) -> None:
                i, j = divmod(int(place), len(compared.regularisation_values))
                inbox.do(
                    session, {"op": "set", "values": compare.active_setting_names(session.lab, compared.settings(i, j))}
                )
                done()

            palette = page_palette(session.view.projector, session.view.type_size)
            show_chart(figure(lab, compared, errors, current, palette, balanced), "errors_chart", picked)
        with right:
            _switch(session, done)
            marks = Marks("lab")
            for line in explanation(lab, compared, errors, current, balanced):
                st.markdown(marks.markdown(line))

    work_progress.show(session, job, draw)


def is_balanced(session: Session) -> bool:
    """Return whether the map shows balanced errors."""
    return session.lessons.picks.get(f"lab.{BALANCED}") is True


def _switch(session: Session, done: OnChange) -> None:
    set_widget(BALANCED, is_balanced(session))

    def changed() -> None:
        if not is_echo(BALANCED):
            session.lessons.picks.pop(f"lab.{BALANCED}", None)
            if st.session_state[BALANCED]:  # a link carries what differs from the usual
                session.lessons.picks[f"lab.{BALANCED}"] = True
            done()

    st.toggle(_(SWITCH), key=BALANCED, help=_(SWITCH_HELP), on_change=changed)


def current_error(session: Session, lab: Lab, balanced: bool = False) -> tuple[Estimate, float] | None:
    """Return the held-out error of the present SVM and its training error, or None if there is none."""
    solution = session.solve(lab).solution
    result = held_out.cached_held_out(session.cache, replace(lab, unseen=True), solution)
    if result is None or solution is None:
        return None
    if balanced:
        return result.balanced_error, balanced_error(solution.problem.data.y, solution.errors).value
    return result.error, float(solution.errors.mean())


def figure(
    lab: Lab,
    compared: ComparedClassifiers,
    errors: ErrorMap,
    current: tuple[Estimate, float] | None,
    palette: Palette,
    balanced: bool = False,
) -> Figure:
    """Return the map over C and a kernel parameter, or the curve over C alone."""
    x = _regularisation_scale(compared, 1 if palette.height_scale == 1 else 2)
    hovers = _hovers(compared, errors, _(HOVER[balanced]))
    value_set = math.inf if lab.hard and lab.face == "C" else 0.0 if lab.hard else lab.value
    current_x = x.within(math.log10(value_set) if value_set else -math.inf)
    current_text = percent(current[0].value) if current else "–"
    name = _("board {error}").format(error=current_text)
    assert errors.best_cell is not None, "nothing is drawn where nothing is solved"
    i, j = errors.best_cell
    best = _("smallest {error}").format(error=percent(float(errors.error[i, j])))
    if compared.parameter is None:
        level = 100 * (current[0].value if current else math.nan)
        return error_curve(
            x,
            100 * errors.error[0],
            errors.best_cells[0],
            100 * errors.standard_error[0],
            100 * errors.train[0],
            hovers[0],
            (_(AXIS[balanced]), _("test"), _("training")),
            Spot(best, float(x.at[j]), 100 * float(errors.error[i, j])),
            Spot(name, current_x, level),
            palette,
        )
    y = _values(compared)
    value = float(getattr(lab, compared.parameter.name))
    spot = Spot(name, current_x, y.within(math.log10(value) if compared.logarithmic else value))
    smallest = Spot(best, float(x.at[j]), float(y.at[i]))
    return heat_map(x, y, errors.error, errors.best_cells, hovers, _level(errors), smallest, spot, palette)


def _level(errors: ErrorMap) -> float | None:
    """Return the smallest error plus its standard error, if some SVMs lie below and some above it."""
    assert errors.best_cell is not None
    level = float(errors.error[errors.best_cell] + errors.standard_error[errors.best_cell])
    return level if np.nanmin(errors.error) < level < np.nanmax(errors.error) else None


def _regularisation_scale(compared: ComparedClassifiers, step: int) -> Scale:
    """Return the axis of C or λ, with a tick every `step` decades."""
    at = np.log10(compared.regularisation_values)
    ticks = np.arange(round(at.min()), round(at.max()) + 1, step)
    symbol = "C" if compared.regularisation == "C" else "λ"
    return Scale(symbol, at, ticks.astype(float), [short(10.0**e) for e in ticks])


def _values(compared: ComparedClassifiers) -> Scale:
    assert compared.parameter is not None
    values, title = np.array(compared.values), _(compared.parameter.symbol)
    if not compared.logarithmic:
        ticks = np.sort(values)
        return Scale(title, values, ticks, [short(v) for v in ticks])
    low, high = math.log10(values.min()), math.log10(values.max())
    marks = [v for e in range(math.floor(low), math.ceil(high) + 1) for v in (10.0**e, 3 * 10.0**e)]
    marks = [v for v in marks if low - 1e-9 <= math.log10(v) <= high + 1e-9]
    return Scale(title, np.log10(values), np.log10(marks), [short(v) for v in marks])


def _hovers(compared: ComparedClassifiers, errors: ErrorMap, words: str) -> Array:
    """Return the hover text of each SVM, with `words` for its errors."""
    hovers = np.empty(errors.error.shape, dtype=object)
    for i, j in np.ndindex(hovers.shape):
        text = _("no classifier")
        if not math.isnan(errors.error[i, j]):
            error, spread, train = (
                percent(float(v[i, j])) for v in (errors.error, errors.standard_error, errors.train)
            )
            text = words.format(error=error, spread=spread, train=train)
        hovers[i, j] = f"{settings_text(compared, i, j)}<br>{text}"
    return hovers


def settings_text(compared: ComparedClassifiers, i: int, j: int) -> str:
    """Return the settings of an SVM as text: C = 10, σ = 1."""
    regularisation = f"{'C' if compared.regularisation == 'C' else 'λ'} = {short(compared.regularisation_values[j])}"
    if compared.parameter is None:
        return regularisation
    return f"{regularisation}, {_(compared.parameter.symbol)} = {short(compared.values[i])}"


def explanation(
    lab: Lab,
    compared: ComparedClassifiers,
    errors: ErrorMap,
    current: tuple[Estimate, float] | None,
    balanced: bool = False,
) -> list[str]:
    """Return what the map shows, where the error is smallest, and where the board is."""
    assert errors.best_cell is not None
    i, j = errors.best_cell
    judged = _(FOLDED).format(parts=errors.folds) if errors.folds else _(FRESH).format(n=held_out.N_TEST_POINTS)
    places = _(PLACES).format(most=percent(float(np.nanmax(errors.error))))
    error, spread = percent(float(errors.error[i, j])), percent(float(errors.standard_error[i, j]), 2)
    count, tied = int((~np.isnan(errors.error)).sum()), int(errors.best_cells.sum())
    lines = [_(SMALLEST_ERROR_TEXT[balanced]).format(error=error, spread=spread, where=settings_text(compared, i, j))]
    if tied > 1:
        lines[-1] += " " + _(TIED[compared.parameter is not None]).format(n=tied, count=count)
    if current is not None:
        current_values = {
            "error": percent(current[0].value),
            "spread": percent(current[0].standard_error, 2),
            "train": percent(current[1]),
        }
        lines[-1] += "  \n" + _(NOW[balanced]).format(**current_values)
    if errors.constant_is_as_good:
        lines.append(_(CONSTANT[balanced]).format(error=percent(errors.constant)))
    lines.append(" ".join((judged, _(CURVE) if compared.parameter is None else places)))
    if compared.parameter is not None and _level(errors) is not None:
        lines.append(_(AS_GOOD))
    if replace(lab, hard=False).costs != EQUAL_COSTS:
        lines.append(_(COUNTED[balanced]))
    lines.append(_(CHOSEN).format(count=count))
    return lines
