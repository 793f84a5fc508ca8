"""On a machine without the renderer's fonts the virtual table is shown with the one that is always there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.synth import fonts, masks
from vision.synth.faces import FaceFactory
from vision.virtual.setting import draw_setting


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No font package is installed."""

    def none(*_: object) -> None:
        raise fonts.FontsMissingError("none is installed")

    monkeypatch.setattr(fonts, "installed", none)
    monkeypatch.setattr(masks, "symbol_font", none)
    masks.glyph_mask.cache_clear()


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("seed", range(4))
def test_every_face_is_drawn_with_the_spare_font(seed: int) -> None:
    setting = draw_setting(seed, size=(640, 360))
    assert setting.look.font.name == "VeraBd.ttf"
    factory = FaceFactory(replace(setting.look, wear=0.0, missing=0.0))
    plain = factory.texture("#", 60).colour
    for face in ("r1", "y13", "b6", "k9", "*0"):
        ink = np.abs(factory.texture(face, 60).colour - np.median(plain, axis=(0, 1))).max(axis=2) > 0.15
        assert 0.01 < ink.mean() < 0.6, face


def test_without_any_font_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(split: fonts.Split) -> None:
        raise fonts.FontsMissingError("install some")

    monkeypatch.setattr(fonts, "installed", none)
    monkeypatch.setattr(fonts, "spare_font", lambda: None)
    with pytest.raises(fonts.FontsMissingError, match="install some"):
        fonts.at_hand("train")
