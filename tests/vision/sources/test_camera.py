"""Exposure, focus and white balance are held fast and read back, on a stand-in for the camera's driver."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.sources.camera import CameraSettings, lock_settings
from vision.sources.captures import SETTLE_FRAMES, open_camera
from vision.sources.frames import SourceError


class FakeCamera:
    """A driver: automatic values drift with every frame until they are switched off."""

    def __init__(self, *, lacks: tuple[int, ...] = (), stubborn: bool = False, opens: bool = True) -> None:
        self.values = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: 100.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_FOCUS: 30.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_FRAME_WIDTH: 640.0,
            cv2.CAP_PROP_FRAME_HEIGHT: 480.0,
        }
        for prop in lacks:
            del self.values[prop]
        self.stubborn = stubborn
        self.opens = opens
        self.frames_left = 10**6
        self.released = False
        self.asked: dict[int, float] = {}

    def isOpened(self) -> bool:  # noqa: N802
        return self.opens

    def get(self, prop: int) -> float:
        return self.values.get(prop, -1.0)

    def set(self, prop: int, value: float) -> bool:
        self.asked[prop] = value
        if prop not in self.values or (self.stubborn and prop == cv2.CAP_PROP_AUTO_EXPOSURE):
            return False
        self.values[prop] = float(round(value))
        return True

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.frames_left == 0:
            return False, None
        self.frames_left -= 1
        if self.values.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 3.0:
            self.values[cv2.CAP_PROP_EXPOSURE] += 1
        return True, np.zeros((48, 64, 3), np.uint8)

    def release(self) -> None:
        self.released = True


def opened(
    camera: FakeCamera, settings: CameraSettings | None = None
) -> dict[str, tuple[float | None, bool]]:
    asked = settings or CameraSettings()
    capture = open_camera(Path("/dev/fake"), asked, capture=lambda _: camera)
    return {setting.name: (setting.got, setting.locked) for setting in capture.settings}


def test_what_the_camera_found_by_itself_is_held_fast() -> None:
    camera = FakeCamera()
    assert opened(camera) == {
        "exposure": (100.0 + SETTLE_FRAMES, True),
        "focus": (30.0, True),
        "white_balance": (4600.0, True),
    }
    camera.read()
    assert camera.values[cv2.CAP_PROP_EXPOSURE] == 100.0 + SETTLE_FRAMES


def test_what_is_asked_for_is_set_and_read_back() -> None:
    camera = FakeCamera()
    settings = CameraSettings(size=(1920, 1080), rate=15.0, exposure=250.0, focus=12.0, white_balance=5000.0)
    assert opened(camera, settings) == {
        "exposure": (250.0, True),
        "focus": (12.0, True),
        "white_balance": (5000.0, True),
    }
    assert camera.values[cv2.CAP_PROP_FRAME_WIDTH] == 1920
    assert camera.asked[cv2.CAP_PROP_FPS] == 15.0
    assert camera.asked[cv2.CAP_PROP_BUFFERSIZE] == 1.0


def test_a_camera_without_focus_says_so() -> None:
    camera = FakeCamera(lacks=(cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS))
    assert opened(camera)["focus"] == (None, False)
    assert opened(camera)["exposure"][1]


def test_a_driver_that_stays_automatic_is_not_believed() -> None:
    assert opened(FakeCamera(stubborn=True))["exposure"][1] is False


def test_a_value_that_the_driver_changes_is_not_locked() -> None:
    camera = FakeCamera()
    plain = camera.set

    def clipped(prop: int, value: float) -> bool:
        return plain(prop, min(value, 200.0) if prop == cv2.CAP_PROP_EXPOSURE else value)

    camera.set = clipped  # type: ignore[method-assign]
    setting = next(
        one for one in lock_settings(camera, CameraSettings(exposure=900.0)) if one.name == "exposure"
    )
    assert (setting.wanted, setting.got, setting.locked) == (900.0, 200.0, False)


def test_a_camera_that_does_not_open_or_gives_nothing_is_an_error_with_the_next_step() -> None:
    shut, silent = FakeCamera(opens=False), FakeCamera()
    silent.frames_left = 3
    for camera, code in ((shut, "no_camera"), (silent, "camera_silent")):
        with pytest.raises(SourceError, match="Plug it in again") as error:
            opened(camera)
        assert error.value.code == code
        assert "Reconectați-o" in error.value.hint_ro
        assert camera.released
    with pytest.raises(SourceError, match="is not plugged in"):
        open_camera(Path("/dev/no-such-camera"), CameraSettings())
