"""Printable sheets in true size: the cards for the table's corners, and the board for the lens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from calibration.lens import BOARD_MARKER_MM, BOARD_SQUARES, SQUARE_MM, board
from calibration.markers import INSET_MM, MARKER_IDS, MARKER_MM

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

Paper = Literal["a4", "letter"]
SHEET: Final = "remi-sheets/1"
"""The name of this set of sheets, which a rig notes as its provenance."""

CARD_MM: Final = INSET_MM + MARKER_MM / 2 + 10.0
"""Side of a card: its marker's middle is `INSET_MM` from the two edges that lie flush, with 10 mm of white
inside.
"""

_POINTS_OF_MM: Final = 72 / 25.4
_RULER_MM: Final = 100
_PAPERS: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
_WHERE: Final = (
    ("far left", "stânga departe"),
    ("far right", "dreapta departe"),
    ("near right", "dreapta aproape"),
    ("near left", "stânga aproape"),
)

_MARKED: Final = {
    "ș": ("s", ","),
    "ț": ("t", ","),
    "Ș": ("S", ","),
    "Ț": ("T", ","),
    "ă": ("a", "\u02d8"),
}
Rect = tuple[float, float, float, float]


def write_sheets(folder: Path, *, table_mm: tuple[float, float], paper: Paper = "a4") -> list[Path]:
    """Writes `corner-markers.pdf` and `charuco-board.pdf` into the folder and returns their paths.

    `table_mm` is printed on the cards, with how far apart the markers then lie, so that a wrong table is
    noticed with a tape measure. An OSError of the folder propagates.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [
        _corner_cards(folder / "corner-markers.pdf", table_mm, paper),
        _lens_board(folder / "charuco-board.pdf", paper),
    ]


def marker_cells(marker: int) -> Iterator[tuple[int, int]]:
    """The dark cells (column, row) of a corner marker on its grid of 6 x 6, from the top left."""
    import cv2

    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = np.asarray(cv2.aruco.generateImageMarker(family, marker, 6))
    yield from ((int(column), int(row)) for row, column in np.argwhere(cells == 0))


def board_rects() -> Iterator[Rect]:
    """The dark rectangles (x, y, width, height) of the ChArUco board in millimetres from its top left, y
    down.
    """
    import cv2

    sheet = board()
    columns, rows = BOARD_SQUARES
    for row in range(rows):
        for column in range(columns):
            if (row + column) % 2 == 0:
                yield column * SQUARE_MM, row * SQUARE_MM, SQUARE_MM, SQUARE_MM
    cell = BOARD_MARKER_MM / 7
    for marker, corners in zip(np.ravel(sheet.getIds()), sheet.getObjPoints(), strict=True):
        left, top = np.asarray(corners)[0][:2]
        cells = np.asarray(cv2.aruco.generateImageMarker(sheet.getDictionary(), int(marker), 7))
        for row, column in np.argwhere(cells == 0):
            yield float(left + column * cell), float(top + row * cell), cell, cell


def _corner_cards(path: Path, table_mm: tuple[float, float], paper: Paper) -> Path:
    page = _Page(path, paper, "Remi Companion: corner markers")
    across = page.size[0]
    left, top = (across - 2 * CARD_MM) / 2, 22.0
    page.text(left, top - 12, "Remi Companion", size=12)
    page.text(
        left,
        top - 6,
        "Print at 100 % (no fit to page). Cut along the lines. / Tipăriți la 100 %. Decupați.",
        size=8,
    )
    for marker, (column, row) in zip(MARKER_IDS, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        _card(page, marker, left + column * CARD_MM, top + row * CARD_MM)
    below = top + 2 * CARD_MM + 14
    page.ruler(left, below)
    apart = f"{table_mm[0] - 2 * INSET_MM:g} x {table_mm[1] - 2 * INSET_MM:g}"
    size = f"{table_mm[0]:g} x {table_mm[1]:g} mm"
    lines = (
        f"Table {size}: the middles of the markers lie {apart} mm apart (across x along).",
        f"Masă de {size}: centrele marcajelor sunt la {apart} mm (pe lățime x pe adâncime).",
        "Lay each card into its corner, thick edges flush with the table's; 0 is far left as seat 1 sees it.",
        "Puneți fiecare cartonaș în colțul lui, cu liniile groase la margine; 0 este în stânga departe.",
        f"{SHEET}  DICT_4X4_50, ids 0-3, {MARKER_MM:g} mm",
    )
    for number, text in enumerate(lines):
        page.text(left, below + 12 + 5 * number, text, size=7)
    return page.save()


def _card(page: _Page, marker: int, left: float, top: float) -> None:
    """A card whose flush edges are those that meet in the table's corner, drawn thick."""
    on_left, on_top = marker in (0, 3), marker in (0, 1)
    page.frame(left, top, CARD_MM, CARD_MM)
    flush = 1.2
    page.rect(left if on_left else left + CARD_MM - flush, top, flush, CARD_MM)
    page.rect(left, top if on_top else top + CARD_MM - flush, CARD_MM, flush)
    from_flush = INSET_MM - MARKER_MM / 2
    from_inside = CARD_MM - from_flush - MARKER_MM
    x = left + (from_flush if on_left else from_inside)
    y = top + (from_flush if on_top else from_inside)
    cell = MARKER_MM / 6
    for column, row in marker_cells(marker):
        page.rect(x + column * cell, y + row * cell, cell, cell)
    label = top + (10 if on_top else CARD_MM - 14)
    english, romanian = _WHERE[marker]
    aside = left + (8 if on_left else 14)
    page.text(aside, label, f"{marker}: {english}", size=9)
    page.text(aside, label + 5, romanian, size=9)


def _lens_board(path: Path, paper: Paper) -> Path:
    page = _Page(path, paper, "Remi Companion: ChArUco board")
    wide, high = BOARD_SQUARES[0] * SQUARE_MM, BOARD_SQUARES[1] * SQUARE_MM
    left, top = (page.size[0] - wide) / 2, 12.0
    for x, y, width, height in board_rects():
        page.rect(left + x, top + y, width, height)
    page.ruler(left, top + high + 6)
    page.text(
        left,
        top + high + 14,
        f"{SHEET}  ChArUco {BOARD_SQUARES[0]}x{BOARD_SQUARES[1]}, {SQUARE_MM:g} mm, DICT_5X5_100. Print at "
        "100 %, glue onto something flat. / Tipăriți la 100 %.",
        size=7,
    )
    return page.save()


class _Page:
    """One page in millimetres from its top left corner, y down."""

    def __init__(self, path: Path, paper: Paper, title: str) -> None:
        from reportlab.pdfgen.canvas import Canvas

        self.size = _PAPERS[paper]
        self._path = path
        across, down = (side * _POINTS_OF_MM for side in self.size)
        # The same sheet is the same file: no date, no random name.
        self._canvas: Canvas = Canvas(str(path), pagesize=(across, down), invariant=1)
        self._canvas.setTitle(title)

    def rect(self, x: float, y: float, width: float, height: float) -> None:
        """A black rectangle; neighbours overlap by a hair, so that no white line shows between them."""
        hair = 0.01
        self._box(x - hair, y - hair, width + 2 * hair, height + 2 * hair, fill=1, stroke=0)

    def frame(self, x: float, y: float, width: float, height: float) -> None:
        """A thin line around."""
        self._canvas.setLineWidth(0.3)
        self._box(x, y, width, height, fill=0, stroke=1)

    def ruler(self, x: float, y: float) -> None:
        """A line of 100 mm with a tick at every 10."""
        self.rect(x, y, _RULER_MM, 0.3)
        for tick in range(0, _RULER_MM + 1, 10):
            self.rect(x + tick, y - 2, 0.2, 4)
        self.text(x + _RULER_MM + 3, y + 1, f"{_RULER_MM} mm", size=8)

    def text(self, x: float, y: float, words: str, *, size: float) -> None:
        """A line of text with its base line at y."""
        font, at = _font(), x * _POINTS_OF_MM
        base = (self.size[1] - y) * _POINTS_OF_MM
        for letter in words:
            bare, mark = _MARKED.get(letter, (letter, ""))
            self._canvas.setFont(font, size)
            self._canvas.drawString(at, base, bare)
            width = self._canvas.stringWidth(bare, font, size)
            if mark:
                small, lower = (0.75, 0.18) if mark == "," else (1.0, 0.0)
                self._canvas.setFont(font, size * small)
                self._canvas.drawCentredString(at + width / 2, base - size * lower, mark)
            at += width

    def save(self) -> Path:
        self._canvas.showPage()
        self._canvas.save()
        return self._path

    def _box(self, x: float, y: float, width: float, height: float, *, fill: int, stroke: int) -> None:
        scale = _POINTS_OF_MM
        self._canvas.rect(
            x * scale,
            (self.size[1] - y - height) * scale,
            width * scale,
            height * scale,
            fill=fill,
            stroke=stroke,
        )


def _font() -> str:
    """The font that reportlab brings along; like those built in it lacks ș, ț and ă, which are put
    together.
    """
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    name = "Vera"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, "Vera.ttf"))
    return name
