"""What an arbiter's corrections leave of a record: `void` and `amend` applied, nothing erased."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.entries import melds_named
from engine.records import CORRECTIONS, Entry, amended
from engine.refusals import refuse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.reasons import Reason
    from engine.records import Record


@dataclass(frozen=True, slots=True)
class Effective:
    """An entry that counts: as it was written, or as it was amended; `ids` names the melds it brings."""

    seq: int
    event: str
    fields: Mapping[str, Any]
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EffectiveLog:
    """The entries that count, in order, and what is against corrections that correct nothing.

    `next_meld` is the number of the next meld: one that was voided keeps its number.
    """

    entries: tuple[Effective, ...]
    problems: tuple[tuple[int, Reason], ...]
    next_meld: int = 1


def effective(record: Record) -> EffectiveLog:
    """The record with its corrections applied.

    A correction may itself be voided, and a later amendment of an entry stands before an earlier one. Melds
    are numbered in the order in which the raw log names them, so that no correction renumbers a meld.
    """
    entries = record.entries
    problems: dict[int, Reason] = {}
    roots = _roots(record, problems)
    active = _active(record, problems)
    ids: dict[int, tuple[str, ...]] = {}
    numbers = iter(range(1, 1 + sum(map(_named_by, entries))))
    amendments: dict[int, Entry] = {}
    for entry in entries:
        root = roots.get(entry.seq, entry.seq)
        more = _named_by(entry) - (len(ids.get(root, ())) if root != entry.seq else 0)
        ids[root] = (*ids.get(root, ()), *(f"m{next(numbers)}" for _ in range(more)))
        if entry.event == "amend" and entry.seq in active and entry.seq in roots:
            if root not in active:
                problems[entry.seq] = refuse("no_such_entry", target=entry.fields["target"])
            amendments[root] = entry
    log = []
    for entry in entries:
        if entry.event in CORRECTIONS or entry.seq not in active:
            continue
        event, fields = entry.event, entry.fields
        if entry.seq in amendments:
            event, fields = amended(amendments[entry.seq])
        named = melds_named(event, fields)
        log.append(Effective(entry.seq, event, fields, ids[entry.seq][:named]))
    used = sum(map(len, ids.values()))
    return EffectiveLog(tuple(log), tuple(sorted(problems.items(), key=lambda item: item[0])), used + 1)


def _named_by(entry: Entry) -> int:
    return melds_named(*amended(entry)) if entry.event == "amend" else melds_named(entry.event, entry.fields)


def _roots(record: Record, problems: dict[int, Reason]) -> dict[int, int]:
    """The entry that each amendment is about in the end, as an amendment may be amended."""
    roots: dict[int, int] = {}
    events = {entry.seq: entry.event for entry in record.entries}
    for entry in record.entries:
        if entry.event != "amend":
            continue
        target = entry.fields["target"]
        root = roots.get(target, target)
        if 0 < target < entry.seq and events.get(root) not in (None, *CORRECTIONS):
            roots[entry.seq] = root
        else:
            problems[entry.seq] = refuse("no_such_entry", target=target)
    return roots


def _active(record: Record, problems: dict[int, Reason]) -> set[int]:
    """The entries that no active void is about; a later void decides over an earlier one."""
    active = {entry.seq for entry in record.entries}
    voided: dict[int, int] = {}
    for entry in reversed(record.entries):
        if entry.event != "void" or entry.seq not in active:
            continue
        target = entry.fields["target"]
        if not 0 < target < entry.seq:
            problems[entry.seq] = refuse("no_such_entry", target=target)
        elif target in voided:
            # The earlier void did it; there was nothing left for the later one.
            problems[voided[target]] = refuse("no_such_entry", target=target)
            voided[target] = entry.seq
        else:
            active.discard(target)
            voided[target] = entry.seq
    return active
