"""Lines of the notes that are not correct and that no statement is about: mostly misprints of a letter or a word.

The page Sources lists them beside the incorrect lines of the statements.
"""

from __future__ import annotations

from dataclasses import dataclass

from svmlab.core.phrase import N_
from svmlab.statements.statement import Degree, Source


@dataclass(frozen=True)
class Slip:
    """A line with its flaw, and how it should read, in a sentence."""

    source: Source
    correct: str


def _slip(notes: str, at: int, place: str, quote: str, flaw: str, correct: str, degree: Degree = "misprint") -> Slip:
    return Slip(Source(notes, place, degree, quote, flaw, at), correct)


SLIPS: tuple[Slip, ...] = (
    _slip(
        "A",
        48,
        N_("proof of theorem 3, the norms"),
        r"$\|\mathbf{v}\|_{\mathcal{Y}}^2 \leq \|\mathbf{w}^*\|_{\mathcal{Y}}^2$",
        N_("The norm belongs to the feature space of K. The notes print 𝒴 as its index here, and K before."),
        N_("The index of both norms is K."),
    ),
    _slip(
        "A",
        74,
        N_("after (4)"),
        r"come questo risultato possa essere usato per migliorare $F(\bar{\mathbf{w}})$",
        N_("The result bounds F(w̄) from above, which is “maggiorare”. The notes print “migliorare”, to improve."),
        N_("The result is used to give F(w̄) an upper bound."),
    ),
    _slip(
        "A",
        99,
        N_("bound on G, last line"),
        r"$\|\nabla \ell_t(\mathbf{w}_t)\| \leq X + \lambda \|\mathbf{w}_t\| \leq 2X$",
        N_("The gradient is that of the loss of the random point, ℓ with the index s_t. The notes print the index t."),
        N_("The index of ℓ is s_t, as some lines before."),
    ),
    _slip(
        "B",
        3,
        N_("binary classifiers"),
        r"$h(\mathbf{x}) = g(\mathbf{w}^T \boldsymbol{\phi}(\mathbf{x}_i) + w_0)$",
        N_("The classifier is applied to x. The slides print xᵢ as the argument of φ."),
        N_("The argument of φ is x."),
    ),
    _slip(
        "B",
        12,
        N_("the widest margin, the names of the classes"),
        r"separating elements in $C_1$ from elements in $C_2$",
        N_("The classes are C₀ for y = −1 and C₁ for y = 1. The slides write C₁ and C₂ here."),
        N_("A hyperplane separates the elements of C₁ from those of C₀."),
    ),
    _slip(
        "B",
        15,
        N_("the constraint of each element"),
        r"$\gamma_i = t_i(\mathbf{w}^T \boldsymbol{\phi}(\mathbf{x}_i) + w_0) \ge 1$",
        N_("This is the functional margin of the element, written with a bar before. The slides omit the bar."),
        N_("The functional margin of each element is at least 1."),
    ),
    _slip(
        "B",
        26,
        N_("Dual problem"),
        r"$\lambda_i \lambda_j t_i t_j \phi(\mathbf{x}_i) \phi(\mathbf{x}_j)$ … $\lambda_i \ge 0 \qquad i = \dots, n$",
        N_("The first vector needs a transposition sign, and i starts at 1. The slides omit both here."),
        N_("The product is φ(xᵢ)ᵀφ(xⱼ), and i runs from 1 to n."),
    ),
    _slip(
        "B",
        52,
        N_("0/1 loss, the two cases"),
        r"$\min_{\mathbf{w},b} \mathbf{w}, b \sum_{i=1}^{n} \mathbf{1}[t_i(\mathbf{w}^T\mathbf{x}_i+b)>0]$",
        N_("The minimum is that of the sum. The slides print w and b once more in front of it, and “> 0” for “≤ 0”."),
        N_("The minimum over w and b is that of the number of points with t f(x) ≤ 0."),
    ),
    _slip(
        "B",
        55,
        N_("0/1 loss and regularization"),
        r"$\sum_{n} \mathbf{1}[t_n(\mathbf{w}^T \mathbf{x} + b) > 0] + \lambda R(\mathbf{w}, b)$",
        N_("The point of term n is xₙ, and the condition is “≤ 0”. The slides omit the index and print “> 0”."),
        N_("The sum counts the points xₙ with tₙ f(xₙ) ≤ 0."),
    ),
    _slip(
        "B",
        64,
        N_("Hinge loss, the derivative in b"),
        (
            r"$\frac{\partial}{\partial b} L_H = \begin{cases} -t & t(\mathbf{w}^T \mathbf{x} + b) \le 1\\ 0 & "
            r"t(\mathbf{w}^T \mathbf{x} + b) > 1\\ \text{undefined} & t(\mathbf{w}^T \mathbf{x} + b) = 1 \end{cases}$"
        ),
        N_("The first case needs “< 1”, as in the derivative in w. The slides print “≤ 1”, which overlaps the third."),
        N_("The derivative is −t for t f(x) < 1."),
    ),
    _slip(
        "B",
        75,
        N_("SVM and gradient descent"),
        "Since hinge loss is not differentiable a x=1, as discussed above, subgradient descent can be applied",
        N_("The kink of the hinge loss is at t f(x) = 1. The slides print x = 1."),
        N_("The hinge loss is not differentiable at t f(x) = 1."),
    ),
    _slip(
        "B",
        78,
        N_("Kernel methods motivation"),
        "Linear models (e.g., linear regression, linear SVM) are not just rich enough",
        N_("Linear models are just not rich enough. The slides exchange two words, so the sentence says the opposite."),
        N_("Linear models are just not rich enough."),
    ),
    _slip(
        "B",
        87,
        N_("the square with a constant, its sum"),
        r"$\sum_{i=1}^{n} \sum_{j=1}^{n} x_{1i} x_{1j} x_{2i} x_{2j}$",
        N_("The sums run over the d coordinates. The slides print n, which is the number of points elsewhere."),
        N_("Both sums run from 1 to d."),
    ),
    _slip(
        "B",
        92,
        N_("Techniques for constructing kernels, the linear kernel"),
        r"base functions $\phi = (\phi_1, \dots, \phi_n)$, with $\phi_i(\mathbf{x}) = \mathbf{x}$",
        N_("A base function is a number, here the coordinate xᵢ. The slides print the vector x."),
        N_("φᵢ(x) is the coordinate xᵢ."),
    ),
    _slip(
        "B",
        98,
        N_("Relevant kernel functions, the Gaussian kernel"),
        r"where $\sigma \in \mathbb{R}$",
        N_("The width σ must not be 0, because it is a divisor. The slides allow every real number."),
        N_("The width σ is a positive number."),
        "incomplete",
    ),
    _slip(
        "D",
        2,
        N_("introduction"),
        "Questo iperpiano divide lo spazio in due piani, uno positivo e uno negativo.",
        N_("A hyperplane divides the space into two half-spaces, as the sentence before says. The notes print planes."),
        N_("A hyperplane divides the space into a positive and a negative half-space."),
    ),
    _slip(
        "D",
        6,
        N_("section Margine, the definition"),
        r"$\min_{1\leq i \leq m} \frac{|<\vec{w},\vec{x}>+b|}{\|\vec{w}\|}$",
        N_("The minimum is taken over the points xᵢ. The notes print x without its index."),
        N_("The point in the numerator is xᵢ."),
    ),
    _slip(
        "D",
        12,
        N_("section Hard SVM, second formula"),
        r"$\min_{1\leq_{1}\leq,m} \frac{y_{i}(<\vec{w},\vec{x}>+b)}{\|\vec{w}\|}$",
        N_("The index i runs from 1 to m, and the point is xᵢ. The notes print another index and x."),
        N_("The minimum over i from 1 to m is that of yᵢ f(xᵢ)/‖w‖."),
    ),
    _slip(
        "D",
        18,
        N_("section Hard SVM, end"),
        "i dati reali non sono linearmente separabili",
        N_(
            "Some real data are linearly separable. A line separates two species of flowers in the lesson Margin. "
            "The notes claim that real data never are."
        ),
        N_("Real data are often not linearly separable."),
        "false",
    ),
    _slip(
        "D",
        42,
        N_("SVM in terms of the representer theorem"),
        r"$\frac{1}{m}\max \{ 0,1-y_{i}<\vec{w},\vec{x_{i}} \}$",
        N_("The losses of all points are added, and the inner product needs its second bracket. The notes omit both."),
        N_("The mean is taken over the hinge losses of all points."),
    ),
    _slip(
        "D",
        49,
        N_("SGD + RLM + SVM + representer theorem"),
        "problemi che sono quasi non linearmente separabili",
        N_("With kernels, classes can be separated that no line separates. The notes print “almost not separable”."),
        N_("The algorithm also applies to problems that are not linearly separable."),
        "hedged",
    ),
    _slip(
        "D",
        53,
        N_("Learnability, the class of problems"),
        "SVM è un problema complex-lip..-bounded",
        N_("The class is called convex-Lipschitz-bounded. The notes print “complex”."),
        N_("The SVM is a convex-Lipschitz-bounded problem."),
    ),
    _slip(
        "D",
        57,
        N_("introduction of kernels, the class of problems"),
        "Le SVM sono classificate come problemi “sparse-bounded”",
        N_("The class is called convex-Lipschitz-bounded. The notes print “sparse-bounded”."),
        N_("The SVM is a convex-Lipschitz-bounded problem."),
    ),
    _slip(
        "D",
        58,
        N_("introduction of kernels, the number of features"),
        "l'aumento della dimensionalità comporta un aumento esponenziale delle dimensioni dello spazio dei dati",
        N_("With a polynomial kernel of fixed degree, the number of features grows like a power of d (K2)."),
        N_("The number of features grows quickly with the dimension and with the degree."),
        "hedged",
    ),
    _slip(
        "D",
        74,
        N_("Polynomial kernel, definition"),
        "dove il prodotto scalare rappresenta la normale al nostro iperpiano",
        N_("The normal vector of the hyperplane is w. The notes call the inner product of w and φ(x) the normal."),
        N_("In this inner product, w is the normal vector of the hyperplane."),
        "false",
    ),
    _slip(
        "D",
        75,
        N_("Polynomial kernel, the inner product"),
        r"$=\ <w_{0}+w_{1}+\dots+w_{n}>,\ (1,x,x^2,\dots,x^n)>$",
        N_("The first factor is a vector with n + 1 components. The notes print plus signs between them."),
        N_("The first factor is (w₀, w₁, …, wₙ)."),
    ),
    _slip(
        "D",
        78,
        N_("Polynomial kernel, example"),
        r"$(1+x_{1}x_{2})^2=x_{1}^2x_{2}^2+a+2x_{1}x_{2}$",
        N_("The constant term is 1, as in the line that follows. The notes print a."),
        N_("The square is 1 + 2x₁x₂ + x₁²x₂²."),
    ),
    _slip(
        "D",
        81,
        N_("Polynomial kernel, several dimensions, the sum"),
        r"$1+x_{11}^2x_{21}^2+x_{12}^2,x_{22}^2+2x_{11}x_{21}$",
        N_("One term is the product of two squares. The notes print a comma between them."),
        N_("The third term is x₁₂²x₂₂²."),
    ),
    _slip(
        "E",
        28,
        N_("section 2, distance of a training point"),
        r"$distance(\mathbf{x}_n, b, \mathbf{w}) = \frac{1}{||\mathbf{w}||} y_n(\mathbf{w}^T\mathbf{x} + b)$",
        N_("The distance is that of the point xₙ. The notes omit the index of x."),
        N_("The point in the bracket is xₙ."),
    ),
    _slip(
        "E",
        52,
        N_("section 2, the standard problem"),
        r"目标函数: w的长度",
        N_("The objective is half the squared length of w, as in the formula of the notes. The text says the length."),
        N_("The objective is ½‖w‖², which has the same minimiser as ‖w‖."),
    ),
)
