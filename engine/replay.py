"""A record played again: the state it leads to, every refusal by its entry, and what corrections upset."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine import commands as c
from engine.corrections import effective
from engine.decide import happened
from engine.entries import read_command
from engine.records import CORRECTIONS, reader
from engine.scores import score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.reasons import Reason
    from engine.records import Record
    from engine.scores import SeatScore
    from engine.state import State


@dataclass(frozen=True, slots=True)
class Refused:
    """What is against one entry; an entry may be refused for several reasons."""

    seq: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to look at that is no breach of an entry: a player who did not announce few tiles."""

    seq: int
    seat: int
    code: str
    fine: int
    """What an arbiter may set as the result; 0 where the rules know no fine."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Entries that a correction made impossible or illegal."""

    correction: int
    refused: tuple[Refused, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """What a record comes to."""

    record: Record
    state: State
    refusals: tuple[Refused, ...]
    remarks: tuple[Remark, ...]

    @property
    def scores(self) -> tuple[SeatScore, ...]:
        """The score of each seat."""
        return score(self.state)

    @property
    def sound(self) -> bool:
        """Whether no tile is in it more often than the set has it."""
        return all(refused.reason.code != "more_than_the_set" for refused in self.refusals)


def replay(record: Record) -> Replay:
    """The record played from its deal on, corrections applied; a breach is reported and the game goes on."""
    log = effective(record)
    refusals = [Refused(seq, reason) for seq, reason in log.problems]
    remarks: list[Remark] = []
    state = record.header.new_game()
    for entry in log.entries:
        command = read_command(entry.event, reader(entry.fields, record.header), entry.ids)
        remarks += _remarks(state, command, entry.seq)
        state, reasons = happened(state, command)
        refusals += (Refused(entry.seq, reason) for reason in reasons)
    refusals.sort(key=lambda refused: refused.seq)
    # Who plays on from here names the next meld as a record does, in which no correction renumbers one.
    state = replace(state, next_meld=log.next_meld)
    return Replay(record, state, tuple(refusals), tuple(remarks))


def _remarks(state: State, command: c.Command, seq: int) -> list[Remark]:
    """RULES.md, announce few tiles: looked at when the player's next turn begins."""
    if not isinstance(command, c.Draw | c.Take) or state.phase != "play":
        return []
    player, rules = state.players[command.seat], state.rules
    silent = player.turns and len(player.hand) <= rules.announce_few_at and not player.few
    return [Remark(seq, command.seat, "few_not_announced", rules.few_fine)] if silent else []


def conflicts(record: Record) -> tuple[Conflict, ...]:
    """What each correction of the record made illegal that had been legal before it."""
    found = []
    for at, entry in enumerate(record.entries):
        if entry.event in CORRECTIONS:
            before = replace(record, entries=record.entries[:at])
            if upset := upset_by(before, replace(record, entries=record.entries[: at + 1])):
                found.append(Conflict(entry.seq, upset))
    return tuple(found)


def upset_by(before: Record, after: Record) -> tuple[Refused, ...]:
    """The refusals of `after` that `before` did not have: the answer to a correction made in between."""
    had = {(refused.seq, refused.reason.code) for refused in replay(before).refusals}
    new = (refused for refused in replay(after).refusals if (refused.seq, refused.reason.code) not in had)
    return tuple(new)


def correct(record: Record, event: str, fields: Mapping[str, object]) -> Record | Conflict:
    """The record with a correction (`void` or `amend`), or the conflict it would make.

    Who wants it all the same adds it with `Record.plus`; a replay then reports the entries it upsets.
    """
    corrected = record.plus(event, fields, actor="arbiter")
    upset = upset_by(record, corrected)
    return Conflict(corrected.entries[-1].seq, upset) if upset else corrected
