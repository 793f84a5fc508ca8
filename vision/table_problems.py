"""What in a reading is not as it should be, in words for the players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from engine.repair_reasons import name_en, name_ro
from engine.table_reading import Lying, LyingMeld, Problem
from engine.tiles import Face, Mark
from vision.table_melds import can_be_meld, certain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.zones import Zone
    from engine.rules import RuleSet

_KINDS_EN: Final = {
    "rack": "the rack",
    "meld": "the melds",
    "discard": "the discard row",
    "wall": "the wall",
    "atu": "the atu",
}
_KINDS_RO: Final = {
    "rack": "tabla",
    "meld": "formațiile",
    "discard": "șirul pieselor aruncate",
    "wall": "zidul",
    "atu": "atu-ul",
}
_MOSTLY: Final = 0.5  # of a rack's tiles unread: then the rack is said to be so, not each tile


def meld_problems(melds: Iterable[LyingMeld], gaps: Sequence[Problem], rules: RuleSet) -> list[Problem]:
    """Of the melds: tiles not read, touching tiles that are no meld, and single tiles.

    One of `gaps` says already what is wrong with its meld.
    """
    with_gap = {key for problem in gaps for key in problem.keys}
    found = []
    for meld in melds:
        keys = tuple(tile.key for tile in meld.tiles)
        found += unread(meld.tiles, f"the melds of seat {meld.seat}", f"formațiile locului {meld.seat}")
        found += unread(
            [top for _, top in meld.towers],
            f"the melds of seat {meld.seat}",
            f"formațiile locului {meld.seat}",
        )
        if len(keys) < 3:
            found.append(
                Problem(
                    "stray",
                    keys,
                    f"{_tiles_en(len(keys))} on the table in no meld: put what lies loose to a meld, into "
                    "the discard row or on the rack.",
                    f"{_tiles_ro(len(keys))} pe masă în afara formațiilor: puneți ce este liber la o "
                    "formație, în șirul pieselor aruncate sau pe tablă.",
                )
            )
        elif not can_be_meld([certain(tile) for tile in meld.tiles], rules) and with_gap.isdisjoint(keys):
            en = ", ".join(name_en(tile.face) for tile in meld.tiles)
            ro = ", ".join(name_ro(tile.face) for tile in meld.tiles)
            found.append(
                Problem(
                    "no_meld",
                    keys,
                    f"These touching tiles are no meld: {en}. Finish the meld, or push them apart.",
                    f"Aceste piese alăturate nu sunt o formație: {ro}. Completați-o sau despărțiți-le.",
                )
            )
    return found


def unread(tiles: Sequence[Lying], where_en: str, where_ro: str) -> list[Problem]:
    """One problem for the tiles of a place that were not read; none where all were."""
    keys = tuple(tile.key for tile in tiles if tile.face is Mark.UNREAD)
    if not keys:
        return []
    return [
        Problem(
            "unread",
            keys,
            f"{_tiles_en(len(keys))} not read in {where_en}: take away what covers or dazzles, or say what "
            "lies there.",
            f"{_tiles_ro(len(keys))} {_unread_ro(len(keys))} la {where_ro}: îndepărtați ce acoperă sau face "
            "reflexe, ori spuneți ce este acolo.",
        )
    ]


def rack_problems(racks: Mapping[int, Sequence[Sequence[Lying]]]) -> list[Problem]:
    """Of the racks: those that were mostly not read."""
    found = []
    for seat, tiers in sorted(racks.items()):
        tiles = [tile for tier in tiers for tile in tier]
        lost = tuple(tile.key for tile in tiles if tile.face is Mark.UNREAD)
        if lost and len(lost) >= _MOSTLY * len(tiles):
            found.append(
                Problem(
                    "rack_not_read",
                    lost,
                    f"The rack of seat {seat} cannot be read from here: lay its tiles flat when the game has "
                    "ended, or tilt it flatter (remi calibrate --legibility says how much).",
                    f"Tabla locului {seat} nu se poate citi de aici: întindeți piesele pe masă la "
                    "sfârșitul jocului sau înclinați mai mult tabla (remi calibrate --legibility spune "
                    "cât).",
                )
            )
        else:
            found += unread(tiles, f"the rack of seat {seat}", f"tabla locului {seat}")
    return found


def doubtful(tiles: Iterable[Lying]) -> list[Problem]:
    """A problem for each tile that shows a face not to be relied on."""
    found = []
    for tile in tiles:
        if not tile.doubtful or tile.face is Mark.UNREAD:
            continue
        others = [other.face for other in tile.alternatives if isinstance(other.face, Face)][:2]
        maybe_en = f", maybe {' or '.join(map(name_en, others))}" if others else ""
        maybe_ro = f", poate {' sau '.join(map(name_ro, others))}" if others else ""
        found.append(
            Problem(
                "doubtful",
                (tile.key,),
                f"Read as {name_en(tile.face)}{maybe_en}: please check.",
                f"Citită ca {name_ro(tile.face)}{maybe_ro}: vă rugăm să verificați.",
            )
        )
    return found


def gap(before: Lying, after: Lying, missing: Face | None) -> Problem:
    """A tile that must lie in a meld between two others, but was not found."""
    what_en = name_en(missing) if missing else "a tile"
    what_ro = name_ro(missing) if missing else "o piesă"
    return Problem(
        "gap",
        (before.key, after.key),
        f"Between {name_en(before.face)} and {name_en(after.face)} there is room for {what_en}, not seen: "
        "take away what covers it, or close the gap.",
        f"Între {name_ro(before.face)} și {name_ro(after.face)} este loc pentru {what_ro}, care nu se vede: "
        "îndepărtați ce acoperă sau închideți golul.",
    )


def hidden(zone: Zone) -> Problem:
    """A zone that a hand covered."""
    seat_en = f" of seat {zone.seat}" if zone.seat is not None else ""
    seat_ro = f" locului {zone.seat}" if zone.seat is not None else ""
    return Problem(
        "hidden_zone",
        (),
        f"Something covers {_KINDS_EN[zone.kind]}{seat_en}: what lay there before is taken to lie there "
        "still. Take the hand away.",
        f"Ceva acoperă {_KINDS_RO[zone.kind]}{seat_ro}: se consideră că acolo e tot ce era înainte. "
        "Retrageți mâna.",
    )


def lone_back(tile: Lying) -> Problem:
    """A tile face down that lies apart from the wall."""
    return Problem(
        "stray",
        (tile.key,),
        "A tile lies face down, away from the wall: put it back, or take the thing away that looks like one.",
        "O piesă stă cu fața în jos departe de zid: puneți-o la loc sau luați obiectul care seamănă cu o "
        "piesă.",
    )


def not_proven() -> Problem:
    """The search for what the tiles are was cut short."""
    return Problem(
        "not_proven",
        (),
        "Too many tiles are in doubt to settle them all: what was read is shown as it was read. Better light "
        "helps.",
        "Prea multe piese sunt neclare pentru a le lămuri pe toate: sunt arătate cum au fost citite. O "
        "lumină mai bună ajută.",
    )


def _tiles_en(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"


def _tiles_ro(count: int) -> str:
    return "1 piesă" if count == 1 else f"{count} piese"


def _unread_ro(count: int) -> str:
    return "necitită" if count == 1 else "necitite"
