"""Pictures of every kind come in upright, in BGR and 8 bits, and what is no picture says so."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from vision import pictures
from vision.pictures import PictureError, load_picture, open_picture

# 64 x 48, left half red, right half blue, stored to be turned a quarter clockwise: red on top, 48 x 64.
TURNED_HEIC = base64.b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAchtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAADRp"
    "bG9jAAAAAERAAAIAAQAAAAAB7AABAAAAAAAAAHUAAgAAAAACYQABAAAAAAAAACQAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABo"
    "dmMxAAAAABVpbmZlAgAAAQACAABFeGlmAAAAAA5waXRtAAAAAAABAAABB2lwcnAAAADmaXBjbwAAAHZodmNDAQNwAAAAkAAAAAAAHvAA"
    "/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq5Ka5uAhoMCAAAAMD"
    "IAAAAwAhYgABAAZEAcFzwIkAAAATY29scm5jbHgAAQANAAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xhcAAAAEAAAAABAAAAMAAA"
    "AAEAAAAAAAAAAv////AAAAACAAAAEHBpeGkAAAAAAwgICAAAAAlpcm90AwAAABlpcG1hAAAAAAAAAAEAAQaBAgMFhIYAAAAaaXJlZgAA"
    "AAAAAAAOY2RzYwACAAEAAQAAAKFtZGF0AAAAcSgBrwngOSMkv//6Mb//+EaeQ/a5hcF//g8Wff4V/n/+ze9RXZWFbILbD0Opm8R2/qm/"
    "EqRhs0lk1uPxAzLY2gjY37MO7eK5BhNXY9wvM5r6IBgHij0hse84jiQ9+d7o0P4za2n34T+L/A4yy2T7lHcCAAAABkV4aWYAAE1NACoA"
    "AAAIAAEBEgADAAAAAQAGAAAAAAAA"
)


def halves(size: tuple[int, int] = (64, 48)) -> Image.Image:
    """Left half red, right half blue."""
    picture = Image.new("RGB", size, (200, 30, 30))
    picture.paste((30, 30, 200), (size[0] // 2, 0, *size))
    return picture


def encoded(picture: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def assert_halves(pixels: pictures.Pixels) -> None:
    assert pixels.shape == (48, 64, 3)
    assert pixels.dtype == np.uint8
    assert pixels.flags.c_contiguous
    assert np.abs(pixels[20:28, 4:24].astype(int) - (30, 30, 200)).max() <= 12
    assert np.abs(pixels[20:28, 40:60].astype(int) - (200, 30, 30)).max() <= 12


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF"])
def test_reads_the_usual_kinds_from_bytes_and_from_a_file(kind: str, tmp_path: Path) -> None:
    data = encoded(halves(), kind)
    assert_halves(load_picture(data))
    file = tmp_path / "a picture without an ending"
    file.write_bytes(data)
    assert_halves(load_picture(file))


def test_reads_heic_and_turns_it_once() -> None:
    pixels = load_picture(TURNED_HEIC)
    assert pixels.shape == (64, 48, 3)
    assert np.abs(pixels[4:28, 10:38].astype(int) - (30, 30, 200)).max() <= 25
    assert np.abs(pixels[36:60, 10:38].astype(int) - (200, 30, 30)).max() <= 25


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP"])
def test_turns_and_mirrors_as_the_exif_orientation_says(orientation: int, kind: str) -> None:
    noise = np.random.default_rng(orientation).integers(0, 256, (5, 7, 3), dtype=np.uint8)
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored = Image.fromarray(noise).resize((56, 40), Image.Resampling.NEAREST)
    data = encoded(stored, kind, exif=exif, **({"lossless": True} if kind == "WEBP" else {}))
    with Image.open(io.BytesIO(data)) as reference:
        upright = np.asarray(ImageOps.exif_transpose(reference).convert("RGB"))
    assert np.array_equal(load_picture(data), upright[..., ::-1])


def test_a_damaged_orientation_counts_as_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 99
    assert_halves(load_picture(encoded(halves(), "JPEG", exif=exif)))


@pytest.mark.parametrize("mode", ["L", "1", "P", "CMYK", "YCbCr", "RGBA", "LA"])
def test_brings_every_colour_mode_to_bgr(mode: str) -> None:
    original = Image.radial_gradient("L").convert("RGB") if mode in ("L", "1", "LA") else halves()
    stored = original.convert(mode)
    kind = "TIFF" if mode in ("CMYK", "YCbCr") else "PNG"
    want = np.asarray(stored.convert("RGB"))[..., ::-1].astype(int)
    assert np.abs(load_picture(encoded(stored, kind)).astype(int) - want).max() <= 1


def test_cmyk_jpeg_is_not_inverted() -> None:
    assert load_picture(encoded(Image.new("CMYK", (32, 32), (0, 0, 0, 0)), "JPEG")).min() > 240


@pytest.mark.parametrize(("kind", "mode"), [("PNG", "I;16"), ("TIFF", "I;16"), ("TIFF", "I;16B")])
def test_brings_16_bits_to_8(kind: str, mode: str) -> None:
    deep = np.linspace(0, 65535, 64 * 48).reshape(48, 64).astype(">u2" if mode.endswith("B") else "<u2")
    stored = Image.frombytes(mode, (64, 48), deep.tobytes())
    pixels = load_picture(encoded(stored, kind))
    assert np.abs(pixels.astype(float) - deep[..., None].astype(float) / 257).max() <= 1


def test_16_bit_colour_png() -> None:
    rows = b"".join(b"\0" + struct.pack(">3H", 0xFFFF, 0x8000, 0x0000) * 20 for _ in range(20))

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", 20, 20, 16, 2, 0, 0, 0)
    data = (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
    assert load_picture(data)[10, 10].tolist() == [0, 128, 255]


def test_float_tiff_is_scaled_to_its_white() -> None:
    values = np.tile(np.linspace(0, 1, 64, dtype=np.float32), (48, 1))
    pixels = load_picture(encoded(Image.fromarray(values), "TIFF"))
    assert pixels[0, 0].tolist() == [0, 0, 0]
    assert pixels[0, -1].tolist() == [255, 255, 255]


def test_what_is_transparent_lies_on_white() -> None:
    picture = halves().convert("RGBA")
    picture.putalpha(Image.new("L", picture.size, 0))
    assert load_picture(encoded(picture, "PNG")).min() == 255
    palette = Image.new("P", (20, 20), 0)
    palette.putpalette([10, 20, 30] + [0] * 765)
    assert load_picture(encoded(palette, "PNG", transparency=0)).min() == 255


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "TIFF"])
def test_of_an_animation_the_first_frame_counts(kind: str) -> None:
    second = Image.new("RGB", (64, 48), "green")
    options: dict[str, Any] = {"lossless": True} if kind == "WEBP" else {}
    assert_halves(load_picture(encoded(halves(), kind, save_all=True, append_images=[second], **options)))


@pytest.mark.parametrize("size", [(1, 1), (1, 900), (15, 15)])
def test_tiny_pictures_are_pictures(size: tuple[int, int]) -> None:
    assert load_picture(encoded(Image.new("RGB", size, "red"), "PNG")).shape == (size[1], size[0], 3)


@pytest.mark.parametrize(
    "data", [b"", b"\0", b"remi " * 100, b"%PDF-1.7\n" + b"x" * 50, b"<svg/>", b"\0" * 4096]
)
def test_what_is_no_picture_says_so(data: bytes) -> None:
    with pytest.raises(PictureError) as caught:
        load_picture(data)
    assert caught.value.code == "not_a_picture"
    assert "JPEG" in caught.value.hint_en
    assert "imagine" in caught.value.hint_ro


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_picture_is_refused_not_half_read(kind: str, share: float) -> None:
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 256, (90, 120, 3), dtype=np.uint8))
    data = encoded(noise, kind)
    with pytest.raises(PictureError) as caught:
        load_picture(data[: int(len(data) * share)])
    assert caught.value.code == "truncated"
    assert "deteriorată" in caught.value.hint_ro


def test_a_truncated_heic_is_refused() -> None:
    for end in (20, 300, len(TURNED_HEIC) - 60):
        with pytest.raises(PictureError) as caught:
            load_picture(TURNED_HEIC[:end])
        assert caught.value.code == "truncated"


def test_a_heic_that_crashes_its_decoder_is_damaged_and_we_live_on() -> None:
    crashing = bytearray(TURNED_HEIC)
    crashing[176] = 0o220
    with pytest.raises(PictureError) as caught:
        load_picture(bytes(crashing))
    assert caught.value.code == "truncated"


def test_a_heic_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "LIMIT_PIXELS", 48 * 64 - 1)
    with pytest.raises(PictureError) as caught:
        load_picture(TURNED_HEIC)
    assert caught.value.code == "too_large"


@pytest.mark.filterwarnings("ignore::UserWarning")  # Pillow's remarks on damaged metadata
@given(st.data())
def test_damaged_bytes_give_a_picture_or_a_picture_error(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"]))
    damaged = bytearray(encoded(halves((24, 20)), kind))
    for place in data.draw(st.lists(st.integers(0, len(damaged) - 1), min_size=1, max_size=6)):
        damaged[place] = data.draw(st.integers(0, 255))
    # A damaged header may claim a hundred megapixels, which are decoded all right but take their time.
    with patch.object(pictures, "LIMIT_PIXELS", 100_000):
        try:
            pixels = load_picture(bytes(damaged))
        except PictureError:
            return
    assert pixels.ndim == 3


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims to be that large."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    ihdr = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    idat = b"IDAT" + zlib.compress(b"\0" * 100)
    return (
        b"\x89PNG\r\n\x1a\n"
        + ihdr
        + struct.pack(">I", len(idat) - 4)
        + idat
        + struct.pack(">I", zlib.crc32(idat))
    )


@pytest.mark.parametrize("size", [(12_001, 10_000), (16_000, 15_000), (60_000, 60_000)])
def test_over_120_megapixels_is_refused_before_decoding(size: tuple[int, int]) -> None:
    with pytest.raises(PictureError) as caught:
        load_picture(bomb(*size))
    assert caught.value.code == "too_large"
    assert "120" in caught.value.hint_en
    assert "120" in caught.value.hint_ro


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("size", [(640, 480), (641, 479)])
def test_a_very_large_picture_comes_reduced(
    monkeypatch: pytest.MonkeyPatch, kind: str, size: tuple[int, int]
) -> None:
    monkeypatch.setattr(pictures, "FULL_PIXELS", 100_000)
    exif = Image.Exif()
    exif[0x0112] = 6
    data = encoded(halves(size), kind, exif=exif)
    picture = open_picture(data)
    assert (picture.width, picture.height) == (size[1], size[0])
    assert picture.pixels.shape == (-(-size[0] // 2), -(-size[1] // 2), 3)
    assert picture.scale == pytest.approx((2, 2), rel=0.01)
    assert picture.pixels[10, 10, 2] > 180
    assert picture.pixels[-10, 10, 0] > 180
    assert load_picture(data).shape == (size[0], size[1], 3)


def test_100_megapixels_are_read_in_less_memory_than_their_pixels_need() -> None:
    # A JPEG of that size, made without holding it: restart-free grey blocks would need an encoder of our own,
    # so Pillow makes it from one flat colour.
    data = encoded(Image.new("L", (11_600, 8_700), 128), "JPEG", quality=30)
    picture = open_picture(data)
    assert (picture.width, picture.height) == (11_600, 8_700)
    assert picture.pixels.nbytes < 100_000_000
    assert picture.pixels[4_000, 5_000].tolist() == [128, 128, 128]
