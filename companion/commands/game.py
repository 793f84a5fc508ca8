"""`remi replay`: what a record of a game comes to, and `remi best`: the best melds from a rack."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.options import json_option, rules_option
from companion.output import INPUT_WRONG, InputError, console, note, print_json

if TYPE_CHECKING:
    from engine.records import Record
    from engine.replay import Replay

RECORD_FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


@click.command()
@click.argument("path", metavar="RECORD", type=RECORD_FILE)
@json_option
@click.pass_context
def replay(context: click.Context, /, *, path: Path, as_json: bool) -> None:
    """Play RECORD, a `.remi.jsonl` file, again: score, table, and every entry that breaks a rule.

    Entries that break a rule are kept and listed, and the exit code is 0; it is 1 for a record that cannot be
    read, or that shows a tile more often than the set has it.
    """
    from companion.records import in_romanian, replay_document
    from engine.refusals import IMPOSSIBLE
    from engine.replay import conflicts
    from engine.replay import replay as play

    record = _read(context, path, as_json=as_json)
    played = play(record)
    if as_json:
        print_json(replay_document(played, conflicts(record)))
    else:
        _print(played)
    if not played.sound:
        romanian = in_romanian()
        lines = {entry.seq: entry.line for entry in record.entries}
        for refused in played.refusals:
            if refused.reason.code in IMPOSSIBLE and refused.reason.code == "more_than_the_set":
                hint = refused.reason.hint_ro if romanian else refused.reason.hint_en
                line = "linia" if romanian else "line"
                note(f"{path}: {line} {lines[refused.seq]}, {refused.reason.clause}: {hint}")
        context.exit(INPUT_WRONG)


def _read(context: click.Context, path: Path, *, as_json: bool) -> Record:
    from companion.records import broken_document, in_romanian
    from engine.records import RecordError, parse_record

    try:
        return parse_record(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        wrong = RecordError(1, "text", "the file is no UTF-8 text", "fișierul nu este text UTF-8")
        wrong.__cause__ = error
    except RecordError as error:
        wrong = error
    if as_json:
        print_json(broken_document(wrong))
        note(f"{path}: {wrong.hint_ro if in_romanian() else wrong.hint_en}")
        context.exit(INPUT_WRONG)
    raise InputError(f"{path}: {wrong.hint_ro if in_romanian() else wrong.hint_en}") from wrong


def _print(played: Replay) -> None:
    """The score and the table for people, in the language of the locale."""
    from rich.markup import escape
    from rich.table import Table

    from companion.records import LINE_NAMES, in_romanian

    romanian, state = in_romanian(), played.state
    say = (lambda _english, words: words) if romanian else (lambda words, _romanian: words)
    names = [escape(name) for name in played.record.header.seats]
    out = console()
    scores = Table(title=say("Score", "Scor"))
    scores.add_column(say("line", "rând"))
    for name in names:
        scores.add_column(name, justify="right")
    results = played.scores
    for what, words in LINE_NAMES.items():
        points = [sum(line.points for line in one.lines if line.what == what) for one in results]
        if any(line.what == what for one in results for line in one.lines):
            scores.add_row(words[romanian], *(str(value or "") for value in points))
    totals = [f"{one.total}{'' if one.complete else ' …'}" for one in results]
    scores.add_row("[bold]total[/bold]", *(f"[bold]{total}[/bold]" for total in totals), end_section=True)
    out.print(scores)
    if state.phase == "play":
        turn = names[state.turn.seat]
        out.print(say(f"turn: {turn}; wall: {state.wall.left}", f"la rând: {turn}; zid: {state.wall.left}"))
    for meld in state.melds:
        shape = say(
            meld.shape or "no meld", {"run": "suită", "group": "terță"}.get(meld.shape or "", "fără formație")
        )
        out.print(f"{meld.id} {names[meld.seat]}: {' '.join(map(str, meld.tiles))} ({shape})")
    if state.row:
        out.print(say("row: ", "șir: ") + " ".join(map(str, state.row)))
    for refused in played.refusals:
        reason = refused.reason
        entry = say("entry", "înregistrarea")
        out.print(escape(f"{entry} {refused.seq}: {say(reason.hint_en, reason.hint_ro)} ({reason.clause})"))
    for remark in played.remarks:
        name = names[remark.seat]
        words = say("did not announce that few tiles are left", "nu a anunțat că mai are puține piese")
        fine = say("fine", "penalizare")
        out.print(f"{remark.seq}: {name} {words}" + (f" ({fine} {remark.fine})" if remark.fine else ""))


@click.command()
@click.argument("rack", metavar="RACK")
@rules_option
@click.option("--opened", is_flag=True, help="The player has opened already.")
@json_option
def best(*, rack: str, rules_key: str, opened: bool, as_json: bool) -> None:
    """Find the melds of most points in RACK, the tiles held in one's turn; one stays for the discard.

    RACK is one argument, such as "r5 r6 r7 y10 b10 k10 *", of at most 15 tiles.
    """
    from companion.records import best_document, in_romanian
    from engine.notation import NotationError, format_tiles, parse_tiles
    from engine.rules import rule_set
    from engine.solver import RackError, solve

    rules = rule_set(rules_key)
    try:
        tiles = parse_tiles(rack, cards=rules.with_cards)
        found = solve([tile.face for tile in tiles], rules, opened=opened)
    except (NotationError, RackError) as error:
        raise click.BadParameter(f"{error.hint_en}\n{error.hint_ro}", param_hint="RACK") from error
    if as_json:
        print_json({"rules": rules_key, "rack": format_tiles(tiles), **best_document(found)})
        return
    romanian = in_romanian()
    say = (lambda _english, words: words) if romanian else (lambda words, _romanian: words)
    for meld in found.melds:
        click.echo(f"{format_tiles(meld.tiles)}  {meld.points}")
    if not found.melds:
        click.echo(say("nothing can be put down", "nu se poate etala nimic"))
    click.echo(f"{say('points', 'puncte')}: {found.points}")
    click.echo(f"{say('left', 'rămân')}: {found.left}")
    if found.closes:
        click.echo(say("closes", "închide"))
    if found.table_games:
        click.echo(f"{say('table games', 'jocuri pe tablă')}: {', '.join(found.table_games)}")
