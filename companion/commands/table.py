"""`remi run`, `remi doctor`, `remi setup`, `remi games`: the running table from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.options import NEW_FOLDER, json_option
from companion.output import INPUT_WRONG, InputError, note, print_json

if TYPE_CHECKING:
    from calibration.errors import HintedError

TABLE_FILE: Final = click.Path(dir_okay=False, path_type=Path)
DEFAULT: Final = Path("table.toml")


def _refused(error: HintedError) -> InputError:
    from companion.records import in_romanian

    return InputError(error.hint_ro if in_romanian() else error.hint_en)


@click.command()
@click.argument("table", type=TABLE_FILE, default=DEFAULT, metavar="[TABLE.toml]")
@click.option("--no-page", is_flag=True, help="Serve no page: camera, board and journal alone.")
def run(*, table: Path, no_page: bool) -> None:
    """Run the table that TABLE.toml describes, until Ctrl-C.

    A game that was not finished goes on where it was: everything is in the journal, whatever happened.
    """
    from calibration.errors import HintedError
    from companion.table.config import load_config
    from companion.table.serving import run_table

    try:
        run_table(load_config(table), page=not no_page)
    except HintedError as error:
        raise _refused(error) from error
    except OSError as error:
        raise InputError(f"{error}. remi doctor {table} says more.") from error


@click.command()
@click.argument("table", type=TABLE_FILE, required=False, metavar="[TABLE.toml]")
@json_option
@click.pass_context
def doctor(context: click.Context, /, *, table: Path | None, as_json: bool) -> None:
    """Check camera, rig, model, board, disk, journal and page of TABLE.toml, and say what to do.

    Without a file it checks what every table needs, and table.toml where there is one. Exit code 1 where
    something is wrong.
    """
    from companion.records import in_romanian
    from companion.table.doctor import Check, examine

    if table is None and DEFAULT.is_file():
        table = DEFAULT
    found: list[Check] = []
    marks = {"ok": "✓", "note": "•", "wrong": "✗"}
    romanian = in_romanian()
    for check in examine(table):
        found.append(check)
        if not as_json:
            words = check.ro if romanian else check.en
            name = _NAMES_RO.get(check.name, check.name) if romanian else check.name
            click.echo(f"{marks[check.verdict]} {name}: {words}")
    if as_json:
        checks = [
            {"name": one.name, "verdict": one.verdict, "message": one.en, "message_ro": one.ro}
            for one in found
        ]
        print_json({"table": None if table is None else str(table), "checks": checks})
    if any(check.verdict == "wrong" for check in found):
        context.exit(INPUT_WRONG)


_NAMES_RO: Final = {
    "table file": "fișierul mesei",
    "journal": "jurnal",
    "disk": "disc",
    "model": "model",
    "camera": "cameră",
    "rig": "calibrare",
    "zones": "zone",
    "board": "placă",
    "page": "pagină",
}


@click.command()
@click.option(
    "--write",
    "path",
    type=TABLE_FILE,
    default=DEFAULT,
    metavar="TABLE.toml",
    help="Where to write it; a file that is there is left as it is.",
)
def setup(*, path: Path) -> None:
    """Write a table file with every option explained, in the language of the locale, to be edited."""
    from companion.records import in_romanian
    from companion.table.options import example

    romanian = in_romanian()
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(example(path.name, romanian=romanian))
    except FileExistsError as error:
        raise InputError(
            f"{path} există deja; alegeți alt nume cu --write"
            if romanian
            else f"{path} is there already; name another with --write"
        ) from error
    except OSError as error:
        raise InputError(str(error)) from error
    if romanian:
        click.echo(f"{path}: scrieți în el jucătorii și camera, apoi: remi doctor {path}")
    else:
        click.echo(f"{path}: enter players and camera, then: remi doctor {path}")


@click.command()
@click.argument("table", type=TABLE_FILE, default=DEFAULT, metavar="[TABLE.toml]")
@click.option("--out", type=NEW_FOLDER, metavar="DIR", help="Write a record of each game into this folder.")
@json_option
def games(*, table: Path, out: Path | None, as_json: bool) -> None:
    """List the games in the journal of TABLE.toml with their results; --out writes their records.

    It can be asked while the table runs.
    """
    from calibration.errors import HintedError
    from companion.table.config import load_config
    from companion.table.export import export, games_in, record_name
    from engine.replay import replay

    try:
        journal = load_config(table).journal
        found = games_in(journal)
        written = export(journal, out) if out is not None else ()
    except HintedError as error:
        raise _refused(error) from error
    except OSError as error:
        raise InputError(str(error)) from error
    listed = []
    for match, game in found:
        played = replay(game.record)
        scores = [
            {"seat": one.seat, "name": name, "total": one.total, "complete": one.complete}
            for one, name in zip(played.scores, game.record.header.seats, strict=True)
        ]
        entries = len(game.record.entries)
        listed.append(
            {"match": match.number, "game": game.number, "rules": match.base, "phase": played.state.phase,
             "entries": entries, "record": record_name(match, game), "scores": scores}
        )  # fmt: skip
        if not as_json:
            results = ", ".join(
                f"{one['name']} {one['total']}{'' if one['complete'] else ' …'}" for one in scores
            )
            click.echo(f"{match.number}.{game.number} {match.base}: {results} ({entries})")
    if as_json:
        print_json({"journal": str(journal), "games": listed})
    for path in written:
        note(str(path))
