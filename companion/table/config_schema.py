"""What a table file may hold, in pydantic's terms; imported on demand, as pydantic takes long."""

from __future__ import annotations

from datetime import time
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Text = Annotated[str, Field(min_length=1, max_length=200)]
Name = Annotated[str, Field(min_length=1, max_length=40)]
Seconds = Annotated[float, Field(gt=0, le=3600)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class RulesPart(_Part):
    """`[rules]`."""

    base: Literal["doizece", "etalat", "regulament"] = "etalat"
    changes: dict[str, Any] = {}


class PlayersPart(_Part):
    """`[players]`."""

    names: Annotated[tuple[Name, ...], Field(min_length=2, max_length=4)] = ("Ana", "Dan", "Ioana")
    dealer: Name = "random"

    @model_validator(mode="after")
    def _sound(self) -> PlayersPart:
        if len(set(self.names)) < len(self.names):
            raise ValueError("names: two players have the same name|names: doi jucători au același nume")
        if any(not name.isprintable() or name != name.strip() for name in self.names):
            raise ValueError(
                "names: a name has signs that cannot be shown, or spaces around it|"
                "names: un nume are semne care nu se pot afișa sau spații în jur"
            )
        if self.dealer != "random" and self.dealer not in self.names:
            raise ValueError(
                f"dealer: {self.dealer!r} is none of the names, nor random|"
                f"dealer: {self.dealer!r} nu este dintre nume și nici random"
            )
        return self


class MatchPart(_Part):
    """`[match]`."""

    games: Annotated[int, Field(ge=1, le=1000)] | None = None
    target: Annotated[int, Field(ge=1, le=1_000_000)] | None = None

    @model_validator(mode="after")
    def _one(self) -> MatchPart:
        if self.games is not None and self.target is not None:
            raise ValueError("name games or target, not both|scrieți games sau target, nu amândouă")
        return self


class CameraPart(_Part):
    """`[camera]`."""

    source: Text | None = None
    rig: Text | None = None
    zones: Text | None = None
    racks: Literal["read", "at_end", "never"] = "read"
    tileset: Text | None = None
    lean_deg: Annotated[float, Field(ge=0, le=90)] = 60.0

    @model_validator(mode="after")
    def _whole(self) -> CameraPart:
        if self.source is not None and self.rig is None and not self.source.startswith("virtual:"):
            raise ValueError(
                "a source needs a rig: make one with remi calibrate|"
                "o sursă are nevoie de rig: faceți-l cu remi calibrate"
            )
        return self


class BoardPart(_Part):
    """`[board]`."""

    port: Text = "none"
    places: Annotated[tuple[Annotated[int, Field(ge=0, le=3)], ...], Field(min_length=2, max_length=4)] = (
        0, 1, 2, 3,
    )  # fmt: skip
    brightness: Annotated[int, Field(ge=0, le=255)] = 64
    sound: bool = True
    quiet: tuple[time, time] = (time(22), time(8))

    @model_validator(mode="after")
    def _once(self) -> BoardPart:
        if len(set(self.places)) < len(self.places):
            raise ValueError("places: a place is named twice|places: un loc apare de două ori")
        return self


class TurnPart(_Part):
    """`[turn]`."""

    commit: Literal["button", "discard"] = "discard"
    clock: Literal["off", "up", "limit"] = "off"
    limit_s: Seconds = 90.0
    warn_s: tuple[Seconds, ...] = (20.0,)

    @model_validator(mode="after")
    def _within(self) -> TurnPart:
        if self.clock == "limit" and any(warning >= self.limit_s for warning in self.warn_s):
            raise ValueError(
                "warn_s: a warning comes before the turn begins; make it less than limit_s|"
                "warn_s: un avertisment vine înainte de începutul turei; alegeți mai puțin decât limit_s"
            )
        return self


class JournalPart(_Part):
    """`[journal]`."""

    path: Text = "remi-journal.sqlite"


class PagePart(_Part):
    """`[page]`."""

    host: Text = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    pin: Annotated[str, Field(pattern=r"^[0-9]{4,12}$")] | None = None


class TableFile(_Part):
    """A whole table file."""

    table: Name = "Remi"
    rules: RulesPart = RulesPart()
    players: PlayersPart = PlayersPart()
    match: MatchPart = MatchPart()
    camera: CameraPart = CameraPart()
    board: BoardPart = BoardPart()
    turn: TurnPart = TurnPart()
    journal: JournalPart = JournalPart()
    page: PagePart = PagePart()

    @model_validator(mode="after")
    def _together(self) -> TableFile:
        if len(self.board.places) < len(self.players.names):
            raise ValueError(
                "board.places: name a place for each player|"
                "board.places: scrieți un loc pentru fiecare jucător"
            )
        if self.turn.commit == "button" and self.board.port == "none":
            raise ValueError(
                'turn.commit: "button" needs a board; name its port under [board], or take "discard"|'
                'turn.commit: "button" are nevoie de placă; scrieți portul la [board] sau alegeți "discard"'
            )
        return self
