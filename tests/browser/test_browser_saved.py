"""What opens is seen; charts and the certificate are saved; a page on paper."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

from svmlab import solve
from svmlab.binary.report import report
from svmlab.lab.board.caption import caption
from svmlab.lab.board.rules import words_for_script as spoken
from svmlab.lab.lessons.soft.price import PRICE
from svmlab.lab.session import share
from svmlab.lab.session.state import initial_history
from svmlab.plot.palette import dark_to_light_colours

PLACES = """() => { const box = q => document.querySelector(q).getBoundingClientRect();
  const opened = box(".st-key-opened"), main = document.querySelector("[data-testid=stMain]");
  return { bar: box(".st-key-tab").top, bottom: opened.bottom, top: opened.top, at: main.scrollTop }; }"""
UNSEEN = """() => ["stHeader", "stPopover", "stButton"].flatMap(id => [...document.querySelectorAll(`[data-testid=${id}]`)])
  .filter(e => e.getClientRects().length).map(e => e.dataset.testid)"""
COLOURS = """q => [...document.querySelectorAll(q)].flatMap(e => { const s = getComputedStyle(e); return [s.fill, s.stroke, s.color]; })"""


def kept(page, press):
    """A file that is saved: its name and what is in it."""
    with page.expect_download() as download:
        press()
    return download.value.suggested_filename, Path(download.value.path()).read_text(encoding="utf-8")


def test_what_is_opened_comes_into_sight_once_and_the_certificate_is_a_file(new_board):
    board = new_board(reduced_motion="reduce").open("/lab")
    page = board.page
    for tab in ("Certificate", "Points"):
        page.get_by_role("radio", name=tab).or_(page.get_by_role("button", name=tab, exact=True)).first.click()
        board.widget("opened").wait_for()
        board.until(lambda: page.evaluate(PLACES)["at"] > 100, f"{tab} to come into sight")
        board.settle(frames=12)
        seen = page.evaluate(PLACES)
        assert seen["bottom"] <= 800 or seen["bar"] < 300, tab
        assert 0.3 * 800 < seen["bar"] < seen["top"] < 600, tab
        if tab == "Certificate":
            name, text = kept(page, page.get_by_role("button", name="Save the certificate").click)
            solution = solve(initial_history().present.problem)
            assert name == "svmlab-certificate-linear-C-1.json"
            read = json.loads(text)
            assert read == json.loads(report(solution, read["address"]))
            assert board.link in read["address"]
            page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
            board.click(-3, -3)
            assert page.evaluate(PLACES)["at"] == 0


# The words of a chart that its button stands over.
COVERED = """button => {
  const b = button.getBoundingClientRect(), words = [...button.closest(".js-plotly-plot").querySelectorAll("svg text")];
  const boxes = words.map((text) => [text.textContent, text.getBoundingClientRect()]);
  const over = boxes.filter(([, t]) => t.right > b.left && t.left < b.right && t.bottom > b.top && t.top < b.bottom);
  return over.map(([word]) => word);
}"""


def test_a_chart_is_saved_by_keys_and_the_step_prints_on_one_page_in_the_colours_of_paper(new_board):
    board = new_board(reduced_motion="reduce", color_scheme="dark")
    board.open(f"/soft?step=price&shown=1&s={share.encode(PRICE.board())}")
    page, dark = board.page, re.compile("|".join(rgb.replace(",", ", ?") for rgb in dark_to_light_colours()))
    button = page.locator(".st-key-price_picture .modebar-btn")
    button.wait_for(state="attached")
    board.until(lambda: button.evaluate(COVERED) == [], "no words below the button")

    def save(kind):
        button.focus()
        page.keyboard.press("Enter")
        return kept(page, page.locator(f".sv-chart-menu [data-kind={kind}]").click)

    said = caption(PRICE.board(), solve(PRICE.board().problem), PRICE.key)
    name, svg = save("svg")
    assert name == f"{said.name}.svg"
    words = [e.text for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("}text") and e.text]
    assert [PRICE.title, " · ".join(said.settings), " · ".join(said.figures)] == words[-3:]
    assert not dark.search(svg)
    name, csv = save("csv")
    assert name == f"{said.name}.csv"
    assert csv.startswith("line,x,y\n‖w‖,0.001,")
    assert page.locator(".sv-chart-menu").count() == 0
    page.evaluate(
        "() => void (navigator.clipboard.write = async ([item]) => (window.png = await item.getType('image/png')))"
    )
    button.focus()
    page.keyboard.press("Enter")
    page.locator(".sv-chart-menu [data-kind=copy]").click()
    board.until(lambda: board.message.count() and spoken()["copied"] in board.message.inner_text(), "the copy")
    assert page.evaluate("[window.png.type, window.png.size > 5000]") == ["image/png", True]
    board.root.locator(".message button").click()

    page.emulate_media(media="print")
    board.until(lambda: board.data("theme") == "light", "the colours of paper")
    assert page.evaluate(UNSEEN) == []
    assert not board.root.locator(".bar.top").is_visible()
    assert page.locator(".sv-address").inner_text() == page.url
    colours = page.evaluate(COLOURS, ".sv-chart-copy *, .st-key-sheet p, .st-key-sheet .sv-values *")
    assert colours
    assert not [colour for colour in colours if dark.search(colour)]
    page.emulate_media(media="screen")
    board.until(lambda: board.data("theme") == "dark", "the colours of the screen")
    assert page.locator(".sv-chart-copy").count() == 0
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
