"""The printed sheets are in true size: rendered back from the PDF, markers and board measure what they
should.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest

from calibration.lens import SQUARE_MM, find_board
from calibration.markers import INSET_MM, MARKER_MM, centre_of, find_markers
from calibration.sheets import CARD_MM, Paper, write_sheets

DOTS = 200
MM = 25.4 / DOTS


def rendered(path: Path) -> Any:
    document = pypdfium2.PdfDocument(path)
    pixels = document[0].render(scale=DOTS / 72).to_numpy()[..., :3]
    document.close()
    return np.ascontiguousarray(pixels)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_cards_and_board_are_in_true_size(tmp_path: Path, paper: Paper) -> None:
    cards, board = write_sheets(tmp_path / "sheets", table_mm=(1000.0, 900.0), paper=paper)
    page = rendered(cards)
    assert page.shape[1] * MM == pytest.approx(210.0 if paper == "a4" else 215.9, abs=0.2)
    markers = find_markers(page)
    assert tuple(markers) == (0, 1, 2, 3)
    for corners in markers.values():
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) * MM
        assert sides == pytest.approx(np.full(4, MARKER_MM), abs=0.25)
    # Cut along the lines, each card carries its marker INSET_MM from the two edges that lie flush.
    middles = {marker: centre_of(corners) * MM for marker, corners in markers.items()}
    apart = 2 * (CARD_MM - INSET_MM)
    assert middles[1] - middles[0] == pytest.approx(np.asarray([apart, 0]), abs=0.2)
    assert middles[3] - middles[0] == pytest.approx(np.asarray([0, apart]), abs=0.2)

    page = rendered(board)
    view = find_board(page)
    assert view is not None
    assert len(view.pixels) == 70
    off = view.pixels * MM - view.board_mm[:, :2]
    assert np.abs(off - off.mean(axis=0)).max() < 0.25
    assert view.board_mm[1, 0] - view.board_mm[0, 0] == SQUARE_MM


def test_the_sheets_say_the_size_of_the_table_in_both_languages(tmp_path: Path) -> None:
    cards, _ = write_sheets(tmp_path, table_mm=(1000.0, 900.0))
    document = pypdfium2.PdfDocument(cards)
    words = document[0].get_textpage().get_text_range()
    document.close()
    assert "1000 x 900 mm" in words
    assert "892 x 792 mm" in words
    assert "far left" in words
    assert "departe" in words


def test_the_same_sheet_is_the_same_file(tmp_path: Path) -> None:
    first = write_sheets(tmp_path / "a", table_mm=(900.0, 900.0))
    second = write_sheets(tmp_path / "b", table_mm=(900.0, 900.0))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
