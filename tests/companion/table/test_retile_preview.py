"""Corrections of single tiles, and what a correction would change before it is made."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.table.core import Setup, start
from companion.table.history import NOTHING
from companion.table.inputs import Answer, Looked, Post, Posted
from companion.table.published import public_document
from companion.table.retile import InMeld, InRow, face_at, retiled
from companion.table.step import Step, step
from engine.commands import Deal, Draw
from engine.corrections import effective
from engine.notation import parse_face
from engine.records import Record
from engine.replay import replay
from tests.companion.table.scripted import look, played_script, scripted_setup
from tests.companion.table.test_running import running, until

SCRIPT = played_script("etalat", 3)


def as_seen(script: tuple[Any, ...]) -> tuple[Any, ...]:
    """The commands as a camera knows them that sees no rack."""
    seen: list[Any] = []
    for command in script:
        if isinstance(command, Deal):
            hands = tuple(hand if isinstance(hand, int) else len(hand) for hand in command.hands)
            seen.append(replace(command, hands=hands))
        elif isinstance(command, Draw):
            seen.append(replace(command, tile=None))
        else:
            seen.append(command)
    return tuple(seen)


UNSEEN = as_seen(SCRIPT)


def at_look(number: int, script: tuple[Any, ...] = UNSEEN) -> tuple[Any, Setup]:
    setup = scripted_setup([script])
    _, core = start(NOTHING, setup, now=0.0, at="2026-01-01T00:00:00.000Z", version=7, random=Random(1))
    return done(core, setup, Looked(look(number))).core, setup


def done(core: Any, setup: Setup, given: Any) -> Step:
    return step(core, given, setup, now=1.0, at="2026-01-01T00:00:01.000Z", random=Random(1))


def ask(core: Any, setup: Setup, what: str, fields: dict[str, Any], **more: Any) -> tuple[Step, Answer]:
    from concurrent.futures import Future

    after = done(core, setup, Posted(Post(what, fields, **more), Future()))
    assert after.answer is not None
    return after, after.answer


def long_game(script: tuple[Any, ...] = UNSEEN) -> tuple[Any, Setup]:
    """A game in which melds lie and tiles were discarded."""
    for number in range(len(SCRIPT) - 2, 8, -1):
        core, setup = at_look(number, script)
        if core.state.phase == "play" and len(core.state.melds) >= 2 and len(core.state.row) >= 3:
            return core, setup
    raise AssertionError("no such game")


def free_face(core: Any) -> Any:
    """A face of which none lies on the table."""
    lying = {str(core.state.atu), *map(str, core.state.row)}
    lying |= {str(tile.face) for meld in core.state.melds for tile in meld.tiles}
    faces = (f"{colour}{number}" for colour in "rybk" for number in range(1, 14))
    return parse_face(next(face for face in faces if face not in lying))


def test_every_tile_on_the_table_can_become_another_one() -> None:
    core, _ = long_game()
    record: Record = core.game.record
    places = [InRow(at) for at in range(len(core.state.row))] + [
        InMeld(meld.id, at) for meld in core.state.melds for at in range(len(meld.tiles))
    ]
    not_found = []
    for place in places:
        old = face_at(core.state, place)
        assert old is not None
        amended = retiled(record, place, free_face(core))
        if amended is None:
            not_found.append(place)
            continue
        target, entry = amended
        after = replay(record.plus("amend", {"target": target, "entry": entry}, actor="arbiter")).state
        before_row, after_row = list(map(str, core.state.row)), list(map(str, after.row))
        changed = [at for at, (a, b) in enumerate(zip(before_row, after_row, strict=True)) if a != b]
        assert changed == ([place.at] if isinstance(place, InRow) else [])
    # In a meld that another tile was laid onto since, that one may fit no more: then nothing is guessed.
    assert all(isinstance(place, InMeld) for place in not_found)
    assert len(not_found) < len(places) / 10


def test_where_nothing_lies_nothing_is_found() -> None:
    core, _ = long_game()
    assert retiled(core.game.record, InRow(99), parse_face("r1")) is None
    assert retiled(core.game.record, InMeld("m99", 0), parse_face("r1")) is None


def test_a_retiled_row_is_an_amended_discard() -> None:
    core, setup = long_game()
    new = free_face(core)
    fields = {"at": len(core.state.row) - 1, "face": str(new), "reason": "misread"}
    after, answer = ask(core, setup, "retile", fields, anyway=True)
    assert answer.status == "done"
    assert str(after.core.state.row[-1]) == str(new)
    (row,) = after.rows
    assert (row.event, row.actor, row.fields["entry"]["event"]) == ("amend", "arbiter", "discard")
    for wrong in (
        {"at": 99, "face": "r1"},
        {"at": 0, "face": "purple"},
        {"at": 0},
        {"at": "x", "face": "r1"},
    ):
        assert ask(core, setup, "retile", wrong)[1].status == "wrong"
    same = {"at": 0, "face": str(core.state.row[0])}
    assert ask(core, setup, "retile", same)[1].status == "wrong"


@pytest.mark.parametrize(
    ("what", "fields"),
    [
        ("undo", {}),
        ("rule", {"seat": 1, "points": -50, "reason": "late"}),
        ("pause", {}),
        ("rename", {"seat": 0, "name": "Ștefan"}),
        ("end_match", {}),
        ("press", {"seat": 0}),
    ],
)
def test_a_preview_shows_what_comes_and_does_nothing(what: str, fields: dict[str, Any]) -> None:
    core, setup = long_game()
    preview, answer = ask(core, setup, what, fields, preview=True, version=core.version)
    assert preview.rows == ()
    assert preview.core is core
    assert answer.status == "done"
    assert answer.version == core.version
    real, _ = ask(core, setup, what, fields, version=core.version)
    shown = public_document(real.core, setup, now=1.0)
    assert json.dumps(answer.game, default=str) == json.dumps(shown, default=str)


def test_a_preview_is_stale_or_refused_like_the_real_thing() -> None:
    core, setup = long_game()
    assert ask(core, setup, "undo", {}, preview=True, version=core.version - 1)[1].status == "stale"
    fields = {"event": "discard", "seat": (core.state.turn.seat + 1) % 3, "tile": str(free_face(core))}
    refused, answer = ask(core, setup, "command", fields, preview=True)
    assert (answer.status, answer.game, refused.core) == ("refused", None, core)
    _, anyway = ask(core, setup, "command", fields, preview=True, anyway=True)
    assert anyway.status == "done"
    assert anyway.game is not None
    assert anyway.game["row"][-1] == str(free_face(core))


def test_who_amends_a_draw_on_the_page_leaves_its_tile_as_it_was() -> None:
    core, setup = long_game(SCRIPT)
    draw = next(entry for entry in effective(core.game.record).entries if entry.fields.get("tile")
                and entry.event == "draw")  # fmt: skip
    entry = {"event": "draw", "seat": draw.fields["seat"], "source": "wall"}
    fields = {"target": draw.seq, "entry": entry, "reason": "seat", "keep_racks": True}
    after, answer = ask(core, setup, "amend", fields, anyway=True)
    assert answer.status == "done"
    assert after.rows[0].fields["entry"]["tile"] == draw.fields["tile"]


def test_no_preview_shows_a_rack() -> None:
    core, setup = long_game(SCRIPT)
    _, answer = ask(core, setup, "undo", {}, preview=True)
    shown = json.dumps(answer.game)
    assert '"hands": [["' not in shown
    for entry in (answer.game or {})["entries"]:
        assert not (entry["event"] == "draw" and "tile" in entry)


def test_a_running_table_answers_a_preview(tmp_path: Path) -> None:
    with running(tmp_path, script=SCRIPT) as (table, sight):
        sight.see(look(10))
        shown = until(table, lambda shown: len(shown.public["entries"]) == 10)
        answer = table.preview("rule", {"seat": 0, "points": -25}, shown.version, anyway=False)
        assert answer["status"] == "done"
        assert len(answer["game"]["entries"]) == 11
        assert table.document() == shown.public
