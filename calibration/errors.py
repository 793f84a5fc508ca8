"""Errors said so that a person knows the next step, in English and Romanian."""

from __future__ import annotations


class HintedError(ValueError):
    """What is wrong and what helps, in both languages, with a `code` for programs."""

    def __init__(self, code: str, *, hint_en: str, hint_ro: str) -> None:
        self.code = code
        self.hint_en = hint_en
        self.hint_ro = hint_ro
        super().__init__(hint_en)


class CalibrationError(HintedError):
    """A calibration that cannot be made or used."""
