"""Which examples belong to which statement: those of the quantities that it is about."""

from __future__ import annotations

import math
from collections.abc import Callable

from svmlab.statements.examples import binary_programs as programs
from svmlab.statements.examples import binary_solutions as solutions
from svmlab.statements.examples import composed_kernels as composed
from svmlab.statements.examples import error_bounds as bounds
from svmlab.statements.examples import feature_maps as features
from svmlab.statements.examples import kernel_values as kernels
from svmlab.statements.examples import lifts, optima
from svmlab.statements.examples import losses_and_lines as losses
from svmlab.statements.examples import measured_errors as errors
from svmlab.statements.examples import other_tasks as tasks
from svmlab.statements.examples import pegasos_runs as runs
from svmlab.statements.examples import points_in_plane as points
from svmlab.statements.examples import several_classes as classes
from svmlab.statements.examples import special_cases as special
from svmlab.statements.examples import special_tubes as tubes

STATEMENTS: dict[Callable[[], float], str] = {  # what is computed again: the statements that are about it
    solutions.error_of_margins: "M1 M2 M3 M4 M13 H8",
    solutions.error_of_norm: "M5 M6 M7 H1 H12 S1 T3",
    solutions.error_of_objectives: "S1 S2 H3 T1 T2",
    solutions.error_of_predictions: "M12 L4 G0",
    solutions.error_of_gradient: "M14",
    solutions.error_of_roles: "S5 G9",
    solutions.error_of_categories: "M3 S5 H12",
    solutions.error_of_slack_segments: "S12",
    solutions.error_of_level_lines: "M1 M3 M14 S12",
    solutions.error_of_rounding: "H4 S6",
    solutions.error_of_certificate: "H4 S6",
    optima.error_of_optima: "H1 H2 H3 H4 S1 S5 S6",
    optima.error_of_least_norm: "H12 S7",
    optima.error_of_starts: "H2 S1",
    optima.error_of_clipped_kernels: "K12",
    optima.error_of_methods: "H1 H2 H3 H6 S1",
    optima.error_of_many_points: "S1 S6 H8",
    optima.error_of_shared_paths: "S10 S11",
    optima.error_of_pair_steps: "T12",
    optima.error_of_curved_separations: "H11 K10 K11 M10",
    programs.error_of_primal: "H1 H14 S1 S17 T14",
    programs.error_of_dual: "H2 H14 H15 S1",
    programs.error_of_lambda: "S2 P7 P11",
    programs.error_of_bias: "H7 H12 M5 S7 S8 S13",
    programs.error_of_solution_bias: "H7 H12 S7 S8",
    programs.error_of_path: "S10 S11",
    programs.error_of_separability: "M10 H11 L13",
    kernels.error_of_linear: "H2 K1 K14",
    kernels.error_of_polynomials: "K1 K2 K10 K14",
    kernels.error_of_gaussians: "K6 K7 K11 G5 K14",
    kernels.error_of_sigmoids: "K12",
    features.error_of_monomials: "K1 K2 K3",
    features.error_of_polynomial_features: "K1 K2 K3",
    features.error_of_gaussian_features: "K6 K7",
    features.error_of_random_features: "K7",
    features.error_of_definiteness: "K11",
    features.error_of_complements: "K8",
    lifts.error_of_lifts: "K10",
    runs.error_of_runs: "P1 P2 P3 P4 P6 P7 P8 P11",
    runs.error_of_replays: "P1 P2 P6 P8 P13",
    runs.error_of_kernel_runs: "P9 P10",
    runs.error_of_descents: "L6 L7",
    runs.error_of_bounds: "P6 P7 P12 P14 P15",
    runs.error_of_draws: "P5 P7 P8 P15 L7",
    runs.error_of_estimates: "P5",
    runs.error_of_textbook: "P1 P2 P10 P13",
    runs.error_of_kernel_choice: "P9",
    losses.error_of_losses: "L1 L2 L3 L10 L12 L14 L16",
    losses.error_of_regularisers: "L5 L8",
    losses.error_of_objective: "L3 L5 L10 L11 L14",
    losses.error_of_minima: "L5 L8 L10 T13",
    losses.error_of_perceptron: "M8 L9 L13",
    losses.error_of_fewest_errors: "L4 L9 L15",
    losses.error_of_special_minima: "L5 L8 L10",
    errors.error_of_cross_validation: "G0 G4 T6",
    errors.error_of_test_errors: "G0",
    errors.error_of_confusion: "G0",
    errors.error_of_blobs: "G0",
    bounds.error_of_compression: "G1",
    bounds.error_of_estimates: "T6",
    bounds.error_of_risk: "G4",
    bounds.error_of_labellings: "G2 G6 G7 G8 G10",
    points.error_of_triples: "G2 G3 G7 G8",
    points.error_of_circuits: "G7 G10",
    points.error_of_lines: "M1 M2 M4 M6 M9 M11 M14 S16",
    points.error_of_reduced_hulls: "T10",
    points.error_of_hulls: "G2 G6",
    points.error_of_clips: "M1 M14 S16",
    points.error_of_convex_hulls: "M10 T10",
    points.error_of_grids: "M14 S12",
    tasks.error_of_fits: "X2",
    tasks.error_of_tubes: "X2",
    tasks.error_of_classes: "X1",
    tasks.error_of_joint: "T20",
    tasks.error_of_scaling: "T4 G8",
    tasks.error_of_boards: "G0 G5 M10",
    classes.error_of_joint_optima: "T20",
    classes.error_of_joint_programs: "T20",
    classes.error_of_one_vs_rest: "X1",
    classes.error_of_class_boards: "X1 T20",
    tubes.error_of_special_tubes: "X2",
    tubes.error_of_tube_programs: "X2",
    tubes.error_of_second_opinions: "X2",
    tubes.error_of_epsilon_grid: "X2",
    composed.error_of_composed_kernels: "K5 K13",
    composed.error_of_derived_kernels: "H8 K5 K13",
    special.error_of_constant_functions: "H8 H12 M1 M5 S1 S7 S17",
    special.error_of_equal_points: "G2 G6 G7 G8 G10",
    special.error_of_late_projections: "P3",
    special.error_of_runs_in_parts: "P5 P7 P8 P12",
    special.error_of_own_losses: "P5 X1",
    special.error_of_shrinking_steps: "L5",
}


def error_on_examples(id: str) -> float:
    """Return the largest difference on the examples of a statement: 0 if there is none, inf for an error.

    The examples are fixed and valid, so an error of any kind comes from a wrong library.
    """
    try:
        return max((error() for error, ids in STATEMENTS.items() if id in ids.split()), default=0.0)
    except Exception:
        return math.inf
