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
            "The probability distribution of points with their labels. Training points and test points are drawn from "
            "it, independently of each other. Usually it is unknown. Where the lesson knows it, true errors can be "
            "computed."
        ),
        forms=N_("distribution|blobs"),
        pages=HERE,
        see=("true-error", "unseen", "draw"),
        where_to_see=("generalisation.unseen", "G0"),
    ),
    Term(
        key="draw",
        name=N_("random sample"),
        definition=N_(
            "A training set that was drawn at random from the distribution. Another sample has other points and leads "
            "to another SVM. What holds on average need not hold for each sample."
        ),
        forms=N_("draw|draws"),
        synonyms=N_("training sample"),
        pages=HERE,
        see=("distribution", "standard-error"),
        where_to_see=("generalisation.unseen", "generalisation.carry"),
    ),
    Term(
        key="unseen",
        name=N_("test points"),
        definition=N_(
            "Points of the same distribution that were not used for training. The test error is the fraction of them "
            "that the SVM misclassifies. It estimates the true error."
        ),
        forms=N_("test points|test set|fresh points"),
        synonyms=N_("unseen points|holdout|held-out|test error"),
        pages=LAB,
        see=("true-error", "training-error", "cross-validation"),
        where_to_see=("generalisation.unseen", "G0"),
    ),
    Term(
        key="true-error",
        name=N_("true error"),
        definition=N_(
            "The probability that a classifier misclassifies a new point, also called generalisation error. If the "
            "distribution is unknown, test points can only estimate it."
        ),
        forms=N_("true error|generalisation error"),
        synonyms=N_("true risk"),
        see=("training-error", "distribution", "cross-validation"),
        where_to_see=("generalisation.unseen", "generalisation.width", "G0"),
    ),
    Term(
        key="training-error",
        name=N_("training error"),
        definition=N_(
            "The fraction of the training points that the SVM misclassifies. On average over training sets it is "
            "usually smaller than the true error, because the SVM was fitted to these points."
        ),
        forms=N_("training error"),
        synonyms=N_("empirical error|share wrong"),
        see=("true-error", "errors", "overfitting"),
        where_to_see=("generalisation.unseen", "generalisation.width", "G0"),
    ),
    Term(
        key="overfitting",
        name=N_("overfitting"),
        definition=N_(
            "The SVM fits accidental details of the training points. Its training error is small, but its true error "
            "is much larger, for example with a Gaussian kernel that is too narrow."
        ),
        forms=N_("overfits"),
        synonyms=N_("overfit|learning by heart"),
        see=("training-error", "true-error", "gaussian"),
        where_to_see=("generalisation.width",),
    ),
    Term(
        key="cross-validation",
        name=N_("cross-validation"),
        definition=N_(
            "The training points are divided into k parts, often k = 5. Each part is classified by an SVM that was "
            "trained on the other parts. The error rate estimates the true error. The least of several is usually too "
            "optimistic."
        ),
        forms=N_("folds|fold"),
        synonyms=N_("five-fold|k-fold|validation"),
        pages=LAB,
        see=("leave-one-out", "true-error", "overfitting"),
        where_to_see=("generalisation.width",),
    ),
    Term(
        key="leave-one-out",
        name=N_("leave-one-out"),
        definition=N_(
            "Each point is removed once and classified by an SVM that was trained on the other m − 1 points. Over "
            "random training sets, the mean error rate is the mean true error of SVMs with m − 1 points."
        ),
        forms=N_("leave-one-out"),
        synonyms=N_("jackknife|LOO"),
        pages=HERE,
        see=("cross-validation", "support-vector", "true-error"),
        where_to_see=("generalisation.leave-one-out", "H9"),
    ),
    Term(
        key="number-of-support-vectors",
        name=N_("number of support vectors"),
        definition=N_(
            "The number of multipliers above 0. At a fixed C and with w ≠ 0, it is an upper bound of the number of "
            "leave-one-out errors. With strongly overlapping classes or a narrow kernel, it is usually large."
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
            "An upper bound of the true error that uses only the number N of support vectors and the number m of "
            "points. It can fail for at most a fraction δ of all training samples."
        ),
        forms=N_("compression bound|compression"),
        see=("number-of-support-vectors", "vacuous", "true-error"),
        where_to_see=("generalisation.carry", "G1"),
    ),
    Term(
        key="vacuous",
        name=N_("vacuous bound"),
        definition=N_(
            "A bound that holds for every classifier, such as an error of at most 2.1. It is correct but gives "
            "no information. For more points it often becomes smaller."
        ),
        forms=N_("no information"),
        synonyms=N_("trivial bound"),
        pages=HERE,
        see=("compression-bound", "risk"),
        where_to_see=("generalisation.carry", "generalisation.enough"),
    ),
    Term(
        key="risk",
        name=N_("risk"),
        definition=N_(
            "The mean loss over the distribution. With the hinge loss it is the hinge risk. The excess risk is the "
            "difference from the smallest risk that is possible with a w of bounded length."
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
            "Roughly the size of the random error of a mean. Four times as many values halve it. A difference of less "
            "than two standard errors can be random."
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
            "A label that was replaced by the other one at random. No classifier has a true error below the "
            "probability of a flip, if this is at most 1/2."
        ),
        forms=N_("flipped"),
        synonyms=N_("label noise"),
        pages=HERE,
        see=("label", "distribution", "overfitting"),
        where_to_see=("generalisation.unseen", "generalisation.carry"),
    ),
    Term(
        key="class-costs",
        name=N_("class costs"),
        definition=N_(
            "Factors of C, one for each class. Use a larger factor if the errors of a class are worse or its points "
            "are few. If each factor is m/2 divided by the number of points of the class, both classes have the same "
            "total weight."
        ),
        forms=N_("class costs"),
        synonyms=N_("class weights|imbalanced"),
        pages=LAB,
        see=("price", "slack", "label"),
        where_to_see=("generalisation.rare",),
    ),
    Term(
        key="standardisation",
        name=N_("standardisation"),
        definition=N_(
            "Each feature minus its mean, divided by its standard deviation. Distances depend on the units of the "
            "features, so without this a feature with large values can dominate."
        ),
        forms=N_("standardise|standard deviation"),
        synonyms=N_("scaling|normalisation|z-score"),
        see=("margin", "norm", "class-costs"),
        where_to_see=("generalisation.rare",),
    ),
)
