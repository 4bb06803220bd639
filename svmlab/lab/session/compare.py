"""Compare two SVMs, A and B, on the same points: B is the field `second` of the Lab.

All functions are pure and return a new Lab, so undo takes back each change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.svm_settings import PREFIX_OF_B, SVM_SETTING_NAMES, A, B, SvmSettings, setting_values


def with_second(lab: Lab, settings: SvmSettings) -> Lab:
    """Return the Lab with a second board of this SVM, which is then the one that the controls change."""
    return replace(lab, second=SvmSettings(**setting_values(settings)), active=B)


def swapped(lab: Lab) -> Lab:
    """Return the Lab with the SVMs of A and B exchanged."""
    return (
        lab
        if lab.second is None
        else replace(lab, second=SvmSettings(**setting_values(lab)), **setting_values(lab.second))
    )


def keep_only(lab: Lab, board: str) -> Lab:
    """Return the Lab with one board only, which has the SVM of `board` (A or B)."""
    return replace(lab if board == A else swapped(lab), second=None, active=A)


def with_equal_settings(lab: Lab) -> Lab:
    """Return the Lab with the settings of the active SVM for both."""
    return (
        lab
        if lab.second is None
        else replace(lab, second=SvmSettings(**setting_values(lab.active_lab)), **setting_values(lab.active_lab))
    )


def with_active_settings(lab: Lab, settings: SvmSettings) -> Lab:
    """Return the Lab with these settings for the SVM that the controls change."""
    if lab.active_lab is lab:
        return replace(lab, **setting_values(settings))
    return replace(lab, second=SvmSettings(**setting_values(settings)))


def active_setting_names(lab: Lab, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings under the names by which an operation changes them in the active SVM."""
    own = lab.active_lab is lab
    return {
        name if own or name not in SVM_SETTING_NAMES else PREFIX_OF_B + name: value for name, value in settings.items()
    }


def with_settings(lab: Lab, settings: Mapping[str, Any]) -> Lab:
    """Return the Lab with these settings, which are checked already.

    Settings of a second SVM are left out if there is none.
    """
    own = {name: value for name, value in settings.items() if not name.startswith(PREFIX_OF_B)}
    of_b = {name.removeprefix(PREFIX_OF_B): value for name, value in settings.items() if name not in own}
    second = replace(lab.second, **of_b) if lab.second is not None else None
    return replace(lab, second=second, **own)


def check(name: str, value: Any) -> Any:
    """Return the checked value of a setting of A or B.

    Raises BadInput that names the setting, or KeyError for an unknown name.
    """
    base_name = name.removeprefix(PREFIX_OF_B)
    if base_name != name and base_name not in SVM_SETTING_NAMES:
        raise KeyError(name)
    return CONTROLS[base_name].check(value)
