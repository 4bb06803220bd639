"""The held-out error of every SVM with this kernel: where the board is in the map, and where the error is smallest.

A click in the map sets the board to that SVM.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import streamlit as st

from svmlab.binary.problem import EQUAL_COSTS
from svmlab.core.arrays import Array
from svmlab.generalisation import ErrorMap, Estimate
from svmlab.lab.bench import error_map_machines
from svmlab.lab.bench.error_map_machines import ComparedMachines
from svmlab.lab.bench.held_out_words import FEW, percent
from svmlab.lab.bench.panel import NO_FIGURES
from svmlab.lab.charts.error_map import Scale, Spot, error_curve, heat
from svmlab.lab.charts.frame import Figure
from svmlab.lab.charts.palette import Palette
from svmlab.lab.charts.show import page_palette, show_chart
from svmlab.lab.frame import work_progress
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.numbers import short
from svmlab.lab.session import compare, held_out, long_work
from svmlab.lab.session.state import Lab
from svmlab.lab.session.tab import Done, Session
from svmlab.lab.words import N_, _

MOVING = N_("The points are moving: the map is drawn anew when the hand rests.")
NOTHING = N_("No machine could be solved on these points, so there is no error to show.")
FRESH = N_("Every machine is judged on the same {n} fresh points.")
FOLDED = N_("Every point is judged without its fold, one of {parts}.")
PLACES = N_("The greyer a place, the more go wrong, up to {most}. **Click** one to set it on the board.")
CURVE = N_(
    "This kernel has no width and no degree, so the price of slack alone changes; the band is a "
    "standard error. **Click** the line to set it on the board."
)
LEAST = N_("**Least** {error} ± {spread} (standard error) at {where}.")
NOW = N_("**Now** {error} ± {spread}, in training {train}.")
AS_GOOD = N_("Within the line errors are at most one standard error above the least: these points tell no difference.")
COUNTED = N_("The classes cost differently in fitting; here every error counts once.")
CHOSEN = N_("The least of {count} was chosen by these very points, so it promises a little too much.")


def show(session: Session, done: Done) -> None:
    """Show the map on the left and its explanation on the right, with the same height while the map is computed."""
    with st.container(key="errors"):
        _show(session, done)


def _show(session: Session, done: Done) -> None:
    lab = session.lab.active_lab
    if len(lab.points) < 2:
        st.caption(_(FEW if lab.points else NO_FIGURES))
        return
    before_drag = session.history.before_drag
    if before_drag is not None and before_drag.points != session.lab.points:
        st.caption(_(MOVING))
        return
    compared = error_map_machines.compared_machines(lab)
    job = long_work.request_work(session, error_map_machines.key(lab, compared), error_map_machines.work(lab, compared))

    def draw(found: ErrorMap) -> None:
        if found.best_cell is None:
            st.caption(_(NOTHING))
            return
        now = present(session, lab)
        left, right = st.columns([1.5, 1], gap="medium")
        with left:

            def picked(place: int) -> None:
                i, j = divmod(int(place), len(compared.prices))
                session.do({"op": "set", "values": compare.active_setting_names(session.lab, compared.settings(i, j))})
                done()

            palette = page_palette(session.projector, session.type_size)
            show_chart(figure(lab, compared, found, now, palette), "errors_chart", picked)
        with right:
            marks = Marks("lab")
            for line in says(lab, compared, found, now):
                st.markdown(marks.markdown(line))

    work_progress.show(session, job, draw)


def present(session: Session, lab: Lab) -> tuple[Estimate, float] | None:
    """Return the held-out error of the present SVM and its training error, or None if there is none."""
    solution = session.solve(lab).solution
    result = held_out.cached_held_out(session.cache, replace(lab, unseen=True), solution)
    return None if result is None or solution is None else (result.error, float((solution.margins <= 0).mean()))


def figure(
    lab: Lab, compared: ComparedMachines, found: ErrorMap, now: tuple[Estimate, float] | None, palette: Palette
) -> Figure:
    """Return the map over C and a kernel parameter, or the curve over C alone."""
    x, hovers = _prices(compared, 1 if palette.height_scale == 1 else 2), _hovers(compared, found)
    value_set = math.inf if lab.hard and lab.face == "C" else 0.0 if lab.hard else lab.value
    now_x = x.within(math.log10(value_set) if value_set else -math.inf)
    now_text = percent(now[0].value) if now else "–"
    name = _("now {error}").format(error=now_text)
    assert found.best_cell is not None, "nothing is drawn where nothing is solved"
    i, j = found.best_cell
    best = _("least {error}").format(error=percent(float(found.error[i, j])))
    if compared.parameter is None:
        level = 100 * (now[0].value if now else math.nan)
        return error_curve(
            x,
            100 * found.error[0],
            100 * found.standard_error[0],
            100 * found.train[0],
            hovers[0],
            (_("errors in %"), _("unseen"), _("training")),
            Spot(best, float(x.at[j]), 100 * float(found.error[i, j])),
            Spot(name, now_x, level),
            palette,
        )
    y = _values(compared)
    value = float(getattr(lab, compared.parameter.name))
    spot = Spot(name, now_x, y.within(math.log10(value) if compared.logarithmic else value))
    least = Spot(best, float(x.at[j]), float(y.at[i]))
    return heat(x, y, found.error, hovers, _level(found), least, spot, palette)


def _level(found: ErrorMap) -> float | None:
    """Return the smallest error plus its standard error, if some SVMs lie below and some above it."""
    assert found.best_cell is not None
    level = float(found.error[found.best_cell] + found.standard_error[found.best_cell])
    return level if np.nanmin(found.error) < level < np.nanmax(found.error) else None


def _prices(compared: ComparedMachines, step: int) -> Scale:
    """Return the axis of C or λ, with a tick every `step` decades."""
    at = np.log10(compared.prices)
    ticks = np.arange(round(at.min()), round(at.max()) + 1, step)
    symbol = "C" if compared.face == "C" else "λ"
    return Scale(symbol, at, ticks.astype(float), [short(10.0**e) for e in ticks])


def _values(compared: ComparedMachines) -> Scale:
    assert compared.parameter is not None
    values, title = np.array(compared.values), _(compared.parameter.symbol)
    if not compared.logarithmic:
        ticks = np.sort(values)
        return Scale(title, values, ticks, [short(v) for v in ticks])
    low, high = math.log10(values.min()), math.log10(values.max())
    marks = [v for e in range(math.floor(low), math.ceil(high) + 1) for v in (10.0**e, 3 * 10.0**e)]
    marks = [v for v in marks if low - 1e-9 <= math.log10(v) <= high + 1e-9]
    return Scale(title, np.log10(values), np.log10(marks), [short(v) for v in marks])


def _hovers(compared: ComparedMachines, found: ErrorMap) -> Array:
    """Return the hover text of each SVM."""
    hovers = np.empty(found.error.shape, dtype=object)
    words = _("unseen {error} ± {spread}<br>training {train}")
    for i, j in np.ndindex(hovers.shape):
        text = _("no machine")
        if not math.isnan(found.error[i, j]):
            error, spread, train = (percent(float(v[i, j])) for v in (found.error, found.standard_error, found.train))
            text = words.format(error=error, spread=spread, train=train)
        hovers[i, j] = f"{where(compared, i, j)}<br>{text}"
    return hovers


def where(compared: ComparedMachines, i: int, j: int) -> str:
    """Return the settings of an SVM as text: C = 10, σ = 1."""
    regularisation = f"{'C' if compared.face == 'C' else 'λ'} = {short(compared.prices[j])}"
    if compared.parameter is None:
        return regularisation
    return f"{regularisation}, {_(compared.parameter.symbol)} = {short(compared.values[i])}"


def says(lab: Lab, compared: ComparedMachines, found: ErrorMap, now: tuple[Estimate, float] | None) -> list[str]:
    """Return what the map shows, where the error is smallest, and where the board is."""
    assert found.best_cell is not None
    i, j = found.best_cell
    judged = _(FOLDED).format(parts=found.parts) if found.parts else _(FRESH).format(n=held_out.FRESH)
    places = _(PLACES).format(most=percent(float(np.nanmax(found.error))))
    error, spread = percent(float(found.error[i, j])), percent(float(found.standard_error[i, j]), 2)
    lines = [_(LEAST).format(error=error, spread=spread, where=where(compared, i, j))]
    if now is not None:
        now_values = {
            "error": percent(now[0].value),
            "spread": percent(now[0].standard_error, 2),
            "train": percent(now[1]),
        }
        lines[-1] += "  \n" + _(NOW).format(**now_values)
    lines.append(" ".join((judged, _(CURVE) if compared.parameter is None else places)))
    if compared.parameter is not None and _level(found) is not None:
        lines.append(_(AS_GOOD))
    if replace(lab, hard=False).costs != EQUAL_COSTS:
        lines.append(_(COUNTED))
    lines.append(_(CHOSEN).format(count=int((~np.isnan(found.error)).sum())))
    return lines
