"""Terms about kernels: the similarity that replaces the inner product, and its feature space."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="inner-product",
        name=N_("inner product"),
        definition=N_(
            "Two vectors multiplied entry by entry and added up: how far one reaches along the other, times its length."
        ),
        forms=N_("inner product|inner products"),
        symbol="⟨x, z⟩",
        letters=("⟨", "⟩"),
        formula=r"\langle x, z\rangle = x_1 z_1 + x_2 z_2",
        see=("kernel", "norm"),
        where_to_see=("duality.classify",),
    ),
    Term(
        key="kernel",
        name=N_("kernel"),
        definition=N_(
            "A similarity of two points that is an inner product in some feature space. Dual and decision "
            "function need nothing else, so it may stand for the inner product."
        ),
        forms=N_("kernel|kernels|kernel values"),
        symbol="k",
        letters=("k",),
        formula=r"k(x, z) = \langle \phi(x), \phi(z)\rangle",
        see=("feature-space", "gram-matrix", "gaussian", "inner-product"),
        where_to_see=("duality.classify", "pegasos.kernel", "H8"),
    ),
    Term(
        key="feature-space",
        name=N_("feature space"),
        definition=N_(
            "Where φ carries the points: there the boundary is flat, and w and the margin are measured. It "
            "may have infinitely many dimensions."
        ),
        forms=N_("feature space|feature map"),
        symbol="φ",
        signs=("φ",),
        letters=("ϕ", "φ"),
        formula=r"f(x) = \langle w, \phi(x)\rangle + b",
        see=("kernel", "boundary", "margin"),
        where_to_see=("pegasos.kernel",),
    ),
    Term(
        key="gram-matrix",
        name=N_("Gram matrix"),
        definition=N_(
            "The kernel of every two points in one table. For a kernel in the strict sense none of its "
            "eigenvalues is negative, whatever the points."
        ),
        forms=N_("eigenvalue|eigenvalues"),
        symbol="K",
        letters=("K",),
        formula=r"K_{ij} = k(x_i, x_j)",
        see=("kernel", "kernel-matrix-q", "sigmoid"),
    ),
    Term(
        key="least-eigenvalue",
        name=N_("least eigenvalue"),
        definition=N_(
            "The smallest factor by which the Gram matrix stretches a direction. Above 0 the points are "
            "independent in feature space, and every labelling of them can be separated."
        ),
        forms=N_("least eigenvalue"),
        symbol="λₘᵢₙ",
        letters=("λ_m",),
        formula=r"c^\top K c \ge \lambda_{\min}\|c\|^2",
        see=("gram-matrix", "doubles"),
        where_to_see=("kernels.anything", "K11"),
    ),
    Term(
        key="doubles",
        name=N_("doubles"),
        definition=N_(
            "The numbers that a processor counts in: some 16 digits. What is 10¹⁶ times smaller than what it "
            "is computed from is rounding alone."
        ),
        forms=N_("doubles|double precision"),
        pages=("kernels",),
        see=("gram-matrix", "least-eigenvalue"),
        where_to_see=("kernels.anything",),
    ),
    Term(
        key="kernel-matrix-q",
        name=N_("matrix of the dual"),
        definition=N_(
            "The Gram matrix with the labels in it. A positive entry: two points pull w the same way; a "
            "negative one: against each other."
        ),
        symbol="Q",
        letters=("Q",),
        formula=r"Q_{ij} = y_i y_j k(x_i, x_j)",
        see=("gram-matrix", "dual", "label"),
        where_to_see=("duality.programs", "H2"),
    ),
    Term(
        key="gaussian",
        name=N_("Gaussian kernel"),
        definition=N_(
            "Similarity that fades with the distance. A small width σ lets the boundary wind around single "
            "points, a large one makes it nearly straight."
        ),
        forms=N_("Gaussian kernel|Gaussian"),
        symbol="σ",
        signs=("σ",),
        letters=("σ",),
        formula=r"k(x, z) = \exp(-\|x - z\|^2/(2\sigma^2))",
        see=("kernel", "feature-space"),
    ),
    Term(
        key="polynomial",
        name=N_("polynomial kernel"),
        definition=N_(
            "Its features are products of up to p coordinates, so the boundary is a curve of degree p. s "
            "scales the inner product, c₀ weighs the lower degrees."
        ),
        forms=N_("polynomial"),
        symbol="p, s, c₀",
        letters=("p", "c_0"),
        formula=r"k(x, z) = (s\langle x, z\rangle + c_0)^p",
        see=("kernel", "sigmoid"),
        where_to_see=("kernels.coordinates", "kernels.count", "K1"),
    ),
    Term(
        key="sigmoid",
        name=N_("sigmoid kernel"),
        definition=N_(
            "A similarity that is no kernel in the strict sense: its Gram matrix mostly has negative "
            "eigenvalues. They are cut off here, and the machine is marked."
        ),
        forms=N_("sigmoid"),
        pages=("lab", "kernels"),
        formula=r"k(x, z) = \tanh(s\langle x, z\rangle + c_0)",
        see=("kernel", "gram-matrix"),
    ),
    Term(
        key="composed",
        name=N_("composed kernel"),
        definition=N_(
            "Made of kernels by sums, products, functions; a kernel itself where rules keep it one, as "
            "positive factors do. Its recipe says how. In formulas G[k] is the Gaussian of the distance in "
            "the features of k."
        ),
        forms=N_("composed|recipe"),
        pages=("lab", "kernels"),
        formula=r"k(x, z) = k_1(x, z) + c\,k_2(x, z)",
        see=("kernel", "gram-matrix"),
        where_to_see=("kernels.build", "K5"),
    ),
    Term(
        key="representer-theorem",
        name=N_("representer theorem"),
        definition=N_(
            "The best w is always a sum of the points in feature space, each with a weight. So one number "
            "for each point is enough, however many dimensions there are."
        ),
        forms=N_("representer"),
        formula=r"w = \sum_i c_i\,\phi(x_i)",
        see=("kernel", "normal", "counts"),
        where_to_see=("pegasos.kernel", "duality.sum"),
    ),
)
