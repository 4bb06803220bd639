"""Terms about the labellings of points that lines can realise, with and without a required margin."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="labelling",
        name=N_("labelling"),
        definition=N_(
            "One choice of + or − for each of some points; a dichotomy where a boundary makes it. There are "
            "2ᵐ for m points, but lines make fewer from four points on."
        ),
        forms=N_("labelling|labellings"),
        see=("shattering", "label", "vc-dimension"),
        where_to_see=("generalisation.four", "generalisation.forbid", "G7"),
    ),
    Term(
        key="shattering",
        name=N_("shattering"),
        definition=N_(
            "Points are shattered by lines that make all of their labellings: whatever the labels, they fit. "
            "With a margin asked for, each labelling must have that margin."
        ),
        forms=N_("shatter|shattered|shatters"),
        see=("labelling", "vc-dimension", "asked-margin"),
        where_to_see=("generalisation.four", "generalisation.ball", "G7"),
    ),
    Term(
        key="vc-dimension",
        name=N_("VC dimension"),
        definition=N_(
            "The largest number of points that can be shattered, wherever they stand. It is 3 for lines in "
            "the plane, and less with a large margin in a small ball."
        ),
        forms=N_("VC dimension"),
        symbol="dᵥ",
        letters=("d_V", "d_m"),
        see=("shattering", "margin-algorithm", "asked-margin"),
        where_to_see=("generalisation.ball", "G7", "G2"),
    ),
    Term(
        key="radon-point",
        name=N_("Radon point"),
        definition=N_(
            "Any four points of the plane fall into two parts whose hulls cross there. No line has one part "
            "on each of its sides, so two labellings are never made."
        ),
        forms=N_("Radon"),
        formula=r"\sum_i a_i x_i = 0, \sum_i a_i = 0",
        see=("convex-hull", "labelling", "shattering"),
        where_to_see=("generalisation.four", "G7"),
    ),
    Term(
        key="asked-margin",
        name=N_("margin asked for"),
        definition=N_(
            "A margin that is chosen before any point is seen. What a boundary makes with less does not "
            "count. It says something only beside R, the size of the ball."
        ),
        symbol="ρ",
        signs=("ρ",),
        letters=("ρ",),
        see=("margin", "radius", "margin-algorithm"),
        where_to_see=("generalisation.forbid", "generalisation.ball", "G8"),
    ),
    Term(
        key="margin-algorithm",
        name=N_("machine that asks for a margin"),
        definition=N_(
            "It answers with a boundary that has margin ρ or more, or with none. A₀ takes any line, as the "
            "perceptron does; the larger ρ, the fewer labellings are made."
        ),
        symbol="Aρ, A₀",
        letters=("A_ρ", "A_r", "A_0"),
        see=("asked-margin", "vc-dimension", "perceptron"),
        where_to_see=("generalisation.ball", "G2", "G8"),
    ),
    Term(
        key="ball",
        name=N_("ball around the points"),
        definition=N_(
            "All places within R of a centre. Where one holds the points, R is the unit for margins: three "
            "points of it are shattered up to ρ = 3R/4, two up to R."
        ),
        forms=N_("ball"),
        pages=("generalisation",),
        see=("radius", "asked-margin", "circumradius"),
        where_to_see=("generalisation.ball", "G8"),
    ),
    Term(
        key="circumradius",
        name=N_("circumradius"),
        definition=N_(
            "The radius of the circle through three points. In its unit an equilateral triangle is shattered "
            "with the largest margin, three quarters."
        ),
        forms=N_("circumradius|equilateral"),
        see=("ball", "shattering", "asked-margin"),
        where_to_see=("generalisation.ball", "G3"),
    ),
)
