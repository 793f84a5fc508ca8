"""A reading drawn on its picture: outlines, upright edges, faces, doubts, and captions of melds."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.grouping import DOUBT_BELOW
from engine.tiles import Mark

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

    from engine.readings import SeenTile
    from vision.pictures import Pixels

Colour = tuple[int, int, int]
Point = tuple[float, float]

# Blue, yellow and grey differ for every kind of colour vision; line style and text say the same again.
SURE: Final[Colour] = (0, 114, 178)
DOUBT: Final[Colour] = (240, 228, 66)
FACE_DOWN: Final[Colour] = (120, 120, 120)
BAND: Final[Colour] = (213, 94, 0)
_INK: Final[Colour] = (0, 0, 0)
_PAPER: Final[Colour] = (255, 255, 255)

_READABLE_TEXT: Final = 13.0  # font size in pixels that people still read
_TEXT_OF_TILE: Final = 0.3  # font size of a label in tile sizes, the root of width times height
_LABEL_DOWN_THE_TILE: Final = 0.78  # digits are in the upper part of a face
_LARGEST_FACTOR: Final = 4
_LARGEST_OUTPUT: Final = 40_000_000  # pixels; a picture is not enlarged beyond


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text for several tiles, such as a meld with its points; `tiles` are indexes, at least one."""

    tiles: tuple[int, ...]
    text: str


def draw(
    image: Pixels,
    tiles: Sequence[SeenTile],
    *,
    doubts: Collection[int] | None = None,
    captions: Iterable[Caption] = (),
) -> Pixels:
    """The BGR picture with every tile outlined, its top edge marked, and its face written on its lower part.

    `doubts` are indexes of tiles that a person should look at, by default those of `doubtful`: their outline
    is dashed and yellow and their label has a `?`. Where tiles are too small for a readable label, the
    picture comes back enlarged by a whole number, so that its size may differ. The given one is not changed.
    """
    import cv2
    from PIL import Image, ImageDraw

    factor = _enlargement(image, tiles)
    canvas = image
    if factor > 1:
        canvas = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    picture = Image.fromarray(np.ascontiguousarray(canvas[..., ::-1]))
    pen = ImageDraw.Draw(picture)
    quads = [[(x * factor, y * factor) for x, y in tile.quad] for tile in tiles]
    unsure = set(doubtful(tiles) if doubts is None else doubts)
    bands = [(caption.text, _band([quads[index] for index in caption.tiles])) for caption in captions]
    for _, band in bands:
        _line(pen, [*band, band[0]], BAND, width=3)
    for index, (tile, quad) in enumerate(zip(tiles, quads, strict=True)):
        _draw_outline(pen, quad, _colour(tile, index in unsure), dashed=index in unsure)
    for index, (tile, quad) in enumerate(zip(tiles, quads, strict=True)):
        _draw_label(pen, tile, quad, unsure=index in unsure)
    for text, band in bands:
        _draw_caption(pen, text, band, (picture.width, picture.height))
    return np.ascontiguousarray(np.asarray(picture)[..., ::-1])


def doubtful(tiles: Sequence[SeenTile], *, below: float = DOUBT_BELOW) -> list[int]:
    """The indexes of tiles that were not read, or with less confidence than `below`."""
    return [index for index, tile in enumerate(tiles) if tile.face is Mark.UNREAD or tile.confidence < below]


def _colour(tile: SeenTile, unsure: bool) -> Colour:
    if unsure:
        return DOUBT
    return FACE_DOWN if tile.face is Mark.FACE_DOWN else SURE


def _size(quad: Sequence[Point]) -> float:
    """The root of the quad's area in pixels; at least 1."""
    area = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(quad, (*quad[1:], quad[0]), strict=True)) / 2
    return max(1.0, math.sqrt(abs(area)))


def _enlargement(image: Pixels, tiles: Sequence[SeenTile]) -> int:
    if not tiles:
        return 1
    typical = statistics.median(_size(tile.quad) for tile in tiles)
    wanted = math.ceil(_READABLE_TEXT / (_TEXT_OF_TILE * typical))
    room = math.isqrt(_LARGEST_OUTPUT // max(1, image.shape[0] * image.shape[1]))
    return max(1, min(wanted, _LARGEST_FACTOR, room))


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _line(pen: ImageDraw, points: Sequence[Point], colour: Colour, *, width: int) -> None:
    """A line with a dark edge, which shows on light and on dark ground."""
    pen.line(points, fill=_INK, width=width + 2, joint="curve")
    pen.line(points, fill=colour, width=width, joint="curve")


def _draw_outline(pen: ImageDraw, quad: Sequence[Point], colour: Colour, *, dashed: bool) -> None:
    size = _size(quad)
    width = max(2, round(size / 30))
    outline = [*quad, quad[0]]
    if dashed:
        pen.line(outline, fill=_INK, width=width + 2, joint="curve")
        for start, end in itertools.pairwise(outline):
            pieces = max(3, round(math.dist(start, end) / (6 * width))) | 1
            for piece in range(0, pieces, 2):
                ends = [_between(start, end, piece / pieces), _between(start, end, (piece + 1) / pieces)]
                pen.line(ends, fill=colour, width=width)
    else:
        _line(pen, outline, colour, width=width)
    _draw_upright_mark(pen, quad, colour, width=width)


def _draw_upright_mark(pen: ImageDraw, quad: Sequence[Point], colour: Colour, *, width: int) -> None:
    """A thick top edge and a triangle on it that points up as the face is read."""
    top_left, top_right, bottom_right, bottom_left = quad
    _line(pen, [top_left, top_right], colour, width=2 * width)
    foot = _between(top_left, top_right, 0.5)
    below = _between(bottom_left, bottom_right, 0.5)
    tip = _between(foot, below, -0.12)
    triangle = [_between(top_left, top_right, 0.38), tip, _between(top_left, top_right, 0.62)]
    pen.polygon(triangle, fill=colour, outline=_INK)


def _font(size: float) -> FreeTypeFont | ImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _plate(pen: ImageDraw, centre: Point, text: str, *, size: float, edge: Colour, paper: Colour) -> None:
    size = max(_READABLE_TEXT, size)
    font = _font(size)
    left, top, right, bottom = pen.textbbox(centre, text, font=font, anchor="mm")
    pad = max(1.0, size / 8)
    box = (left - 2 * pad, top - pad, right + 2 * pad, bottom + pad)
    pen.rounded_rectangle(box, radius=2 * pad, fill=paper, outline=edge, width=2)
    pen.text(centre, text, font=font, anchor="mm", fill=_INK)


def _draw_label(pen: ImageDraw, tile: SeenTile, quad: Sequence[Point], *, unsure: bool) -> None:
    text = f"{tile.face}?" if unsure and tile.face is not Mark.UNREAD else str(tile.face)
    top = _between(quad[0], quad[1], 0.5)
    bottom = _between(quad[3], quad[2], 0.5)
    centre = _between(top, bottom, _LABEL_DOWN_THE_TILE)
    paper = DOUBT if unsure else _PAPER
    _plate(pen, centre, text, size=_TEXT_OF_TILE * _size(quad), edge=_colour(tile, unsure), paper=paper)


def _band(quads: Sequence[Sequence[Point]]) -> list[Point]:
    """A line around some tiles, a little outside of them."""
    import cv2

    corners = np.array([corner for quad in quads for corner in quad], np.float32)
    hull = cv2.convexHull(corners).reshape(-1, 2)
    out = hull - corners.mean(axis=0)
    margin = 0.07 * _size(quads[0]) / np.maximum(1.0, np.linalg.norm(out, axis=1, keepdims=True))
    return [(float(x), float(y)) for x, y in hull + out * margin]


def _draw_caption(pen: ImageDraw, text: str, band: Sequence[Point], picture: tuple[int, int]) -> None:
    """The text on the upper edge of the band, moved inside the picture where it would leave it."""
    xs, ys = [x for x, _ in band], [y for _, y in band]
    size = max(_READABLE_TEXT, min(0.16 * min(max(xs) - min(xs), max(ys) - min(ys)), 32.0))
    half_width = pen.textlength(text, font=_font(size)) / 2 + size / 2
    x = min(max((min(xs) + max(xs)) / 2, half_width), max(half_width, picture[0] - half_width))
    y = min(max(min(ys), size), max(size, picture[1] - size))
    _plate(pen, (x, y), text, size=size, edge=BAND, paper=_PAPER)
