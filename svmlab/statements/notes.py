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
            "These lecture notes are in Italian. They treat the hard and the soft margin without a bias, the "
            "representer theorem, a compression bound, and the analysis of Pegasos."
        ),
    ),
    "B": Notes(
        N_("Gambosi's slides"),
        N_("Gambosi"),
        "en",
        N_(
            "These slides are in English, by Giorgio Gambosi, University of Rome Tor Vergata, 2020-21. They treat "
            "margins, duality, KKT conditions, slack, losses, gradient descent and kernels."
        ),
    ),
    "C": Notes(
        N_("Gruber's handout"),
        N_("Gruber"),
        "de",
        N_(
            "This handout by M. Gruber is in German. It treats separability, four versions of the problem, and kernels."
        ),
    ),
    "D": Notes(
        N_("the Italian notes on half-spaces"),
        N_("Half-spaces notes"),
        "it",
        N_(
            "These lecture notes are in Italian. They treat half-spaces, the hinge loss, stochastic gradient descent "
            "with the representer form, kernels and their feature maps."
        ),
    ),
    "E": Notes(
        N_("the Chinese notes after Lin"),
        N_("Notes after Lin"),
        "zh",
        N_(
            "These notes are in Chinese and follow the first lecture of Hsuan-Tien Lin. They treat the linear SVM, the "
            "large margin and the VC dimension."
        ),
    ),
    "literature": Notes(
        N_("the literature"),
        N_("Literature"),
        "",
        N_(
            "These statements stand in textbooks and articles, and examinations ask for them. The lecture notes imply "
            "them or touch on their subject, but do not state them."
        ),
    ),
    "project": Notes(
        N_("this project"),
        N_("This project"),
        "",
        N_("These statements are consequences of several notes, and no note states them itself."),
    ),
}
