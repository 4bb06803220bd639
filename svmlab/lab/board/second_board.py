"""What a second board adds: the same points under another machine, with its own picture, sliders and name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from svmlab import Solution
from svmlab.generalisation import HeldOut
from svmlab.lab.board.caption import caption, priced
from svmlab.lab.board.held_out_points import overlay
from svmlab.lab.board.payload import Data, announcements, picture, sliders
from svmlab.lab.numbers import setting, short
from svmlab.lab.session import compare
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.state import History, Lab
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.words import N_, _
from svmlab.plane.contours import Scene

Solve = Callable[[Lab], Outcome]
Draw = Callable[[Solution, float], Scene]
Hold = Callable[[Lab, Solution | None], HeldOut | None]
CHOOSE = N_("{board}: the controls change this machine")
OF = N_("{board}: {what}")


def pair(history: History, solve: Solve, draw: Draw, hold: Hold) -> Data:
    """What the data of one board need besides; nothing without a second machine."""
    lab = history.present
    if lab.second_lab is None:
        return {}
    own = [slider | _of(compare.A, slider) for slider in sliders(lab)]
    others = [
        slider | _of(compare.B, slider) | {"key": compare.OF_B + slider["key"]} for slider in sliders(lab.second_lab)
    ]
    data = second_picture(history, solve, draw, hold)
    first, second = (_solution(solve, each) for each in (lab, lab.second_lab))
    return data | {
        "sliders": own,
        "caption": caption(lab, first, compare.A).as_json,
        "heard": _heard(compare.A, lab, first) | _heard(compare.B, lab.second_lab, second),
        "second": data["second"] | {"sliders": others, "caption": caption(lab.second_lab, second, compare.B).as_json},
    }


def second_picture(history: History, solve: Solve, draw: Draw, hold: Hold) -> Data:
    """The second picture and the names of both: of `pair` what follows from points and sliders that move."""
    lab, other = history.present, history.present.second_lab
    if other is None:
        return {}
    unsaid = replace(history, present=other, note=None)  # what was done last is said on the first board
    try:
        outcome = solve(other) if other.points else None
        solution = outcome.solution if outcome else None
        second = picture(unsaid, outcome, draw(solution, other.view) if solution else None)
        second |= overlay(other, hold(other, solution))
    except Exception as error:  # the points stay
        second = picture(unsaid, Outcome(None, to_svm_error(error)), None)
    return {"second": second, "names": [_name(compare.A, lab), _name(compare.B, other)]}


def _solution(solve: Solve, lab: Lab) -> Solution | None:
    """None where there is none: its board says why."""
    try:
        return solve(lab).solution if lab.points else None
    except Exception:
        return None


def machine_name(lab: Lab) -> str:
    """A machine in a few words: Gaussian, σ = 1, C = 100."""
    said = [_(lab.kernel_function.title)]
    said += [f"{_(p.symbol)} = {setting(getattr(lab, p.name))}" for p in lab.kernel_function.parameters]
    said.append(_("hard margin") if lab.hard else f"{'C' if lab.face == 'C' else 'λ'} = {short(lab.value)}")
    said += priced(lab)
    said += [] if lab.bias else [_("no bias")]
    words = ", ".join(said)
    return words[:1].upper() + words[1:]


def _name(board: str, lab: Lab) -> Data:
    return {"board": board, "text": machine_name(lab), "title": _(CHOOSE).format(board=board)}


def _heard(board: str, lab: Lab, solution: Solution | None) -> dict[str, str]:
    """The points, which both have, and what else is heard of this one, by its name."""
    told = announcements(lab, solution)
    points = {"points": told.pop("points")}
    return points | {f"{name} {board}": _(OF).format(board=board, what=what) for name, what in told.items()}


def _of(board: str, slider: Data) -> Data:
    return {"title": _(OF).format(board=board, what=slider["title"])}
