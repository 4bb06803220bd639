"""Controls, figures, messages and files beside the board, and whether what they say is true."""

import base64
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from svmlab import Category, Dataset, Gaussian, Linear, Polynomial, Problem, Sigmoid, separate, solve
from svmlab.data import DATASETS
from svmlab.kernels.standard import KERNELS
from svmlab.lab.bench import panel
from svmlab.lab.board import board_message as boards
from svmlab.lab.board.rules import words_for_script as spoken
from svmlab.lab.numbers import short
from svmlab.lab.session import share
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.state import initial_history
from tests.browser.agreed import check_against_mathematics, check_legend, dataset


def link(points, **settings):
    """The address of a board with [x, y, label] rows."""
    rows = tuple(Point(i, round(1000 * x), round(1000 * y), y_) for i, (x, y, y_) in enumerate(points, start=1))
    return "/lab?s=" + share.encode(Lab(points=rows, **settings))


def test_the_figures_are_those_that_svmlab_computes_from_the_points_on_the_page(board):
    board.open()
    check_against_mathematics(board, Linear())
    board.click(-3, 3)
    check_against_mathematics(board, Linear())
    board.type("exact", "0.02")
    check_against_mathematics(board, Linear(), C=0.02)
    board.switch("bias")
    check_against_mathematics(board, Linear(), C=0.02, bias=False)


@pytest.mark.parametrize(
    ("name", "kernel"),
    [("polynomial", Polynomial(3, 1.0, 0.5)), ("Gaussian", Gaussian(1.0))],
    ids=["polynomial", "gaussian"],
)
def test_the_figures_of_another_kernel_are_those_that_svmlab_computes(board, name, kernel):
    board.open()
    board.choose("kernel", name)
    check_against_mathematics(board, kernel)
    assert "in feature space" in board.page.locator("[data-figure=margin]").inner_text()


def test_the_formula_of_every_kernel_is_typeset(board):
    board.open()
    first, *others = KERNELS.values()
    for kernel in (*others, first):
        board.choose("kernel", kernel().title)
        board.page.locator("annotation", has_text=f"k(x,x')={kernel().formula}").first.wait_for(state="attached")
        assert board.page.locator(".katex-error").count() == 0, kernel


def disabled(board, key):
    return board.widget(key).locator("input").is_disabled()


def there(board, key):
    """Whether the page has the field of a parameter."""
    return board.page.locator(f".st-key-{key} input").count() > 0


def test_a_kernel_has_the_fields_of_its_parameters_and_nothing_moves_when_it_changes(board):
    board.open()
    parameters = ("sigma", "degree", "coef0", "scale", "recipe")

    def below():
        return round(board.widget("hard").bounding_box()["y"])

    assert not any(there(board, key) for key in parameters)
    before = below()
    for kernel, own in (("polynomial", {"degree", "coef0", "scale"}), ("Gaussian", {"sigma"}), ("linear", set())):
        board.choose("kernel", kernel)
        assert {key for key in parameters if there(board, key)} == own
        assert below() == before or board.page.viewport_size["width"] <= 640


def test_the_lambda_face_shows_the_same_svm_with_its_lambda(board):
    board.open()
    before = (board.figures["margin"], board.lines)
    other = board.page.locator(".sv-formula span").last
    assert other.inner_text().endswith(f"= {short(1 / 60)}")
    with board.answered():
        board.widget("face").get_by_role("radio", name="λ").click()
    assert float(board.widget("exact").locator("input").input_value()) == pytest.approx(1 / 60, rel=1e-4)
    assert other.inner_text() == "C = 1/(λ m) = 1"
    assert (board.figures["margin"], board.lines) == before
    board.click(-3, 3)
    assert other.inner_text().endswith(f"= {short(60 / 61)}"), "lambda stays, C follows the number of points"


def test_the_slider_of_c_moves_the_margin(board):
    board.open()
    wide = float(board.exact["margin"])
    with board.answered():
        board.root.locator(".sliders input").first.fill("0.1")
    assert float(board.widget("exact").locator("input").input_value()) == 1.259
    check_against_mathematics(board, Linear(), C=1.259)
    assert float(board.exact["margin"]) < wide


def test_a_hard_margin_that_does_not_exist_shows_a_witness_and_quiet_figures_and_goes_again(board):
    board.open()
    before = (board.figures, board.lines)
    board.switch("hard")
    said = board.message.inner_text()
    assert boards.WITNESS_AT in said
    assert board.figures == {}
    assert panel.NO_FIGURES in board.page.locator(".sv-figures").inner_text()
    assert not any(board.lines.values())
    assert board.root.locator(".witness.over circle").count() >= 3
    assert board.root.locator(".witness.over path.at").count() == 1
    assert disabled(board, "exact")
    drawn = board.root.evaluate("root => root.board.data.witness")
    dots = [board.dots[i] for i in drawn["ids"]]
    proof = Dataset([(d.x, d.y) for d in dots], [d.label for d in dots])
    assert not separate(proof, Linear(), True).separable, "the marked points alone cannot be separated"
    board.switch("hard")
    assert (board.figures, board.lines) == before
    assert board.message.count() == 0
    assert board.root.locator(".witness.over circle").count() == 0


def test_a_hard_margin_that_exists_is_the_widest(board):
    board.open()
    board.choose("preset", DATASETS["separable"].title)
    board.switch("hard")
    check_against_mathematics(board, Linear(), C=math.inf)
    assert board.figures["errors"] == "0"
    assert board.legend["violating"] == 0


def test_choosing_a_group_of_the_legend_dims_the_others(board):
    board.open()
    check_legend(board)
    dimmed = board.root.locator("g.pt.dim")
    assert dimmed.count() == 0
    for group, count in board.legend.items():
        entry = board.root.locator(f".legend [data-group={group}]")
        entry.click()
        board.page.mouse.move(1, 1)
        assert entry.get_attribute("aria-pressed") == "true"
        assert dimmed.count() == 60 - count, group
    entry.click()
    board.page.mouse.move(1, 1)
    board.until(lambda: dimmed.count() == 0, "the points to shine again")


def test_the_details_of_the_legend_count_every_category(board):
    board.open()
    board.button("more").click()
    entries = board.root.locator(".legend [data-cat]")
    counts = dict(
        entries.evaluate_all("all => all.map(b => [b.dataset.cat, Number(b.querySelector('.n').textContent)])")
    )
    cats = [d.cat for d in board.dots.values()]
    assert counts == {c.value: cats.count(c.value) for c in Category}
    board.button("more").click()


def test_the_number_of_errors_opens_the_confusion_matrix_by_click_and_by_key(board):
    board.open()
    matrix, show = board.page.locator("#confusion"), board.page.locator("[data-confusion=show]")
    assert not matrix.is_visible()
    tabs = board.page.locator(".st-key-tab")
    before = tabs.bounding_box()
    show.click()
    assert matrix.is_visible()
    assert tabs.bounding_box() == before, "the row of tabs stays where it is"
    assert matrix.bounding_box()["y"] + matrix.bounding_box()["height"] < before["y"]
    assert "balanced accuracy" in matrix.inner_text()
    hide = board.page.locator("[data-confusion=hide]")
    assert hide.evaluate("e => e === document.activeElement"), "the focus stays on the button"
    board.page.keyboard.press("Enter")
    assert not matrix.is_visible()
    board.page.keyboard.press("Enter")
    board.until(matrix.is_visible, "the matrix by the keyboard")
    assert board.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing scrolls sideways"
    before = matrix.inner_text()
    board.choose("preset", DATASETS["moons"].title)
    board.until(lambda: matrix.inner_text() != before, "the matrix of the other points")
    assert matrix.is_visible(), "it stays open while its numbers change"


def marks_under(board, box):
    """The ids of the points whose centre is within an element."""
    within = """([root, box]) => [...root.querySelectorAll(".points .pt")].filter((node) => {
        const { x, y, width, height } = node.querySelector(".body").getBoundingClientRect(), r = box;
        const [u, v] = [x + width / 2, y + height / 2];
        return u > r.x && u < r.x + r.width && v > r.y && v < r.y + r.height;
    }).map((node) => Number(node.dataset.id))"""
    return board.page.evaluate(within, [board.root.element_handle(), box])


@pytest.mark.parametrize("y", [-3.6, 3.6])
def test_a_message_does_not_cover_the_points_that_it_is_about(board, y):
    """Only one class has points: the message is about them, and they lie at one edge of the board."""
    board.open(link([(x, y, 1) for x in (-3, -1, 1, 3)], view=4))
    assert board.message.count() == 1
    assert marks_under(board, board.message.bounding_box()) == []


def test_a_message_on_a_board_full_of_support_vectors_covers_no_control(board):
    lab = replace(with_preset(replace(Lab(), preset="xor", size=60)), kernel="sigmoid")
    board.open(f"/lab?s={share.encode(lab)}")
    note, plane = board.message.bounding_box(), board.plane.bounding_box()
    assert note["y"] >= plane["y"]
    assert note["y"] + note["height"] <= plane["y"] + plane["height"]


def test_the_board_has_its_size_again_after_a_second_one_is_closed(new_board):
    board = new_board().open()
    before = board.plane.bounding_box()
    for _ in range(2):
        with board.answered():
            board.page.get_by_text("Second board", exact=True).first.click()
        board.settle(frames=12)
    board.until(lambda: board.plane.bounding_box() == before, "the size that it had")


def test_a_film_of_the_slider_is_a_video_with_a_length(board, tmp_path):
    board.open()
    board.button("save").click()
    with board.page.expect_download(timeout=60000) as saved:
        board.root.locator("[data-act=filmWebm]").click()
    assert saved.value.suggested_filename == "svmlab-linear-C-1.webm"
    data = base64.b64encode(Path(saved.value.path()).read_bytes()).decode()
    length, width, height = board.page.evaluate(
        """data => new Promise((done, failed) => {
            const video = Object.assign(document.createElement("video"), { src: `data:video/webm;base64,${data}` });
            video.onloadedmetadata = () => done([video.duration, video.videoWidth, video.videoHeight]);
            video.onerror = () => failed(video.error.message);
        })""",
        data,
    )
    assert 4.5 < length < 30, "a sweep of five seconds"
    assert width % 2 == height % 2 == 0
    assert width > 300
    assert spoken()["filmSaved"] in board.message.inner_text()


def test_a_film_can_be_cancelled_and_nothing_is_saved(board):
    board.open()
    downloads = []
    board.page.on("download", lambda download: downloads.append(download))
    board.button("save").click()
    board.root.locator("[data-act=filmWebm]").click()
    board.until(lambda: board.message.count() and "Recording" in board.message.inner_text(), "the progress")
    board.root.locator(".message button").click()
    board.until(lambda: board.root.evaluate("root => root.board.recording === null"), "the end of the recording")
    board.until(lambda: board.message.count() == 0, "the board without the message, which goes with the next frame")
    assert downloads == []


def test_the_picture_is_copied_or_the_page_says_that_the_browser_refuses(board):
    board.open()
    board.page.evaluate(
        "() => void (navigator.clipboard.write = async ([item]) => (window.png = await item.getType('image/png')))"
    )
    board.button("save").click()
    board.root.locator("[data-act=copyPng]").click()
    board.until(lambda: board.message.count() and spoken()["copied"] in board.message.inner_text(), "the copy")
    assert board.page.evaluate("[window.png.type, window.png.size > 5000]") == ["image/png", True]
    board.page.evaluate("() => void (navigator.clipboard.write = () => Promise.reject(new Error('no')))")
    board.button("save").click()
    board.root.locator("[data-act=copyPng]").click()
    board.until(lambda: spoken()["copyRefused"] in board.message.inner_text(), "the refusal")


# ---------------------------------------------------------------- boards that need words


@pytest.mark.parametrize(("here", "missing"), [(1, "−1"), (-1, "+1")])
def test_one_class_only_names_the_missing_class(board, here, missing):
    board.open(link([(0, 0, here), (1, 1, here)]))
    assert f"Add points of class {missing}" in board.message.inner_text()
    assert board.legend == {}, "there is nothing to classify"
    name = "class +1" if here > 0 else "class −1"
    assert board.root.locator(".legend .item.plain").all_inner_texts() == [f"{name}\n2"]


def test_two_points_and_a_small_c_leave_b_free_and_the_page_says_so(board):
    board.open(link([(1, 0, 1), (-1, 0, -1)], value=0.1))
    solution = solve(Problem(dataset(board), Linear(), 0.1))
    lo, hi = map(short, solution.b_interval)
    assert f"Every b from {lo} to {hi} is optimal" in board.message.inner_text()


def test_four_corners_have_many_alpha_and_the_page_says_so(board):
    board.open()
    board.choose("preset", DATASETS["four_corners"].title)
    assert boards.ALPHA in board.message.inner_text()
    assert len(board.dots) == 4


def test_the_sigmoid_kernel_names_its_negative_eigenvalue(board):
    board.open()
    board.choose("kernel", "sigmoid")
    said = board.message.inner_text()
    assert "eigenvalue" in said
    eigenvalue = float(re.search(r"[-−]\d[\d.]*(e-?\d+)?", said).group().replace("−", "-"))
    data = dataset(board)
    centre = np.eye(60) - 1 / 60  # with a bias only directions with sum zero count
    smallest = np.linalg.eigvalsh(centre @ Sigmoid(0.5, 1.0)(data.X, data.X) @ centre).min()
    assert eigenvalue == pytest.approx(float(smallest), rel=1e-2)
    solved = solve(Problem(data, Sigmoid(0.5, 1.0), 1.0))
    assert solved.clipped_eigenvalue == pytest.approx(float(smallest), rel=1e-9)
    assert float(board.exact["margin"]) == pytest.approx(1 / solved.norm_w, rel=1e-9)
    assert "changed problem" in said


def test_a_full_board_of_300_points_says_so_and_takes_no_more(board):
    points = [(-3.8 + 0.4 * (i % 20), -3.6 + 0.5 * (i // 20), 1 if i % 2 else -1) for i in range(300)]
    board.open(link(points))
    assert len(board.dots) == 300
    board.root.locator(".message button").click()  # what is said of the SVM lies over some of the points
    board.click(-3.6, 3.8)
    assert spoken()["full"] in board.message.inner_text()
    assert len(board.dots) == 300
    board.root.locator(".message button").click()
    dot = board.dots[150]
    board.click(dot.x, dot.y)
    board.press("Delete")
    assert len(board.dots) == 299
    board.click(-3.6, 3.8)
    assert len(board.dots) == 300


GOOD = share.encode(initial_history().present)


BROKEN = {
    "truncated": (GOOD[:-6], "a part of it is missing or changed"),
    "garbage": ("garbage", "another version of svmlab made it"),
    "version": ("9" + GOOD[1:], "another version of svmlab made it"),
    "changed": (GOOD[:20] + ("A" if GOOD[20] != "A" else "B") + GOOD[21:], "a part of it is missing or changed"),
    "characters": ("1" + "*" * 30, "it contains characters that do not belong there"),
    "nothing": ("1", "a part of it is missing or changed"),
}


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        pytest.param(*each, id=name, marks=() if name in ("changed", "nothing") else pytest.mark.sweep)
        for name, each in BROKEN.items()
    ],
)
def test_a_broken_link_opens_an_empty_board_with_a_message(board, broken, said):
    board.open("/lab?s=" + broken)
    assert board.dots == {}
    assert "This link is damaged" in board.message.inner_text()
    assert said in board.message.inner_text()
    assert board.empty.is_visible()
    board.click(1, 1)
    assert len(board.dots) == 1
    assert len(share.decode(board.link).points) == 1


def test_scrubbing_c_changes_the_categories_before_one_lets_go_and_is_one_step_of_undo(board):
    board.open()
    before, support = board.lines, board.figures["support"]
    track = board.root.locator(".sliders input").first
    box = track.bounding_box()
    middle = box["y"] + box["height"] / 2
    board.page.mouse.move(box["x"] + box["width"] / 2, middle)
    board.page.mouse.down()
    for part in (0.45, 0.4, 0.3, 0.2):
        board.page.mouse.move(box["x"] + part * box["width"], middle)
        board.page.wait_for_timeout(80)
    board.settle()
    assert board.figures["support"] != support, "the picture follows while the slider is held"
    assert float(board.widget("exact").locator("input").input_value()) == 1, "the controls follow at the end"
    board.page.mouse.up()
    board.settle()
    C = float(board.widget("exact").locator("input").input_value())
    assert C < 0.1
    check_against_mathematics(board, Linear(), C=C)
    board.page.keyboard.press("Control+z")
    board.settle()
    assert (board.lines, board.figures["support"]) == (before, support)
    assert float(board.widget("exact").locator("input").input_value()) == 1


def test_sigma_is_scrubbed_where_the_kernel_has_it(board):
    board.open()
    assert board.root.locator(".sliders input").count() == 1
    board.choose("kernel", "Gaussian")
    with board.answered():
        board.root.locator(".sliders input").nth(1).fill("-0.3")
    sigma = float(board.widget("sigma").locator("input").input_value())
    assert sigma == pytest.approx(10**-0.3, rel=1e-3)
    check_against_mathematics(board, Gaussian(sigma), C=1.0)


BOTH = """root => [...root.querySelectorAll(".view")].map(view => ({
  dots: Object.fromEntries([...view.querySelectorAll("g.pt")].map(g => [g.dataset.id, g.getAttribute("transform")])),
  zero: view.querySelector(".lines .zero").getAttribute("d"), size: view.querySelector("svg.plane").clientWidth,
  name: view.querySelector("svg.plane").getAttribute("aria-label") }))"""


def test_a_second_board_is_dragged_together_with_the_first_undone_and_kept_over_a_reload(new_board):
    board = new_board().open()
    with board.answered():
        board.page.get_by_text("Second board", exact=True).click()
    board.choose("kernel", "Gaussian")
    a, b = before = board.root.evaluate(BOTH)
    assert (a["name"][:9], b["name"][:11], a["size"]) == ("A: Linear", "B: Gaussian", b["size"])
    assert a["dots"] == b["dots"]
    assert a["zero"] != b["zero"]

    second = board.root.locator("svg.plane").nth(1)
    id_ = board.plane.first.locator("g.pt[data-cat=wrong]").first.get_attribute("data-id")
    box = second.locator(f'g.pt[data-id="{id_}"] .body').bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    board.page.mouse.move(x, y)
    board.page.mouse.down()
    board.page.mouse.move(x + 40, y - 30, steps=5)
    both = board.root.evaluate(BOTH)
    assert both[0]["dots"] == both[1]["dots"] != a["dots"], "in the same picture"
    board.until(
        lambda: all(new["zero"] != old["zero"] for new, old in zip(board.root.evaluate(BOTH), before, strict=True)),
        "both boundaries to follow before the button is released",
    )
    board.drop()
    moved = board.root.evaluate(BOTH)
    board.act("undo")
    assert board.root.evaluate(BOTH) == before

    second.focus()
    board.press("2")
    assert board.data("label") == "-1", "keys work on either"
    board.page.get_by_role("button", name="A Linear").click()
    board.settle(frames=12)
    assert "linear" in board.widget("kernel").inner_html()
    kept = board.root.evaluate(BOTH)
    board.page.reload()
    board.loaded()
    assert [each["zero"] for each in board.root.evaluate(BOTH)] == [each["zero"] for each in kept]
    assert moved[0]["zero"] != kept[0]["zero"]
    with board.answered():
        board.widget("keep_b").get_by_role("button").click()
    assert board.lines["zero"] != kept[1]["zero"], "one board again, as large as it was"
    assert board.root.locator("svg.plane").count() == 1
    assert board.page.locator(".sv-figures").is_visible()
