"""What a second board adds: the same points with another SVM, and its own picture, sliders and name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from svmlab import Solution
from svmlab.generalisation import HeldOut
from svmlab.lab.board.caption import caption, class_costs_text
from svmlab.lab.board.held_out_points import overlay
from svmlab.lab.board.hidden_parts import BIAS, KERNEL, hides_regularisation
from svmlab.lab.board.payload import Data, announcements, picture, sliders
from svmlab.lab.numbers import setting, short
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.state import History
from svmlab.lab.session.svm_settings import PREFIX_OF_B, A, B
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.words import N_, _
from svmlab.plane.contours import SolutionDrawing

Solve = Callable[[Lab], Outcome]
Draw = Callable[[Solution, float], SolutionDrawing]
ComputeHeldOut = Callable[[Lab, Solution | None], HeldOut | None]
CHOOSE = N_("{board}: the controls change this classifier")
OF_BOARD = N_("{board}: {what}")


def descriptions(history: History, solve: Solve, hidden: Collection[str] = ()) -> Data:
    """Return what stands beside the two pictures, and nothing without a second SVM."""
    lab = history.present
    if lab.second_lab is None:
        return {}
    own = [slider | _of(A, slider) for slider in sliders(lab)]
    others = [slider | _of(B, slider) | {"key": PREFIX_OF_B + slider["key"]} for slider in sliders(lab.second_lab)]
    first, second = (_solution(solve, each) for each in (lab, lab.second_lab))
    return {
        "sliders": own,
        "caption": caption(lab, first, A, hidden=hidden).as_json,
        "heard": _announcements(A, lab, first) | _announcements(B, lab.second_lab, second),
        "second": {"sliders": others, "caption": caption(lab.second_lab, second, B, hidden=hidden).as_json},
    }


def second_picture(
    history: History, solve: Solve, draw: Draw, compute_held_out: ComputeHeldOut, hidden: Collection[str] = ()
) -> Data:
    """Return the second picture and the names of both boards.

    This is what changes when points and sliders move.
    """
    lab, other = history.present, history.present.second_lab
    if other is None:
        return {}
    other_history = replace(
        history, present=other, note=None
    )  # the note about the last operation is on the first board
    try:
        outcome = solve(other) if other.points else None
        solution = outcome.solution if outcome else None
        second = picture(other_history, outcome, draw(solution, other.view) if solution else None, hidden)
        second |= overlay(other, compute_held_out(other, solution))
    except Exception as error:  # the points must remain visible
        second = picture(other_history, Outcome(None, to_svm_error(error)), None)
    return {"second": second, "boardNames": [_name(A, lab, hidden), _name(B, other, hidden)]}


def _solution(solve: Solve, lab: Lab) -> Solution | None:
    """Return the solution, or None. The message of its board explains why there is none."""
    try:
        return solve(lab).solution if lab.points else None
    except Exception:
        return None


def machine_name(lab: Lab, hidden: Collection[str] = ()) -> str:
    """Return the settings of an SVM that are not hidden in a few words: Gaussian, σ = 1, C = 100."""
    parts = []
    if KERNEL not in hidden:
        parts.append(_(lab.kernel_function.title))
        parts += [f"{_(p.symbol)} = {setting(getattr(lab, p.name))}" for p in lab.kernel_function.parameters]
    if not hides_regularisation(hidden):
        parts.append(_("hard margin") if lab.hard else f"{'C' if lab.face == 'C' else 'λ'} = {short(lab.value)}")
        parts += class_costs_text(lab)
    parts += [] if lab.bias or BIAS in hidden else [_("no bias")]
    words = ", ".join(parts)
    return words[:1].upper() + words[1:]


def _name(board: str, lab: Lab, hidden: Collection[str]) -> Data:
    return {"board": board, "text": machine_name(lab, hidden), "title": _(CHOOSE).format(board=board)}


def _announcements(board: str, lab: Lab, solution: Solution | None) -> dict[str, str]:
    """Return the announcements of one board under its name, and the number of points, which both boards share."""
    entries = announcements(lab, solution)
    points = {"points": entries.pop("points")}
    return points | {f"{name} {board}": _(OF_BOARD).format(board=board, what=what) for name, what in entries.items()}


def _of(board: str, slider: Data) -> Data:
    return {"title": _(OF_BOARD).format(board=board, what=slider["title"])}
