"""Whole games told twice, equal but for the racks: nobody without a session can tell them apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from flask import Flask

from companion.table.config import parse_config
from companion.table.inputs import Looked
from companion.table.running import RunningTable
from engine import commands as c
from engine.decide import happened
from engine.rules import rule_set
from engine.state import State, new_game
from engine.tiles import Face
from tests.companion.table.scripted import look, played_script, scripted_setup
from tests.waiting import until
from tests.web_ui.conftest import JPEG, read_picture, rows_by_height
from web_ui.app import create_app
from web_ui.services import Services

NAMES = ("Ana", "Dan", "Ioana")
STEPS = 12
"""Moments of a game at which everything public is read."""

CHANGING = (
    (rb"\d{4}-\d\d-\d\dT[\d:.]+Z", b"TIME"),
    (rb'"spent_s":\s*[\d.]+', b"SPENT"),
    (rb'data-spent="[\d.]+"', b"SPENT"),
    (rb'role="timer">[\d:]+<', b"SPENT"),
    (rb'name="csrf" value="[^"]+"', b"CSRF"),
    (rb"id: [0-9a-f]{8}-", b"id: RUN-"),
    (rb"(?m)^(remi_requests|remi_version|python_|process_).*$", b"COUNTED"),
)
"""What differs between two tables by the clock and by who has asked, never by a rack."""


def told(script: Sequence[c.Command]) -> tuple[c.Command, ...]:
    """The same game with other racks: players who still hold tiles they were dealt were dealt each other's.

    What is played, and so whether it is legal, is the same.
    """
    state = folded(script)
    deal = next(command for command in script if isinstance(command, c.Deal))
    hands = [Counter() if isinstance(hand, int) else Counter(hand) for hand in deal.hands]
    left = [sorted((hands[seat] & Counter(known_tiles(state, seat))).elements(), key=str)
            for seat in range(len(hands))]  # fmt: skip
    for seat, tiles in enumerate(left):
        after = (seat + 1) % len(left)
        pairs = list(zip(tiles[: len(tiles) // 2], left[after][len(left[after]) // 2 :], strict=False))
        for mine, other in pairs:
            hands[seat][mine] -= 1
            hands[seat][other] += 1
            hands[after][other] -= 1
            hands[after][mine] += 1
    dealt = replace(deal, hands=tuple(tuple(hand.elements()) for hand in hands))
    return tuple(dealt if command is deal else command for command in script)


def known_tiles(state: State, seat: int) -> tuple[Face, ...]:
    """The tiles that a game as told leaves on a rack."""
    return tuple(state.players[seat].hand.known)


def folded(script: Sequence[c.Command]) -> State:
    state: State = new_game(rule_set("etalat"), len(NAMES), dealer=0)
    for command in script:
        state, _ = happened(state, command)
    return state


def before_the_end(script: Sequence[c.Command]) -> tuple[c.Command, ...]:
    """The commands up to the last at which the game is not over, and no rack is laid out."""
    state: State = new_game(rule_set("etalat"), len(NAMES), dealer=0)
    kept: list[c.Command] = []
    for command in script:
        state, _ = happened(state, command)
        if state.phase == "over" or isinstance(command, c.Racks):
            break
        kept.append(command)
    return tuple(kept)


def public_routes(app: Flask) -> list[str]:
    """Every address that answers a GET and has no part to fill in; one that wants a session refuses both."""
    return sorted(
        rule.rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.arguments and rule.endpoint != "static"
    )


def public_output(app: Flask) -> dict[str, bytes]:
    """Everything that anybody can read: pages in both languages, JSON, figures, the stream's first event."""
    client = app.test_client()
    found: dict[str, bytes] = {}
    for path in public_routes(app):
        for language in ("ro", "en"):
            answer = client.get(path, headers={"Accept-Language": language}, buffered=False)
            body = b""
            if answer.mimetype == "text/event-stream":
                chunks = iter(answer.response)
                body = b"".join(part if isinstance(part, bytes) else str(part).encode()
                                for part in islice(chunks, 2))  # fmt: skip
            else:
                body = answer.get_data()
            answer.close()
            for pattern, name in CHANGING:
                body = re.sub(pattern, name, body)
            found[f"{language} {path} {answer.status_code}"] = body
    return found


def two_tables(
    folder: Path, scripts: Sequence[tuple[c.Command, ...]]
) -> Iterator[list[tuple[RunningTable, Flask]]]:
    text = "[players]\nnames = ['Ana', 'Dan', 'Ioana']\ndealer = 'Ana'\n"
    with ExitStack() as stack:
        found = []
        for number, script in enumerate(scripts):
            place = folder / str(number)
            place.mkdir()
            follower = scripted_setup([script], commit="discard").new_follower
            table = stack.enter_context(RunningTable(parse_config(text, folder=place), new_follower=follower))
            found.append(
                (table, create_app(Services(read_picture, rows_by_height, lambda: JPEG, game=table)))
            )
        yield found


def compare(tables: list[tuple[RunningTable, Flask]], at: int) -> list[str]:
    """The addresses whose answers differ once so many commands were taken."""
    outputs = []
    for table, app in tables:
        table.table.looked(Looked(look(at)))
        assert until(lambda table=table: table.table.core.look >= at or _entries(table) >= at)  # type: ignore[misc]
        output = public_output(app)
        version = str(table.document()["version"]).encode()
        outputs.append({path: body.replace(version, b"VERSION") for path, body in output.items()})
    return sorted(path for path in outputs[0] if outputs[0][path] != outputs[1].get(path))


def _entries(table: RunningTable) -> int:
    return len(table.table.core.game.record.entries)


def hidden(script: Sequence[c.Command]) -> list[Face]:
    """The tiles that a game as told hides."""
    drawn = [command.tile for command in script if isinstance(command, c.Draw) and command.tile is not None]
    dealt = [face for command in script if isinstance(command, c.Deal) for hand in command.hands
             if not isinstance(hand, int) for face in hand]  # fmt: skip
    return [*dealt, *drawn]


@pytest.mark.parametrize("seed", [3, 4])
def test_nothing_public_depends_on_what_is_on_a_rack(tmp_path: Path, seed: int) -> None:
    script = before_the_end(played_script("etalat", seed))
    other = told(script)
    assert hidden(script)
    assert hidden(script) != hidden(other), "the two games must differ in what is hidden"
    for tables in two_tables(tmp_path, [script, other]):
        for step in range(1, STEPS + 1):
            at = len(script) * step // STEPS
            assert not compare(tables, at), f"after {at} commands"
            for table, _ in tables:
                assert _entries(table) == at
                assert table.table.core.state.phase != "over"
        told_first, told_second = (table.table.core.game.record.entries for table, _ in tables)
        assert [one.fields for one in told_first] != [one.fields for one in told_second]


def test_the_comparison_notices_a_rack_that_is_shown(tmp_path: Path) -> None:
    script = before_the_end(played_script("etalat", 3))
    for tables in two_tables(tmp_path, [script, told(script)]):
        for table, app in tables:
            app.add_url_rule(
                "/leak", "leak", lambda table=table: str(table.table.core.game.record.entries[0].fields)
            )
        assert compare(tables, len(script) // 2) == ["en /leak 200", "ro /leak 200"]
