"""The lecture notes from which the statements come, by their letter in the catalogue."""

from __future__ import annotations

from dataclasses import dataclass

from svmlab.core.phrase import N_


@dataclass(frozen=True)
class Notes:
    """One set of notes: its name in full and beside a verdict, and a summary.

    language: the language of the quotations, or "" if the notes are never quoted.
    """

    name: str
    short: str
    language: str
    about: str


NOTES: dict[str, Notes] = {
    "A": Notes(
        N_("the Italian notes on Pegasos"),
        N_("Pegasos notes"),
        "it",
        N_(
            "Lecture notes in Italian: hard and soft margin without bias, the representer theorem, a "
            "compression bound, and "
            "Pegasos with its analysis."
        ),
    ),
    "B": Notes(
        N_("Gambosi's slides"),
        N_("Gambosi"),
        "en",
        N_(
            "Slides in English by Giorgio Gambosi, University of Rome Tor Vergata, 2020-21: margins, "
            "duality, KKT conditions, "
            "slack, losses, gradient descent, kernels."
        ),
    ),
    "C": Notes(
        N_("Gruber's handout"),
        N_("Gruber"),
        "de",
        N_("A handout in German by M. Gruber: separability, the problem in four versions, and a remark on kernels."),
    ),
    "D": Notes(
        N_("the Italian notes on half-spaces"),
        N_("Half-spaces notes"),
        "it",
        N_(
            "Lecture notes in Italian: half-spaces, the hinge loss, stochastic gradient descent with its "
            "representer form, "
            "kernels and their feature maps."
        ),
    ),
    "E": Notes(
        N_("the Chinese notes after Lin"),
        N_("Notes after Lin"),
        "zh",
        N_(
            "Notes in Chinese after the first lecture of Hsuan-Tien Lin: the linear SVM, large margin and VC dimension."
        ),
    ),
    "project": Notes(
        N_("this project"), N_("This project"), "", N_("Consequences that no notes state, drawn from several of them.")
    ),
}
