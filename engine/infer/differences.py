"""Where state and table do not agree for long: missing, extra, misread, unread, in words with a clause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.infer.belief import UNLIKE
from engine.infer.laid_out import end_of, racks_appear, unexplained
from engine.infer.linking import faces_of
from engine.infer.outcomes import Difference
from engine.repair_reasons import name_en, name_ro

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.infer.deeds import Deed
    from engine.infer.memory import Memory, Slot
    from engine.infer.settings import Settings
    from engine.infer.weighing import Weighed
    from engine.state import State
    from engine.tiles import Face

_LONG: Final = 2
"""Tiles left lying are reported after so many times the looks of other differences."""

_ZONES: Final = {
    "discard": ("the discard row", "șirul pieselor aruncate"),
    "meld": ("the melds of place ", "formațiile locului "),
    "atu": ("the atu", "atu"),
    "wall": ("the wall", "zid"),
}


def differences(state: State, weighed: Weighed, settings: Settings) -> tuple[Difference, ...]:
    """What even the likeliest explanation leaves open, and has been so for some looks."""
    memory, least = weighed.memory, settings.desync_after
    if not weighed.found:
        return (_inexplicable(),) if memory.number else ()
    best = weighed.found[0]
    found = list(_row(state, memory, best.story.links, _kept(state, weighed), least))
    moved = {deed.meld for deed in best.deeds}
    for meld in state.melds:
        if meld.id not in moved:
            links = memory.meld_links.get(meld.id, ())
            for face, link in zip(faces_of(meld), links, strict=False):
                found += _tile(memory.slots.get(link or 0), face, meld.id, least)
    for slot in best.extra:
        if slot.hits >= least and not slot.misses:
            found.append(_extra(slot))
    found += [_extra(slot) for deed in best.deeds for slot in _left_lying(deed, state, settings)]
    shown = racks_appear(end_of(best, state), unexplained(best), settings)
    return (*found, *map(_rack_open, sorted(shown)))


def _left_lying(deed: Deed, state: State, settings: Settings) -> tuple[Slot, ...]:
    """Tiles that are no meld and lie for long, longer than somebody who is on turn takes to think."""
    if deed.kind != "loose":
        return ()
    thinks = deed.place == settings.place(state.turn.seat)
    long = (_LONG + thinks) * settings.desync_after
    return deed.slots if all(slot.hits >= long and not slot.misses for slot in deed.slots) else ()


def _kept(state: State, weighed: Weighed) -> int:
    """How many tiles of the row the likeliest explanation leaves where they lay."""
    story = weighed.found[0].story
    takes = [turn.take for turn in story.turns if turn.take is not None]
    takes += [story.take] if story.take is not None else []
    walls = [int(state.dead_first)] if any(turn.wall for turn in story.turns) else []
    return min([len(state.row), *takes, *walls])


def _row(
    state: State, memory: Memory, links: tuple[int | None, ...], kept: int, least: int
) -> Iterator[Difference]:
    for at, face in enumerate(state.row[:kept]):
        link = links[at] if at < len(links) else None
        yield from _tile(memory.slots.get(link or 0), face, f"row {at + 1}", least)


def _tile(slot: Slot | None, face: Face, place: str, least: int) -> Iterator[Difference]:
    if slot is None:
        return
    if slot.misses >= least:
        yield Difference(
            "missing", place, face, None, slot.key, "wall left",
            f"{name_en(face)} should lie there ({place}) and is not seen; is it covered, or was it taken?",
            f"{name_ro(face)} ar trebui să fie acolo ({place}) și nu se vede; "
            "este acoperită sau a fost luată?",
        )  # fmt: skip
    elif (
        not slot.misses
        and slot.hits >= least
        and slot.belief.best is not None
        and slot.belief.log(face) < UNLIKE
    ):
        seen = slot.belief.best
        yield Difference(
            "misread", place, face, seen, slot.key, "set",
            f"{name_en(seen)} is seen where {name_en(face)} should lie ({place}); look which it is",
            f"se vede {name_ro(seen)} unde ar trebui să fie {name_ro(face)} ({place}); uitați-vă care este",
        )  # fmt: skip


def _extra(slot: Slot) -> Difference:
    where = "row" if slot.zone == "row" else "table"
    seen = slot.belief.best
    if seen is None:
        return Difference(
            "unread", where, None, None, slot.key, "set",
            f"a tile on the {where} cannot be read; turn it face up, or say which it is",
            "o piesă de pe masă nu se poate citi; întoarceți-o cu fața în sus sau spuneți care este",
        )  # fmt: skip
    return Difference(
        "extra", where, None, seen, slot.key, "lay off",
        f"{name_en(seen)} lies on the {where} and no move explains it; whose is it, or is it no tile at all?",
        f"{name_ro(seen)} se află pe masă și nicio mutare nu o explică; a cui este, sau nu este o piesă?",
    )  # fmt: skip


def _rack_open(seat: int) -> Difference:
    return Difference(
        "inexplicable", f"rack {seat}", None, None, None, "closing",
        f"the rack of seat {seat} lies open and nobody is known to have closed; enter the closing turn",
        f"tabla locului {seat} este la vedere și nu se știe cine a închis; introduceți tura de închidere",
    )  # fmt: skip


def unseen_discard(seat: int) -> Difference:
    """A player has pressed, and looks enough have seen no tile that he discarded."""
    return Difference(
        "unseen", "row", None, None, None, "turn",
        f"seat {seat} has ended its turn and no discard of it is to be seen; enter the tile, or lay it where "
        "the camera sees it",
        f"locul {seat} și-a încheiat tura și nu se vede ce a aruncat; introduceți piesa sau așezați-o unde o "
        "vede camera",
    )  # fmt: skip


def hidden(memory: Memory, settings: Settings) -> tuple[Difference, ...]:
    """The zones that something has been over for long, so that nothing is followed."""
    return tuple(
        _hidden(zone)
        for zone, since in sorted(memory.hidden.items())
        if memory.at - since >= settings.hidden_seconds
    )


def _hidden(zone: str) -> Difference:
    kind, _, place = zone.partition(" ")
    english, romanian = _ZONES[kind]
    return Difference(
        "hidden", zone, None, None, None, "turn",
        f"something lies over {english}{place} or moves there; take it away, so that the game is followed on",
        f"ceva se află peste {romanian}{place} sau se mișcă acolo; luați-l, ca jocul să fie urmărit",
    )  # fmt: skip


def no_deal() -> Difference:
    """The deal was asked about, and it was none of what was offered."""
    return Difference(
        "missing", "atu", None, None, None, "deal",
        "the game cannot begin: it is not known what the atu is; enter the deal",
        "jocul nu poate începe: nu se știe care este atuul; introduceți împărțirea",
    )  # fmt: skip


def _inexplicable() -> Difference:
    return Difference(
        "inexplicable", "table", None, None, None, "order of play",
        "nothing that can have happened explains what lies there; enter what was played",
        "nimic din ce se putea întâmpla nu explică ce se vede; introduceți ce s-a jucat",
    )  # fmt: skip
