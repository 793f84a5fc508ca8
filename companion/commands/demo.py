"""`remi demo`: the page for counting a photo and a live table, on this machine."""

from __future__ import annotations

import click

from companion.options import RULES


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
def demo(*, rules_key: str, port: int, host: str, no_browser: bool, seed: int, no_table: bool) -> None:
    """Open the page that counts a photo of tiles, and shows a table as the companion sees it, live."""
    from companion.demo import run_demo

    run_demo(rules_key, port, host=host, open_browser=not no_browser, table=not no_table, seed=seed)
