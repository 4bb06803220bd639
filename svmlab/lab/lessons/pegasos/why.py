"""Why it works: the identities and bounds of the proof, each watched on one run (P1 to P5, P8)."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from svmlab.arrays import Array
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.pegasos import identities_chart as identities
from svmlab.lab.lessons.pegasos import words
from svmlab.lab.lessons.pegasos.common import Compared, again, line_of, quick, seed, shows, where
from svmlab.lab.numbers import short
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.pegasos import Stretch, mean_objective, replay
from svmlab.pegasos.estimate import Estimate, estimate

STEPS, SAMPLES, AT = 2000, 4000, 5


def found(stage: Stage) -> Compared:
    """One run."""
    return quick(stage, STEPS)


def steps(stage: Stage) -> Stretch:
    """All its steps."""
    made: Stretch = stage.once(f"why {seed(stage)}", lambda: replay(found(stage).run, 0, 1, STEPS + 1))
    return made


def sample(stage: Stage) -> Estimate:
    """Draws at the w of step AT."""
    run = found(stage).run
    w = steps(stage).before[AT - 1]
    made: Estimate = stage.once(
        f"sample {seed(stage)}", lambda: estimate(run.data, run.lam, w, AT, SAMPLES, seed=seed(stage) + 1)
    )
    return made


def draw(stage: Stage) -> dict[str, Any]:
    """The line of the average."""
    if not stage.shown or stage.session.history.held is not None:
        return {}
    return {"overlay": line_of(found(stage).run.averages[0, -1], stage.lab, "accent")}


def answer(stage: Stage) -> int | None:
    """Which sampled error is more than three standard errors away."""
    made = sample(stage)
    return 1 if abs(made.z) < 3 and abs(made.z_after) > 3 else None


def reveal(stage: Stage) -> str:
    """Both in standard errors."""
    made = sample(stage)
    return words.WHY["reveal"].format(n=SAMPLES, t=AT, z=short(made.z, 2), after=short(made.z_after, 2))


def show(stage: Stage) -> None:
    """Five small charts, each with its line of the proof."""
    run, s = found(stage).run, steps(stage)
    X = run.X or 1.0
    t = s.t.astype(float)
    slope = run.lam * s.before - s.push * run.lam * t[:, None]
    norms, gradients = np.hypot(*s.before.T) * run.lam / X, np.hypot(*slope.T) / (2 * X)
    by_steps = _by_hand(s)
    apart = float(np.abs(by_steps - s.after).max())
    left, right = run.average[0] - found(stage).F, mean_objective(run) - found(stage).F
    made = sample(stage)
    errors = made.before - made.F
    spread = float(errors.std()), float(made.after.std())
    names, palette, at = words.WHY_NAMES, stage.palette, run.t.astype(float)
    if stage.lab.projector:  # two charts side by side have no room for their words
        ball, slopes, sums, means = (st.container() for _ in range(4))
    else:
        ball, slopes, sums, means = *st.columns(2), *st.columns(2)
    with ball:
        st.markdown(words.WHY_TEXT["P3"].format(top=short(float(norms.max()), 4)))
        chart(identities.ratio(t, norms, names["P3"], "t", "", palette), "pegasos_why_P3")
    with slopes:
        st.markdown(words.WHY_TEXT["P4"].format(top=short(float(gradients.max()), 4)))
        chart(identities.ratio(t, gradients, names["P4"], "t", "", palette), "pegasos_why_P4")
    with sums:
        st.markdown(words.WHY_TEXT["P2"].format(apart=short(apart, 2)))
        chart(identities.two_ways(t, by_steps, s.after, names["P2"], "t", "", palette), "pegasos_why_P2")
    with means:
        st.markdown(words.WHY_TEXT["P8"].format(left=short(float(left[-1]), 3), right=short(float(right[-1]), 3)))
        chart(identities.jensen(at, left, right, names["P8"], "t", words.WHY["gap"], palette), "pegasos_why_P8")
    st.markdown(words.WHY_TEXT["P5"].format(z=short(made.z, 2), after=short(made.z_after, 2)))
    chart(identities.sampled(errors, made.after, spread, names["P5"], words.WHY["n"], "", palette), "pegasos_why_P5")
    again(stage)


def _by_hand(s: Stretch) -> Array:
    """w_2 .. by shrink and push from w_1 = 0 on, with the pushes of the run."""
    out, w = np.empty_like(s.after), np.zeros(2)
    for i, (t, push) in enumerate(zip(s.t.tolist(), s.push, strict=True)):
        w = (1.0 - 1.0 / t) * w + push
        out[i] = w
    return out


STEP = Step(
    "why",
    words.WHY["title"],
    words.WHY["question"],
    words.WHY_CHOICES,
    answer=where(answer, None),
    reveal=where(reveal, ""),
    formula=r"\begin{aligned} \mathbb{E}\,F(\bar w) &\le \mathbb{E}\,\tfrac1T\textstyle\sum F(w_t) = \mathbb{E}\,\tfrac1T\sum \ell_{Z_t}(w_t) \\ &\le F(w^*) + \tfrac{\mathbb{E}\,G^2}{2\lambda T}(1+\ln T) \end{aligned}",
    tries=(
        Try(
            words.WHY_TRY[0],
            {"op": "set", "values": {"face": "lambda", "value": 10.0, "kernel": "linear", "hard": False}},
        ),
        Try(
            words.WHY_TRY[1], {"op": "preset", "values": {"preset": "four_corners", "kernel": "linear", "hard": False}}
        ),
    ),
    draw=where(draw, {}),
    show=shows(show),
)
