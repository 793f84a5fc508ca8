"""The command `remi`: one program, one verb for each thing people do."""

from __future__ import annotations

import click

from companion.commands.calibrate import calibrate
from companion.commands.check import check
from companion.commands.demo import demo
from companion.commands.firmware import firmware
from companion.commands.game import best, replay
from companion.commands.model import evaluate, export, restore, synth, train
from companion.commands.photos import count, read
from companion.commands.snapshot import snapshot
from companion.commands.table import doctor, games, run, setup
from companion.commands.tileset import tileset
from companion.commands.watch import watch
from companion.version import __version__


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True}
)
@click.version_option(__version__, prog_name="remi")
def main() -> None:
    """Reads Remi tiles from photos, finds the melds and counts the points.

    Exit codes: 0 done, 1 the input was understood but is wrong (no meld, an unreadable photo), 2 wrong usage.
    """


for command in (
    check,
    best,
    replay,
    read,
    count,
    demo,
    setup,
    doctor,
    run,
    games,
    calibrate,
    snapshot,
    watch,
    evaluate,
    synth,
    train,
    export,
    restore,
    tileset,
    firmware,
):
    main.add_command(command)
