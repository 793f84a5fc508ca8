"""The model's life on the command line: what each verb hands on, what it prints, how it fails."""

from __future__ import annotations

import importlib.util
import json
import sys
import tomllib
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion import readers
from companion.cli import main
from companion.commands import model
from engine.notation import parse_seen
from engine.readings import PictureReading, SeenTile
from engine.rules import RuleSet
from vision.evaluate import Evaluation
from vision.onnx_nets import load_card
from vision.pictures import Pixels, load_picture
from vision.synth.fonts import FontsMissingError, installed, symbol_font
from vision.training import run as training

Export = tuple[Path, Path, tuple[Path, ...], tuple[Path, ...]]
QUAD = ((10.0, 10.0), (40.0, 10.0), (40.0, 52.0), (10.0, 52.0))
CARD = """
name = "remi-tiles"
[thresholds]
find = 0.3
tile = 0.5
read = 0.6
[nets]
finder.file = "finder.onnx"
corners.file = "corners.onnx"
faces.file = "faces.onnx"
inks.file = "inks.onnx"
"""


def remi(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


class OneTileReader:
    """Sees one red 5 in every picture."""

    def read(self, image: Pixels) -> PictureReading:
        tile = SeenTile(parse_seen("r5"), QUAD, 0.98)
        return PictureReading(image.shape[1], image.shape[0], (tile,), {"total": 8.0})


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> list[Path | None]:
    """Puts `OneTileReader` in the place of the real one; the model folders that were asked for."""
    asked: list[Path | None] = []

    def load(models: Path | None = None, *, backend: str) -> OneTileReader:
        assert backend == "onnxruntime"
        asked.append(models)
        return OneTileReader()

    monkeypatch.setattr(readers, "load_reader", load)
    return asked


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    """Two labelled pictures: a red 5, and a red 6 in the same place, which is read wrong."""
    folder = tmp_path / "scenes"
    (folder / "images").mkdir(parents=True)
    lines = []
    for index, face in enumerate(("r5", "r6")):
        name = f"images/{index}.png"
        assert cv2.imwrite(str(folder / name), np.full((64, 64, 3), 90, np.uint8))
        tile = {"face": face, "quad": QUAD, "visible": 1.0, "slant": 0.0}
        lines.append(json.dumps({"image": name, "style": "flat", "layout": "scatter", "tiles": [tile]}))
    (folder / "labels.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def have(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes modules look installed (or not, with `there=False`) to the command."""
    real = importlib.util.find_spec

    def say(*names: str, there: bool = True) -> None:
        def find(name: str, package: str | None = None) -> ModuleSpec | None:
            if name in names:
                return ModuleSpec(name, None) if there else None
            return real(name, package)

        monkeypatch.setattr(importlib.util, "find_spec", find)

    return say


# ---- evaluate


def test_evaluate_prints_a_table_or_one_document(reader: list[Path | None], scenes: Path) -> None:
    text = remi("evaluate", scenes)
    assert text.exit_code == 0
    assert text.stdout.startswith("2 pictures, 1 entirely right, 1 after repair")
    assert "r6 as r5 x1" in text.stdout
    printed = remi("evaluate", scenes, "--json")
    document = json.loads(printed.stdout)
    assert printed.exit_code == 0
    assert (document["pictures"], document["pictures_right"]) == (2, 1)
    assert (document["total"]["found"], document["total"]["right"]) == (1.0, 0.5)
    assert document["confusions"] == [{"truth": "r6", "read": "r5", "count": 1}]
    assert reader == [None, None]


def test_evaluate_measures_the_models_that_are_named(reader: list[Path | None], scenes: Path) -> None:
    assert remi("evaluate", scenes, "--models", scenes.parent).exit_code == 0
    assert reader == [scenes.parent]


def test_evaluate_with_models_that_are_not_there_exits_with_1(scenes: Path, tmp_path: Path) -> None:
    result = remi("evaluate", scenes, "--models", tmp_path)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "model.toml" in result.stderr


def test_evaluate_of_a_folder_without_labels_says_what_was_looked_for(
    reader: list[Path | None], tmp_path: Path
) -> None:
    result = remi("evaluate", tmp_path)
    assert result.exit_code == 1
    for name in ("labels.jsonl", "labels_poly", "labels/*.json"):
        assert name in result.stderr


def test_evaluate_names_the_picture_that_cannot_be_read(reader: list[Path | None], scenes: Path) -> None:
    (scenes / "images" / "1.png").write_text("no picture")
    result = remi("evaluate", scenes)
    assert result.exit_code == 1
    assert "1.png" in result.stderr
    assert "not a picture" in result.stderr


def test_evaluate_reads_the_list_that_is_named(
    reader: list[Path | None], scenes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists: list[str] = []

    def evaluate(data: Path, _reader: object, *, only: str, rules: object, progress: object) -> Evaluation:
        lists.append(only)
        return Evaluation(data)

    monkeypatch.setattr("vision.evaluate.evaluate", evaluate)
    (scenes / "train.txt").write_text("0.png\n")
    assert remi("evaluate", scenes).exit_code == 0
    assert remi("evaluate", scenes, "--list", "train").exit_code == 0
    assert lists == ["eval", "train"]
    missing = remi("evaluate", scenes, "--list", "trian")
    assert missing.exit_code == 1
    assert "no list trian.txt" in missing.stderr
    assert lists == ["eval", "train"]


def test_evaluate_writes_a_report(reader: list[Path | None], scenes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    result = remi("evaluate", scenes, "--report", folder)
    assert result.exit_code == 0
    assert str(folder) in result.stderr
    assert "r6" in (folder / "index.html").read_text(encoding="utf-8")


def test_evaluate_draws_the_worst_if_asked(reader: list[Path | None], scenes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    assert remi("evaluate", scenes, "--report", folder, "--worst", 5).exit_code == 0
    assert (folder / "worst.png").is_file()
    alone = remi("evaluate", scenes, "--worst", 5)
    assert alone.exit_code == 2
    assert "--report" in alone.stderr


def test_evaluate_repairs_by_the_rules_that_are_named(
    reader: list[Path | None], scenes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def evaluate(data: Path, _reader: object, *, only: str, rules: RuleSet, progress: object) -> Evaluation:
        asked.append(rules.key)
        return Evaluation(data)

    monkeypatch.setattr("vision.evaluate.evaluate", evaluate)
    for options in ((), ("--rules", "doizece")):
        assert remi("evaluate", scenes, *options).exit_code == 0
    assert asked == ["etalat", "doizece"]
    assert remi("evaluate", scenes, "--rules", "tennis").exit_code == 2


def test_evaluate_writes_its_figures_into_the_card(
    reader: list[Path | None], scenes: Path, tmp_path: Path
) -> None:
    models = tmp_path / "models"
    models.mkdir()
    (models / "model.toml").write_text(CARD)
    for name in ("first", "second"):
        assert remi("evaluate", scenes, "--models", models, "--card", name).exit_code == 0
    card = tomllib.loads((models / "model.toml").read_text(encoding="utf-8"))
    assert set(card["measured"]) == {"first", "second"}
    figures = card["measured"]["first"]
    assert (figures["pictures"], figures["total"]["right"]) == (2, 0.5)
    assert figures["by"]["group"] == [
        "flat: 2 tiles, found 100.00 %, right 50.00 %, repaired 50.00 %, 1 wrong, 1 wrong repaired"
    ]
    assert figures["confusions"] == ["r6 as r5 x1"]
    assert load_card(models).thresholds == {"find": 0.3, "tile": 0.5, "read": 0.6}


# ---- synth


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What `remi synth` hands to the renderer."""
    calls: list[dict[str, Any]] = []

    def write_dataset(out: Path, **settings: Any) -> Path:
        settings.pop("progress")(1, 1)
        calls.append({"out": out, **settings})
        return out

    monkeypatch.setattr("vision.synth.dataset.write_dataset", write_dataset)
    return calls


def test_synth_renders_labelled_pictures_and_goes_on(tmp_path: Path) -> None:
    try:
        installed("train")
        symbol_font()
    except FontsMissingError as error:
        pytest.skip(str(error))
    out = tmp_path / "scenes"
    options = ("--seed", 3, "--size", 96, 96, "--tile", 18, 40, "--workers", 1)
    first = remi("synth", out, "--scenes", 1, *options)
    assert (first.exit_code, first.stdout) == (0, "")
    assert remi("synth", out, "--scenes", 2, *options).exit_code == 0
    entries = [json.loads(line) for line in (out / "labels.jsonl").read_text().splitlines()]
    assert [entry["image"] for entry in entries] == ["images/000000.jpg", "images/000001.jpg"]
    for entry in entries:
        assert load_picture(out / entry["image"]).shape == (96, 96, 3)
    other = remi("synth", out, "--scenes", 2, "--seed", 4, *options[2:])
    assert other.exit_code == 1
    assert "made with other seed" in other.stderr


def test_synth_hands_everything_on(written: list[dict[str, Any]], tmp_path: Path) -> None:
    out = tmp_path / "scenes"
    assert remi("synth", out).exit_code == 0
    wide = ("--size", 640, 480, "--tile", 20.5, 90, "--view", "tables", "--workers", 2)
    assert remi("synth", out, "--scenes", 7, "--seed", 5, "--looks", "heldout", *wide).exit_code == 0
    usual = {"scenes": 100, "seed": 0, "looks": "train", "size": (448, 448), "tile_px": (15.0, 130.0)}
    assert written == [
        {"out": out, **usual, "view": "crops", "workers": None},
        {
            "out": out,
            "scenes": 7,
            "seed": 5,
            "looks": "heldout",
            "size": (640, 480),
            "tile_px": (20.5, 90.0),
            "view": "tables",
            "workers": 2,
        },
    ]


@pytest.mark.parametrize(
    "options",
    [
        ("--scenes", 0),
        ("--seed", -1),
        ("--size", 0, 448),
        ("--tile", 0, 10),
        ("--tile", 90, 20),
        ("--workers", 0),
        ("--looks", "nice"),
        ("--view", "side"),
    ],
)
def test_synth_refuses_what_cannot_be_rendered(
    written: list[dict[str, Any]], tmp_path: Path, options: tuple[object, ...]
) -> None:
    result = remi("synth", tmp_path / "scenes", *options)
    assert result.exit_code == 2
    assert str(options[0]) in result.stderr
    assert written == []


def test_synth_without_fonts_says_which_packages_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("vision.synth.dataset.installed", lambda looks: installed(looks, (tmp_path,)))
    result = remi("synth", tmp_path / "scenes", "--scenes", 1, "--workers", 1)
    assert result.exit_code == 1
    assert "apt-get install" in result.stderr
    assert "fonts-lato" in result.stderr


# ---- train


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch, have: Callable[..., None]) -> list[dict[str, Any]]:
    """What `remi train` hands to the training, with torch as if it were installed."""
    calls: list[dict[str, Any]] = []

    def train(data: Path, out: Path, **settings: Any) -> None:
        settings.pop("progress")("corners 120 s")
        calls.append({"data": data, "out": out, **settings})

    have("torch")
    monkeypatch.setattr(training, "train", train)
    return calls


def test_train_hands_everything_on(trained: list[dict[str, Any]], scenes: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = remi("train", scenes, run)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "corners 120 s\n")
    parts = ("--part", "corners", "--part", "inks")
    options = (
        "--minutes",
        0.5,
        "--threads",
        1,
        "--seed",
        3,
        "--resume",
        "--start",
        scenes,
        "--blend",
        scenes,
        "--rate",
        0.001,
        "--also",
        scenes,
        "--also",
        scenes.parent,
    )
    assert remi("train", scenes, run, *parts, *options).exit_code == 0
    usual = {
        "parts": training.PARTS,
        "minutes": None,
        "threads": None,
        "seed": 0,
        "resume": False,
        "start": None,
        "also": (),
        "rate": None,
        "blend": None,
    }
    assert trained == [
        {"data": scenes, "out": run, **usual},
        {
            "data": scenes,
            "out": run,
            "parts": ("corners", "inks"),
            "minutes": {"corners": 0.5, "inks": 0.5},
            "threads": 1,
            "seed": 3,
            "resume": True,
            "start": scenes,
            "also": (scenes, scenes.parent),
            "rate": 0.001,
            "blend": scenes,
        },
    ]


def test_train_seeks_counter_examples_first(
    trained: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, scenes: Path, tmp_path: Path
) -> None:
    sought: list[tuple[Path, Path, int]] = []
    monkeypatch.setattr(training, "check_scenes", lambda _data: None)
    monkeypatch.setattr(
        "vision.training.mining.mine",
        lambda data, models, *, progress: sought.append((data, models, len(trained))),
    )
    also = ("--also", scenes.parent)
    assert remi("train", scenes, tmp_path / "run", *also, "--hard", scenes).exit_code == 0
    assert sought == [(scenes, scenes, 0), (scenes.parent, scenes, 0)], "before anything is trained"
    assert len(trained) == 1


@pytest.mark.parametrize(
    "options", [("--part", "eyes"), ("--minutes", 0), ("--threads", 0), ("--seed", -1)], ids=str
)
def test_train_refuses_wrong_options(
    trained: list[dict[str, Any]], scenes: Path, tmp_path: Path, options: tuple[object, ...]
) -> None:
    assert remi("train", scenes, tmp_path / "run", *options).exit_code == 2
    assert trained == []


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "no meta.json"),
        ({"meta.json": '{"seed": 1}'}, "no labels.jsonl"),
        ({"meta.json": '{"seed": 1}', "labels.jsonl": "{}\n" * 299}, "has 299 scenes"),
    ],
    ids=["empty", "no labels", "too small"],
)
def test_train_on_what_is_no_rendered_set_exits_with_1(
    monkeypatch: pytest.MonkeyPatch,
    have: Callable[..., None],
    tmp_path: Path,
    files: dict[str, str],
    said: str,
) -> None:
    have("torch")
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    data = tmp_path / "data"
    data.mkdir()
    for name, text in files.items():
        (data / name).write_text(text)
    result = remi("train", data, tmp_path / "run")
    assert result.exit_code == 1
    assert said in result.stderr
    assert not (tmp_path / "run").exists()


def test_the_parts_are_those_of_the_training() -> None:
    assert model.PARTS == training.PARTS == tuple(training.MINUTES)


# ---- export


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch, have: Callable[..., None]) -> list[Export]:
    """What `remi export` hands to the export, with torch as if it were installed."""
    calls: list[Export] = []
    fake = ModuleType("vision.training.export")

    def export(
        run: Path,
        models: Path,
        *,
        scenes: tuple[Path, ...],
        calibrate: tuple[Path, ...],
        progress: Callable[[int, int], None],
    ) -> Path:
        if not (run / "faces.pt").exists():
            raise training.TrainingError(f"{run} lacks faces.pt")
        progress(1, 150)
        calls.append((run, models, scenes, calibrate))
        return models / "model.toml"

    vars(fake)["export"] = export
    monkeypatch.setitem(sys.modules, "vision.training.export", fake)
    have("torch")
    return calls


def test_export_says_where_the_models_are(exported: list[Export], scenes: Path, tmp_path: Path) -> None:
    models = tmp_path / "models"
    (tmp_path / "faces.pt").touch()
    two = ("--calibrate", scenes, "--calibrate", models)
    models.mkdir()
    for options in ((), ("--scenes", scenes), ("--scenes", scenes, "--scenes", tmp_path, *two)):
        result = remi("export", tmp_path, models, *options)
        assert (result.exit_code, result.stdout) == (0, "")
        assert f"Models in {models}" in result.stderr.replace("\n", "")
    assert exported == [
        (tmp_path, models, (), ()),
        (tmp_path, models, (scenes,), ()),
        (tmp_path, models, (scenes, tmp_path), (scenes, models)),
    ]


def test_export_calibrates_on_the_training_set_too(
    exported: list[Export], scenes: Path, tmp_path: Path
) -> None:
    result = remi("export", tmp_path, tmp_path / "models", "--calibrate", scenes)
    assert result.exit_code == 2
    assert "--scenes DATA" in result.stderr
    assert exported == []


def test_export_asks_for_scenes_that_are_there(exported: list[Export], tmp_path: Path) -> None:
    result = remi("export", tmp_path, tmp_path / "models", "--scenes", tmp_path / "nowhere")
    assert result.exit_code == 2
    assert "--scenes" in result.stderr
    assert exported == []


def test_export_of_an_unfinished_run_exits_with_1(exported: list[Export], tmp_path: Path) -> None:
    result = remi("export", tmp_path, tmp_path / "models")
    assert result.exit_code == 1
    assert "lacks faces.pt" in result.stderr
    assert exported == []


def test_restore_says_how_to_go_on(
    have: Callable[..., None], monkeypatch: pytest.MonkeyPatch, scenes: Path, tmp_path: Path
) -> None:
    made: list[tuple[Path, Path, Path]] = []

    def write(models: Path, run: Path, data: Path, *, progress: Callable[[str], None]) -> Path:
        if not (models / "faces.onnx").exists():
            raise training.TrainingError(f"{models} lacks faces.onnx")
        progress("faces: restored")
        made.append((models, run, data))
        return run

    fake = ModuleType("vision.training.restore")
    vars(fake)["restore"] = write
    monkeypatch.setitem(sys.modules, "vision.training.restore", fake)
    have("torch")
    result = remi("restore", tmp_path, tmp_path / "run", "--scenes", scenes)
    assert result.exit_code == 1
    assert "lacks faces.onnx" in result.stderr
    (tmp_path / "faces.onnx").touch()
    result = remi("restore", tmp_path, tmp_path / "run", "--scenes", scenes)
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"--start {tmp_path / 'run'}" in result.stderr.replace("\n", "")
    assert made == [(tmp_path, tmp_path / "run", scenes)]


def test_without_pyav_nothing_is_rendered(have: Callable[..., None], tmp_path: Path) -> None:
    have("av", there=False)
    result = remi("synth", tmp_path / "scenes", "--scenes", 1)
    assert result.exit_code == 2
    assert "remi-companion[train]" in result.stderr
    assert not (tmp_path / "scenes").exists()


@pytest.mark.parametrize("verb", ["train", "export", "restore"])
def test_without_torch_it_says_what_to_install(have: Callable[..., None], tmp_path: Path, verb: str) -> None:
    have("torch", there=False)
    options = ("--scenes", tmp_path) if verb == "restore" else ()
    result = remi(verb, tmp_path, tmp_path / "out", *options)
    assert result.exit_code == 2
    assert "remi-companion[train]" in result.stderr
