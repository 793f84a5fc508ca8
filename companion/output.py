"""What commands print: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

INPUT_WRONG = 1
"""Exit code: the input was understood but is wrong."""


class InputError(click.ClickException):
    """Input that was understood but is wrong: the message on standard error, exit code 1."""

    exit_code = INPUT_WRONG


def print_json(document: Mapping[str, Any]) -> None:
    """One JSON document on standard output, indented, Romanian letters as they are."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=1))


def note(message: str) -> None:
    """A line for people on standard error."""
    click.echo(message, err=True)


def console() -> Console:
    """A console on standard output, for tables."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error; the function given takes how many are done and how many there are."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
