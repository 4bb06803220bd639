"""The support vector machine for two classes: the problem, its solution with the proof, and the path over C."""
