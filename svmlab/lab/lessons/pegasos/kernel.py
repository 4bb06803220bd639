"""The kernel form: counts on the points instead of w, the same draws, and where the index stands (P9, P10, P13)."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from svmlab import KernelRun, Linear, Problem, pegasos, solve
from svmlab.arrays import Array
from svmlab.lab.board.payload import flat
from svmlab.lab.charts.show import chart
from svmlab.lab.lessons.pegasos import words
from svmlab.lab.lessons.pegasos.common import LIVE, Item, again, best, choose, grouped, kept, seed, send, where
from svmlab.lab.lessons.pegasos.counts_chart import Words, counts
from svmlab.lab.lessons.pegasos.readings_chart import readings
from svmlab.lab.numbers import short
from svmlab.lab.session import longwork
from svmlab.lab.session.state import Lab
from svmlab.lab.session.worker import Job
from svmlab.lab.teach.step import Stage, Step, Try
from svmlab.pegasos import Rule, objective, replay, run_kernel
from svmlab.scene import zero_lines

STEPS = (100, 1_000, 10_000, 100_000)
TALL = 0.22  # of the view: the tallest bar on the board
SAME = 2000  # steps compared with the linear run
READINGS: dict[str, dict[str, Any]] = {
    "w": {},
    "theta": {"form": "theta"},
    "double": {"step": 2},
    "mixed": {"price": 2},
}
ROUNDS = 5


def obstacle(lab: Lab) -> str | None:
    """Why no kernel run is possible, in a sentence."""
    if not lab.points:
        return words.EMPTY
    if lab.hard:
        return words.HARD
    return None if lab.machine.psd else words.INDEFINITE.format(kernel=lab.machine.title)


def chosen(stage: Stage) -> int:
    """Steps, as chosen."""
    return int(kept(stage).get("kernel_T", 10_000))


def asked(stage: Stage) -> Job:
    """The run in kernel values, as work."""
    lab, draws, T = stage.lab, seed(stage), chosen(stage)
    return longwork.ask(
        stage.session,
        ("kernel", lab.data.key, lab.machine.key, lab.lam, T, draws),
        lambda report: run_kernel(lab.data, Rule(lab.lam), T, lab.machine, seed=draws, on_progress=report),
    )


def present(stage: Stage) -> KernelRun | None:
    """The run that is chosen; a short one under a moving hand; None while it is worked on."""
    if stage.session.history.held is not None:
        lab = stage.lab
        return run_kernel(lab.data, Rule(lab.lam), LIVE, lab.machine, seed=seed(stage))
    found: KernelRun | None = asked(stage).result
    return found


def draw(stage: Stage) -> dict[str, Any]:
    """A bar on every point that has been added, and the line of the averaged run over the exact one."""
    run = present(stage) if stage.shown else None
    if run is None:
        return {}
    lab, a = stage.lab, run.averages[0, -1]
    items: list[Item] = [
        {"kind": "line", "pts": flat(line), "style": "accent"}
        for line in zero_lines(lab.machine, lab.data.X, a, lab.view)
    ]
    top = float(np.abs(a).max())
    for (x, y), label, share in zip(lab.data.X, lab.data.y, a.tolist(), strict=True):
        if share:
            tall = TALL * lab.view * abs(share) / top
            items.append(
                {"kind": "line", "pts": [x, y, x, round(y + tall, 4)], "style": "plus" if label > 0 else "minus"}
            )
    return {"overlay": items, "slack": []}


def reveal(stage: Stage) -> str:
    """How near the run's f is to the exact one."""
    run, optimum = present(stage), best(stage)
    if run is None or optimum is None:
        return ""
    exact = optimum.decision(run.data.X)
    apart = float(np.abs(run.decision(run.data.X) - exact).max())
    gap = float(run.average[0, -1]) - optimum.objective * run.lam
    share = float((run.beta[0, -1] != 0).mean())
    return words.KERNEL_STEP["reveal"].format(
        T=grouped(int(run.t[-1])), apart=short(apart, 3), gap=short(gap, 3), share=f"{share:.0%}"
    )


def show(stage: Stage) -> None:
    """The bars, the linear run beside it, and the readings of the index."""
    why = obstacle(stage.lab)
    if why is not None:
        st.info(why)
        st.button(
            words.GAUSSIAN,
            key="pegasos_gaussian",
            on_click=send(stage, {"op": "set", "values": {"hard": False, "kernel": "gaussian"}}),
        )
        return
    choose(stage, "kernel_T", STEPS, 10_000, grouped)
    longwork.show(stage.session, asked(stage), lambda run: _bars(stage, run))
    again(stage)
    if stage.lab.machine.straight:
        st.markdown(words.KERNEL_STEP["same"].format(steps=grouped(SAME), apart=short(_apart(stage), 2)))
        st.markdown(f"**{words.INDEX['title']}** {words.INDEX['text']}")
        t, gaps, limit = _readings(stage)
        x, y = words.CONVERGENCE_CHART["x"], words.INDEX["y"]
        chart(readings(t, gaps, limit, words.READINGS, x, y, stage.palette), "pegasos_readings")
        st.markdown(_loop(stage))
    else:
        st.caption(words.KERNEL_STEP["no_w"].format(kernel=stage.lab.machine.title))


def _bars(stage: Stage, run: KernelRun) -> None:
    lab, optimum = stage.lab, best(stage)
    share = run.iterates[0, -1]
    exact = None if optimum is None else optimum.alpha * run.data.y
    ids, y, beta, labels = run.data.ids, run.data.y, run.beta[0, -1], Words(**words.COUNTS_CHART)
    chart(counts(ids, y, beta, share, exact, lab.selected, labels, stage.palette), "pegasos_counts", stage.select)
    st.caption(words.KERNEL_STEP["bars"])


def _apart(stage: Stage) -> float:
    """The largest difference of f at the points, over the checkpoints, between counts and w."""
    lab, draws = stage.lab, seed(stage)

    def make() -> float:
        linear = pegasos(lab.data, lab.lam, SAME, seed=draws)
        kernel = run_kernel(lab.data, Rule(lab.lam), SAME, Linear(), seed=draws)
        f: Array = kernel.iterates[0] @ (lab.data.X @ lab.data.X.T)
        return float(np.abs(f - linear.iterates[0] @ lab.data.X.T).max())

    found: float = stage.once(f"apart {draws}", make)
    return found


def _readings(stage: Stage) -> tuple[Array, dict[str, Array], float | None]:
    """The steps, the mean gap of each reading to its own least F, and that of the w which the mixed one goes to."""
    lab, draws = stage.lab, seed(stage)

    def make() -> tuple[Array, dict[str, Array], float | None]:
        gaps: dict[str, Array] = {}
        for name, rule in READINGS.items():
            run = pegasos(lab.data, lab.lam, 10_000, 5, draws, **rule)
            mu = run.rule.mu
            least = mu * solve(Problem.from_lambda(lab.data, Linear(), mu, bias=False)).objective
            gaps[name] = (run.average - least).mean(0)
        optimum = best(stage)  # that of lam, which the mixed step goes to, measured by 2 lam
        if optimum is None or optimum.w is None:
            return run.t.astype(float), gaps, None
        return run.t.astype(float), gaps, float(objective(lab.data, 2 * lab.lam, optimum.w)) - least

    found: tuple[Array, dict[str, Array], float | None] = stage.once(f"readings {draws}", make)
    return found


def _loop(stage: Stage) -> str:
    """What D's loop holds after ROUNDS rounds, and what it promises."""
    lab = stage.lab
    s = replay(pegasos(lab.data, lab.lam, ROUNDS, seed=seed(stage), form="theta"), 0, 1, ROUNDS + 1)
    held, promised = (float(np.hypot(*v)) for v in (s.before[-1], s.after[-1]))
    return words.INDEX["loop"].format(T=ROUNDS, next=ROUNDS + 1, held=short(held, 4), promised=short(promised, 4))


def answer(stage: Stage) -> int | None:
    """A count for each point is enough."""
    return 1


STEP = Step(
    "kernel",
    words.KERNEL_STEP["title"],
    words.KERNEL_STEP["question"],
    words.KERNEL_CHOICES,
    answer=where(answer, None, obstacle),
    reveal=where(reveal, "", obstacle),
    formula=r"\begin{gathered} f_t(x) = \frac{1}{\lambda(t-1)}\sum_j \beta_j\,k(x_j, x) \\ \beta_i \leftarrow \beta_i + y_i \ \text{ if } y_i f_t(x_i) < 1 \end{gathered}",
    tries=(
        Try(
            words.KERNEL_TRY[0],
            {
                "op": "preset",
                "values": {
                    "preset": "moons",
                    "kernel": "gaussian",
                    "sigma": 0.7,
                    "hard": False,
                    "face": "lambda",
                    "value": 0.01,
                },
            },
        ),
        Try(
            words.KERNEL_TRY[1],
            {
                "op": "preset",
                "values": {
                    "preset": "circles",
                    "kernel": "polynomial",
                    "degree": 2,
                    "hard": False,
                    "face": "lambda",
                    "value": 0.01,
                },
            },
        ),
        Try(words.KERNEL_TRY[2], {"op": "set", "values": {"kernel": "linear", "hard": False}}),
    ),
    draw=where(draw, {}, obstacle),
    show=show,
)
