"""The pages on calibration and sources say the numbers, states and options of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import click
import pytest

from companion.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent
CALIBRATION = (ROOT / "docs" / "calibration.md").read_text(encoding="utf-8")
SOURCES_PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
SOURCES = " ".join(SOURCES_PAGE.split())
CLI = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", ["calibrate", "snapshot"])
def test_every_option_is_explained(verb: str) -> None:
    for parameter in main.commands[verb].params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            if option != "--json":
                assert re.search(rf"{option}\b", CALIBRATION + SOURCES + CLI), option


def test_the_states_of_a_source_are_all_listed() -> None:
    from vision.sources import health

    listed = re.findall(r"^\| `([a-z]+)` \|", SOURCES_PAGE, flags=re.MULTILINE)
    assert listed == list(get_args(health.State))
    for text in (
        f"no frame for {health.NOTICE_S:g} s",
        f"stalled for {health.REOPEN_STALLED_S:g} s",
        f"repeats for {health.REOPEN_REPEATING_S:g} s",
        f"{health.FIRST_PAUSE_S:g}, 1, 2 … {health.LONGEST_PAUSE_S:g} s",
        f"lived for {health.SOUND_S:g} s",
    ):
        assert text in SOURCES, text


def test_the_measures_of_the_sheets_and_limits_are_those_of_the_code() -> None:
    from calibration.legibility import DEFAULT_LIMITS
    from calibration.lens import BOARD_SQUARES, SQUARE_MM
    from calibration.markers import INSET_MM, MARKER_MM
    from calibration.rig import RMS_LIMIT_MM
    from calibration.watch import PATIENCE_S
    from calibration.zones import RACK_DEEP_MM

    for text in (
        f"markers of {MARKER_MM:g} mm",
        f"{INSET_MM:g} mm from both edges",
        f"{BOARD_SQUARES[0]} x {BOARD_SQUARES[1]} squares of {SQUARE_MM:g} mm",
        f"more than {RMS_LIMIT_MM:g} mm off",
        f"No marker for {PATIENCE_S:g} s",
        f"strip of {RACK_DEEP_MM:g} mm",
        f"at least {DEFAULT_LIMITS.good_px:g} px | at most {DEFAULT_LIMITS.good_deg:g}°",
        f"under {DEFAULT_LIMITS.least_px:g} px | over {DEFAULT_LIMITS.least_deg:g}°",
    ):
        assert text in " ".join(CALIBRATION.split()), text


def test_the_zones_of_the_page_are_understood(tmp_path: Path) -> None:
    from calibration.zones_file import load_zones

    block = re.search(r"```toml\n(.*?)```", CALIBRATION, flags=re.DOTALL)
    assert block is not None
    (tmp_path / "zones.toml").write_text(block[1], encoding="utf-8")
    zones = load_zones(tmp_path / "zones.toml")
    assert dict(zones.racks) == {1: "read", 2: "at_end", 3: "read", 4: "never"}


def test_the_commands_of_the_pages_are_understood() -> None:
    lines = re.findall(r"^remi ((?:calibrate|snapshot) [^\n]+)", CALIBRATION, flags=re.MULTILINE)
    assert len(lines) >= 5
    for line in lines:
        verb, *arguments = line.split()
        command = main.commands[verb]
        context = click.Context(command, resilient_parsing=True)
        command.make_parser(context).parse_args(list(arguments))
