"""A machine as it is set: kernel, price of slack, hard margin, bias. It knows no points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from svmlab import BadInput
from svmlab.binary.problem import EVEN
from svmlab.core.errors import quoted
from svmlab.kernels.base import Kernel, Text
from svmlab.kernels.standard import KERNELS
from svmlab.lab.session.controls import CONTROLS, PARAMETERS

T = TypeVar("T")


def with_parameters(machine: type[T]) -> type[T]:
    """The class with a field for every parameter of the kernels; each keeps its value while another kernel is
    chosen.
    """
    _free(machine)
    for p in PARAMETERS.values():
        machine.__annotations__[p.name] = "str" if isinstance(p, Text) else "float"
        setattr(machine, p.name, p.default)
    return machine


def _free(machine: type) -> None:
    """Raises TypeError where a class has something of a parameter's name already."""
    for name in PARAMETERS:
        if name in vars(machine):
            raise TypeError(
                f"{name}: a {machine.__name__} has something of this name already. Give the kernel's parameter another."
            )


@dataclass(frozen=True, kw_only=True)
@with_parameters
class SvmSettings:
    """What the controls set of a machine. `value` belongs to `face` (C or lambda), the costs of the classes are in
    units of C.
    """

    kernel: str = CONTROLS["kernel"].default
    face: str = CONTROLS["face"].default
    value: float = CONTROLS["value"].default
    cost_plus: float = CONTROLS["cost_plus"].default
    cost_minus: float = CONTROLS["cost_minus"].default
    hard: bool = CONTROLS["hard"].default
    bias: bool = CONTROLS["bias"].default

    def __init_subclass__(cls) -> None:
        _free(cls)

    @property
    def kernel_function(self) -> Kernel:
        """The kernel with its parameters."""
        kernel = KERNELS[self.kernel]
        return kernel(**{p.name: getattr(self, p.name) for p in kernel.parameters})

    @property
    def costs(self) -> tuple[float, float]:
        """Of class +1 and of class -1; the hard margin, which allows no slack, asks for none."""
        return EVEN if self.hard else (self.cost_plus, self.cost_minus)


NAMES = tuple(name for name in CONTROLS if name in {each.name for each in fields(SvmSettings)})


def setting_values(machine: SvmSettings) -> dict[str, Any]:
    """Every setting by its name, of a Machine or of a Lab."""
    return {name: getattr(machine, name) for name in NAMES}


def as_json(machine: SvmSettings) -> dict[str, Any]:
    """The settings that are not at their defaults, for a link."""
    return {name: value for name, value in setting_values(machine).items() if value != CONTROLS[name].default}


def from_json(said: Any) -> SvmSettings:
    """The machine that `told` told; what a later version may add is left out. Raises BadInput naming the setting."""
    if not isinstance(said, Mapping):
        raise BadInput("second: {said} are not named settings.", said=quoted(said))
    return SvmSettings(**{name: CONTROLS[name].check(value) for name, value in said.items() if name in NAMES})
