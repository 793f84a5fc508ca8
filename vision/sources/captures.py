"""The captures behind sources: a USB camera, a network stream, a video file, a folder of pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from vision.pictures import PictureError, Pixels, load_picture
from vision.sources.camera import CameraSettings, Properties, lock_settings
from vision.sources.frames import Setting, SourceError

OPEN_TIMEOUT_MS: Final = 5000
READ_TIMEOUT_MS: Final = 1500
"""A stream that stalls gives its reader back after this."""

SETTLE_FRAMES: Final = 30
"""Frames in which a camera finds exposure, focus and white balance before they are held fast."""

_NO_SETTINGS: Final[tuple[Setting, ...]] = ()


class Video(Properties, Protocol):
    """What is needed of `cv2.VideoCapture`, which a stand-in in tests has too."""

    def isOpened(self) -> bool:  # noqa: N802
        """Whether it can be read."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Whether a picture came, and the picture."""
        ...

    def release(self) -> None:
        """Lets go of the device."""
        ...


class VideoCapturing:
    """An open `cv2.VideoCapture` as a `Capture`."""

    def __init__(self, video: Video, settings: tuple[Setting, ...] = _NO_SETTINGS) -> None:
        self._video = video
        self.settings = settings

    def read(self) -> Pixels | None:
        """The next picture in BGR; None at the end, or where none came in time."""
        import cv2

        try:
            came, pixels = self._video.read()
        except cv2.error:  # a damaged picture of a stream is as good as none
            return None
        return np.asarray(pixels, np.uint8) if came and pixels is not None else None

    def close(self) -> None:
        """Lets go of the device."""
        self._video.release()


class FolderCapturing:
    """Pictures of files in the order given, as a `Capture`; files that are no pictures are passed over."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.settings = _NO_SETTINGS
        self._files = list(reversed(files))

    def read(self) -> Pixels | None:
        """The next picture, upright; None after the last."""
        while self._files:
            try:
                return load_picture(self._files.pop())
            except PictureError:
                continue
        return None

    def close(self) -> None:
        """Forgets the files left."""
        self._files.clear()


def open_camera(
    device: Path,
    settings: CameraSettings,
    *,
    capture: Callable[[str], Video] | None = None,
    settle: int = SETTLE_FRAMES,
) -> VideoCapturing:
    """The camera at a device file with its settings locked; SourceError (`no_camera`, `camera_silent`).

    `capture` opens the device; a test hands in a stand-in here.
    """
    if capture is None and not device.exists():
        raise _lost("no_camera", str(device), "is not plugged in", "nu este conectată")
    video = (capture or _v4l)(str(device))
    if not video.isOpened():
        video.release()
        raise _lost(
            "no_camera", str(device), "is used by another program, or is no camera", "nu poate fi deschisă"
        )
    _ask_for_format(video, settings)
    for _ in range(settle):
        came, _pixels = video.read()
        if not came:
            video.release()
            raise _lost("camera_silent", str(device), "gives no pictures", "nu trimite imagini")
    return VideoCapturing(video, lock_settings(video, settings))


def open_stream(url: str, *, open_timeout_ms: int | None = OPEN_TIMEOUT_MS) -> VideoCapturing:
    """An RTSP or MJPEG stream; SourceError (`no_stream`) where it does not answer."""
    import cv2

    options: list[int] = [cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT_MS]
    if open_timeout_ms is not None:
        options += [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, open_timeout_ms]
    return _opened(url, options, "no_stream")


def open_video(path: Path) -> VideoCapturing:
    """A video file; SourceError (`no_video`) where it is none."""
    return _opened(str(path), [], "no_video")


def _opened(target: str, options: list[int], code: str) -> VideoCapturing:
    import cv2

    video = cv2.VideoCapture(target, cv2.CAP_FFMPEG, options)
    if video.isOpened():
        return VideoCapturing(video)
    video.release()
    if code == "no_video":
        raise SourceError(
            code,
            hint_en=f"{target} is not a video that can be played. Use MP4, MKV, AVI or WebM.",
            hint_ro=f"{target} nu este un video care poate fi redat. Folosiți MP4, MKV, AVI sau WebM.",
        )
    from vision.sources.addresses import without_secrets

    shown = without_secrets(target)
    raise SourceError(
        code,
        hint_en=f"{shown} does not answer. Check the address, the password, and that the camera is on and in "
        "the same network.",
        hint_ro=f"{shown} nu răspunde. Verificați adresa, parola și că aparatul este pornit și în aceeași "
        "rețea.",
    )


def _v4l(device: str) -> Video:
    import cv2

    # The driver is asked for the device's own name: a link by id leads to a number that changes.
    return cv2.VideoCapture(str(Path(device).resolve()), cv2.CAP_V4L2)


def _ask_for_format(video: Properties, settings: CameraSettings) -> None:
    import cv2

    # Full size at full rate over USB 2 is possible only compressed.
    video.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
    if settings.size is not None:
        video.set(cv2.CAP_PROP_FRAME_WIDTH, float(settings.size[0]))
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, float(settings.size[1]))
    if settings.rate is not None:
        video.set(cv2.CAP_PROP_FPS, settings.rate)
    # An old frame in a queue is worth nothing.
    video.set(cv2.CAP_PROP_BUFFERSIZE, 1.0)


def _lost(code: str, device: str, english: str, romanian: str) -> SourceError:
    return SourceError(
        code,
        hint_en=f"The camera {device} {english}. Plug it in again, close other programs that use it, or name "
        "another camera.",
        hint_ro=f"Camera {device} {romanian}. Reconectați-o, închideți alte programe care o folosesc sau "
        "alegeți altă cameră.",
    )


def rate_of(path: Path) -> float:
    """The frames a second that a video file says it has; 0 where it does not say."""
    import cv2

    video: Any = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    rate = float(video.get(cv2.CAP_PROP_FPS)) if video.isOpened() else 0.0
    video.release()
    return rate if 0 < rate < 1000 else 0.0
