"""The page on the live table says the options, states and numbers of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import click

from companion.cli import main

PAGE = (Path(__file__).resolve().parent.parent.parent / "docs" / "live.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())


def test_every_option_is_explained() -> None:
    for parameter in main.commands["watch"].params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert re.search(rf"`{option}\b", PAGE), option


def test_the_states_are_all_listed() -> None:
    from vision.seeing.states import STATE_WORDS, State

    listed = re.findall(r"^\| `([a-z]+)` \|", PAGE, flags=re.MULTILINE)
    assert listed == list(get_args(State)) == list(STATE_WORDS)


def test_the_numbers_are_those_of_the_code() -> None:
    from vision.seeing import evidence, gate, ground, loop, tracks

    for text in (
        f"about {ground.COARSE:g} pixels wide",
        f"after {gate.STILL_LOOKS} looks and {gate.STILL_S:g} s without movement in it",
        f"({gate.FIRST_STILL_S:g} s at the very beginning)",
        f"waits for them up to {loop.TOGETHER_S:g} s",
        f"there are {1 / loop.IDLE_S:.0f} looks a second, else {1 / loop.BUSY_S:.0f}.",
        f"stirred for {gate.ARM_S / 60:g} minutes is furniture ({gate.FAMILIAR_S:g} s in colours of the",
        f"table; {gate.ISLAND_S:g} s away from the edge",
        f"by their place ({tracks.SAME_MM:g} mm)",
        f"weigh as much as {evidence.CHANGED_WEIGHT:g} of one",
        f"{100 * tracks.CLEAR:g} % sure",
        f"gone after {tracks.MISSES} looks",
        f"(under {100 * tracks.SURE:g} %)",
        f"up to {loop.AGAIN} of the still frames",
        f"had {tracks.LOOKS_ENOUGH} looks",
    ):
        assert text in TEXT, text
