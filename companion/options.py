"""Arguments and options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from engine.rules import RULE_KEYS

Command = TypeVar("Command", bound=Callable[..., Any])

# As in vision.backends, which is not imported for a list: it would bring numpy along.
BACKENDS = click.Choice(("onnxruntime", "openvino"), case_sensitive=False)
RULES = click.Choice(RULE_KEYS, case_sensitive=False)
PICTURE_FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
NEW_FOLDER = click.Path(file_okay=False, path_type=Path)


def rules_option(command: Command) -> Command:
    """Adds the required option `--rules KEY`."""
    return click.option("--rules", "rules_key", type=RULES, required=True, help="The rule set.")(command)


def json_option(command: Command) -> Command:
    """Adds the flag `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def repair_option(command: Command) -> Command:
    """Adds the flag `--no-repair`."""
    return click.option(
        "--no-repair", "raw", is_flag=True, help="Leave every tile as it was read, whatever the rules say."
    )(command)


def backend_option(command: Command) -> Command:
    """Adds the option `--backend NAME`."""
    return click.option(
        "--backend",
        type=BACKENDS,
        default=BACKENDS.choices[0],
        show_default=True,
        help="What computes the nets; openvino is faster where the processor has bfloat16 (needs the extra).",
    )(command)


def photo_options(command: Command) -> Command:
    """Adds the pictures and how they are to be read and drawn."""
    for option in (
        click.option(
            "--draw",
            "drawing",
            type=click.Path(path_type=Path),
            metavar="OUT.png",
            help="Write the picture with faces, outlines and doubts; a folder for several pictures.",
        ),
        click.option("--tileset", metavar="NAME", help="Read with what was learnt of this set."),
        click.option(
            "--set",
            "kind",
            type=click.Choice(("tiles", "cards")),
            default="tiles",
            callback=_refuse_cards,
            help="What lies in the picture.",
        ),
        click.argument("images", nargs=-1, required=True, type=PICTURE_FILE, metavar="IMAGE..."),
    ):
        command = option(command)
    return command


def _refuse_cards(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    if value == "cards":
        raise click.BadParameter("reading cards is not available in this version; only tiles are read")
    return value
