"""A table of one's own: the draft that waits, the choices, the points that follow, and the dialog of the page Lab."""

from __future__ import annotations

import random
from dataclasses import replace
from importlib.resources import files

import pytest
from streamlit.testing.v1 import AppTest

from svmlab import BadInput
from svmlab.data import breast_cancer
from svmlab.lab.bench import confusion_table
from svmlab.lab.bench.table_dialog import head_table, preview, summary
from svmlab.lab.board import board_data
from svmlab.lab.session import inbox, share, table
from svmlab.lab.session.axes import Axes, Axis, from_json
from svmlab.lab.session.controls import BINARY, CLASSES, EDGE, MAX_POINTS, VALUES
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.operations import accept, open_file
from svmlab.lab.session.state import History, initial_history
from svmlab.lab.session.tab import Session
from svmlab.lab.session.table import KEEP, STRETCH, prepare
from tests.pages.test_pages_app import lab, sound, start

SPECIES = ("setosa", "versicolor", "virginica")
HEIGHTS = "person;height;weight;group\n" + "".join(
    f"P{i};1,{600 + i % 97};{50 + i % 41},5;{'AB'[i % 3 == 0]}\n" for i in range(1000)
)


def flowers() -> str:
    """The file of the package: 150 flowers with four lengths and three species."""
    return (files("svmlab.data") / "iris.csv").read_text(encoding="utf-8").replace("_", " ")


def drafted(text: str, task: str = BINARY, name: str = "own.csv") -> Session:
    session = Session(History(Lab(task=task))) if task != BINARY else Session(initial_history())
    open_file(session, name, text)
    assert session.draft is not None, session.history.note
    return session


def chosen(session: Session, **choice: object) -> table.Draft:
    assert session.draft is not None
    session.draft = replace(session.draft, choice=replace(session.draft.choice, **choice))
    return session.draft


def test_a_table_with_many_columns_waits_and_changes_nothing_until_it_is_confirmed() -> None:
    session = drafted(flowers())
    before = session.history
    assert session.history == initial_history()
    choice, columns = session.draft.choice, session.draft.table.columns
    assert [columns[i].name for i in (choice.x1, choice.x2, choice.label)] == ["sepal length", "sepal width", "species"]
    assert choice.classes == ("virginica", None)
    accept(session)
    assert session.draft is None
    assert len(session.lab.points) == 150
    assert [p.label for p in session.lab.points].count(1) == 50
    assert session.lab.axes.classes == ("virginica", "all others")
    assert "Opened own.csv: 150 points." in session.history.note
    assert board_data(session)["message"]["tone"] == "info", "a success is no warning"
    inbox.receive(session, {"boot": session.boot, "seq": session.ack + 1, "ops": [{"op": "add", "x": "no"}]})
    assert board_data(session)["message"]["tone"] == "warn"
    inbox.do(session, {"op": "undo"})
    assert session.lab.points == before.present.points
    assert session.lab.axes is None
    inbox.do(session, {"op": "redo"})
    assert session.lab.axes.x1.name == "sepal length"


def test_the_coordinates_are_the_columns_in_the_unit_that_is_said() -> None:
    X, _y = breast_cancer(("radius", "texture"))
    rows = [f"{a!r},{b!r},{'mb'[i % 2]}" for i, (a, b) in enumerate(X[:200].tolist())]
    draft = drafted("mean radius,texture,kind\n" + "\n".join([*rows, ",1,m"])).draft
    prepared = prepare(draft)
    for axis, values, at in zip(prepared.axes[:2], X[:200].T, ("x", "y"), strict=True):
        coordinates = [getattr(p, at) for p in prepared.points]
        expected = [(value - axis.centre) / axis.unit for value in values.tolist()]
        assert coordinates == pytest.approx([1000 * value for value in expected], abs=0.51)
        assert sum(coordinates) / 200 == pytest.approx(0, abs=2)
    assert prepared.axes.formulas[0].startswith("x₁ = (mean radius − 1")
    assert prepared.counts == (100, 100)
    assert prepared.remarks == (
        "Rows left out: 1 without a number in 'mean radius'. The first is row 202, column 'mean radius'.",
    )


def test_rows_that_are_left_out_are_counted_by_column() -> None:
    rows = [f"{20 + i % 30},{60 + i},{'AB'[i % 2]}" for i in range(40)]
    gaps = [*["n/a,50,A"] * 8, "young,50,B", "30,,A", "31,60,", ",,"]  # the last row has three gaps and counts once
    draft = drafted("age,weight,group\n" + "\n".join([*rows, *gaps, "33,70,A"])).draft
    prepared = prepare(draft)
    assert len(prepared.points) == 41
    assert prepared.remarks == (
        "Rows left out: 11 (9 without a number in 'age', 1 without a number in 'weight', 1 without a label in "
        "'group'). The first is row 42, column 'age'.",
    )
    alone = drafted("age,weight,group\n" + "\n".join([*rows, "young,50,B"])).draft
    assert prepare(alone).remarks == (
        "Rows left out: 1 without a number in 'age'. The first is row 42, column 'age', with 'young'.",
    )
    unlabelled = drafted("age,weight,group\n" + "\n".join([*rows, "30,50,"])).draft
    assert prepare(unlabelled).remarks == (
        "Rows left out: 1 without a label in 'group'. The first is row 42, column 'group'.",
    )


PASTED = "age\tweight\theight\tgroup\n" + "\n".join(
    f"{20 + i % 30}\t{60 + i},5\t{170 + i % 13}\t{'AB'[i % 2]}" for i in range(40)
)


def test_a_table_is_pasted_as_text_and_a_refusal_stands_beside_the_field() -> None:
    at = start()
    session = at.session_state["lab"]
    at.text_area(key="data_file_paste0").input("no table")
    before = session.history
    at.button(key="data_file_read0").click().run()
    assert "“pasted table”: " in at.warning[-1].value
    assert at.text_area(key="data_file_paste0").value == "no table", "it can be corrected"
    assert session.history == before
    at.text_area(key="data_file_paste0").input(PASTED)
    at.button(key="data_file_read0").click().run()
    sound(at)
    assert "Its cells are separated by tabs, and its numbers have a decimal comma." in table.reading(session.draft)
    assert at.text_area(key="data_file_paste1").value == ""
    accept(session)
    assert len(session.lab.points) == 40


def test_the_confusion_matrix_has_the_names_of_the_classes_of_the_table() -> None:
    session = drafted(flowers())
    accept(session)
    lab, solution = session.lab, session.outcome.solution
    html = confusion_table.of_key_figures(lab, {"": (solution, None)})
    assert html.count(">+1 (virginica)</th>") == html.count(">true +1 (virginica)</th>") == 1
    assert "Number of points of class −1 (all others) that are predicted as class +1 (virginica)." in html
    assert "virginica" not in confusion_table.of_key_figures(replace(lab, axes=None), {"": (solution, None)})
    long = lab.axes._replace(classes=("<" * 60, "b"))
    html = confusion_table.of_key_figures(replace(lab, axes=long), {"": (solution, None)})
    assert f'title="+1 ({"&lt;" * 60})"' in html
    several = drafted(flowers(), task=CLASSES)
    accept(several)
    solved = several.cache.task_outcome(several.lab).solution
    assert ">true 3 (virginica)</th>" in confusion_table.of_classes(several.lab, solved)


def test_two_values_of_the_label_are_classes_and_rows_of_other_values_are_left_out() -> None:
    draft = chosen(drafted(flowers()), classes=("setosa", "versicolor"))
    prepared = prepare(draft)
    assert prepared.counts == (50, 50)
    assert "another label: 50." in prepared.remarks[0]
    assert "50 of class +1 (setosa), 50 of class −1 (versicolor)" in summary(draft, prepared)
    assert preview(prepared).count("<i ") == 100


def test_a_table_of_points_without_names_is_shown_before_it_replaces_the_board() -> None:
    session = drafted("1.5,2,1\n-1,0.5,-1\n0,0,-1\n")
    assert session.draft is not None
    assert session.lab.points == initial_history().present.points
    assert "The first row has no names, so the columns are numbered." in table.reading(session.draft)
    assert [(p.x, p.y, p.label) for p in prepare(session.draft).points] == [
        (1500, 2000, 1),
        (-1000, 500, -1),
        (0, 0, -1),
    ]


def test_a_thousand_rows_become_300_by_a_seed() -> None:
    session = drafted(HEIGHTS)
    first, again = prepare(session.draft), prepare(session.draft)
    other = prepare(chosen(session, seed=7))
    assert first.points == again.points != other.points
    assert len(first.points) == len(other.points) == MAX_POINTS
    assert first.axes == other.axes
    assert "300 of 1000 rows are drawn at random, with seed 7. Each class keeps its share of the rows." in other.remarks


def test_stretched_columns_fill_the_board_and_kept_values_stay() -> None:
    text = "a,b,c,k\n" + "".join(f"{i / 2},{i / 10},{i * i},{'xy'[i % 2]}\n" for i in range(-30, 31))
    session = drafted(text)
    reach = [max(abs(p[at]) for p in prepare(chosen(session, scaling=STRETCH)).points) for at in (1, 2)]
    assert reach == pytest.approx([7000, 7000], abs=2)
    draft = chosen(session, scaling=KEEP)
    assert (table.unit_that_keeps(draft), prepare(draft).axes.formulas) == (10.0, ("x₁ = a/10", "x₂ = b/10"))


def test_rows_outside_the_board_are_left_out_and_said_with_the_way_to_keep_them() -> None:
    text = "a,b,c,k\n" + "".join(f"{i % 5},{i % 7},{i},{'xy'[i % 2]}\n" for i in range(200)) + "1000,0,1,x\n"
    draft = drafted(text).draft
    prepared = prepare(draft)
    assert len(prepared.points) == 200
    assert "outside the board, from −8 to 8: 1. Stretch the columns to keep them." in prepared.remarks[0]
    assert len(prepare(replace(draft, choice=replace(draft.choice, scaling=STRETCH))).points) == 201


def test_another_label_column_offers_its_own_values() -> None:
    draft = drafted("a,b,c,kind,sex\n1,2,3,u,m\n2,3,4,v,f\n3,5,5,w,f\n").draft
    assert (draft.table.columns[draft.choice.label].name, draft.choice.classes) == ("sex", ("m", "f"))
    other = table.with_label(draft, draft.table.position("kind"))
    assert other.choice.classes == ("w", None)
    assert prepare(other).counts == (1, 2)


@pytest.mark.parametrize(
    ("choice", "fragments"),
    [
        ({"x2": 0}, ["x₁ and x₂", "'a'", "two different columns"]),
        ({"label": 2, "classes": ("3", "4")}, ["x₂ and the label", "'c'", "another column"]),
        ({"classes": ("u", "u")}, ["'u'", "different value for each class"]),
        ({"classes": ("w", "v")}, ["'a'", "'c'", "Choose other columns"]),
    ],
)
def test_a_choice_that_makes_no_points_is_refused_and_kept(choice: dict, fragments: list[str]) -> None:
    session = drafted("a,b,c,k\n1,2,3,u\n2,3,4,u\n1,2,,v\n2,3,,w\n3,3,8,u\n")
    draft, before = chosen(session, **choice), session.lab
    with pytest.raises(BadInput) as caught:
        accept(session)
    assert [f for f in fragments if f not in str(caught.value)] == []
    assert (session.draft, session.lab) == (draft, before)


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        (
            "name,town,kind,x\nAnna,Ulm,a,1\nBen,Bonn,b,2\nCleo,Kiel,b,4\n",
            ["two columns of numbers", "only 1", "Row 2", "'name'", "'Anna'"],
        ),
        (
            "a,b,c,d\n" + "".join(f"{i},{i / 2},{-i},{i + 0.5}\n" for i in range(30)),
            ["No column can be the label", "20"],
        ),
        ("a,b,c,k\n1,2,3,x\n1,2,3,x,5\n", ["Row 3", "5 cells", "quotation marks"]),
        ("a b c\n1 2 3\n", ["Row 1", "only one cell", "'a b c'", "semicolons or tabs"]),
    ],
)
def test_a_table_without_enough_columns_is_refused_by_name_and_the_board_stays(text: str, fragments: list[str]) -> None:
    session = Session(initial_history())
    open_file(session, "own.csv", text)
    assert session.draft is None
    assert session.lab == initial_history().present
    assert session.history.note.startswith("own.csv")
    assert [f for f in fragments if f not in session.history.note] == []


def test_a_table_in_the_code_page_of_a_spreadsheet_is_read() -> None:
    session = Session(initial_history())
    text = "Größe;Länge;Höhe;Gruppe\n1,5;2;3;süß\n2,5;3;4;groß\n"
    for content in (text.encode("cp1252"), text.encode("utf-16"), text.encode("utf-8-sig")):
        open_file(session, "own.csv", content)
        assert [c.name for c in session.draft.table.columns] == ["Größe", "Länge", "Höhe", "Gruppe"]
        assert session.draft.choice.classes == ("süß", "groß")


def test_a_board_of_several_classes_takes_up_to_four_values_and_a_regression_takes_two_columns() -> None:
    several = drafted(flowers(), CLASSES)
    assert several.draft.choice.classes == SPECIES
    assert prepare(several.draft).counts == (50, 50, 50, 0)
    values = drafted("t,height,y,w\n" + "".join(f"{i},{i + 0.5},{i * i},9\n" for i in range(20)), VALUES)
    prepared = prepare(values.draft)
    assert (prepared.axes.x1.name, prepared.axes.x2.name, prepared.axes.classes) == ("t", "y", ())
    assert {p.label for p in prepared.points} == {1}
    accept(values)
    assert values.lab.task == VALUES


def test_a_draft_is_left_with_its_page_and_not_shown_on_another_board() -> None:
    session = drafted(flowers())
    session.open_page("guide")
    assert session.draft is None


def test_a_link_and_a_saved_picture_carry_what_the_axes_mean_and_a_preset_forgets_it() -> None:
    session = drafted(flowers())
    accept(session)
    again = share.decode(share.encode(session.lab))
    assert again.axes == session.lab.axes
    data = board_data(session)
    assert data["axes"] == ["sepal length", "sepal width"]
    assert data["caption"]["lines"][-1][2:] == ["class +1: virginica", "class −1: all others"]
    for op in ({"op": "clear"}, {"op": "preset", "values": {"preset": "moons"}}):
        inbox.do(session, op)
        assert session.lab.axes is None
        inbox.do(session, {"op": "undo"})
        assert session.lab.axes == again.axes


@pytest.mark.parametrize(
    "value",
    [None, [], [["a", 0, 1]], [["a", 0, 0], ["b", 0, 1], []], [["a", 0, 1], ["b", float("inf"), 1], []],
     [["a\n", 0, 1], ["b", 0, 1], []], [["a" * 61, 0, 1], ["b", 0, 1], []], [["a", 0, 1], ["b", 0, 1], ["c"] * 5],
     [["a", 0, 1], ["b", 0, 1], [3]], [[3, 0, 1], ["b", 0, 1], []], [["a", "0", 1], ["b", 0, 1], []]],
)  # fmt: skip
def test_axes_in_a_link_that_do_not_fit_are_refused(value: object) -> None:
    with pytest.raises(BadInput, match="columns"):
        from_json(value)


def test_axes_are_written_as_formulas() -> None:
    assert Axis("age", 0.0, 1.0).formula("x₁") == "x₁ = age"
    assert Axis("age", -2.5, 1.0).formula("x₁") == "x₁ = age + 2.5"
    assert Axis("age", 50.0, 0.25).formula("x₂") == "x₂ = (age − 50)/0.25"
    axes = Axes(Axis("a", 0.0, 1.0), Axis("b" * 40, 1.0, 2.0), ("yes", "no"))
    assert from_json(axes.as_json()) == axes
    assert axes.x2.title == "b" * 23 + "…"
    assert axes.class_names((1, -1)) == ["class +1: yes", "class −1: no"]


def test_cells_and_names_are_shown_as_they_are() -> None:
    draft = drafted('<b>a</b>,"b & c",d,k\n1,2,3,<i>x\n4,5,6,y\n').draft
    shown = head_table(draft) + summary(draft, prepare(draft))
    assert "<b>" not in shown
    assert "<i>" not in shown
    assert "&lt;b&gt;a&lt;/b&gt; (x₁)" in shown


def test_a_thousand_malformed_tables_each_give_a_draft_a_board_or_a_message() -> None:
    rng, drafts = random.Random(2), 0
    good = "id;name;a;b;k\n" + "".join(f"{i};N{i};{i % 7},5;{i % 3};{'xyz'[i % 3]}\n" for i in range(12))
    for n in range(1000):
        letters = list(good)
        for _ in range(rng.randint(1, 8)):
            at = rng.randrange(len(letters))
            letters[at : at + rng.randint(0, 3)] = rng.choice([";", '"', "\n", ",", "nan", "1e999", "\t", "", "é", "−"])
        session = Session(initial_history())
        open_file(session, f"{n}.csv", "".join(letters))
        assert session.draft is not None or session.history.note
        if session.draft is not None:
            drafts += 1
            try:
                points = prepare(session.draft).points
            except BadInput:
                continue
            assert len(points) <= MAX_POINTS
            assert all(max(abs(p.x), abs(p.y)) <= EDGE for p in points)
    assert drafts > 300


@pytest.fixture(scope="module")
def app() -> AppTest:
    return start()


def opened(at: AppTest, text: str) -> AppTest:
    open_file(at.session_state["lab"], "own.csv", text)
    return sound(at.run())


def test_the_dialog_chooses_columns_and_confirms(app: AppTest) -> None:
    before = lab(app)
    opened(app, flowers())
    sound(app.selectbox(key="table_x1").select(2).run())
    sound(app.selectbox(key="table_class1").select("setosa").run())
    assert app.session_state["lab"].draft.choice.classes[1] == "setosa"
    sound(app.selectbox(key="table_class1").select("").run())
    sound(app.selectbox(key="table_class0").select("setosa").run())
    sound(app.radio(key="table_scaling").set_value(KEEP).run())
    assert app.session_state["lab"].draft.choice == table.Choice(2, 1, 4, ("setosa", None), KEEP)
    assert lab(app) == before
    sound(app.button(key="table_use").click().run())
    assert lab(app).axes.formulas == ("x₁ = petal length", "x₂ = sepal width")
    assert [p.label for p in lab(app).points].count(1) == 50
    assert not app.main.get("dialog")
    inbox.do(app.session_state["lab"], {"op": "undo"})
    assert lab(app).points == before.points


def test_the_dialog_shows_why_a_choice_does_not_fit_and_cancel_leaves_everything(app: AppTest) -> None:
    before = lab(app)
    opened(app, HEIGHTS)
    sound(app.text_input(key="table_seed").set_value("12").run())
    assert app.session_state["lab"].draft.choice.seed == 12
    sound(app.text_input(key="table_seed").set_value("many").run())
    assert app.session_state["lab"].draft.choice.seed == 12
    assert app.text_input(key="table_seed").value == "many"
    sound(app.selectbox(key="table_x2").select(1).run())
    assert "'height'" in app.warning[0].value
    assert app.button(key="table_use").disabled
    sound(app.button(key="table_cancel").click().run())
    assert app.session_state["lab"].draft is None
    assert lab(app) == before
