"""The version of the package, for those below the package's own door."""

__version__ = "0.1.0"
