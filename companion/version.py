"""The version of Remi Companion, said once."""

__version__ = "0.1.0"
