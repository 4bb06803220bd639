"""Labelled points: the dataset, files of points, seeded generators, and measured flowers."""

from svmlab.data.dataset import Dataset
from svmlab.data.generators import DATASETS, make_dataset, unseen
from svmlab.data.measured import iris

__all__ = ["DATASETS", "Dataset", "iris", "make_dataset", "unseen"]
