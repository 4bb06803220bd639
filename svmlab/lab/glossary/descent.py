"""Terms of the lesson on Pegasos: steps along a subgradient at one random point, and the theorems about them."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="pegasos",
        name=N_("Pegasos"),
        definition=N_(
            "Stochastic subgradient descent for the soft margin without bias: draw a point, shrink w, and if "
            "the point violates push w towards y x. Step t has the length 1/(λ t)."
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
            "The slope of a line that touches a convex function from below. Where the function is smooth it "
            "is the gradient; at a kink, as the hinge has one, there are many."
        ),
        forms=N_("subgradient|(sub)gradient|gradient|gradients"),
        symbol="∇",
        letters=("∇",),
        formula=r"\lambda w - v",
        see=("convex", "kink", "descent"),
        where_to_see=("losses.kink", "pegasos.gradients", "P4", "L3"),
    ),
    Term(
        key="descent",
        name=N_("subgradient descent"),
        definition=N_(
            "Steps against a subgradient, again and again. In a batch each step looks at all points; a "
            "constant step ends in a band around the optimum, steps 1/r arrive."
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
            "Each step looks at one point, drawn at random. It costs the same however many points there are, "
            "and is right in the mean only."
        ),
        forms=N_("stochastic|draw|draws"),
        pages=("pegasos",),
        symbol="Z",
        letters=("Z",),
        see=("unbiased", "pegasos", "descent"),
        where_to_see=("pegasos.draw", "pegasos.stochastic", "X3"),
    ),
    Term(
        key="step-length",
        name=N_("step length"),
        definition=N_(
            "How far a step goes along its subgradient. Pegasos takes 1/(λ t) in step t: long at first, then "
            "shorter and shorter."
        ),
        symbol="η",
        signs=("η",),
        letters=("η",),
        formula=r"\eta_t = \frac{1}{\lambda t}",
        see=("pegasos", "subgradient", "lambda"),
        where_to_see=("pegasos.step", "pegasos.theta", "P1"),
    ),
    Term(
        key="violation",
        name=N_("violation"),
        definition=N_("A point violates when it is short of its margin line, y f < 1. Only then does it push w."),
        forms=N_("violation|violates|violating"),
        pages=("pegasos",),
        formula=r"y\langle w, x\rangle < 1",
        see=("functional-margin", "push", "slack"),
        where_to_see=("pegasos.step", "P1"),
    ),
    Term(
        key="push",
        name=N_("push"),
        definition=N_(
            "What a drawn point adds to w: y x on a violation, nothing else. After t steps w is 1/λ times "
            "the mean push, early and late ones alike."
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
            "All pushes so far, added up. w is this sum divided by λ and the number of steps made, so a run "
            "need keep no more."
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
            "How often each point was drawn and violated, with the sign of its class. They stand for w where "
            "it cannot be written down."
        ),
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
            "The length of the point that lies farthest from the origin. It bounds the pushes, and so w and "
            "every subgradient."
        ),
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
            "The length of the longest subgradient that a run followed. It is at most 2X, twice the length "
            "of the longest point."
        ),
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
        definition=N_("How many steps a run makes. t is the present one, from 1 to T; wₜ is what it starts from."),
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
            "The mean of all w of a run. It jumps less than the last w, and the bound is proved for it; the "
            "mean of the second half is often nearer to the optimum."
        ),
        forms=N_("average of all|average"),
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
            "The mean over all that might be drawn. Before a step the expected loss of the drawn point is "
            "exactly F, so one point may stand for all."
        ),
        symbol="𝔼",
        letters=("𝔼",),
        formula=r"\mathbb{E}\,\ell_i(w) = F(w)",
        see=("stochastic", "loss", "objective"),
        where_to_see=("pegasos.draw", "P5"),
    ),
    Term(
        key="regret",
        name=N_("regret"),
        definition=N_(
            "The mean loss met on the way, less what w* would have met on the same draws. It is bounded in "
            "every run, whatever is drawn."
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
            "How fast a run comes near. F at the average goes to its minimum like ln T / T; the distance of "
            "w from w* like the root of that, or faster."
        ),
        forms=N_("rate of convergence|rate|rates"),
        pages=("pegasos",),
        see=("average", "strongly-convex", "steps"),
        where_to_see=("pegasos.convergence", "pegasos.rates", "P12"),
    ),
    Term(
        key="precision",
        name=N_("precision asked for"),
        definition=N_(
            "How near is near enough: F to its minimum, before a run counts as arrived; a value to f, so "
            "that it costs nothing: half the height of a tube."
        ),
        symbol="ε",
        signs=("ε",),
        letters=("ε", "ϵ"),
        see=("rate", "objective", "tube"),
        where_to_see=("pegasos.convergence", "pegasos.cost", "extensions.eps"),
    ),
)
