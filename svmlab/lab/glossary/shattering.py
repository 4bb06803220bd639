"""Terms about the labellings of points that lines can realise, with and without a required margin."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="labelling",
        name=N_("labelling"),
        definition=N_(
            "An assignment of + or − to each of some points, also called dichotomy. There are 2ᵐ labellings of m "
            "points. Lines realise all of them for three points that are not on a line, but never for four."
        ),
        forms=N_("labelling|labellings"),
        synonyms=N_("dichotomy"),
        see=("shattering", "label", "vc-dimension"),
        where_to_see=("generalisation.four", "generalisation.forbid", "G7"),
    ),
    Term(
        key="shattering",
        name=N_("shattering"),
        definition=N_(
            "Lines shatter a set of points if they realise every labelling of it. With a required margin, each "
            "labelling must have a line with at least this margin."
        ),
        forms=N_("shatter|shattered|shatters"),
        see=("labelling", "vc-dimension", "asked-margin"),
        where_to_see=("generalisation.four", "generalisation.vc-margin", "G7"),
    ),
    Term(
        key="vc-dimension",
        name=N_("VC dimension"),
        definition=N_(
            "The largest number of points that can be shattered, if you may choose the points. It is 3 for lines "
            "in the plane, and smaller with a large required margin in a small ball."
        ),
        forms=N_("VC dimension"),
        symbol="dᵥ",
        letters=("d_V", "d_m"),
        see=("shattering", "margin-algorithm", "asked-margin"),
        where_to_see=("generalisation.vc-margin", "G7", "G2"),
    ),
    Term(
        key="radon-point",
        name=N_("Radon point"),
        definition=N_(
            "Any four points of the plane can be divided into two sets whose convex hulls share a point, the Radon "
            "point. No line separates these two sets, so at least two labellings are impossible."
        ),
        forms=N_("Radon"),
        formula=r"\sum_i a_i x_i = 0, \sum_i a_i = 0",
        see=("convex-hull", "labelling", "shattering"),
        where_to_see=("generalisation.four", "G7"),
    ),
    Term(
        key="asked-margin",
        name=N_("required margin"),
        definition=N_(
            "A margin ρ that is fixed before any point is seen. A line counts only if its distance from every point is "
            "at least ρ. It must be compared with R, the radius of the ball."
        ),
        synonyms=N_("asked margin"),
        symbol="ρ",
        signs=("ρ",),
        letters=("ρ",),
        see=("margin", "radius", "margin-algorithm"),
        where_to_see=("generalisation.forbid", "generalisation.vc-margin", "G8"),
    ),
    Term(
        key="margin-algorithm",
        name=N_("method with a required margin"),
        definition=N_(
            "A method that returns a line with margin ρ or more, or no line. A₀ accepts every separating line, "
            "as the perceptron does. The larger ρ is, the fewer labellings are realised."
        ),
        symbol="Aρ, A₀",
        letters=("A_ρ", "A_r", "A_0"),
        see=("asked-margin", "vc-dimension", "perceptron"),
        where_to_see=("generalisation.vc-margin", "G2", "G8"),
    ),
    Term(
        key="ball",
        name=N_("ball around the points"),
        definition=N_(
            "All points at a distance of at most R from a centre. R is the unit for margins. In the plane, three "
            "points can be shattered up to ρ = 3R/4, and two up to ρ = R."
        ),
        forms=N_("ball"),
        pages=("generalisation",),
        see=("radius", "asked-margin", "circumradius"),
        where_to_see=("generalisation.vc-margin", "G8"),
    ),
    Term(
        key="circumradius",
        name=N_("circumradius"),
        definition=N_(
            "The radius of the circle through three points. Of all triangles with the same circumradius, the "
            "equilateral one is shattered with the largest margin, 3/4 of it."
        ),
        forms=N_("circumradius|equilateral"),
        see=("ball", "shattering", "asked-margin"),
        where_to_see=("generalisation.vc-margin", "G3"),
    ),
)
