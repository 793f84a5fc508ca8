"""A run made out of exported models answers as they do, learns on, and exports to the same answers again."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

from vision.onnx_nets import CARD, default_models

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch")


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory, fonts: None) -> Path:
    """Eight pictures, named so often that they count as a set that can be trained on."""
    from vision.synth.dataset import LABELS, write_dataset
    from vision.training.run import FEWEST_SCENES

    out = tmp_path_factory.mktemp("scenes")
    write_dataset(out, scenes=8, seed=3, size=(256, 256), tile_px=(30, 60), workers=1)
    lines = (out / LABELS).read_text(encoding="utf-8")
    (out / LABELS).write_text(lines * (FEWEST_SCENES // 8 + 1), encoding="utf-8")
    return out


@pytest.fixture(scope="module")
def run(torch: Any, scenes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("ultralytics")
    from vision.training import restore

    out = tmp_path_factory.mktemp("restored") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(restore, "BATCHES", 3)
        restore.restore(default_models(), out, scenes)
    return out


def answers(file: Path, given: np.ndarray[Any, Any]) -> Sequence[np.ndarray[Any, Any]]:
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return [np.asarray(value) for value in session.run(None, {name: given})]


def samples(torch: Any, scenes: Path, part: str) -> Any:
    from vision.training.loop import pictures
    from vision.training.samples import Scenes, corner_batches, face_batches

    held = Scenes(scenes, validation=True)
    if part == "corners":
        return pictures(next(corner_batches(held, 64, 5)).squares)
    return pictures(next(face_batches(held, 64, 5)).faces)


@pytest.mark.parametrize("part", ["corners", "faces"])
def test_a_restored_net_answers_as_the_exported_one(torch: Any, run: Path, scenes: Path, part: str) -> None:
    from vision.training.nets import CornerNet, FaceNet

    net = CornerNet() if part == "corners" else FaceNet()
    net.load_state_dict(torch.load(run / f"{part}.pt", weights_only=True))
    given = samples(torch, scenes, part)
    exported = answers(default_models() / f"{part}.onnx", given.numpy())
    with torch.no_grad():
        own = net.eval()(given)
        learning = net.train()(given)
    count = 2 if part == "corners" else 3
    for mine, theirs in zip(own[:count], exported[:count], strict=True):
        assert mine.numpy() == pytest.approx(theirs, abs=2e-3)
    # Nor does it begin with nonsense when it learns, where each batch is normalised by its own spread.
    main = 1 if part == "corners" else 0
    near = np.corrcoef(learning[main].numpy().ravel(), exported[main].ravel())[0, 1]
    assert near > 0.9


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:Converting a tensor:UserWarning")
def test_a_restored_run_exports_to_the_same_answers(
    torch: Any, run: Path, scenes: Path, tmp_path: Path
) -> None:
    pytest.importorskip("onnxslim")
    from vision.training.export import export

    export(run, tmp_path / "models")
    faces = samples(torch, scenes, "faces").numpy()
    rng = np.random.default_rng(1)
    given = {
        "corners": samples(torch, scenes, "corners").numpy(),
        "faces": faces,
        "inks": rng.normal(size=(1, 9, 30)).astype(np.float32),
        "finder": rng.uniform(size=(1, 3, 448, 448)).astype(np.float32),
    }
    for part, values in given.items():
        before = answers(default_models() / f"{part}.onnx", values)
        after = answers(tmp_path / "models" / f"{part}.onnx", values)
        for mine, theirs in zip(after, before, strict=True):
            assert mine == pytest.approx(theirs, abs=5e-3, rel=1e-3), part


def test_how_the_weights_were_trained_comes_along(run: Path) -> None:
    from vision.training.run import NOTES

    card = tomllib.loads((default_models() / CARD).read_text(encoding="utf-8"))
    assert json.loads((run / NOTES).read_text(encoding="utf-8")) == card["training"]


def test_what_is_no_folder_of_models_is_said(torch: Any, scenes: Path, tmp_path: Path) -> None:
    from vision.training.restore import restore
    from vision.training.run import TrainingError

    (tmp_path / "corners.onnx").touch()
    with pytest.raises(TrainingError, match=r"lacks finder\.onnx, faces\.onnx, inks\.onnx, model\.toml"):
        restore(tmp_path, tmp_path / "run", scenes)
    assert not (tmp_path / "run").exists()


def test_other_layers_are_refused(torch: Any, scenes: Path, tmp_path: Path) -> None:
    from vision.training.restore import restore
    from vision.training.run import TrainingError

    models = tmp_path / "models"
    shutil.copytree(default_models(), models)
    shutil.copy(models / "faces.onnx", models / "corners.onnx")
    with pytest.raises(TrainingError, match=r"other layers|has a layer of"):
        restore(models, tmp_path / "run", scenes)
