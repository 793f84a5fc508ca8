"""A record without what it says of racks: what everyone may see of a game whose racks were not shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine import commands as c
from engine.entries import read_command, write_command
from engine.records import CORRECTIONS, Record, amended, reader

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.records import Entry, Header


def public_record(record: Record) -> Record:
    """The record with hands as numbers, draws and swaps without their tiles, and no rack at all.

    Only fields that the program knows are kept, so that nothing written beside them can tell a tile.
    """
    header = replace(record.header, more=_known(record.header.more))
    return Record(header, tuple(_public_entry(entry, record.header) for entry in record.entries))


def _known(more: Mapping[str, object]) -> dict[str, object]:
    return {key: more[key] for key in ("created", "table", "tileset", "match", "game") if key in more}


def _public_entry(entry: Entry, header: Header) -> Entry:
    if entry.event not in CORRECTIONS:
        return replace(entry, fields=_public_fields(entry.event, entry.fields, header))
    fields: dict[str, Any] = {"target": entry.fields["target"]}
    if isinstance(entry.fields.get("reason"), str):
        fields["reason"] = entry.fields["reason"]
    if entry.event == "amend":
        event, said = amended(entry)
        fields["entry"] = {"event": event, **_public_fields(event, said, header)}
    return replace(entry, fields=fields)


def _public_fields(event: str, fields: Mapping[str, Any], header: Header) -> dict[str, Any]:
    written = write_command(_hidden(read_command(event, reader(fields, header), ["m1"] * 32)))
    del written["event"]
    return written


def _hidden(command: c.Command) -> c.Command:
    match command:
        case c.Deal():
            hands = tuple(hand if isinstance(hand, int) else len(hand) for hand in command.hands)
            return replace(command, hands=hands)
        case c.Draw():
            # The atu lies open; the tile on top of the wall does not.
            return command if command.source == "atu" else replace(command, tile=None)
        case c.SwapDoubles():
            return replace(command, gives=None, gets=None)
        case c.Racks():
            return c.Racks(())
        case _:
            return command
