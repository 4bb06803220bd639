"""A thousandth put wrong at one place of what a check reads: in an answer, in a run, in what one of its tools
returns."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, wraps
from typing import Any
from unittest.mock import patch

import numpy as np

from svmlab import statements
from svmlab.binary.expansion import Evaluation
from svmlab.binary.solution import Solution
from svmlab.core.errors import SvmError
from svmlab.regression import Fit
from svmlab.statements import Situation, Statement
from svmlab.statements.other_tasks import OtherTasks
from svmlab.statements.walk import PegasosRuns

PART = 1e-3
Change = Callable[[Any], Any]


def longer(value: Any) -> Any:
    """All of it too large by a thousandth."""
    return value * (1 + PART)


def shorter(value: Any) -> Any:
    """All of it too small by a thousandth: for what bounds from above, or is bounded from below."""
    return value * (1 - PART)


def higher(value: Any) -> Any:
    """A thousandth of a margin too high."""
    return value + PART


def shifted(interval: tuple[float, float]) -> tuple[float, float]:
    """Both ends of an interval too high."""
    return interval[0] + PART, interval[1] + PART


def uneven(values: Any) -> Any:
    """The largest entry too large, the others as they are."""
    out = np.array(values, dtype=float)
    at = np.unravel_index(np.abs(out).argmax(), out.shape)
    out[at] *= 1 + PART
    return out


def drifting(w: Any) -> Any:
    """Steps (T, D) that go wrong in the second half."""
    out = np.array(w, dtype=float)
    out[len(out) // 2 :] *= 1 + PART
    return out


def exchanged(path: tuple[Solution, ...]) -> tuple[Solution, ...]:
    """The machine of one C put at the C before."""
    return (*path[:4], path[5], *path[5:])


def field(name: str, change: Change = longer) -> Change:
    """A result with one of its arrays or numbers wrong."""
    return lambda result: dataclasses.replace(result, **{name: change(getattr(result, name))})


def fallen(descent: Any) -> Any:
    """A descent that ends a thousandth off: its losses, or its w and its value."""
    names = ("losses",) if hasattr(descent, "losses") else ("w", "value")
    return dataclasses.replace(descent, **{name: longer(getattr(descent, name)) for name in names})


def once_more(run: Any) -> Any:
    """A perceptron that makes its last mistake twice."""
    return dataclasses.replace(run, updates=np.append(run.updates, run.updates[-1]))


def favoured(rows: Any) -> Any:
    """Many draws, the first point a fifth more often than it should be."""
    out = np.array(rows)
    others = np.flatnonzero(out > 0)
    extra = len(out) // (5 * (out.max() + 1)) if len(out) > 1000 else 0
    out[others[:extra]] = 0
    return out


def first(pair: tuple[Any, ...]) -> tuple[Any, ...]:
    """The first of several results too large."""
    return (longer(pair[0]), *pair[1:])


def by_alpha_and_b(solution: Solution | Fit) -> Evaluation:
    """The evaluation by alpha and b alone, so that f is wrong where they are."""
    return dataclasses.replace(solution.evaluation, origin=None, offset=None)


def machine(e: Solution) -> Solution:
    """All multipliers of a machine too large."""
    return dataclasses.replace(e, alpha=longer(e.alpha), evaluation=by_alpha_and_b(e))


def machines(change: Change) -> Change:
    """Each of several machines with something wrong."""
    return lambda solutions: tuple(map(change, solutions))


ANSWERS: dict[str, Change] = {  # read from a Situation
    "Phi": longer,
    "Phi, moved": lambda Phi: Phi - PART,
    "largest_lp_margin": higher,
    "grid_solutions": exchanged,
    "separation.weights": uneven,
    "separation.w": uneven,
    **{f"{kind}_solution.alpha": longer for kind in ("hard", "soft")},
    **{f"{kind}_solution.alpha, one": uneven for kind in ("hard", "soft")},
    **{f"{kind}_solution.b": higher for kind in ("hard", "soft")},
    **{f"{kind}_solution.b_interval": shifted for kind in ("hard", "soft")},
    **{f"{kind}_primal.w": longer for kind in ("hard", "soft", "with_bias_switched.hard", "with_bias_switched.soft")},
    **{f"{kind}_primal.w, one": uneven for kind in ("hard", "soft")},
    **{f"{kind}_primal.b": higher for kind in ("hard", "soft")},
    **{f"{kind}_primal.alpha": uneven for kind in ("hard", "soft")},
    **{f"{kind}_primal.value": longer for kind in ("hard", "soft")},
    "soft_primal.xi": uneven,
    **{f"{kind}_dual.alpha": longer for kind in ("hard", "soft")},
    **{f"{kind}_dual.alpha, one": uneven for kind in ("hard", "soft")},
    **{f"{kind}_dual.b": higher for kind in ("hard", "soft")},
    **{f"pegasos_runs.{name}": longer for name in ("X", "w", "min_objective")},
    **{
        f"pegasos_runs.{run}.{name}": longer
        for run in ("run", "many_runs", "long_runs")
        for name in ("average", "regret")
    },
    **{f"pegasos_runs.{run}.G": shorter for run in ("run", "many_runs", "long_runs")},
    **{f"pegasos_runs.{run}.{name}": longer for run in ("run", "many_runs") for name in ("last", "suffix")},
    "pegasos_runs.far_runs.average": shorter,
    "pegasos_runs.far_runs.averages": longer,
    **{f"pegasos_runs.steps.{name}": drifting for name in ("before", "after")},
    **{f"pegasos_runs.by_hand.{name}": drifting for name in ("w", "v", "gradient")},
    "other_tasks.machines.machines": machines(machine),
    "other_tasks.machines.machines, b": machines(
        lambda e: dataclasses.replace(e, b=higher(e.b), evaluation=by_alpha_and_b(e))
    ),
    "other_tasks.machines.machines, one": lambda solutions: (machine(solutions[0]), *solutions[1:]),
    "other_tasks.opinions": machines(field("alpha")),
    "other_tasks.opinions, b": machines(field("b", higher)),
    "other_tasks.Phi": longer,
    "other_tasks.fit.b": higher,
    "other_tasks.fit.b_interval": shifted,
    **{f"other_tasks.{kind}.{name}": longer for kind in ("fit", "dual") for name in ("alpha", "alpha_star")},
    **{f"other_tasks.{kind}.{name}, one": uneven for kind in ("fit", "dual") for name in ("alpha", "alpha_star")},
    **{f"other_tasks.{kind}.b": higher for kind in ("primal", "dual")},
    **{f"other_tasks.{kind}.value": longer for kind in ("primal", "dual")},
    "other_tasks.primal.w": longer,
    "other_tasks.labelled": longer,
}
TOOLS: dict[str, Change] = {  # functions that checks call
    "distances": longer,
    "projections": longer,
    "widest_margins": longer,
    "best_direction": lambda pair: (pair[0], longer(pair[1])),
    "best_bias": lambda bounds_and_sum: tuple(map(higher, bounds_and_sum)),
    "dual_value": longer,
    "perceptron": once_more,
    "radius_and_margin": first,
    "primal": field("w", higher),
    "solve": machine,
    "solve_rows": machine,
    "shattering_margin": longer,
    "multiplier": lambda pair: (longer(pair[0]), higher(pair[1])),
    "separate": lambda separation: dataclasses.replace(separation, separable=not separation.separable),
    "objective": longer,
    "pegasos": lambda run: dataclasses.replace(run, **{name: longer(getattr(run, name)) for name in ("G", "iterates", "average")}),
    "draws": favoured,
    "comparator_loss": lambda met: met - PART,
    "mean_objective": longer,
    **dict.fromkeys(("harmonic", "regret_bound", "gap_bound", "printed_gap_bound", "sharp_gap_bound"), shorter),
    "descend": fallen,
    **dict.fromkeys(("least_squares", "lasso", "newton", "linear_program", "proximal"), field("w")),
    "subgradient_distance": higher,
    "proximal_gap_bound": shorter,
    "p_norm": uneven,
    "forward_slopes": first,
    "fewest_errors": field("errors", lambda errors: errors + 1),
    "fewest_errors_by_turning": lambda errors: errors + 1,
    "error_counts": lambda errors: errors - 1,
    "telescoped_sum": shorter,
    "gaussian_factors": lambda factors: factors._replace(own=longer(factors.own)),
    "gaussian_powers": longer,
    "gaussian_remainder": longer,
    "gaussian_squares": longer,
    "estimate": field("before"),
    "replay": field("before"),
    "replay_kernel": field("c"),
    "batch_descent": field("average", shorter),
    "sgd": field("iterates"),
    "least_eigenpair": first,
    "exponent": lambda pair: (pair[0] + 1 / 3, pair[1]),
    **dict.fromkeys(("weighted_features", "ordered_product_features", "monomial_features", "monomial_count", "ordered_product_count", "rank", "gram_ranks", "kernel_cost", "features_cost"), longer),
    "ordered_products": lambda words: words[:-1],
    "values_and_counts": first,
    **dict.fromkeys(("zero_one_loss", "scaled_to_bound", "loss_chord_heights", "summed_slopes", "sigmoid_loss", "line_value", "least_slack", "slope_quotients"), longer),
    **dict.fromkeys(("chord_slopes", "side_slopes"), lambda slopes: (slopes[0] + PART, slopes[1] + PART)),
    "under_chords": lambda distances: distances - PART,
    "normal_equations": first,
    "smallest_balls": first,
    "radon_point_distance": higher,
    **dict.fromkeys(("least_margins", "circumradii", "side_lengths", "swept_margins", "margins", "hull_margins", "largest_by_search"), longer),
    **dict.fromkeys(("corrected_bound", "max_shattered_points", "count_unrefuted", "sauer", "cover"), lambda n: n - 1),
    "printed_bound": shorter,
    "circuits": lambda minimal_sets: tuple(dataclasses.replace(one, weights=uneven(one.weights)) for one in minimal_sets),
    "solve_without": machine,
    "risk_lambda": longer,
    "rotated_with_zeros": longer,
    **dict.fromkeys(("primal_value", "ramp", "mean_loss", "multiclass_hinge"), longer),
    **dict.fromkeys(("risk_bound", "compression_bound"), shorter),
}  # fmt: skip
KINDS = (*ANSWERS, *(f"{name}()" for name in TOOLS))
SEEN_THROUGH = {path.rsplit(".", n)[0] for path in ANSWERS for n in range(1, path.count(".") + 1)}


def place(kind: str) -> str:
    """Where a kind of tampering is done: what a check must read for it to matter."""
    return kind.split(",")[0]


def _kept(cls: type) -> set[str]:
    """What is taken from the object that is seen through; everything else is derived anew from it."""
    fields = {f.name for f in dataclasses.fields(cls)}
    if cls in (Situation, PegasosRuns, OtherTasks):
        return fields | {name for name, member in vars(cls).items() if isinstance(member, cached_property)}
    return fields | {"noise", "is_constant"}


class Reading:
    """One check on one board: what it reads, and what it says where one thing is tampered with."""

    def __init__(self, entry: Statement, clean: Situation) -> None:
        self.entry, self.clean = entry, clean
        self.tolerance = clean.tolerance(entry.subject, entry.tolerance)
        self.seen: set[str] = set()
        self.kind = ""
        self._at_work = False

    def standing(self, kind: str = "") -> statements.Reading | None:
        """The reading that stands with one kind of tampering, or none; None where the check does not apply then."""
        self.kind, self.seen = kind, set()
        try:
            with np.errstate(all="ignore"), self._tools():
                outcome = self.entry.compute(self._through(self.clean, ""), self.tolerance)
        except SvmError:
            return None
        return outcome.repaired or outcome.printed

    def _change(self, path: str, changes: Mapping[str, Change], value: Any) -> Any:
        self.seen.add(path)
        if value is None or place(self.kind) != path:
            return value
        return changes[self.kind.removesuffix("()")](value)

    def _through(self, thing: Any, path: str) -> Any:
        """A double of a frozen object: what is read from it is noted, and what is tampered with is wrong."""
        cls, kept, members = type(thing), _kept(type(thing)), {}

        def read(double: Any, name: str) -> Any:
            if name == "__class__":  # dataclasses.replace makes a real one
                return cls
            if name not in kept:
                return object.__getattribute__(double, name)
            if name not in members:
                at = f"{path}{name}"
                before, self._at_work = self._at_work, True
                try:
                    value = by_alpha_and_b(thing) if name == "evaluation" else getattr(thing, name)
                finally:
                    self._at_work = before
                dives = at in SEEN_THROUGH and value is not None
                members[name] = self._through(value, f"{at}.") if dives else self._change(at, ANSWERS, value)
            return members[name]

        return object.__new__(type(cls.__name__, (cls,), {"__getattribute__": read}))

    @contextmanager
    def _tools(self) -> Iterator[None]:
        """Every tool, wherever a module of statements knows it by name, watched and if need be wrong."""
        with _Patches() as patches:
            for module in _modules():
                for name in filter(lambda name: callable(vars(module)[name]), TOOLS.keys() & vars(module).keys()):
                    patches.put(module, name, self._watched(name, getattr(module, name)))
            yield

    def _watched(self, name: str, tool: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(tool)
        def called(*args: Any, **kwargs: Any) -> Any:
            inside, self._at_work = self._at_work, True
            try:
                result = tool(*args, **kwargs)
            finally:
                self._at_work = inside
            return result if inside else self._change(f"{name}()", TOOLS, result)

        return called


class _Patches:
    """Attributes replaced, and put back at the end."""

    def __enter__(self) -> _Patches:
        self._all: list[Any] = []
        return self

    def put(self, module: Any, name: str, value: Any) -> None:
        one = patch.object(module, name, value)
        one.start()
        self._all.append(one)

    def __exit__(self, *_: object) -> None:
        for one in self._all:
            one.stop()


def _modules() -> list[Any]:
    return [
        importlib.import_module(f"{statements.__name__}.{m.name}") for m in pkgutil.iter_modules(statements.__path__)
    ]
