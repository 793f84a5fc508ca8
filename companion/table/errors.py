"""What stops a table from starting or writing, said with the next step in both languages."""

from __future__ import annotations

from calibration.errors import HintedError


class ConfigError(HintedError):
    """A table file that cannot be used; the hints have a line for every problem."""


class JournalError(HintedError):
    """A journal that cannot be opened, read or written. What stood in it before stands in it still."""
