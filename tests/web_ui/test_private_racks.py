"""Whole games told twice, equal but for the racks: nobody without a session can tell them apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.past import Past
from companion.sheets import SheetFile
from companion.table.config import parse_config
from companion.table.inputs import Looked
from companion.table.running import RunningTable
from engine import commands as c
from engine.decide import happened
from engine.rules import rule_set
from engine.state import State, new_game
from engine.table_reading import Problem
from engine.tiles import Face
from engine.whereabouts import whereabouts
from tests.companion.table.scripted import look, played_script, scripted_setup
from tests.waiting import until
from tests.web_ui.conftest import JPEG, read_picture, rows_by_height
from tests.web_ui.test_table import NOW, READING, ScriptedTable, lying
from web_ui.app import create_app
from web_ui.services import Services, TableNow

NAMES = ("Ana", "Dan", "Ioana")
STEPS = 6
"""Moments of a game at which everything public is read."""
LANGUAGES = ("ro", "en")

CHANGING = (
    (rb"\d{4}-\d\d-\d\d(T[\d:.]+Z)?", b"TIME"),
    (rb'"spent_s":\s*[\d.]+', b"SPENT"),
    (rb"id: [0-9a-f]{8}-", b"id: RUN-"),
    (rb'name="(csrf|version)" value="[^"]*"', rb'name="\1"'),
    (rb'data-(spent|left)="[^"]*"|role="timer">[^<]*<', b"CLOCK"),
    (rb"(?m)^(remi_requests|remi_version|python_|process_).*$", b"COUNTED"),
)
"""What differs between two tables by the clock, the session and who has asked, never by a rack."""


def told(script: Sequence[c.Command]) -> tuple[c.Command, ...]:
    """The same game with other racks: players who still hold tiles they were dealt were dealt each other's.

    What is played, and so whether it is legal, is the same.
    """
    state, _ = _folded(script)
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


def told_with_other_draws(script: Sequence[c.Command]) -> tuple[c.Command, ...]:
    """The same game where tiles that were drawn from the wall and are still held at its end are others.

    Each is exchanged for one that stays in the wall, where what is against each command stays the same.
    """
    state, against = _folded(script)
    wall = list(whereabouts(state).unseen)
    kept = [Counter(known_tiles(state, seat)) for seat in range(len(NAMES))]
    found = list(script)
    for at in reversed(range(len(found))):
        draw = found[at]
        if not isinstance(draw, c.Draw) or draw.tile is None or not kept[draw.seat][draw.tile]:
            continue
        for other in wall:
            changed = [*found[:at], replace(draw, tile=other), *found[at + 1 :]]
            if other != draw.tile and _folded(changed)[1] == against:
                kept[draw.seat][draw.tile] -= 1
                wall.remove(other)
                wall.append(draw.tile)
                found = changed
                break
    return tuple(found)


def _folded(script: Sequence[c.Command]) -> tuple[State, list[object]]:
    state: State = new_game(rule_set("etalat"), len(NAMES), dealer=0)
    against: list[object] = []
    for command in script:
        state, reasons = happened(state, command)
        against.append(reasons)
    return state, against


def known_tiles(state: State, seat: int) -> tuple[Face, ...]:
    """The tiles that a game as told leaves on a rack."""
    return tuple(state.players[seat].hand.known)


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


OF_THE_GAME = {
    "history.match": ("/history/1",),
    "history.scores_csv": ("/history/1/scores.csv",),
    "history.game": ("/history/1/1", *(f"/history/1/1?step={step}" for step in (1, 30))),
    "history.record": ("/history/1/1/record.remi.jsonl",),
    "history.match_document": ("/api/v1/history/1",),
}
"""The addresses of the game that is on, by route."""

OF_NO_GAME = frozenset(
    {
        "static", "pages.photo", "pages.picture", "pages.tile_form", "pages.add_form", "api.show",
        "tilesets.census", "tilesets.crop", "sheets.show", "sheets.round_form", "sheets.as_csv",
        "sheets.document",
    }
)  # fmt: skip
"""Routes with a part to fill in that show photos, sets and typed points, nothing of the game."""

BEHIND_LOGIN = frozenset({"desk.crop", "desk.entry", "desk.enter"})


def public_routes(app: Flask) -> list[str]:
    """Every address that answers a GET and may show the game; one that wants a session refuses both."""
    plain = [
        rule.rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.arguments and rule.endpoint != "static"
    ]
    return sorted([*plain, *(address for addresses in OF_THE_GAME.values() for address in addresses)])


def test_every_route_is_known_to_show_the_game_or_not() -> None:
    app = create_app(Services(read_picture, rows_by_height))
    filled = {
        rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and rule.arguments
    }
    unknown = filled - set(OF_THE_GAME) - OF_NO_GAME - BEHIND_LOGIN
    assert not unknown, "say above what these show"


def public_output(app: Flask, first: str) -> dict[str, bytes]:
    """Everything that anybody can read: pages in both languages, JSON, figures, the stream's first event.

    What is no page has both languages in it, or none: it is asked for in the first only.
    """
    client = app.test_client()
    (second,) = set(LANGUAGES) - {first}
    found: dict[str, bytes] = {}
    for path in public_routes(app):
        kind, found[f"{first} {path}"] = answer_to(client, path, first)
        if kind == "text/html":
            _, found[f"{second} {path}"] = answer_to(client, path, second)
    return found


def answer_to(client: FlaskClient, path: str, language: str) -> tuple[str | None, bytes]:
    """What kind of answer there is, and status and body but for what changes."""
    answer = client.get(path, headers={"Accept-Language": language}, buffered=False)
    if answer.mimetype == "text/event-stream":
        chunks = islice(answer.response, 2)
        body = b"".join(part if isinstance(part, bytes) else str(part).encode() for part in chunks)
    else:
        body = answer.get_data()
    answer.close()
    for pattern, name in CHANGING:
        body = re.sub(pattern, name, body)
    return answer.mimetype, b"%d " % answer.status_code + body


def seen_with_rack(number: int) -> TableNow:
    """What a camera sees that reads a rack too: another one on each table, with another doubt about it."""
    rack = ((lying(11, f"r{number + 2}", doubtful=bool(number)), lying(12, f"b{number + 5}")), ())
    problem = Problem("too_many", (3, 11), f"Red {number + 2} on a rack.", f"{number + 2} roșu pe tablă.")
    return replace(NOW, reading=replace(READING, racks={1: rack}, problems=(*READING.problems, problem)))


def equal_tables(
    folder: Path, scripts: Sequence[tuple[c.Command, ...]]
) -> Iterator[list[tuple[RunningTable, Flask]]]:
    text = "[players]\nnames = ['Ana', 'Dan', 'Ioana']\ndealer = 'Ana'\n[page]\npin = '2580'\n"
    with ExitStack() as stack:
        found = []
        for number, script in enumerate(scripts):
            place = folder / str(number)
            place.mkdir()
            follower = scripted_setup([script], commit="discard").new_follower
            config = parse_config(text, folder=place)
            table = stack.enter_context(RunningTable(config, new_follower=follower))
            file = stack.enter_context(SheetFile(None))
            services = Services(
                read_picture,
                rows_by_height,
                lambda: JPEG,
                table=ScriptedTable(seen_with_rack(number)),
                game=table,
                history=Past(config.journal, file),
                sheets=file,
            )
            found.append((table, create_app(services)))
        yield found


def compare(tables: list[tuple[RunningTable, Flask]], at: int, *, first: str) -> list[str]:
    """The addresses whose answers differ once so many commands were taken; `first` is a language."""
    outputs = []
    for table, app in tables:
        table.table.looked(Looked(look(at)))
        assert until(lambda table=table: table.table.core.look >= at or _entries(table) >= at)  # type: ignore[misc]
        output = public_output(app, first)
        version = str(table.document()["version"]).encode()
        outputs.append({path: body.replace(version, b"VERSION") for path, body in output.items()})
    one, *others = outputs
    return sorted(path for path in one if any(other.get(path) != one[path] for other in others))


def _entries(table: RunningTable) -> int:
    return len(table.table.core.game.record.entries)


def hidden(script: Sequence[c.Command]) -> list[Face]:
    """The tiles that a game as told hides."""
    drawn = [command.tile for command in script if isinstance(command, c.Draw) and command.tile is not None]
    dealt = [face for command in script if isinstance(command, c.Deal) for hand in command.hands
             if not isinstance(hand, int) for face in hand]  # fmt: skip
    return [*dealt, *drawn]


@pytest.mark.parametrize(("seed", "others_of"), [(3, (told, told_with_other_draws)), (4, (told,))])
def test_nothing_public_depends_on_what_is_on_a_rack(
    tmp_path: Path, seed: int, others_of: Sequence[Callable[[Sequence[c.Command]], tuple[c.Command, ...]]]
) -> None:
    script = before_the_end(played_script("etalat", seed))
    others = [other_of(script) for other_of in others_of]
    assert hidden(script)
    for other in others:
        assert hidden(script) != hidden(other), "the games must differ in what is hidden"
    for tables in equal_tables(tmp_path, [script, *others]):
        for step in range(1, STEPS + 1):
            at = len(script) * step // STEPS
            assert not compare(tables, at, first=LANGUAGES[step % 2]), f"after {at} commands"
            for table, _ in tables:
                assert _entries(table) == at
                assert table.table.core.state.phase != "over"
        first, *rest = ([one.fields for one in table.table.core.game.record.entries] for table, _ in tables)
        assert all(fields != first for fields in rest)


def test_the_comparison_notices_a_rack_that_is_shown(tmp_path: Path) -> None:
    script = before_the_end(played_script("etalat", 3))
    for tables in equal_tables(tmp_path, [script, script, told(script)]):
        for table, app in tables:

            def leak(table: RunningTable = table) -> str:
                return str(table.table.core.game.record.entries[0].fields)

            app.add_url_rule("/leak", "leak", leak)
            app.add_url_rule("/leak.json", "leak_json", lambda table=table: {"rack": leak(table)})
        assert compare(tables, len(script) // 2, first="en") == ["en /leak", "en /leak.json", "ro /leak"]
