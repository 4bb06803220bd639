# %% [markdown]
# # A first fit
# Solve a support vector machine exactly, look at it, and check its proof.

# %%
from svmlab import Dataset, Gaussian, Problem, certify, make_dataset, plot, solve

data = make_dataset("moons", m=60, noise=0.1, seed=0)
solution = solve(Problem(data, Gaussian(0.5), C=10))
solution

# %% [markdown]
# The categories say where each point lies: outside the margin, on a margin line, inside the margin, or misclassified.

# %%
print(solution.support.sum(), "support vectors,", solution.at_bound.sum(), "of them at the bound C")
print("training errors:", int((solution.margins <= 0).sum()))
figure = plot.boundary(solution)
figure

# %% [markdown]
# The certificate recomputes every optimality (KKT) condition from alpha and b alone.

# %%
certificate = certify(solution)
print(certificate, "relative gap between primal and dual objective:", solution.gap)
assert certificate.is_optimal(1e-9)

# %% [markdown]
# Labels may be any two values, and `predict` uses them again. The first in sorted order is class -1.

# %%
named = Dataset([[0, 1], [2, 3], [3, 2]], ["no", "yes", "yes"])
answer = solve(Problem(named))
print(answer.predict([[2, 2], [0, 0]]), answer.decision([[2, 2], [0, 0]]))
