# %% [markdown]
# # C and λ
# The same SVM is written with C, as in scikit-learn, or with λ = 1/(C m), as in the theory of Pegasos.

# %%
import math

from svmlab import Linear, NotSeparable, Problem, make_dataset, plot, solve

data = make_dataset("overlapping", m=60, seed=0)
for C in (0.01, 1, 100):
    solution = solve(Problem(data, C=C))
    margin, slack = 2 / solution.norm_w, solution.xi.sum()
    print(f"C = {C}: margin width {margin:.3f}, sum of slacks {slack:.3f}, {solution.support.sum()} support vectors")

# %% [markdown]
# A larger C penalises slack more, so the sum of slacks falls and the margin becomes narrower.

# %%
by_lambda = solve(Problem.from_lambda(data, Linear(), lam=1 / (100 * data.m)))
assert by_lambda.w.tolist() == solution.w.tolist()
figure = plot.boundary(solution)
figure

# %% [markdown]
# C = inf is the hard margin. It has no solution here, and the error carries the proof: a point in both convex hulls.

# %%
try:
    solve(Problem(data, C=math.inf))
except NotSeparable as reason:
    print(reason)
    print("common point of the convex hulls:", reason.separation.point)
