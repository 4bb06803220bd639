# %% [markdown]
# # Pegasos against its bound
# Stochastic subgradient descent with the step 1/(λt) comes as close to the optimum as its theorem states, on average.

# %%
from svmlab import Linear, Problem, make_dataset, pegasos, plot, solve

data, lam = make_dataset("overlapping", m=60, seed=0), 0.05
run = pegasos(data, lam, 10_000, runs=20)
exact = solve(Problem.from_lambda(data, Linear(), lam=lam, bias=False))
optimum = exact.objective / (data.m * exact.problem.C)  # λ/2 |w|² + mean hinge loss
average = run.average[:, -1].mean()
print(f"optimum {optimum:.6f}, mean objective of the averaged iterates of 20 runs {average:.6f}")

# %% [markdown]
# The curves are the excess over the optimum. The dashed line is the bound 2X²/(λT)·(1 + ln T).

# %%
figure = plot.pegasos(run)
figure
