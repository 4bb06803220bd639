"""Two machines on the same points, A and B: B is the Lab's `second`. Pure: a Lab in, a Lab out, each a step that undo
takes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.machine import NAMES, SvmSettings, setting_values

if TYPE_CHECKING:
    from svmlab.lab.session.state import History, Lab

A, B = CONTROLS["active"].options
OF_B = f"{B}."  # what begins the name of a setting of the second machine, where A's have none


def with_second(lab: Lab, machine: SvmSettings) -> Lab:
    """With a second board of this machine, which the controls change from now on."""
    return replace(lab, second=SvmSettings(**setting_values(machine)), active=B)


def swapped(lab: Lab) -> Lab:
    """A and B change their machines."""
    return (
        lab
        if lab.second is None
        else replace(lab, second=SvmSettings(**setting_values(lab)), **setting_values(lab.second))
    )


def keep_only(lab: Lab, board: str) -> Lab:
    """One board again, with the machine of this one."""
    return replace(lab if board == A else swapped(lab), second=None, active=A)


def both_alike(lab: Lab) -> Lab:
    """The other machine is set as the one that the controls change."""
    return (
        lab
        if lab.second is None
        else replace(lab, second=SvmSettings(**setting_values(lab.active_lab)), **setting_values(lab.active_lab))
    )


def set_active(lab: Lab, machine: SvmSettings) -> Lab:
    """The machine that the controls change is this one."""
    if lab.active_lab is lab:
        return replace(lab, **setting_values(machine))
    return replace(lab, second=SvmSettings(**setting_values(machine)))


def history_of_active(history: History) -> History:
    """The last step as it looks on the board whose machine the controls change."""
    active = history.present.active
    past = tuple(replace(lab, active=active).active_lab for lab in history.past[-1:])
    return replace(history, present=history.present.active_lab, past=past)


def active_setting_names(lab: Lab, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by the names under which an operation changes them in the machine that the controls change."""
    own = lab.active_lab is lab
    return {name if own or name not in NAMES else OF_B + name: value for name, value in settings.items()}


def with_settings(lab: Lab, settings: Mapping[str, Any]) -> Lab:
    """With these settings, checked already; those of a second machine that is no more are left out."""
    own = {name: value for name, value in settings.items() if not name.startswith(OF_B)}
    of_b = {name.removeprefix(OF_B): value for name, value in settings.items() if name not in own}
    second = replace(lab.second, **of_b) if lab.second is not None else None
    return replace(lab, second=second, **own)


def check(name: str, value: Any) -> Any:
    """The value of a setting of either machine. Raises BadInput naming it, and KeyError where there is none."""
    plain = name.removeprefix(OF_B)
    if plain != name and plain not in NAMES:
        raise KeyError(name)
    return CONTROLS[plain].check(value)
