"""Models that are missing, broken or mixed up are refused with the file and what to do."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from vision.chance import Chance
from vision.confidence import Confidence
from vision.onnx_nets import NETS, Card, ModelError, Nets, default_models, load_card
from vision.reader import Reader

CARD = """
[thresholds]
find = 0.2
tile = 0.5
read = 0.5

[nets.finder]
file = "finder.onnx"

[nets.corners]
file = "corners.onnx"
sha256 = "0123"

[nets.faces]
file = "faces.onnx"

[nets.inks]
file = "inks.onnx"
"""


def folder_with(path: Path, card: str | bytes) -> Path:
    path.joinpath("model.toml").write_bytes(card if isinstance(card, bytes) else card.encode())
    return path


def refused(error: pytest.ExceptionInfo[ModelError], *words: str) -> None:
    for word in (*words, "Install anew", "`remi export`"):
        assert word in str(error.value)


def test_a_card_names_files_and_thresholds(tmp_path: Path) -> None:
    assert load_card(folder_with(tmp_path, CARD)) == Card(
        files={name: f"{name}.onnx" for name in NETS},
        thresholds={"find": 0.2, "tile": 0.5, "read": 0.5},
        digests={"corners": "0123"},
    )


def test_a_card_may_weigh_what_makes_a_tile(tmp_path: Path) -> None:
    card = load_card(folder_with(tmp_path, CARD + "[chance]\nbias = -5\nfit = 2.5\n"))
    assert card.chance == {"bias": -5.0, "fit": 2.5}
    assert load_card(folder_with(tmp_path, CARD)).chance == {}, "cards of earlier weights have none"


def test_a_card_may_weigh_how_surely_a_face_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.reader.Nets", lambda *_: None)
    card = load_card(folder_with(tmp_path, CARD + "[confidence]\nbias = -1\nfit = 2.5\n"))
    assert card.confidence == {"bias": -1.0, "fit": 2.5}
    assert Reader.load(tmp_path).confidence == Confidence(bias=-1, fit=2.5)
    assert Reader.load(folder_with(tmp_path, CARD)).confidence is None, "cards of earlier weights have none"


def test_the_reader_takes_thresholds_and_weights_from_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.reader.Nets", lambda *_: None)
    text = CARD.replace("read = 0.5", "read = 0.7")
    reader = Reader.load(folder_with(tmp_path, text + "[chance]\nbias = -5\nfit = 2.5\n"))
    assert reader.chance == Chance(bias=-5, fit=2.5)
    assert (reader.thresholds.find, reader.thresholds.tile, reader.thresholds.read) == (0.2, 0.5, 0.7)
    assert Reader.load(folder_with(tmp_path, text)).chance == Chance()


@pytest.mark.parametrize("table", ["thresholds", "chance", "confidence"])
def test_a_threshold_or_weight_that_the_reader_does_not_know(tmp_path: Path, table: str) -> None:
    text = CARD + "[chance]\nbias = -5\n[confidence]\nbias = -1\n"
    folder_with(tmp_path, text.replace(f"[{table}]", f"[{table}]\nluck = 0.3"))
    with pytest.raises(ModelError, match=r"unknown threshold or weight.*luck") as error:
        Reader.load(tmp_path)
    assert str(tmp_path / "model.toml") in str(error.value)


def test_a_missing_card(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as error:
        load_card(tmp_path)
    refused(error, str(tmp_path / "model.toml"), "is missing")


def test_a_card_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "model.toml").mkdir()
    with pytest.raises(ModelError) as error:
        load_card(tmp_path)
    refused(error, str(tmp_path / "model.toml"), "cannot be read")


@pytest.mark.parametrize(
    ("card", "word"),
    [
        ("[nets", "not valid TOML"),
        (b"\xff\xfe\x00", "not valid TOML"),
        ("", "nets"),
        (CARD.replace("[thresholds]", "[limits]"), "thresholds"),
        (CARD.replace("find = 0.2", 'find = "often"'), "often"),
        (CARD.replace('file = "faces.onnx"', 'path = "faces.onnx"'), "file"),
        (CARD.replace("[nets.inks]", "[nets.paints]"), "[nets.inks]"),
        (CARD + '[chance]\nfit = "good"\n', "good"),
        ("chance = 3\n" + CARD, "lacks or misspells"),
        ("nets = 3\n[thresholds]\n", "lacks or misspells"),
        ('thresholds = "low"\nnets = {}', "lacks or misspells"),
    ],
)
def test_a_broken_card(tmp_path: Path, card: str | bytes, word: str) -> None:
    with pytest.raises(ModelError) as error:
        load_card(folder_with(tmp_path, card))
    refused(error, str(tmp_path / "model.toml"), word)


def test_missing_weights(tmp_path: Path) -> None:
    card = load_card(folder_with(tmp_path, CARD))
    with pytest.raises(ModelError) as error:
        Nets(tmp_path, card)
    refused(error, str(tmp_path / "finder.onnx"), "cannot be read")


@pytest.mark.parametrize(("data", "word"), [(b"", "is empty"), (b"no net at all", "cannot be loaded")])
def test_broken_weights(tmp_path: Path, data: bytes, word: str) -> None:
    card = load_card(folder_with(tmp_path, CARD))
    (tmp_path / "finder.onnx").write_bytes(data)
    with pytest.raises(ModelError) as error:
        Nets(tmp_path, card)
    refused(error, str(tmp_path / "finder.onnx"), word)


def test_weights_that_the_card_does_not_mean(tmp_path: Path) -> None:
    data = b"weights of another training"
    text = CARD.replace('file = "finder.onnx"', 'file = "finder.onnx"\nsha256 = "0123"')
    (tmp_path / "finder.onnx").write_bytes(data)
    with pytest.raises(ModelError) as error:
        Nets(tmp_path, load_card(folder_with(tmp_path, text)))
    refused(error, str(tmp_path / "finder.onnx"), "SHA-256")
    # With the right digest the file is looked into, and found to be no net.
    text = text.replace('"0123"', f'"{hashlib.sha256(data).hexdigest().upper()}"', 1)
    with pytest.raises(ModelError, match="cannot be loaded"):
        Nets(tmp_path, load_card(folder_with(tmp_path, text)))


def test_the_models_lie_beside_the_packages() -> None:
    assert default_models().name == "models"
    assert (default_models().parent / "vision" / "onnx_nets.py").is_file()
