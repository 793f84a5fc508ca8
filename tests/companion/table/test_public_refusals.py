"""What is against an entry because of a tile on a rack is told to nobody before the racks are shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.table.config import parse_config
from companion.table.inputs import Post
from companion.table.public_refusals import OF_RACKS, UNTOLD
from companion.table.running import RunningTable
from engine import commands as c
from engine.entries import write_command
from engine.players import play_game
from engine.refusals import IMPOSSIBLE
from engine.tiles import Face

TEXT = "[players]\nnames = ['Ana', 'Dan', 'Ioana']\ndealer = 'Ana'\n"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    with RunningTable(parse_config(TEXT, folder=tmp_path)) as opened:
        yield opened


def post(table: RunningTable, what: str, fields: dict[str, Any]) -> None:
    done = table.table.post(Post(what, fields, None, anyway=True)).result(30)
    assert done.status == "done", done


def dealt(table: RunningTable) -> c.Deal:
    game = play_game(table.table.core.state.rules, 3, Random(3))
    deal = next(command for command, _ in game.history if isinstance(command, c.Deal))
    post(table, "command", write_command(deal))
    return deal


def told(table: RunningTable) -> list[str]:
    return [one["code"] for one in table.document()["refusals"]]


def real(table: RunningTable) -> list[str]:
    return [one.reason.code for one in table.table.core.refused]


def test_an_announcement_that_does_not_hold_is_not_told_as_such(table: RunningTable) -> None:
    deal = dealt(table)
    hands = [hand for hand in deal.hands if not isinstance(hand, int)]
    seat = next(seat for seat, hand in enumerate(hands) if deal.atu not in hand)
    post(table, "command", {"event": "announce", "seat": seat, "what": "atu"})
    assert real(table) == ["atu_not_held"]
    assert told(table) == [UNTOLD]
    (shown,) = table.document()["refusals"]
    assert "atu" not in shown["hint"] + shown["hint_ro"] + shown["clause"]


def test_a_tile_that_the_racks_have_is_not_named(table: RunningTable) -> None:
    deal = dealt(table)
    hands = [hand for hand in deal.hands if not isinstance(hand, int)]
    full = table.table.core.state.full
    (first, second) = (
        (face for face in dict.fromkeys(hands[0]) if face != deal.atu and face not in hands[1]),
        1,
    )
    secret: Face = next(iter(first))
    assert full.count(secret) == 2
    post(table, "command", {"event": "discard", "seat": second, "tile": str(hands[1][0])})
    seq = len(table.table.core.game.record.entries)
    entry = {"event": "discard", "seat": second, "tile": str(secret)}
    post(table, "amend", {"target": seq, "entry": entry, "reason": "a test"})
    assert "tile_not_there" in real(table)
    assert set(told(table)) & OF_RACKS == set()
    assert UNTOLD in told(table)


def test_what_everybody_can_see_is_told(table: RunningTable) -> None:
    deal = dealt(table)
    hands = [hand for hand in deal.hands if not isinstance(hand, int)]
    post(table, "command", {"event": "discard", "seat": 2, "tile": str(hands[2][0])})
    assert "not_your_turn" in told(table)
    assert told(table) == real(table)


def test_the_codes_of_racks_are_codes() -> None:
    from engine.breaches import BREACHES

    assert set(BREACHES) | set(IMPOSSIBLE) >= OF_RACKS
