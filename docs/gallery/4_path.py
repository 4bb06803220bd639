# %% [markdown]
# # The regularisation path
# Between two breakpoints every dual variable is linear in C, so the solutions for all C are known.

# %%
from svmlab import Problem, make_dataset, plot, regularization_path, solve

path = regularization_path(Problem(make_dataset("overlapping", m=40, seed=0)))
print(len(path.C), "values of C at which a point changes its category, from", path.C[0], "to", path.C[-1])
figure = plot.path(path)
figure

# %% [markdown]
# `path.at(C)` is the solution that `solve` returns, bit for bit.

# %%
C = float(path.C[len(path.C) // 2])
assert path.at(C).alpha.tolist() == solve(Problem(path.problem.data, C=C)).alpha.tolist()
