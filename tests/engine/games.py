"""Games in short hand for tests: one entry a line, as people would jot them down.

deal 15 14 atu b13            deal 14|13 with tiles in brackets: [r1 r2] 14
0 - k2                        seat 0 discards k2 (`0 -! k2` says that it closes)
1 + ?                         seat 1 draws a tile that nobody saw; `1 ^` takes the atu
1 < 2 k9 k3                   seat 1 takes from place 2 of the row
1 m r5 r6 r7 | y10 b10 k10    seat 1 melds
1 l m1 r8 high                lays off; `1 l m1 r6 / r6 r7 r8` splits the run
1 j m1 r6 > b2 b3 *           reclaims a joker
1 t simple r1 r2 r3 | .. / k2 closes on the rack
1 say few                     announces; `1 say double big`
0 swap 1 r7 b8                gives a double of r7 for one of b8 (`?` for one unseen)
wall                          the wall is empty
racks 1: r1 r2; 2: k3
void 5                        amend 5 := 1 - k9
rule 1 -500!                  with the mark instead of the whole result
"""

from __future__ import annotations

import re
from typing import Any

from engine.records import Record, new_record
from engine.replay import Replay, replay

NAMES = ("Ana", "Dan", "Ioana", "Mihai", "Vlad", "Zoe")


def entry(line: str) -> tuple[str, dict[str, Any]]:
    """The event and fields that one line of short hand means."""
    words = line.split()
    if words[0] == "deal":
        return _deal(line)
    if words[0] == "wall":
        return "wall_empty", {}
    if words[0] == "racks":
        racks = (part.split(":") for part in line.partition(" ")[2].split(";"))
        return "racks", {"racks": {seat.strip(): tiles.strip() for seat, tiles in racks}}
    if words[0] == "void":
        return "void", {"target": int(words[1]), "reason": "seen wrong"}
    if words[0] == "amend":
        event, fields = entry(line.partition(":=")[2].strip())
        return "amend", {"target": int(words[1]), "entry": {"event": event, **fields}, "reason": "misread"}
    if words[0] == "rule":
        replaces = {"replaces": True} if words[2].endswith("!") else {}
        return "rule", {"seat": int(words[1]), "points": int(words[2].rstrip("!")), "reason": "", **replaces}
    return _play(int(words[0]), words[1], " ".join(words[2:]))


def _deal(line: str) -> tuple[str, dict[str, Any]]:
    hands: list[int | str] = []
    named: dict[str, Any] = {"atu": None}
    rest = line.partition(" ")[2]
    for tiles, number, key, value in re.findall(r"\[([^\]]*)\]|(\d+)|([a-z_]+) (\S+)", rest):
        if key:
            named[key] = value
        else:
            hands.append(int(number) if number else tiles)
    return "deal", {"hands": hands, **named}


def _play(seat: int, verb: str, rest: str) -> tuple[str, dict[str, Any]]:
    s = {"seat": seat}
    words = rest.split()
    if verb == "+":
        return "draw", {**s, "tile": None if rest == "?" else rest, "source": "wall"}
    if verb == "^":
        return "draw", {**s, "tile": None, "source": "atu"}
    if verb in ("-", "-!"):
        return "discard", {**s, "tile": rest, "closes": verb == "-!"}
    if verb == "<":
        return "take", {**s, "from": int(words[0]), "tiles": " ".join(words[1:])}
    if verb == "m":
        return "meld", {**s, "melds": [meld.strip() for meld in rest.split("|")]}
    if verb == "l":
        end = {"end": words.pop()} if words[-1] in ("low", "high") else {}
        tiles, splits, second = " ".join(words[1:]).partition(" / ")
        two = {"splits": True, "new_meld": second} if splits else {}
        return "lay_off", {**s, "meld": words[0], "tiles": tiles, **end, **two}
    if verb == "j":
        tiles, _, into = " ".join(words[1:]).partition(">")
        return "reclaim", {**s, "meld": words[0], "tiles": tiles.strip(), "into": into.strip() or None}
    if verb == "t":
        melds, _, tile = " ".join(words[1:]).partition(" / ")
        return "close_table", {**s, "kind": words[0], "melds": melds.split(" | "), "tile": tile}
    if verb == "say":
        kind = {"kind": words[1]} if words[1:] else {}
        return "announce", {**s, "what": words[0], **kind}
    if verb == "swap":
        gives, gets = (None if word == "?" else word for word in words[1:3])
        return "swap_doubles", {**s, "with": int(words[0]), "gives": gives, "gets": gets}
    raise ValueError(f"no such verb: {verb}")


def record(base: str, text: str, *, seats: int = 2, pack: str | None = None, **changes: object) -> Record:
    """The record of a game in short hand; the first player is seat 0."""
    written = new_record(base, NAMES[:seats], changes=changes, dealer=seats - 1, pack=pack)
    for line in text.strip().splitlines():
        if line.strip():
            written = written.plus(*entry(line.partition("#")[0].strip()), actor="camera")
    return written


def play(base: str, text: str, *, seats: int = 2, pack: str | None = None, **changes: object) -> Replay:
    """What a game in short hand comes to."""
    return replay(record(base, text, seats=seats, pack=pack, **changes))


def totals(played: Replay) -> list[int]:
    return [seat.total for seat in played.scores]


def codes(played: Replay) -> list[tuple[int, str]]:
    return [(refused.seq, refused.reason.code) for refused in played.refusals]
