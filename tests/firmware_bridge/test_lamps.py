"""From signs to the frame: patterns, gauge, sound, brightness, quiet hours, places."""

from __future__ import annotations

from datetime import time

import pytest

from engine.lamps import LampSign, Sign
from firmware_bridge.lamps import LOOKS, LampSettings, QuietHours, Shown, lamp, picture
from firmware_bridge.messages import DARK
from firmware_bridge.protocol import protocol

OFF, TURN = LampSign(Sign.OFF), LampSign(Sign.TURN)
TABLE = protocol()


def names(shown: Shown) -> list[str]:
    by_number = {number: name for name, number in TABLE.patterns.items()}
    return [by_number[pattern] for pattern, _, _ in shown.lamps]


@pytest.mark.parametrize("sign", list(Sign))
def test_every_sign_has_a_look(sign: Sign) -> None:
    pattern, colour, _ = lamp(LampSign(sign))
    assert (pattern, colour) == (TABLE.patterns[LOOKS[sign][0]], TABLE.colour_number(LOOKS[sign][1]))


def test_a_turn_with_a_clock_is_a_gauge() -> None:
    assert [lamp(LampSign(Sign.TURN, left))[0::2] for left in (1.0, 0.5, 0.0)] == [
        (TABLE.patterns["gauge"], 255),
        (TABLE.patterns["gauge"], 128),
        (TABLE.patterns["gauge"], 0),
    ]


def test_a_running_clock_changes_the_picture_at_most_64_times() -> None:
    assert len({lamp(LampSign(Sign.TURN, left / 10_000)) for left in range(10_001)}) <= 65


def test_seats_are_shown_at_their_places() -> None:
    shown = picture([OFF, TURN], settings=LampSettings(places=(0, 2)))
    assert names(shown) == ["off", "off", "steady", "off"]
    assert shown.lamps[1] == DARK


def test_more_seats_than_places_are_refused() -> None:
    with pytest.raises(ValueError, match="3 seats, but the board has places for 2"):
        picture([OFF] * 3, settings=LampSettings(places=(0, 2)))


def sound(signs: list[LampSign], before: list[LampSign], **more: object) -> str | None:
    """What is heard; None for nothing."""
    shown = picture(signs, before, last=Shown(sound_seq=255), **more)  # type: ignore[arg-type]
    if shown.sound_seq == 255:
        return None
    assert shown.sound_seq == 0
    return list(TABLE.sounds)[shown.sound]


def test_what_is_new_is_heard_the_most_urgent_of_it() -> None:
    illegal, call, winner = LampSign(Sign.ILLEGAL), LampSign(Sign.CALL), LampSign(Sign.WINNER)
    assert sound([OFF, TURN], [TURN, OFF]) == "turn"
    assert sound([OFF, TURN], [OFF, TURN]) is None
    assert sound([illegal, TURN], [TURN, OFF]) == "wrong"
    assert sound([illegal, call], [TURN, OFF]) == "call"
    assert sound([winner, OFF], [TURN, OFF]) == "winner"
    assert sound([TURN, OFF], []) == "turn"
    assert sound([OFF, OFF], [TURN, OFF]) is None


def test_a_clock_set_right_is_not_heard() -> None:
    assert sound([LampSign(Sign.TURN, 0.9), OFF], [LampSign(Sign.HURRY, 0.1), OFF]) is None
    assert sound([OFF, LampSign(Sign.TURN, 1.0)], [LampSign(Sign.HURRY, 0.1), OFF]) == "turn"


def test_quiet_hours_are_dim_and_silent() -> None:
    settings = LampSettings(brightness=100, quiet_brightness=9)
    late = picture([TURN], [OFF], settings=settings, now=time(23), last=Shown())
    assert (late.brightness, late.sound_seq) == (9, 0)
    day = picture([TURN], [OFF], settings=settings, now=time(12), last=Shown())
    assert (day.brightness, day.sound_seq) == (100, 1)
    assert sound([TURN], [OFF], settings=LampSettings(sound=False)) is None


@pytest.mark.parametrize(
    ("begins", "ends", "quiet"),
    [(22, 8, [*range(8), 22, 23]), (13, 15, [13, 14]), (9, 9, [])],
)
def test_quiet_hours_may_go_over_midnight(begins: int, ends: int, quiet: list[int]) -> None:
    hours = QuietHours(time(begins), time(ends))
    assert [hour for hour in range(24) if hours.at(time(hour))] == quiet


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"brightness": 256}, "brightness is 0 to 255, not 256"),
        ({"quiet_brightness": -1}, "quiet_brightness is 0 to 255"),
        ({"places": (0, 0)}, "at most once"),
        ({"places": (0, 4)}, "0 to 3"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        LampSettings(**settings)  # type: ignore[arg-type]
