"""Training error and test error of an SVM, over many random samples of measured tumours (G0)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab import Problem, solve
from svmlab.core.arrays import frozen
from svmlab.generalisation import BlobSource, IdentifiedSample, SampleErrors, blobs_with_flipped_labels, training_error
from svmlab.generalisation.blobs import FRESH_COUNT
from svmlab.generalisation.sources import KNOWN_SEEDS, MAX_BOARD_POINTS
from svmlab.lab.board.payload import point_marks
from svmlab.lab.charts.marks import SIZE, add_rule, dots
from svmlab.lab.lessons.generalisation.behind import misclassified_test_points, overlay_of_test_points, true_error
from svmlab.lab.lessons.generalisation.sampled import on_draws
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.point_source import find_source, with_sample
from svmlab.lab.session.worker import Report
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Op, Part, Reading, Step, Try, reading
from svmlab.lab.teach.tumours import SEEDS, TEN, TWO, Sample, find_sample, sample_board, with_tumours
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette, faded

CHECKED = 200_000  # new points beside the formula
MIN_POINTS = 6  # points of a sample
CLEAR = 2.0  # from so many standard errors on, a mean gap is no accident
BOARD = sample_board(30, 22, value=1.0)
INVENTED = Lab(value=1.0)


@dataclass(frozen=True, eq=False)
class Samples:
    """The errors of the SVM on many random samples, and of the SVM with all ten measurements on the same samples."""

    errors: SampleErrors
    ten: SampleErrors | None = None


def origin(stage: Stage) -> Sample | IdentifiedSample:
    """Return the sample that the points are, of tumours or of a known distribution."""
    sample = find_sample(stage.lab) or find_source(stage.lab)
    assert sample is not None
    return sample


TEST_POINTS = Need(
    lambda stage: (find_sample(stage.lab) or find_source(stage.lab)) is not None,
    N_("The app knows no test points for your points, so it cannot compute a test error."),
    {},
)
ENOUGH_POINTS = Need(
    lambda stage: len(stage.lab.points) >= MIN_POINTS,
    N_("This step is about random samples of at least 6 points."),
    {},
)


def of_tumours(problem: Problem, m: int, measurements: int, report: Callable[[float], None]) -> SampleErrors:
    """Return the errors of the SVMs on random samples of m tumours. Raises what `solve` raises."""
    results = []
    for seed in range(SEEDS):
        sample = Sample(m, seed)
        test = sample.test(measurements)
        solution = solve(replace(problem, data=sample.training(measurements)))
        error = float(np.mean(test.y * solution.decision(test.X) <= 0))
        results.append((training_error(solution), error, int(solution.support.sum())))
        report((seed + 1) / SEEDS)
    train, true, support = np.array(results).T
    # All other tumours are test points, so chance has no part in the test error of a sample.
    return SampleErrors(m, frozen(train), frozen(true), frozen(np.zeros(SEEDS)), frozen(support, np.intp))


def samples(stage: Stage) -> Samples:
    """Return the errors on samples like this one. Raises Working until they are there."""
    return stage.background_result(*_work(stage))


def _work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Samples]]:
    problem, sample = stage.lab.problem, origin(stage)
    settings = problem.kernel, problem.C, problem.bias
    if isinstance(sample, IdentifiedSample):
        source, m = sample.source, problem.data.m
        return ("samples", source, m, *settings), lambda report: Samples(on_draws(problem, source, KNOWN_SEEDS, report))

    def make(report: Report) -> Samples:
        two = of_tumours(problem, sample.m, TWO, lambda part: report(0.4 * part))
        if not problem.kernel.rotation_invariant:  # it may have a part for each of two coordinates
            return Samples(two)
        return Samples(two, of_tumours(problem, sample.m, TEN, lambda part: report(0.4 + 0.6 * part)))

    return ("samples", "tumours", sample.m, *settings), make


def errors(stage: Stage) -> tuple[float, float, float]:
    """Return the training error, the test error and its standard error, which is 0 if a formula gave the error."""

    def measure() -> tuple[float, float, float]:
        test = true_error(stage)
        return training_error(stage.solution), test.value, test.standard_error

    return stage.cached("errors", measure)


def situation(stage: Stage) -> str:
    """Return what the points are, and what both errors are."""
    m = len(stage.lab.points)
    if isinstance(sample := origin(stage), Sample):
        return _(
            "Each point is a breast tumour, malignant (+1) or benign (−1). $x_1$ and $x_2$ are its scaled radius "
            "and texture. The SVM is trained on {m} tumours. Its **training error** is the fraction of them that it "
            "misclassifies. Its **test error** is this fraction for {n} other tumours."
        ).format(m=m, n=len(sample.other_rows))
    return _(
        "The SVM is trained on {m} points, a random sample from a known distribution. Its **training error** is the "
        "fraction of them that it misclassifies. Its **test error** is this fraction for very many new points from "
        "the distribution, so it is the true error."
    ).format(m=m)


def draw(stage: Stage) -> Data:
    """Return the test points behind the board's own. The samples begin before the answer."""
    stage.background_result_or_none(*_work(stage))
    if not stage.shown:
        return {"message": None}
    m = len(stage.lab.points)
    solid = {"fill": [1.0] * m, "state": ["none"] * m}  # training points, whatever their multipliers
    marks = point_marks(stage.solution, with_values=not stage.moving) | solid
    return {"overlay": overlay_of_test_points(stage), "slack": [], "marks": marks, "legend": None, "message": None}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the training error, the test error, and both with all ten measurements."""
    m = len(stage.lab.points)
    train, test, error = errors(stage)
    first = reading(
        _("training error"),
        f"{round(train * m)}/{m} = {short(train, 3)}",
        _("Fraction of the training points that the SVM misclassifies"),
    )
    if not stage.shown:
        return [first]
    sample, words = origin(stage), _("Fraction of the test points (small marks) that the SVM misclassifies")
    if isinstance(sample, IdentifiedSample):
        words = _("Probability that the SVM misclassifies a new point")
        return [first, reading(_("test error"), short(test, 3) + (f" ± {short(error, 1)}" if error else ""), words)]
    wrong = misclassified_test_points(stage)[1]
    text = f"{int(wrong.sum())}/{len(wrong)} = {short(test, 3)}"
    ten = stage.background_result_or_none(*_work(stage))
    if ten is None or ten.ten is None or sample.moved_count:
        return [first, reading(_("test error"), text, words)]
    both = " / ".join(short(float(each[sample.seed]), 2) for each in (ten.ten.train, ten.ten.true))
    words_of_ten = _("Training error and test error of the SVM with all ten measurements of the same tumours")
    return [first, reading(_("test error"), text, words), reading(_("ten measurements"), both, words_of_ten)]


def answer(stage: Stage) -> int:
    """Return 0 if the mean gap is clearly above 0, 1 if it is not clearly different from 0, and 2 if it is below."""
    cloud = samples(stage).errors
    if abs(cloud.gap) <= max(CLEAR * cloud.gap_error, ROUNDING):
        return 1
    return 0 if cloud.gap > 0 else 2


def verdict(stage: Stage) -> str:
    """Return the answer with both means."""
    cloud = samples(stage).errors
    words = (
        _("The training error is smaller. Its mean over {n} samples is {train}, and that of the test error is {test}."),
        _("Both are about equal. Their means over {n} samples are {train} and {test}, which could be chance."),
        _("The test error is smaller. Its mean over {n} samples is {test}, and that of the training error is {train}."),
    )[answer(stage)]
    train, test = (short(float(each.mean()), 3) for each in (cloud.train, cloud.true))
    return words.format(train=train, test=test, n=len(cloud.train))


def chart(stage: Stage) -> Chart:
    """Return the errors of the board and of all samples. A click on a dot puts its sample on the board."""
    clouds, sample = samples(stage), origin(stage)
    train, test, _error = errors(stage)
    own = sample.seed if sample.moved_count == 0 and sample.seed < len(clouds.errors.train) else None
    bayes_error = sample.source.bayes_error if isinstance(sample, IdentifiedSample) else None
    figure = error_chart(clouds, train, test, own, bayes_error, stage.palette)
    return Chart(figure, lambda seed: another_sample(stage, seed=int(seed)))


def another_sample(stage: Stage, m: int | None = None, seed: int | None = None) -> Op:
    """Return the operation that puts another sample of the same source on the board."""
    sample = origin(stage)
    seed = sample.seed if seed is None else seed
    if isinstance(sample, Sample):
        lab = with_tumours(stage.lab, Sample(m or sample.m, seed).training())
    else:
        lab = with_sample(stage.lab, sample.source, m or len(stage.lab.points), seed)
    return {"op": "load", "lab": lab}


def says(stage: Stage) -> str:
    """Return how the dots are read, and the mean generalisation gap."""
    sample = origin(stage)
    if sample.moved_count:
        return _(
            "You moved or deleted {n} of the points, so the board (ring) is no random sample. Each grey dot is one. "
            "Click it to put this sample on the board."
        ).format(n=sample.moved_count)
    clouds = samples(stage)
    if clouds.ten is not None:
        return _(
            "A grey dot is a random sample, and a pink diamond is one with ten measurements instead of two. Crosses "
            "are means. The mean **generalisation gap** (test minus training error) is {gap}, and {gap_ten} with ten."
        ).format(gap=short(clouds.errors.gap, 2), gap_ten=short(clouds.ten.gap, 2))
    return _(
        "Each grey dot is a random sample of {m} points, above the dashed line if its test error is larger. The mean "
        "**generalisation gap**, test error minus training error, is {gap}."
    ).format(m=len(stage.lab.points), gap=short(clouds.errors.gap, 2))


def more(stage: Stage) -> Sequence[Part]:
    """Return where the points come from, two computations of the true error, and what holds on average only."""
    cloud, sample, m = samples(stage).errors, origin(stage), len(stage.lab.points)
    above = int((cloud.true > cloud.train).sum())
    parts = _about_tumours(stage, sample) if isinstance(sample, Sample) else _about_distribution(stage, sample, m)
    return [
        *parts,
        _(
            "**True error.** The true error of an SVM, $\\operatorname{er}$, is the probability that it misclassifies "
            "a new point. The test error estimates it, and the estimate is good if there are many test points. The "
            "training error is $\\operatorname{er}_S$. The generalisation gap is $\\operatorname{er} - "
            "\\operatorname{er}_S$, and test error minus training error estimates it."
        ),
        _(
            "**Only on average.** The test error is larger for {above} of {n} samples. The mean gap is {gap} ± {error} "
            "(one standard error). A gap of more than two standard errors counts as a difference here. There is no "
            "theorem that the mean gap is positive for every SVM. It is positive or 0 for a classifier with the "
            "smallest possible number of training errors."
        ).format(above=above, n=len(cloud.train), gap=short(cloud.gap, 3), error=short(cloud.gap_error, 2)),
    ]


def _about_tumours(stage: Stage, sample: Sample) -> list[Part]:
    centre = _(
        "**The data.** W. H. Wolberg, W. N. Street and O. L. Mangasarian measured the cell nuclei of 569 breast "
        "tumours (UCI Machine Learning Repository, licence CC BY 4.0). There are ten measurements, each a mean over "
        "one image. On the board $x_1$ is (radius − 14)/3.5, and $x_2$ is (texture − 19)/4.3. These constants are the "
        "rounded means and standard deviations of the whole data set. The other eight measurements are standardised "
        "in the same way."
    )
    split = _(
        "**Training and test.** Sample {seed} consists of the first {m} rows of the data set after a shuffle with the "
        "seed {seed} (NumPy, Philox). All other {n} rows are its test points, which are the small marks on the board. "
        "A stronger colour marks those that are misclassified."
    ).format(seed=sample.seed, m=sample.m, n=len(sample.other_rows))
    ten = samples(stage).ten
    if ten is None:
        return [centre, split]
    return [
        centre,
        split,
        _(
            "**All ten measurements.** The pink diamonds are SVMs with the same kernel and $C$ on the same samples. "
            "Over {n} samples, the mean training error is {train}, and the mean test error is {test}. A small gap does "
            "not make a small test error. More measurements can enlarge the gap and still give better predictions."
        ).format(n=SEEDS, train=short(float(ten.train.mean()), 3), test=short(float(ten.true.mean()), 3)),
    ]


def _about_distribution(stage: Stage, sample: IdentifiedSample, m: int) -> list[Part]:
    _train, true, error = errors(stage)
    if not isinstance(sample.source, BlobSource):
        return [
            _(
                "**Where the points come from.** They are a preset of the lab, with both classes equally often. The "
                "test error is measured on {n} new points. For the SVM on the board it is {true} ± {error}."
            ).format(n=grouped(FRESH_COUNT), true=short(true, 3), error=short(error, 1))
        ]
    blobs = sample.source.blobs
    parts: list[Part] = [
        _(
            "**Where the points come from.** They are invented. A fair coin chooses the class. The position comes "
            "from a normal distribution around $\\mu = ({x}, {y})$ or $-\\mu$ with standard deviation {s}. Then the "
            "label is flipped with probability {eta}. No classifier has a true error below {best} (the **Bayes "
            "error**), which $w = \\mu$, $b = 0$ has."
        ).format(
            x=short(blobs.mu[0]),
            y=short(blobs.mu[1]),
            s=short(blobs.s),
            eta=short(blobs.eta),
            best=short(blobs.bayes_error, 3),
        )
    ]
    if error == 0:
        measured = stage.cached("checked", lambda: blobs.measured_error(stage.solution.decision, CHECKED))
        parts.append(
            _(
                "**Two computations.** For a line, a formula with the normal distribution gives the true error "
                "{exact}. Of {n} new points, the fraction {share} ± {error} is misclassified."
            ).format(
                exact=short(true, 5),
                n=grouped(CHECKED),
                share=short(measured.value, 5),
                error=short(measured.standard_error, 2),
            )
        )
    drawn_samples = (sample.source.draw(m, seed) for seed in range(KNOWN_SEEDS))
    fixed = np.array([np.mean(each.y * (each.X @ np.array(blobs.mu)) <= 0) for each in drawn_samples])
    parts.append(
        _(
            "**The gap comes from training.** The line $w = \\mu$, $b = 0$ was not trained on any sample. Its mean "
            "error on the same {n} samples is {share} ± {error}, and its true error is {best}. So its gap is only "
            "chance."
        ).format(
            share=short(float(fixed.mean()), 3),
            n=len(fixed),
            best=short(blobs.bayes_error, 3),
            error=short(float(np.std(fixed, ddof=1)) / len(fixed) ** 0.5, 1),
        )
    )
    return parts


BARS = (-0.62, -0.24)  # where the bars stand: beside the axis, which ends at 1
WIDE, EDGE = 0.24, -0.84
TICKS = (0.02, 0.05, 0.1, 0.2, 0.5)


def error_chart(
    clouds: Samples, train: float, test: float, own: int | None, bayes_error: float | None, palette: Palette
) -> go.Figure:
    """Return bars for the errors of the board, and marks for those of each sample, above the diagonal if test > train.

    own: which sample the board is, or None. bayes_error: the smallest possible true error. customdata of the marks: the
    number of the sample.
    """
    cloud, ten = clouds.errors, clouds.ten
    figure = empty_chart(palette, "", _("test error"), height=260)
    right = 1.1 * max(float(cloud.train.max()), float(ten.train.max()) if ten else 0.0, train, 0.05)
    top = 1.15 * max(float(cloud.true.max()), float(ten.true.max()) if ten else 0.0, test, train, 0.05)
    diagonal = np.array([0.0, min(right, top)])
    x = right * np.array(BARS)
    bars = go.Bar(x=x, y=np.array([train, test]), width=right * WIDE, name="board")
    colours = np.array([palette.quiet, palette.accent])
    figure.add_trace(bars.update(marker={"color": colours}, hovertemplate="%{y:.4g}<extra></extra>"))
    for name, xs, ys, pen in (
        ("equal", diagonal, diagonal, palette.pen(palette.quiet, 1.5, "dash")),
        ("test", np.array([x[1], train]), np.array([test, test]), palette.pen(palette.accent, 1.5, "dot")),
        ("gap", np.array([train, train]), np.array([train, test]), palette.pen(palette.accent, 2.5)),
    ):
        figure.add_trace(go.Scatter(x=xs, y=ys, mode="lines", name=name, line=pen, hoverinfo="skip"))
    if bayes_error is not None:
        add_rule(figure, palette, palette.other, "dot", y=bayes_error)
    add_rule(figure, palette, palette.zero, x=0.0, width=1)
    number = np.arange(len(cloud.train))
    hover = _("sample {n}: training error {train}, test error {test}").format(
        n="%{customdata}", train="%{x:.3g}", test="%{y:.3g}"
    )
    hover += "<extra></extra>"
    marked = number == own
    if ten is not None:
        name = "ten"
        words = _("ten measurements, ") + hover
        diamonds = dots(
            palette, ten.train, ten.true, number, marked, palette.other, name=name, hover=words, symbol="diamond"
        )
        figure.add_trace(diamonds.update(marker={"opacity": 0.7}))
    figure.add_trace(
        dots(palette, cloud.train, cloud.true, number, marked, palette.quiet, name="samples", hover=hover, edge=1)
    )
    for name, each, colour in (("mean", cloud, palette.text), ("mean of ten", ten, palette.other)):
        if each is None:
            continue
        cross = {"size": (SIZE + 6) * palette.stroke, "symbol": "cross", "color": colour}
        cross["line"] = palette.pen(palette.paper, 2)
        at = [np.array([rate.mean()]) for rate in (each.train, each.true)]
        mean = go.Scatter(x=at[0], y=at[1], mode="markers", name=name, marker=cross)
        words = _("mean: training error {train}, test error {test}").format(train="%{x:.4g}", test="%{y:.4g}")
        figure.add_trace(mean.update(hovertemplate=words + "<extra></extra>"))
    ring = {"size": (SIZE + 5) * palette.stroke, "color": faded(palette.accent, 0.2)}
    ring["line"] = palette.pen(palette.accent, 3)
    here = go.Scatter(x=np.array([train]), y=np.array([test]), mode="markers", name="now", hoverinfo="skip")
    figure.add_trace(here.update(marker=ring))
    step = next((each for each in TICKS if right / each < 5), TICKS[-1])
    ticks = step * np.arange(int(right / step) + 1)
    figure.update_xaxes(
        range=[EDGE * right, right],
        tickvals=np.r_[x, ticks],
        ticktext=[_("training"), _("test"), *(short(float(each), 2) for each in ticks)],
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(range=[0.0, top], nticks=5)
    labels = [
        Label(short(train, 3), float(x[0]), train, palette.quiet, "above"),
        Label(short(test, 3), float(x[1]), test, palette.accent, "above"),
        Label(_("equal"), float(diagonal[1]), float(diagonal[1]), palette.quiet),
        axis_name(figure, _("training error"), palette),
    ]
    if ten is not None:
        labels.append(Label(_("ten measurements"), right, float(ten.true.mean()), palette.other))
    if bayes_error is not None:
        labels.append(
            Label(_("Bayes error {value}").format(value=short(bayes_error, 3)), right, bayes_error, palette.other)
        )
    return place_labels(figure, palette, labels, backed=True)


UNSEEN = Step(
    key="unseen",
    title=N_("Training error and test error"),
    situation=situation,
    question=N_("On average over random training samples, is the training error or the test error smaller?"),
    choices=(
        Choice(
            N_("The training error is smaller"),
            N_(
                "The SVM is fitted to its training points, so this is the usual result. With many training points, "
                "there is hardly any difference."
            ),
        ),
        Choice(
            N_("Both are about equal"),
            N_("Both errors belong to the same SVM. However, only the training points were used to choose w and b."),
        ),
        Choice(
            N_("The test error is smaller"),
            N_(
                "This can happen for a single sample. On average over many samples, the test error is not clearly "
                "smaller."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    introduces=("training-error", "true-error", "unseen", "distribution", "standard-error"),
    needs=(BOTH_CLASSES, PRODUCT, SOFT, SOLVED, TEST_POINTS, ENOUGH_POINTS),
    draw=draw,
    rests_on_answer=lambda stage: bool(draw(stage).get("overlay")),
    numbers=numbers,
    chart=chart,
    says=says,
    formula=(
        r"\operatorname{er}_S = \textstyle\frac1m\sum_i \mathbf 1[\,y_i f(x_i) \le 0\,] "
        r"\quad\text{and}\quad \operatorname{er} = \Pr[\,y f(x) \le 0\,]"
    ),
    more=more,
    tries=(
        Try("m = 300", lambda stage: another_sample(stage, m=MAX_BOARD_POINTS)),
        Try(N_("Gaussian, σ = 0.1"), set_machine(kernel="gaussian", sigma=0.1)),
        Try(N_("Invented points"), board=partial(with_sample, INVENTED, blobs_with_flipped_labels(0.1), 20, 16)),
    ),
    shows=("G0",),
)
