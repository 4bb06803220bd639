"""Terms of the lesson on generalisation: training and test points, estimates of the true error, bounds, and costs."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

HERE = ("generalisation",)
LAB = (*HERE, "lab", "guide")
TERMS = (
    Term(
        key="distribution",
        name=N_("distribution"),
        definition=N_(
            "Where points and labels come from, seen and unseen alike, each drawn by itself. Mostly nobody "
            "knows it; in the lesson it is known, so that true errors can be computed."
        ),
        forms=N_("distribution|blobs"),
        pages=HERE,
        see=("true-error", "unseen", "draw"),
        where_to_see=("generalisation.unseen", "G0"),
    ),
    Term(
        key="draw",
        name=N_("draw"),
        definition=N_(
            "Points that chance has taken from the distribution. The next draw has others, and so another "
            "line: what holds on average need not hold in each."
        ),
        forms=N_("draw|draws"),
        pages=HERE,
        see=("distribution", "standard-error"),
        where_to_see=("generalisation.unseen", "generalisation.carry"),
    ),
    Term(
        key="unseen",
        name=N_("unseen points"),
        definition=N_(
            "Points of the same distribution that the machine was not fitted to. Only they tell how good it "
            "is: on its own points it may know every label by heart."
        ),
        forms=N_("unseen points|fresh points|held-out error|unseen"),
        pages=LAB,
        see=("true-error", "training-error", "cross-validation"),
        where_to_see=("generalisation.unseen", "G0"),
    ),
    Term(
        key="true-error",
        name=N_("true error"),
        definition=N_(
            "How likely a new point is classified wrong; also called generalisation error. It has a formula "
            "where the distribution is known; else fresh points estimate it."
        ),
        forms=N_("true error|generalisation error"),
        see=("training-error", "distribution", "cross-validation"),
        where_to_see=("generalisation.unseen", "generalisation.width", "G0"),
    ),
    Term(
        key="training-error",
        name=N_("training error"),
        definition=N_(
            "The share of the machine's own points that it has wrong. On average it is below the true error, "
            "as the machine was fitted to just these."
        ),
        forms=N_("training error"),
        see=("true-error", "errors", "overfitting"),
        where_to_see=("generalisation.unseen", "generalisation.width", "G0"),
    ),
    Term(
        key="overfitting",
        name=N_("overfitting"),
        definition=N_(
            "Fitting the accidents of the points instead of what their distribution has in common: the "
            "training error goes on falling while the true one rises, as with a Gaussian that is too narrow."
        ),
        forms=N_("overfitting|learn by heart"),
        see=("training-error", "true-error", "gaussian"),
        where_to_see=("generalisation.width",),
    ),
    Term(
        key="cross-validation",
        name=N_("cross-validation"),
        definition=N_(
            "The points are dealt into folds, mostly 5. Each is held out in turn and classified by a machine "
            "of the others. Along σ or C the mean error is the validation curve; its least value is too "
            "hopeful."
        ),
        forms=N_("folds|fold"),
        pages=LAB,
        see=("leave-one-out", "true-error", "overfitting"),
        where_to_see=("generalisation.width",),
    ),
    Term(
        key="leave-one-out",
        name=N_("leave-one-out"),
        definition=N_(
            "Each point is classified by a machine of all the others: folds of one. The share that goes "
            "wrong is right on average for a machine of m − 1 points."
        ),
        forms=N_("leaving one out|left out"),
        pages=HERE,
        see=("cross-validation", "support-vector", "true-error"),
        where_to_see=("generalisation.leave", "H9"),
    ),
    Term(
        key="number-of-support-vectors",
        name=N_("number of support vectors"),
        definition=N_(
            "How many multipliers are above 0. The machine comes back from these points alone, so few of "
            "them are a promise; with labels that overlap, or a narrow kernel, most points are."
        ),
        symbol="N",
        letters=("N",),
        see=("support-vector", "compression-bound"),
        where_to_see=("generalisation.carry", "generalisation.fewer", "G1"),
    ),
    Term(
        key="compression-bound",
        name=N_("compression bound"),
        definition=N_(
            "What N support vectors that carry the machine promise of its true error: the fewer of the m "
            "points, the less. It holds for all draws but a share δ."
        ),
        forms=N_("compression bound|compression"),
        see=("number-of-support-vectors", "vacuous", "true-error"),
        where_to_see=("generalisation.carry", "G1"),
    ),
    Term(
        key="vacuous",
        name=N_("vacuous bound"),
        definition=N_(
            "A bound that allows what is true anyway, such as an error of at most 2.1. It is right and says "
            "nothing; often it speaks from some number of points on."
        ),
        forms=N_("says nothing"),
        pages=HERE,
        see=("compression-bound", "risk"),
        where_to_see=("generalisation.carry", "generalisation.enough"),
    ),
    Term(
        key="risk",
        name=N_("risk"),
        definition=N_(
            "The mean loss over all that could be drawn; with the hinge the hinge risk. What a machine has "
            "above the least risk with a w that short is its excess."
        ),
        forms=N_("hinge risk|risk|excess"),
        pages=HERE,
        see=("hinge-loss", "true-error", "distribution"),
        where_to_see=("generalisation.enough", "G4"),
    ),
    Term(
        key="standard-error",
        name=N_("standard error"),
        definition=N_(
            "By how much a mean of draws is off by chance, roughly. Four times as many draws halve it. A "
            "difference of less than two of them may be no difference."
        ),
        forms=N_("standard error|standard errors"),
        pages=LAB,
        see=("draw", "unbiased"),
        where_to_see=("generalisation.unseen", "G0"),
    ),
    Term(
        key="flipped",
        name=N_("flipped label"),
        definition=N_(
            "A label that chance has turned into the other one. No line has a true error below the share of "
            "flips, and the points that were turned tempt the machine."
        ),
        forms=N_("flipped|flips"),
        pages=HERE,
        see=("label", "distribution", "overfitting"),
        where_to_see=("generalisation.unseen", "generalisation.carry"),
    ),
    Term(
        key="class-costs",
        name=N_("class costs"),
        definition=N_(
            "Factors of C, one for each class, where its errors are dearer or its points are few. Unbalanced "
            "classes cost the same in sum where each has m/2 over its number of points."
        ),
        forms=N_("class costs|rarer class"),
        pages=LAB,
        see=("price", "slack", "label"),
        where_to_see=("generalisation.units",),
    ),
    Term(
        key="standardisation",
        name=N_("standardisation"),
        definition=N_(
            "Each coordinate less its mean, divided by its standard deviation. Margins are measured in the "
            "units of the coordinates: without this, the one with large numbers decides."
        ),
        forms=N_("standardise|standard deviation"),
        see=("margin", "norm", "class-costs"),
        where_to_see=("generalisation.units",),
    ),
)
