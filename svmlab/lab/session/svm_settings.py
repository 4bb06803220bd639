"""The settings of an SVM without its points: kernel, regularisation parameter, class costs, hard margin and bias."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from svmlab import BadInput
from svmlab.binary.problem import EQUAL_COSTS
from svmlab.core.errors import quoted
from svmlab.kernels.base import Kernel, TextParameter
from svmlab.kernels.standard import KERNELS
from svmlab.lab.session.controls import CONTROLS, PARAMETERS

T = TypeVar("T")
A, B = CONTROLS["active"].options
PREFIX_OF_B = f"{B}."  # the prefix of the settings of the second SVM; those of A have none


def with_parameters(cls: type[T]) -> type[T]:
    """Return the class with one more field for every parameter of the kernels.

    A parameter keeps its value while another kernel is selected.
    """
    _refuse_parameter_names(cls)
    for p in PARAMETERS.values():
        cls.__annotations__[p.name] = "str" if isinstance(p, TextParameter) else "float"
        setattr(cls, p.name, p.default)
    return cls


def _refuse_parameter_names(cls: type) -> None:
    """Raise TypeError if a class already has an attribute with the name of a kernel parameter."""
    for name in PARAMETERS:
        if name in vars(cls):
            raise TypeError(
                f"{name}: a {cls.__name__} has something of this name already. Give the kernel's parameter another."
            )


@dataclass(frozen=True, kw_only=True)
@with_parameters
class SvmSettings:
    """The settings of an SVM that the controls change.

    `value` is C or lambda, whichever `face` names. The costs of the classes are in units of C.
    """

    kernel: str = CONTROLS["kernel"].default
    face: str = CONTROLS["face"].default
    value: float = CONTROLS["value"].default
    cost_plus: float = CONTROLS["cost_plus"].default
    cost_minus: float = CONTROLS["cost_minus"].default
    hard: bool = CONTROLS["hard"].default
    bias: bool = CONTROLS["bias"].default

    def __init_subclass__(cls) -> None:
        _refuse_parameter_names(cls)

    @property
    def kernel_function(self) -> Kernel:
        """Return the kernel with its parameters."""
        kernel = KERNELS[self.kernel]
        return kernel(**{p.name: getattr(self, p.name) for p in kernel.parameters})

    @property
    def costs(self) -> tuple[float, float]:
        """Return the costs of class +1 and of class -1. They are equal for the hard margin, which allows no slack."""
        return EQUAL_COSTS if self.hard else (self.cost_plus, self.cost_minus)


SVM_SETTING_NAMES = tuple(name for name in CONTROLS if name in {each.name for each in fields(SvmSettings)})


def setting_values(settings: SvmSettings) -> dict[str, Any]:
    """Return every setting by its name. The argument may also be a Lab."""
    return {name: getattr(settings, name) for name in SVM_SETTING_NAMES}


def as_json(settings: SvmSettings) -> dict[str, Any]:
    """Return the settings that differ from their defaults, as a link stores them."""
    return {name: value for name, value in setting_values(settings).items() if value != CONTROLS[name].default}


def from_json(said: Any) -> SvmSettings:
    """Return the settings that `as_json` stored.

    Names that this version does not know are left out. Raises BadInput that names the setting.
    """
    if not isinstance(said, Mapping):
        raise BadInput("second: {said} are not named settings.", said=quoted(said))
    return SvmSettings(
        **{name: CONTROLS[name].check(value) for name, value in said.items() if name in SVM_SETTING_NAMES}
    )
