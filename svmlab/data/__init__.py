"""Labelled points: the dataset, files of points, and seeded generators."""

from svmlab.data.dataset import Dataset
from svmlab.data.generators import DATASETS, make_dataset, unseen

__all__ = ["DATASETS", "Dataset", "make_dataset", "unseen"]
