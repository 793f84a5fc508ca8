"""Picture files of any kind and size turned into upright BGR pixels, or into an error a person can act on."""

from __future__ import annotations

import io
import struct
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from calibration.errors import HintedError
from vision.heif import HeifTooLargeError, decode_apart, is_heif

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

Pixels = NDArray[np.uint8]
"""An image, height x width x 3, blue green red."""

LIMIT_PIXELS: Final = 120_000_000
"""Pictures with more pixels are refused before they are decoded."""

FULL_PIXELS: Final = 50_000_000
"""`open_picture` reduces pictures with more pixels: their tiles are far larger than reading needs."""

_STRIP_ROWS: Final = 256
_FORMATS: Final = ("JPEG", "PNG", "WEBP", "BMP", "DIB", "TIFF", "GIF")
_MAGIC: Final = (b"\xff\xd8\xff", b"\x89PNG", b"BM", b"II*\x00", b"MM\x00*", b"GIF8")
_ORIENTATION_TAG: Final = 0x0112
_SIDEWAYS: Final = (5, 6, 7, 8)

# What Pillow and its plug-ins raise on damaged data; anything else is a bug of ours and propagates.
_DAMAGED: Final = (OSError, SyntaxError, ValueError, TypeError, EOFError, IndexError, struct.error)


class PictureError(HintedError):
    """A picture that cannot be used: `code`, and what is wrong and what helps, in English and Romanian.

    Codes: `not_a_picture`, `truncated` (damaged or cut off), `too_large`.
    """


@dataclass(frozen=True, slots=True)
class Picture:
    """Upright pixels of a picture that is `width` x `height`; very large ones come with fewer pixels."""

    pixels: Pixels
    width: int
    height: int

    @property
    def scale(self) -> tuple[float, float]:
        """How many pixels of the picture one of `pixels` stands for, across and down."""
        return self.width / self.pixels.shape[1], self.height / self.pixels.shape[0]


def load_picture(source: Path | bytes) -> Pixels:
    """The picture in a file or in bytes, upright and in full size: height x width x 3, uint8, BGR.

    JPEG, PNG, WebP, HEIC, BMP, TIFF and GIF; the EXIF orientation is applied, of an animation the first frame
    is taken, what is transparent is laid on white, deeper colours are brought to 8 bits. Raises PictureError;
    a file that cannot be opened raises OSError.
    """
    return _load(source, full_pixels=LIMIT_PIXELS).pixels


def open_picture(source: Path | bytes) -> Picture:
    """As `load_picture`, but pictures over `FULL_PIXELS` come reduced, which bounds the memory."""
    return _load(source, full_pixels=FULL_PIXELS)


def _load(source: Path | bytes, *, full_pixels: int) -> Picture:
    with source.open("rb") if isinstance(source, Path) else io.BytesIO(source) as file:
        start = file.read(16)
        file.seek(0)
        image = _read_header(file, start)
        width, height = image.size
        if width * height > LIMIT_PIXELS:
            raise _too_large()
        reduction = 1
        while width * height > full_pixels * reduction**2:
            reduction += 1
        try:
            pixels = _decode(image, reduction)
        except _DAMAGED as error:
            raise _damaged() from error
        # Asked only now: of a TIFF, Pillow has turned the pixels itself and says upright from here on.
        turned = _orientation(image)
    if turned in _SIDEWAYS:
        width, height = height, width
    return Picture(_upright(pixels, turned), width, height)


def _read_header(file: BinaryIO, start: bytes) -> PillowImage:
    pillow = _pillow()
    if is_heif(start):
        try:
            return decode_apart(file.read(), limit_pixels=LIMIT_PIXELS)
        except HeifTooLargeError as error:
            raise _too_large() from error
        except _DAMAGED as error:
            raise _damaged() from error
    known = start.startswith(_MAGIC) or (start.startswith(b"RIFF") and start[8:12] == b"WEBP")
    try:
        image: PillowImage = pillow.open(file, formats=_FORMATS)
    except (pillow.DecompressionBombError, pillow.DecompressionBombWarning) as error:
        raise _too_large() from error
    except _DAMAGED as error:
        raise (_damaged() if known else _not_a_picture()) from error
    return image


@cache
def _pillow() -> ModuleType:
    # Each plug-in registers its format; left to find them by itself, Pillow imports some forty of them.
    from PIL import (
        BmpImagePlugin,  # noqa: F401
        GifImagePlugin,  # noqa: F401
        Image,
        JpegImagePlugin,  # noqa: F401
        PngImagePlugin,  # noqa: F401
        TiffImagePlugin,  # noqa: F401
        WebPImagePlugin,  # noqa: F401
    )

    # Pillow refuses at twice its limit and warns from the limit on; `_load` refuses there already.
    Image.MAX_IMAGE_PIXELS = LIMIT_PIXELS
    warnings.filterwarnings("ignore", module=r"PIL\.")  # remarks on damaged metadata
    return Image


def _orientation(image: PillowImage) -> int:
    """The EXIF orientation, 1 to 8; 1 (upright) where there is none or it is damaged."""
    try:
        value = image.getexif().get(_ORIENTATION_TAG, 1)
    except _DAMAGED:
        return 1
    return value if value in range(1, 9) else 1


def _decode(image: PillowImage, reduction: int) -> Pixels:
    """The pixels as they are stored, BGR, `reduction` times smaller each way."""
    width = image.width
    if reduction > 1:
        # A JPEG decodes straight into a smaller image, without the large one ever being held.
        image.draft(None, (width // reduction, image.height // reduction))
        reduction = -(-reduction // -(-width // image.width))
    image.load()
    white = _white_level(image)
    rows = _STRIP_ROWS * reduction
    pixels = np.empty((-(-image.height // reduction), -(-image.width // reduction), 3), np.uint8)
    for top in range(0, image.height, rows):
        strip = image.crop((0, top, image.width, min(top + rows, image.height)))
        rgb = _to_rgb(strip, white)
        if reduction > 1:
            rgb = rgb.reduce(reduction)
        first = top // reduction
        pixels[first : first + rgb.height] = np.asarray(rgb)[..., ::-1]
    return pixels


def _white_level(image: PillowImage) -> float:
    """The value that counts as white in modes deeper than 8 bits; 0 in all others."""
    if image.mode.startswith("I;16"):
        return 65535.0
    if image.mode not in ("I", "F"):
        return 0.0
    highest = float(np.nanmax(np.asarray(image), initial=0.0))
    return next((level for level in (1.0, 255.0, 65535.0) if highest <= level), highest)


def _to_rgb(strip: PillowImage, white: float) -> PillowImage:
    from PIL import Image

    if white:
        values = np.nan_to_num(np.asarray(strip).astype(np.float32)) * np.float32(255.0 / white)
        return Image.fromarray(values.clip(0, 255).astype(np.uint8)).convert("RGB")
    if strip.has_transparency_data:
        ground = Image.new("RGBA", strip.size, "white")
        ground.alpha_composite(strip.convert("RGBA"))
        return ground.convert("RGB")
    return strip.convert("RGB")


def _upright(pixels: Pixels, orientation: int) -> Pixels:
    """The pixels turned and mirrored as the EXIF orientation says (1 to 8)."""
    if orientation in _SIDEWAYS:
        pixels = pixels.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return np.ascontiguousarray(pixels)


def _not_a_picture() -> PictureError:
    return PictureError(
        "not_a_picture",
        hint_en="This is not a picture. Use a JPEG, PNG, WebP, HEIC, BMP, TIFF or GIF file.",
        hint_ro="Fișierul nu este o imagine. Folosiți un fișier JPEG, PNG, WebP, HEIC, BMP, TIFF sau GIF.",
    )


def _damaged() -> PictureError:
    return PictureError(
        "truncated",
        hint_en="The picture is damaged or cut off, so it was not read. "
        "Send or copy it again, or take a new one.",
        hint_ro="Imaginea este deteriorată sau incompletă, deci nu a fost citită. "
        "Trimiteți-o sau copiați-o din nou ori faceți alta.",
    )


def _too_large() -> PictureError:
    limit = LIMIT_PIXELS // 1_000_000
    return PictureError(
        "too_large",
        hint_en=f"The picture has more than {limit} megapixels. Reduce it, or take it in a lower resolution.",
        hint_ro=f"Imaginea are peste {limit} de megapixeli. Micșorați-o sau faceți-o la rezoluție mai mică.",
    )
