"""A kernel as a similarity: the terms of the support vectors in f at a new point, which is moved by hand (K14)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go

from svmlab import Dataset, Solution, solve
from svmlab.core.arrays import Array, Index
from svmlab.lab.board.payload import shading
from svmlab.lab.charts import marks
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.overlay import probe, select_point, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, GAUSSIAN, NONZERO_W, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Part, Pick, Reading, Step, Try, reading
from svmlab.lab.teach.tumours import TEN, Sample, find_sample, sample_board, tumours
from svmlab.lab.words import N_, _, written
from svmlab.plane.contours import SolutionDrawing
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette

START = (0.0, 1.6)
WIDEST = 8.0  # px of the line to the support vector with the largest term
VISIBLE = 0.02  # of the largest term, or of b: what is drawn on the board
NEGLIGIBLE = 0.01  # of b: the sum of all absolute terms, and of k(x_i, x_i): k, if no support vector is near u
SIMILAR = 0.5  # the smallest k is so much of the largest: all kernel values are similar
STRETCH = math.sqrt(TEN / 2)  # the distances with ten measurements are about so many times as large
VIEWS = {"two": N_("two measurements"), "ten": N_("ten measurements")}


@dataclass(frozen=True)
class Terms:
    """The terms of f(u), the nearest support vector first.

    rows of the points (k,), distances from u, k(x_i, u), and terms alpha_i y_i k(x_i, u).
    """

    rows: Index
    distances: Array
    k: Array
    terms: Array


@dataclass(frozen=True, eq=False)
class WithTen:
    """The SVM with all ten measurements of the same tumours, and the test tumour nearest to u on the board.

    errors: the test errors with two and with ten measurements. position: of this tumour on the board. x: its ten
    measurements. y: its label.
    """

    solution: Solution
    errors: tuple[float, float]
    position: Array
    x: Array
    y: float


def new_point(stage: Stage) -> tuple[float, float]:
    """Return the position of u."""
    return stage.dial("ux", START[0]), stage.dial("uy", START[1])


def by_distance(stage: Stage) -> bool:
    """Return whether k depends only on the distance of its two points."""
    kernel = stage.lab.kernel_function
    return kernel.translation_invariant and kernel.rotation_invariant


def terms_at(solution: Solution, u: Array) -> Terms:
    """Return the terms of f at u (d,)."""
    data, rows = solution.problem.data, np.flatnonzero(solution.support)
    distances = np.linalg.norm(data.X[rows] - u, axis=1)
    order = np.argsort(distances, kind="stable")
    rows = rows[order]
    k = solution.problem.kernel(data.X[rows], u[None])[:, 0]
    return Terms(rows, distances[order], k, solution.alpha[rows] * data.y[rows] * k)


def current_terms(stage: Stage) -> Terms:
    """Return the terms of f(u) of the SVM on the board."""
    return terms_at(stage.solution, np.array(new_point(stage)))


def with_ten(stage: Stage) -> WithTen | None:
    """Return the result with all ten measurements, or None if the points are no sample of tumours."""
    sample, problem = find_sample(stage.lab), stage.lab.problem
    if sample is None or sample.moved_count or not problem.kernel.rotation_invariant:
        return None
    kernel = problem.kernel
    if hasattr(kernel, "sigma"):
        kernel = replace(kernel, **{"sigma": STRETCH * kernel.sigma})

    def measure() -> tuple[Solution, tuple[float, float]]:
        solution = solve(replace(problem, data=sample.training(TEN), kernel=kernel))
        return solution, (_test_error(stage.solution, sample.test()), _test_error(solution, sample.test(TEN)))

    solution, errors = stage.cached("ten measurements", measure)
    row = nearest_test_tumour(sample, np.array(new_point(stage)))
    one, all_ten = tumours(row), tumours(row, TEN)
    return WithTen(solution, errors, one.X[0], all_ten.X[0], float(one.y[0]))


def nearest_test_tumour(sample: Sample, u: Array) -> Index:
    """Return the row (1,) of the test tumour nearest to u on the board."""
    return sample.other_rows[[int(np.hypot(*(sample.test().X - u).T).argmin())]]


def _test_error(solution: Solution, test: Dataset) -> float:
    return float(np.mean(test.y * solution.decision(test.X) <= 0))


def similarity_shading(stage: Stage, row: int) -> Data:
    """Return the board shaded by k(x_i, .) of a point, in the colour of its class, and of the other where k < 0."""
    data, half, kernel = stage.data, stage.lab.view, stage.lab.kernel_function
    at = np.linspace(-half, half, 96)
    values = kernel.grid(data.X[[row]], data.y[[row]], at, at)
    top = float(np.abs(values).max()) or 1.0
    return shading(SolutionDrawing(half, 2.0 * values[::-1] / top, (), (), (), {}, noise=math.inf))


def shown_terms(stage: Stage) -> tuple[Terms, Solution, Array, WithTen | None]:
    """Return the terms of the view, their SVM, the position of the new point, and the result with ten measurements.

    The last one is None in the view of two measurements.
    """
    ten = with_ten(stage) if stage.pick("measurements") == "ten" else None
    if ten is None:
        return current_terms(stage), stage.solution, np.array(new_point(stage)), None
    return terms_at(ten.solution, ten.x), ten.solution, ten.position, ten


def draw(stage: Stage) -> Data:
    """Return u, and a line from the new point to every visible term, as thick as the term."""
    data: Data = {"probe": probe("ux", "uy", new_point(stage), "u")}
    if not stage.shown:
        return data
    terms, solution, start, ten = shown_terms(stage)
    largest = max(float(np.abs(terms.terms).max()), abs(solution.b))
    items = []
    for i, term in zip(terms.rows.tolist(), terms.terms.tolist(), strict=True):
        if term and abs(term) >= VISIBLE * largest:
            line = stroke(np.stack([start, stage.data.X[i]]), "plus" if term > 0 else "minus")
            items.append(line | {"width": round(max(1.0, WIDEST * abs(term) / largest), 2)})
    if ten is not None:
        ring = np.r_[ten.position, 0.035 * stage.lab.view]
        items.append(stroke(ring, "plus" if ten.y > 0 else "minus", "disc"))
    if stage.selected_row is not None:
        data["shade"] = similarity_shading(stage, stage.selected_row)
    return data | {"overlay": items, "slack": []}


def answer(stage: Stage) -> int:
    """Return which terms are large: 2 the nearest one or none, 0 all, 3 if k is no function of the distance, 1 near."""
    if no_support_vector_near(stage):
        return 2
    terms = current_terms(stage)
    all_similar = bool(len(terms.k) > 1 and terms.k.min() > SIMILAR * terms.k.max())
    if not by_distance(stage):
        return 0 if all_similar else 3
    size = np.abs(terms.terms)
    if size[0] > size[1:].sum():
        return 2
    return 0 if all_similar else 1


def half_distance(terms: Terms) -> float:
    """Return the distance within which half of the total absolute contribution lies."""
    size = np.abs(terms.terms)
    return float(terms.distances[int(np.searchsorted(np.cumsum(size), 0.5 * size.sum()))])


def no_support_vector_near(stage: Stage) -> bool:
    """Return whether all kernel values are negligible beside k(x_i, x_i), and all terms together beside b."""
    terms = current_terms(stage)
    largest = float(np.diag(stage.lab.problem.gram)[terms.rows].max())
    is_small = bool(np.abs(terms.k).max() <= NEGLIGIBLE * largest)
    return is_small and float(np.abs(terms.terms).sum()) <= NEGLIGIBLE * abs(stage.solution.b)


def situation(stage: Stage) -> str:
    """Return what the points are, the kernel, and how the SVM classifies a new point."""
    kernel = _("The SVM has the kernel $k$. Its values are often read as similarities of two points.")
    if GAUSSIAN.is_met(stage):
        kernel = _(
            "The **Gaussian kernel** $k(x, z) = e^{-\\|x - z\\|^2/(2\\sigma^2)}$ of width $\\sigma$ measures how "
            "similar $x$ and $z$ are."
        )
    points = _("Each point is a breast tumour, malignant (+1) or benign (−1).") if find_sample(stage.lab) else ""
    words = _(
        "The SVM classifies a new point $u$ by the sign of $f(u) = \\sum_i \\alpha_i y_i\\,k(x_i, u) + b$. Each "
        "support vector $x_i$ (ringed) contributes one term, with its multiplier $\\alpha_i$. You can drag $u$."
    )
    return " ".join(part for part in (points, kernel, words) if part)


def verdict(stage: Stage) -> str:
    """Return the answer with the distance or the kernel value that decides it."""
    terms, right = current_terms(stage), answer(stage)
    if no_support_vector_near(stage):
        words = _(
            "At most one, the nearest. Even its term, at distance {near}, is almost 0, so f(u) is almost equal to b."
        )
    else:
        words = (
            _("All of them, with similar kernel values. Here these values lie between {least} and {most}."),
            _(
                "Mainly those near u. Half of the total absolute contribution comes from support vectors within "
                "distance {half}."
            ),
            _("At most one, the nearest. Its term, at distance {near}, is larger than all other terms together."),
            _("Those in the direction of u or −u, even far away. This kernel does not depend only on the distance."),
        )[right]
    values = (terms.distances[0], half_distance(terms), float(terms.k.min()), float(terms.k.max()))
    nearest, half, smallest, largest = (short(x, 3) for x in values)
    return words.format(near=nearest, half=half, least=smallest, most=largest)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return f at the new point, the distance that holds half of the contribution, and the test errors."""
    if not stage.shown:
        return ()
    terms, solution, _start, in_ten = shown_terms(stage)
    at = np.array([new_point(stage)]) if in_ten is None else in_ten.x[None]
    name, definition = "f(u)", _("Decision value of the SVM at the new point u")
    if in_ten is not None:
        name, definition = "f", _("Decision value at the ringed tumour, with all ten measurements")
    f, half = float(solution.decision(at)[0]), half_distance(terms)
    words = _("Distance within which half of the total absolute contribution lies")
    readings = [
        Reading(name, short(f, 3, ROUNDING), repr(f), definition),
        Reading(_("50 % within"), short(half, 3), repr(half), words),
    ]
    ten = with_ten(stage)
    if ten is None:
        return readings
    both = " / ".join(f"{short(100 * error, 3)} %" for error in ten.errors)
    definition = _("Test error with two measurements / with all ten")
    return [*readings, reading(_("test error, 2 / 10"), both, definition)]


def chart(stage: Stage) -> Chart:
    """Return a bar for each support vector at its distance, and their sum. A click selects the point."""
    terms, solution, _start, ten = shown_terms(stage)
    data, kernel, falling = stage.data, solution.problem.kernel, None
    if by_distance(stage):
        d = np.linspace(0.0, float(terms.distances[-1]), 121)
        places = np.zeros((len(d), solution.problem.data.d))
        places[:, 0] = d
        falling = d, kernel(places, places[:1])[:, 0]
    figure = term_chart(
        terms,
        solution.alpha[terms.rows],
        data.y[terms.rows],
        data.ids[terms.rows],
        solution.b,
        falling,
        "f(u)" if ten is None else "f",
        stage.lab.selected,
        stage.palette,
    )
    return Chart(figure, select_point)


def says(stage: Stage) -> str:
    """Return how the chart is read."""
    ten = shown_terms(stage)[-1]
    if ten is not None:
        return (
            _(
                "The test tumour nearest to $u$ (small ring) is malignant. With ten measurements, its $f$ is {f}. "
                "The bars are its terms with ten measurements. The test error is then {ten}."
            ),
            _(
                "The test tumour nearest to $u$ (small ring) is benign. With ten measurements, its $f$ is {f}. "
                "The bars are its terms with ten measurements. The test error is then {ten}."
            ),
        )[ten.y < 0].format(f=short(float(ten.solution.decision(ten.x[None])[0]), 3), ten=short(ten.errors[1], 3))
    if no_support_vector_near(stage) and not stage.solution.b:
        return _("All terms are 0, because no support vector is similar to $u$. Here $b = 0$, so $f(u) = 0$.")
    if no_support_vector_near(stage):
        return _(
            "All terms are almost 0, because no support vector is similar to $u$. At such a point, $f(u)$ is almost "
            "equal to $b$, so the sign of $b$ decides the class."
        )
    if by_distance(stage):
        return _(
            "Each bar is the term of one support vector, at its distance from $u$. The green line adds the terms to "
            "$b$, nearest first, up to $f(u)$. The dotted curve is $k$, rescaled. Select a point to see its $k$."
        )
    return _(
        "Each bar is the term of one support vector, at its distance from $u$. The green line adds the terms to $b$, "
        "nearest first, and ends at $f(u)$. Select a point to see its $k(x_i, \\cdot)$ as shading."
    )


def play(stage: Stage) -> Data | None:
    """Return the animation of the width, up and back, if the kernel has a width."""
    width = next((p.name for p in stage.lab.kernel_function.parameters if p.slider), None)
    return None if width is None else {"key": width, "to": 5.0, "ms": 2600, "back": True}


def more(stage: Stage) -> Sequence[Part]:
    """Return the limits of the width, similarity and distance, the data, and what the lecture notes state."""
    ten, parts = with_ten(stage), list[Part]()
    if ten is not None:
        sample = find_sample(stage.lab)
        assert sample is not None
        parts.append(
            _(
                "**The data.** The board shows {m} random tumours of a data set with 569 (UCI Machine Learning "
                "Repository, CC BY 4.0). $x_1$ is (radius − 14)/3.5, and $x_2$ is (texture − 19)/4.3. The test error "
                "belongs to the other {n} tumours. With all ten measurements, distances are about $\\sqrt5$ times as "
                "large, so a Gaussian kernel has the width $\\sqrt5\\,\\sigma$ there. In this view, lines on the board "
                "start at the test tumour, and their thickness shows the terms with ten measurements."
            ).format(m=sample.m, n=len(sample.other_rows))
        )
    return [
        *parts,
        _(
            "**The width.** Take two support vectors at the distances $d_1 < d_2$ from $u$. The Gaussian kernel value "
            "of the nearer one is larger by the factor $e^{(d_2^2 - d_1^2)/(2\\sigma^2)}$. For $\\sigma \\to 0$, this "
            "factor tends to infinity, so the nearest support vector dominates. For $\\sigma \\to \\infty$, all kernel "
            "values tend to 1. The multipliers $\\alpha_i$ influence the terms as well."
        ),
        _(
            "**Similarity and distance.** A kernel value is an inner product in feature space, so $k(x, u) = "
            "\\frac12(\\|\\phi(x)\\|^2 + \\|\\phi(u)\\|^2 - \\|\\phi(x) - \\phi(u)\\|^2)$. If all $\\phi(x)$ have the "
            "same length, as with the Gaussian kernel, it is larger for points that are closer in feature space. With "
            "the linear kernel $k(x, 2x) = 2\\,k(x, x)$, so $2x$ would be more similar to $x$ than $x$ itself."
        ),
        _(
            "**Lecture notes.** Gambosi's slides state that every kernel measures similarity in feature space. The "
            "Italian notes on half-spaces state only for the Gaussian kernel that near points have a larger weight, "
            "and there it is correct."
        ),
        _("**Keys.** The arrow keys move $u$ while no point is selected. Press Escape to release a point."),
    ]


BARS = 70  # so many bars side by side would fill the chart


def term_chart(
    terms: Terms,
    alpha: Array,
    y: Array,
    ids: Index,
    b: float,
    falling: tuple[Array, Array] | None,
    name: str,
    selected: int | None,
    palette: Palette,
) -> go.Figure:
    """Return a bar for each term at its distance, and the line that adds them to b.

    alpha, y, ids: of the support vectors, (k,). falling: distances (n,) and k there, drawn as high as the chart, or
    None if k does not depend on the distance alone. name: of the sum.
    """
    figure = empty_chart(palette, "", _("α y k(x, u)"), height=260)
    reach = 1.03 * float(terms.distances[-1]) or 1.0
    top = float(np.abs(terms.terms).max())
    sums = b + np.r_[0.0, np.cumsum(terms.terms)]
    end = f"{name} = {short(float(sums[-1]), 3, ROUNDING)}"
    names = [Label(end, reach, float(sums[-1]), palette.accent)]
    if falling is not None:
        tall = max(top, float(sums.max()))
        pen = palette.pen(palette.quiet, 1.5, "dot")
        curve = go.Scatter(x=falling[0], y=tall * falling[1], name="k", mode="lines", line=pen, hoverinfo="skip")
        figure.add_trace(curve)
        at = int(np.abs(falling[1] - 0.8 * falling[1][0]).argmin())
        names.append(Label("k", float(falling[0][at]), tall * float(falling[1][at]), palette.quiet, "above right"))
    custom = np.stack([ids, terms.rows + 1, terms.k, alpha], 1)
    hover = _("point") + (
        " %{customdata[1]}<br>|x − u| = %{x:.4g}<br>k = %{customdata[2]:.4g}<br>α = %{customdata[3]:.4g}"
        + written("<br>α y k = %{y:.6g}<extra></extra>")
    )
    width = reach / BARS
    bars = marks.bars(
        palette, terms.distances, terms.terms, y, custom, ids == selected, name="terms", hover=hover, width=width
    )
    figure.add_trace(bars)
    steps = go.Scatter(
        x=np.r_[0.0, np.repeat(terms.distances, 2), reach],
        y=np.repeat(sums, 2),
        name="sum",
        mode="lines",
        line=palette.pen(palette.accent, 2.0),
        hovertemplate=_("b and the terms up to here") + ": %{y:.5g}<extra></extra>",
    )
    figure.add_trace(steps)
    figure.update_xaxes(range=[-0.02 * reach, reach], nticks=7)
    figure.update_yaxes(
        range=axis_range(sums, terms.terms, 0.0, max(top, float(sums.max())) if falling else 0.0, room=0.1),
        nticks=5,
        zeroline=True,
    )
    names.append(axis_name(figure, _("distance"), palette))
    return place_labels(figure, palette, names, backed=True)


SIMILARITY = Step(
    key="similarity",
    title=N_("The kernel as a similarity"),
    situation=situation,
    question=N_("Which support vectors contribute most to the sum that classifies a new point $u$?"),
    choices=(
        Choice(
            N_("All of them, with similar kernel values"),
            N_(
                "With a Gaussian kernel much wider than the data this would be true, because k(xᵢ, u) then hardly "
                "depends on xᵢ."
            ),
        ),
        Choice(
            N_("Mainly those near u"),
            N_("A Gaussian kernel of medium width usually behaves in this way. The bars show a different pattern."),
        ),
        Choice(
            N_("At most one, the nearest"),
            N_(
                "With a very narrow Gaussian kernel this would be true, because all other kernel values are almost 0. "
                "Here other terms matter."
            ),
        ),
        Choice(
            N_("Those in the direction of u or −u, even far away"),
            N_(
                "With the linear kernel this is usual, because |⟨xᵢ, u⟩| grows with the length of xᵢ. A Gaussian "
                "kernel depends only on distance."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=sample_board(30, 22, kernel="gaussian", sigma=1.0, value=1.0),
    introduces=("gaussian",),
    needs=(BOTH_CLASSES, PRODUCT, SOLVED, NONZERO_W, at_most(60)),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: bool(draw(stage).get("overlay")),
    numbers=numbers,
    picks=(Pick("measurements", N_("View"), tuple(VIEWS), "two", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"f(u) = \textstyle\sum_i \alpha_i y_i\,k(x_i, u) + b",
    more=more,
    tries=(
        Try("σ = 0.1", set_machine(kernel="gaussian", sigma=0.1)),
        Try("σ = 5", set_machine(kernel="gaussian", sigma=5.0)),
        Try(N_("Linear kernel"), set_machine(kernel="linear")),
    ),
    shows=("K14", "T5"),
)
