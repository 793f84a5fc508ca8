"""The page about the hardware is true: pins, signs, packages, times."""

from __future__ import annotations

import re
from pathlib import Path

from engine.lamps import Sign
from firmware_bridge.build import BOOT_BAUD, PACKAGES
from firmware_bridge.lamps import LOOKS
from firmware_bridge.protocol import protocol
from tests.firmware_bridge.simulated import PINS
from tests.firmware_bridge.tools import APT

ROOT = Path(__file__).resolve().parent.parent.parent
HARDWARE = (ROOT / "docs" / "hardware.md").read_text(encoding="utf-8")
DRAWING = (ROOT / "docs" / "board-wiring.svg").read_text(encoding="utf-8")


def rows(columns: int) -> list[list[str]]:
    lines = [line.strip("|").split("|") for line in HARDWARE.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines if len(line) == columns]


def arduino(pin: str) -> str:
    """The name on an Arduino of a pin of the chip: D is D0 to D7, C is A0 to A5, B is D8 to D13."""
    port, number = pin[0], int(pin[1])
    return {"D": f"D{number}", "C": f"A{number}", "B": f"D{8 + number}"}[port]


def test_the_pin_map_is_that_of_the_tests_which_press_the_pins() -> None:
    seats = [row for row in rows(5) if row[0].isdigit()]
    assert len(seats) == protocol().seats
    for seat, row in enumerate(seats):
        assert row[0] == str(seat + 1)
        assert row[1:4] == [arduino(pin) for pin in PINS[3 * seat : 3 * seat + 3]]
        assert row[4] == arduino(f"B{2 + seat}")


def test_the_drawing_names_every_pin_of_the_map() -> None:
    named = set(re.findall(r">([AD][0-9]+)<", DRAWING))
    assert named == {arduino(pin) for pin in PINS} | {arduino(f"B{2 + seat}") for seat in range(4)} | {"D9"}


def test_every_sign_is_in_the_table_with_its_pattern_and_colour() -> None:
    table = {row[0].partition(":")[0]: row for row in rows(4)}
    for sign in set(Sign) - {Sign.OFF}:
        pattern, colour = LOOKS[sign]
        assert table[sign.value][1].startswith(f"`{pattern}`"), sign
        assert table[sign.value][2] == colour


def test_packages_and_boards_are_those_of_the_code() -> None:
    assert f"apt-get install --no-install-recommends {' '.join(PACKAGES)}" in HARDWARE
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    development = (ROOT / "docs" / "development.md").read_text(encoding="utf-8")
    assert APT in readme
    assert APT in development
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for package in APT.split()[3:]:
        assert f"({package})" in script, package
    cli = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for board in BOOT_BAUD:
        assert f"`{board}`" in cli


def test_times_are_those_of_the_table() -> None:
    times = protocol().times
    assert f"every {times['status']} ms" in HARDWARE
    assert times["host_lost"] == 2000
    assert "Without an answer for 2 s" in HARDWARE
    assert times["board_lost"] == 1000
    assert "without a word for 1 s" in HARDWARE
