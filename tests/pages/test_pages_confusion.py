"""The confusion matrix that the key figures open, and that of a board of several classes."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from svmlab import solve
from svmlab.lab.bench import confusion_table, panel
from svmlab.lab.session.controls import CLASSES
from svmlab.lab.session.held_out import compute_held_out
from svmlab.lab.session.lab import Lab
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.multiclass import Classes, MulticlassProblem
from svmlab.multiclass import solve as solve_classes


def cells(html):
    """Return the cells of each row of every table, with the name of the row."""
    tables = re.findall(r"<table.*?</table>", html)
    rows = [re.findall(r"<tr>.*?</tr>", table) for table in tables]
    return [[re.sub(r"<[^>]+>", "|", row).strip("|").replace("||", "|").split("|") for row in each] for each in rows]


def opened(lab, unseen=False):
    lab = replace(lab, unseen=unseen)
    solution = solve(lab.problem)
    return confusion_table.of_key_figures(lab, {"": (solution, compute_held_out(lab, solution))})


def test_the_matrix_counts_the_errors_of_the_key_figures():
    lab = preset("overlapping")()
    solution = solve(lab.problem)
    (rows,) = cells(opened(lab))
    plus, minus = ([int(n) for n in row[1:3]] for row in rows[2:4])
    assert sum(plus) == sum(minus) == 30
    assert plus[1] + minus[0] == solution.errors.sum() == 1
    assert rows[2][0] == "true +1"
    assert rows[3][3] == "0.967", "29 of 30 points of class -1"


def test_the_number_of_errors_opens_it():
    lab = preset("overlapping")()
    figures = panel.figures(lab, solve(lab.problem))
    assert figures.count('data-confusion="show" aria-expanded="false" aria-controls="confusion"') == 1
    assert 'id="confusion"' in opened(lab)


def test_the_test_points_have_a_matrix_beside_that_of_the_points():
    fresh = opened(preset("moons", kernel="gaussian")(), unseen=True)
    assert re.findall(r"<caption>(.*?)</caption>", fresh) == ["your points: 60", "test points: 400"]
    folds = opened(board_of_points([(0, 1, 1), (1, 0.5, 1), (-1, 0, -1), (-2, 1, -1)])(), unseen=True)
    assert re.findall(r"<caption>(.*?)</caption>", folds) == ["your points: 4", "points in 4 folds: 4"]
    assert confusion_table.TURN_ON not in fresh
    assert confusion_table.TURN_ON in opened(preset("moons")())


def test_two_boards_have_the_matrices_of_both():
    lab = preset("xor")()
    a, b = solve(lab.problem), solve(replace(lab, kernel="gaussian").problem)
    html = confusion_table.of_key_figures(lab, {"A": (a, None), "B": (b, None), "C": (None, None)})
    assert re.findall(r"<caption>(.*?)</caption>", html) == ["A · your points: 60", "B · your points: 60"]


def test_a_ratio_without_denominator_is_said_in_words():
    html = opened(board_of_points([(0, 0, 1), (1, 1, 1)])())
    (rows,) = cells(html)
    assert rows[3] == ["true −1", "0", "0", "no value"]
    assert "Class −1 has no points." in html
    assert "nan" not in html.lower()


def test_a_point_on_the_boundary_is_said_to_be_an_error():
    html = opened(board_of_points([(1, 0, 1), (1, 0, -1)])())
    assert (
        "A point on the boundary (y f = 0) is an error. So it counts as predicted as the other class. Here: 2." in html
    )


def test_every_number_has_its_meaning_on_hover():
    html = opened(preset("overlapping")(), unseen=True)
    numbers = re.findall(r"<td[^>]*>[0-9.]+</td>", html)
    assert len(numbers) == 22
    assert all('title="' in cell and 'title=""' not in cell for cell in numbers)
    assert "The fraction of the points of class −1 that are predicted correctly: 29 of 30." in html


def test_without_a_classifier_there_is_no_matrix():
    assert confusion_table.of_key_figures(Lab(), {"": (None, None)}) == ""


def test_several_classes_have_a_row_and_a_column_each():
    X = np.array([[0, 2], [0.2, 2.2], [2, 0], [2.2, 0.1], [-2, 0], [-2.1, 0.2], [0.1, 1.9]])
    machines = solve_classes(MulticlassProblem(Classes(X, [1, 1, 2, 2, 3, 3, 2])))
    (rows,) = cells(confusion_table.of_classes(Lab(task=CLASSES), machines))
    assert [row[0] for row in rows[2:5]] == ["true 1", "true 2", "true 3"]
    expected = [[2, 0, 0], [1, 2, 0], [0, 0, 2]]
    assert [[int(n) for n in row[1:4]] for row in rows[2:5]] == expected
    assert rows[3][4] == "0.667"


def test_a_tie_of_several_classes_has_a_column_of_its_own():
    machines = solve_classes(MulticlassProblem(Classes([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]], [1, 2, 3])))
    assert machines.tied(machines.problem.data.X).all()
    (rows,) = cells(confusion_table.of_classes(Lab(task=CLASSES), machines))
    assert rows[1][-2:] == ["tied", "recall"]
    assert [row[4] for row in rows[2:5]] == ["1", "1", "1"]
    assert "No point is predicted as class 1." in confusion_table.of_classes(Lab(task=CLASSES), machines)


@pytest.mark.parametrize("all_ratios", [False, True])
def test_before_and_after_stand_in_one_cell(all_ratios):
    lab = preset("overlapping")()
    confusions = [
        confusion_table.confusion_of_errors(lab.data.y, solve(replace(lab, value=C).problem).errors) for C in (1, 0.001)
    ]
    html = confusion_table.table(confusions, "", all_ratios)
    assert f">{confusions[0].counts[0, 0]:g} → {confusions[1].counts[0, 0]:g}<" in html
    assert (confusion_table.F1 in html) is all_ratios
