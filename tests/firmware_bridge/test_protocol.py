"""The protocol is declared once: the C++ header is made from the table, and Python reads it."""

from __future__ import annotations

import copy
import tomllib
from dataclasses import fields
from importlib.resources import files
from typing import Any

import pytest

from firmware_bridge import messages
from firmware_bridge.header import HEADER, header
from firmware_bridge.lamps import BUTTONS, LOOKS, SOUNDS
from firmware_bridge.protocol import protocol, read_protocol


def table() -> dict[str, Any]:
    text = (files("firmware_bridge") / "protocol.toml").read_text(encoding="utf-8")
    return copy.deepcopy(tomllib.loads(text))


def test_the_header_of_the_firmware_is_made_from_the_table() -> None:
    assert HEADER.read_text(encoding="utf-8") == header(protocol()), "python -m firmware_bridge.header"


def test_every_message_is_a_value_with_the_fields_of_the_table() -> None:
    for name, declared in protocol().messages.items():
        kind = messages._KINDS[name]
        assert [field.name for field in fields(kind)] == [field.name for field in declared.fields]


def test_a_board_tells_its_version_at_the_same_place_for_ever() -> None:
    hello = protocol().messages["HELLO"]
    assert hello.type == 1
    assert [field.name for field in hello.fields[:2]] == ["seq", "version"]


def test_seats_buttons_and_counters_fit_together() -> None:
    declared = protocol()
    assert len(BUTTONS) == declared.buttons
    for name in ("HELLO", "STATUS"):
        counts = next(field for field in declared.messages[name].fields if field.name == "counts")
        assert counts.times == declared.seats * declared.buttons


def test_no_two_signs_share_a_pattern() -> None:
    patterns = [pattern for pattern, _ in LOOKS.values()]
    assert len(set(patterns)) == len(patterns)
    assert "no_host" not in patterns
    assert {pattern for pattern, _ in LOOKS.values()} <= set(protocol().patterns)
    assert {colour for _, colour in LOOKS.values()} <= set(protocol().colours)
    assert set(SOUNDS.values()) <= set(protocol().sounds)


def test_pixels_stop_the_receiver_for_less_than_it_can_hold() -> None:
    """8 pixels of 24 bits of 1.25 us, against two bytes in the receiver while a third comes in."""
    declared = protocol()
    assert declared.pixels * 24 * 1.25 < 2 * 10 / declared.baud * 1e6


def test_a_press_is_lit_within_ten_milliseconds_by_the_numbers() -> None:
    times = protocol().times
    assert times["debounce"] + times["press_lamp"] + 1 < 10


@pytest.mark.parametrize("change", ["same type", "too long", "unknown kind"])
def test_a_table_that_cannot_work_is_refused_with_the_reason(change: str) -> None:
    broken = table()
    if change == "same type":
        broken["message"][1]["type"] = broken["message"][0]["type"]
        with pytest.raises(ValueError, match="same type"):
            read_protocol(broken)
    elif change == "too long":
        broken["message"][1]["fields"].append({"name": "more", "kind": "u8", "times": 40})
        with pytest.raises(ValueError, match="STATUS has 57 bytes"):
            read_protocol(broken)
    else:
        broken["message"][2]["fields"][0]["kind"] = "u64"
        with pytest.raises(ValueError, match=r"WELCOME\.ack is of kind 'u64'"):
            read_protocol(broken)
