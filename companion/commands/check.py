"""`remi check`: whether tiles are a meld, what its jokers stand for, and what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from companion.options import json_option, rules_option
from companion.output import INPUT_WRONG, print_json

if TYPE_CHECKING:
    from engine.melds import MeldVerdict


@click.command()
@click.argument("tiles_text", metavar="TILES")
@rules_option
@json_option
@click.pass_context
def check(context: click.Context, /, *, tiles_text: str, rules_key: str, as_json: bool) -> None:
    """Say whether TILES, in this order, are a meld.

    TILES is one argument, such as "r5 r6 *=r7": r y b k and 1 to 13, * for a joker; cards as in "QH KH AH".
    """
    from engine.melds import check_meld
    from engine.notation import NotationError, format_tiles, parse_tiles
    from engine.rules import rule_set

    try:
        tiles = parse_tiles(tiles_text)
    except NotationError as error:
        raise click.BadParameter(f"{error.hint_en}\n{error.hint_ro}", param_hint="TILES") from error
    verdict = check_meld(tiles, rule_set(rules_key))
    if as_json:
        print_json({"rules": rules_key, "tiles": format_tiles(tiles), **verdict_document(verdict)})
    else:
        _print_lines(format_tiles(tiles), verdict)
    if not verdict.meld:
        context.exit(INPUT_WRONG)


def verdict_document(verdict: MeldVerdict) -> dict[str, Any]:
    """The JSON of one verdict, as `docs/formats.md` describes it."""
    from engine.notation import format_tiles

    return {
        "meld": verdict.meld,
        "shape": verdict.shape,
        "points": verdict.points,
        "final_points": verdict.final_points,
        "stands_for": None if verdict.stands_for is None else [str(face) for face in verdict.stands_for],
        "reasons": [
            {
                "code": reason.code,
                "clause": reason.clause,
                "hint": reason.hint_en,
                "hint_ro": reason.hint_ro,
                "tiles": format_tiles(reason.tiles),
            }
            for reason in verdict.reasons
        ],
    }


def _print_lines(tiles: str, verdict: MeldVerdict) -> None:
    if verdict.meld:
        jokers = "".join(f", joker stands for {face}" for face in verdict.stands_for or ())
        values = f"{verdict.points} points to open with, {verdict.final_points} at the end"
        click.echo(f"{tiles}: {verdict.shape}, {values}{jokers}")
        return
    click.echo(f"{tiles or 'no tiles'}: no meld")
    for reason in verdict.reasons:
        click.echo(f"  {reason.hint_en} ({reason.clause})\n  {reason.hint_ro}")
