"""Record what links open: `python -m tests.corpus.record_links`.

A recorded entry is never written again. If a link opens something else than its entry says, the app is wrong. Run this
after something was added that links can say, such as a step, a choice or a control. It walks through the app as
visitors do, takes the addresses that the address bar then holds, and adds those that no entry covers. The same app
gives the same entries. `python -m tests.corpus.record_links LINK ...` adds single links instead.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any
from urllib.parse import quote

from svmlab.lab.bench.tabs import errors
from svmlab.lab.session import compare, inbox, share
from svmlab.lab.session.address_names import PICK
from svmlab.lab.session.controls import CONTROLS, LABELS
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.session.link import HIDEABLE as HIDDEN
from svmlab.lab.session.link import SAME
from svmlab.lab.session.state import initial_history
from svmlab.lab.session.svm_settings import A, SvmSettings
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.open_lesson import overlay_of
from svmlab.lab.teach.step import Lesson, Step
from svmlab.practice import GOALS
from tests.corpus.links import FILE, Corpus, corpus
from tests.corpus.opening import Opened, as_entry, board, opened
from tests.frozen_names import dials_of
from tests.lessons import LESSONS

APART = [(-2, 1.5, 1), (-1.25, 2, 1), (-0.5, 2.5, 1), (-1.5, 0.5, 1), (2, -1.5, -1), (1.25, -2, -1), (0.5, -2.75, -1)]
MIXED = [*APART, (0.75, -0.5, 1), (-0.25, 0.125, -1), (-1, 1, -1), (3.1, 0.007, 1)]
OWN = (  # boards that a visitor brings along
    board_of_points(APART, value=10.0)(),
    board_of_points(MIXED, kernel="gaussian", sigma=0.7, value=5.0)(),
    board_of_points(MIXED, face="lambda", value=0.05, cost_plus=2.0, cost_minus=0.5)(),
    board_of_points(APART, kernel="polynomial", degree=4, coef0=0.5, scale=0.25, hard=True)(),
    board_of_points(MIXED, kernel="composed", recipe="linear+2*gaussian(0.5)", bias=False, unseen=True)(),
    board_of_points(APART[:4], value=2.0)(),
)
ELSEWHERE = board_of_points(MIXED[3:], kernel="gaussian", sigma=2.5, value=0.125, bias=False)()  # a fit of other points
RECIPES = ("gaussian(0.25)*linear", "2*linear-gaussian(3)", "p(linear,0,1,0.5)", "exp(0.1*linear)")


def of_lessons(known: Corpus) -> Iterator[str]:
    """Each choice of each step that no entry covers, and the last pages of each lesson."""
    covered = {(entry["page"], entry.get("step"), entry.get("choice")) for entry in known.entries}
    for lesson in LESSONS:
        counter = count()
        for step in lesson.steps:
            for number in range(len(step.choices)):
                turn = next(counter)
                if (lesson.page, step.key, number + 1) not in covered:
                    yield walk(lesson, step, number, turn)
        for key in lesson.last_pages:
            if (lesson.page, key, None) not in covered:
                yield f"/{lesson.page}?step={key}&s={share.encode(OWN[0])}"
        yield from _options(lesson, known)


def walk(lesson: Lesson, step: Step, number: int, turn: int) -> str:
    """The address after a visitor has marked choice `number` of a step, from 0, and has done there what can be done.

    turn: how many visitors there were before. Each takes other options beside the chart.
    The second visitor brings points of his own and pins a fit, the third edits the board that the step lends.
    """
    there = _at(lesson.page, step.key, OWN[turn % len(OWN)] if number == 1 else initial_history().present)
    session, odd = there.session, (turn - number) % 2 == 1
    shown = odd if number == 0 else not odd or (number == 1 and len(step.choices) > 2)
    session.lessons.answers[session.step] = Answer(number, shown)
    for pick in step.picks:
        session.lessons.picks[f"{lesson.page}.{pick.name}"] = pick.options[turn % len(pick.options)]
    if number < 3:
        dials = dials_of(lesson.page, step.key).items()
        inbox.do(session, {"op": "dial", "values": {key: _way_up(number, *ends) for key, ends in dials}})
    stage = opened(there.link).stage
    drawn = overlay_of(step, stage) if stage else {}
    if drawn.get("hand"):
        inbox.do(session, {"op": "hand", "a": [-2.5, 0.125 * number], "b": [1.75, -1.0]})
    if drawn.get("film"):
        inbox.do(session, {"op": "film", "key": drawn["film"]["key"], "at": 3 * number})
    if number == 2:
        edit(session, turn)
    if number:
        inbox.do(session, {"op": "select", "id": session.lab.points[-1].id})
    if number == 1:
        own = session.boards.own.present
        session.boards.pinned = (None, own, replace(own, value=0.25, kernel="gaussian", sigma=0.4), ELSEWHERE)[turn % 4]
    return there.link if number in (1, 2) else _without_boards(there)


def _at(page: str, step: str, own: Lab) -> Opened:
    return opened(f"/{page}?step={step}&s={share.encode(own)}")


def _way_up(number: int, low: float, high: float, step: float) -> float:
    """Where a visitor leaves a slider: a whole number of its steps up from its low end, the next one farther up."""
    return round(low + step * round((high - low) * (7 + 6 * number) / (20 * step)), 3)


def edit(session: Session, turn: int) -> None:
    """Move the first point, delete the second and add one; then take another class for the next one."""
    lab, labels = session.lab, LABELS[session.lab.task]
    first = lab.points[0]
    inbox.do(session, {"op": "move", "id": first.id, "x": first.x / 1000 + 0.25, "y": first.y / 1000 - 0.125})
    inbox.do(session, {"op": "delete", "ids": [p.id for p in lab.points[1:2] if len(lab.points) > 2]})
    inbox.do(session, {"op": "add", "id": 900, "x": 0.625, "y": 0.375, "label": labels[-1]})
    inbox.do(session, {"op": "label", "label": labels[(1 + turn // 3) % len(labels)]})


def _without_boards(there: Opened) -> str:
    """The address bar, as it is shared without the points."""
    return "&".join(part for part in there.link.split("&") if part[:2] not in ("s=", "b="))


def _options(lesson: Lesson, known: Corpus) -> Iterator[str]:
    """Each option beside a chart that no entry covers."""
    of_page = [entry for entry in known.entries if entry["page"] == lesson.page]
    covered = {(name, option) for entry in of_page for name, option in entry.get("picks", {}).items()}
    for key, pick in [(step.key, pick) for step in lesson.steps for pick in step.picks]:
        for option in (option for option in pick.options if (pick.name, option) not in covered):
            covered.add((pick.name, option))
            there = opened(f"/{lesson.page}?step={key}&shown=1")
            there.session.lessons.picks[f"{lesson.page}.{pick.name}"] = option
            yield _without_boards(there)


def of_the_lab() -> Iterator[str]:
    """Every control at each option, at its limits and between; then two machines, and pinned fits."""
    for turn, preset in enumerate(CONTROLS["preset"].options):
        sample = {"preset": preset, "size": (12, 4, 300, 31)[turn % 4], "noise": turn / 11, "seed": 90_909 * turn}
        machine = {key: _other(key, turn) for key in ("kernel", "face", "value", "bias", "hard", "unseen")}
        looks = {"op": "view", "half": _other("view", turn)}
        yield _done("/lab", {"op": "preset", "values": sample}, {"op": "set", "values": machine}, looks)
    apart = ("task", "preset", "size", "noise", "seed", "hard", "view", "label", "active")
    for turn in range(10):
        machine = {key: _other(key, turn) for key in CONTROLS if key not in apart}
        looks = {"op": "label", "label": -1}, {"op": "view", "half": 8}, {"op": "select", "id": 1 + turn % 3}
        yield _done(f"/lab?s={share.encode(OWN[turn % 5])}", {"op": "set", "values": machine}, *looks[turn % 2 :])
    for own in OWN[:3]:
        second = compare.with_second(own, SvmSettings(kernel="gaussian", sigma=0.35, value=100.0, cost_plus=3.0))
        of_a = {"op": "active", "on": A}, {"op": "set", "values": {"B.bias": False, "value": 0.5}}
        yield _done(f"/lab?s={share.encode(second)}")
        yield _done(f"/lab?s={share.encode(second)}", *of_a)
    for pin in (None, *OWN):
        there = opened(f"/lab?s={share.encode(OWN[1])}")
        there.session.boards.pinned = pin or replace(there.session.lab, value=0.01)
        inbox.do(there.session, {"op": "select", "id": 4})
        yield there.link
    yield f"/lab?tab=errors&{PICK}{errors.BALANCED}=true&s={share.encode(OWN[1])}"


def _other(key: str, turn: int) -> Any:
    """A value of a control: one option after the other, both ends of a range and something between."""
    control = CONTROLS[key]
    if control.options:
        return control.options[turn % len(control.options)]
    if control.read is not None:
        return RECIPES[turn % len(RECIPES)]
    if control.kind is bool:
        return turn % 2 == 0
    return control.kind((control.low, control.high, 0.75 * control.low + 0.25 * control.high, 2.0)[turn % 4])


def _done(link: str, *ops: dict[str, Any]) -> str:
    """The address after these operations."""
    there = opened(link)
    for op in ops:
        inbox.do(there.session, op)
    return there.link


def of_hiding() -> Iterator[str]:
    """Every name of hide and lock, alone and together, on several pages."""
    own = share.encode(OWN[1])
    yield from (f"/lab?hide={name}&s={own}" for name in HIDDEN)
    for page in ("lab", "margin", "soft", "statements", "guide"):
        yield f"/{page}?hide={','.join(HIDDEN)}&lock=points&s={own}"
    yield f"/lab?lock=points&s={own}"
    yield f"/lab?hide=kernel,price,more&lock=points&s={own}"
    yield f"/lab?hide=more,kernel,kernel&s={own}"
    yield "/soft?step=price&hide=price"
    yield "/kernels?step=similarity&choice=2&shown=1&hide=kernel&lock=points"
    yield f"/?step=drag&hide=pin&lock=points&s={own}"


def of_other_pages() -> Iterator[str]:
    """Pages that are no lesson, the first page with its board edited, and addresses from before there was one."""
    own = share.encode(OWN[0])
    yield from ("/", "/lab", "/home", "/start", "/nowhere", f"/nowhere?s={own}")
    yield from (f"/{page}?s={own}" for page in ("statements", "sources", "glossary", "guide", "home"))
    tasks = (
        "",
        "pick.lesson=soft&pick.kind=goal&",
        "step=margin-width-2-17&",
        "step=three-support-vectors&",
        "step=no-1-1&",
        "step=make&",
        "step=sheet&pick.q1=margin-width-2-17&pick.q2=kkt-box-1-3&pick.q3=no-1-1&",
    )
    yield from (f"/practice?{task}s={own}" for task in tasks)
    yield from (f"/practice?step={step}&goal={GOALS['double-margin'].to_link()}&s={own}" for step in ("own", "own-1"))
    yield f"/practice?step=own&goal=damaged&s={own}"
    series = "pick.task1=margin-width-2-17&pick.task2=class-of-point-1-2&pick.task3=three-support-vectors"
    yield f"/practice?step=mixed&pick.open=2&{series}&s={own}"
    yield from (f"/margin?step=practice&pick.judge=end&pick.open={n}&{series}&s={own}" for n in (1, 3))
    there = opened("/?step=drag")
    there.session.lessons.picks["home.last"] = "margin.scaling"
    yield there.link
    edit(there.session, 0)
    yield there.link
    yield from (f"/?s={own}", f"/?select=2&pin={SAME}&s={own}", "/?hide=kernel", f"/?hide=kernel&lock=points&s={own}")
    yield "/?embed=true"
    yield from (own, f"s={own}", f"select=3&pin={SAME}&s={own}", f"step=scaling&choice=2&s={own}", "1damaged", "")


PARTS = """
step=nowhere step=Scaling! step= step=places&step=scaling step=scaling&choice=0 step=scaling&choice=one
step=scaling&choice=9 step=scaling&choice= step=scaling&shown=yes step=scaling&shown=0 step=scaling&factor=
step=scaling&factor=nan step=scaling&factor=1e13 step=scaling&factor=1e2 step=scaling&c.d=1 step=scaling&colour=blue
step=scaling&pick.=1 step=scaling&pick.margins=nothing step=scaling&pick.margins=[1] step=scaling&pick.colour=blue
step=hand&line=1,2,3 step=hand&line=1,1,1,1 step=hand&line=0,0,0,1001 step=perceptron&film=-1
step=perceptron&film=999999 step=scaling&select=0 step=scaling&select=300 step=scaling&hide=everything
step=scaling&hide=kernel,everything step=scaling&lock=board step=scaling&hide= step=scaling&b=damaged
step=scaling&utm_source=letter&embed=true choice=2&shown=1&step=scaling
"""


def of_mistakes() -> Iterator[str]:
    """Links with parts that cannot be read, or that say what is not there. The rest of each still counts."""
    own, lent = share.encode(OWN[1]), share.encode(ELSEWHERE)
    classes = tuple(Point(i, 100 * i, 50 * i, 1 + i % 3) for i in range(1, 7))
    several = share.encode(replace(OWN[0], task="classes", points=classes))
    long = "a" * 41
    for part in (*PARTS.split(), f"step={long}", f"step=scaling&b={several}", f"step=scaling&b={lent}", f"b={lent}"):
        yield f"/margin?{part}&s={own}"
    yield f"/margin?step=scaling&b={lent}"
    for part in ("value:many", "points:3", "1abc", "value:0.5,sigma:2", "kernel:gaussian,value:1e9", "", "same,same"):
        yield f"/lab?pin={part}&s={own}"
    for link in ("damaged", "", "1", f"3{own[1:]}", own[:-4], own + "AAAA", several, quote("ä&=+")):
        yield f"/lab?s={link}"
    yield f"/extensions?step=rest&choice=1&s={several}"


def record(links: Iterator[str], known: Corpus) -> None:
    """Add the links that are not known yet."""
    recorded = {entry["link"] for entry in known.entries}
    for link in links:
        if link not in recorded:
            recorded.add(link)
            known.add(link, as_entry(opened(link)))


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit's, that no page runs
    known = corpus() if FILE.exists() else Corpus(board(Lab())["settings"], {}, [])
    everything = (of_lessons(known), of_the_lab(), of_hiding(), of_other_pages(), of_mistakes())
    for links in [iter(sys.argv[1:])] if sys.argv[1:] else everything:
        record(links, known)
    known.save()
    print(f"{len(known.entries)} links, {len(known.boards)} boards")
