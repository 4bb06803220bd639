"""Every door of the package, by its name, with a good value for each parameter."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

import svmlab
from svmlab import (
    Dataset,
    Gaussian,
    Linear,
    Problem,
    generalisation,
    losses,
    make_dataset,
    multiclass,
    regression,
    regularization_path,
    solve,
)
from svmlab import data as points
from svmlab import pegasos as run_pegasos
from svmlab.firstorder import subgradient
from svmlab.kernels import features

pegasos = importlib.import_module("svmlab.pegasos")
ROOMS = {
    "svmlab": svmlab,
    "svmlab.data": points,
    "multiclass": multiclass,
    "regression": regression,
    "losses": losses,
    "pegasos": pegasos,
    "generalisation": generalisation,
    "features": features,
    "descent": subgradient,
}

X, Y = [[0.0, 1.0], [2.0, 0.5], [1.0, 3.0], [-1.0, -0.5]], [1, -1, 1, -1]
PLACES = np.array([[0.5, 1.0]])
DATA, TINY = Dataset(X, Y), make_dataset("xor", 4)
PROBLEM = Problem(DATA, C=0.7)
SOLUTION = solve(PROBLEM)
PATH = regularization_path(PROBLEM)
CLASSES = multiclass.Classes(X, [1, 2, 1, 3])
SEVERAL = multiclass.MulticlassProblem(CLASSES)
MACHINES, JOINT = multiclass.solve(SEVERAL), multiclass.solve(SEVERAL, "joint")
VALUES = regression.Values(X, [0.5, 1.0, 2.0, -1.0])
TUBE = regression.Tube(VALUES)
FIT = regression.solve(TUBE)
RULE = pegasos.Rule(0.1)
RUN, KERNEL_RUN = run_pegasos(DATA, 0.1, 20), run_pegasos(DATA, 0.1, 20, kernel=Gaussian())
HINGE, SQUARED, LOGISTIC = (losses.LOSSES[name] for name in ("hinge", "squared", "logistic"))
R1, R2 = losses.REGULARISERS["R1"], losses.REGULARISERS["R2"]
OF = {
    "least_squares": losses.Objective(DATA, SQUARED, R2, 0.1),
    "lasso": losses.Objective(DATA, SQUARED, R1, 0.1),
    "newton": losses.Objective(DATA, LOGISTIC, R2, 0.1),
    "linear_program": losses.Objective(DATA, HINGE, R1, 0.1),
    "proximal": losses.Objective(DATA, SQUARED, R1, 0.1),
}
BLOBS, SPACE = generalisation.Blobs(), generalisation.Embedding()
UNSEEN = generalisation.cross_validate(PROBLEM, 2)
CIRCUITS = generalisation.circuits(np.array(X))
EXCESS = generalisation.ExcessRisk((20,), np.zeros((1, 1)), np.ones(1), 0.2)
TEXT = "x1,x2,label\n0,1,1\n1,0,-1\n"
JSON = '{"X": [[0, 1], [1, 0]], "y": [1, -1]}'
TRIPLES, TRIPLE = np.array([[[0, 0], [1, 0], [0, 1.0]]]), np.array([[0, 0], [1, 0], [0, 1.0]])
W = np.array([1.0, -0.5])
PROGRESS = {"on_progress": None}
BOUND = {"r": 1.0, "B": 2.0}
DRAW = {"m": 5, "seed": 1}
MONOMIALS = {"d": 2, "degree": 2, "constant": True}
DEFINITE, WAVES = features.prove_definite(np.array(X), 1.0), features.random_features(2, 6)
LIFT = features.Lift()
PLANE, LINE = features.Plane(LIFT, np.array([1.0, -0.5, 0.5]), -1.0), np.linspace(-1.0, 1.0, 3)
FLAT = features.Plane(features.Lift("cube", True), np.array([1.0, 0.5]), -1.0)


def _machine(data: Dataset) -> Problem:
    return Problem(data)


DOORS = {
    "svmlab.Dataset": {"X": X, "y": Y, "ids": [1, 2, 3, 4], "labels": (-1, 1)},
    "svmlab.Dataset.moved": {"self": DATA, "X": X},
    "svmlab.Dataset.kept": {"self": DATA, "rows": [True, False, True, True]},
    "svmlab.Dataset.from_csv": {"text": TEXT},
    "svmlab.data.read_table": {"text": TEXT},
    "svmlab.Dataset.from_json": {"text": JSON},
    "svmlab.Problem": {
        **{
            "data": DATA,
            "kernel": Linear(),
            "C": 1.0,
            "bias": True,
            "costs": (1.0, 2.0),
            "weights": np.full(len(Y), 2.0),
        }
    },
    "svmlab.Problem.from_lambda": {
        **{
            "data": DATA,
            "kernel": Linear(),
            "lam": 0.1,
            "bias": True,
            "costs": (1.0, 2.0),
            "weights": np.full(len(Y), 2.0),
        }
    },
    "svmlab.Problem.qp": {"self": PROBLEM, "form": "dual"},
    "svmlab.Linear": {},
    "svmlab.Polynomial": {"degree": 2, "coef0": 1.0, "scale": 0.5},
    "svmlab.Gaussian": {"sigma": None, "gamma": 0.5},
    "svmlab.Sigmoid": {"scale": 0.5, "coef0": 0.5},
    "svmlab.Composed": {"recipe": "linear+gaussian(1)"},
    "svmlab.solve": {"problem": PROBLEM, "method": "exact", "start": SOLUTION},
    "svmlab.certify": {"solution": SOLUTION},
    "svmlab.separate": {"data": DATA, "kernel": Linear(), "bias": True},
    "svmlab.regularization_path": {"problem": PROBLEM, **PROGRESS},
    "svmlab.make_dataset": {"name": "moons", "m": 6, "noise": 0.1, "seed": 0},
    "svmlab.pegasos": {
        **{"data": DATA, "lam": 0.1, "T": 5, "runs": 1, "seed": 0, "kernel": Linear(), **PROGRESS, "form": "w"},
        **{"step": 1, "penalty_factor": 1, "replace": True, "batch": 1, "project": False},
    },
    "svmlab.Certificate.is_optimal": {"self": SOLUTION.certificate, "eps": 1e-9},
    "svmlab.Solution.decision": {"self": SOLUTION, "Z": PLACES},
    "svmlab.Solution.decision_function": {"self": SOLUTION, "Z": PLACES},
    "svmlab.Solution.predict": {"self": SOLUTION, "Z": PLACES},
    "svmlab.Solution.score": {"self": SOLUTION, "Z": X, "labels": Y},
    "svmlab.Solution.value_and_gradient": {"self": SOLUTION, "Z": PLACES},
    "svmlab.Solution.gradient": {"self": SOLUTION, "Z": PLACES},
    "svmlab.Path.at": {"self": PATH, "C": 1.0},
    "svmlab.Path.alpha": {"self": PATH, "C": 1.0},
    "svmlab.KernelRun.decision": {"self": KERNEL_RUN, "Z": PLACES, "which": "average", "run": 0, "at": -1},
    "svmlab.data.iris": {"plus": "setosa", "minus": "virginica", "features": ("sepal_length", "petal_width")},
    "svmlab.data.breast_cancer": {"features": ("radius", "texture")},
    "svmlab.data.fresh_points": {"name": "moons", "n": 4, "noise": 0.1},
    "multiclass.Classes": {"X": X, "y": [1, 2, 1, 3], "ids": [1, 2, 3, 4]},
    "multiclass.Classes.from_csv": {"text": TEXT},
    "multiclass.Classes.from_json": {"text": JSON},
    "multiclass.Classes.one_vs_rest": {"self": CLASSES, "k": 1},
    "multiclass.MulticlassProblem": {
        **{"data": CLASSES, "kernel": Linear(), "C": 1.0, "bias": True, "weights": np.full(4, 2.0)}
    },
    "multiclass.MulticlassProblem.binary_problem": {"self": SEVERAL, "k": 1},
    "multiclass.MulticlassProblem.qp": {"self": SEVERAL, "form": "dual"},
    "multiclass.solve": {"problem": SEVERAL, "method": "one-vs-rest", "start": MACHINES},
    "multiclass.certify": {"solution": JOINT},
    "multiclass.make_classes": {"name": "blobs", "n": 2, "seed": 0},
    "multiclass.JointSolution.decision": {"self": JOINT, "Z": PLACES},
    "multiclass.JointSolution.decision_function": {"self": JOINT, "Z": PLACES},
    "multiclass.JointSolution.predict": {"self": JOINT, "Z": PLACES},
    "multiclass.JointSolution.score": {"self": JOINT, "Z": X, "labels": [1, 2, 1, 3]},
    "multiclass.JointSolution.tied": {"self": JOINT, "Z": PLACES},
    "multiclass.OneVsRestSolution.machine": {"self": MACHINES, "k": 1},
    "multiclass.OneVsRestSolution.decision": {"self": MACHINES, "Z": PLACES},
    "multiclass.OneVsRestSolution.decision_function": {"self": MACHINES, "Z": PLACES},
    "multiclass.OneVsRestSolution.predict": {"self": MACHINES, "Z": PLACES},
    "multiclass.OneVsRestSolution.score": {"self": MACHINES, "Z": X, "labels": [1, 2, 1, 3]},
    "multiclass.OneVsRestSolution.tied": {"self": MACHINES, "Z": PLACES},
    "multiclass.OneVsRestSolution.count_positive": {"self": MACHINES, "Z": PLACES},
    "regression.Values": {"X": X, "y": [0.5, 1.0, 2.0, -1.0], "ids": [1, 2, 3, 4]},
    "regression.Values.from_csv": {"text": TEXT},
    "regression.Values.from_json": {"text": JSON},
    "regression.Tube": {
        **{"data": VALUES, "kernel": Linear(), "C": 1.0, "eps": 0.1, "bias": True, "weights": np.full(4, 2.0)}
    },
    "regression.Tube.qp": {"self": TUBE, "form": "dual"},
    "regression.solve": {"problem": TUBE, "method": "exact", "start": FIT},
    "regression.certify": {"fit": FIT},
    "regression.epsilon_path": {"problem": TUBE, "eps": [0.1, 0.2], "start": FIT},
    "regression.least_squares": {"data": VALUES, "kernel": Linear(), "bias": True},
    "regression.Fit.predict": {"self": FIT, "Z": PLACES},
    "regression.Fit.score": {"self": FIT, "Z": X, "values": [0.5, 1.0, 2.0, -1.0]},
    "regression.Fit.decision": {"self": FIT, "Z": PLACES},
    "regression.Fit.decision_function": {"self": FIT, "Z": PLACES},
    "regression.LeastSquaresFit.decision": {"self": regression.least_squares(VALUES), "Z": PLACES},
    "losses.Objective": {"data": DATA, "loss": HINGE, "regulariser": R2, "lam": 0.1, "bias": True},
    "losses.Objective.margins": {"self": OF["newton"], "w": W, "b": 0.5},
    "losses.Objective.value": {"self": OF["newton"], "w": W, "b": 0.5},
    "losses.Objective.gradient": {"self": OF["newton"], "w": W, "b": 0.5, "side": 1},
    **{f"losses.{name}": {"objective": OF[name]} for name in ("least_squares", "lasso", "linear_program")},
    "losses.newton": {"objective": OF["newton"], "steps": 5},
    "losses.proximal": {"objective": OF["proximal"], "steps": 5, "start": losses.lasso(OF["lasso"])},
    "losses.proximal_gap_bound": {"objective": OF["proximal"], "w": W, "b": 0.5, "steps": 5},
    "losses.subgradient_distance": {"objective": OF["newton"], "w": W, "b": 0.5},
    "losses.descend": {"objective": OF["newton"], "start": W},
    "losses.fewest_errors": {"data": DATA, **PROGRESS},
    "losses.error_counts": {"data": DATA, "angles": np.zeros(2), "offsets": np.ones(3)},
    "losses.zero_one_loss": {"t": W},
    "losses.p_norm": {"w": W, "p": 2.0},
    "pegasos.Rule": {
        **{"lam": 0.1, "form": "w", "step": 1, "penalty_factor": 1, "replace": True, "batch": 1, "project": False}
    },
    "pegasos.Rule.divisor": {"self": RULE, "t": np.arange(1, 5)},
    "pegasos.dual_coordinate_ascent": {"data": DATA, "lam": 0.1, "T": 5, "kernel": Linear(), "seed": 0, **PROGRESS},
    "pegasos.dual_value": {"lam": 0.1, "K": np.eye(4), "y": np.array(Y), "alpha": np.ones(4)},
    "pegasos.dual_coefficients": {"run": KERNEL_RUN},
    "pegasos.certificate": {"run": KERNEL_RUN},
    "pegasos.run_linear": {"data": DATA, "rule": RULE, "T": 5, "runs": 1, "seed": 0, **PROGRESS},
    "pegasos.run_kernel": {
        **{"data": DATA, "rule": RULE, "T": 5, "kernel": Gaussian(), "runs": 1, "seed": 0, **PROGRESS},
        **{"gram": np.eye(4)},
    },
    "pegasos.replay": {"run": RUN, "run_index": 0, "start": 1, "stop": 5},
    "pegasos.replay_kernel": {"run": KERNEL_RUN, "run_index": 0, "start": 1, "stop": 5},
    "pegasos.comparator_loss": {"run": RUN, "w": W},
    "pegasos.mean_objective": {"run": RUN, "run_index": 0},
    "pegasos.textbook": {"data": DATA, "rule": RULE, "T": 5, "seed": 0, "run": 0},
    "pegasos.objective": {"data": DATA, "lam": 0.1, "w": W},
    "pegasos.checkpoints": {"T": 5},
    "pegasos.draws": {"m": 4, "seed": 0, "run": 0, "start": 0, "stop": 5, "replace": True},
    **{f"pegasos.{name}": {"T": 5} for name in ("harmonic", "corrected_factor", "printed_factor")},
    **{
        f"pegasos.{name}": {"X": 1.0, "lam": 0.1, "T": 5}
        for name in ("gap_bound", "printed_gap_bound", "sharp_gap_bound")
    },
    "pegasos.regret_bound": {"G": 1.0, "lam": 0.1, "T": 5, "factor": 1.0},
    "generalisation.Blobs": {"mu": (1.0, 0.5), "s": 1.0, "eta": 0.1},
    "generalisation.Blobs.draw": {"self": BLOBS, **DRAW},
    "generalisation.Blobs.fresh": {"self": BLOBS, "n": 5, "seed": 1},
    "generalisation.Blobs.error": {"self": BLOBS, "w": W, "b": 0.5},
    "generalisation.Blobs.measured_error": {"self": BLOBS, "decision": SOLUTION.decision, "n": 5, "seed": 1},
    "generalisation.Blobs.true_error": {"self": BLOBS, "solution": SOLUTION, "n": 5, "seed": 1},
    "generalisation.training_error": {"solution": SOLUTION},
    "generalisation.circuits": {"X": np.array(X)},
    "generalisation.refuting_circuit": {"known": CIRCUITS, "y": np.array(Y)},
    "generalisation.Circuit.refutes": {"self": CIRCUITS[0], "y": np.array(Y)},
    "generalisation.sample_errors": {
        **{"source": BLOBS, "m": 6, "make_problem": _machine, "draws": 1, "first": 0, "fresh": 5, **PROGRESS}
    },
    "generalisation.compression": {"solution": SOLUTION, "delta": 0.05},
    "generalisation.compression_bound": {"N": 3.0, "m": 20, "delta": 0.05, "error_outside_support": 0.1},
    "generalisation.sharper_bound": {"N": 3.0, "m": 20, "delta": 0.05},
    "generalisation.max_support_vectors": {"m": 20, "delta": 0.05},
    "generalisation.fewest_points": {"N": 3, "delta": 0.05},
    "generalisation.support_vector_difference": {"solution": SOLUTION},
    "generalisation.validation_curve": {
        **{
            "problems": [PROBLEM],
            "source": BLOBS,
            "k": 2,
            "with_leave_one_out": False,
            "fresh": 5,
            "seed": 0,
            **PROGRESS,
        }
    },
    "generalisation.bound_is_guaranteed": {"solution": SOLUTION, "left_out": UNSEEN},
    "generalisation.radius_squared": {"problem": PROBLEM},
    "generalisation.possible_leave_one_out_errors": {"solution": SOLUTION},
    "generalisation.held_out": {"solution": SOLUTION, "fresh": DATA},
    "generalisation.error_map": {
        **{"problem": PROBLEM, "kernels": [Linear()], "penalties": [1.0], "fresh": DATA, **PROGRESS}
    },
    "generalisation.confusion": {
        **{"labels": [1, 2, 1, 1], "predicted": [1, 2, 2, 1], "undecided": [False, True, False, False]},
        **{"weights": [1.0, 2.0, 0.5, 1.0], "classes": [1, 2]},
    },
    "generalisation.balanced_error": {"y": Y, "errors": [True, False, False, True]},
    "generalisation.confusion_of_errors": {"y": Y, "errors": [True, False, False, True], "weights": [1.0, 2.0, 0.5, 1]},
    "generalisation.hull_margins": {"K": np.eye(3)},
    "generalisation.labels": {"k": 2},
    "generalisation.labellings": {"X": PLACES, "kernel": Linear(), **PROGRESS},
    "generalisation.margins": {"X": np.array(X)[:2], "kernel": Linear(), **PROGRESS},
    "generalisation.feature_radius": {"X": PLACES, "kernel": Linear()},
    "generalisation.swept_margins": {"X": np.array(X)[:3]},
    "generalisation.count_with_margin": {"labelling_margins": np.ones(4), "smallest_margin": 0.5},
    "generalisation.cross_validate": {"problem": PROBLEM, "k": 2, "seed": 0, "start": SOLUTION, **PROGRESS},
    "generalisation.leave_one_out": {"problem": PROBLEM, "start": SOLUTION, **PROGRESS},
    "generalisation.solve_without": {"problem": PROBLEM, "rows": np.arange(4) == 3, "start": SOLUTION},
    "generalisation.Embedding": {"d": 3, "noise": 0.5, "seed": 0},
    "generalisation.Embedding.lift": {"self": SPACE, "data": DATA, "seed": 0},
    "generalisation.ExcessRisk.useful_from": {"self": EXCESS, **BOUND},
    "generalisation.enough_points": {"eps": 0.5, **BOUND},
    "generalisation.risk_bound": {"m": 20.0, **BOUND},
    "generalisation.risk_lambda": {"m": 20.0, **BOUND},
    "generalisation.risk_problem": {"data": DATA, **BOUND},
    "generalisation.hinge_risk": {"w": W, "data": DATA},
    "generalisation.moved_into_disc": {"data": DATA, "radius": 1.0},
    "generalisation.least_risk": {"data": DATA, "B": 2.0},
    "generalisation.excess_risk": {
        **{"m": (6,), "B": 2.0, "space": SPACE, "blobs": BLOBS, "draws": 1, "fresh": 6, **PROGRESS}
    },
    "generalisation.shattering_margin": {"k": 3, "R": 1.0},
    "generalisation.max_shattered_points": {"rho": 0.5, "R": 1.0, "d": 2},
    "generalisation.printed_bound": {"rho": 0.5, "R": 1.0, "d": 2},
    "generalisation.corrected_bound": {"rho": 0.5, "R": 1.0, "d": 2},
    "generalisation.least_informative_margin": {"R": 1.0, "d": 2},
    "generalisation.triple_margin": {"X": TRIPLE},
    "generalisation.circumradius": {"X": TRIPLE},
    "generalisation.best_triple": {"R": 1.0, "tries": 2, "seed": 0, **PROGRESS},
    "generalisation.BlobSource": {"blobs": BLOBS},
    "generalisation.BlobSource.draw": {"self": generalisation.CLEAN, **DRAW},
    "generalisation.BlobSource.fresh": {"self": generalisation.CLEAN, "n": 5},
    "generalisation.BlobSource.true_error": {"self": generalisation.CLEAN, "solution": SOLUTION, "n": 5, "seed": 0},
    "generalisation.PresetSource": {"name": "moons", "noise": 0.1},
    "generalisation.PresetSource.draw": {"self": generalisation.PresetSource("moons", 0.1), **DRAW},
    "generalisation.PresetSource.fresh": {"self": generalisation.PresetSource("moons", 0.1), "n": 5},
    "generalisation.PresetSource.true_error": {
        **{"self": generalisation.PresetSource("moons", 0.1), "solution": SOLUTION, "n": 5, "seed": 0}
    },
    "generalisation.blobs_with_flipped_labels": {"eta": 0.1},
    "generalisation.rounded_to_board": {"data": DATA},
    "generalisation.board_rows": {"data": DATA},
    "generalisation.identify_sample": {"points": [(0, 1, 1)], "name": "moons", "size": 6, "noise": 0.1, "seed": 0},
    "generalisation.triples": {"m": 4},
    **{
        f"generalisation.{name}": {"T": TRIPLES}
        for name in ("least_margins", "side_lengths", "circumradii", "smallest_balls")
    },
    "features.span_basis": {"Phi": np.array(X)},
    "features.orthogonal_part": {"V": np.array(X), "basis": np.array([[1.0, 0.0]])},
    "features.orthogonal_directions": {"Phi": np.array([[1.0, 2.0, 0.0]]), "most": 2},
    "features.prove_definite": {"X": np.array(X), "sigma": 1.0},
    "features.DefinitenessProof.norm": {"self": DEFINITE, "y": np.array(Y)},
    "features.DefinitenessProof.leave_one_out_values": {"self": DEFINITE, "y": np.array(Y)},
    "features.gaussian_exponents": {"d": 2, "N": 3},
    "features.gaussian_factors": {"X": np.array(X), "Z": PLACES, "sigma": 1.0},
    "features.gaussian_features": {"X": np.array(X), "N": 3, "sigma": 1.0},
    "features.gaussian_grid": {"w": np.ones(3), "N": 1, "u": LINE, "v": LINE, "sigma": 1.0},
    "features.gaussian_remainder": {"r": 1.0, "N": 3, "sigma": 1.0},
    "features.gaussian_terms_needed": {"r": 1.0, "eps": 0.1, "sigma": 1.0},
    "features.gaussian_powers": {"x": LINE, "N": 3, "sigma": 1.0},
    "features.gaussian_squares": {"r": 1.0, "N": 3, "sigma": 1.0},
    "features.is_mostly_on_axis": {"X": np.array(X)},
    "features.Lift": {"height": "square", "flat": False},
    "features.Lift.heights": {"self": LIFT, "X": PLACES},
    "features.Lift.features": {"self": LIFT, "X": PLACES},
    "features.Lift.raised": {"self": LIFT, "data": DATA},
    "features.Lift.slopes": {"self": LIFT, "X": PLACES},
    "features.Plane": {"lift": LIFT, "w": np.ones(3), "b": 0.5},
    "features.Plane.f": {"self": PLANE, "X": PLACES},
    "features.Plane.thresholds": {"self": FLAT, "level": 0.0},
    "features.Plane.shadow": {"self": PLANE, "half": 4.0},
    "features.Plane.levels": {"self": PLANE, "half": 4.0, "values": [0.0, 1.0]},
    "features.Plane.zero_line": {"self": PLANE, "half": 4.0},
    "features.Plane.circle": {"self": PLANE},
    **{
        f"features.{name}": MONOMIALS
        for name in ("monomial_count", "exponents", "features_cost", "ordered_products", "ordered_product_count")
    },
    "features.kernel_cost": {"d": 2, "degree": 2},
    **{
        f"features.{name}": {"X": np.array(X), "degree": 2, "constant": True}
        for name in ("monomial_features", "gram_ranks", "vanishing_polynomials")
    },
    "features.ordered_product_features": {"X": np.array(X), "degree": 2, "coef0": 1.0},
    "features.weighted_features": {"X": np.array(X), "degree": 2, "coef0": 1.0, "scale": 1.0, "power": 1.0},
    "features.monomial_weights": {"d": 2, "degree": 2, "coef0": 1.0, "scale": 1.0},
    "features.random_deviation": {"K": np.array([0.5, 1.0]), "D": 5},
    "features.random_features": {"d": 2, "D": 5, "sigma": 1.0, "seed": 0},
    "features.RandomFeatures.grid": {"self": WAVES, "w": np.ones(6), "u": LINE, "v": LINE},
    "descent.batch_descent": {"data": DATA, "lam": 0.1, "T": 5, "C": 1.0, "eta": 0.5, **PROGRESS},
    "descent.sgd": {
        **{
            "data": DATA,
            "lam": 0.1,
            "T": 5,
            "reading": "repaired",
            "C": 1.0,
            "eta": 0.5,
            "runs": 1,
            "seed": 0,
            **PROGRESS,
        }
    },
}
MADE = {  # by functions of the package alone
    *("svmlab.Certificate", "svmlab.KernelRun", "svmlab.Path", "svmlab.PegasosRun", "svmlab.Separation"),
    *(
        "svmlab.Solution",
        "multiclass.JointSolution",
        "multiclass.OneVsRestSolution",
        "multiclass.MulticlassCategory",
        "svmlab.Category",
    ),
    *("regression.EpsilonPath", "regression.Fit", "regression.TubeCategory", "regression.LeastSquaresFit"),
    *("features.DefinitenessProof", "features.Factors", "features.RandomFeatures", "descent.Descent"),
    *("losses.FewestErrors", "losses.Fit", "losses.Minimum", "losses.Loss", "losses.Regulariser"),
    *("pegasos.DualAscentRun", "pegasos.RecordedKernelSteps", "pegasos.Step", "pegasos.RecordedSteps"),
    *(
        f"generalisation.{name}"
        for name in (
            "Circuit",
            "SampleErrors",
            "Compression",
            "ValidationCurve",
            "ErrorMap",
            "Estimate",
            "Confusion",
            "Ratio",
        )
    ),
    *(
        f"generalisation.{name}"
        for name in ("ExcessRisk", "HeldOut", "Labelling", "Triple", "CrossValidation", "IdentifiedSample")
    ),
}
TRUSTED = {  # what inner loops call, with arrays that are checked already
    *(
        "diag",
        "centred_kernel",
        "fractions",
        "grid",
        "feature_map",
        "feature_dim",
        "exponents",
        "smoothed",
        "slopes",
        "absolute_slope",
    ),
    *("losses.Loss.value", "losses.Regulariser.value", "generalisation.Estimate.counted"),
    "generalisation.ValidationCurve.lowest",  # of one of its own lines
}


def door_of(name: str) -> Callable[..., Any]:
    """The function, class or method that stands in DOORS under this name."""
    room = next(room for room in sorted(ROOMS, key=len, reverse=True) if name.startswith(f"{room}."))
    one: Any = ROOMS[room]
    for part in name.removeprefix(f"{room}.").split("."):
        one = getattr(one, part)
    return one
