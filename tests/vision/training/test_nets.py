"""The nets that are trained: shapes, losses, and the same answers after export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch")


def test_shapes_and_sizes(torch: Any) -> None:
    from vision.training.nets import CornerNet, FaceNet, InkNet, parameters

    corners, faces, inks = CornerNet().eval(), FaceNet().eval(), InkNet().eval()
    heat, flags = corners(torch.zeros(3, 3, 64, 64))
    assert (tuple(heat.shape), tuple(flags.shape)) == ((3, 4, 32, 32), (3, 2))
    answers = faces(torch.zeros(3, 3, 64, 48))
    assert [tuple(answer.shape) for answer in answers] == [(3, 16), (3, 4), (3, 1), (3, 8)]
    assert tuple(inks(torch.zeros(1, 7, InkNet.FEATURES)).shape) == (1, 7, 4)
    assert all(parameters(net) < 1_500_000 for net in (corners, faces, inks)), "a few megabytes in all"


def heat_at(torch: Any, corners: np.ndarray[Any, np.dtype[np.float32]]) -> Any:
    """Heat (b, 4, 32, 32) that is as sure as can be of corners (b, 4, 2)."""
    from vision.training.nets import spatial_target

    target, _ = spatial_target(torch.from_numpy(corners))
    return torch.log(target + 1e-9).reshape(len(corners), 4, 32, 32)


QUAD = np.asarray([[(20, 16), (44, 18), (42, 50), (18, 48)]], np.float32)


def test_heat_targets_peak_at_their_corners(torch: Any) -> None:
    from vision.quads import decode
    from vision.training.nets import spatial_target

    target, inside = spatial_target(torch.from_numpy(QUAD))
    assert target.sum(dim=2).numpy() == pytest.approx(np.ones((1, 4)), abs=1e-5)
    assert inside.all()
    found, _ = decode(heat_at(torch, QUAD).numpy())
    assert np.abs(found - QUAD).max() < 0.25, "what is trained is what is decoded"
    beyond = QUAD + np.asarray([-30, 0], np.float32)
    assert spatial_target(torch.from_numpy(beyond))[1].tolist() == [[False, True, True, False]]


def corner_loss_of(torch: Any, heat: Any, *, down: float, centred: float = 1.0) -> float:
    from vision.training.nets import corner_loss

    flags = torch.tensor([[8.0 if centred else -8.0, 8.0 if down > 0 else -8.0]])
    targets = (torch.from_numpy(QUAD), torch.tensor([float(centred)]), torch.tensor([float(down)]))
    return float(corner_loss(heat, flags, *targets))


def test_a_back_may_be_read_either_way_round_and_a_face_may_not(torch: Any) -> None:
    right, turned = heat_at(torch, QUAD), heat_at(torch, np.roll(QUAD, 2, axis=1))
    quarter = heat_at(torch, np.roll(QUAD, 1, axis=1))
    assert corner_loss_of(torch, right, down=0) < 5
    assert corner_loss_of(torch, turned, down=0) > 10
    assert corner_loss_of(torch, turned, down=1) == pytest.approx(
        corner_loss_of(torch, right, down=1), abs=1e-4
    )
    assert corner_loss_of(torch, quarter, down=1) > 10


def test_where_no_tile_is_corners_do_not_matter(torch: Any) -> None:
    losses = {
        corner_loss_of(torch, heat, down=-1, centred=0)
        for heat in (heat_at(torch, QUAD), torch.zeros(1, 4, 32, 32))
    }
    assert len(losses) == 1


def test_answers_without_meaning_do_not_count_in_the_face_loss(torch: Any) -> None:
    from vision.training.nets import face_loss

    number, turned = torch.zeros(2, 16), torch.zeros(2, 1)
    numbers = torch.tensor([15, 14])
    nothing = torch.tensor([-1, -1])
    for colour in (torch.zeros(2, 4), torch.full((2, 4), 5.0), torch.eye(4)[:2] * 9):
        loss = float(face_loss(number, colour, turned, numbers, nothing, nothing))
        assert loss == pytest.approx(float(np.log(16)), abs=1e-5)
    known = torch.tensor([0, 1])
    assert float(face_loss(number, torch.zeros(2, 4), turned, numbers, known, known)) == pytest.approx(
        float(np.log(16) + np.log(4) + np.log(2)), abs=1e-5
    )


def test_absent_tiles_do_not_change_the_judgement_of_inks(torch: Any) -> None:
    from vision.training.nets import InkNet

    torch.manual_seed(3)
    net = InkNet().eval()
    rows = torch.randn(1, 5, InkNet.FEATURES)
    padded = torch.cat([rows, torch.full((1, 3, InkNet.FEATURES), 99.0)], dim=1)
    absent = torch.tensor([[False] * 5 + [True] * 3])
    assert torch.allclose(net(rows), net(padded, absent)[:, :5], atol=1e-5)
    order = [3, 1, 4, 0, 2]
    assert torch.allclose(net(rows)[:, order], net(rows[:, order]), atol=1e-5), "inks are judged as a set"


@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::UserWarning", "ignore:Converting a tensor:Warning"
)
@pytest.mark.parametrize("name", ["corners", "faces", "inks"])
def test_exported_nets_answer_as_before(torch: Any, tmp_path: Path, name: str) -> None:
    ort = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    from vision.training.export import FACE_OUTPUTS, _export, _export_inks, _Faces
    from vision.training.nets import CornerNet, FaceNet, InkEyes, InkNet

    torch.manual_seed(5)
    kinds: dict[str, Any] = {"corners": CornerNet, "faces": FaceNet, "inks": InkNet}
    net, eyes = kinds[name](), InkEyes().eval()
    for module in net.modules():  # running means as after training, not those of a fresh net
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.2)
            module.running_var.uniform_(0.5, 1.5)
    weights, target = tmp_path / f"{name}.pt", tmp_path / f"{name}.onnx"
    torch.save(net.state_dict(), weights)
    shapes = {"corners": (5, 3, 64, 64), "faces": (5, 3, 64, 48), "inks": (1, 9, InkNet.FEATURES)}
    if name == "corners":
        _export(CornerNet(), weights, target, torch.zeros(2, 3, 64, 64), ["heat", "flags"], "batch")
    elif name == "faces":
        example = torch.zeros(2, 3, 64, 48)
        _export(
            FaceNet(), weights, target, example, FACE_OUTPUTS, "batch", wrap=lambda faces: _Faces(faces, eyes)
        )
    else:
        written = InkNet()
        written.load_state_dict(net.state_dict())
        _export_inks(written, target)
    value = torch.rand(shapes[name])
    with torch.no_grad():
        expected = net.eval()(value)
        expected = expected if isinstance(expected, tuple) else (expected,)
        if name == "faces":  # told besides: what the numbers are read from
            hidden = net.hidden(net.body(net.stem((value - 0.5) * 4)).flatten(1)).relu()
            assert torch.allclose(net.number(hidden), expected[0], atol=1e-5)
            expected = (*expected[:3], eyes(value), hidden)
    session = ort.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    found = session.run(None, {"input": value.numpy()})
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.shape == tuple(other.shape)
        assert np.abs(one - other.numpy()).max() < 1e-4 * max(1.0, float(other.abs().max()))


@pytest.mark.parametrize("fitted", [False, True])
def test_the_reader_is_calibrated_once_the_nets_are_exported(
    torch: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fitted: bool
) -> None:
    from vision.training import calibrate, export
    from vision.training.nets import Inks
    from vision.training.run import FEWEST_SCENES, NOTES, PARTS, TrainingError

    run, models, scenes, extra = (tmp_path / name for name in ("run", "models", "scenes", "extra"))
    run.mkdir()
    for name in (*(f"{part}.pt" for part in PARTS), NOTES):
        (run / name).touch()
    torch.save(Inks().state_dict(), run / "inks.pt")
    done: list[str] = []
    for name in ("_export", "_export_inks", "_export_finder"):
        monkeypatch.setattr(export, name, lambda *_, name=name, **_options: done.append(name))
    monkeypatch.setattr(export, "write_card", lambda _run, folder: folder / "model.toml")
    monkeypatch.setattr(calibrate, "calibrate", lambda *given, **options: done.append(str((given, options))))

    def progress(_done: int, _total: int) -> None:
        raise AssertionError

    if fitted:
        with pytest.raises(TrainingError, match="no rendered set"):
            export.export(run, models, scenes=[scenes], progress=progress)
        assert done == [], "nothing is exported before the scenes are known to be there"
        scenes.mkdir()
        (scenes / "meta.json").write_text('{"seed": 1}', encoding="utf-8")
        (scenes / "labels.jsonl").write_text("{}\n" * FEWEST_SCENES, encoding="utf-8")
        with pytest.raises(TrainingError, match=r"extra is no rendered set"):
            export.export(run, models, scenes=[scenes], calibrate=[extra], progress=progress)
        assert done == []
        extra.mkdir()
        (extra / "labels.jsonl").touch()
    given = {"scenes": [scenes], "calibrate": [extra]} if fitted else {}
    card = export.export(run, models, **given, progress=progress)
    assert card == models / "model.toml"
    nets = ["_export", "_export", "_export_inks", "_export_finder"]
    assert done == nets + [str(((models, [scenes]), {"extra": [extra], "progress": progress}))] * fitted


def test_the_colour_of_ink_is_taken_against_the_body(torch: Any) -> None:
    """A light that is half as strong changes what the ink eyes say of the body alone."""
    from vision.training.nets import InkEyes

    torch.manual_seed(2)
    eyes = InkEyes().eval()
    face = torch.full((1, 3, 64, 48), 0.8)
    face[:, :, 16:40, 16:30] = torch.tensor([0.2, 0.3, 0.7])[None, :, None, None]
    with torch.no_grad():
        bright, dim = eyes(face), eyes(face * 0.7)
    relative = 6 * InkEyes.SPOTS
    assert bright.shape == (1, InkEyes.CODE)
    body = dim[0, relative : relative + 3] - bright[0, relative : relative + 3]
    assert body.numpy() == pytest.approx(np.log(0.7), abs=0.02)
    assert float(bright[0, :relative].abs().max()) > 0.1, "the ink is seen"


def test_faces_without_ink_are_seen_but_not_asked_for(torch: Any) -> None:
    from vision.training.inks import ABSENT, FOREIGN, InkBatch, _tensors

    colours = np.asarray([[0, FOREIGN, ABSENT]])
    batch = InkBatch(np.zeros((1, 3, 64, 48, 3), np.uint8), np.zeros((1, 3, 6), np.float32), colours)
    faces, measured, absent = _tensors(batch)
    assert tuple(faces.shape) == (1, 3, 3, 64, 48)
    assert tuple(measured.shape) == (1, 3, 6)
    assert absent.tolist() == [[False, False, True]]
