"""The controls as Streamlit widgets. Before each run every widget is set to the value in the Lab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from svmlab.binary.problem import EQUAL_COSTS
from svmlab.data import DATASETS
from svmlab.kernels.base import Parameter, TextParameter
from svmlab.kernels.standard import KERNELS
from svmlab.lab.bench import costs
from svmlab.lab.bench.number_field import notice, number_field, show_refusals, text_field
from svmlab.lab.bench.tabs import files
from svmlab.lab.bench.widget_state import is_echo, set_widget
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.numbers import short
from svmlab.lab.session import c_and_lambda, compare, inbox
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.state import history_of_active
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.words import N_, _, current_notation, tex

OWN = "own"
LABEL = {
    "preset": N_("Points"),
    "size": N_("How many"),
    "noise": N_("Noise"),
    "seed": N_("Seed"),
    "reset": N_("Reset"),
    "reseed": N_("New sample"),
    "kernel": N_("Kernel"),
    "face": N_("Penalty"),
    "C": "C",
    "lambda": "λ",
    **costs.LABEL,
    "hard": N_("hard margin"),
    "bias": N_("bias b"),
    "unseen": N_("Test error"),
}
HELP = {
    "data": N_("Open a table of your own and choose two of its columns."),
    "preset": N_("Example boards. Choosing one replaces the points. Undo brings yours back."),
    "size": N_("Number of points that a preset makes, {low} to {high}."),
    "noise": N_("How much noise a preset has. 0 is none, and 1 is very much."),
    "seed": N_("Which random sample a preset draws. The same seed gives the same points."),
    "reset": N_("Makes the preset again, with the same seed."),
    "reseed": N_("Makes the preset again, with the next seed."),
    "kernel": N_("k(x, x') is the inner product of two points in feature space. The boundary is a hyperplane there."),
    "face": N_(
        "C multiplies the sum of the slacks. λ multiplies |w|²/2, and their mean is added. For m points, C = 1/(λ m)."
    ),
    "value": N_(
        "With a large C (small λ) slack has a large penalty, and the margin is narrow. The slider of the board "
        "changes it too."
    ),
    **costs.HELP,
    "hard": N_("With C = ∞, no point may be inside the margin. A solution exists only if the classes are separable."),
    "bias": N_("With b the boundary can be anywhere. Without b, f(0) = 0 for the linear kernel."),
    "unseen": N_(
        "The probability that a new point is misclassified. It is measured on fresh test points if the preset has a "
        "known distribution, and otherwise estimated by cross-validation."
    ),
}
# The columns for the parameters of a kernel: as many as the kernel with the most numbers needs.
MOST_PARAMETERS = max(sum(isinstance(p, Parameter) for p in kernel().parameters) for kernel in KERNELS.values())
IDLE_HARD = N_("The hard margin has no penalty parameter, because C = ∞. Turn it off to choose one.")
IDLE_FIXED = N_("This board is always the same.")
CLIPPED = N_("{field} would be {exact}, but {end}. So {back} = {now}. Switch back to undo this.")
OWN_POINTS = N_("Your own points")
WHERE_EXPLAINED = {  # the step that shows the rules of a text
    "recipe": N_("What each rule does to a kernel, step by step: [Building kernels](kernels?step=build)"),
}
PROGRAM = r"\begin{aligned}\min\ \ &\textstyle %s\\\text{s.t.}\ \ &%s\end{aligned}"
FORM_C = r"\tfrac12\|w\|^2+C\sum_i\xi_i"
FORM_LAMBDA = r"\tfrac{\lambda}{2}\|w\|^2+\tfrac1m\sum_i\xi_i"
FORM_HARD = r"\tfrac12\|w\|^2"
SLACK, COSTLY = r"\sum_i\xi_i", r"\sum_i v_i\xi_i"  # COSTLY replaces SLACK if the classes have different costs
SOFT_CONSTRAINTS, HARD_CONSTRAINTS = r"y_i f(x_i)\ge 1-\xi_i,\ \xi_i\ge 0", r"y_i f(x_i)\ge 1"


def controls(session: Session, done: OnChange) -> None:
    """Show data, kernel, regularisation and bias, in the order in which one decides.

    `done` is called after every change.
    """
    if "data" not in session.link.hidden and "points" not in session.link.locked:
        _data(session, done)
    if "kernel" not in session.link.hidden:
        _kernel(session, done)
    if "price" not in session.link.hidden:
        _price(session, done)
    _switches(session, done)


def _data(session: Session, done: OnChange) -> None:
    lab = session.lab
    fixed = not DATASETS[lab.preset].uses_randomness
    left, right, data = st.columns([2, 1, 1], vertical_alignment="bottom")
    turn = st.session_state.get("upload_version", 0)  # after a file the popover is a new one, which is closed
    with data, st.popover(_("Your data"), width="stretch", help=_help("data"), key=f"your_data{turn}"):
        files.upload(session, done, "data_file")
    with left:
        own = [] if lab.is_preset else [OWN]
        set_widget("preset", OWN if own else lab.preset)
        st.selectbox(
            _label("preset"),
            [*own, *DATASETS],
            format_func=lambda name: _(OWN_POINTS if name == OWN else DATASETS[name].title),
            key="preset",
            help=_help("preset"),
            on_change=_change(session, done, "preset", "preset"),
        )
    with right, st.popover(_("Sample"), width="stretch"):
        for name in ("size", "noise", "seed"):
            limits = CONTROLS[name]
            help_ = _(IDLE_FIXED) if fixed else _help(name).format(low=limits.low, high=limits.high)
            step = 1 if limits.kind is int else 0.05
            take = _take(session, "preset", name)
            number_field(name, _label(name), limits, getattr(lab, name), take, done, step, fixed, help_)
            show_refusals({name: LABEL[name]})
        for name, step in (("reset", 0), ("reseed", 1)):
            values = {"seed": (lab.seed + step) % 1_000_000}
            st.button(
                _label(name),
                key=name,
                width="stretch",
                disabled=fixed and name == "reseed",
                help=_help(name),
                on_click=_send(session, done, {"op": "preset", "values": values}),
            )


def _kernel(session: Session, done: OnChange) -> None:
    lab = session.lab.active_lab
    left, right = st.columns([1, 1.6], vertical_alignment="bottom")
    with left:
        set_widget("kernel", lab.kernel)
        st.selectbox(
            _label("kernel"),
            list(KERNELS),
            format_func=_title,
            key="kernel",
            help=_help("kernel"),
            on_change=_change(session, done, "set", "kernel"),
        )
    right.markdown(f"$k(x,x')={lab.kernel_function.formula}$")
    numbers = [p for p in lab.kernel_function.parameters if isinstance(p, Parameter)]
    parameters = sorted(numbers, key=lambda p: p.slider is None)  # first the parameters with a slider
    # The container has the same height with every kernel, so that nothing below it moves when the kernel changes.
    with st.container(key="parameters"):
        for column, p in zip(st.columns(MOST_PARAMETERS, vertical_alignment="bottom"), parameters, strict=False):
            step = 1 if p.whole else None if p.slider else 0.1
            with column:
                take = _take(session, "set", p.name)
                help_, value = Marks("lab").markdown(_(p.help)), getattr(lab, p.name)
                number_field(p.name, _(p.symbol), CONTROLS[p.name], value, take, done, step, False, help_)
        texts = [p for p in lab.kernel_function.parameters if isinstance(p, TextParameter)]
        for text in texts:
            value, take = getattr(lab, text.name), _take(session, "set", text.name)
            help_, explained = Marks("lab").markdown(_(text.help)), WHERE_EXPLAINED.get(text.name)
            field, beside = st.columns([1.4, 1] if explained else [1, 0.001], vertical_alignment="bottom")
            with field:
                text_field(text.name, _(text.symbol), CONTROLS[text.name], value, take, done, text.longest, help_)
            if explained:
                beside.caption(_(explained))
    fields: list[Parameter | TextParameter] = [*parameters, *texts]
    show_refusals({p.name: p.symbol for p in fields})


def _price(session: Session, done: OnChange) -> None:
    lab = session.lab.active_lab
    left, middle, right = st.columns([1, 1.2, 2.4], vertical_alignment="bottom")
    idle: dict[str, Any] = {"disabled": lab.hard, "help": _(IDLE_HARD) if lab.hard else _help("value")}
    with left:
        set_widget("face", lab.face)
        st.segmented_control(
            _label("face"),
            ["C", "lambda"] if current_notation().first == "C" else ["lambda", "C"],
            format_func=_label,
            key="face",
            required=True,
            help=_help("face"),
            disabled=lab.hard,
            on_change=_C_or_lambda(session, done),
        )
    with middle:
        take = _take(session, "set", "value")
        number_field("exact", _label(lab.face), CONTROLS["value"], lab.value, take, done, parameter=lab.face, **idle)
    objective = FORM_HARD if lab.hard else FORM_C if lab.face == "C" else FORM_LAMBDA
    if lab.costs != EQUAL_COSTS:
        objective = objective.replace(SLACK, COSTLY)
    constraints = HARD_CONSTRAINTS if lab.hard else SOFT_CONSTRAINTS
    right.markdown(f"${tex(PROGRAM % (objective, constraints))}$")
    show_refusals({"exact": LABEL[lab.face]})
    exact = c_and_lambda.value_before_clipping(history_of_active(session.history))
    if exact is not None:
        notice("exact", clipping_message(lab, exact))


def _switches(session: Session, done: OnChange) -> None:
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="xsmall", key="switches"
    ):
        for name in ("hard", "bias", "unseen"):
            if name not in session.link.hidden:
                set_widget(name, getattr(session.lab.active_lab, name))
                st.toggle(_label(name), key=name, help=_help(name), on_change=_change(session, done, "set", name))
        if "price" not in session.link.hidden:
            costs.show(session, done)


def clipping_message(lab: Lab, exact: float) -> str:
    """Return the message that the value was clipped when it was converted from the other parameter."""
    field, back = ("λ", "C") if lab.face == "lambda" else ("C", "λ")
    end = _("the smallest value is {value}") if exact < lab.value else _("the largest value is {value}")
    current = lab.C if back == "C" else lab.lam
    return _(CLIPPED).format(
        field=field, back=back, exact=short(exact), end=end.format(value=short(lab.value)), now=short(current)
    )


def _label(name: str) -> str:
    return _(LABEL[name])


def _help(name: str) -> str:
    return Marks("lab").markdown(_(HELP[name]))


def _title(kernel: str) -> str:
    return _(KERNELS[kernel]().title)


def _change(session: Session, done: OnChange, op: str, name: str) -> OnChange:
    def changed() -> None:
        value = st.session_state[name]
        if value is not None and value != OWN and not is_echo(name):
            inbox.do(session, {"op": op, "values": compare.active_setting_names(session.lab, {name: value})})
        done()

    return changed


def _take(session: Session, op: str, name: str) -> Callable[[Any], None]:
    return lambda value: inbox.do(
        session, {"op": op, "values": compare.active_setting_names(session.lab, {name: value})}
    )


def _C_or_lambda(session: Session, done: OnChange) -> OnChange:
    def changed() -> None:
        if not is_echo("face"):
            converted = c_and_lambda.switch_C_and_lambda_exactly(
                history_of_active(session.history), st.session_state["face"]
            )
            inbox.do(session, {"op": "load", "lab": compare.with_active_settings(session.lab, converted)})
        done()

    return changed


def _send(session: Session, done: OnChange, op: dict[str, Any]) -> OnChange:
    def clicked() -> None:
        inbox.do(session, op)
        done()

    return clicked
