"""Looks obey what real sets do, and nothing that measures was trained on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.synth.faces import FaceFactory
from vision.synth.fonts import FAMILIES, FontsMissingError, Split, installed, packages, symbol_font
from vision.synth.looks import JOKERS, ORNAMENTS, STYLES, Look, draw_look

SPLITS: tuple[Split, ...] = ("train", "heldout")


def many(split: Split, count: int, style: str | None = None) -> list[Look]:
    return [draw_look(np.random.default_rng([11, seed]), split, style) for seed in range(count)]


def test_the_same_generator_state_gives_the_same_look(fonts: None) -> None:
    assert many("train", 5) == many("train", 5)
    assert len({look.seed for look in many("train", 30)}) == 30


@pytest.mark.parametrize("split", SPLITS)
def test_a_bare_centred_digit_has_a_mark(fonts: None, split: Split) -> None:
    bare = [look for look in many(split, 600) if look.ornament is None and not look.dish and not look.emboss]
    low = [look for look in bare if look.digit_centre + look.digit_height / 2 > 0.56]
    assert len(low) > 20
    assert all(look.mark_69 for look in low)
    # The others carry the digit in the upper half, which says which way is up.
    assert all(look.mark_69 or look.digit_centre < 0.43 for look in bare)


@pytest.mark.parametrize("style", list(STYLES))
def test_a_six_upside_down_is_no_nine(fonts: None, style: str) -> None:
    for look in many("train", 6, style):
        factory = FaceFactory(replace(look, wear=0.0, grain=0.0))
        six, nine = (factory.texture(face, 100).colour for face in ("k6", "k9"))
        apart = np.abs(six[::-1, ::-1] - nine).max(axis=2) > 0.2
        inked = np.abs(nine - np.median(nine, axis=(0, 1))).max(axis=2) > 0.2
        assert apart.sum() > 0.15 * inked.sum(), look


@pytest.mark.parametrize("split", SPLITS)
def test_teal_and_green_are_never_in_one_set(fonts: None, split: Split) -> None:
    seen = set()
    for look in many(split, 400):
        (_, green, blue), (red, leaf, _) = look.inks["b"], look.inks["y"]
        seen.add((green > 0.7 * blue, leaf > red))
    assert seen == {(False, False), (True, False), (False, True)}


@pytest.mark.parametrize("split", SPLITS)
def test_tiles_have_the_measures_of_real_ones(fonts: None, split: Split) -> None:
    for look in many(split, 200):
        assert 0.67 < look.width_mm / look.height_mm < 0.77
        assert 0.2 < look.thickness_mm / look.width_mm < 0.4
        assert look.digit_centre - look.digit_height / 2 > 0.02
        assert look.digit_centre + look.digit_height / 2 < 0.8
        assert set(look.inks) == set("rybk")


def test_every_style_is_drawn(fonts: None) -> None:
    assert {look.style for look in many("train", 100)} == set(STYLES)


def test_an_unknown_style_is_refused(fonts: None) -> None:
    with pytest.raises(KeyError):
        draw_look(np.random.default_rng(0), "train", "art deco")


def test_what_measures_was_never_trained_on(fonts: None) -> None:
    assert not set(ORNAMENTS["train"]) & set(ORNAMENTS["heldout"])
    assert not set(JOKERS["train"]) & set(JOKERS["heldout"])
    trained, held = ({font.path.name for font, _ in installed(split)} for split in SPLITS)
    assert len(trained) > 20
    assert len(held) > 5
    assert not trained & held
    by_split = {split: {family.package for family in FAMILIES if family.split == split} for split in SPLITS}
    assert not by_split["train"] & by_split["heldout"]
    for split in SPLITS:
        looks = many(split, 150)
        names = {look.font.name for look in looks}
        assert names <= {font.path.name for font, _ in installed(split)}
        assert {look.ornament for look in looks} - {None} == set(ORNAMENTS[split])
        assert {kind for look in looks for kind in look.joker} == set(JOKERS[split])


def test_every_face_of_a_set_is_drawn_in_every_style(fonts: None) -> None:
    for style in STYLES:
        look = many("heldout", 1, style)[0]
        factory = FaceFactory(look)
        sizes = set()
        for face in ("r1", "y10", "b13", "k11", "*0", "*1", "#"):
            texture = factory.texture(face, 40)
            sizes.add(texture.colour.shape)
            assert np.isfinite(texture.colour).all()
            assert texture.colour.dtype == texture.normal.dtype == texture.cover.dtype == np.float32
            assert np.linalg.norm(texture.normal, axis=2) == pytest.approx(
                np.ones(texture.cover.shape), abs=1e-3
            )
            inked = np.abs(texture.colour - np.median(texture.colour, axis=(0, 1))).max(axis=2) > 0.15
            assert inked.any() == (face != "#")
        assert sizes == {(round(40 * look.height_mm / look.width_mm), 40, 3)}


@pytest.mark.parametrize("kind", [kind for split in SPLITS for kind in JOKERS[split]])
def test_every_joker_shows(fonts: None, kind: str) -> None:
    look = replace(many("train", 1, "flat")[0], joker=(kind,), wear=0.0, grain=0.0, joker_inks=("rk", "k"))
    for face in ("*0", "*1"):
        colour = FaceFactory(look).texture(face, 80).colour
        inked = np.abs(colour - np.median(colour, axis=(0, 1))).max(axis=2) > 0.2
        assert 0.005 < inked.mean() < 0.5, (kind, inked.mean())


def test_textures_come_in_levels_and_are_kept(fonts: None) -> None:
    factory = FaceFactory(many("train", 1)[0])
    assert factory.texture("r7", 21).cover.shape[1] == 28
    assert factory.texture("r7", 28).cover.shape[1] == 28
    assert factory.texture("r7", 9999).cover.shape[1] == 160
    assert factory.texture("r7", 25) is factory.texture("r7", 21)


def test_missing_fonts_are_said_with_what_to_install(tmp_path: Path) -> None:
    for split in SPLITS:
        with pytest.raises(FontsMissingError, match="apt-get install") as error:
            installed(split, (tmp_path, tmp_path / "not there"))
        assert all(package in str(error.value) for package in packages())
    with pytest.raises(FontsMissingError, match="fonts-dejavu-core"):
        symbol_font((tmp_path,))


def test_slanted_fonts_are_left_out(tmp_path: Path, fonts: None) -> None:
    for font, _ in installed("train"):
        for name in (font.path.name, f"{font.path.stem}-Italic{font.path.suffix}"):
            (tmp_path / name).touch()
    kept = {font.path.name for font, _ in installed("train", (tmp_path,))}
    assert kept == {font.path.name for font, _ in installed("train")}


def test_a_family_shares_its_weight(fonts: None) -> None:
    shares: dict[str, float] = {}
    for font, share in installed("train"):
        shares[font.family.pattern] = shares.get(font.family.pattern, 0.0) + share
    weights = {family.pattern: family.weight for family in FAMILIES}
    assert shares == pytest.approx({pattern: weights[pattern] for pattern in shares})
