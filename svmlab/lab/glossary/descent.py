"""Terms of the lesson on Pegasos: steps along a subgradient at one random point, and the theorems about them."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="pegasos",
        name=N_("Pegasos"),
        definition=N_(
            "Stochastic subgradient descent for the soft margin without bias. Each step draws one point at random "
            "and makes w shorter. At a margin violation it adds y x/(λ t)."
        ),
        forms=N_("Pegasos"),
        formula=r"w \leftarrow (1 - \frac1t)\,w + \frac{1}{\lambda t}\,v",
        see=("push", "step-length", "subgradient", "stochastic"),
        where_to_see=("pegasos.step", "P1"),
    ),
    Term(
        key="subgradient",
        name=N_("subgradient"),
        definition=N_(
            "The slope of a line or plane that touches a convex function and is nowhere above it. Where the function "
            "is smooth, it is the gradient. At a kink there are many."
        ),
        forms=N_("subgradient|subgradients|gradient|gradients"),
        symbol="∇",
        letters=("∇",),
        formula=r"F(u) \ge F(w) + \langle\nabla, u - w\rangle",
        see=("convex", "kink", "descent"),
        where_to_see=("losses.kink", "pegasos.gradients", "P4", "L3"),
    ),
    Term(
        key="descent",
        name=N_("subgradient descent"),
        definition=N_(
            "A method that makes steps against a subgradient, again and again. With a constant step size it need not "
            "converge. With a step size that decreases like 1/t it does."
        ),
        forms=N_("subgradient descent|gradient descent|descent"),
        formula=r"w \leftarrow w - \eta\,\nabla F(w)",
        see=("subgradient", "step-length", "stochastic"),
        where_to_see=("losses.down", "pegasos.batch", "L6"),
    ),
    Term(
        key="stochastic",
        name=N_("stochastic"),
        definition=N_(
            "Each step uses one training point that is drawn at random. Without a kernel, the cost of a step does not "
            "depend on the number of points. A step has the right direction only in expectation."
        ),
        forms=N_("stochastic|draw|draws"),
        synonyms=N_("SGD|stochastic gradient descent"),
        pages=("pegasos",),
        symbol="Z",
        letters=("Z",),
        see=("unbiased", "pegasos", "descent"),
        where_to_see=("pegasos.unbiased", "pegasos.stochastic", "X3"),
    ),
    Term(
        key="step-length",
        name=N_("step size"),
        definition=N_(
            "The factor of the subgradient in a step of descent, also called learning rate. Pegasos takes 1/(λ t) in "
            "step t, so it decreases with t."
        ),
        forms=N_("step size|learning rate"),
        synonyms=N_("learning rate|step length"),
        symbol="η",
        signs=("η",),
        letters=("η",),
        formula=r"\eta_t = \frac{1}{\lambda t}",
        see=("pegasos", "subgradient", "lambda"),
        where_to_see=("pegasos.step", "pegasos.theta", "P1"),
    ),
    Term(
        key="violation",
        name=N_("margin violation"),
        definition=N_(
            "A drawn point with y f < 1, so it is on the wrong side of its margin line. Only then does Pegasos add "
            "something to w."
        ),
        forms=N_("margin violation|violation"),
        pages=("pegasos",),
        formula=r"y\langle w, x\rangle < 1",
        see=("functional-margin", "push", "slack"),
        where_to_see=("pegasos.step", "P1"),
    ),
    Term(
        key="push",
        name=N_("push"),
        definition=N_(
            "The vector that the drawn point adds. It is y x at a margin violation, and 0 otherwise. After t "
            "steps, w is 1/λ times the mean of all pushes."
        ),
        forms=N_("push|pushes"),
        pages=("pegasos",),
        symbol="v",
        letters=("v_t", "v_s"),
        formula=r"w_{t+1} = \frac{1}{\lambda t}\sum_{s \le t} v_s",
        see=("pegasos", "violation", "theta"),
        where_to_see=("pegasos.pushes", "P2"),
    ),
    Term(
        key="theta",
        name=N_("sum of the pushes"),
        definition=N_(
            "The sum of all pushes so far. Divided by λ and by the number of steps it gives w, so a run needs to "
            "store nothing else."
        ),
        symbol="θ",
        signs=("θ",),
        letters=("θ",),
        formula=r"w_t = \frac{\theta_t}{\lambda(t-1)}",
        see=("push", "lambda"),
        where_to_see=("pegasos.theta", "P10"),
    ),
    Term(
        key="counts",
        name=N_("signed counts"),
        definition=N_(
            "The number of times each point was drawn with a margin violation, with the sign of its label. With "
            "a kernel, these numbers replace w."
        ),
        synonyms=N_("kernelised Pegasos"),
        symbol="β",
        letters=("β",),
        formula=r"f_t(x) = \frac{1}{\lambda(t-1)}\sum_j \beta_j k(x_j, x)",
        see=("kernel", "push", "multiplier"),
        where_to_see=("pegasos.kernel", "P9"),
    ),
    Term(
        key="longest",
        name=N_("longest point"),
        definition=N_(
            "The length of the training point that is farthest from the origin. No push is longer than X, no iterate "
            "of Pegasos is longer than X/λ, and no subgradient there is longer than 2X."
        ),
        synonyms=N_("largest norm of a point"),
        symbol="X",
        signs=("X",),
        letters=("X",),
        formula=r"X = \max_i \|x_i\|",
        see=("push", "largest-gradient", "radius"),
        where_to_see=("pegasos.ball", "P3"),
    ),
    Term(
        key="largest-gradient",
        name=N_("longest subgradient"),
        definition=N_(
            "The length of the longest subgradient of a run. It is at most 2X, twice the length of the longest "
            "training point."
        ),
        synonyms=N_("largest norm of a subgradient"),
        symbol="G",
        signs=("G",),
        letters=("G",),
        formula=r"G \le 2X",
        see=("subgradient", "longest", "regret"),
        where_to_see=("pegasos.gradients", "P4"),
    ),
    Term(
        key="steps",
        name=N_("number of steps"),
        definition=N_(
            "The number of steps of a run. t is the number of the present step, from 1 to T, and wₜ is the iterate "
            "before it."
        ),
        symbol="T",
        signs=("T",),
        letters=("T", "w_t"),
        see=("pegasos", "rate"),
        where_to_see=("pegasos.convergence", "P7"),
    ),
    Term(
        key="average",
        name=N_("average"),
        definition=N_(
            "The mean of the iterates of a run. The usual bound is proved for the average of all iterates. The "
            "average of the second half leaves out the first ones."
        ),
        forms=N_("average of all|average"),
        synonyms=N_("averaging|mean iterate"),
        pages=("pegasos",),
        symbol="w̄",
        letters=("bar w",),
        formula=r"\bar w = \frac1T\sum_t w_t",
        see=("regret", "convex", "rate"),
        where_to_see=("pegasos.mean", "pegasos.returned", "P8"),
    ),
    Term(
        key="unbiased",
        name=N_("expectation"),
        definition=N_(
            "The mean over all possible draws. Before a step, the expected loss of the drawn point is exactly F, so "
            "one point can stand for all."
        ),
        synonyms=N_("unbiased|expected value"),
        symbol="𝔼",
        letters=("𝔼",),
        formula=r"\mathbb{E}\,\ell_i(w) = F(w)",
        see=("stochastic", "loss", "objective"),
        where_to_see=("pegasos.unbiased", "P5"),
    ),
    Term(
        key="regret",
        name=N_("regret"),
        definition=N_(
            "The mean loss of the iterates minus the mean loss of w* for the same draws. Its bound holds for every "
            "run, whatever points are drawn."
        ),
        forms=N_("regret"),
        formula=r"\frac1T\sum_t (\ell_t(w_t) - \ell_t(w^*)) \le \frac{G^2}{2\lambda T}(1 + \ln T)",
        see=("loss", "average", "largest-gradient"),
        where_to_see=("pegasos.regret", "P6"),
    ),
    Term(
        key="rate",
        name=N_("rate of convergence"),
        definition=N_(
            "How fast a quantity decreases with the number of steps. The bound for F at the average iterate "
            "decreases like (ln T)/T, and the one for the distance like its square root."
        ),
        forms=N_("rate of convergence|rate|rates"),
        synonyms=N_("convergence rate"),
        pages=("pegasos",),
        see=("average", "strongly-convex", "steps"),
        where_to_see=("pegasos.convergence", "pegasos.rates", "P12"),
    ),
    Term(
        key="precision",
        name=N_("accuracy"),
        definition=N_(
            "The required accuracy of a result. In Pegasos, it is the largest allowed gap of F. In regression, ε "
            "is half the height of the tube, and the loss inside the tube is 0."
        ),
        synonyms=N_("precision|tolerance"),
        symbol="ε",
        signs=("ε",),
        letters=("ε", "ϵ"),
        see=("rate", "objective", "tube"),
        where_to_see=("pegasos.convergence", "pegasos.cost", "extensions.flat"),
    ),
)
