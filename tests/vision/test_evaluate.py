"""Made-up readings give exactly the figures that follow from them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from engine.notation import parse_seen
from engine.readings import Candidate, PictureReading, SeenTile
from engine.rules import RuleSet, rule_set
from vision.evaluate import Evaluation, evaluate, judge
from vision.labelled import LabelError, LabelledPicture, Spot, TrueTile
from vision.tally import str_of

NOWHERE = Spot()


def box(x: float, y: float = 0.0) -> list[tuple[float, float]]:
    return [(x, y), (x + 20, y), (x + 20, y + 28), (x, y + 28)]


def true(face: str, x: float, *, counts: bool = True, spot: Spot = NOWHERE) -> TrueTile:
    return TrueTile(face, np.asarray(box(x), np.float32), "melds", counts, spot)


def seen(face: str, x: float, confidence: float = 0.9, y: float = 0.0) -> SeenTile:
    return SeenTile(parse_seen(face), tuple(box(x, y)), confidence)


def judged(
    truths: Sequence[TrueTile],
    reads: Sequence[SeenTile],
    *,
    backs: bool = True,
    group: str = "flat",
    into: Evaluation | None = None,
    milliseconds: float | None = None,
    rules: RuleSet | None = None,
) -> Evaluation:
    result = into or Evaluation(Path("set"))
    times = {} if milliseconds is None else {"total": milliseconds}
    picture = LabelledPicture(Path("p.jpg"), group, tuple(truths), backs)
    judge(result, picture, PictureReading(400, 300, tuple(reads), times), rules=rules)
    return result


def counts(result: Evaluation) -> dict[str, int]:
    names = ("tiles", "found", "right", "number", "colour", "unread", "wrong", "false_finds")
    return {name: getattr(result.total, name) for name in names}


def test_a_picture_read_right() -> None:
    result = judged(
        [true("r7", 0), true("*", 30), true("#", 60)], [seen("*", 31), seen("r7", 1), seen("#", 59)]
    )
    assert counts(result) == {
        "tiles": 3,
        "found": 3,
        "right": 3,
        "number": 3,
        "colour": 3,
        "unread": 0,
        "wrong": 0,
        "false_finds": 0,
    }
    assert (result.pictures, result.pictures_right) == (1, 1)
    assert not result.confusions


def test_each_kind_of_error_is_counted_once() -> None:
    truths = [true(face, 30 * place) for place, face in enumerate(("r7", "r7", "r7", "r7", "r7", "r7"))]
    reads = [seen("r7", 0), seen("r8", 30), seen("b7", 60), seen("?", 90), seen("*", 120), seen("k1", 300)]
    result = judged(truths, reads)
    assert counts(result) == {
        "tiles": 6,
        "found": 5,
        "right": 1,
        "number": 2,
        "colour": 2,
        "unread": 1,
        "wrong": 3,
        "false_finds": 1,
    }
    assert result.confusions == {("r7", "r8"): 1, ("r7", "b7"): 1, ("r7", "?"): 1, ("r7", "*"): 1}
    assert result.pictures_right == 0
    document = result.total.to_json()
    assert document["found"] == pytest.approx(5 / 6, abs=1e-5)
    assert document["precision"] == pytest.approx(5 / 6, abs=1e-5)
    assert document["right"] == pytest.approx(1 / 6, abs=1e-5)
    assert (document["number"], document["colour"]) == (0.4, 0.4)
    assert document["missed"] == 1


@pytest.mark.parametrize(("truth", "read"), [("#", "*"), ("*", "#"), ("*", "?"), ("#", "?"), ("*", "r1")])
def test_a_joker_and_a_back_have_no_number_or_colour_in_common(truth: str, read: str) -> None:
    total = judged([true(truth, 0)], [seen(read, 0)]).total
    assert (total.found, total.right, total.number, total.colour) == (1, 0, 0, 0)


def test_a_find_must_overlap_its_tile_by_half() -> None:
    assert judged([true("r7", 0)], [seen("r7", 6)]).total.found == 1
    result = judged([true("r7", 0)], [seen("r7", 8)])  # 12 of 28 columns are in common
    assert (result.total.found, result.total.false_finds) == (0, 1)


def test_two_finds_on_one_tile_are_one_right_and_one_false() -> None:
    total = judged([true("r7", 0)], [seen("r7", 4), seen("r7", 1)]).total
    assert (total.found, total.right, total.false_finds) == (1, 1, 1)


def test_each_tile_gets_the_find_that_fits_it_best() -> None:
    result = judged([true("r7", 0), true("r8", 8)], [seen("r8", 7), seen("r7", 1)])
    assert result.total.right == 2


def test_backs_count_only_where_they_are_labelled() -> None:
    assert judged([], [seen("#", 0)], backs=True).total.false_finds == 1
    result = judged([], [seen("#", 0)], backs=False)
    assert result.total.false_finds == 0
    assert result.pictures_right == 1
    assert judged([], [seen("r7", 0)], backs=False).total.false_finds == 1


def test_hidden_tiles_neither_help_nor_harm() -> None:
    hidden = true("r7", 0, counts=False)
    for reads in ([], [seen("r7", 0)], [seen("k4", 0)], [seen("?", 8)], [seen("r7", 0), seen("k4", 9)]):
        result = judged([hidden], reads)
        assert set(counts(result).values()) == {0}
        assert result.pictures_right == 1
        assert result.judged == []


def test_the_tile_on_top_is_the_one_that_was_seen() -> None:
    below, above = true("r7", 0, counts=False), true("k4", 1)
    total = judged([below, above], [seen("k4", 0)]).total
    assert (total.tiles, total.right, total.false_finds) == (1, 1, 0)


def test_tiles_are_told_apart_by_zone_wherever_labels_say_it() -> None:
    truths = [true("r7", 0, spot=Spot("meld")), true("k4", 30, spot=Spot("rack", lean=45.0))]
    result = judged(truths, [seen("r7", 0), seen("b1", 200)], group="1920px")
    assert {name: (tally.tiles, tally.right, tally.false_finds) for name, tally in result.groups.items()} == {
        "1920px": (2, 1, 1)
    }
    by = result.to_json()["by"]
    zones = {
        zone: (part["tiles"], part["right"], part.get("false_finds")) for zone, part in by["zone"].items()
    }
    assert zones == {"meld": (1, 1.0, None), "rack": (1, 0.0, None), "(none)": (0, None, 1)}
    assert list(by["lean"]) == ["35-45"]
    assert "zone" not in judged([true("r7", 0)], [seen("r7", 0)]).to_json()["by"]


def test_the_figures_that_a_set_is_judged_by() -> None:
    truths = [
        true("r7", 0, spot=Spot("meld")),
        true("k4", 30, spot=Spot("discard")),
        true("k5", 60, spot=Spot("rack", lean=45.0)),
        true("k6", 90, spot=Spot("rack", lean=46.0)),
        true("#", 120, spot=Spot("wall")),
        true("#", 150, spot=Spot("wall")),
    ]
    reads = [seen("r7", 0), seen("?", 30), seen("k5", 60), seen("b1", 90), seen("?", 120), seen("#", 300)]
    result = judged(truths, reads)
    figures = result.to_json()["summary"]
    assert [(name, part["tiles"], part["right"], part["found"]) for name, part in figures.items()] == [
        ("melds and discard row", 2, 0.5, 1.0),
        ("racks up to 45 degrees", 1, 1.0, 1.0),
        ("face down", 2, 0.0, 0.5),
    ]
    assert (result.total.accepted, result.total.wrong_accepted, result.total.false_backs) == (3, 1, 1)
    text = result.to_text()
    for line in (
        "melds and discard row: 50.00 % of 2 read right, 50.00 % after repair",
        "racks up to 45 degrees: 100.00 % of 1 read right",
        "face down: 50.00 % of 2 found, 0.00 % of 2 read right",
        "wrong and accepted: 1 of 3, 33.33 % (95 % interval 6.15 % to 79.23 %), 1 after repair; 2 unread",
        "wrong and not marked as doubtful: 1 of 3, 33.33 %",
        "finds on no tile: 1, of them 0 given a face and 1 taken for face down",
    ):
        assert line in text, line
    assert "face down" not in judged([true("r7", 0)], [seen("r7", 0)]).to_text()


def test_what_is_not_read_is_not_accepted() -> None:
    result = judged([true("r7", 0)], [seen("?", 0), seen("?", 200)])
    assert (result.total.accepted, result.total.wrong_accepted) == (0, 0)
    assert result.total.false_finds == 1
    assert result.pictures_right == 0


def test_what_is_marked_as_doubtful_is_counted_apart() -> None:
    result = judged([true("r7", 0), true("k5", 30)], [seen("r1", 0, 0.79), seen("k5", 30, 0.81)])
    assert result.to_json()["not_in_doubt"] == {"accepted": 1, "wrong": 0}
    assert (result.total.accepted, result.total.wrong_accepted) == (2, 1)


def row(*faces: str, mended: float = 0.99) -> tuple[list[TrueTile], list[SeenTile]]:
    truths = [true(face, 20.0 * place, spot=Spot("meld")) for place, face in enumerate(faces)]
    return truths, [seen(face, 20.0 * place, mended) for place, face in enumerate(faces)]


def test_repair_is_measured_beside_the_raw_reading() -> None:
    truths, reads = row("r5", "r6", "r7")
    guess = (Candidate(parse_seen("r8"), 0.6), Candidate(parse_seen("r6"), 0.35))
    reads[1] = SeenTile(parse_seen("?"), reads[1].quad, 0.6, guess)
    raw = judged(truths, reads)
    assert (raw.total.right, raw.total.mended, raw.pictures_mended) == (2, 2, 0)
    assert raw.mending == []
    result = judged(truths, reads, rules=rule_set("etalat"))
    assert (result.total.right, result.total.mended, result.total.mended_wrong) == (2, 3, 0)
    assert (result.pictures_right, result.pictures_mended) == (0, 1)
    assert len(result.mending) == 1
    assert result.to_json()["total"]["repaired"] == 1.0
    assert "milliseconds of repair" in result.to_text()
    mended = result.judged[1].mended
    assert mended is not None
    assert str_of(mended) == "r6"


def test_confidence_is_compared_with_what_was_right() -> None:
    truths = [true("r7", 30 * place) for place in range(4)]
    unread = SeenTile(parse_seen("?"), tuple(box(90)), 0.4, (Candidate(parse_seen("r7"), 0.4),))
    reads = [seen("r7", 0, 0.8), seen("r7", 30, 0.8), seen("r8", 60, 0.8), unread, seen("k1", 300, 0.4)]
    document = judged(truths, reads).to_json()
    bins = [
        (part["from"], part["tiles"], part["confidence"], part["right"]) for part in document["reliability"]
    ]
    assert bins == [(0.4, 2, 0.4, 1), (0.8, 3, 0.8, 2)], "what is unread counts with its likeliest face"
    assert document["calibration_error"] == pytest.approx((0.2 + 0.4) / 5, abs=1e-5)


def test_the_total_is_the_sum_of_the_groups() -> None:
    result = judged([true("r7", 0), true("r8", 30)], [seen("r7", 0)], group="flat")
    judged([true("r7", 0)], [seen("k7", 0), seen("k8", 90)], group="us", into=result)
    for name, value in counts(result).items():
        assert sum(getattr(tally, name) for tally in result.groups.values()) == value
    assert result.pictures == 2


def test_nothing_asked_is_no_share() -> None:
    document = judged([], []).total.to_json()
    assert [document[key] for key in ("found", "precision", "right", "number", "colour")] == [None] * 5


def test_the_document_and_the_table_say_the_same_each_time() -> None:
    result = judged([true("r7", 0), true("r8", 30)], [seen("r7", 0), seen("r3", 30)], milliseconds=120.0)
    judged([true("b1", 0)], [seen("b7", 0)], group="us", into=result, milliseconds=80.0)
    document = result.to_json()
    assert json.loads(json.dumps(document)) == document
    assert document["data"] == "set"
    assert (document["pictures"], document["pictures_right"]) == (2, 0)
    assert list(document["groups"]) == ["flat", "us"]
    assert document["confusions"] == [
        {"truth": "b1", "read": "b7", "count": 1},
        {"truth": "r8", "read": "r3", "count": 1},
    ]
    assert document["milliseconds"] == {"median": 100.0, "p95": 118.0}
    lines = result.to_text().splitlines()
    assert lines[0] == "2 pictures, 0 entirely right, 0 after repair"
    head = lines.index("")
    names = "group tiles found precision right repaired number colour unread wrong false"
    assert lines[head + 1].split() == names.split()
    row = "all 3 100.00 % 100.00 % 33.33 % 33.33 % 33.33 % 100.00 % 0 2 0"
    assert lines[head + 2].split() == row.split()
    assert lines[head + 3].split()[0] == "flat"
    assert lines[-2] == "confusions (truth as read): b1 as b7 x1, r8 as r3 x1"
    assert lines[-1] == "milliseconds a picture: median 100, p95 118"


def test_without_times_none_are_said() -> None:
    result = judged([true("r7", 0)], [seen("r7", 0)])
    assert result.to_json()["milliseconds"] is None
    assert "milliseconds" not in result.to_text()


def test_faces_in_notation() -> None:
    assert [str_of(seen(face, 0)) for face in ("r7", "*", "?", "#")] == ["r7", "*", "?", "#"]


class Scripted:
    """Reads every picture as a red 7 at its left edge."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, ...]] = []

    def read(self, image: NDArray[np.uint8]) -> PictureReading:
        self.sizes.append(image.shape)
        return PictureReading(image.shape[1], image.shape[0], (seen("r7", 0),), {"total": 5.0})


def labelled_set(folder: Path) -> Path:
    Image.new("RGB", (80, 60)).save(folder / "a.png")
    tile = {"face": "r7", "quad": box(0), "visible": 1.0}
    entry = {"image": "a.png", "style": "flat", "layout": "melds", "tiles": [tile]}
    folder.joinpath("labels.jsonl").write_text(json.dumps(entry) + "\n")
    return folder


def test_a_whole_set_is_read_and_compared(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    reader = Scripted()
    result = evaluate(labelled_set(tmp_path), reader, progress=lambda done, whole: told.append((done, whole)))
    assert reader.sizes == [(60, 80, 3)]
    assert told == [(1, 1)]
    assert result.pictures_right == 1
    assert result.milliseconds == [5.0]


def test_a_broken_picture_is_named(tmp_path: Path) -> None:
    labelled_set(tmp_path)
    (tmp_path / "a.png").write_bytes(b"no picture")
    with pytest.raises(LabelError, match=r"a\.png"):
        evaluate(tmp_path, Scripted())
