"""Records of games, `.remi.jsonl`: read from text with every mistake named by its line, and written back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from engine.entries import EVENTS, FieldError, FieldReader, melds_named, read_command, write_command
from engine.rules import RuleError, RuleSet, resolved, rule_set, with_changes
from engine.state import State, new_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.commands import Command

FORMAT: Final = "remi-record/1"
ACTORS: Final = ("camera", "button", "arbiter", "player", "import")
CORRECTIONS: Final = ("void", "amend")


class RecordError(ValueError):
    """A record that cannot be read: the line (from 1), the field, and what is wrong in two languages."""

    def __init__(self, line: int, field_name: str, hint_en: str, hint_ro: str) -> None:
        self.line = line
        self.field = field_name
        self.hint_en = f"line {line}, {field_name}: {hint_en}"
        self.hint_ro = f"linia {line}, {field_name}: {hint_ro}"
        super().__init__(self.hint_en)


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a record; `more` has the keys that this version does not know, as they were."""

    rules: RuleSet
    base: str
    changes: Mapping[str, object]
    seats: tuple[str, ...]
    dealer: int
    pack: str | None = None
    with_resolved: bool = False
    more: Mapping[str, object] = field(default_factory=dict)

    def new_game(self) -> State:
        """The game before its deal."""
        return new_game(self.rules, len(self.seats), dealer=self.dealer, pack=self.pack)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its number, what happened, and the fields of that as JSON; `line` is where it was read."""

    seq: int
    event: str
    fields: Mapping[str, Any]
    at: str | None = None
    actor: str | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was written down: nothing in it is ever changed, corrections are entries too."""

    header: Header
    entries: tuple[Entry, ...] = ()

    def plus(
        self, event: str, fields: Mapping[str, Any], *, actor: str | None = None, at: str | None = None
    ) -> Record:
        """The record with one entry more; RecordError where its fields cannot be read."""
        entry = Entry(len(self.entries) + 1, event, fields, at, actor, line=len(self.entries) + 2)
        check_entry(entry, self.header)
        return replace(self, entries=(*self.entries, entry))

    def plus_command(self, command: Command, *, actor: str | None = None, at: str | None = None) -> Record:
        """The record with an entry for this command."""
        fields = write_command(command)
        return self.plus(fields.pop("event"), fields, actor=actor, at=at)


def reader(fields: Mapping[str, object], header: Header) -> FieldReader:
    """What reads the fields of an entry of this record."""
    return FieldReader(fields, seats=len(header.seats), cards=header.rules.with_cards)


def parse_record(text: str) -> Record:
    """The record in `text`; RecordError with line and field for the first thing that cannot be read.

    Breaches of the rules are no mistakes of a record: `engine.replay` reports those.
    """
    # Not splitlines: a name may hold a sign that only looks like the end of a line.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise RecordError(1, "format", "the record is empty", "înregistrarea este goală")
    header = _header(lines[0][0], _object(*lines[0]))
    entries: list[Entry] = []
    for number, line in lines[1:]:
        entry = _entry(number, _object(number, line))
        if entry.seq != len(entries) + 1:
            raise RecordError(
                number,
                "seq",
                f"is {entry.seq}; after {len(entries)} comes {len(entries) + 1}, without gaps",
                f"este {entry.seq}; după {len(entries)} urmează {len(entries) + 1}, fără goluri",
            )
        check_entry(entry, header)
        entries.append(entry)
    return Record(header, tuple(entries))


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as wrong:
        said = str(wrong).partition(":")[0]
        raise RecordError(
            number,
            "JSON",
            f"this line is no whole JSON object ({said}); was the record cut?",
            f"această linie nu este un obiect JSON întreg ({said}); a fost tăiată înregistrarea?",
        ) from wrong
    if not isinstance(value, dict):
        raise RecordError(number, "JSON", "each line is a JSON object", "fiecare linie este un obiect JSON")
    return value


def _header(number: int, value: dict[str, Any]) -> Header:
    if value.get("format") != FORMAT:
        said = value.get("format")
        raise RecordError(
            number, "format", f"must be {FORMAT!r}, not {said!r}", f"trebuie {FORMAT!r}, nu {said!r}"
        )
    named = value.get("rules")
    if not isinstance(named, Mapping) or not isinstance(named.get("base"), str):
        raise RecordError(
            number, "rules", 'must be an object such as {"base": "etalat", "changes": {}}',
            'trebuie un obiect ca {"base": "etalat", "changes": {}}',
        )  # fmt: skip
    changes, whole = named.get("changes") or {}, named.get("resolved")
    if not isinstance(changes, Mapping) or not isinstance(whole, Mapping | None):
        raise RecordError(
            number, "rules", "changes and resolved are objects", "changes și resolved sunt obiecte"
        )
    try:
        base = rule_set(named["base"])
        rules = with_changes(base, changes if whole is None else whole)
    except RuleError as wrong:
        raise RecordError(number, "rules", wrong.hint_en, wrong.hint_ro) from wrong
    seats = value.get("seats")
    if not isinstance(seats, list) or not all(isinstance(name, str) for name in seats):
        raise RecordError(number, "seats", "must be a list of names", "trebuie o listă de nume")
    fields = FieldReader(value, seats=len(seats), cards=rules.with_cards)
    known = ("format", "rules", "seats", "dealer", "pack")
    try:
        header = Header(
            rules,
            named["base"],
            dict(changes),
            tuple(seats),
            fields.seat("dealer"),
            fields.word("pack", optional=True),
            with_resolved=whole is not None,
            more={key: kept for key, kept in value.items() if key not in known},
        )
    except FieldError as wrong:
        raise RecordError(number, wrong.field, wrong.hint_en, wrong.hint_ro) from wrong
    try:
        header.new_game()
    except ValueError as wrong:
        raise RecordError(number, "seats", str(wrong), f"nu se potrivește cu regulile ({wrong})") from wrong
    return header


def _entry(number: int, value: dict[str, Any]) -> Entry:
    seq, event = value.get("seq"), value.get("event")
    if not isinstance(seq, int) or isinstance(seq, bool):
        raise RecordError(
            number, "seq", f"must be a whole number, not {seq!r}", f"trebuie un număr întreg, nu {seq!r}"
        )
    if event not in EVENTS:
        known = ", ".join(EVENTS)
        raise RecordError(
            number, "event", f"{event!r} is none of {known}", f"{event!r} nu este dintre {known}"
        )
    actor, at = value.get("actor"), value.get("at")
    if actor is not None and actor not in ACTORS:
        known = ", ".join(ACTORS)
        raise RecordError(
            number, "actor", f"{actor!r} is none of {known}", f"{actor!r} nu este dintre {known}"
        )
    if at is not None and not isinstance(at, str):
        raise RecordError(
            number, "at", f"must be a time as text, not {at!r}", f"trebuie ora ca text, nu {at!r}"
        )
    fields = {key: kept for key, kept in value.items() if key not in ("seq", "event", "actor", "at")}
    return Entry(seq, event, fields, at, actor, line=number)


def check_entry(entry: Entry, header: Header) -> None:
    """Nothing, where the fields of the entry can be read; else RecordError."""
    try:
        if entry.event in CORRECTIONS:
            reader(entry.fields, header).whole("target")
        if entry.event == "amend":
            event, fields = amended(entry)
            read_command(event, reader(fields, header), _placeholder_ids(event, fields))
        elif entry.event != "void":
            read_command(
                entry.event, reader(entry.fields, header), _placeholder_ids(entry.event, entry.fields)
            )
    except FieldError as wrong:
        raise RecordError(entry.line, wrong.field, wrong.hint_en, wrong.hint_ro) from wrong


def _placeholder_ids(event: str, fields: Mapping[str, object]) -> list[str]:
    return [f"m{at + 1}" for at in range(melds_named(event, fields))]


def amended(entry: Entry) -> tuple[str, dict[str, Any]]:
    """The event and fields that an `amend` says happened instead; FieldError where it does not say."""
    said = entry.fields.get("entry")
    if not isinstance(said, Mapping) or said.get("event") not in EVENTS or said["event"] in CORRECTIONS:
        raise FieldError(
            "entry", "must be the corrected entry: an event that is played, with its fields",
            "trebuie înregistrarea corectată: un eveniment de joc, cu câmpurile lui",
        )  # fmt: skip
    fields = {key: kept for key, kept in said.items() if key not in ("seq", "event", "actor", "at")}
    return said["event"], fields


def format_record(record: Record, *, with_resolved: bool | None = None) -> str:
    """The text that `parse_record` reads back as this record, one line an entry.

    `with_resolved` writes the whole rule data too (by default where it was read), so that the record keeps
    its rules when a later version changes a built-in rule set.
    """
    header = record.header
    rules: dict[str, Any] = {"base": header.base, "changes": dict(header.changes)}
    if header.with_resolved if with_resolved is None else with_resolved:
        rules["resolved"] = resolved(header.rules)
    first: dict[str, Any] = {"format": FORMAT, "rules": rules, "seats": list(header.seats)}
    first["dealer"] = header.dealer
    if header.pack is not None:
        first["pack"] = header.pack
    lines = [{**first, **header.more}, *(_written(entry) for entry in record.entries)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _written(entry: Entry) -> dict[str, Any]:
    written: dict[str, Any] = {"seq": entry.seq}
    if entry.at is not None:
        written["at"] = entry.at
    if entry.actor is not None:
        written["actor"] = entry.actor
    return {**written, "event": entry.event, **entry.fields}


def new_record(
    base: str,
    seats: Sequence[str],
    *,
    changes: Mapping[str, object] | None = None,
    dealer: int = 0,
    pack: str | None = None,
    more: Mapping[str, object] | None = None,
) -> Record:
    """A record with no entries yet; RuleError or ValueError for rules, seats or a pack that do not fit."""
    rules = with_changes(rule_set(base), changes or {})
    header = Header(rules, base, dict(changes or {}), tuple(seats), dealer, pack, more=more or {})
    header.new_game()
    return Record(header)
