"""Words of the lesson on duality."""

from typing import Any

INTRO = (
    "The widest street can be looked for in two ways: by moving the line (**primal**), or by weighing the points "
    "(**dual**). Both ways end at the same machine. Here you see why."
)

# what stands in the way of a step

NO_POINTS = "There are no points yet."
NEEDS_BIAS = "This step is about the offset b, and the machine on the board has none."
ONE_CLASS = "There is only one class on the board, so there is no street between two classes."
NEEDS_LINEAR = "This step draws in the plane of w itself, and only the linear kernel has its w there."
NEEDS_PRODUCT = "The {kernel} kernel is no inner product on these points, so its dual is not the dual of any street."
NEEDS_HARD = "This step is about the hard margin, and the machine on the board allows slack."
NO_LINE = (
    "No boundary of this kind separates these points, so the hard margin has no solution (the last step shows why)."
)
FLAT = "Here w = 0: f is the same everywhere, and there is nothing to build."
SECOND = "The second solver gave up here."
BELOW = "A button below sets up a board where it works."

BOARDS = {
    "eight": "Eight points, hard margin",
    "four": "Four points, all in whole numbers",
    "sixty": "Sixty points, hard margin",
    "corners": "Four corners of a rectangle",
    "idle": "A point that only touches the margin",
    "lattice": "A lattice: ten points on the margin",
    "mixed": "Eight points that no line separates",
    "hard": "The same points, hard margin",
    "soft": "The same points with slack, C = 1",
    "bias_off": "Without bias",
    "bias_on": "With bias",
    "linear": "The linear kernel",
    "gaussian": "Gaussian kernel, hard margin",
    "turn": "Turn all points by a quarter",
}
POINT = "point"

VERSIONS: dict[str, Any] = {
    "title": "One problem, four versions",
    "question": "The notes arrive at the dual in four moves: **widest margin** over all directions, the **same with a fixed "
    "scale**, the **shortest w**, and the **dual**, which no longer speaks of a line at all. "
    "Each is solved by its own means. Do they find the same line?",
    "choices": (
        "All four find the same line",
        "Fixing the scale moves the line",
        "The dual finds another one, it never sees a line",
    ),
    "reveal": "All four stop at margin **{margin}**; the largest difference between any two of their lines is {apart} "
    "of a margin. Choose a version to see what it looks at.",
    "choose": "Version",
    "names": {"margin": "1 margin", "scale": "2 scale", "square": "3 shortest w", "dual": "4 dual"},
    "formulas": {
        "margin": r"\max_{\|u\|=1,\;b}\;\min_i\; y_i(\langle u,x_i\rangle+b)",
        "scale": r"\max_{w,\,b}\;\frac{1}{\|w\|}\quad\text{with}\quad \min_i\, y_i(\langle w,x_i\rangle+b)=1",
        "square": r"\min_{w,\,b}\;\tfrac12\|w\|^2\quad\text{with}\quad y_i(\langle w,x_i\rangle+b)\ge 1\ \text{ for all } i",
        "dual": r"\max_{\alpha\ge 0{BALANCE}}\;\sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_j\,y_iy_j\langle x_i,x_j\rangle",
    },
    "balance": r",\;y^\top\alpha=0",
    "says": {
        "margin": "Turn the normal u once around. For every direction the widest strip between the classes has a half width; "
        "below 0 the direction separates nothing. The top is the margin.",
        "scale": "The same lines, measured with another ruler: stretch u until the least margin is exactly 1. A narrow strip "
        "needs a long w, so the widest one has the shortest: all candidates lie on this curve, and |w| = 1/margin.",
        "square": "Let the least margin be 1 or more. Everything beyond the curve is allowed now, and nothing is gained: "
        "the point nearest to 0 still lies on the edge. But now the region is convex, and any QP solver can take it.",
        "dual": "One weight for each point and only inner products. The weights of the best machine add up to |w|², "
        "which is 1 over the squared margin: {total} here.",
    },
    "table": "each version, solved by itself",
    "head": ("version", "w", "b", "its value", "margin of its line"),
    "chart": {
        "angle": "direction of the normal, from the best one",
        "margin": "widest margin",
        "best": "margin",
        "w1": "w₁",
        "w2": "w₂",
        "allowed": "allowed",
        "shortest": "shortest w",
        "tight": "least margin 1",
    },
}

PROGRAMS: dict[str, Any] = {
    "title": "Two programs, one machine",
    "question": "A solver for quadratic programs wants matrices. The primal asks for w and b, the dual for α. "
    "How many unknowns does each have with the hard margin, on m points in the plane?",
    "choices": ("primal 3, dual m", "primal m, dual 3", "both m"),
    "reveal": "The primal has **{unknowns}** unknowns and {rows} rows, the dual **{m}** unknowns. Click a row here or a point on the "
    "board: it is one row of the primal, one row and column of the dual, and one multiplier in both.",
    "reveal_none": "With this kernel w has infinitely many entries: the primal cannot be written down at all. The dual has "
    "**{m}** unknowns, as always. Click a row here or a point on the board.",
    "formula": r"\begin{aligned}\text{primal}\quad&\min_u\ \tfrac12 u^\top P u + q^\top u && A u \ge c\\ "
    r"\text{dual}\quad&\max_\alpha\ \mathbf 1^\top\alpha - \tfrac12\alpha^\top Q\alpha && 0\le\alpha{C}{BALANCE}\end{aligned}",
    "primal": "A: yᵢ [1, xᵢ]",
    "primal_origin": "A: yᵢ xᵢ",
    "dual": "Q: yᵢ yⱼ k(xᵢ, xⱼ)",
    "unknowns": "u",
    "equation": "y",
    "slacks": "With slack each row of A has a ξᵢ of its own beside it, with price C, and 0 ≤ αᵢ ≤ C.",
    "C": r"\le C",
    "balance": r",\;y^\top\alpha=0",
    "P": r"P=\operatorname{diag}({DIAGONAL}),\quad q=\mathbf 0,\quad c=\mathbf 1",
    "map": {"rows": "rows of A", "dual": "Q", "alpha": "α", "point": "point"},
    "map_says": "Colours: above 0 green, below 0 pink, each map on its own scale. In Q a positive entry means that the two "
    "points pull w the same way too much; a negative one that they help each other.",
    "answers_head": ("", "value", "w", "b"),
    "answers_rows": {"primal": "printed primal", "dual": "printed dual", "exact": "exact method"},
    "cross": "The multipliers of the primal's rows **are** the unknowns of the dual{b}. They differ by {apart} at most.",
    "cross_b": ", and the multiplier of the dual's equation is the primal's b",
    "not_unique": "The two solvers stop at different multipliers, and both are right: α is not unique on this board (step 9).",
    "norm": "ǁwǁ = {norm}",
}

GAP: dict[str, Any] = {
    "title": "The gap closes",
    "question": "Start with α = 0 and climb: two multipliers at a time, as far as it pays. The dual value rises. Every α also "
    "gives a direction w = Σ αᵢ yᵢ xᵢ, and so a machine. What does the best primal value seen so far do?",
    "choices": (
        "It falls, and both meet",
        "It falls, but stays above by a gap",
        "It crosses the dual value",
    ),
    "reveal": "After **{steps}** steps both agree to within {gap} (relative). No dual value ever lies above a primal one, so each of "
    "them is a guarantee for the other: wherever you stop, the optimum {best} is caught in between.",
    "reveal_open": "After {steps} steps the dual stands at {dual}, the primal at {primal}; the optimum {best} is caught in between. "
    "This simple climb goes on in ever smaller steps.",
    "formula": r"\underbrace{\textstyle\sum_i\alpha_i-\tfrac12\alpha^\top Q\alpha}_{\text{every feasible }\alpha}\;\le\;"
    r"\text{optimum}\;\le\;\underbrace{\textstyle\tfrac12\|w\|^2{SLACK}}_{\text{every feasible }(w,b)}",
    "slack": r"+C\sum_i\xi_i",
    "chart": {"primal": "primal", "dual": "dual", "best": "optimum", "x": "step", "y": "value"},
    "film": "Step {k} of {n}: {who}.<br>dual {dual}, best primal {primal}",
    "start": "nothing weighs yet, there is no line",
    "pair": "points {i} and {j} move",
    "single": "point {i} moves",
    "none": "none yet",
    "how": "Sequential minimal optimisation (Platt 1998): always the pair that violates most, because y′α = 0 does not let one "
    "multiplier move alone. The film under the board shows the line of each step.",
    "how_single": "Coordinate ascent: always the multiplier that gains most. Without a bias each may move alone.",
    "film_kernel": "With this kernel the lines of the steps are not drawn.",
    "try_slow": "A narrow street: a long climb",
}

KKT: dict[str, Any] = {
    "title": "Line by line: KKT",
    "question": "Select a point that lies beyond its margin line, y f > 1. What must its multiplier be?",
    "choices": ("exactly 0", "positive", "anything from 0 up"),
    "reveal": "**{n}** of {m} points lie beyond their margin line, and the largest of their multipliers is **{top}**. Each line of the table "
    "must have one of its two factors at 0. Here w and b come from {who}, α from the exact method: neither saw the other.",
    "who": {True: "the primal program", False: "cvxopt's dual program (w is infinite)"},
    "formula": r"\begin{gathered}w=\sum_i\alpha_iy_ix_i{BALANCE}\\ y_if(x_i)\ge 1{XI},\quad \alpha_i\ge0,\quad \alpha_i\,(y_if(x_i)-1{XI2})=0\end{gathered}",
    "balance": r",\quad \sum_i\alpha_iy_i=0",
    "xi": r"-\xi_i",
    "xi2": r"+\xi_i",
    "sums": "| for the machine as a whole | residual | |\n|---|---|---|",
    "stationarity": "w = Σ αᵢ yᵢ xᵢ",
    "balance_line": "Σ αᵢ yᵢ = 0",
    "no_balance": "Σ αᵢ yᵢ = 0 | not asked for without a bias | |",
    "table": "and for each point",
    "head": ("y f − 1", "α", "product", "residual", '<span class="wide">so it is</span>'),
    "head_soft": (
        "y f − 1",
        "ξ",
        "α",
        "α (y f − 1 + ξ)",
        "(C − α) ξ",
        "residual",
        '<span class="wide">so it is</span>',
    ),
    "holds": "holds",
    "fails": "fails",
    "forces": {
        "outside": "y f > 1 forces α = 0: outside",
        "margin_idle": "both factors 0: on the margin, idle",
        "margin_free": "α > 0 forces y f = 1: support vector",
        "margin_full": "α = C and y f = 1: at its limit",
        "inside": "ξ > 0 forces α = C: inside the margin",
        "on_line": "ξ = 1 and α = C: on the boundary",
        "wrong": "ξ > 1 and α = C: wrong side",
    },
    "try_support": "Select a support vector",
    "try_outside": "Select a point beyond the margin",
}

SUM: dict[str, Any] = {
    "title": "w, piece by piece",
    "question": "The multipliers are there, the line is not. Lay down an arrow αᵢ yᵢ xᵢ for each point, head to tail, "
    "from the origin. Which points have an arrow at all?",
    "choices": ("Those with α > 0", "All of them", "Only the nearest point of each class"),
    "reveal": "**{n}** of {m} points: the others have α = 0 and add nothing. The chain ends at w = {w}. Play the film under the board. "
    "That the weights are not negative matters: each point can only push away from its own side.",
    "formula": r"w=\sum_{\alpha_i>0}\alpha_i\,y_i\,x_i,\qquad \alpha_i\ge 0{BALANCE}",
    "balance": r",\qquad \sum_i\alpha_iy_i=0",
    "film_start": "An empty sum: w = 0.",
    "film": "Add α<sub>{i}</sub> y<sub>{i}</sub> x<sub>{i}</sub> = {alpha} · ({y}) · {x}.<br>So far Σ α y x = {w}{balance}",
    "film_balance": ", Σ α y = {sum}",
    "film_end": "The chain ends at <b>w = {w}</b>{balance}. The boundary is perpendicular to it.",
    "scaled": " Arrows drawn {factor} times as long.",
    "many": "{n} support vectors would make a chain that nobody can follow. With at most {most} it is drawn.",
    "balance_title": "Do the classes weigh the same?",
    "balance_head": "| | Σ α of class +1 | Σ α of class −1 | Σ α y |\n|---|---|---|---|",
    "balance_rows": {True: "with bias", False: "without bias"},
    "balance_none": "no line separates",
    "balance_says": "With a bias they must: otherwise shifting b alone would pay. Without one nothing asks for it, and on "
    "most boards they do not. (The lemma in notes A that w is such a sum needs a condition on the constraints, for instance that they are linear, as here.)",
}

OFFSET: dict[str, Any] = {
    "title": "b, and whom to ask",
    "question": "w is known. Any point can be asked for the offset that would put it exactly on its margin line: "
    "b = yₖ − ⟨w, xₖ⟩. Whose answer is right?",
    "choices": ("Everybody's", "Those with α strictly between its limits", "Only the point nearest to the boundary"),
    "reveal": "The **{n}** points with {free} agree on b = **{b}**, to within {spread}. Ask everybody and the answers run from **{lo}** to **{hi}**; "
    "notes B admit every point with a multiplier of at least 0, and that is everybody. Select a point to see the line it asks for.",
    "reveal_none": "No multiplier lies strictly between its limits here, so nobody pins b: every b from {lo} to {hi} is optimal. "
    "The points themselves answer from {least} to {most}.",
    "free": {True: "α > 0", False: "0 < α < C"},
    "formula": r"b=y_k-\sum_j\alpha_jy_j\,k(x_j,x_k),\quad 0<\alpha_k{C}",
    "C": "<C",
    "chart": {
        "support": "0 < α{C}",
        "others": "the others",
        "right": "b",
        "x": "b, as each point would have it",
        "hover": "point %{customdata[0]}<br>b = %{x:.8g}<extra></extra>",
    },
    "picked": "Point {i} asks for b = {b}; the right b is {right}. {verdict}",
    "picked_right": "It is one of those who know.",
    "picked_wrong": "Its line (accent) would move by {shift}.",
    "mean": "The mean over all {n} points with α > 0 would be {mean}, and right is {b}.",
    "try_side": "Select a point far behind its margin line",
    "try_free": "Select a support vector",
}

CLASSIFY: dict[str, Any] = {
    "title": "Classifying with a few",
    "question": "A new place u comes in. To decide its class one compares it with points of the board through k(xᵢ, u). "
    "With how many of them?",
    "choices": ("Only the support vectors", "All of them", "The nearest one"),
    "reveal": "With **{n}** of {m}. For the selected point (or else the first one) the sum below gives f = **{f}**; "
    "the second solver gives {primal}. Nothing but inner products enters: turn all points and every term stays.",
    "formula": r"f(u)=\sum_{\alpha_n>0}\alpha_n\,y_n\,k(x_n,u)+b",
    "table": "f at point {i}, term by term",
    "head": ("αₙ yₙ", "k(xₙ, u)", "product"),
    "sum": "sum",
    "b": "b",
    "f": "f(u)",
    "misprint": "**A misprint to know.** Notes C put b in through a support vector x*, and subtract it in the wrong place. "
    "Since Σ αₙ yₙ = 0, it cancels there, and b is gone:",
    "misprint_formula": r"\begin{aligned}\text{printed}\quad&\sum\alpha_ny_n\,(x_n-x^*)^\top u+\tfrac1{y^*}=\langle w,u\rangle+\tfrac1{y^*}\\ "
    r"\text{right}\quad&\sum\alpha_ny_n\,x_n^\top(u-x^*)+\tfrac1{y^*}=\langle w,u\rangle+b\end{aligned}",
    "misprint_here": "The printed line (pink, dashed on the board) puts **{wrong} of {m}** points on the other side than the right one.",
    "misprint_none": "The misprint in notes C (the support vector subtracted in the wrong place) shows with the linear kernel and a bias.",
    "witness": "The board where the misprint shows most",
}

KEEP: dict[str, Any] = {
    "title": "Delete all the others",
    "question": "Take away every point that is no support vector. Where does the line go?",
    "choices": ("It stays exactly where it is", "It moves a little", "That depends on the points"),
    "reveal": "It stays: **{kept}** of {m} points carry the whole machine. The table solves both boards afresh. "
    "Delete them and look; Ctrl+Z brings them back.",
    "formula": r"\operatorname{SVM}\{i:\alpha_i>0\}=\operatorname{SVM}\{1,\dots,m\}",
    "head": "| | all {m} points | the {kept} support vectors alone | difference |\n|---|---|---|---|",
    "rows": {"margin": "margin 1/ǁwǁ", "b": "b", "value": "value", "support": "support vectors"},
    "fixed": "Both at C = {C}. (In the λ form C = 1/(λ m) changes when points go; then the line may move.)",
    "delete": "Delete the points that are no support vectors",
    "lose": "Delete one support vector instead",
    "back": "Undo",
    "ghost": "The thin line is the machine from before.",
    "alone": "Only support vectors are left.",
}

WEIGHTS: dict[str, Any] = {
    "title": "On the margin, and yet",
    "question": "A point lies exactly on its margin line. Is it a support vector, that is, has it a positive multiplier?",
    "choices": ("Yes, always", "It may have α = 0", "No, never"),
    "reveal": "**{margin}** points lie on the margin: {sure} carry weight in every optimal α, {may} in some, {idle} in none. "
    "Being on the margin only makes a point a *candidate*.",
    "reveal_many": "There are **{n}** corner solutions α, and every mixture of them is optimal as well. All give the same w and b; "
    "what the board shows is the one of least norm.",
    "reveal_one": "On this board α is unique.",
    "formula": r"\alpha_i>0\;\Rightarrow\;y_if(x_i)=1,\qquad\text{not conversely}",
    "least": "least norm: w = {w}",
    "corner": "corner {k} of {n}: w = {w}",
    "axis": "point on the margin",
    "range": "| point | least α | largest α | |\n|---|---|---|---|",
    "kinds": {
        "sure": "needed in every optimum",
        "may": "may go, may stay",
        "idle": "only a candidate: α = 0 in every optimum",
    },
    "too_many": "Too many points lie on the margin to list every corner.",
    "w": "ǁwǁ = {norm}",
}

NONE: dict[str, Any] = {
    "title": "When there is no line",
    "question": "Put points on the board that no line separates, and keep asking for the hard margin. "
    "The primal has no feasible point. What happens to the dual?",
    "choices": ("It has no feasible α either", "It grows without bound", "Its best α is 0"),
    "reveal": "It grows without bound. The hulls of the classes share a point, so weights v exist whose sum Σ vᵢ yᵢ φ(xᵢ) vanishes: "
    "the quadratic term is {curve} along them, and the dual at t·v is **{slope} t**. The same v proves that the constraints contradict each other.",
    "reveal_fine": "These points can be separated, so the dual is bounded: along t·α* it is a parabola whose top, {value}, is at t = 1. "
    "Now take the board with no line.",
    "formula": r"\begin{gathered}\sum_iv_iy_i\varphi(x_i)=0,\;\;v\ge0{BALANCE}\\ \Rightarrow\;\sum_iv_i\,y_if(x_i)=0\;\text{ for every }(w,b),"
    r"\;\text{ but}\;\ge\sum_iv_i\text{ is asked}\end{gathered}",
    "balance": r",\;y^\top v=0",
    "chart": {"value": "dual", "x": "t", "y": "dual value"},
    "top": "top at t = 1: no room above",
    "no_top": "{slope} t, without end",
    "table": "the points of the contradiction (ringed on the board)",
    "head": ("x", "vᵢ"),
    "asks": "This is where notes C and D leave the hard margin. The constraints ask the weighted sum of y f for at least {asked}; every line gives it exactly 0.",
    "climb": "The climb of step 3, started here, has reached {dual} after {steps} steps, and not one feasible machine above it.",
    "way_out": "The way out: a finite C keeps every α at or below C, and the dual is bounded again. That is the next lesson.",
}
