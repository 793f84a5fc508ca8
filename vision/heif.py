"""HEIC decoded in a process of its own: a damaged file can crash the native decoder, but not us."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

_BRANDS: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_SECONDS: Final = 60
_TOO_LARGE: Final = 3  # exit code of the process for a picture over the limit


class HeifTooLargeError(ValueError):
    """The picture has more pixels than the limit; it was not decoded."""


def is_heif(start: bytes) -> bool:
    """Whether a file that starts with these (at least 12) bytes is HEIC."""
    return start[4:8] == b"ftyp" and start[8:12] in _BRANDS


def decode_apart(data: bytes, *, limit_pixels: int) -> PillowImage:
    """The picture, upright; raises HeifTooLargeError, or OSError where it is damaged."""
    from PIL import Image

    command = [sys.executable, "-m", "vision.heif", str(limit_pixels)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise OSError(f"no picture after {_SECONDS} s") from error
    if done.returncode == _TOO_LARGE:
        raise HeifTooLargeError(f"more than {limit_pixels} pixels")
    if done.returncode != 0:
        raise OSError(f"the decoder ended with {done.returncode}")
    head, _, pixels = done.stdout.partition(b"\n")
    mode, width, height = head.decode("ascii").split()
    return Image.frombytes(mode, (int(width), int(height)), pixels)


def _decode(data: bytes, limit_pixels: int) -> tuple[bytes, bytes]:
    """The head line (mode, width, height) and the pixels."""
    import pi_heif

    file = pi_heif.open_heif(io.BytesIO(data))
    width, height = file.size
    if width * height > limit_pixels:
        sys.exit(_TOO_LARGE)
    image = file.to_pillow()
    image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    return f"{image.mode} {image.width} {image.height}\n".encode("ascii"), image.tobytes()


if __name__ == "__main__":
    for part in _decode(sys.stdin.buffer.read(), int(sys.argv[1])):
        sys.stdout.buffer.write(part)
