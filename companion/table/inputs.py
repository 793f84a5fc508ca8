"""What reaches the table thread: looks, presses, posts of the page, and how eyes, board and threads are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from vision.sources.health import NOTHING, Words

if TYPE_CHECKING:
    from concurrent.futures import Future

    from engine.lamps import ButtonPressed
    from engine.reasons import Reason
    from engine.replay import Refused
    from engine.table_reading import TableReading

POSTS: Final = (
    "command",
    "void",
    "amend",
    "retile",
    "rule",
    "undo",
    "answer",
    "ignore",
    "press",
    "count",
    "calls_done",
    "next_deal",
    "end_match",
    "new_match",
    "pause",
    "resume",
    "rename",
)
"""What the page may ask for."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A settled look at the table."""

    reading: TableReading


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button of a seat of the game."""

    press: ButtonPressed


@dataclass(frozen=True, slots=True)
class Post:
    """What somebody asks for on the page.

    `version` is that of the state he saw: where the game has moved on since, nothing is done. `anyway` does
    what would be answered with a refusal or a conflict. A `preview` does nothing: its answer says what would
    become of it, and shows the table as it would be.
    """

    what: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    version: int | None = None
    anyway: bool = False
    preview: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a post; `version` is the game's now.

    `stale`: the game has moved on; `refused`: the rules are against it, for these reasons; `conflict`: these
    entries would become impossible; `wrong`: it cannot be understood; `failed`: it could not be written.
    """

    status: Literal["done", "stale", "refused", "conflict", "wrong", "failed"]
    version: int
    words: Words = NOTHING
    reasons: tuple[Reason, ...] = ()
    upset: tuple[Refused, ...] = ()
    game: Mapping[str, Any] | None = None
    """Of a preview that would be done: the table as it would be, as everybody may see it."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A post that waits for its answer."""

    post: Post
    reply: Future[Answer]


@dataclass(frozen=True, slots=True)
class Part:
    """How a part of the companion is: `camera`, `board`, `page`; `state` in a word, and why."""

    name: str
    state: str
    well: bool
    why: Words = NOTHING


@dataclass(frozen=True, slots=True)
class Said:
    """A part says how it is."""

    part: Part


@dataclass(frozen=True, slots=True)
class Ended:
    """A thread broke off."""

    thread: str
    why: str


@dataclass(frozen=True, slots=True)
class Stop:
    """The table is to end."""


Input = Looked | Pressed | Posted | Said | Ended | Stop
