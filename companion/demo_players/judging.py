"""What the companion took down compared with what was played: errors that nobody was told of, and scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.scores import score
from engine.sim.trial import Truth

if TYPE_CHECKING:
    from companion.table.core import Core
    from engine.players import Game


@dataclass(slots=True)
class Judge:
    """Follows the companion's state against the truth.

    A divergence is told once a question was asked, a difference or a refusal was shown since it came about.
    """

    game: Game
    truth: Truth = field(init=False)
    questions: int = 0
    mended: list[str] = field(default_factory=list)
    _asked: set[int] = field(default_factory=set)
    _diverged: str | None = None
    _told: bool = False
    _refused: int = 0

    def __post_init__(self) -> None:
        self.truth = Truth(self.game)

    def saw(self, core: Core) -> None:
        """Looks at the companion after one step."""
        if core.question is not None and core.question.number not in self._asked:
            self._asked.add(core.question.number)
            self.questions += 1
            self._told = True
        if core.differs or len(core.refused) > self._refused:
            self._told = True
        self._refused = len(core.refused)
        turns = turns_of(core)
        right = not core.game.record.entries or self.truth.agrees(core.state, turns)
        if right and self._diverged is not None:
            self.mended.append(self._diverged)
            self._diverged, self._told = None, False
        elif not right and self._diverged is None:
            last = [entry.event for entry in core.game.record.entries[-6:]]
            self._diverged = f"turn {turns}: {last}"
            self._told = bool(core.question or core.differs)

    @property
    def diverged(self) -> str | None:
        """Where the companion has another game than was played, None where it has the same."""
        return self._diverged

    @property
    def silent(self) -> int:
        """1 where it has, and nobody was told."""
        return int(self._diverged is not None and not self._told)

    @property
    def expected(self) -> tuple[int, ...]:
        """The right result."""
        return tuple(one.total for one in score(self.game.state))


def turns_of(core: Core) -> int:
    """How many turns the companion has taken down as ended."""
    return sum(player.turns for player in core.state.players)
