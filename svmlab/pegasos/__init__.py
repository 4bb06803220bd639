"""Pegasos: stochastic subgradient descent on the primal without bias, with its bound (P1-P13 of the catalogue, sources A, D)."""

from svmlab.pegasos.linear import PegasosRun, run_linear
from svmlab.pegasos.rule import Rule, checkpoints, objective
from svmlab.pegasos.sampling import draws
from svmlab.pegasos.textbook import Step, textbook

__all__ = ["PegasosRun", "Rule", "Step", "checkpoints", "draws", "objective", "run_linear", "textbook"]
