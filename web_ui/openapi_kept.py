"""What /api/v1 answers of history and score sheets, as pydantic models for the OpenAPI document."""

from __future__ import annotations

from typing import Literal

from web_ui.openapi_models import ClosedModel, OpenModel


class GameOfMatch(OpenModel):
    """A game of a match: its points by seat, final once it is `over`; `record` is where it is saved from."""

    game: int
    over: bool
    points: list[int]
    closed_by: str | None
    entries: int
    record: str


class Match(OpenModel):
    """A match, or one imported game; `totals` and `places` are of its games that are over, by seat."""

    key: str
    imported: bool
    begun: str | None
    names: list[str]
    games: list[GameOfMatch]
    totals: list[int]
    places: list[int]
    over: bool


class PlayerRating(ClosedModel):
    """How strong a player seems: estimate, how unsure it is, and what he is ranked by."""

    mu: float
    sigma: float
    ordinal: float


class Player(OpenModel):
    """What a player has done in the games that were played to their end; `average` is points a game."""

    name: str
    games: int
    wins: int
    points: int
    average: float
    best: int | None
    worst: int | None
    openings: int
    closings: int
    doubles: int
    atus: int
    breaches: int
    rating: PlayerRating | None


class History(OpenModel):
    """Matches in the order in which they were begun, and players, the highest rating first."""

    matches: list[Match]
    players: list[Player]


class SheetRound(OpenModel):
    """A round: points by player, what they were `before` corrections; one that is `struck` does not count."""

    round: int
    points: list[int]
    at: str
    source: str
    note: str
    struck: bool
    before: list[list[int]]


class ScoreSheet(OpenModel):
    """A score sheet; `running` are the totals after each round that counts."""

    id: str
    name: str
    rules: str
    players: list[str]
    version: int
    ended: bool
    rounds: list[SheetRound]
    running: list[list[int]]
    totals: list[int]
    places: list[int]
    winners: list[str]


class SheetWriting(OpenModel):
    """One thing that was written on a sheet, with its fields."""

    event: Literal["begin", "round", "correct", "strike", "end", "reopen"]
    at: str


class WrittenSheet(ScoreSheet):
    """A score sheet with everything that was written on it, in order."""

    entries: list[SheetWriting]


class ScoreSheets(OpenModel):
    """The score sheets, the newest first."""

    sheets: list[ScoreSheet]
