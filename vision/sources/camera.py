"""A camera's settings held fast: exposure, focus and white balance are set by hand and read back.

Automatic settings that change with a sleeve in the frame make red of orange; what was right when the table
was calibrated stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from vision.sources.frames import Setting

_OFF_BY: Final = 0.02  # a value read back may differ by so much of itself: drivers round to their steps


class Properties(Protocol):
    """What `cv2.VideoCapture` and a stand-in in tests have in common."""

    def get(self, prop: int, /) -> float:
        """A property; 0 or -1 for one that the camera does not have."""
        ...

    def set(self, prop: int, value: float, /) -> bool:
        """Whether the driver took the value."""
        ...


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What a camera is asked for; None leaves the value that it found by itself, and holds that fast.

    `size` in pixels (drivers begin with the smallest unless asked), `rate` in frames a second, `exposure` and
    `focus` in the driver's units, `white_balance` in kelvin.
    """

    size: tuple[int, int] | None = (1920, 1080)
    rate: float | None = None
    exposure: float | None = None
    focus: float | None = None
    white_balance: float | None = None


@dataclass(frozen=True, slots=True)
class _Control:
    """A value with its automatic mode: the properties, and what the latter may be called when off."""

    name: str
    automatic: int
    off: tuple[float, ...]
    value: int


def lock_settings(camera: Properties, settings: CameraSettings) -> tuple[Setting, ...]:
    """Switches the automatics of an open camera off, sets the values, reads them back.

    The camera should have seen a few frames before, so that what it found by itself is right. A setting that
    the camera lacks, or that it changes again, comes back as not locked; it is for people to be told.
    """
    wanted = {
        "exposure": settings.exposure,
        "focus": settings.focus,
        "white_balance": settings.white_balance,
    }
    return tuple(_lock(camera, control, wanted[control.name]) for control in _controls())


def _controls() -> tuple[_Control, ...]:
    import cv2

    return (
        # V4L2 says 1 for manual exposure; some builds of OpenCV have it as a quarter.
        _Control("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, (1.0, 0.25), cv2.CAP_PROP_EXPOSURE),
        _Control("focus", cv2.CAP_PROP_AUTOFOCUS, (0.0,), cv2.CAP_PROP_FOCUS),
        _Control("white_balance", cv2.CAP_PROP_AUTO_WB, (0.0,), cv2.CAP_PROP_WB_TEMPERATURE),
    )


def _lock(camera: Properties, control: _Control, wanted: float | None) -> Setting:
    found = camera.get(control.value)
    target = found if wanted is None else wanted
    manual = False
    for off in control.off:
        camera.set(control.automatic, off)
        if camera.get(control.automatic) == off:
            manual = True
            break
    taken = camera.set(control.value, target)
    got = camera.get(control.value)
    near = abs(got - target) <= max(_OFF_BY * abs(target), 0.5 if abs(target) > 10 else 1e-6)
    # Drivers answer -1 for what they do not know, and refuse to set it.
    present = taken and got != -1
    return Setting(control.name, wanted, got if present else None, manual and present and near)
