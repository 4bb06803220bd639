# %% [markdown]
# # Kernels
# One data set that no line separates, and four kernels.

# %%
from svmlab import Composed, Gaussian, Linear, Polynomial, Problem, make_dataset, plot, solve

data = make_dataset("xor", m=60, seed=0)
kernels = [Linear(), Polynomial(2), Gaussian(0.5), Composed("linear + gaussian(1)")]
solutions = [solve(Problem(data, kernel, C=10)) for kernel in kernels]
for kernel, solution in zip(kernels, solutions, strict=True):
    errors = int((solution.margins <= 0).sum())
    print(f"{kernel}: {errors} training errors, {solution.support.sum()} support vectors")

# %% [markdown]
# The polynomial kernel of degree 2 has the product x₁x₂ among its features, and its sign is the class of XOR.

# %%
figure = plot.boundary(solutions[1])
figure

# %% [markdown]
# A small width σ lets the Gaussian kernel follow every point.

# %%
narrow = plot.boundary(solve(Problem(data, Gaussian(0.1), C=10)))
narrow
