"""The order of a training run: what each part is given, what is written down, what is not done twice."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import tomli_w

from vision.chance import Chance
from vision.onnx_nets import NETS as NET_NAMES
from vision.onnx_nets import load_card
from vision.synth.fonts import FAMILIES
from vision.training import run
from vision.training.card import DEFAULT_THRESHOLDS, NETS, add_measured, write_card

Call = tuple[str, dict[str, Any]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """What of a rendered set the run looks at: how many scenes, and their seed."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "meta.json").write_text('{"seed": 11}')
    (folder / "labels.jsonl").write_text("{}\n" * run.FEWEST_SCENES)
    return folder


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """Puts functions that only write down their calls in the place of the four trainings."""
    made: list[Call] = []

    def trainer(part: str) -> Callable[..., Path]:
        def train(data: Path, *places: Path, **settings: Any) -> Path:
            assert callable(settings.pop("progress"))
            made.append((part, settings))
            (places[-1] / f"{part}.pt").write_text(part)
            return places[-1] / f"{part}.pt"

        return train

    torch = ModuleType("torch")
    vars(torch).update(set_num_threads=lambda _count: None, get_num_threads=lambda: 2)
    finder, parts, inks = (ModuleType(f"vision.training.{name}") for name in ("finder", "parts", "inks"))
    vars(finder)["train_finder"] = trainer("finder")
    vars(parts).update(train_corners=trainer("corners"), train_faces=trainer("faces"))
    vars(inks)["train_inks"] = trainer("inks")
    for module in (torch, finder, parts, inks):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(run, "version", lambda name: f"{name}-1")
    return made


def notes(out: Path) -> dict[str, Any]:
    written = json.loads((out / run.NOTES).read_text(encoding="utf-8"))
    assert isinstance(written, dict)
    return written


def test_parts_are_trained_in_order_each_for_its_minutes(
    data: Path, tmp_path: Path, calls: list[Call]
) -> None:
    out = tmp_path / "out"
    run.train(data, out, seed=3, threads=1)
    usual = {"resume": False, "seed": 3, "start": None, "also": ()}
    assert calls == [
        ("finder", {"minutes": run.MINUTES["finder"], "threads": 1, **usual}),
        *((part, {"minutes": run.MINUTES[part], **usual}) for part in ("corners", "faces", "inks")),
    ]
    entry = {"minutes": run.MINUTES["faces"], "seed": 3, "scenes": run.FEWEST_SCENES, "scenes_seed": 11}
    assert notes(out)["faces"] == {"rounds": [entry]}
    assert notes(out)["versions"]["torch"] == "torch-1"


def test_further_sets_are_trained_on_and_noted(data: Path, tmp_path: Path, calls: list[Call]) -> None:
    further = tmp_path / "hard"
    further.mkdir()
    (further / "meta.json").write_text('{"seed": 31, "view": "hard"}')
    (further / "labels.jsonl").write_text("{}\n" * (run.FEWEST_SCENES + 1))
    run.train(data, tmp_path / "out", parts=("corners",), also=(further,), rate=0.001)
    assert calls[-1][1]["also"] == (further,)
    assert calls[-1][1]["lr"] == 0.001
    (entry,) = notes(tmp_path / "out")["corners"]["rounds"]
    assert (entry["scenes_seed"], entry["rate"]) == (11, 0.001)
    assert entry["also"] == [{"scenes": run.FEWEST_SCENES + 1, "scenes_seed": 31, "view": "hard"}]
    calls.clear()
    with pytest.raises(run.TrainingError, match="is no rendered set"):
        run.train(data, tmp_path / "other", also=(tmp_path / "none",))
    assert calls == []


def test_a_part_that_has_had_its_minutes_is_not_begun_again(
    data: Path, tmp_path: Path, calls: list[Call]
) -> None:
    out = tmp_path / "out"
    run.train(data, out, minutes={"finder": 50}, parts=("finder", "corners"))
    calls.clear()
    said: list[str] = []
    run.train(data, out, resume=True, parts=("finder", "corners", "faces"), progress=said.append)
    # The finder counts from now on, the others know from their checkpoint what they have had.
    assert [(part, settings["minutes"]) for part, settings in calls] == [
        ("finder", run.MINUTES["finder"] - 50),
        ("faces", run.MINUTES["faces"]),
    ]
    assert said == [f"corners: has had its {run.MINUTES['corners']:g} minutes"]
    assert [entry["minutes"] for entry in notes(out)["finder"]["rounds"]] == [50, run.MINUTES["finder"] - 50]


def test_begun_anew_the_notes_forget_the_rounds_before(data: Path, tmp_path: Path, calls: list[Call]) -> None:
    for seed in (1, 2):
        run.train(data, tmp_path / "out", parts=("corners",), seed=seed)
    assert [entry["seed"] for entry in notes(tmp_path / "out")["corners"]["rounds"]] == [2]


def test_a_run_may_start_from_the_weights_of_an_earlier_one(
    data: Path, tmp_path: Path, calls: list[Call]
) -> None:
    early, late = tmp_path / "early", tmp_path / "late"
    run.train(data, early, parts=("corners",), seed=1)
    run.train(data, late, parts=("corners",), seed=2, start=early)
    assert calls[-1][1]["start"] == early / "corners.pt"
    written = notes(late)["corners"]
    assert [entry["seed"] for entry in written["rounds"]] == [2]
    assert [entry["seed"] for entry in written["earlier"]] == [1], "what the weights have seen before"
    run.train(data, late, parts=("corners",), minutes={"corners": 60}, resume=True)
    assert [entry["seed"] for entry in notes(late)["corners"]["earlier"]] == [1], "and still after a resume"


def test_a_blend_needs_an_earlier_run(data: Path, tmp_path: Path, calls: list[Call]) -> None:
    with pytest.raises(run.TrainingError, match="name it as the start"):
        run.train(data, tmp_path / "late", parts=("faces",), blend=data)
    assert calls == []


def test_faces_are_blended_once_they_are_trained(
    data: Path, tmp_path: Path, calls: list[Call], monkeypatch: pytest.MonkeyPatch
) -> None:
    early, late = tmp_path / "early", tmp_path / "late"
    run.train(data, early)
    calls.clear()
    blend = ModuleType("vision.training.blend")
    vars(blend).update(
        SHARE=0.5, blend_faces=lambda *places, progress: calls.append(("blend", {"places": places}))
    )
    monkeypatch.setitem(sys.modules, blend.__name__, blend)
    run.train(data, late, start=early, blend=data)
    assert [part for part, _ in calls] == ["finder", "corners", "faces", "blend", "inks"]
    assert calls[3][1]["places"] == (early, late, [data, data])
    assert notes(late)["faces"]["blend"] == {"share_of_earlier": 0.5}


def test_weights_to_start_from_must_be_there(data: Path, tmp_path: Path, calls: list[Call]) -> None:
    with pytest.raises(run.TrainingError, match=r"faces\.pt is not there to start from"):
        run.train(data, tmp_path / "late", parts=("faces",), start=tmp_path)
    assert calls == []


def test_a_part_that_is_not_there_is_named(data: Path, tmp_path: Path, calls: list[Call]) -> None:
    with pytest.raises(run.TrainingError, match="no part eyes to train; the parts are finder, corners"):
        run.train(data, tmp_path / "out", parts=("corners", "eyes"))
    assert calls == []


# ---- the card


@pytest.fixture
def trained(data: Path, tmp_path: Path, calls: list[Call]) -> Path:
    out = tmp_path / "out"
    run.train(data, out)
    return out


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    for name in NETS:
        (folder / f"{name}.onnx").write_bytes(name.encode())
    return folder


def card_of(models: Path) -> dict[str, Any]:
    return tomllib.loads((models / "model.toml").read_text(encoding="utf-8"))


def test_the_card_says_what_the_reader_and_a_person_ask_for(trained: Path, models: Path) -> None:
    assert write_card(trained, models) == models / "model.toml"
    card = card_of(models)
    assert tuple(card["nets"]) == NET_NAMES
    assert card["nets"]["inks"]["bytes"] == len(b"inks")
    assert load_card(models).thresholds == dict(DEFAULT_THRESHOLDS)
    assert load_card(models).chance == asdict(Chance())
    assert card["training"] == notes(trained)
    assert {font["package"] for font in card["fonts"]} == {family.package for family in FAMILIES}
    assert all(font["licence"] for font in card["fonts"])


def test_a_new_card_keeps_thresholds_and_weights_and_drops_the_figures(trained: Path, models: Path) -> None:
    write_card(trained, models)
    text = (models / "model.toml").read_text(encoding="utf-8")
    (models / "model.toml").write_text(
        text.replace("find = 0.04", "find = 0.33").replace("fit = 2.7", "fit = 2.9"), encoding="utf-8"
    )
    tally = {"tiles": 4, "found": 1.0, "right": 0.75, "repaired": None, "unread": 0, "wrong": 1}
    document = {
        "pictures": 2,
        "pictures_right": 1,
        "pictures_right_repaired": 2,
        "wrong_accepted_interval": [0.01, 0.4],
        "calibration_error": 0.02,
        "total": tally,
        "summary": {"face down": tally},
        "groups": {"flat": tally},
        "by": {
            "zone": {"meld": tally, "(none)": {"tiles": 0, "found": None, "right": None, "repaired": None}}
        },
        "confusions": [{"truth": "r6", "read": "r5", "count": 3}],
    }
    line = "4 tiles, found 100.00 %, right 75.00 %, 1 wrong"
    add_measured(models, "real", document)
    assert card_of(models)["measured"]["real"] == {
        "pictures": 2,
        "pictures_right": 1,
        "pictures_right_repaired": 2,
        "wrong_accepted_interval": [0.01, 0.4],
        "calibration_error": 0.02,
        "total": {"tiles": 4, "found": 1.0, "right": 0.75, "unread": 0, "wrong": 1},
        "summary": [f"face down: {line}"],
        "by": {"group": [f"flat: {line}"], "zone": [f"meld: {line}", "(none): 0 tiles"]},
        "confusions": ["r6 as r5 x3"],
    }
    card = card_of(models) | {"confidence": {"bias": 0.5}, "calibration": {"scenes": 3}}
    (models / "model.toml").write_text(tomli_w.dumps(card), encoding="utf-8")
    write_card(trained, models)
    assert card_of(models)["measured"] == {}
    assert "calibration" not in card_of(models), "that was of other weights"
    assert load_card(models).confidence == {"bias": 0.5}
    assert load_card(models).thresholds["find"] == 0.33
    assert load_card(models).chance["fit"] == 2.9
