"""Confusion matrices as tables: true classes as rows, predicted classes as columns, and the ratios at their ends.

One table serves the key figures of the Lab, the boards of several classes, and the step on precision and recall.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from svmlab import Category, Solution
from svmlab.generalisation import Confusion, HeldOut, Ratio, confusion, confusion_of_errors
from svmlab.generalisation.confusion import class_name
from svmlab.lab.numbers import short
from svmlab.lab.session.controls import LABELS
from svmlab.lab.session.lab import Lab
from svmlab.lab.words import N_, _
from svmlab.multiclass import OneVsRestSolution

TITLE = N_("Confusion matrix")
SHOW, HIDE = N_("Show the confusion matrix"), N_("Hide the confusion matrix")
PREDICTED, TRUE = N_("predicted class"), N_("true {label}")
RECALL, PRECISION, F1 = N_("recall"), N_("precision"), N_("F₁ score")
BALANCED = N_("balanced accuracy")
TIED = N_("tied")
NAMED = N_("{label} ({value})")  # a class, and its value in the reader's own table
LONGEST = 36  # characters of the head of a row or a column
NO_VALUES: Mapping[int, str] = {}
NO_VALUE = N_("no value")
COUNT = N_("Number of points of class {label} that are predicted as class {given}.")
TIES = N_("Number of points of class {label} for which two classes have the same largest f.")
MEANING = {
    RECALL: N_("The fraction of the points of class {label} that are predicted correctly: {part} of {whole}."),
    PRECISION: N_("The fraction of correct ones among the points predicted as class {label}: {part} of {whole}."),
    F1: N_("The harmonic mean of recall and precision of class {label}."),
    BALANCED: N_("The mean of the recalls of the classes that have points. It shows errors in a rare class."),
}
ON_BOUNDARY = N_(
    "A point on the boundary (y f = 0) is an error. So it counts as predicted as the other class. Here: {n}."
)
TURN_ON = N_("Turn on “Test error” to see the matrix of the test points too.")
TRAINING, TEST, FOLDS = N_("your points: {n}"), N_("test points: {n}"), N_("points in {parts} folds: {n}")


def of_key_figures(lab: Lab, fits: Mapping[str, tuple[Solution | None, HeldOut | None]]) -> str:
    """Return the part that the key figures open: the matrix of the points, and that of the test points if wanted.

    fits: solution and result on test points of each board, by its name, which is empty for a single board.
    """
    matrices, on_boundary = dict[str, Confusion](), 0
    for board, (solution, result) in fits.items():
        if solution is None:
            continue
        before = f"{board} · " if board else ""
        on_boundary += sum(category is Category.ON_LINE for category in solution.categories)
        named = [(_(TRAINING), 0, confusion_of_errors(solution.problem.data.y, solution.errors))]
        if result is not None:
            matrix = confusion_of_errors(result.data.y, result.errors)
            named.append((_(FOLDS if result.folds else TEST), result.folds, matrix))
        for name, parts, matrix in named:
            matrices[before + name.format(n=short(float(matrix.sizes.sum())), parts=parts)] = matrix
    values = values_of_classes(lab)
    if not matrices:
        return ""
    remarks = [_(ON_BOUNDARY).format(n=on_boundary)] if on_boundary else []
    remarks += reasons(list(matrices.values())) + ([] if lab.unseen else [_(TURN_ON)])
    tables = [table([matrix], name, values=values) for name, matrix in matrices.items()]
    return _section(tables, remarks, ' id="confusion"')


def values_of_classes(lab: Lab) -> dict[int, str]:
    """Return the value of the label that each class has in the table from which the points were chosen."""
    values = () if lab.axes is None else lab.axes.classes
    return {label: value for label, value in zip(LABELS[lab.task], values, strict=False) if value}


def of_classes(lab: Lab, machines: OneVsRestSolution) -> str:
    """Return the matrix of the points of a board of several classes."""
    data = machines.problem.data
    matrix = confusion(
        data.y.astype(int), machines.predict(data.X).astype(int), machines.tied(data.X), None, machines.classes
    )
    caption = _(TRAINING).format(n=short(float(matrix.sizes.sum())))
    return _section([table([matrix], caption, values=values_of_classes(lab))], reasons([matrix]))


def _section(tables: Sequence[str], remarks: Sequence[str], attribute: str = "") -> str:
    below = f'<p class="sv-quiet">{escape(" ".join(remarks))}</p>' if remarks else ""
    name = escape(_(TITLE), quote=True)
    return f'<section class="sv-confusion"{attribute} aria-label="{name}">{"".join(tables)}{below}</section>'


def buttons(name: str) -> str:
    """Return the two buttons of a key figure that show and hide the matrices. A style sheet shows one of them."""
    return "".join(
        f'<button type="button" class="sv-matrix-button" data-confusion="{act}" aria-expanded="{expanded}" '
        f'aria-controls="confusion" aria-label="{escape(f"{name}: {_(said)}", quote=True)}" '
        f'title="{escape(_(said), quote=True)}"></button>'
        for act, said, expanded in (("show", SHOW, "false"), ("hide", HIDE, "true"))
    )


def table(
    matrices: Sequence[Confusion], caption: str, all_ratios: bool = True, values: Mapping[int, str] = NO_VALUES
) -> str:
    """Return one table. Of two matrices, such as before and after a change, each cell shows both.

    all_ratios: F1 and balanced accuracy too. values: what each class is called in the reader's own table.
    """
    first = matrices[0]
    names = [_named_class(class_name(label, first.classes), values.get(label, "")) for label in first.classes]
    ties = any(matrix.undecided.any() for matrix in matrices)

    def cell(texts: Sequence[str], title: str, kind: str = "") -> str:
        return f'<td class="{kind}" title="{escape(title, quote=True)}">{escape(" → ".join(texts))}</td>'

    def ratio_cell(meaning: str, ratios_of: Callable[[Confusion], Ratio], label: str = "") -> str:
        ratios = [ratios_of(matrix) for matrix in matrices]
        parts, wholes = ([short(getattr(each, part)) for each in ratios] for part in ("part", "whole"))
        title = _(MEANING[meaning]).format(label=label, part=" → ".join(parts), whole=" → ".join(wholes))
        reasons_ = [_(each.undefined_because) for each in ratios if each.value is None]
        return cell([ratio_text(each) for each in ratios], " ".join([title, *reasons_]), "ratio")

    rows = []
    for i, label in enumerate(names):
        cells = [
            cell(
                [short(float(matrix.counts[i, k])) for matrix in matrices],
                _(COUNT).format(label=label, given=given),
                "hit" if i == k else "miss",
            )
            for k, given in enumerate(names)
        ]
        if ties:
            cells.append(
                cell([short(float(matrix.undecided[i])) for matrix in matrices], _(TIES).format(label=label), "miss")
            )
        cells.append(ratio_cell(RECALL, lambda matrix, i=i: matrix.recalls[i], label))  # type: ignore[misc]
        rows.append(_named_row(_(TRUE).format(label=label), cells))
    kinds: list[tuple[str, Callable[[Confusion], tuple[Ratio, ...]]]] = [(PRECISION, lambda matrix: matrix.precisions)]
    if all_ratios:
        kinds.append((F1, lambda matrix: matrix.f1_scores))
    rest = "<td></td>" * (1 + ties)
    for kind, ratios_of in kinds:
        cells = [
            ratio_cell(kind, lambda matrix, k=k, ratios_of=ratios_of: ratios_of(matrix)[k], given)  # type: ignore[misc]
            for k, given in enumerate(names)
        ]
        rows.append(_named_row(_(kind), [*cells, rest]))
    if all_ratios:
        last = ratio_cell(BALANCED, lambda matrix: matrix.balanced_accuracy)
        rows.append(f'<tr><th scope="row" colspan="{1 + len(names) + ties}">{escape(_(BALANCED))}</th>{last}</tr>')
    heads = "".join(_head(name, "col") for name in [*names, *([_(TIED)] if ties else [])])
    over = f'<tr><td></td><th scope="colgroup" class="group" colspan="{len(names) + ties}">{escape(_(PREDICTED))}</th>'
    return (
        f'<table class="sv-matrix"><caption>{escape(caption)}</caption><thead>{over}<td></td></tr>'
        f'<tr><td></td>{heads}<th scope="col">{escape(_(RECALL))}</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def ratio_text(ratio: Ratio) -> str:
    """Return a ratio with three digits, or words if its denominator is 0."""
    return _(NO_VALUE) if ratio.value is None else short(ratio.value, 3)


def reasons(matrices: Sequence[Confusion]) -> list[str]:
    """Return why ratios of these matrices have no value, each reason once."""
    ratios = [each for matrix in matrices for each in (*matrix.recalls, *matrix.precisions)]
    return list(dict.fromkeys(_(each.undefined_because) for each in ratios if each.value is None))


def _named_class(name: str, value: str) -> str:
    return _(NAMED).format(label=name, value=value) if value else name


def _head(name: str, scope: str) -> str:
    """Return the head of a row or a column, which shows a long name in full while the pointer is on it."""
    shown = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    title = "" if shown == name else f' title="{escape(name, quote=True)}"'
    return f'<th scope="{scope}"{title}>{escape(shown)}</th>'


def _named_row(name: str, cells: Sequence[str]) -> str:
    return f"<tr>{_head(name, 'row')}{''.join(cells)}</tr>"
