"""Labelled points: the dataset, files of points, tables, seeded generators, and measured flowers and tumours."""

from typing import TYPE_CHECKING

from svmlab.data.dataset import Dataset
from svmlab.data.generators import DATASETS, fresh_points, make_dataset
from svmlab.data.measured import breast_cancer, iris
from svmlab.data.table import read_table
from svmlab.moved import old_names

__all__ = ["DATASETS", "Dataset", "breast_cancer", "iris", "make_dataset", "fresh_points", "read_table"]

if not TYPE_CHECKING:  # a type checker would accept any name
    __getattr__ = old_names(__name__)
