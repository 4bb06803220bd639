# %% [markdown]
# # Several classes, and regression
# One-vs-rest solves a binary SVM for each class. The joint SVM of Crammer and Singer solves one problem for all.

# %%
import numpy as np

from svmlab import Gaussian, plot
from svmlab.multiclass import MulticlassProblem, make_classes
from svmlab.multiclass import solve as solve_classes
from svmlab.regression import Tube, Values
from svmlab.regression import solve as solve_tube

classes = make_classes("blobs")
for scheme in ("one-vs-rest", "joint"):
    answer = solve_classes(MulticlassProblem(classes, C=1.0), scheme)
    errors = int((answer.predict(classes.X) != classes.y).sum())
    print(f"{scheme}: {errors} training errors, proven: {answer.proven}")

figure = plot.classes(answer)
figure

# %% [markdown]
# Support vector regression ignores residuals up to ε. A larger ε leaves fewer support vectors.

# %%
x = np.linspace(-3, 3, 40)[:, None]
values = Values(x, np.sin(x[:, 0]) + 0.1 * np.cos(7 * x[:, 0]))
for eps in (0.05, 0.1, 0.2):
    fit = solve_tube(Tube(values, Gaussian(1.0), C=10, eps=eps))
    print(f"ε = {eps}: {fit.support.sum()} support vectors, largest residual {np.abs(fit.residuals).max():.3f}")

tube = plot.regression(fit)
tube
