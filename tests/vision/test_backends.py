"""Back ends compute the same; one that is not there is said."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.options import BACKENDS as OFFERED
from vision.backends import BACKENDS, Backend, open_backend
from vision.onnx_nets import CARD, NETS, ModelError, Nets, default_models, load_card
from vision.reader import Reader

F32 = NDArray[np.float32]


@pytest.fixture(scope="module")
def models() -> Path:
    folder = default_models()
    if not (folder / CARD).is_file():
        pytest.skip(f"no models yet in {folder}: train and export them")
    return folder


def loaded(name: str, models: Path) -> Backend:
    if name == "openvino":
        pytest.importorskip("openvino", reason="OpenVINO is not installed: the extra `openvino`")
    backend = open_backend(name, 1)
    card = load_card(models)
    for net in NETS:
        path = models / card.files[net]
        backend.load(net, path, path.read_bytes())
    return backend


def test_the_command_line_offers_all_of_them() -> None:
    assert tuple(OFFERED.choices) == BACKENDS


def test_an_unknown_back_end_is_said() -> None:
    with pytest.raises(ModelError, match=r"'abacus'.*onnxruntime and openvino"):
        open_backend("abacus")


def test_a_back_end_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    with pytest.raises(ModelError, match=r"pip install 'remi-companion\[openvino\]'"):
        open_backend("openvino")


def shapes() -> dict[str, tuple[int, ...]]:
    return {"finder": (1, 3, 96, 160), "corners": (5, 3, 64, 64), "faces": (3, 3, 64, 48), "inks": (1, 7, 18)}


@pytest.mark.parametrize("net", NETS)
def test_openvino_answers_what_onnx_runtime_answers(models: Path, net: str) -> None:
    ours, theirs = loaded("onnxruntime", models), loaded("openvino", models)
    assert ours.outputs(net) == theirs.outputs(net)
    value = np.random.default_rng(3).random(shapes()[net], dtype=np.float32)
    for one, other in zip(ours.run(net, value), theirs.run(net, value), strict=True):
        assert one.shape == other.shape
        # bfloat16 has eight bits: a hundredth of what a net's answers span.
        assert np.abs(one - other).mean() <= 0.02 * max(1.0, float(np.ptp(one)))


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_no_net_is_said(backend: str, tmp_path: Path) -> None:
    if backend == "openvino":
        pytest.importorskip("openvino", reason="OpenVINO is not installed: the extra `openvino`")
    with pytest.raises(ModelError, match=r"faces\.onnx cannot be loaded"):
        open_backend(backend).load("faces", tmp_path / "faces.onnx", b"no net at all")


def test_answers_go_by_their_names(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = loaded("onnxruntime", models)
    nets = Nets(models, load_card(models), backend=backend)
    faces = np.random.default_rng(3).integers(0, 256, (2, 64, 48, 3), dtype=np.uint8)
    usual = nets.faces(faces)
    assert [values.shape for values in usual[:4]] == [(2, 16), (2, 4), (2, 1), (2, 24)]
    names, run = backend.outputs("faces"), backend.run
    answers = run("faces", (faces.transpose(0, 3, 1, 2) / np.float32(255)).astype(np.float32))
    with_hidden = dict(zip(names, answers, strict=True)) | {"hidden": np.ones((2, 96), np.float32)}
    monkeypatch.setattr(backend, "outputs", lambda _: tuple(reversed(with_hidden)))
    monkeypatch.setattr(backend, "run", lambda *_: list(reversed(with_hidden.values())))
    turned_round = nets.faces(faces)
    assert np.allclose(turned_round.number, usual.number, atol=1e-5)
    assert turned_round.hidden is not None
    assert turned_round.hidden.shape == (2, 96)
    assert nets.tells_features


def test_a_taught_set_is_refused_at_once_by_weights_without_features(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.reader.Nets.tells_features", False)
    with pytest.raises(ModelError, match="hidden"):
        Reader.load(models, threads=1, adapter=object())  # type: ignore[arg-type]
