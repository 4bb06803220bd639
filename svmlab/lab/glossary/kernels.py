"""Terms about kernels: inner products in a feature space, their Gram matrix, and the standard kernels."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="inner-product",
        name=N_("inner product"),
        definition=N_(
            "The sum of the products of corresponding entries of two vectors. It is the length of one vector times "
            "the length of the projection of the other onto it, with a sign."
        ),
        forms=N_("inner product|inner products"),
        synonyms=N_("dot product|scalar product|likeness|similarity"),
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
            "A function of two points that is the inner product of their feature vectors. The dual and the decision "
            "function need only kernel values, so the feature vectors need not be computed."
        ),
        forms=N_("kernel|kernels|kernel values"),
        synonyms=N_("kernel trick|kernel function"),
        symbol="k",
        letters=("k",),
        formula=r"k(x, z) = \langle \phi(x), \phi(z)\rangle",
        see=("feature-space", "gram-matrix", "gaussian", "inner-product"),
        where_to_see=("kernels.coordinates", "duality.classify", "H8"),
    ),
    Term(
        key="feature-space",
        name=N_("feature space"),
        definition=N_(
            "A feature map φ gives each point new coordinates, called features. In the feature space of these "
            "vectors, the boundary is flat, and w and the margin are measured. Its dimension can be infinite."
        ),
        forms=N_("feature space|feature map"),
        synonyms=N_("lifting|features|monomials"),
        symbol="φ",
        signs=("φ",),
        letters=("ϕ", "φ"),
        formula=r"f(x) = \langle w, \phi(x)\rangle + b",
        see=("kernel", "boundary", "margin"),
        where_to_see=("kernels.lift", "pegasos.kernel"),
    ),
    Term(
        key="gram-matrix",
        name=N_("Gram matrix"),
        definition=N_(
            "The matrix of the kernel values of all pairs of points. For a kernel it is symmetric and positive "
            "semidefinite, so none of its eigenvalues is negative, whatever the points are."
        ),
        forms=N_("Gram matrix|eigenvalue|eigenvalues"),
        synonyms=N_("kernel matrix|positive semidefinite"),
        symbol="K",
        letters=("K",),
        formula=r"K_{ij} = k(x_i, x_j)",
        see=("kernel", "kernel-matrix-q", "sigmoid"),
    ),
    Term(
        key="least-eigenvalue",
        name=N_("smallest eigenvalue"),
        definition=N_(
            "The smallest eigenvalue of the Gram matrix. If it is positive, the feature vectors of the points are "
            "linearly independent, and every labelling of the points can be separated."
        ),
        forms=N_("smallest eigenvalue"),
        symbol="λₘᵢₙ",
        letters=("λ_m",),
        formula=r"a^\top K a \ge \lambda_{\min}\|a\|^2",
        see=("gram-matrix", "doubles"),
        where_to_see=("kernels.anything", "K11"),
    ),
    Term(
        key="doubles",
        name=N_("doubles"),
        definition=N_(
            "The usual floating-point numbers, with about 16 decimal digits. A difference that is 10¹⁶ times smaller "
            "than the two numbers is only rounding."
        ),
        forms=N_("doubles|double precision"),
        synonyms=N_("rounding|machine precision"),
        pages=("kernels",),
        see=("gram-matrix", "least-eigenvalue"),
        where_to_see=("kernels.anything",),
    ),
    Term(
        key="kernel-matrix-q",
        name=N_("matrix of the dual"),
        definition=N_(
            "The Gram matrix with the labels. An entry is positive if two points act on w in the same direction, and "
            "negative if they act against each other."
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
            "A kernel that depends only on the distance of two points and decreases with it. With a small width σ, "
            "the boundary can bend around single points. With a large one, it usually bends less."
        ),
        forms=N_("Gaussian kernel|Gaussian"),
        synonyms=N_("RBF|radial basis function|width|bandwidth"),
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
            "A kernel whose features are products of up to p coordinates, so the boundary is a curve of degree at "
            "most p. The scale s multiplies the inner product, and c₀ gives weight to the lower degrees."
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
            "A function that is not a kernel, because its Gram matrix can have negative eigenvalues. Here they are "
            "replaced by 0, and the result is marked."
        ),
        forms=N_("sigmoid"),
        synonyms=N_("hyperbolic tangent|tanh"),
        pages=("lab", "kernels"),
        formula=r"k(x, z) = \tanh(s\langle x, z\rangle + c_0)",
        see=("kernel", "gram-matrix"),
    ),
    Term(
        key="composed",
        name=N_("composed kernel"),
        definition=N_(
            "A function constructed from kernels, for example by sums and products. Sums, products and positive "
            "multiples of kernels are kernels. In formulas, G[k] is the Gaussian of the distance in the feature space "
            "of k."
        ),
        forms=N_("composed|recipe"),
        pages=("lab", "kernels"),
        formula=r"k(x, z) = k_1(x, z) + r\,k_2(x, z),\;\; r \ge 0",
        see=("kernel", "gram-matrix"),
        where_to_see=("kernels.construct", "K5"),
    ),
    Term(
        key="representer-theorem",
        name=N_("representer theorem"),
        definition=N_(
            "The minimiser w of a loss plus a strictly increasing function of ‖w‖ is a linear combination of the "
            "feature vectors of the training points. So m coefficients are enough, whatever the dimension is."
        ),
        forms=N_("representer"),
        formula=r"w = \sum_i a_i\,\phi(x_i)",
        see=("kernel", "normal", "counts"),
        where_to_see=("kernels.representer", "pegasos.kernel", "duality.sum"),
    ),
)
