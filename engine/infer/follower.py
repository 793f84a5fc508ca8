"""What a follower of a table holds, and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from engine.infer.memory import Memory
from engine.infer.settings import Settings

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.infer.outcomes import Ambiguity, Desync, Difference
    from engine.infer.vouching import Vouched
    from engine.reasons import Reason
    from engine.state import State


@dataclass(frozen=True, slots=True)
class Committed:
    """Commands that count now; `reasons` are what is against them by the rules, `by` who said so."""

    commands: tuple[Command, ...]
    reasons: tuple[Reason, ...] = ()
    odds: float = 0.0
    by: Literal["camera", "button", "arbiter"] = "camera"


@dataclass(frozen=True, slots=True)
class Corrected:
    """The last `undo` commands were taken back for these: what was seen since says so, at these odds."""

    undo: int
    commands: tuple[Command, ...]
    reasons: tuple[Reason, ...] = ()
    odds: float = 0.0
    by: Literal["camera", "arbiter"] = "camera"


@dataclass(frozen=True, slots=True)
class Question:
    """An ambiguity by its number."""

    number: int
    about: Ambiguity


@dataclass(frozen=True, slots=True)
class Asked:
    """A question is open; the game does not wait for it."""

    question: Question


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A question is open no more: it was answered, or what was seen since answers it."""

    number: int


@dataclass(frozen=True, slots=True)
class Begun:
    """What the turn that is on has done so far, as it is seen; nothing of it counts yet."""

    commands: tuple[Command, ...]
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Lost:
    """State and table do not agree."""

    desync: Desync


@dataclass(frozen=True, slots=True)
class Found:
    """They agree again."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """The game is over and the table was cleared: a new game may begin."""


Outcome = Committed | Corrected | Asked | Withdrawn | Begun | Lost | Found | Cleared


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a turn began: the state, how many commands the log had, and the links of the memory."""

    state: State
    length: int
    memory: Memory
    pressed: frozenset[int]


@dataclass(frozen=True, slots=True)
class Follower:
    """A game as far as it was followed. `log` are all its commands, of which `state` is the fold."""

    state: State
    settings: Settings = field(default_factory=Settings)
    memory: Memory = field(default_factory=Memory)
    log: tuple[Command, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    pressed: frozenset[int] = frozenset()
    owed: frozenset[int] = frozenset()
    """Seats whose last turns were committed before they pressed, so that a press that comes belongs there."""
    begun: tuple[Command, ...] = ()
    nearly: tuple[Command, ...] = ()
    """What the last look says that the turn has begun with, and since when; `begun` is what was told."""
    nearly_at: float = 0.0
    question: Question | None = None
    lost: tuple[Difference, ...] = ()
    doubted: int = 0
    """Looks running that saw a turn ended and could not say which."""
    silent: int = 0
    """Looks since the player whose turn it is pressed that saw no turn ended; kept once they are too many."""
    waited: int = 0
    """Looks running that waited for a deal, for racks or for the end of the wall."""
    revised: int = 0
    """Looks running that saw a difference or something too early, and could not mend it."""
    refused: frozenset[str] = frozenset()
    """Questions that were answered with none of their candidates, so that they are not asked again."""
    asked: int = 0
    vouched: Vouched | None = None
    """What somebody entered last, until its tiles were looked at."""
    counting: bool = False
    """Whether racks are counted though nobody closed."""
    cleared: bool = False
