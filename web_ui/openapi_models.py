"""What /api/v1 takes and answers, as pydantic models; only the OpenAPI document and its tests use them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

Point = tuple[float, float]
Coordinate = Annotated[float, Field(strict=True, allow_inf_nan=False)]


class OpenModel(BaseModel):
    """Later versions add fields: who reads skips those it does not know."""

    model_config = ConfigDict(extra="allow")


class ClosedModel(BaseModel):
    """There are no other fields."""

    model_config = ConfigDict(extra="forbid")


class AnyObject(OpenModel):
    """A JSON object."""


class BothLanguages(ClosedModel):
    """A text in Romanian and English."""

    ro: str
    en: str


class ProblemDetails(ClosedModel):
    """Which problem, and words for it."""

    code: str
    message: BothLanguages


class Problem(ClosedModel):
    """What is wrong, and what to do."""

    error: ProblemDetails


class RuleSet(ClosedModel):
    """A rule set: its key and its name."""

    key: str
    name: BothLanguages


class RuleSets(ClosedModel):
    """The rule sets."""

    rules: list[RuleSet]


class Alternative(ClosedModel):
    """What a tile may show too."""

    face: str
    confidence: float


class PhotoTile(ClosedModel):
    """A tile of a photo; `quad` in image pixels, upright top left corner first."""

    number: int
    face: str
    quad: tuple[Point, Point, Point, Point]
    confidence: float = Field(ge=0, le=1)
    alternatives: list[Alternative]
    checked: bool
    added: bool
    row_of: int | None


class PhotoMeld(ClosedModel):
    """A meld: numbers of tiles in order, and its worth at the end and when opening."""

    tiles: list[int]
    faces: str
    shape: Literal["run", "group"]
    points: int
    opening_points: int | None
    stands_for: list[str]


class Loose(ClosedModel):
    """A tile in no meld; one that was not read has no points."""

    tile: int
    face: str
    points: int | None


class Repair(ClosedModel):
    """A tile that the rules say was misread."""

    tile: int
    was: str
    now: str
    odds: int
    code: str
    clause: str
    why: BothLanguages


class Conflict(ClosedModel):
    """Tiles that do not fit together."""

    tiles: list[int]
    faces: list[str]
    code: str
    clause: str
    why: BothLanguages


class CountedPhoto(ClosedModel):
    """A photo as counted."""

    id: str
    version: int
    rules: str
    size: tuple[int, int]
    picture: str
    milliseconds: dict[str, float]
    tiles: list[PhotoTile]
    melds: list[PhotoMeld]
    loose: list[Loose]
    total_melds: int
    total_loose: int
    total: int
    total_opening: int | None
    doubts: list[int]
    foreign: list[int]
    too_many: list[str]
    repairs: list[Repair]
    conflicts: list[Conflict]


class NewTile(ClosedModel):
    """A tile that was missed: where it lies, `x` and `y` in image pixels, or in whose row."""

    face: str
    x: Coordinate | None = None
    y: Coordinate | None = None
    row_of: StrictInt | Literal["alone"] | None = None


class ChangedTile(ClosedModel):
    """What is changed of a tile."""

    face: str | None = None
    row_of: StrictInt | Literal["alone"] | None = None


class LyingTile(OpenModel):
    """A tile on the table."""

    face: str


class Reading(OpenModel):
    """What lies on the table; racks are left out."""

    number: int
    at: float
    melds: list[dict[str, Any]]
    row: list[LyingTile]
    reversed_first: bool | None
    wall: list[LyingTile]
    atu: LyingTile | None
    repairs: list[dict[str, Any]]
    problems: list[dict[str, Any]]
    unseen: list[str]


class LiveTable(OpenModel):
    """What the camera sees."""

    state: str
    reason: BothLanguages | None
    covered: list[str]
    read_ms: float | None
    picture: str | None
    size: tuple[int, int] | None
    reading: Reading | None


class GameMeld(OpenModel):
    """A meld on the table: its tiles in order, separated by spaces."""

    id: str
    seat: int
    tiles: str
    shape: str
    beside: str


class Seat(OpenModel):
    """A player: so many tiles, never which."""

    seat: int
    name: str
    tiles: int
    opened: bool
    called: bool


class ScoreLine(OpenModel):
    """Points, and what for."""

    what: str
    points: int


class Score(OpenModel):
    """What a player has in this game; `complete` where nothing is missing."""

    seat: int
    total: int
    complete: bool
    lines: list[ScoreLine]


class Entry(OpenModel):
    """An entry of the game's record, without what it says of racks."""

    seq: int
    at: str
    actor: str
    counts: bool
    event: str


class Part(OpenModel):
    """A part of the companion, and how it is."""

    name: str
    state: str
    well: bool
    why: str
    why_ro: str


class Game(OpenModel):
    """The game as everybody may see it (docs/formats.md)."""

    version: int
    number: int
    rules: str
    phase: str
    paused: bool
    match: dict[str, Any] | None
    game: int
    dealer: int
    turn: int | None
    clock: dict[str, Any] | None
    wall: int | None
    drawable: int | None
    next_stack: int | None
    atu: str | None
    atu_lies: str | None
    closed_by: int | None
    row: list[str]
    melds: list[GameMeld]
    seats: list[Seat]
    scores: list[Score]
    entries: list[Entry]
    begun: list[dict[str, Any]]
    refusals: list[dict[str, Any]]
    question: dict[str, Any] | None
    announcing: dict[str, Any] | None
    differences: list[dict[str, Any]]
    parts: list[Part]
    trouble: BothLanguages | None
    table: str | None
    lamps: list[str]


class Request(BaseModel):
    """What an arbiter asks for, at the version that was seen (docs/formats.md lists `what`)."""

    what: str
    version: StrictInt
    fields: dict[str, Any] = Field(default_factory=dict)
    anyway: StrictBool = False


class Answer(OpenModel):
    """What became of a request, and the game as it is now."""

    status: Literal["done", "stale", "conflict", "refused", "wrong", "failed"]
    version: int
    message: BothLanguages
    reasons: list[dict[str, Any]]
    conflicts: list[dict[str, Any]]
    game: Game


class AnswerOrProblem(OpenModel):
    """What became of a request that was wrong, or why it was none."""

    error: ProblemDetails | None = None
    status: Literal["wrong"] | None = None
