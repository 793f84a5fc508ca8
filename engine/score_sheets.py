"""Score sheets kept without a followed game: players, rounds of points, corrections that erase nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.matches import places
from engine.rules import RULE_KEYS

MOST_PLAYERS: Final = 8
MOST_ROUNDS: Final = 500
LONGEST_NAME: Final = 40
LONGEST_NOTE: Final = 200
MOST_POINTS: Final = 99_999


class SheetError(ValueError):
    """Something that a sheet cannot take; says what is wrong and what to do, in both languages."""

    def __init__(self, field: str, hint_en: str, hint_ro: str) -> None:
        self.field = field
        self.hint_en = hint_en
        self.hint_ro = hint_ro
        super().__init__(f"{field}: {hint_en}")


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """One thing that was written on a sheet: `begin`, `round`, `correct`, `strike`, `end` or `reopen`."""

    event: str
    fields: Mapping[str, Any]
    at: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it stands: its number from 1, the points of each player, and what it was before."""

    number: int
    points: tuple[int, ...]
    at: str = ""
    source: str = "typed"
    note: str = ""
    before: tuple[tuple[int, ...], ...] = ()
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as it stands; `version` counts its entries, which are all kept."""

    id: str
    name: str
    rules: str
    players: tuple[str, ...]
    rounds: tuple[Round, ...] = ()
    entries: tuple[SheetEntry, ...] = ()
    ended: bool = False

    @property
    def version(self) -> int:
        """How many entries it has."""
        return len(self.entries)

    @property
    def counting(self) -> tuple[Round, ...]:
        """The rounds that were not struck out."""
        return tuple(one for one in self.rounds if not one.struck)

    @property
    def totals(self) -> tuple[int, ...]:
        """The sum of each player's rounds."""
        return tuple(sum(one.points[at] for one in self.counting) for at in range(len(self.players)))

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each player, the most points first; equal totals share one."""
        return places(self.totals)

    @property
    def winners(self) -> tuple[str, ...]:
        """Who is first on a sheet that has ended and has a round."""
        if not self.ended or not self.counting:
            return ()
        return tuple(name for name, place in zip(self.players, self.places, strict=True) if place == 1)

    def running(self) -> tuple[tuple[int, ...], ...]:
        """The totals after each round that counts."""
        sums = [0] * len(self.players)
        lines = []
        for one in self.counting:
            sums = [have + more for have, more in zip(sums, one.points, strict=True)]
            lines.append(tuple(sums))
        return tuple(lines)


def sheet_of(sheet_id: str, entries: Iterable[SheetEntry]) -> Sheet:
    """The sheet that these entries make; SheetError for one that cannot be."""
    found: Sheet | None = None
    for entry in entries:
        found = begun(sheet_id, entry) if found is None else written(found, entry)
    if found is None:
        raise SheetError("begin", "the sheet has no entry", "foaia nu are nicio înscriere")
    return found


def begun(sheet_id: str, entry: SheetEntry) -> Sheet:
    """A sheet with no rounds; SheetError for names or rules that cannot be."""
    if entry.event != "begin":
        raise SheetError("event", "a sheet begins with `begin`", "o foaie începe cu `begin`")
    rules = entry.fields.get("rules")
    if rules not in RULE_KEYS:
        known = ", ".join(RULE_KEYS)
        raise SheetError("rules", f"choose one of {known}", f"alegeți una din {known}")
    names = entry.fields.get("players")
    if not isinstance(names, Sequence) or isinstance(names, str) or not 2 <= len(names) <= MOST_PLAYERS:
        raise SheetError(
            "players", f"name 2 to {MOST_PLAYERS} players", f"scrieți 2 până la {MOST_PLAYERS} jucători"
        )
    players = tuple(_text("players", name, LONGEST_NAME) for name in names)
    if len({player.casefold() for player in players}) < len(players):
        raise SheetError(
            "players", "two players have the same name; add an initial",
            "doi jucători au același nume; adăugați o inițială",
        )  # fmt: skip
    name = _text("name", entry.fields.get("name") or ", ".join(players)[:LONGEST_NAME], LONGEST_NAME)
    return Sheet(sheet_id, name, rules, players, entries=(entry,))


def written(sheet: Sheet, entry: SheetEntry) -> Sheet:
    """The sheet with one entry more; SheetError where it cannot take it."""
    sheet = replace(sheet, entries=(*sheet.entries, entry))
    if entry.event in ("end", "reopen"):
        return replace(sheet, ended=entry.event == "end")
    if sheet.ended:
        raise SheetError(
            "sheet",
            "the sheet was ended; open it again first",
            "foaia a fost încheiată; redeschideți-o întâi",
        )
    match entry.event:
        case "round":
            if len(sheet.rounds) >= MOST_ROUNDS:
                raise SheetError(
                    "round", "the sheet is full; begin another", "foaia este plină; începeți alta"
                )
            points, note = _points(sheet, entry.fields), _note(entry.fields)
            source = "photo" if entry.fields.get("source") == "photo" else "typed"
            one = Round(len(sheet.rounds) + 1, points, entry.at, source, note)
            return replace(sheet, rounds=(*sheet.rounds, one))
        case "correct":
            one = _round(sheet, entry.fields)
            before = (*one.before, one.points)
            new = replace(
                one, points=_points(sheet, entry.fields), note=_note(entry.fields) or one.note, before=before
            )
            return _with_round(sheet, new)
        case "strike":
            one = _round(sheet, entry.fields)
            return _with_round(sheet, replace(one, struck=not one.struck))
        case _:
            raise SheetError(
                "event", f"{entry.event!r} is nothing that a sheet knows", f"{entry.event!r} nu este cunoscut"
            )


def _with_round(sheet: Sheet, new: Round) -> Sheet:
    rounds = tuple(new if one.number == new.number else one for one in sheet.rounds)
    return replace(sheet, rounds=rounds)


def _round(sheet: Sheet, fields: Mapping[str, Any]) -> Round:
    for one in sheet.rounds:
        if one.number == fields.get("round"):
            return one
    number = fields.get("round")
    raise SheetError("round", f"there is no round {number}", f"nu există runda {number}")


def _points(sheet: Sheet, fields: Mapping[str, Any]) -> tuple[int, ...]:
    points = fields.get("points")
    if not isinstance(points, Sequence) or isinstance(points, str) or len(points) != len(sheet.players):
        raise SheetError(
            "points", f"give {len(sheet.players)} numbers, one a player",
            f"scrieți {len(sheet.players)} numere, câte unul de jucător",
        )  # fmt: skip
    for value in points:
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MOST_POINTS:
            raise SheetError(
                "points", f"{value!r} is no whole number of points (such as 70 or -15)",
                f"{value!r} nu este un număr întreg de puncte (de exemplu 70 sau -15)",
            )  # fmt: skip
    return tuple(points)


def _note(fields: Mapping[str, Any]) -> str:
    note = fields.get("note") or ""
    return _text("note", note, LONGEST_NOTE) if note else ""


def _text(field: str, value: object, longest: int) -> str:
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not text or len(text) > longest or not text.isprintable():
        raise SheetError(field, f"must be 1 to {longest} signs", f"trebuie să aibă 1 până la {longest} semne")
    return text
