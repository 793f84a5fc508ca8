"""`remi demo`: the page for counting a photo, on this machine."""

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
def demo(*, rules_key: str, port: int, host: str, no_browser: bool) -> None:
    """Open the page that counts a photo of tiles."""
    from companion.demo import run_demo

    run_demo(rules_key, port, host=host, open_browser=not no_browser)
