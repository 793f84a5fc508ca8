"""The page of a measurement: whole in one file, worst first, and honest about confidence."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from pathlib import Path

import cv2
import numpy as np

from engine.notation import parse_seen
from engine.readings import PictureReading, SeenTile
from vision.evaluate import Evaluation, judge
from vision.labelled import LabelledPicture, Spot, TrueTile
from vision.report import write_report
from vision.tally import Judged
from vision.worst import SHEET_CROP, SHEET_TEXT, write_sheet


def box(x: float, y: float = 20.0) -> list[tuple[float, float]]:
    return [(x, y), (x + 20, y), (x + 20, y + 28), (x, y + 28)]


def measured(folder: Path, *, name: str = "my set", group: str = "flat") -> Evaluation:
    """Two pictures: a right and a wrong tile, one missed, one false find."""
    result = Evaluation(Path(name))
    for index in range(2):
        path = folder / f"p{index}.png"
        image = np.full((80, 120, 3), 90, np.uint8)
        cv2.rectangle(image, (50, 20), (70, 48), (30 + index, 220, 230), -1)
        assert cv2.imwrite(str(path), image)
        truths = tuple(
            TrueTile(face, np.asarray(box(x), np.float32), "melds", spot=Spot("rack", lean=50.0, digit=7.0))
            for face, x in (("r7", 10), ("k4", 50))
        )
        reads = [
            SeenTile(parse_seen("r7"), tuple(box(10)), 0.99),
            SeenTile(parse_seen("b4"), tuple(box(51)), 0.8),
        ]
        if index:
            reads = [reads[1], SeenTile(parse_seen("*"), tuple(box(90)), 0.6)]
        times = {"total": 17.0 + 31 * index}
        judge(
            result,
            LabelledPicture(path, group, truths, backs=True, light="warm"),
            PictureReading(120, 80, tuple(reads), times),
        )
    return result


class Page(HTMLParser):
    """What of a page a browser would fetch, and whether its tags close."""

    VOID = frozenset({"meta", "img", "br", "rect", "path", "circle", "hr", "link", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.images: list[str] = []
        self.foreign: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        assert self.open == [], "every tag is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if tag == "img" and name == "src":
                self.images.append(value or "")
            elif name in ("src", "href", "srcset", "data", "action"):
                self.foreign.append((tag, value or ""))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_needs_nothing_beside_itself(tmp_path: Path) -> None:
    path = write_report(measured(tmp_path), tmp_path / "new" / "report")
    assert path == tmp_path / "new" / "report" / "index.html"
    assert [other.name for other in path.parent.iterdir()] == ["index.html"]
    page = Page(path.read_text(encoding="utf-8"))
    assert page.foreign == []
    assert len(page.images) == 4, "two misread, one missed, one false find"
    assert all(source.startswith("data:image/jpeg;base64,") for source in page.images)
    assert "http" not in "".join(page.text)
    assert "url(" not in path.read_text(encoding="utf-8")


def test_the_page_says_what_was_measured(tmp_path: Path) -> None:
    text = " ".join(Page(write_report(measured(tmp_path), tmp_path).read_text(encoding="utf-8")).text)
    for words in (
        "2 pictures, 0 entirely right (0 after repair); 4 tiles,",
        " 1 missed, 2 misread, 0 unread, 1 false finds;",
        "; 3 of 4 accepted are wrong.",
        "rack lean and digit height",
        "45-55 at 6-8",
        "warm",
        "Expected calibration error",
        "k4 as b4 ×2",
        "is k4, read b4 0.80",
        "is r7, not found",
        "no tile there, read * 0.60",
        "75.00 %",
    ):
        assert words in text
    assert str(tmp_path) not in text, "no path of this machine"


def test_the_same_readings_give_the_same_page(tmp_path: Path) -> None:
    first = write_report(measured(tmp_path), tmp_path / "a").read_bytes()
    slower = measured(tmp_path)
    slower.milliseconds[:] = [900.0, 1000.0]
    assert write_report(slower, tmp_path / "b").read_bytes() == first


def test_names_are_escaped(tmp_path: Path) -> None:
    evil = '<script>alert("1")</script>&amp;'
    text = write_report(measured(tmp_path, name=evil.replace("/", "|"), group=evil), tmp_path).read_text(
        "utf-8"
    )
    assert "<script" not in text
    assert "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;" in text


def test_crops_show_the_tile_upright_with_its_outlines(tmp_path: Path) -> None:
    result = measured(tmp_path)
    wrong = [
        judged for judged in result.judged if judged.seen and judged.truth and judged.seen.confidence == 0.8
    ]
    turned = wrong[0].seen
    assert turned is not None
    quad = (*turned.quad[2:], *turned.quad[:2])  # as if read upside down
    result.judged[:] = [Judged(wrong[0].path, wrong[0].truth, SeenTile(turned.face, quad, 0.8))]
    text = write_report(result, tmp_path).read_text(encoding="utf-8")
    source = re.findall(r'src="data:image/jpeg;base64,([^"]+)"', text)
    crop = cv2.imdecode(np.frombuffer(base64.b64decode(source[0]), np.uint8), cv2.IMREAD_COLOR)
    assert crop is not None
    assert crop.shape == (144, 144, 3)
    assert np.abs(crop[72, 72].astype(int) - (30, 220, 230)).max() < 12, "the tile is in the middle"
    assert np.abs(crop[6, 6].astype(int) - 90).max() < 12, "with some of the table round it"
    blue, green, red = (crop[..., channel].astype(int) for channel in range(3))
    assert 60 < ((blue > green + 20) & (red > green + 20)).sum() < 1500, "a thin magenta outline"


def test_the_worst_are_drawn_as_one_picture_when_a_number_is_asked_for(tmp_path: Path) -> None:
    result = measured(tmp_path)
    page = result.write_report(tmp_path / "report", worst=3)
    assert sorted(path.name for path in page.parent.iterdir()) == ["index.html", "worst.png"]
    assert len(Page(page.read_text(encoding="utf-8")).images) == 3
    sheet = cv2.imread(str(page.parent / "worst.png"))
    assert sheet is not None
    assert sheet.shape == (SHEET_CROP + SHEET_TEXT, 3 * SHEET_CROP, 3)
    middle = SHEET_CROP // 2
    assert np.abs(sheet[middle, middle].astype(int) - (30, 220, 230)).max() < 12, (
        "the misread tile comes first"
    )
    assert sheet[SHEET_CROP:].max() > 200, "with words below"
    assert write_sheet([], tmp_path / "none.png").is_file()


def test_pictures_that_are_gone_are_said_to_be(tmp_path: Path) -> None:
    result = measured(tmp_path)
    (tmp_path / "p0.png").unlink()
    (tmp_path / "p1.png").write_bytes(b"broken")
    page = Page(write_report(result, tmp_path).read_text(encoding="utf-8"))
    assert page.images == []
    assert page.text.count("picture not there") == 4


def test_a_perfect_and_an_empty_measurement(tmp_path: Path) -> None:
    empty = write_report(Evaluation(Path("nothing")), tmp_path / "empty").read_text(encoding="utf-8")
    assert "No tile was found." in empty
    assert "Everything was found and read right." in empty
    result = measured(tmp_path)
    result.judged[:] = [judged for judged in result.judged if judged.seen and str(judged.seen.face) == "r7"]
    result.confusions.clear()
    text = write_report(result, tmp_path / "right").read_text(encoding="utf-8")
    Page(text)
    assert "Everything was found and read right." in text
    assert "<p>None.</p>" in text
