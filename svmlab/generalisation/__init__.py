"""Generalisation: true error of a known distribution, bounds, labellings, cross-validation and leave-one-out."""

from typing import TYPE_CHECKING

from svmlab.generalisation.blobs import Blobs, Estimate, training_error
from svmlab.generalisation.compression import (
    Compression,
    compression,
    compression_bound,
    fewest_points,
    max_support_vectors,
    sharper_bound,
    support_vector_difference,
)
from svmlab.generalisation.confusion import Confusion, Ratio, confusion, confusion_of_errors
from svmlab.generalisation.held_out import ErrorMap, HeldOut, balanced_error, error_map, held_out
from svmlab.generalisation.hull_margins import hull_margins
from svmlab.generalisation.labellings import (
    Labelling,
    count_with_margin,
    feature_radius,
    labellings,
    labels,
    margins,
    swept_margins,
)
from svmlab.generalisation.leave_one_out_bounds import (
    bound_is_guaranteed,
    possible_leave_one_out_errors,
    radius_squared,
)
from svmlab.generalisation.radon import Circuit, circuits, refuting_circuit
from svmlab.generalisation.resampling import CrossValidation, cross_validate, leave_one_out, solve_without
from svmlab.generalisation.risk import (
    Embedding,
    ExcessRisk,
    enough_points,
    excess_risk,
    hinge_risk,
    least_risk,
    moved_into_disc,
    risk_bound,
    risk_lambda,
    risk_problem,
)
from svmlab.generalisation.sample_errors import SampleErrors, sample_errors
from svmlab.generalisation.shattering import (
    Triple,
    best_triple,
    circumradii,
    circumradius,
    corrected_bound,
    least_informative_margin,
    least_margins,
    max_shattered_points,
    printed_bound,
    shattering_margin,
    side_lengths,
    smallest_balls,
    triple_margin,
    triples,
)
from svmlab.generalisation.sources import (
    CLEAN,
    NOISY,
    BlobSource,
    IdentifiedSample,
    PresetSource,
    Source,
    blobs_with_flipped_labels,
    board_rows,
    identify_sample,
    rounded_to_board,
)
from svmlab.generalisation.validation_curve import ValidationCurve, validation_curve
from svmlab.moved import old_names

__all__ = [
    "CLEAN",
    "NOISY",
    "BlobSource",
    "IdentifiedSample",
    "PresetSource",
    "Source",
    "identify_sample",
    "blobs_with_flipped_labels",
    "rounded_to_board",
    "board_rows",
    "Blobs",
    "Circuit",
    "SampleErrors",
    "Compression",
    "Confusion",
    "Ratio",
    "confusion",
    "confusion_of_errors",
    "ValidationCurve",
    "ErrorMap",
    "Estimate",
    "ExcessRisk",
    "HeldOut",
    "Labelling",
    "Embedding",
    "Triple",
    "CrossValidation",
    "smallest_balls",
    "best_triple",
    "circuits",
    "circumradii",
    "circumradius",
    "sample_errors",
    "compression",
    "compression_bound",
    "validation_curve",
    "enough_points",
    "error_map",
    "balanced_error",
    "excess_risk",
    "fewest_points",
    "cross_validate",
    "support_vector_difference",
    "held_out",
    "hinge_risk",
    "hull_margins",
    "moved_into_disc",
    "labellings",
    "labels",
    "leave_one_out",
    "least_margins",
    "least_risk",
    "margins",
    "corrected_bound",
    "max_support_vectors",
    "risk_lambda",
    "printed_bound",
    "bound_is_guaranteed",
    "feature_radius",
    "radius_squared",
    "risk_bound",
    "risk_problem",
    "sharper_bound",
    "max_shattered_points",
    "side_lengths",
    "least_informative_margin",
    "possible_leave_one_out_errors",
    "swept_margins",
    "shattering_margin",
    "training_error",
    "triple_margin",
    "triples",
    "count_with_margin",
    "solve_without",
    "refuting_circuit",
]

if not TYPE_CHECKING:  # a type checker would accept any name
    __getattr__ = old_names(__name__)
