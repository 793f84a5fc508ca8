"""The thread `eyes`: readings are handed over, states told, and it ends cleanly."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import cast

import pytest

from calibration.rig import Rig
from calibration.zones import Zones
from engine.rules import RuleSet, rule_set
from engine.table_reading import TableReading
from tests.vision.seeing.scenes import Scene, zones_of
from tests.waiting import until
from vision.pictures import Pixels
from vision.seeing.eyes import Eyes
from vision.seeing.loop import Seeing
from vision.seeing.states import EyesStatus, State, Update
from vision.sources import health
from vision.sources.frames import Frame, Setting, SourceError
from vision.sources.health import Words
from vision.sources.live import LiveSource

PATIENCE = 20.0
PICTURE = Scene().frame()[:64, :64]


class Script:
    """A capture that gives a picture for each that is allowed; None after `count`."""

    settings: tuple[Setting, ...] = ()

    def __init__(self, count: int) -> None:
        self.left = count

    def read(self) -> Pixels | None:
        if self.left == 0:
            return None
        self.left -= 1
        time.sleep(0.01)
        picture = PICTURE.copy()
        picture[0, 0] = self.left % 250
        return picture

    def close(self) -> None:
        """Nothing is held."""


class FakeSeeing:
    """Says what it is told, step by step."""

    pause = 0.001
    quiet = True

    def __init__(self, updates: list[Update]) -> None:
        self.notes = {1: Words("rack", "tablă")}
        self.updates = updates
        self.steps = 0
        self.ended: list[bool] = []
        self.used: list[tuple[Zones | None, RuleSet | None]] = []

    def use(self, *, zones: Zones | None = None, rules: RuleSet | None = None) -> None:
        self.used.append((zones, rules))

    def step(self, frame: Frame, now: float) -> Update:
        self.steps += 1
        return self.updates.pop(0) if self.updates else Update("looking")

    def end(self, *, ended: bool = True) -> None:
        self.ended.append(ended)


def eyes_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "eyes"]


def test_readings_states_and_rigs_are_handed_over_and_the_thread_ends() -> None:
    rig = Scene().rig
    updates = [
        Update("starting"),
        Update("looking", reading=TableReading(1, 0.5), waited_s=0.3),
        Update("hand", unseen=("meld 1",)),
        Update("moving", Words("moved", "mutată")),
        Update("looking", healed=rig),
        Update("looking", reading=TableReading(2, 0.9)),
    ]
    seeing = FakeSeeing(updates)
    readings: list[TableReading] = []
    states: list[State] = []
    rigs: list[Rig] = []
    with LiveSource(lambda: Script(-1), "scripted", live=True) as source:
        eyes = Eyes(
            source,
            cast("Seeing", seeing),
            on_reading=readings.append,
            on_rig=rigs.append,
            on_status=lambda status: states.append(status.state),
        )
        assert until(lambda: len(readings) == 2)
        eyes.end()
        assert until(lambda: seeing.ended == [True])
        status = eyes.status()
        eyes.close()
    assert [reading.number for reading in readings] == [1, 2]
    assert states == ["looking", "hand", "moving", "looking"]
    assert rigs == [rig]
    assert (status.readings, status.healed, status.notes) == (2, 1, (Words("rack", "tablă"),))
    assert status.source is not None
    assert status.source.health.state == "live"
    assert status.settled_ms is not None
    assert eyes_threads() == []


def test_a_rig_that_cannot_be_saved_is_told() -> None:
    def refuse(_: Rig) -> None:
        raise OSError("disk full")

    seeing = FakeSeeing([Update("looking", healed=Scene().rig)])
    with (
        LiveSource(lambda: Script(-1), "scripted", live=True) as source,
        Eyes(source, cast("Seeing", seeing), on_reading=lambda _: None, on_rig=refuse) as eyes,
    ):
        assert until(lambda: len(eyes.status().notes) == 2)
        assert "disk full" in eyes.status().notes[1].en
        assert until(lambda: seeing.steps > 3), "and goes on"


def test_the_end_of_a_file_ends_the_thread() -> None:
    seen: list[EyesStatus] = []
    with LiveSource(lambda: Script(3), "scripted", live=False) as source:
        eyes = Eyes(source, cast("Seeing", FakeSeeing([])), on_reading=lambda _: None, on_status=seen.append)
        assert eyes.join(PATIENCE)
        assert seen[-1].state == "ended"
        eyes.close()


def test_a_source_that_is_lost_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr("vision.seeing.eyes.WAIT_S", 0.02)
    back = threading.Event()
    opened: list[int] = []

    def connect() -> Script:
        opened.append(1)
        if len(opened) > 1 and not back.is_set():
            raise SourceError("no_camera", hint_en="unplugged", hint_ro="deconectată")
        return Script(2 if len(opened) == 1 else -1)

    states: list[tuple[State, str]] = []

    def note(status: EyesStatus) -> None:
        states.append((status.state, status.reason.ro))

    with (
        LiveSource(connect, "scripted", live=True) as source,
        Eyes(source, cast("Seeing", FakeSeeing([])), on_reading=lambda _: None, on_status=note),
    ):
        assert until(lambda: ("source", "deconectată") in states)
        back.set()
        assert until(lambda: states[-1][0] == "looking")


def test_a_status_is_not_changed_afterwards() -> None:
    status = EyesStatus()
    with pytest.raises(AttributeError):
        status.state = "looking"  # type: ignore[misc]
    assert replace(status, state="hand") != status


def test_zones_and_rules_are_used_from_the_next_frame_on_and_once() -> None:
    zones, rules = zones_of("read"), rule_set("doizece")
    seeing = FakeSeeing([])
    with (
        LiveSource(lambda: Script(-1), "camera", live=True) as source,
        Eyes(source, cast("Seeing", seeing), on_reading=lambda _: None) as eyes,
    ):
        eyes.use(zones=zones_of("never"))
        # Two at once are one change: what is not named stays as it was named before.
        eyes.use(zones=zones)
        eyes.use(rules=rules)
        assert until(lambda: any(given[1] is rules for given in seeing.used))
        steps = seeing.steps
        assert until(lambda: seeing.steps > steps + 3)
    assert [given for given, _ in seeing.used if given is not None][-1] is zones
    assert [given for _, given in seeing.used if given is not None] == [rules]
