"""What people name as a source, and the source that is meant by it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from vision.sources.camera import CameraSettings
from vision.sources.captures import FolderCapturing, open_camera, open_stream, open_video, rate_of
from vision.sources.frames import SourceError
from vision.sources.live import LiveSource

if TYPE_CHECKING:
    from vision.virtual.table import VirtualTable

Kind = Literal["usb", "rtsp", "mjpeg", "video", "folder", "virtual"]

CAMERAS_BY_ID: Final = Path("/dev/v4l/by-id")

_PICTURES: Final = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".bmp", ".tif", ".tiff", ".gif")
_PICTURE_EVERY_S: Final = 1.0
_VIDEO_RATE: Final = 25.0


@dataclass(frozen=True, slots=True)
class Address:
    """A source by kind, and the device, address, file or folder that it is."""

    kind: Kind
    target: str

    @property
    def shown(self) -> str:
        """The address as it may be shown and logged: without a password."""
        return without_secrets(self.target)


def parse_address(text: str, *, cameras: Path = CAMERAS_BY_ID) -> Address:
    """The source that a text names; SourceError (`no_source`) says what may be named.

    `usb:` with a part of the camera's id, a device file or its number; an `rtsp://` or `http://` address; a
    video file, a picture, a folder of pictures; `virtual:` for a table that is rendered.
    """
    scheme = text.partition(":")[0].lower()
    if scheme == "virtual" and ":" in text:
        return Address("virtual", text)
    if scheme in ("rtsp", "rtsps"):
        return Address("rtsp", text)
    if scheme in ("http", "https"):
        return Address("mjpeg", text)
    if scheme == "usb":
        return Address("usb", str(_camera(text.partition(":")[2].strip("/ "), cameras)))
    if text.isdecimal():
        return Address("usb", f"/dev/video{int(text)}")
    path = Path(text)
    if text.startswith("/dev/"):
        return Address("usb", text)
    if path.is_dir() or (path.is_file() and path.suffix.lower() in _PICTURES):
        return Address("folder", text)
    if path.is_file():
        return Address("video", text)
    raise _unknown(text, cameras)


def open_source(
    address: Address | VirtualTable, *, settings: CameraSettings | None = None, every: float | None = None
) -> LiveSource:
    """The running source of an address, or of a virtual table that a program plays on.

    A camera that is not there, or a stream that does not answer, is a state of the source and no error: it is
    tried again. A folder without pictures raises SourceError (`no_pictures`), a file that is no video
    `no_video`, an option that a virtual table does not have `virtual_option`. `every` are the seconds from
    one picture of a folder, a video or a virtual table to the next.
    """
    if not isinstance(address, Address):
        return _virtual(address, "virtual:", rate=1 / every if every else None, idle=False)
    if address.kind == "virtual":
        from vision.virtual.capture import open_table

        table, rate = open_table(address.target.partition(":")[2])
        return _virtual(table, address.shown, rate=1 / every if every else rate, idle=True)
    path = Path(address.target)
    if address.kind == "usb":
        asked = settings or CameraSettings()
        return LiveSource(lambda: open_camera(path, asked), address.shown, live=True)
    if address.kind in ("rtsp", "mjpeg"):
        return LiveSource(lambda: open_stream(address.target), address.shown, live=True)
    if address.kind == "video":
        open_video(path).close()
        pace = every if every is not None else 1.0 / (rate_of(path) or _VIDEO_RATE)
        return LiveSource(lambda: open_video(path), address.shown, live=False, every=pace)
    files = [path] if path.is_file() else pictures_in(path)
    if not files:
        raise SourceError(
            "no_pictures",
            hint_en=f"{path} has no pictures ({', '.join(_PICTURES)}).",
            hint_ro=f"{path} nu conține imagini ({', '.join(_PICTURES)}).",
        )
    pace = every if every is not None else _PICTURE_EVERY_S
    return LiveSource(lambda: FolderCapturing(files), address.shown, live=False, every=pace)


def _virtual(table: VirtualTable, shown: str, *, rate: float | None, idle: bool) -> LiveSource:
    from vision.virtual.capture import RATE, capture_of

    return LiveSource(lambda: capture_of(table, rate=rate or RATE, idle=idle), shown, live=True)


def pictures_in(folder: Path) -> list[Path]:
    """The picture files of a folder by name, with numbers in their natural order: 2 before 10."""
    files = [path for path in folder.iterdir() if path.is_file() and path.suffix.lower() in _PICTURES]
    return sorted(files, key=_natural)


def usb_cameras(cameras: Path = CAMERAS_BY_ID) -> list[str]:
    """The ids of the cameras that are plugged in, each once: a camera's second device has no pictures."""
    if not cameras.is_dir():
        return []
    return sorted(path.name for path in cameras.iterdir() if path.name.endswith("-index0"))


def without_secrets(address: str) -> str:
    """An address with name and password, and what follows a question mark, blotted out."""
    hidden = re.sub(r"^([a-z]+://)[^/]*@", r"\1***@", address, flags=re.IGNORECASE)
    return re.sub(r"^([a-z]+://[^?]*)\?.*$", r"\1?***", hidden, flags=re.IGNORECASE)


def _natural(path: Path) -> list[tuple[int, str]]:
    """Sorts digits by their value and all else by letters."""
    parts = re.split(r"(\d+)", path.name.lower())
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def _camera(name: str, cameras: Path) -> Path:
    """The device of the one camera whose id has the name in it."""
    found = [camera for camera in usb_cameras(cameras) if name.lower() in camera.lower()]
    if len(found) == 1:
        return cameras / found[0]
    if not found:
        raise _unknown(f"usb:{name}", cameras)
    raise SourceError(
        "several_cameras",
        hint_en=f"Several cameras have {name!r} in their id; name one: {', '.join(found)}.",
        hint_ro=f"Mai multe camere au {name!r} în identificator; alegeți una: {', '.join(found)}.",
    )


def _unknown(text: str, cameras: Path) -> SourceError:
    there = usb_cameras(cameras)
    names = ", ".join(f"usb:{camera}" for camera in there)
    english = f"Cameras plugged in: {names}." if there else "No USB camera is plugged in."
    romanian = f"Camere conectate: {names}." if there else "Nu este conectată nicio cameră USB."
    named = without_secrets(text)
    return SourceError(
        "no_source",
        hint_en=f"{named} is no source. Name a camera (usb:ID, /dev/video0), an address (rtsp://…, "
        f"http://…), a video file, a folder of pictures, or virtual: for a rendered table. {english}",
        hint_ro=f"{named} nu este o sursă. Indicați o cameră (usb:ID, /dev/video0), o adresă (rtsp://…, "
        f"http://…), un fișier video, un dosar cu imagini sau virtual: pentru o masă desenată. {romanian}",
    )
