"""`remi demo`: the page for counting a photo and a live table, on this machine; or games without a screen."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.options import RULES, json_option


@click.command()
@click.option("--rules", "rules_key", type=RULES, default="etalat", help="The rule set to begin with.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, help="If it is in use, another is taken."
)
@click.option("--host", default="127.0.0.1", help="0.0.0.0 lets phones on the same network in.")
@click.option("--no-browser", is_flag=True, help="Only say the address.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    default=3,
    help="Of the live table: tiles, table, light and game follow from it.",
)
@click.option("--no-table", is_flag=True, help="Without the live table.")
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the games in this file; else they are gone at the end.",
)
@click.option("--headless", is_flag=True, help="Play games without a page, as fast as the machine allows.")
@click.option("--games", type=click.IntRange(1), default=1, help="With --headless: so many, seed after seed.")
@click.option("--untaught", is_flag=True, help="Play with a set of tiles that the reader was not taught.")
@json_option
def demo(  # noqa: PLR0913
    *,
    rules_key: str,
    port: int,
    host: str,
    no_browser: bool,
    seed: int,
    no_table: bool,
    journal: Path | None,
    headless: bool,
    games: int,
    untaught: bool,
    as_json: bool,
) -> None:
    """Open the page on which simulated players play on a table as the companion sees it, live.

    With --headless they play without a page, and what the companion made of each game is compared with what
    was played.
    """
    if headless:
        _headless(rules_key, seed, games, taught=not untaught, as_json=as_json)
        return
    from calibration.errors import HintedError
    from companion.demo import run_demo
    from companion.output import InputError
    from companion.records import in_romanian

    try:
        run_demo(
            rules_key,
            port,
            host=host,
            open_browser=not no_browser,
            table=not no_table,
            seed=seed,
            journal=journal,
            taught=not untaught,
        )
    except HintedError as error:
        raise InputError(error.hint_ro if in_romanian() else error.hint_en) from error


def _headless(rules_key: str, seed: int, count: int, *, taught: bool, as_json: bool) -> None:
    from companion.demo import tile_rules
    from companion.demo_players.report import games, in_words, summary
    from companion.output import note
    from companion.tilesets import load_reader

    key = tile_rules(rules_key).key
    lines = []
    for one in games(key, seed, count, reader=load_reader(threads=1), taught=taught):
        line = one.document()
        lines.append(line)
        if as_json:
            click.echo(json.dumps(line))
            note(in_words(line))
        else:
            click.echo(in_words(line))
    figures = summary(lines)
    if as_json:
        click.echo(json.dumps({"summary": figures}))
    else:
        settled = figures["settled_to_score_ms"]
        click.echo(
            f"{figures['games']} games: {figures['exact']} exact, {figures['flagged']} flagged, "
            f"{figures['silent_errors']} silent errors, {figures['questions_median']} questions a game, "
            f"settled to score {settled['median']} ms (95 %: {settled['p95']} ms)"
        )
