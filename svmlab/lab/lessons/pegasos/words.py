"""Words of the lesson on Pegasos."""

INTRO = "Pegasos looks at **one point at a time**, drawn at random, and still finds the soft-margin line. It has no bias, so the board shows the machine without one, and w* is its exact solution."
EMPTY = "There are no points to draw from yet."
HARD = "The hard margin has λ = 0, and Pegasos divides by λ. With a price on slack it runs."
KERNEL = "Here Pegasos walks through w itself, and with the {kernel} kernel w has no coordinates on this board. With the linear kernel it runs."
LINEAR = "Use the linear kernel with slack"
TO_LAMBDA = "Put λ on the slider"
TO_LAMBDA_HELP = "The slider under the board then moves λ = 1/(C m) instead of C. The machine stays the same."
AGAIN = "Other draws"
AGAIN_HELP = "The same run with other random points."
CHOOSE = {
    "T": "steps T",
    "runs": "runs",
    "eps": "accuracy ε",
    "start": "Which steps",
    "kernel_T": "steps T",
    "run": "which run",
    "eta": "constant step η",
    "sizes": "largest number of points",
    "cost_eps": "accuracy ε",
    "descent_T": "steps",
}
CHOOSE_HELP = {
    "T": "How many random points each run looks at.",
    "runs": "Independent runs. The bound is about their mean.",
    "eps": "How far above F(w*) one is ready to stay.",
    "kernel_T": "How many random points the run looks at.",
    "run": "The inequality holds for each run by itself.",
    "eta": "The step as printed: the same in every round.",
    "sizes": "Times are measured up to this size. The larger ones take some seconds.",
    "cost_eps": "Pegasos is timed until its average is this close to F(w*).",
    "descent_T": "Rounds of every descent.",
}
TO_SCALE = "Arrows to scale."
SCALED = "Arrows at {by} of their length."

STEP = {
    "title": "One step",
    "question": "A step draws a point that is **right with room to spare**: y⟨w, x⟩ ≥ 1. What happens to w?",
    "reveal": "The film stands at such a step. **w shrinks at every step**, whoever is drawn; only a violation, y⟨w, x⟩ < 1, also pushes it towards y x.",
    "caption": "<b>t = {t}</b> · drawn {x}, class {y} · margin y⟨w, x⟩ = {margin} {sign} 1: {why}<br>"
    "w<sub>{next}</sub> = {shrink}·{before} {push} = {after} · {scale}",
    "pushed": "it violates, so w shrinks and is pushed by y x/(λt)",
    "kept": "no violation, so w only shrinks",
    "from": "from t = {t}",
    "table": "Steps **{first}** to **{last}**: **{pushes}** pushes, **{rests}** times only the shrink. |w| between **{low}** and **{high}**; "
    "the largest turn of one step is **{turn}°**.",
    "legend": "Accent: w and its line after the step. Pale: before it. Arrow in a class colour: the push. Dashed pink: the line of w*.",
}
STEP_CHOICES = ("Nothing", "It becomes a little shorter", "It moves towards y x")
STEP_TRY = ("A large λ: short steps", "One point against many")

CONVERGENCE = {
    "title": "Convergence",
    "question": "You grant **ten times the steps**. How much nearer does F at the average come to F(w*), on the whole?",
    "reveal": "Over the last decade of steps the gap of the average fell by a factor of **{gain}**. The bound falls like ln T/T: nearly ten. "
    "The accent line on the board is the average of the first run; the solid one is w*.",
    "head": "| returned after {T} steps | F − F(w*), mean | slope |\n|---|---|---|",
    "row": "| {name} | {gap} | {slope} |",
    "foot": "F(w*) = {F} at λ = {lam}. The bound allows **{bound}** for the average, with the gradients really met **{met}**; ln T/T has the slope {lnslope} here. "
    "A returns the average, D the last iterate; the proof is about the average.",
}
CONVERGENCE_CHOICES = ("About 3 times", "Nearly 10 times", "About 100 times")
CONVERGENCE_TRY = ("λ = 0.001: slow", "λ = 1: quick", "Moons")
CONVERGENCE_CHART = {
    "last": "last",
    "average": "average",
    "suffix": "second half",
    "bound": "bound",
    "sharp": "sharper bound",
    "realised": "with G met",
    "slope": "slope of ln t/t",
    "x": "steps t",
    "y": "F(w) − F(w*)",
}
RETURNED = {"average": "average of $w_1 \\dots w_T$", "suffix": "average of the second half", "last": "last iterate"}
ACCURACY = {
    "text": "To stay within **ε = {eps}** of F(w*) takes, measured, {average} steps for the average, {suffix} for the second half, {last} for the last iterate. "
    "The bound promises it from {bound} on, the sharper one from {sharp}.",
    "beyond": "more than {T}",
}
RATES = {
    "title": "Two rates.",
    "text": "On these axes the gap of F falls with slope **{F}**, the distance of the average to w* with **{w}** (now {far}). "
    "ln T/T is the rate of F; (λ/2)·distance² ≤ gap gives the distance only the root of it.",
}
RATES_CHART = {
    "gap": "gap of F",
    "distance": "distance",
    "allowed": "√(2 gap/λ)",
    "x": "steps t",
    "y": "of the average",
}

REGRET = {
    "title": "Regret",
    "question": "Notes A bound the regret of every run by G²/(2λT) times **ln(T+1)**. Is the left side always below that?",
    "reveal": "At t = 1 the left side is **{left1}**; the printed right side **{printed1}**, with 1 + ln T it is **{repaired1}**. "
    "At the end: {left} on the left, {exact} with the exact sum 1 + 1/2 + … + 1/T, {repaired} with 1 + ln T, for the longest gradient met, G = {G}.",
    "units": "Everything is divided by G²/(2λt), so the right sides are the factors alone. The solid line must stay below; crosses mark where it is above the printed factor. Hover for the sides as they are.",
}
REGRET_CHOICES = ("Yes, in each of these runs", "No, somewhere it is above")
REGRET_TRY = ("One point, λ = 1: the print fails", "Overlapping classes, λ = 0.02")
REGRET_CHART = {
    "left": "regret",
    "repaired": "1 + ln t",
    "exact": "1 + … + 1/t",
    "printed": "ln(t+1)",
    "x": "steps t",
    "y": "in units of G²/(2λt)",
    "sides": "(= %{customdata:.3g})",
    "above": "above ln(t+1)",
}

WHY = {
    "title": "Why it works",
    "question": "A draw Z moves w. **Which loss of the drawn point is, in the mean over Z, the objective F there?**",
    "reveal": "Over {n} draws at step {t} the loss **before** the step is {z} standard errors from $F(w_t)$, the loss **after** it {after} from F there: w has already answered to that point. "
    "The proof takes the first one, and then needs only that nothing grows too long.",
    "n": "draws",
    "gap": "above F(w*)",
}
WHY_CHOICES = ("Both, before and after the step", "Only the loss before the step", "Only the loss after the step")
WHY_TRY = ("λ = 10: every draw pushes", "Four corners")
WHY_TEXT = {
    "P3": "**‖w‖ ≤ X/λ.** Every w is 1/λ times a mean of pushes, and none is longer than X. Largest ratio: **{top}**.",
    "P4": "**‖gradient‖ ≤ 2X.** λw and the push are each at most X long. Largest ratio: **{top}**.",
    "P2": "**w is the sum of its pushes, over λt.** Lines: step by step. Circles: the sum. Largest difference: {apart}.",
    "P5": "**The draw is unbiased.** Running mean of the error, in standard deviations, with the band of two standard errors. Before the step z = **{z}**, after it **{after}**.",
    "P8": "**F at the mean ≤ mean of F.** F is convex: here **{left}** against **{right}** above F(w*).",
}
WHY_NAMES = {
    "P3": ("‖w‖λ/X", "bound"),
    "P4": ("‖g‖/2X", "bound"),
    "P2": ("w₁", "w₂", "sum form"),
    "P5": ("before the step", "after the step"),
    "P8": ("F at mean", "mean of F"),
}

INDEFINITE = "The {kernel} kernel with these parameters is no inner product, so there is no |w| to shrink. With the Gaussian kernel it runs."
GAUSSIAN = "Use the Gaussian kernel with slack"
KERNEL_STEP = {
    "title": "Kernel form",
    "question": "With a Gaussian kernel w lives in infinitely many dimensions. **What must one keep to run the very same algorithm?**",
    "reveal": "One signed count for each point: how often it was drawn and violated. After {T} steps {share} of the points have one; the bars on the board show them. "
    "At the points f of the averaged run is within **{apart}** of the exact f, F within **{gap}** of its least value. Accent: the run. Solid: exact.",
    "bars": "Bars: what each count is worth now, β/(λ(T−1)), in the class colour. Ticks: y α of the exact solver. Click a bar to select its point on the board.",
    "same": "**The same draws, the same classifier.** Over {steps} steps, f by counts and f by w differ by at most **{apart}** at the points.",
    "no_w": "With the {kernel} kernel there is no linear run beside it on this board; choose the linear kernel to see that both agree.",
}
KERNEL_CHOICES = ("A truncated w, so it is only approximate", "One number for each point", "All w so far")
KERNEL_TRY = ("Moons, Gaussian", "Circles, polynomial of degree 2", "The linear kernel")
COUNTS_CHART = {
    "bars": "worth now",
    "exact": "exact y α",
    "hover": "added %{customdata[1]} times, worth %{y:.4g}",
    "x": "points, by size of their bar",
    "y": "share in w",
}
INDEX = {
    "title": "Where the index stands.",
    "text": "D writes $w_t = \\theta_t/(\\lambda t)$. Pegasos is $\\theta_t/(\\lambda(t-1))$; D's is its twin with the step 1/(λ(t+1)) and arrives too. "
    "For D's own F with λ|w|² the step must have 2λ: mixing the two leaves a gap that does not vanish.",
    "y": "gap of its own F",
    "loop": "**What the loop returns.** After {T} rounds of D's listing it holds w of round {T}, |w| = {held}. It promises w of round {next}, |w| = {promised}, which it never forms.",
}
READINGS = {
    "w": "θ/(λ(t−1))",
    "theta": "θ/(λt)",
    "double": "θ/(2λ(t−1))",
    "mixed": "mixed",
    "limit": "mixed, in the end",
}

DESCENT = {
    "title": "Two descents",
    "question": "Notes B print stochastic descent so: on a violation *shrink and add x*, otherwise *leave w alone*. **Does that reach w\\*?**",
    "reveal": "No label, no shrinking in between, no weight: three slips in one line. Repaired, it is Pegasos. The batch form is right, but with a constant step it ends in a band.",
    "head": "| descent | one round | distance to w* |\n|---|---|---|",
    "x": "rounds",
    "legend": "Dashed: as printed. Of the batch descents the last w, of the stochastic ones the average. On the board: batch in accent (printed: pale), stochastic in the colour of class +1 (printed: of class −1).",
}
DESCENT_CHOICES = ("Yes, it comes as near as the repaired line", "No, it ends up elsewhere")
DESCENT_TRY = ("λ = 0.1", "Separable classes, λ = 0.05")
DESCENT_NAMES = {
    "batch_printed": "batch, constant step",
    "batch": "batch, step 1/r",
    "sgd_printed": "stochastic, printed",
    "sgd_written": "with label and shrinking",
    "sgd": "and with the weight C m",
}
DESCENT_LINES = {
    "batch_printed": "w − ηw + ηC Σ y x",
    "batch": "w − w/r + (C/r) Σ y x",
    "sgd_printed": "w − w/r + x/r, or w",
    "sgd_written": "w − w/r + y x/r",
    "sgd": "w − w/r + C m y x/r",
}
DESCENT_CHART = {
    "batch_printed": "batch, constant",
    "batch": "batch, 1/r",
    "sgd_printed": "printed",
    "sgd_written": "without C m",
    "sgd": "repaired",
}

COST = {
    "title": "What it costs",
    "question": "Twice as many points. **How much longer does the dense quadratic program take, once it is large?**",
    "reveal": "A dense program factors an m × m matrix: eight times the work. A stochastic step looks at one point, so it costs the same for any m. Measure it here.",
    "points": "Points are drawn like “{name}”, λ = {lam}, without bias, so that all solve one problem.",
    "measure": "Measure",
    "solvers": "**To the solution.** Pegasos until its average is within ε.",
    "steps": "**One step.**",
    "head": "| | slope | ms at {m} |\n|---|---|---|",
    "missing": "Where Pegasos is missing, a million steps did not reach ε.",
    "note": "Slopes are fitted to the larger half of the sizes. Small programs mostly measure what a call costs, so the slope 3 shows only from some hundred points on.",
    "x": "points m",
    "y": "seconds",
}
COST_CHOICES = ("2 times", "4 times", "8 times")
COST_NAMES = {
    "dual-qp": "dense QP",
    "exact": "exact solver",
    "pegasos": "Pegasos",
    "step": "step on w",
    "batch-step": "batch step",
    "kernel-step": "kernel step",
}
COST_LONG = {
    "dual-qp": "dense QP (cvxopt)",
    "exact": "exact solver of the lab",
    "pegasos": "Pegasos to ε",
    "step": "stochastic step on w",
    "batch-step": "batch step",
    "kernel-step": "kernel step, Gaussian",
}
