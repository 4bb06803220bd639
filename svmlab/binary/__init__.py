"""The support vector machine for two classes: the problem, its solution with a certificate, and the path over C."""
